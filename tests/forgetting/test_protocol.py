from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from inspect import isfunction
from multiprocessing import get_context

import numpy as np
import pytest
import twin
from small import Echo

import slotfree as sf
from slotfree.forgetting import protocol
from slotfree.patterns.clusters import ClusterPatterns
from slotfree.runs.seeds import seed_for

SETTINGS = {"n_visible": 40, "n_hidden": 30, "k_visible": 6, "k_hidden": 3, "fan_in": 0.5, "learning_rate": 0.3}
SOURCE = partial(sf.random_patterns, n_visible=40, k_visible=6)
SMALL = {"runs": 4, "n_stored": 30, "n_tested": 10, "seed": 0}


def plain_protocol(settings, source, runs, cues, kinds, n_stored, n_tested, seed):
    """The protocol once more, pattern by pattern, on the dense twin of the memory."""
    accuracy = np.full((runs, len(cues), len(kinds), n_tested), np.nan)
    for run in range(runs):
        own = seed_for(np.random.SeedSequence(seed), run)
        memory = twin.DenseTwin(sf.KWinnerMHN(**settings, seed=seed_for(own, "memory")))
        patterns = source(n_stored + n_tested, seed=seed_for(own, "patterns"))
        for x in patterns[:n_stored]:
            memory.store(x)
        for k, kind in enumerate(kinds):
            for age in range(1, n_tested + 1):
                # All cues of a kind are drawn from one stream, so they are drawn together.
                tested = {
                    "real": [patterns[n_stored - a] for a in range(1, n_tested + 1)],
                    "pseudo": list(patterns[n_stored:]),
                    "other": list(source(n_stored + n_tested, seed=seed_for(own, "other"))[:n_tested]),
                }[kind]
                for c, cue in enumerate(cues):
                    cued = sf.partial_cues(np.array(tested), cue, seed=seed_for(own, "cue", kind, cue))
                    pattern, recalled = tested[age - 1], memory.retrieve(cued[age - 1])
                    accuracy[run, c, k, age - 1] = sum(r and p for r, p in zip(recalled, pattern)) / sum(pattern)  # noqa: B905
    return accuracy


def test_equals_a_plain_protocol_on_the_dense_twin():
    data = sf.retention(SETTINGS, SOURCE, **SMALL)
    expected = plain_protocol(SETTINGS, SOURCE, 4, (1.0, 0.5), ("real", "pseudo"), 30, 10, 0)
    np.testing.assert_array_equal(data["accuracy"].values, expected)


def test_labels():
    data = sf.retention(SETTINGS, SOURCE, kinds=("real", "pseudo", "uniform"), **SMALL)
    assert data["accuracy"].dims == ("run", "cue", "kind", "age")
    assert data["age"].values.tolist() == list(range(1, 11))
    assert data["cue"].values.tolist() == [1.0, 0.5]
    assert data["kind"].values.tolist() == ["real", "pseudo", "uniform"]
    assert data.sizes["run"] == 4


def test_age_one_is_the_newest():
    """A 1-winner memory with ε = 1 recalls the newest pattern perfectly, and a far older one does not."""
    settings = {"n_visible": 200, "n_hidden": 5, "k_visible": 20, "k_hidden": 1, "fan_in": 1, "learning_rate": 1}
    source = partial(sf.random_patterns, n_visible=200, k_visible=20)
    accuracy = sf.retention(settings, source, runs=10, n_stored=60, n_tested=40, seed=0)["accuracy"]
    assert (accuracy.sel(kind="real", age=1) == 1).all()
    assert accuracy.sel(kind="real", age=40).mean() < 0.5
    assert accuracy.sel(kind="pseudo").mean() < 0.5


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_any_number_of_workers_gives_the_same_bits(jobs):
    expected = sf.retention(SETTINGS, SOURCE, jobs=1, **SMALL | {"runs": 12})
    assert sf.retention(SETTINGS, SOURCE, jobs=jobs, **SMALL | {"runs": 12}).identical(expected)
    with ThreadPoolExecutor(jobs) as pool:
        assert sf.retention(SETTINGS, SOURCE, executor=pool, **SMALL | {"runs": 12}).identical(expected)


def test_more_runs_and_other_cues_leave_the_first_runs_as_they_are():
    few = sf.retention(SETTINGS, SOURCE, **SMALL)
    many = sf.retention(SETTINGS, SOURCE, cues=(0.8, 0.5), kinds=("uniform", "real"), **SMALL | {"runs": 6})
    np.testing.assert_array_equal(
        few["accuracy"].sel(cue=0.5, kind="real"), many["accuracy"].sel(cue=0.5, kind="real", run=slice(3))
    )


def test_settings_may_be_a_mapping_a_dataclass_or_a_function():
    expected = sf.retention(SETTINGS, SOURCE, **SMALL)
    assert sf.retention(sf.KWinnerSettings(**SETTINGS), SOURCE, **SMALL).identical(expected)
    assert sf.retention(lambda seed: sf.KWinnerMHN(**SETTINGS, seed=seed), SOURCE, **SMALL).equals(expected)


