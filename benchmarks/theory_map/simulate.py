"""Simulate memories drawn over the whole family, to see where the theory holds.

    python benchmarks/theory_map/simulate.py SEED COUNT

``tests/forgetting/theory/theory_map.csv`` was made once: 300 memories with seed 1, from which the first limits of the
theory came; those of 400, 500 and 600 with seeds 2, 3 and 4 that the limits of the time covered, which showed where
these were too wide; and those of 441 with seed 5, drawn when the limits were final (``docs/explained/theory.md``). An
hour on one core for all. Settings are drawn as they were then, but simulated with other random numbers: accuracies
differ from those of the file by their standard error, its last column.
"""

import csv
import sys

import numpy as np

import slotfree as sf

CUES = (0.2, 0.3, 0.5, 0.7, 1.0)
WINDOWS = {(1, 3): 5, (8, 12): 25, (45, 55): 50, (90, 110): 75, (180, 220): 100, (360, 440): 150}  # tested every …
N_MEMORIES, N_AFTER = 4, 1500  # of each setting, and patterns stored while it is tested


def drawn(count, seed):
    """Settings, each from a wide range, with equal chances on a logarithmic scale."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        u = rng.random(10)
        n_v = round(100 * 20 ** u[0])
        k_v = max(2, round(0.01 * 50 ** u[1] * n_v))
        f = 1.0 if u[2] < 0.15 else float(f"{0.01 * 100 ** u[3]:.3g}")
        n_h = round(50 * 100 ** u[4])
        k_h = round(n_h * (0.2 + 0.7 * u[6])) if u[5] < 0.1 else max(1, round((0.5 * n_h) ** u[6]))
        eps = 1.0 if u[7] < 0.12 else float(f"{0.01 * 100 ** u[8]:.3g}")
        if round(f * n_v) >= 1 and f * n_v * n_h <= 6e5:
            found.append(
                {
                    "n_visible": n_v,
                    "k_visible": k_v,
                    "n_hidden": n_h,
                    "k_hidden": k_h,
                    "fan_in": f,
                    "learning_rate": eps,
                }
            )
    return found


def one_memory(settings, seed):
    """Mean accuracy (cue, window) of a memory in its steady state, and of patterns never stored, the last column."""
    rng = np.random.default_rng(seed)
    size = {name: settings[name] for name in ("n_visible", "k_visible")}
    memory = sf.KWinnerMHN(**settings, seed=int(rng.integers(2**31)))
    left = int(min(max(1500, 5 * settings["n_hidden"] / (settings["k_hidden"] * settings["learning_rate"])), 3e5))
    while left > 0:
        memory.store(sf.random_patterns(min(left, 20_000), **size, seed=int(rng.integers(2**31))))
        left -= 20_000
    stored = sf.random_patterns(500 + N_AFTER, **size, seed=int(rng.integers(2**31)))
    memory.store(stored[:500])
    found = np.zeros((len(CUES), len(WINDOWS) + 1))
    count = np.zeros(len(WINDOWS) + 1)

    def test(patterns, column):
        for c, cue in enumerate(CUES):
            recalled = memory.retrieve(sf.partial_cues(patterns, cue, seed=int(rng.integers(2**31))))
            found[c, column] += (recalled & patterns).sum() / settings["k_visible"]
        count[column] += len(patterns)

    for after in range(5, N_AFTER + 1, 5):
        newest = 500 + after
        memory.store(stored[newest - 5 : newest])
        for column, ((first, last), every) in enumerate(WINDOWS.items()):
            if after % every == 0:
                test(stored[newest - last : newest - first + 1], column)
        if after % 100 == 0:
            test(sf.random_patterns(40, **size, seed=int(rng.integers(2**31))), -1)
    return found / count


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    windows = [f"ages {first} to {last}" for first, last in WINDOWS]
    writer = None
    for number, settings in enumerate(drawn(count, seed)):
        runs = np.array([one_memory(settings, [seed, number, i]) for i in range(N_MEMORIES)])
        error = runs.std(axis=0, ddof=1).max(axis=1) / np.sqrt(N_MEMORIES)
        for c, cue in enumerate(CUES):
            values = dict(zip((*windows, "unseen"), runs.mean(axis=0)[c].round(4), strict=True))
            row = {"seed": seed, **settings, "cue": cue, **values, "error": error[c].round(4)}
            if writer is None:
                writer = csv.DictWriter(sys.stdout, row)
                writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()
