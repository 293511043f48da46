"""Units of work through a store: what is finished is loaded, the rest is run and kept as it finishes."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from slotfree.files.safetensors import Arrays
from slotfree.runs.executor import run_units
from slotfree.runs.store import Finished, Store, Unit

K = TypeVar("K")


@dataclass(frozen=True)
class Failure:
    """A unit that raised an error, and the error."""

    unit: Unit
    error: BaseException


def work(
    units: Iterable[tuple[K, Unit, Callable[[], Arrays]]],
    store: Store,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> Iterator[tuple[K, Finished | Failure]]:
    """Yield (key, outcome) of each unit: loaded, or run now and saved.

    A unit that fails does not stop the others.
    """
    loaded: deque[tuple[K, Finished]] = deque()

    def missing() -> Iterator[tuple[tuple[K, Unit], Callable[[], Finished]]]:
        for key, unit, run in units:
            finished = store.load(unit)
            if finished is None:
                yield (key, unit), partial(timed, run)
            else:
                loaded.append((key, finished))

    for (key, unit), result in run_units(missing(), jobs, executor, keep_going=True):
        while loaded:
            yield loaded.popleft()
        if isinstance(result, Finished):
            store.save(unit, result)
            yield key, result
        else:
            yield key, Failure(unit, result)
    yield from loaded


def timed(run: Callable[[], Arrays]) -> Finished:
    """Run a unit and measure how long it takes."""
    begin = time.perf_counter()
    arrays = run()
    return Finished(arrays, round(time.perf_counter() - begin, 4))
