from dataclasses import asdict
from itertools import product

import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

import slotfree as sf
from slotfree.forgetting import search
from slotfree.forgetting.family import family, matched, settings_in
from slotfree.forgetting.merit import MERITS, merits
from slotfree.forgetting.search import limits_of, neighbours
from slotfree.forgetting.theory.k_winner import predict_retention
from slotfree.forgetting.theory.limits import TheoryLimitError
from slotfree.memory.kwinner import KWinnerSettings

SMALL = {"n_visible": 400, "k_visible": 40}
FEW = {"fan_ins": (0.2,), "winners": (2, 5), "learning_rates": (0.3, 1.0)}


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30))
def test_the_front_is_what_no_other_dominates(points):
    x, y = np.array(points, float).T
    front = search.pareto_front(x, y)
    assert front.any()
    for i, (a, b) in enumerate(points):
        dominated = any(p >= a and q >= b and (p, q) != (a, b) for p, q in points)
        assert front[i] != dominated


def test_what_has_no_merit_is_not_on_the_front():
    assert search.pareto_front([1, 2, np.nan], [np.inf, np.nan, 5]).tolist() == [True, False, False]


def test_a_table_holds_the_merits_of_each_member():
    members = family(8000, **SMALL, **FEW)
    table = search.predicted_family(members, (1.0, 0.5), jobs=1)
    assert [settings_in(table, i) for i in range(len(members))] == members
    ages = np.arange(1, search.horizon(members[2]) + 1)
    exact = merits(predict_retention(members[2], (1.0, 0.5), ages), area_ages=1000)
    for name in exact:
        np.testing.assert_allclose(table[name].isel(setting=2), exact[name], rtol=0.02, err_msg=name)


@pytest.fixture
def few(monkeypatch):
    """A coarse grid, and no small steps."""
    monkeypatch.setattr(family, "__kwdefaults__", family.__kwdefaults__ | FEW)
    monkeypatch.setattr(search, "FIRST_STEP", 3.0)
    monkeypatch.setattr(search, "LAST_STEP", 2.0)


@pytest.mark.parametrize("goal", ["area", "memories"])
def test_the_best_serves_the_goal_within_the_limits(few, goal):
    heard = []
    table = search.optimise(
        weights=8000,
        goal=goal,
        cue=0.5,
        min_accuracy=0.6,
        check=1,
        runs=4,
        **SMALL,
        progress=lambda done, count: heard.append((done, count)),
    )
    values = table[goal].values
    assert (np.diff(values) <= 0).all()
    assert (table["initial_accuracy"] >= 0.6).all()
    assert (table["initial_raw_difference"] >= 0.2).all()
    one = settings_in(table, 0)
    assert abs(one.n_synapses - 8000) <= one.n_connections / 2
    assert float(table["simulated_area"][0]) == pytest.approx(float(table["area"][0]), rel=0.25)
    assert np.isnan(table["simulated_area"][1:]).all()
    assert heard[-1] == (len(family(8000, **SMALL)),) * 2
    grid = search.predicted_family(family(8000, **SMALL), (0.5,)).isel(cue=0)
    allowed = grid[goal].values[grid["initial_accuracy"].values >= 0.6]
    assert values[0] >= allowed.max(), "steps from the best of the grid only improve"


def test_threads_do_not_matter(few):
    one, three = (search.optimise(weights=8000, goal="area", cue=0.5, check=1, **SMALL, jobs=jobs) for jobs in (1, 3))
    xr.testing.assert_identical(one, three)


@pytest.mark.parametrize(
    ("goal", "weights", "cue", "min_accuracy", "start"),
    [
        ("memories", 8000, 1.0, 0.0, (0.3, 3, 0.2)),
        ("half_life", 8000, 0.5, 0.7, (0.12, 20, 0.4)),
        ("area", 24_000, 0.5, 0.0, (0.7, 1, 0.3)),
    ],
)
def test_no_neighbour_of_the_best_is_better(monkeypatch, goal, weights, cue, min_accuracy, start):
    """Checked member by member, without what the search knows of them; it starts near, which saves time."""
    grid = {name: (value,) for name, value in zip(FEW, start, strict=True)}
    monkeypatch.setattr(family, "__kwdefaults__", family.__kwdefaults__ | grid)
    table = search.optimise(weights=weights, goal=goal, cue=cue, min_accuracy=min_accuracy or None, check=0, **SMALL)
    best = settings_in(table, 0)
    f, k_h, eps, step = best.fan_in, best.k_hidden, best.learning_rate, search.LAST_STEP
    checked = 0
    for fan_in, k_hidden, rate in product(
        (f, *(round(changed * 400) / 400 for changed in (max(f / step, 0.1), min(f * step, 1.0)))),
        sorted({k_h, k_h - 1, k_h + 1, round(k_h / step), round(k_h * step)}),
        (eps, *(float(f"{changed:.4g}") for changed in (max(eps / step, 0.1), min(eps * step, 1.0)))),
    ):
        connections = int(fan_in * 400 + 0.5)
        n_hidden = int(weights / connections + 0.5)
        if not 1 <= k_hidden <= n_hidden / 2:
            continue
        one = KWinnerSettings(400, n_hidden, 40, k_hidden, fan_in, rate)
        try:
            found = search.predicted_merits(one, (cue,))
        except TheoryLimitError:
            continue
        if found["initial_raw_difference"][0] >= 0.2 and found["initial_accuracy"][0] >= min_accuracy:
            assert found[goal][0] <= table[goal].values[0], one
            checked += 1
    assert checked > 8