def test_a_pool_of_patterns_is_a_source():
    pool = sf.random_patterns(50, n_visible=40, k_visible=6, seed=3)
    data = sf.retention(SETTINGS, pool, **SMALL)
    assert data["accuracy"].sel(kind="real").mean() > data["accuracy"].sel(kind="pseudo").mean()
    with pytest.raises(ValueError, match="source must hold at least n_stored \\+ n_tested = 40 patterns, not 39"):
        sf.retention(SETTINGS, pool[:39], **SMALL)


def test_structured_patterns():
    """Unseen leaves of the tree come back better than unstructured patterns: what is tested must differ by kind."""
    source = partial(sf.tree_patterns, n_nodes=300, n_visible=40, k_visible=6, n_flips=1)
    data = sf.retention(SETTINGS, source, kinds=("real", "pseudo", "uniform"), **SMALL | {"runs": 20})
    mean = data["accuracy"].mean(["run", "cue", "age"])
    assert mean.sel(kind="real") > mean.sel(kind="pseudo") > mean.sel(kind="uniform")
    with pytest.raises(ValueError, match="n_nodes must be larger, about 88: this tree of 20 nodes has"):
        sf.retention(SETTINGS, partial(source, n_nodes=20), **SMALL)


@pytest.mark.filterwarnings("ignore:source repeats patterns")  # a category has few patterns
def test_patterns_of_other_categories():
    """Unseen patterns of stored categories come back better than those of other ones, which are as good as random."""
    source = ClusterPatterns(1, 2, 40, 6)
    kinds = ("real", "pseudo", "other", "uniform")
    data = sf.retention(SETTINGS, source, kinds=kinds, **SMALL | {"runs": 20})
    mean = data["accuracy"].mean(["run", "cue", "age"])
    assert mean.sel(kind="real") > mean.sel(kind="pseudo") > mean.sel(kind="other") + 0.2
    assert abs(mean.sel(kind="other") - mean.sel(kind="uniform")) < 0.05
    fewer = sf.retention(SETTINGS, source, **SMALL | {"runs": 20})
    assert fewer["accuracy"].equals(data["accuracy"].sel(kind=["real", "pseudo"]))


def test_other_patterns_are_those_of_the_source_with_another_seed():
    asked = []

    def source(n_patterns, *, seed):
        drawn = SOURCE(n_patterns, seed=seed)
        asked.append((seed.spawn_key, drawn))
        return drawn

    echo = sf.retention(Echo, source, kinds=("real", "other"), **SMALL | {"runs": 1})
    assert (echo["accuracy"].sel(cue=1.0) == 1).all()
    (key, stored), (other_key, others) = asked
    assert key != other_key
    assert stored.shape == others.shape == (40, 40)
    plain = plain_protocol(SETTINGS, SOURCE, 1, (1.0,), ("other",), 30, 10, 0)
    data = sf.retention(SETTINGS, SOURCE, cues=(1.0,), kinds=("other",), **SMALL | {"runs": 1})
    np.testing.assert_array_equal(data["accuracy"].values, plain)


def test_unstructured_probes_have_as_many_ones_as_the_patterns():
    mixed = np.tril(np.ones((9, 9), np.uint8))
    probes = protocol._unstructured(mixed, np.random.SeedSequence(0))
    assert probes.sum(axis=1).tolist() == mixed.sum(axis=1).tolist()
    assert (probes != mixed).any()


def test_random_patterns_that_fit_are_the_default_source():
    assert sf.retention(SETTINGS, **SMALL).identical(sf.retention(SETTINGS, SOURCE, **SMALL))


def test_a_source_gets_the_sizes_of_the_memory_unless_it_has_them():
    expected = sf.retention(SETTINGS, SOURCE, **SMALL)
    assert sf.retention(SETTINGS, sf.random_patterns, **SMALL).identical(expected)
    assert sf.retention(SETTINGS, partial(sf.random_patterns, n_visible=40), **SMALL).equals(expected)
    memory = partial(sf.KWinnerMHN, **SETTINGS)
    assert sf.retention(lambda seed: memory(seed=seed), sf.random_patterns, **SMALL).equals(expected)
    fewer = sf.retention(SETTINGS, partial(sf.random_patterns, k_visible=5), metrics=("accuracy", "precision"), **SMALL)
    assert (fewer["precision"] <= 5 / 6).all()


def test_sizes_may_be_attributes_of_a_memory_of_your_own():
    class Sized(Echo):
        n_visible = 40

    def source(n_patterns, n_visible, *, seed):
        return sf.random_patterns(n_patterns, n_visible=n_visible, k_visible=6, seed=seed)

    assert sf.retention(Sized, source, **SMALL).equals(sf.retention(Echo, SOURCE, **SMALL))


