"""Experiments, their scales, their seeds and their labelled results."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from small_studies import FULL, HIGH, QUICK, ZERO, Noise

from slotfree.study import Results, Scale
from slotfree.study.experiment import Experiment, arrays_of, stacked
from slotfree.study.labelled import Labelled


def numbers(seed):
    return {"x": np.random.default_rng(seed).normal(size=(2, 3)), "y": np.float32(1.5)}


@pytest.mark.parametrize("name", ["", "two words", "a/b", "../a", ".hidden", "-option", "a\n", 5, None])
def test_names_that_no_file_can_have_are_refused(name):
    with pytest.raises(ValueError, match="name must be a string of letters, digits"):
        Experiment(name, numbers, 1)


def test_names_as_the_paper_s():
    for name in ("kwinner-tree-10", "50%", "a.b_c+1"):
        assert Experiment(name, numbers, 1).name == name


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"runs": 0}, "runs must be an integer ≥ 1, not 0"),
        ({"runs": 2.5}, "runs must be an integer ≥ 1, not 2.5"),
        ({"few": 0}, "few must be an integer ≥ 1, not 0"),
        ({"first": -1}, "first must be an integer ≥ 0, not -1"),
        ({"run": 3}, "run must be a function of a seed, not 3"),
    ],
)
def test_what_is_not_an_experiment_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Experiment(**{"name": "a", "run": numbers, "runs": 2, **wrong})


def states(*seeds):
    return [tuple(seed.generate_state(4)) for seed in seeds]


def test_an_experiment_can_go_on_where_another_ends():
    """Runs 3 and 4 of five, by themselves: with their seeds, and as units that are no others."""
    five, last = Experiment("a", numbers, 5), Experiment("b", numbers, 2, key=("a",), first=3)
    assert states(last.seed(0, 0), last.seed(0, 1)) == states(five.seed(0, 3), five.seed(0, 4))
    elsewhere = Experiment("b", numbers, 2, key=("a",))
    assert not {u.name for u in last.units(0)} & {u.name for u in (*five.units(0), *elsewhere.units(0))}
    assert last.at(QUICK).first == 3


def test_every_run_has_a_seed_of_its_own_that_follows_from_its_name_alone():
    a, b = Experiment("a", numbers, 3), Experiment("b", numbers, 3)
    every = states(*(e.seed(root, run) for e in (a, b) for root in (0, 1) for run in range(3)))
    assert len(set(every)) == len(every)
    more = Experiment("a", Noise(), 500)
    assert states(a.seed(0, 2)) == states(more.seed(0, 2)), "neither how many runs nor what they do matters"
    other = Experiment("c", numbers, 3, key=("a",))
    assert states(a.seed(0, 1)) == states(other.seed(0, 1)), "seeds follow from the key"


def test_units_are_told_apart_by_all_that_matters():
    experiments = (
        Experiment("a", Noise(), 2),
        Experiment("a", Noise(1.0), 2),
        Experiment("a", numbers, 2),
        Experiment("b", Noise(), 2),
        Experiment("a", Noise(), 2, key=("other",)),
    )
    names = [unit.name for e in experiments for root in (0, 1) for unit in e.units(root)]
    assert len(set(names)) == len(names) == 20
    longer = Experiment("a", Noise(), 9)
    assert [u.name for u in longer.units(0)][:2] == [u.name for u in experiments[0].units(0)]


def test_a_smaller_scale_has_fewer_and_smaller_runs():
    experiment = Experiment("a", Noise(count=900), 200)
    assert experiment.at(FULL) is experiment
    assert experiment.at(QUICK) == Experiment("a", Noise(count=QUICK.n_tested // 2), QUICK.runs)
    assert Experiment("a", numbers, 200, few=3).at(QUICK).runs == 3
    assert Experiment("a", numbers, 2, few=3).at(QUICK).runs == 2
    assert Experiment("a", numbers, 200, few=30).at(QUICK).runs == QUICK.runs
    assert Experiment("a", numbers, 5).at(Scale("long", iterations=7)).runs == 5


def test_results_without_labels_are_stacked():
    results = [arrays_of(numbers, np.random.SeedSequence(i)) for i in range(4)]
    data = stacked(results)
    assert data["x"].dims == ("run", "x_0", "x_1")
    assert data["y"].dims == ("run",)
    assert data["run"].values.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(data["x"].sel(run=2), results[2]["x"])
    assert Experiment("a", numbers, 4).label(results).identical(data)


def test_a_run_may_label_its_results():
    class Renamed(Noise):
        def label(self, results):
            return stacked(results).rename(x="noise")

    results = [Noise()(i) for i in range(2)]
    assert list(Experiment("a", Renamed(), 2).label(results)) == ["noise"]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, r"a run must return arrays by name, such as \{'accuracy': ...\}, not None"),
        ({}, r"arrays by name"),
        ({1: 2.0}, r"arrays by name"),
        (np.zeros(3), r"arrays by name"),
        ({"word": "yes"}, r"a run must return arrays of numbers, but 'word' is 'yes'"),
        ({"ragged": object()}, r"a run must return arrays of numbers, but 'ragged' is <object"),
        ({"complex": 1j}, r"a run must return arrays of numbers, but 'complex' is 1j"),
    ],
)
def test_what_a_run_must_not_return(found, message):
    with pytest.raises(TypeError, match=message):
        arrays_of(lambda seed: found, np.random.SeedSequence(0))


def test_results_are_found_by_their_experiment():
    data = stacked([ZERO.run(ZERO.seed(0, 0))])
    r = Results({ZERO.name: data}, FULL, 0)
    assert r[ZERO] is data
    with pytest.raises(KeyError, match=r"the item must name the experiment 'noise\+9' among its experiments"):
        r[HIGH]


def test_what_is_drawn_and_judged_is_computed_once():
    asked = []

    def measure(results, factor):
        asked.append(factor)
        return factor * results.seed

    r, other = Results({}, FULL, 3), Results({}, FULL, 4)
    assert [r.once(measure, 2), r.once(measure, 2), r.once(measure, 5), other.once(measure, 2)] == [6, 6, 15, 8]
    assert asked == [2, 5, 2]
    assert r == Results({}, FULL, 3), "what was computed is no part of the results"
    assert repr(r) == repr(Results({}, FULL, 3))
    with pytest.raises(TypeError, match="takes 4 positional arguments"):
        Results({}, FULL, 3, {})


def test_the_paper_s_scale_limits_nothing():
    assert FULL.is_full
    assert not QUICK.is_full
    for quantity in ("runs", "n_stored", "n_tested", "iterations"):
        assert FULL.limit(quantity, 10**9) == 10**9
        assert QUICK.limit(quantity, 10**9) == getattr(QUICK, quantity)
        assert QUICK.limit(quantity, 1) == 1, "a limit makes nothing larger"


@pytest.mark.parametrize("limited", ["runs", "n_stored", "n_tested", "iterations"])
def test_one_limit_is_enough_not_to_be_full(limited):
    assert not Scale("some", **{limited: 5}).is_full


@dataclass(frozen=True)
class Walk(Labelled):
    steps: int = 5000
    tested: int = 3
    dims: ClassVar = {"place": ("step",), "both": ("side", "step")}
    limits: ClassVar = {"steps": "iterations"}

    @property
    def coordinates(self):
        return {"step": np.arange(4), "side": ["left", "right"], "unused": [1, 2]}


class Unnumbered(Walk):
    numbered: ClassVar = False


def test_arrays_have_their_dimensions_and_coordinates():
    result = {"place": np.arange(4.0), "both": np.ones((2, 4)), "number": np.asarray(7)}
    data = Walk().label([result, result])
    assert {name: data[name].dims for name in data} == {
        "place": ("run", "step"),
        "both": ("run", "side", "step"),
        "number": ("run",),
    }
    assert data["side"].values.tolist() == ["left", "right"]
    assert list(data.coords) == ["run", "step", "side"]
    assert list(Unnumbered().label([result]).coords) == ["step", "side"]
    assert list(Walk().label([{"place": np.arange(4.0)}]).coords) == ["run", "step"]


def test_a_scale_limits_what_the_class_says():
    assert Walk().at(QUICK) == Walk(1200)
    assert Walk().at(Scale("short", iterations=9, n_tested=1)) == Walk(9)
    assert Walk().at(FULL) == Walk()