@pytest.mark.parametrize("k_hidden", [1, 8])
def test_merits_do_not_depend_on_whether_the_spread_is_predicted_too(k_hidden):
    one = KWinnerSettings(400, 400, 40, k_hidden, 0.5, 0.3)
    with_spread = search.predicted_merits(one, age=10, anywhere=True)
    assert np.isfinite(with_spread.pop("d_prime")).all()
    without = search.predicted_merits(one, anywhere=True)
    assert without.keys() == with_spread.keys()
    for name, values in without.items():
        np.testing.assert_allclose(values, with_spread[name], rtol=1e-12, err_msg=name)


def test_a_step_may_change_several_settings():
    """From three winners and ε = 0.3, with 100,000 weights, fewer winners and a smaller ε are better."""
    at = matched(100_000, 1.0, 3, 0.3)
    around = neighbours(at, 100_000, search.FIRST_STEP, cue=1.0)
    better = matched(100_000, 1.0, 2, 0.2121)
    assert around[better] == 2
    one, other = (search.predicted_merits(each, (1.0,))["memories"].item() for each in (at, better))
    assert other > one


def test_neighbours_stay_within_the_limits():
    at = matched(100_000, 1.0, 1, 0.1)
    around = neighbours(at, 100_000, 2.0, cue=1.0, fine=True)
    assert {one.k_hidden for one in around} == {1, 2}
    assert {one.fan_in for one in around} == {0.5, 1.0}
    assert {one.learning_rate for one in around} == {0.1, 0.2}
    assert sorted(around.values()) == [1, 1, 1, 2, 2, 2, 3]
    wide = neighbours(matched(100_000, 0.04, 1249, 1.0), 100_000, 2.0, cue=0.5, fine=True)
    assert {one.k_hidden for one in wide if one.fan_in == 0.04} == {624, 1248, 1249, 1250}
    assert min(one.fan_in for one in wide) == 0.04
    assert min(one.fan_in for one in neighbours(matched(100_000, 0.1, 9, 1.0), 100_000, 2.0, cue=0.2)) == 0.1


def test_no_two_neighbours_are_the_same_memory():
    """Steps up and down again lead back to where they began, and fan-ins are those of integers of connections."""
    at = matched(100_000, 0.1, 9, 0.1)
    step = search.FIRST_STEP
    up = next(one for one in neighbours(at, 100_000, step, cue=1.0) if one.learning_rate > 0.1 and one.fan_in == 0.1)
    back = {one.learning_rate for one in neighbours(up, 100_000, step, cue=1.0)}
    assert min(back) == 0.1
    table = search.optimise(weights=20_000, goal="area", check=0, n_visible=200, k_visible=40)
    merits_found = [tuple(np.round(table[name].values[i], 9) for name in MERITS) for i in range(table.sizes["setting"])]
    assert len(set(merits_found)) == len(merits_found)


def test_the_limits_that_a_memory_lies_on():
    assert limits_of(matched(100_000, 0.3, 3, 0.2), 1.0) == []
    assert limits_of(matched(100_000, 1.0, 1, 0.15), 1.0) == [
        "fan_in = 1 is the most there is",
        "k_hidden = 1 is the least there is",
        "learning_rate = 0.15 is the least that theory covers",
    ]
    assert limits_of(matched(100_000, 0.04, 1250, 1.0), 0.5) == [
        "fan_in = 0.04 is the least that theory covers at this cue",
        "k_hidden = 1250 is the most that is searched, 50% of the hidden units",
        "learning_rate = 1 is the most there is",
    ]


def made_up(height):
    """Merits of a surface over log f, log k_h and log ε, at no cost, in place of predicted ones."""

    def merits_of(settings, cues, criterion, age):
        value = height(np.log([settings.fan_in, settings.k_hidden, settings.learning_rate]))
        return {name: np.full(len(cues), value) for name in MERITS}

    return merits_of


