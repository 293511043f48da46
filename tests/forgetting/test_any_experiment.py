import numpy as np
import pytest
from plain_memories import Slots, Tally

import slotfree as sf
from slotfree.forgetting import OnCopy, Store, Test

X = sf.random_patterns(12, n_visible=30, k_visible=6, seed=0)


def test_every_event_does_what_it_says():
    def schedule(seed):
        yield Test(X[:2], label="before")
        yield Store(X[:3], times=2)
        yield Store(X[0])
        yield OnCopy([Store(X[3]), Test(X[3:5], label="copy"), OnCopy([Store(X[4]), Test(X[3:5], label="copy")])])
        yield Test(X[:4], label="after", factors={"delay": 3, "how": "whole"})

    data = sf.experiment(Tally, schedule, runs=3, seed=0)
    assert data["familiarity"].dims == ("run", "test", "item")
    assert data["test"].values.tolist() == ["before", "copy", "copy", "after"]
    np.testing.assert_array_equal(data["delay"], [np.nan, np.nan, np.nan, 3])
    assert data["how"].values.tolist() == ["", "", "", "whole"]
    nan = np.nan
    counts = [[0, 0, nan, nan], [1, 0, nan, nan], [1, 1, nan, nan], [3, 2, 2, 0]]
    recalled = [[0, 0, nan, nan], [1, 0, nan, nan], [1, 1, nan, nan], [1, 1, 1, 0]]
    for run in range(3):
        np.testing.assert_array_equal(data["familiarity"][run], counts)
        for measure in ("accuracy", "overlap"):
            np.testing.assert_array_equal(data[measure][run], recalled)


def test_cues_are_levels_kinds_or_arrays():
    def schedule(seed):
        yield Store(X)
        yield Test(X[:3], cues=0.5, label="half")
        yield Test(X[:3], cues=("cluttered", 0.5), label="more")
        yield Test([*X[:3]], cues=[X[3], X[4], X[5]], label="others")

    data = sf.experiment(Slots, schedule, runs=1, seed=0).isel(run=0)
    assert (data["accuracy"].sel(test="half") > 0.1).all()
    np.testing.assert_array_equal(data["accuracy"].sel(test="more"), 0)
    np.testing.assert_allclose(data["accuracy"].sel(test="others"), (X[:3] & X[3:6]).sum(axis=1) / 6)


def test_tests_are_matched_by_label_and_factors_and_runs_are_independent():
    def schedule(seed):
        rng = np.random.default_rng(seed)
        yield Store(X)
        for i in rng.permutation(4).tolist():
            yield Test(X[i : i + 2], cues=0.5, factors={"i": i})

    data = sf.experiment({"n_visible": 30, "k_visible": 6, "n_hidden": 40, "k_hidden": 4}, schedule, runs=5, seed=1)
    assert sorted(data["i"].values) == [0, 1, 2, 3]
    more = sf.experiment({"n_visible": 30, "k_visible": 6, "n_hidden": 40, "k_hidden": 4}, schedule, runs=6, seed=1)
    np.testing.assert_array_equal(more["accuracy"][:5], data["accuracy"])
    assert (data["accuracy"].std("run") > 0).any()


def test_signals():
    memory = sf.KWinnerMHN(n_visible=30, k_visible=6, n_hidden=40, k_hidden=4, fan_in=0.5, seed=0)

    def schedule(seed):
        yield Store(X)
        yield Test(X)

    def found(make, signal=None):
        return sf.experiment(make, schedule, runs=1, signal=signal, seed=0)["familiarity"].values[0, 0]

    settings = memory.settings
    built = []
    drive = found(lambda seed: built.append(sf.KWinnerMHN.from_settings(settings, seed)) or built[-1], "drive")
    expected = np.sort(X @ built[0].weights.T.astype(float), axis=1)[:, -4:].mean(axis=1)
    np.testing.assert_allclose(drive, expected, rtol=1e-5)
    recall = (X & built[0].retrieve(X)).sum(axis=1) / 6
    np.testing.assert_array_equal(found(settings), found(settings, "recall"))
    np.testing.assert_array_equal(
        found(lambda seed: built.append(sf.KWinnerMHN.from_settings(settings, seed)) or built[-1], "recall").shape,
        recall.shape,
    )
    np.testing.assert_array_equal(found(Tally), 1)
    np.testing.assert_array_equal(found(Tally, "recall"), 1)
    with pytest.raises(TypeError, match=r"signal='own' requires a memory with a method familiarity\(cues\), which"):
        found(Slots, "own")
    with pytest.raises(TypeError, match="signal='drive' requires a memory with weights and k_hidden, which Slots"):
        found(Slots, "drive")
    with pytest.raises(ValueError, match="signal must be 'own', 'recall' or 'drive', not 'strength'"):
        found(Slots, "strength")

    class Wrong(Slots):
        def familiarity(self, cues):
            return [np.nan] * len(cues)

    with pytest.raises(ValueError, match=r"Wrong\.familiarity must return a finite number for each of 12 cues"):
        found(Wrong)


@pytest.mark.parametrize(
    ("events", "error", "message"),
    [
        ([], ValueError, "schedule must yield at least one Test"),
        (None, TypeError, "schedule must yield Store, Test and OnCopy, not return None"),
        ([X], TypeError, "schedule must yield Store, Test and OnCopy, not array"),
        ([Store(X, times=-1)], ValueError, "times must be an integer ≥ 0, not -1"),
        ([Store(2 * X)], ValueError, "patterns must hold only 0 and 1"),
        ([Test(0 * X)], ValueError, "patterns of the test 'test' must be at least one, with"),
        ([Test(X[:0])], ValueError, "patterns of the test 'test' must be at least one, with"),
        ([Test(X, cues=0 * X)], ValueError, r"cues of the test 'test' must have at least one 1 each, unlike cues\[0\]"),
        ([Test(X, cues=X[:3])], ValueError, "cues of the test 'test' must be one for each pattern, 12, not 3"),
        ([Test(X, label=3)], TypeError, "label must be a string and factors a mapping"),
        ([Test(X, factors={"run": 3})], ValueError, "factors must have names other than run, test, item, .* not 'run'"),
        ([Test(X, factors={"a": np.nan})], TypeError, "the factor 'a' must be a number or a string, not nan"),
        ([Test(X, factors={"a": X})], TypeError, "the factor 'a' must be a number or a string"),
    ],
)
def test_schedules_that_cannot_be(events, error, message):
    with pytest.raises(error, match=message):
        sf.experiment(Slots, lambda seed: events, runs=1, seed=0)


def test_other_mistakes():
    with pytest.raises(TypeError, match="schedule must be a function of a seed that yields events, not 3"):
        sf.experiment(Slots, 3, seed=0)
    seen = iter("ab")
    with pytest.raises(ValueError, match="schedule must yield the same tests in each run: run 1 differs at"):
        sf.experiment(Slots, lambda seed: [Test(X, label=next(seen))], runs=2, jobs=1, seed=0)
