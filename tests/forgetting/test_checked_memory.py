"""Memories of users in the retention protocol: what is not a memory is refused, and none can falsify its results."""

import copy
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest

import slotfree as sf
from slotfree.forgetting.checked_memory import CheckedMemory
from slotfree.study.retention import Retention

PATTERNS = sf.random_patterns(60, n_visible=40, k_visible=6, seed=0)
SMALL = {"runs": 2, "n_stored": 30, "n_tested": 10, "seed": 0}
EXPECTED = r"\.retrieve must return a pattern of zeros and ones for each cue, an array of shape \(10, 40\), not "


class Slots:
    """Recalls the stored pattern that is most like the cue."""

    def __init__(self, seed):
        self.stored = np.empty((0, 40), np.uint8)

    def store(self, patterns):
        self.stored = np.vstack([self.stored, patterns])

    def retrieve(self, cues):
        return self.stored[(cues.astype(int) @ self.stored.T).argmax(axis=1)]


class Signs(Slots):
    """A classical Hopfield network of ones and minus ones."""

    def retrieve(self, cues):
        return 2 * super().retrieve(cues).astype(int) - 1


def returning(value):
    """A memory that retrieves what a function makes of the right patterns."""

    class Returning(Slots):
        def retrieve(self, cues):
            return value(super().retrieve(cues))

    return Returning


def test_patterns_of_ones_and_minus_ones_are_refused():
    """-1 & 1 is 1: they would be perfect, stored or not."""
    with pytest.raises(ValueError, match="Signs" + EXPECTED) as raised:
        sf.retention(Signs, PATTERNS, **SMALL)
    assert "shape (10, 40) and type int64 with -1 at [0, 1]; where ones and minus ones are meant" in str(raised.value)


@pytest.mark.parametrize(
    ("value", "error", "found"),
    [
        (lambda x: x[0], ValueError, r"an array of shape \(40,\) and type uint8"),
        (lambda x: x[:1], ValueError, r"an array of shape \(1, 40\) and type uint8"),
        (lambda x: x[:, :1], ValueError, r"an array of shape \(10, 1\) and type uint8"),
        (lambda x: x[None], ValueError, r"an array of shape \(1, 10, 40\) and type uint8"),
        (lambda x: x + 0.25, ValueError, r"an array .* type float64 with [01]\.25 at \[0, 0\]"),
        (lambda x: x * np.nan, ValueError, r"an array .* type float64 with nan at \[0, 0\]"),
        (lambda x: 3 * x, ValueError, r"an array .* type uint8 with 3 at \[0, \d+\]"),
        (lambda x: x.astype(str), ValueError, r"an array .* type <U\d"),
        (lambda x: x.astype(complex), ValueError, r"an array .* type complex128"),
        (lambda x: [[1], [1, 0]], ValueError, "rows of different lengths"),
        (lambda x: None, TypeError, "None"),
    ],
)
def test_what_is_not_a_pattern_for_each_cue_is_refused(value, error, found):
    with pytest.raises(error, match="Returning" + EXPECTED + found):
        sf.retention(returning(value), PATTERNS, **SMALL)


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, np.uint64, np.float32, float])
def test_zeros_and_ones_of_any_type_are_patterns(kind):
    expected = sf.retention(Slots, PATTERNS, **SMALL)
    assert sf.retention(returning(lambda x: x.astype(kind)), PATTERNS, **SMALL).equals(expected)
    assert sf.retention(returning(lambda x: x.astype(kind).tolist()), PATTERNS, **SMALL).equals(expected)


class ChangesWhatItIsGiven(Slots):
    def store(self, patterns):
        super().store(patterns)
        patterns[:] = 1

    def retrieve(self, cues):
        cues[:] = super().retrieve(cues)
        return cues


class KeepsWhatItIsGiven(Slots):
    """Stores no copy, and spoils what it has at the end."""

    def store(self, patterns):
        self.stored = patterns

    def retrieve(self, cues):
        found = super().retrieve(cues)
        if not hasattr(self, "first"):
            self.first = cues
        self.first[:] = 0
        return found


@pytest.mark.parametrize("kind", [ChangesWhatItIsGiven, KeepsWhatItIsGiven])
def test_a_memory_cannot_change_what_it_is_tested_with(kind):
    pool = PATTERNS.copy()
    expected = sf.retention(Slots, lambda n, seed: pool[:n], **SMALL)
    assert sf.retention(kind, lambda n, seed: pool[:n], **SMALL).equals(expected)
    np.testing.assert_array_equal(pool, PATTERNS)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_memory_that_is_built_again_is_refused(jobs):
    memory = Slots(0)
    with pytest.raises(ValueError, match="must build a new memory for each run, not return the same Slots again"):
        sf.retention(lambda seed: memory, PATTERNS, jobs=jobs, **SMALL)
    new = sf.retention(lambda seed: copy.deepcopy(memory), PATTERNS, **SMALL)
    assert new.sizes["run"] == 2


