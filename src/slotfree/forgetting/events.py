"""What happens in an experiment: patterns are stored, cues are tested, and a copy is set aside.

A schedule yields these events; ``slotfree.forgetting.experiment`` carries them out.
"""

import copy
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.forgetting.agreement import agreement
from slotfree.forgetting.checked_memory import CheckedMemory
from slotfree.forgetting.cues import Cue, checked_cues, presented
from slotfree.memory.base import SavedMemory

Signal: TypeAlias = Literal["own", "recall", "drive"]
SIGNALS: tuple[Signal, ...] = ("own", "recall", "drive")
MEASURES = ("accuracy", "overlap", "familiarity")
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Store:
    """Store patterns in their order; all of them, ``times`` times over.

    Attributes
    ----------
    patterns : one pattern (n_visible,) or many (T, n_visible).
    times : how often; 0 stores nothing.

    Examples
    --------
    >>> Store([1, 0, 1], times=3).times
    3
    """

    patterns: ArrayLike
    times: int = 1


@dataclass(frozen=True, eq=False)
class Test:
    """Test patterns with cues, under a label and factors. The memory stays as it is.

    Attributes
    ----------
    patterns : what is to be recalled, (n_visible,) or (T, n_visible): each is an item of the test.
    cues : a cue level, 1 by default; another kind of cue, such as ("noisy", 0.3); or an array of the cues themselves,
        one for each pattern. To ask for B given A, test B's units with the cue A.
    label : of the test, in results.
    factors : numbers or strings by name, such as {"delay": 10}; coordinates of the results.

    Examples
    --------
    >>> Test([1, 0, 1], cues=[1, 0, 0], label="AB", factors={"trial": 5}).label
    'AB'
    """

    __test__ = False  # it is not one of pytest's

    patterns: ArrayLike
    cues: Cue | ArrayLike = 1.0
    label: str = "test"
    factors: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class OnCopy:
    """Take a copy of the memory and go on with it; afterwards, the memory is as it was before.

    Attributes
    ----------
    events : what happens to the copy.

    Examples
    --------
    >>> OnCopy([Store([1, 0, 1]), Test([1, 0, 1])]).events[0].times
    1
    """

    events: "Iterable[Event]"


Event: TypeAlias = Store | Test | OnCopy


def copied(memory: CheckedMemory) -> CheckedMemory:
    """Return an independent copy of a memory."""
    one: Any = memory.memory
    return CheckedMemory(one.copy() if isinstance(one, SavedMemory) else copy.deepcopy(one))


def stored(memory: CheckedMemory, event: Store) -> None:
    """Store what an event says."""
    times = checks.integer("times", event.times, 0)
    patterns = checks.binary_rows("patterns", event.patterns)
    for _ in range(times):
        memory.store(patterns)


def tested(
    memory: CheckedMemory,
    event: Test,
    signal: Signal | None,
    seed: np.random.SeedSequence,
    *,
    asked_twice: bool,
) -> list[Floats]:
    """Test what an event says; return accuracy, overlap and familiarity of each item.

    Parameters
    ----------
    asked_twice : whether some cues are also asked before and after, and must retrieve the same.
    """
    patterns = checks.binary_rows("patterns", event.patterns)
    if not len(patterns) or not patterns.any(axis=1).all():
        raise ValueError(f"patterns of the test {event.label!r} must be at least one, with at least one 1 each")
    cues = _cues_of(event, patterns, seed)
    return measured(memory, patterns, cues, signal, asked_twice=asked_twice)


def measured(
    memory: CheckedMemory,
    patterns: NDArray[np.uint8],
    cues: NDArray[np.uint8],
    signal: Signal | None,
    *,
    asked_twice: bool,
) -> list[Floats]:
    """Return accuracy, overlap and familiarity of patterns asked with cues."""
    with memory.asked_twice(cues) if asked_twice else nullcontext():
        retrieved = memory.retrieve(cues.copy())
        found = agreement(retrieved, patterns, ("accuracy", "overlap"))
        return [found["accuracy"], found["overlap"], familiarity(memory, cues, retrieved, signal)]


def _cues_of(event: Test, patterns: NDArray[np.uint8], seed: np.random.SeedSequence) -> NDArray[np.uint8]:
    """Return the cues of a test: an array that is given, or what a kind of cue makes of the patterns."""
    given: Any = event.cues
    if np.ndim(given) > 0 and not (isinstance(given, tuple) and isinstance(given[0], str)):
        cues = checks.binary_rows("cues", given, patterns.shape[1])
        if cues.shape != patterns.shape:
            found = f"{len(patterns)}, not {len(cues)}"
            raise ValueError(f"cues of the test {event.label!r} must be one for each pattern, {found}")
        if not cues.any(axis=1).all():
            i = int(cues.any(axis=1).argmin())
            raise ValueError(f"cues of the test {event.label!r} must have at least one 1 each, unlike cues[{i}]")
        return cues
    (cue,) = checked_cues(given)
    return presented(patterns, cue, seed)


def familiarity(
    memory: CheckedMemory, cues: NDArray[np.uint8], retrieved: NDArray[np.uint8], signal: Signal | None = None
) -> Floats:
    """Return how familiar each cue is to a memory, (T,).

    - "own": what the memory's method ``familiarity(cues)`` returns;
    - "recall": |cue ∩ retrieved| / |cue|, how much of the cue is recalled;
    - "drive": the mean drive of the k_hidden winners, W x, of a memory with ``weights`` (n_hidden, n_visible).

    Parameters
    ----------
    signal : one of these; None for "own" if the memory has that method, and "recall" if not.
    """
    if signal is not None:
        checks.one_of("signal", signal, SIGNALS)
    one: Any = memory.memory
    has_own = callable(getattr(one, "familiarity", None))
    if signal == "own" and not has_own:
        raise TypeError(f"signal='own' requires a memory with a method familiarity(cues), which {memory.name} has not")
    if has_own and signal in (None, "own"):
        values = np.asarray(one.familiarity(cues), np.float64)
        if values.shape != (len(cues),) or not np.isfinite(values).all():
            raise ValueError(f"{memory.name}.familiarity must return a finite number for each of {len(cues)} cues")
        return values
    if signal == "drive":
        weights, k_hidden = getattr(one, "weights", None), getattr(getattr(one, "settings", None), "k_hidden", None)
        if weights is None or k_hidden is None:
            raise TypeError(f"signal='drive' requires a memory with weights and k_hidden, which {memory.name} has not")
        drive = cues.astype(np.float32) @ np.asarray(weights, np.float32).T
        largest: Floats = np.partition(drive, -k_hidden, axis=1)[:, -k_hidden:].mean(axis=1, dtype=np.float64)
        return largest
    return agreement(retrieved, cues, ("accuracy",))["accuracy"]
