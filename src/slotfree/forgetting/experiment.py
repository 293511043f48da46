"""Any experiment that can be written down: a schedule of storing and testing, in independent runs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from slotfree import checks
from slotfree.display.progress import counted
from slotfree.files.attributes import attributes
from slotfree.forgetting.checked_memory import ASKED_TWICE, CheckedMemory
from slotfree.forgetting.checked_source import fitted
from slotfree.forgetting.events import MEASURES, Event, Floats, OnCopy, Signal, Store, Test, copied, stored, tested
from slotfree.forgetting.protocol import Build, Source, built, memory_and_source
from slotfree.memory.base import Settings
from slotfree.runs.executor import run_units
from slotfree.runs.seeds import seed_for

Seed: TypeAlias = np.random.SeedSequence
Factors: TypeAlias = tuple[tuple[str, float | str], ...]
Key: TypeAlias = tuple[str, Factors, int]  # a test: its label, its factors, and how many alike came before
Drawing: TypeAlias = Callable[[Seed, Source, Any], Iterable[Event]]  # a schedule that draws patterns, for a memory
TAKEN = ("run", "test", "item", *MEASURES)
AnyMemory: TypeAlias = Mapping[str, Any] | Settings | Build


def experiment(
    memory: AnyMemory,
    schedule: Callable[[Seed], Iterable[Event]],
    *,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | Seed,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Run a schedule of storing and testing with new memories, and return what each test gave, labelled.

    A schedule is a function of a seed that yields events (``slotfree.forgetting.events``): ``Store(patterns, times)``,
    ``Test(patterns, cues, label, factors)``, and ``OnCopy(events)``, which takes a copy of the memory and goes on with
    it. In each run a new memory and a new seed go through it. Tests of all runs are matched by label and factors, and
    those with the same ones by their order.

    Parameters
    ----------
    memory : settings of a memory, or a class or function of a seed, as ``sf.retention`` takes them.
    schedule : a function of a ``numpy.random.SeedSequence``, such as a generator; it yields the same tests in each run.
    runs : how many independent runs.
    signal : what familiarity is: "own", the memory's ``familiarity(cues)``; "recall", the share of the cue that is
        recalled; "drive", the mean drive of the hidden winners. By default its own if it has one, else "recall".
    deterministic : whether the same cues must retrieve the same patterns: the first ten or so of each label
        are also asked before and after their test. False allows a memory that is random, or changes, when it retrieves.
    seed : the root seed. Run i has its own stream, so more runs leave the first ones as they are.
    jobs, executor, progress : as in ``sf.retention``.

    Returns
    -------
    Dataset with ``accuracy``, ``overlap`` and ``familiarity`` (run, test, item). The coordinate ``test`` has labels,
    and each factor is a coordinate along ``test``. Tests with fewer items than others end in NaN.

    Examples
    --------
    >>> import slotfree as sf
    >>> from slotfree.forgetting import Store, Test
    >>> def schedule(seed):
    ...     patterns = sf.random_patterns(20, seed=seed)
    ...     for time in (1, 2):
    ...         yield Store(patterns)
    ...         yield Test(patterns, cues=0.5, label="list", factors={"times": time})
    >>> data = sf.experiment(sf.KWinnerSettings(), schedule, runs=2, seed=0)
    >>> dict(data.sizes), data["times"].values.tolist()
    ({'run': 2, 'test': 2, 'item': 20}, [1, 2])
    """
    if not callable(schedule):
        raise TypeError(f"schedule must be a function of a seed that yields events, not {checks.shown(schedule)}")
    options: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    options |= {"jobs": jobs, "executor": executor, "progress": progress}
    settings = {"memory": memory, "schedule": schedule}
    return conducted(memory, np.zeros((1, 1)), lambda s, *_: schedule(s), "experiment", settings, **options)


