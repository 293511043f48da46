import numpy as np
import pytest
from of_items import letters
from study.madeup import PAPER, around

import slotfree as sf
from slotfree.attention.training import initial_weights
from slotfree.beyond import contextC1
from slotfree.beyond.contextC1 import MEASURES, Case, Storing, centred
from slotfree.beyond.shared.train_side_by_side import Trainings
from slotfree.study.results import Results

SEED = np.random.SeedSequence(0)
TASK = sf.CaseSequenceTask()


def trained(experiment, end, learnt, width):
    """Trainings of ten runs that reach 1 for a moment, then end as told; ``end`` and ``learnt`` are by the name."""
    run = experiment.run
    names = [condition.name for condition in run.conditions]
    steps = np.arange(run.steps // 25) * 25
    ends = around([end(name) for name in names], width, seed=1)
    at = np.round(around([learnt(name) for name in names], 10, seed=2) / 25) * 25
    late = steps >= 0.8 * run.iterations
    accuracy = np.where(late, ends[..., None], np.where(steps == at[..., None], 1.0, 0.6))
    for i, condition in enumerate(run.conditions):
        accuracy[:, i, (condition.iterations or run.iterations) // 25 :] = np.nan
        if np.isnan(end(condition.name)):
            accuracy[:, i] = np.nan
    return run.label([{"accuracy": each} for each in accuracy])


def stored(taken, by_sign, accuracy, gone, width):
    """Results of ``Storing``: shares of used units by case, for keys with a sum below 0 and others, and how it ends."""
    run = contextC1.STORED.run
    cases = [case.name for case in run.cases]
    moments, bins = len(run.moments), len(run.edges) - 1
    used, lost = (around([[each[c]] * moments for c in cases], width, seed=s) for s, each in enumerate((taken, gone)))
    different = np.full((10, len(cases), moments), 4.0)
    n = np.full((10, len(cases), bins), 20.0)
    negative = np.arange(bins) < bins // 2
    share = around([np.where(negative, *by_sign[c]) for c in cases], width, seed=3)
    found = around([[accuracy[c]] * moments for c in cases], width, seed=4)
    return run.label(
        [
            {
                "accuracy": found[i],
                "key_norm": found[i],
                "storage": np.stack([used[i], lost[i], different[i]]),
                "taken_in_bin": share[i] * n[i],
                "in_bin": n[i],
            }
            for i in range(10)
        ]
    )


def first_of(table, name, otherwise):
    """The value of the first row all of whose words are in a name."""
    return next((value for *words, value in table if all(word in name for word in words)), otherwise)


def as_found(name):
    """How trainings end, about as they do."""
    ends = {contextC1.ONLY_Z: np.nan, contextC1.SLOWER: 0.62, contextC1.BARE: 0.9, contextC1.BARE_BOTH: 0.93}
    parts = (
        ("no Z", 0.8),
        ("winners, with", 0.95),
        ("f_out = 0.5, with", 0.95),
        ("f_out = 0.25", 0.9),
        ("f = 1, ", "without", "K = 1,", 0.9),
        ("f = 1, ", "without", 0.85),
        ("K = 1,", "n_h = 40, with p", 0.97),
    )
    return first_of(parts, name, ends.get(name, 1.0))


def otherwise(name):
    """The contrary."""
    ends = {
        contextC1.BARE: 0.999,
        contextC1.BARE_BOTH: 0.995,
        contextC1.ONLY_Z: 0.995,
        contextC1.SLOWER: 0.995,
        contextC1.THIN: 0.95,
    }
    parts = (
        ("no Z", 0.995),
        ("read", 0.995),
        ("f_out = 0.25", 0.995),
        (contextC1.MORE, 0.8),
        ("f_out = 0.5", 0.991),
        ("n_h", "f = 1, ", "without", "K = 1,", 0.995),
        ("n_h", "f = 1, ", "without", 0.999),
        ("n_h", "K = 1,", 0.92),
        ("n_h", 0.9),
    )
    return first_of(parts, name, ends.get(name, 0.98))


def steps_as_found(name):
    found = {
        contextC1.PUBLISHED: 600,
        contextC1.ZERO: 450,
        contextC1.BOTH: 225,
        contextC1.THIN: 150,
        contextC1.ONLY_Z: np.inf,
        contextC1.SLOWER: np.inf,
    }
    return found.get(name, 400 if "fixed" in name else 150)


def steps_otherwise(name):
    found = {
        contextC1.PUBLISHED: 300,
        contextC1.ZERO: 450,
        contextC1.BOTH: 500,
        contextC1.THIN: 550,
        contextC1.ONLY_Z: 100,
        contextC1.SLOWER: 100,
    }
    return found.get(name, 100 if "fixed" in name else 300)


FEW = {
    contextC1.WHOLE: 0.25,
    contextC1.THREE: 0.3,
    contextC1.CENTRED: 0.03,
    contextC1.PART: 0.01,
    contextC1.SHARED: 0.2,
}
MANY = {
    contextC1.WHOLE: 0.05,
    contextC1.THREE: 0.05,
    contextC1.CENTRED: 0.2,
    contextC1.PART: 0.3,
    contextC1.SHARED: 0.1,
}
SIGNS = {name: (0.9, 0.05) if "f = 1" in name else (0.02, 0.01) for name in FEW}
REVERSED = {name: (0.05, 0.9) if "f = 1" in name else (0.2, 0.1) for name in FEW}
ENDS = {name: 0.92 if name == contextC1.WHOLE else 0.99 for name in FEW}
FLAT = {name: 0.99 if name == contextC1.WHOLE else 0.9 for name in FEW}
EQUAL = dict.fromkeys(FEW, 0.2)


def results(end, learnt, storing, width):
    data = {x.name: trained(x, end, learnt, width) for x in (contextC1.CONTROLS, contextC1.GRID, contextC1.VARIED)}
    return Results({**data, contextC1.STORED.name: stored(*storing, width)}, PAPER, 0)


@pytest.fixture(scope="module")
def sound():
    return results(as_found, steps_as_found, (FEW, SIGNS, ENDS, {**FEW, contextC1.WHOLE: 0.15}), 0.002)


def test_claims(sound):
    contrary = results(otherwise, steps_otherwise, (MANY, REVERSED, FLAT, {**MANY, contextC1.WHOLE: 0.0}), 0.002)
    found = [letters(contextC1.ITEM, r) for r in (sound, contrary)]
    assert set(found[0].values()) == {"c"}
    assert set(found[1].values()) == {"x"}, {name for name, v in found[1].items() if v != "x"}


def test_noise_leaves_claims_open():
    noisy = results(
        lambda name: 0.9, lambda name: 300, (EQUAL, dict.fromkeys(FEW, (0.2, 0.2)), dict.fromkeys(FEW, 0.9), EQUAL), 0.2
    )
    found = letters(contextC1.ITEM, noisy)
    assert "i" in found.values()
    for name in ("centred-start", "sums", "masks", "Z-helps-with", "bare-better", "learnt-without"):
        assert found[name] == "i", name


def test_the_figure_and_its_tables(sound):
    tables = contextC1.ITEM.draw(sound).tables
    assert {name: list(rows[0])[:3] for name, rows in tables.items()} == {
        "": ["condition", "step", "accuracy"],
        "-grid": ["k", "n_hidden", "projections"],
        "-storing": ["case", "step", "share_taken"],
        "-sums": ["case", "sum", "share_taken"],
        "-variants": ["place", "series", "runs"],
    }
    assert len(tables["-grid"]) == len(contextC1.CELLS) == len({tuple(row.values())[:4] for row in tables["-grid"]})
    assert len(tables["-variants"]) == 2 * len(contextC1.VARIANTS)


def test_all_conditions_can_be_trained():
    for experiment in (contextC1.CONTROLS, contextC1.GRID, contextC1.VARIED):
        for condition in experiment.run.conditions:
            condition.model.check(condition.task)
    names = [
        condition.name for x in (contextC1.CONTROLS, contextC1.GRID, contextC1.VARIED) for condition in x.run.conditions
    ]
    assert len(set(names)) == len(names)


def test_one_unit_is_always_taken_and_many_thin_ones_are_not():
    one = sf.SlotFreeTransformer("query-key", False, key_dim=6, n_hidden=1, storage=sf.Winners(k=1, fan_in=1.0))
    many = sf.SlotFreeTransformer("query-key", False, key_dim=20, n_hidden=300, storage=sf.Winners(k=1, fan_in=0.2))
    run = Storing((Case("one", one), Case("many", many)), TASK, moments=(0, 3), sequences=40)
    data = run.label([run(SEED)])
    measured = data["storage"].isel(run=0, moment=0)
    assert measured.sel(case="one").values.tolist() == [1.0, pytest.approx(0.75, abs=0.2), 1.0]
    assert measured.sel(case="many", measure="taken") < 0.1
    assert data["in_bin"].sum("sum").values.tolist() == [[120.0, 120.0]]
    assert data["taken_in_bin"].sel(case="one").sum() == 120
    assert data["measure"].values.tolist() == list(MEASURES)


def test_keys_that_add_up_to_0_stay_so():
    model = sf.SlotFreeTransformer("query-key", False, key_dim=6, n_hidden=9, storage=sf.Winners(k=2, fan_in=1.0))
    start = centred(initial_weights(model, TASK, seed=0))
    result = sf.train(model, TASK, runs=1, iterations=30, start=start, seed=0, jobs=1)
    for before, after in ((start.W_Q, result.W_Q[0]), (start.W_K, result.W_K[0])):
        assert np.abs(after - before).max() > 1e-3
        np.testing.assert_allclose(after.sum(axis=0), 0, atol=1e-12)


def test_a_smaller_scale_has_fewer_moments():
    run = contextC1.STORED.run
    assert run.at(sf.study.Scale("short", iterations=100)).moments == (0, 25, 50, 100)
    assert isinstance(contextC1.GRID.run, Trainings)