def test_a_narrow_ridge_is_followed_to_its_top(monkeypatch):
    """A ridge across all three settings: no change of a single one leads on."""
    top = np.log([0.3, 60, 0.2])

    def height(place):
        along = (place - top) @ np.array([1, -1, 1]) / 3
        across = place - top - along * np.array([1, -1, 1])
        return 100 - along**2 - 30 * across @ across

    monkeypatch.setattr(search, "predicted_merits", made_up(height))
    one = settings_in(search.optimise(weights=100_000, goal="area", check=0), 0)
    assert np.abs(np.log([one.fan_in, one.k_hidden, one.learning_rate]) - top).max() < 0.15


def test_the_best_of_several_hills_is_found(monkeypatch):
    """The best point of the grid lies on a low hill, the second on the foot of a higher one."""
    low, high = np.log([0.1, 10, 0.4]), np.log([0.8, 2, 0.15])

    def height(place):
        return max(50 - 20 * ((place - low) ** 2).sum(), 60 - 60 * ((place - high) ** 2).sum(), 1 / (9 + place @ place))

    monkeypatch.setattr(search, "predicted_merits", made_up(height))
    one = settings_in(search.optimise(weights=100_000, goal="area", check=0), 0)
    assert one.fan_in > 0.7
    assert one.k_hidden == 2


def test_members_that_theory_refuses_have_no_merits_and_are_not_the_best(few, monkeypatch):
    predicted = made_up(lambda place: 10 - place @ place)

    def refused(settings, *others, age):
        if settings.k_hidden == 2:
            raise TheoryLimitError("k_hidden must be another")
        return predicted(settings, *others, age)

    monkeypatch.setattr(search, "predicted_merits", refused)
    members = family(8000, **SMALL)
    table = search.predicted_family(members, (1.0, 0.5), jobs=1)
    unknown = np.isnan(table["area"].values).all(axis=1)
    np.testing.assert_array_equal(unknown, [one.k_hidden == 2 for one in members])
    assert search.optimise(weights=8000, goal="area", check=0, **SMALL)["k_hidden"].values.tolist().count(2) == 0


def test_the_best_d_prime_at_an_age_is_predicted_and_simulated():
    table = search.optimise(weights=8000, goal="d_prime", age=20, cue=0.5, check=1, runs=20, **SMALL)
    best = settings_in(table, 0)
    predicted = sf.predict_retention(best, cues=(0.5,), ages=[20])["d_prime"].item()
    assert table["d_prime"].values[0] == pytest.approx(predicted, rel=1e-12)
    assert (np.diff(table["d_prime"].values) <= 0).all()
    assert table["simulated_d_prime"].values[0] == pytest.approx(predicted, rel=0.4)
    assert np.isnan(table["simulated_d_prime"].values[1:]).all()
    old = search.optimise(weights=8000, goal="d_prime", age=200, cue=0.5, check=0, **SMALL)
    assert settings_in(old, 0) != best, "what is best for old patterns is not best for young ones"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "age must be given for the goal 'd_prime'"),
        ({"age": 0}, "age must be an integer from 1 to 3000, not 0"),
        ({"age": 20, "runs": 2}, "runs must be an integer ≥ 3, not 2"),
    ],
)
def test_d_prime_needs_an_age_and_runs(arguments, message):
    with pytest.raises(ValueError, match=message):
        search.optimise(weights=8000, goal="d_prime", **SMALL, **arguments)


def test_what_cannot_be_is_refused(few):
    with pytest.raises(ValueError, match=r"min_accuracy must be within reach, which is 0\.\d+ here, not 1.0"):
        search.optimise(weights=8000, min_accuracy=1.0, cue=0.5, **SMALL)
    with pytest.raises(ValueError, match=r"criterion must be within reach, which is 0\.\d+ here, not 1.0"):
        search.optimise(weights=8000, criterion=1.0, **SMALL)
    with pytest.raises(ValueError, match=r"goal must be 'initial_accuracy', .* not 'glory'"):
        search.optimise(goal="glory")
    with pytest.raises(ValueError, match="weights must be enough for two hidden units"):
        search.optimise(weights=1)
    with pytest.raises(ValueError, match=r"cue must leave ≥ 20 active bits .* not 0\.2 \(k_visible=20\)"):
        search.optimise(n_visible=1000, k_visible=20, cue=0.2)
    with pytest.raises(TheoryLimitError, match="weights must allow for a memory that theory covers at this cue"):
        search.optimise(weights=200_000, **SMALL)


def test_what_is_recommended_is_taken_by_retention_and_the_memory(few):
    best = settings_in(search.optimise(weights=8000, goal="area", check=0, **SMALL), 0)
    assert sf.retention(best, runs=1, n_stored=5, n_tested=2, seed=0).sizes["age"] == 2
    assert sf.KWinnerMHN(**asdict(best), seed=0).settings == best
