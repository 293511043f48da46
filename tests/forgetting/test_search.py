import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slotfree.forgetting import search
from slotfree.forgetting.family import family, settings_in
from slotfree.forgetting.merit import merits
from slotfree.forgetting.theory.k_winner import predict_retention

SMALL = {"n_visible": 200, "k_visible": 20}
FEW = {"fan_ins": (0.2,), "winners": (1, 5), "learning_rates": (0.3, 1.0)}


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
    members = family(4000, **SMALL, **FEW)
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
    monkeypatch.setattr(search, "LAST_STEP", 1.3)


@pytest.mark.parametrize("goal", ["area", "memories"])
def test_the_best_serves_the_goal_within_the_limits(few, goal):
    heard = []
    table = search.optimise(
        weights=4000,
        goal=goal,
        cue=0.5,
        min_accuracy=0.6,
        **SMALL,
        progress=lambda done, count: heard.append((done, count)),
    )
    values = table[goal].values
    assert (np.diff(values) <= 0).all()
    assert (table["initial_accuracy"] >= 0.6).all()
    assert (table["initial_raw_difference"] >= 0.2).all()
    one = settings_in(table, 0)
    assert abs(one.n_synapses - 4000) <= one.n_connections / 2
    assert heard[-1] == (len(family(4000, **SMALL)),) * 2
    grid = search.predicted_family(family(4000, **SMALL), (0.5,)).isel(cue=0)
    allowed = grid[goal].values[grid["initial_accuracy"].values >= 0.6]
    assert values[0] >= allowed.max(), "steps from the best of the grid only improve"


def test_what_cannot_be_is_refused(few):
    with pytest.raises(ValueError, match=r"min_accuracy must be within reach, which is 0\.\d+ here, not 1.0"):
        search.optimise(weights=4000, min_accuracy=1.0, cue=0.5, **SMALL)
    with pytest.raises(ValueError, match=r"criterion must be within reach, which is 0\.\d+ here, not 1.0"):
        search.optimise(weights=4000, criterion=1.0, **SMALL)
    with pytest.raises(ValueError, match=r"goal must be 'initial_accuracy', .* not 'glory'"):
        search.optimise(goal="glory")
    with pytest.raises(ValueError, match="weights must be enough for two hidden units"):
        search.optimise(weights=1)
