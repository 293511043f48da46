import numpy as np
import pytest
from small_studies import FULL, QUICK, Noise

from slotfree.study.experiment import Experiment, arrays_of, stacked
from slotfree.study.scale import Scale


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
    class Labelled(Noise):
        def label(self, results):
            return stacked(results).rename(x="noise")

    results = [Noise()(i) for i in range(2)]
    assert list(Experiment("a", Labelled(), 2).label(results)) == ["noise"]


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
