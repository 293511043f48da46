"""Recognition, repetition, lists and pairs, with memories for which the right result is known exactly."""

from functools import partial

import numpy as np
import pytest
import xarray as xr
from plain_memories import Diary, Slots, Tally

import slotfree as sf
from slotfree import forgetting
from slotfree.forgetting import Store, Test
from slotfree.forgetting.lists import ratio_of_ratios
from slotfree.forgetting.placed import placed

SOURCE = partial(sf.random_patterns, n_visible=60, k_visible=10)
FEW = {"runs": 2, "seed": 0}


def test_recognition_by_slots_knows_the_newest_and_no_others():
    data = forgetting.recognition(Slots, SOURCE, n_stored=60, n_tested=50, **FEW)
    assert data["familiarity"].dims == ("run", "kind", "age")
    assert data["kind"].values.tolist() == ["real", "pseudo"]
    real = data["familiarity"].sel(kind="real")
    assert (real.sel(age=slice(1, 20)) == 1).all()
    assert (real.sel(age=slice(21, 50)) == 0).all()
    assert (data["familiarity"].sel(kind="pseudo") == 0).all()
    ages = forgetting.recognition(Diary, SOURCE, n_stored=60, n_tested=50, **FEW)["familiarity"].sel(kind="real")
    np.testing.assert_array_equal(ages, np.tile(np.arange(50), (2, 1)))


def test_continuous_recognition_returns_items_at_their_lags():
    lags = (0, 19, 20, 5)
    data = forgetting.continuous_recognition(
        Slots, SOURCE, lags=lags, per_lag=4, length=80, n_before=30, signal="recall", **FEW
    )
    assert data["lag"].values.tolist() == list(lags)
    assert (data["familiarity"].sel(kind="new") == 0).all()
    old = data["familiarity"].sel(kind="old")
    for lag in lags:
        assert (old.sel(lag=lag) == (lag < 20)).all()
    since = forgetting.continuous_recognition(Diary, SOURCE, lags=lags, per_lag=4, length=80, n_before=30, **FEW)
    for lag in lags:
        assert (since["familiarity"].sel(kind="old", lag=lag) == lag).all()


def test_repetition_keeps_gaps_and_delays():
    times, gaps, delays = (1, 3), (0, 2, 7), (0, 4, 25)
    settings = {"times": times, "gaps": gaps, "delays": delays, "n_items": 4, "n_before": 10}
    data = forgetting.repetition(Diary, SOURCE, **settings, **FEW)["familiarity"]
    for n in times:
        for gap in gaps:
            for delay in delays:
                expected = 1000 * (n - 1) * (gap + 1) + delay
                assert (data.sel(times=n, gap=gap, delay=delay) == expected).all()
    counted = forgetting.repetition(Tally, SOURCE, **settings, **FEW)["familiarity"]
    assert (counted.sel(times=3) == 3).all()
    kept = forgetting.repetition(Slots, SOURCE, **settings, signal="recall", **FEW)
    assert (kept["accuracy"].sel(delay=[0, 4]) == 1).all()
    assert (kept["accuracy"].sel(delay=25) == 0).all()


def test_lists_hold_what_their_names_say():
    data = forgetting.list_strength(Tally, SOURCE, n_items=6, times=3, n_before=5, **FEW)["familiarity"]
    nan = np.nan
    counts = {
        "pure weak": [[1] * 6, [nan] * 6, [0] * 6],
        "pure strong": [[nan] * 6, [3] * 6, [0] * 6],
        "mixed": [[1, 1, 1, nan, nan, nan], [3, 3, 3, nan, nan, nan], [0] * 6],
    }
    for name, expected in counts.items():
        for run in range(2):
            np.testing.assert_array_equal(data.sel(list=name)[run], expected)


