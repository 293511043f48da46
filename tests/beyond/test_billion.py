import numpy as np
import pytest
from study.madeup import PAPER, around, check_table, verdicts

from slotfree.beyond.billion import (
    AGES,
    BATCH,
    ITEM,
    NEIGHBOURS,
    RUNS,
    SIZES,
    TIMED,
    UNSEEN,
    Compared,
    SteadyState,
    claims,
    compare,
    draw,
    memory_of,
    touched,
)
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

TIMES = 1e-9 * np.ones(TIMED)


def made_up(off=0.0, width=0.0, slower=TIMES, nbytes=4):
    """Accuracies that the theory misses by some number, more or less; times and bytes per synapse of the largest."""
    data = {}
    for size, experiment in SIZES.items():
        run, largest = experiment.run, size == max(SIZES)
        runs = 1 if largest else 4
        found = {
            "accuracy": sampled((len(CUES), len(AGES)), NEIGHBOURS, runs, off, width),
            "baseline": sampled((len(CUES),), UNSEEN, runs, off, width),
            "nbytes": np.full(runs, (nbytes if largest else 4) * run.settings.n_synapses),
            "build_seconds": np.ones(runs),
            "store_seconds": np.tile((slower if largest else TIMES) * touched(run.settings), (runs, 1)),
        }
        labelled = run.label([{name: array[i] for name, array in found.items()} for i in range(runs)])
        one = Compared(5, labelled)
        labelled["accuracy"] += [[one.predicted(cue, age) for age in AGES] for cue in CUES]
        labelled["baseline"] += [one.predicted(cue, None) for cue in CUES]
        data[experiment.name] = labelled
    return Results(data, PAPER, 0)


def sampled(shape, patterns, runs, off, width):
    """Numbers (run, …, pattern) that vary over runs, or over the patterns of a single one, and are off on average."""
    if runs > 1:
        return around(np.full((*shape, patterns), off), width, runs=runs)
    return np.moveaxis(around(np.full(shape, off), width, runs=patterns), 0, -1)[None]


def test_claims():
    uneven = np.where(np.arange(TIMED) % 2, 1, 10) * TIMES
    made = (made_up(), made_up(-0.05, 0.001, 8 * TIMES, nbytes=16), made_up(0.02, 0.01, uneven))
    check_table(
        [verdicts(claims(r)) for r in made],
        {"1e*-age-*": "cxi", "1e*-baseline": "cxi", "time": "cxi", "bytes": "cxc"},
        only={"bytes": "cx"},
    )


@pytest.mark.parametrize("cue", CUES)
def test_one_age_and_cue_that_are_wrong_are_enough(cue):
    r = made_up()
    r.data["billion-1e9"]["accuracy"].loc[{"cue": cue, "age": 300}] += 0.03
    assert [name for name, verdict in verdicts(claims(r)).items() if verdict != "c"] == ["1e9-age-300"]


def test_the_figure_and_its_tables():
    tables = draw(made_up(0.01, 0.002)).tables
    assert len(tables[""]) == len(SIZES) * len(CUES) * (len(AGES) + 1)
    assert {round(row["difference"], 6) for row in tables[""]} == {0.01}
    assert all(row["simulated"] - row["predicted"] == pytest.approx(row["difference"], abs=2e-6) for row in tables[""])
    assert [row["nanoseconds_per_touched"] for row in tables["-cost"]] == pytest.approx([1.0] * len(SIZES))
    assert [row["synapses"] for row in tables["-cost"]] == [one.settings.n_synapses for one in compare(made_up())]


@pytest.mark.parametrize("size", RUNS)
def test_memories_have_their_number_of_synapses(size):
    s = memory_of(size)
    assert s.n_synapses == pytest.approx(size, rel=1e-3)
    assert s.n_hidden / s.k_hidden == pytest.approx(100, rel=0.02)
    assert s.k_visible / s.n_visible == pytest.approx(0.1, rel=0.001)
    assert touched(s) == pytest.approx(0.11 * size, rel=0.02)


class Recording:
    """Takes patterns, and keeps all of them."""

    def __init__(self):
        self.patterns = []

    def store(self, patterns):
        assert len(patterns) <= BATCH
        self.patterns.extend(patterns)


def test_the_patterns_that_are_tested_are_those_of_their_age():
    run = SteadyState(memory_of(10**4), settle=33)
    memory = Recording()
    kept, seconds = run.store(memory, np.random.SeedSequence(0))
    newest_first = np.array(memory.patterns[::-1])
    np.testing.assert_array_equal(kept, newest_first[run.tested.ravel() - 1])
    assert len(memory.patterns) == 33 + AGES[-1] + NEIGHBOURS - 1
    assert len(seconds) == -(-len(memory.patterns) // BATCH)
    assert len(np.unique(newest_first, axis=0)) == len(newest_first)


def test_a_small_memory_remembers_new_patterns_better_than_old_ones():
    run = SteadyState(memory_of(10**5), settle=100)
    found = run(np.random.SeedSequence(0))
    again = run(np.random.SeedSequence(0))
    for name in ("accuracy", "baseline", "nbytes"):
        np.testing.assert_array_equal(found[name], again[name])
    by_age = found["accuracy"].mean(axis=-1)
    assert (by_age[:, 0] > by_age[:, 3]).all()
    assert (by_age[:, 3] > by_age[:, 4]).all()
    assert (by_age[:, 0] > found["baseline"].mean(axis=-1) + 0.2).all()
    assert found["nbytes"] == KWinnerMHN.from_settings(run.settings, 0).nbytes


def test_smaller_scales_have_small_memories_of_all_sizes():
    small = [experiment.at(SCALES["quick"]).run for experiment in SIZES.values()]
    sizes = [run.settings.n_synapses for run in small]
    assert sizes == sorted(set(sizes))
    assert max(sizes) == 10**5
    assert {run.settle for run in small} == {SCALES["quick"].n_stored}


def test_the_largest_is_begun_first():
    assert ITEM.experiments[0] is SIZES[10**9]
