"""Speed of predicting retention, against simulating it.

    python benchmarks/prediction.py [--out bench/prediction.json]

The paper's memories, both cues. A prediction is set against the paper's 200 runs of 4000 stored and 1000 tested
patterns, of which a few are run and the rest extrapolated, in the same process and on one thread. Times are medians
over rounds in which the contestants take turns. The search for the best memory, with its defaults, runs on all cores;
beside it stands what its predictions take one by one, each as a dataset with its merits. Exit code 1 if a stated floor
is missed.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

import measure  # before NumPy
import numpy as np

import slotfree as sf
from slotfree.forgetting import search
from slotfree.forgetting.family import family
from slotfree.forgetting.merit import merits
from slotfree.paper.shared.memories import GRADED, K_WINNER, ONE_WINNER, SLOW, WIDE

MODELS = (K_WINNER, WIDE, ONE_WINNER, GRADED, SLOW)
RUNS, MEASURED = 200, 2
AGES = np.arange(1, 1001)
LONGEST, LEAST_RATIO = 0.1, 1000  # seconds of a prediction, and times as fast as simulating
LONGEST_SEARCH = 5.0  # seconds
ONE_BY_ONE = 10  # every so many members of the grid are predicted one by one


def against_simulation(settings, rounds=7):
    """Seconds of a prediction, and of the simulation of as many runs as the paper has."""
    predict = partial(sf.predict_retention, settings, (1.0, 0.5), AGES)
    simulate = partial(sf.retention, settings, runs=MEASURED, seed=0, jobs=1)
    predict(), sf.retention(settings, runs=1, n_stored=10, n_tested=5, seed=0, jobs=1)  # compiled before
    times = measure.take_turns({"predict": predict, "simulate": simulate}, rounds)
    return {"predict": times["predict"], "simulate": times["simulate"] * RUNS / MEASURED}


def of_search():
    """Seconds of the search, how many memories it predicts, and seconds of as many predictions one by one."""
    every, count = family(100_000)[::ONE_BY_ONE], [0]
    refused = np.isnan(search.predicted_family(every, (1.0,))["area"].values[:, 0])
    members = [one for one, left_out in zip(every, refused, strict=True) if not left_out]
    counted = search.predicted_merits

    def count_one(*arguments, **options):
        count[0] += 1
        return counted(*arguments, **options)

    search.predicted_merits = count_one
    search.optimise(check=0)
    search.predicted_merits = counted

    def one_by_one():
        for one in members:
            spread = np.geomspace(1, search.horizon(one), search.N_AGES).round().astype(int)
            merits(sf.predict_retention(one, (1.0,), np.unique(spread)))

    times = measure.take_turns({"search": partial(search.optimise, check=0), "one_by_one": one_by_one}, 3)
    return {**times, "one_by_one": times["one_by_one"] / len(members) * count[0], "predictions": count[0]}


def judge(times, of_search):
    """Each requirement, what was measured, and whether it holds."""
    rows = []
    for name, both in times.items():
        rows.append((f"{name}: seconds of a prediction", f"≤ {LONGEST}", both["predict"], both["predict"] <= LONGEST))
        ratio = both["simulate"] / both["predict"]
        rows.append((f"{name}: times as fast as {RUNS} runs", f"≥ {LEAST_RATIO}", ratio, ratio >= LEAST_RATIO))
    seconds = of_search["search"]
    rows.append(("seconds of a search", f"≤ {LONGEST_SEARCH:g}", seconds, seconds <= LONGEST_SEARCH))
    return [measure.verdict(*row) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("bench/prediction.json"), help="where to write JSON")
    arguments = parser.parse_args()
    times = {model.name: against_simulation(model.settings) for model in MODELS}
    rows = [("seconds, one thread", "prediction", f"simulation of {RUNS} runs", "ratio")]
    for name, both in times.items():
        ratio = both["simulate"] / both["predict"]
        rows.append((name, f"{both['predict']:.3f}", f"{both['simulate']:.1f}", f"{ratio:.0f}×"))
    print(measure.table(rows), end="\n\n")
    found = of_search()
    print(
        f"search: {found['search']:.1f} s on all cores for {found['predictions']} predictions; "
        f"one by one on one thread they take {found['one_by_one']:.1f} s\n"
    )
    return measure.conclude(arguments.out, {"seconds": times, "search": found}, judge(times, found))


if __name__ == "__main__":
    sys.exit(main())