def test_never_stored_patterns_that_were_stored():
    """Of 20 different patterns, drawn again and again, most were stored; of some repeats, a warning says how many."""
    few = SOURCE(20, seed=1)
    with pytest.raises(
        ValueError, match="source repeats patterns: 10 of 10 of the kind 'pseudo', which count as never"
    ):
        sf.retention(SETTINGS, lambda n, seed: np.resize(few, (n, 40)), **SMALL)

    def once(n_patterns, *, seed):
        drawn = SOURCE(n_patterns, seed=seed)
        drawn[-1] = drawn[0]
        return drawn

    with pytest.warns(UserWarning, match="repeats patterns: 1 of 10 of the kind 'pseudo', .* the baseline is not one"):
        sf.retention(SETTINGS, once, **SMALL)
    sf.retention(SETTINGS, once, kinds=("real",), **SMALL)


def test_a_cue_must_leave_ones():
    with pytest.raises(ValueError, match=r"cues must be at least 0\.083 to leave a pattern of 6 ones any, not 1e-09"):
        sf.retention(SETTINGS, cues=(1.0, 1e-9), **SMALL)
    sf.retention(SETTINGS, cues=0.084, **SMALL)


def test_cues_mean_the_same_however_they_are_given():
    expected = sf.retention(SETTINGS, SOURCE, cues=(1.0, 0.5), **SMALL)
    for cues in ([1, 0.5], np.array([1.0, 0.5]), iter((1.0, 0.5))):
        assert sf.retention(SETTINGS, SOURCE, cues=cues, **SMALL).identical(expected)
    assert sf.retention(SETTINGS, SOURCE, cues=1, **SMALL).equals(expected.sel(cue=[1.0]))


def test_other_processes_give_the_same_bits():
    expected = sf.retention(SETTINGS, SOURCE, **SMALL)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert sf.retention(SETTINGS, SOURCE, executor=pool, **SMALL).identical(expected)


def test_it_is_a_plain_function():
    assert sf.retention is protocol.retention
    assert isfunction(sf.retention)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"runs": 0}, ValueError, "runs must be an integer ≥ 1, not 0"),
        ({"n_stored": 0}, ValueError, "n_stored must be an integer ≥ 1, not 0"),
        ({"n_tested": 31}, ValueError, "n_tested must be an integer from 1 to n_stored = 30, not 31"),
        ({"seed": -1}, ValueError, "seed must be an integer ≥ 0, not -1"),
        ({"seed": 1.5}, TypeError, "seed must be an integer ≥ 0, not 1.5"),
        ({"jobs": 0}, ValueError, "jobs must be an integer ≥ 1, not 0"),
        ({"cues": ()}, ValueError, r"cues must be different cue levels, at least one, not \(\)"),
        ({"cues": (0.5, 0.5)}, ValueError, r"cues must be different cue levels, at least one, not \(0.5, 0.5\)"),
        ({"cues": (1.5,)}, ValueError, r"cues must be a number in \(0, 1\], not 1.5"),
        ({"cues": (0,)}, ValueError, r"cues must be a number in \(0, 1\], not 0"),
        (
            {"kinds": ("real", "false")},
            ValueError,
            "kinds must be one or more of real, pseudo, other, uniform, each once, not",
        ),
        ({"kinds": ("real", "real")}, ValueError, "kinds must be one or more of real, .*, uniform, each once, not"),
        (
            {"kinds": ("other",), "source": np.eye(40)},
            ValueError,
            "kinds can have 'other' only if source is a function that draws categories, not an array",
        ),
        (
            {"kinds": ("other",), "source": lambda n, seed: np.eye(40)[:n]},
            ValueError,
            "source must draw other patterns with another seed for the kind 'other', and it does not",
        ),
        (
            {"memory_settings": SETTINGS | {"seed": 0}},
            TypeError,
            "memory_settings must be .* every run has its own seed",
        ),
        (
            {"memory_settings": None},
            TypeError,
            "memory_settings must be a mapping with keys out of n_visible, n_hidden",
        ),
        ({"memory_settings": {"n_hiden": 5}}, TypeError, "memory_settings must be a mapping with keys out of"),
        (
            {"memory_settings": lambda seed: None, "source": None},
            ValueError,
            "source must be given if memory_settings is",
        ),
        ({"source": lambda n, seed: np.ones((n + 1, 40))}, ValueError, "source must give n_stored .* = 40 patterns"),
        ({"source": lambda n, seed: np.zeros((n, 40))}, ValueError, "source must give .* none of them empty"),
        ({"source": lambda n, seed: "patterns"}, ValueError, "source must have the shape"),
        ({"memory_settings": SETTINGS | {"k_hidden": 99}}, ValueError, "k_hidden must be an integer from 1 to"),
        ({"source": [[0, 2]]}, ValueError, r"source must hold only 0 and 1, not source\[0, 1\] = 2"),
    ],
)
def test_wrong_arguments(wrong, error, message):
    arguments = {"memory_settings": SETTINGS, "source": SOURCE} | SMALL | wrong
    with pytest.raises(error, match=message):
        sf.retention(**arguments)