def conducted(
    memory: AnyMemory,
    source: Source | ArrayLike | None,
    schedule: Drawing,
    made_by: str,
    settings: Mapping[str, Any],
    *,
    runs: int,
    signal: Signal | None,
    deterministic: bool,
    seed: int | Seed,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Do the same for a schedule of a seed, a source of patterns that fits the memory, and the memory.

    Parameters
    ----------
    made_by, settings : attributes of the result: the function that the user called, and with what.
    """
    runs = checks.integer("runs", runs, 1)
    root = seed if isinstance(seed, Seed) else Seed(checks.integer("seed", seed, 0))
    make, draw = memory_and_source(memory, source)
    same = checks.yes_or_no("deterministic", deterministic)
    units = ((run, partial(one_run, make, draw, schedule, signal, seed_for(root, run), same)) for run in range(runs))
    found: dict[int, dict[Key, list[Floats]]] = {}
    done = run_units(units, None if jobs is None else checks.integer("jobs", jobs, 1), executor)
    for run, result in counted(done, runs, "runs", progress=checks.yes_or_no("progress", progress)):
        found[run] = result
    data = labelled([found[run] for run in range(runs)])
    asked = {**settings, "runs": runs, "signal": signal, "deterministic": same}
    return data.assign_attrs(attributes(made_by, asked, root))


def one_run(
    make: Build, draw: Source, schedule: Drawing, signal: Signal | None, seed: Seed, deterministic: bool = True
) -> dict[Key, list[Floats]]:
    """Build a memory and take it through a schedule; return accuracy, overlap and familiarity of each test."""
    memory = built(make, seed_for(seed, "memory"))
    found: dict[Key, list[Floats]] = {}
    alike: Counter[tuple[str, Factors]] = Counter()
    n_asked: Counter[str] = Counter()  # cues in tests with a label

    def carry_out(events: Iterable[Event], memory: CheckedMemory) -> None:
        for event in _checked(events):
            if isinstance(event, Store):
                stored(memory, event)
            elif isinstance(event, OnCopy):
                carry_out(event.events, copied(memory))
            else:
                asked = _label(event)
                key = (*asked, alike[asked])
                alike[asked] += 1
                twice = deterministic and n_asked[event.label] < ASKED_TWICE
                found[key] = tested(memory, event, signal, seed_for(seed, "cue", len(found)), asked_twice=twice)
                n_asked[event.label] += len(found[key][0])

    carry_out(schedule(seed_for(seed, "schedule"), fitted(draw, memory.memory), memory.memory), memory)
    if not found:
        raise ValueError("schedule must yield at least one Test")
    return found


def labelled(results: Sequence[Mapping[Key, list[Floats]]]) -> xr.Dataset:
    """Label the tests of all runs, (run, test, item)."""
    keys = list(results[0])
    for run, result in enumerate(results):
        if set(result) != set(keys):
            label = next(iter(set(result) ^ set(keys)))[0]
            raise ValueError(f"schedule must yield the same tests in each run: run {run} differs at {label!r}")
    n_items = max(len(result[key][0]) for result in results for key in keys)
    values = np.full((len(MEASURES), len(results), len(keys), n_items), np.nan)
    for run, result in enumerate(results):
        for t, key in enumerate(keys):
            for m, items in enumerate(result[key]):
                values[m, run, t, : len(items)] = items
    variables = {name: (("run", "test", "item"), values[m]) for m, name in enumerate(MEASURES)}
    factors = {name: ("test", column) for name, column in _columns([dict(key[1]) for key in keys]).items()}
    coordinates = {"run": np.arange(len(results)), "test": [key[0] for key in keys], "item": np.arange(n_items)}
    return xr.Dataset(variables, {**coordinates, **factors})


def _columns(factors: Sequence[Mapping[str, float | str]]) -> dict[str, list[float | str]]:
    """Return the values of each factor; where a test has none, NaN among numbers and "" among strings."""
    names = dict.fromkeys(name for each in factors for name in each)
    found: dict[str, list[float | str]] = {}
    for name in names:
        words = any(isinstance(each.get(name), str) for each in factors)
        column: list[float | str] = [each.get(name, "" if words else np.nan) for each in factors]
        found[name] = [str(value) for value in column] if words else column
    return found


def _label(event: Test) -> tuple[str, Factors]:
    """Return the label and the factors of a test, checked."""
    if not isinstance(event.label, str) or not isinstance(event.factors, Mapping):
        found = checks.shown((event.label, event.factors))
        raise TypeError(f"label must be a string and factors a mapping, not {found}")
    for name, value in event.factors.items():
        if not isinstance(name, str) or name in TAKEN:
            raise ValueError(f"factors must have names other than {', '.join(TAKEN)}, not {name!r}")
        if not isinstance(value, str | int | float | np.number) or value != value:  # NaN equals nothing
            raise TypeError(f"the factor {name!r} must be a number or a string, not {checks.shown(value)}")
    return event.label, tuple(sorted((name, value) for name, value in event.factors.items()))


def _checked(events: Any) -> Iterator[Event]:
    if not isinstance(events, Iterable):
        raise TypeError(f"schedule must yield Store, Test and OnCopy, not return {checks.shown(events)}")
    for event in events:
        if not isinstance(event, Store | Test | OnCopy):
            raise TypeError(f"schedule must yield Store, Test and OnCopy, not {checks.shown(event)}")
        yield event