class Guesses(Slots):
    """Finds one bit of a pattern at random, which it never did before."""

    def retrieve(self, cues):
        found = super().retrieve(cues)
        self.rng = getattr(self, "rng", np.random.default_rng(0))
        found[np.arange(len(found)), self.rng.integers(0, 40, len(found))] ^= 1
        return found


class Learns(Slots):
    """Stores what it is asked with."""

    def retrieve(self, cues):
        found = super().retrieve(cues)
        self.stored = np.vstack([cues, self.stored])
        return found


@pytest.mark.parametrize("kind", [Guesses, Learns])
def test_a_memory_must_answer_twice_alike_unless_it_need_not(kind):
    message = (
        f"{kind.__name__}.retrieve must return the same patterns for the same cues, .* deterministic=False allows it"
    )
    with pytest.raises(ValueError, match=message):
        sf.retention(kind, PATTERNS, **SMALL)
    accuracy = sf.retention(kind, PATTERNS, deterministic=False, **SMALL)["accuracy"]
    assert accuracy.sel(kind="real", cue=1.0).mean() > 0.9
    assert Retention(kind, lambda n, seed: PATTERNS[:n], n_stored=30, n_tested=10, deterministic=False)(
        np.random.SeedSequence(0)
    )


def test_asking_twice_changes_no_result():
    expected = sf.retention(Slots, PATTERNS, **SMALL)
    assert sf.retention(Slots, PATTERNS, deterministic=False, **SMALL).equals(expected)
    with pytest.raises(TypeError, match="deterministic must be True or False, not 1"):
        sf.retention(Slots, PATTERNS, deterministic=1, **SMALL)


class Seedless(Slots):
    def __init__(self):
        super().__init__(0)


class Named(Slots):
    def __init__(self, *, seed):
        super().__init__(seed)


class Sized(Slots):
    def __init__(self, n_visible):
        self.stored = np.empty((0, n_visible), np.uint8)


class StoresOnly:
    def __init__(self, seed):
        pass

    def store(self, patterns):
        pass


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Seedless, r"a seed, which Seedless is not \(.*\); lambda seed: Seedless\(\.\.\.\) would be one"),
        (Named, r"a seed, which Named is not \(.*\); lambda seed: Named\(\.\.\., seed=seed\) would be one"),
        (sf.KWinnerMHN, r"lambda seed: KWinnerMHN\(\.\.\., seed=seed\) would be one"),
        (StoresOnly, "build a memory with the methods store and retrieve, not .*, a StoresOnly without retrieve"),
        (lambda seed: None, "not None, a NoneType without store and retrieve"),
        (Slots(0), "since every run builds a new memory, not the memory <.*Slots object"),
    ],
)
def test_what_builds_no_memory_is_refused(make, message):
    with pytest.raises(TypeError, match=f"memory_settings must (.*)?{message}"):
        sf.retention(make, PATTERNS, **SMALL)


def test_an_error_while_building_says_what_it_was_called_with():
    with pytest.raises(TypeError) as raised:
        sf.retention(Sized, PATTERNS, **SMALL)
    assert raised.value.__notes__ == [
        "memory_settings was called with a seed, a numpy.random.SeedSequence, to build a memory"
    ]


def test_studies_and_other_processes_check_too():
    with pytest.raises(ValueError, match="Signs" + EXPECTED):
        Retention(Signs, partial(sf.random_patterns, n_visible=40, k_visible=6), n_stored=30, n_tested=10)(
            np.random.SeedSequence(0)
        )
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(ValueError, match="Signs" + EXPECTED),
    ):
        sf.retention(Signs, PATTERNS, executor=pool, **SMALL)


def test_the_memory_gets_its_cues_without_a_copy():
    """Cues are drawn for it alone; only what it stores is used again."""

    class Given(Slots):
        def retrieve(self, cues):
            self.cues = cues
            return cues

    memory, cues = Given(0), PATTERNS.copy()
    assert CheckedMemory(memory).retrieve(cues) is memory.cues is cues


def test_what_a_study_is_given_is_called_memory():
    source = partial(sf.random_patterns, n_visible=40, k_visible=6)
    with pytest.raises(TypeError, match=r"^memory must build a memory with the methods store and retrieve, not None"):
        Retention(lambda seed: None, source, n_stored=30, n_tested=10)(np.random.SeedSequence(0))
    with pytest.raises(TypeError, match=r"^memory must be a mapping"):
        Retention(None, source, n_stored=30, n_tested=10)(np.random.SeedSequence(0))