def test_the_ratio_of_ratios():
    means = {
        ("pure weak", "weak"): 0.4,
        ("pure strong", "strong"): 0.6,
        ("mixed", "weak"): 0.3,
        ("mixed", "strong"): 0.7,
    }
    noise = np.random.default_rng(0).standard_normal((6, 3, 3, 2000))
    data = xr.Dataset(coords={"run": range(6), "list": ["pure weak", "pure strong", "mixed"], "item": range(2000)})
    data = data.assign_coords(strength=["weak", "strong", "new"])
    values = np.full((6, 3, 3, 2000), np.nan)
    for (of, strength), mean in means.items():
        place = data["list"].values.tolist().index(of), data["strength"].values.tolist().index(strength)
        values[:, *place] = mean + 0.1 + 0.1 * noise[:, *place]
    values[:, :, 2] = 0.1 + 0.1 * noise[:, :, 2]
    dims = ("run", "list", "strength", "item")
    found = ratio_of_ratios(data.assign(accuracy=(dims, values), familiarity=(dims, values)))
    for name in ("recall", "recognition"):
        value, low, high = found[name].values
        assert low < value < high
        assert abs(value - (0.7 / 0.3) / (0.6 / 0.4)) < 0.04, name  # four standard errors of 12,000 items
    with pytest.raises(ValueError, match="data must be what list_strength returns"):
        ratio_of_ratios(data.assign(accuracy=(("run",), np.ones(6))))


def test_longer_lists_outgrow_slots():
    data = forgetting.list_length(Slots, SOURCE, lengths=(40, 10), n_before=5, **FEW)["accuracy"]
    assert data.sel(length=40, kind="old").mean("item").values.tolist() == [0.5, 0.5]
    assert (data.sel(length=40, kind="old", item=slice(20, None)) == 1).all()
    short = data.sel(length=10, kind="old")
    assert (short.sel(item=slice(0, 9)) == 1).all()
    assert short.sel(item=slice(10, None)).isnull().all()
    assert (data.sel(kind="new").fillna(0) == 0).all()


def test_the_capacity_of_slots():
    """Of n patterns 20 are kept: the mean is 20/n, and a choice between an old and a new one is right in ½ + 10/n."""
    sizes = (5, 20, 40, 80)
    settings = {"sizes": sizes, "n_tested": 80, "criterion": 0.75}
    data = forgetting.capacity(Slots, SOURCE, **settings, **FEW)
    np.testing.assert_allclose(data["two_choice"], np.tile([1, 1, 0.75, 0.625], (2, 1)))
    np.testing.assert_allclose(data["accuracy"], np.tile([1, 1, 0.5, 0.25], (2, 1)))
    assert data["capacity"].values.tolist() == [40, 40]
    by_accuracy = forgetting.capacity(Slots, SOURCE, **settings, measure="accuracy", **FEW)
    assert by_accuracy["capacity"].values.tolist() == [30, 30]
    none = forgetting.capacity(Slots, SOURCE, **settings | {"sizes": (5,)}, **FEW)
    assert np.isinf(none["capacity"]).all()


def test_interference_in_slots():
    """The newest pattern with the cue is recalled: A–C replaces A–B where the cue is the same, and nowhere else."""
    sizes = {"n_visible": 60, "k_visible": 12, "n_pairs": 3, "n_before": 4}
    data = forgetting.interference(Slots, **sizes, similarities=(1.0, 0.5, 0.0), ac_trials=(0, 2), ab_trials=1, **FEW)
    accuracy = data["accuracy"].isel(delay=0)
    assert (accuracy.sel(pair="AB", trial=0) == 1).all()
    chance = accuracy.sel(pair="AB", similarity=1.0, trial=2).mean()
    assert chance < 0.5, "B is not C"
    assert (accuracy.sel(pair="AB", similarity=[0.5, 0.0], trial=2) == 1).all()
    assert (accuracy.sel(pair="AC", trial=2) == 1).all()
    assert (accuracy.sel(pair="new") == 0).all()
    late = forgetting.interference(Slots, **sizes, delays=(0, 18), ac_trials=(0,), ab_trials=1, **FEW)["accuracy"]
    assert (late.sel(pair="AB", delay=0) == 1).all()
    assert late.sel(pair="AB", delay=18, trial=0, similarity=1.0).mean() == pytest.approx(2 / 3)


def test_a_stream_is_measured_without_being_kept():
    patterns = SOURCE(100, seed=3)
    data = forgetting.along_stream(Slots(0), iter(patterns), ages=(20, 1, 21), every=7)
    assert data["time"].values.tolist() == list(range(1, 101, 7))
    np.testing.assert_array_equal(data["accuracy"].sel(age=1), 1)
    for age, value in ((20, 1.0), (21, 0.0)):
        there = data["time"] + age - 1 <= 100
        np.testing.assert_array_equal(data["accuracy"].sel(age=age), np.where(there, value, np.nan))


def test_places_of_a_stream():
    rng = np.random.default_rng(0)
    for _ in range(20):
        shown = placed([np.array([0, 3]), np.array([0, 1, 2])], 8, rng)
        assert shown.index((0, 1)) - shown.index((0, 0)) == 3
        assert [shown.index((1, i)) - shown.index((1, 0)) for i in range(3)] == [0, 1, 2]
        assert sorted(item for item, _ in shown if item > 1) == [2, 3, 4]
    with pytest.raises(ValueError, match="length must be larger: 3 items that come back, up to 2 places later, do not"):
        placed([np.array([0, 2])] * 3, 5, rng)


@pytest.mark.parametrize(
    ("protocol", "arguments", "message"),
    [
        ("recognition", {"n_stored": 5, "n_tested": 6}, "n_tested must be an integer from 1 to n_stored = 5, not 6"),
        (
            "continuous_recognition",
            {"lags": (99,), "length": 100},
            "lags must fit the stream of length 100, at most 98",
        ),
        ("continuous_recognition", {"lags": (1, 1)}, "lags must be different integers, at least one"),
        ("continuous_recognition", {"length": 110}, "length must be at least 120, as 60 items come back, not 110"),
        ("repetition", {"gaps": ()}, "gaps must be different integers, at least one"),
        ("list_strength", {"n_items": 5}, "n_items must be even"),
        ("list_length", {"lengths": (0,)}, "lengths must be an integer ≥ 1, not 0"),
        ("capacity", {"measure": "d"}, "measure must be 'two_choice' or 'accuracy', not 'd'"),
        ("capacity", {"criterion": 0}, r"criterion must be a number in \(0, 1\], not 0"),
    ],
)
def test_what_cannot_be_measured(protocol, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(forgetting, protocol)(Slots, SOURCE, **FEW, **arguments)


@pytest.mark.parametrize("protocol", ["recognition", "repetition", "list_strength", "list_length", "capacity"])
def test_one_cue_at_a_time(protocol):
    with pytest.raises(TypeError, match=r"cue must be one cue, not \[1.0, 0.5\]"):
        getattr(forgetting, protocol)(Slots, SOURCE, **FEW, cue=[1.0, 0.5])


def test_pairs_that_cannot_be():
    with pytest.raises(TypeError, match="similarities must be different numbers, at least one, not 1"):
        forgetting.interference(Slots, similarities=1, **FEW)
    with pytest.raises(TypeError, match="lags must be different integers, at least one, not 3"):
        forgetting.continuous_recognition(Slots, SOURCE, lags=3, **FEW)
    with pytest.raises(TypeError, match="n_visible must be an integer ≥ 2, not None"):
        forgetting.interference(Slots, **FEW)
    with pytest.raises(ValueError, match="k_visible must be even, as a pair has two halves, not 5"):
        forgetting.interference(Slots, n_visible=20, k_visible=5, **FEW)
    with pytest.raises(ValueError, match="similarities must be different numbers"):
        forgetting.interference(Slots, similarities=(), **FEW)


class Fades(Slots):
    """Loses what it recalls: after the first time it has all that was not asked for."""

    def __init__(self, seed):
        super().__init__(seed)
        self.asked = 0

    def retrieve(self, cues):
        found = super().retrieve(cues)
        self.asked += 1
        return found if self.asked == 1 else 1 - found


def nothing_but_a_test(seed):
    patterns = SOURCE(30, seed=seed)
    yield Store(patterns)
    yield Test(patterns)


PROTOCOLS = {
    "experiment": lambda memory, **options: sf.experiment(memory, nothing_but_a_test, **options),
    "recognition": partial(forgetting.recognition, source=SOURCE, n_stored=60, n_tested=50),
    "continuous_recognition": partial(
        forgetting.continuous_recognition, source=SOURCE, lags=(0, 3), per_lag=4, length=40, n_before=20
    ),
    "repetition": partial(forgetting.repetition, source=SOURCE, gaps=(0, 2), delays=(1,), n_items=4, n_before=20),
    "list_strength": partial(forgetting.list_strength, source=SOURCE, n_items=4, n_before=20),
    "list_length": partial(forgetting.list_length, source=SOURCE, lengths=(4, 6), n_before=20),
    "capacity": partial(forgetting.capacity, source=SOURCE, sizes=(5, 10)),
    "interference": partial(
        forgetting.interference, n_pairs=4, similarities=(1.0,), n_before=20, n_visible=60, k_visible=10
    ),
}


CHANGED = r"Fades\.retrieve must return the same patterns .* deterministic=False allows it"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_memory_that_changes_when_it_retrieves_is_refused(name):
    protocol = PROTOCOLS[name]
    with pytest.raises(ValueError, match=CHANGED):
        protocol(Fades, **FEW)
    protocol(Fades, deterministic=False, **FEW)
    checked, trusted = protocol(Slots, **FEW), protocol(Slots, deterministic=False, **FEW)
    xr.testing.assert_equal(checked, trusted)
    assert "deterministic" in str(checked.attrs["settings"])
    with pytest.raises(TypeError, match="deterministic must be True or False, not 1"):
        protocol(Slots, deterministic=1, **FEW)


def test_a_stream_is_refused_too_and_some_tests_are_asked_twice():
    stream = SOURCE(40, seed=0)
    with pytest.raises(ValueError, match=CHANGED):
        forgetting.along_stream(Fades(0), stream, ages=(1,), every=5)
    counted = Fades(0)
    forgetting.along_stream(counted, stream, ages=(1,), every=2, deterministic=False)
    assert counted.asked == 20
    checked, trusted = (forgetting.along_stream(Slots(0), stream, deterministic=yes) for yes in (True, False))
    xr.testing.assert_equal(checked, trusted)


def test_tests_of_single_items_are_asked_twice_until_there_were_ten():
    class Counts(Slots):
        def retrieve(self, cues):
            asked.append(len(cues))
            return super().retrieve(cues)

    def singles(seed):
        patterns = SOURCE(30, seed=seed)
        yield Store(patterns)
        yield from (Test(x, label="one") for x in patterns[:15])
        yield Test(patterns, label="all")

    asked: list[int] = []
    sf.experiment(Counts, singles, runs=1, seed=0)
    assert asked == [1] * 3 * 10 + [1] * 5 + [10, 30, 10]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_errors_say_memory_where_the_argument_is_memory(name):
    with pytest.raises(TypeError, match=r"^memory must be a mapping with keys out of n_visible, n_hidden"):
        PROTOCOLS[name](None, **FEW)
    with pytest.raises(TypeError, match=r"^memory must be a function of one argument, a seed, which <lambda> is not"):
        PROTOCOLS[name](lambda: None, **FEW)
    with pytest.raises(TypeError, match=r"^memory must build a memory with the methods store and retrieve, not None"):
        PROTOCOLS[name](lambda seed: None, **FEW)
    with pytest.raises(TypeError, match=r"^memory must be settings, a class, or a function of a seed"):
        PROTOCOLS[name](Slots(0), **FEW)
    one = Slots(0)
    with pytest.raises(ValueError, match=r"^memory must build a new memory for each run"):
        PROTOCOLS[name](lambda seed: one, **FEW)
