"""Units of work on any ``concurrent.futures.Executor``; threads by default, as kernels release the GIL."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Literal, TypeVar, overload

AHEAD = 2000  # units handed out at a time to an executor without a number of jobs, such as a cluster

K = TypeVar("K")
R = TypeVar("R")


def default_jobs() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@overload
def run_units(
    units: Iterable[tuple[K, Callable[[], R]]], jobs: int | None = None, executor: Executor | None = None
) -> Iterator[tuple[K, R]]: ...


@overload
def run_units(
    units: Iterable[tuple[K, Callable[[], R]]],
    jobs: int | None = None,
    executor: Executor | None = None,
    *,
    keep_going: Literal[True],
) -> Iterator[tuple[K, R | Exception]]: ...


def run_units(
    units: Iterable[tuple[K, Callable[[], R]]],
    jobs: int | None = None,
    executor: Executor | None = None,
    *,
    keep_going: bool = False,
) -> Iterator[tuple[K, Any]]:
    """Yield (key, result) of each unit as it finishes, with two units per job handed out at a time.

    Handing out few keeps memory small and lets the caller stop early; two per job keep every core busy. An
    executor without a number of jobs gets AHEAD units at a time. If a unit raises, or the caller stops, the units not
    yet begun are dropped and the error is raised here; or, to keep going, the error is yielded in place of the result,
    unless it says that the executor is broken.
    """
    if executor is None and jobs is None:
        jobs = default_jobs()
    most = AHEAD if jobs is None else 2 * jobs
    pool = executor or ThreadPoolExecutor(jobs)
    pending: dict[Future[R], K] = {}
    waiting = iter(units)
    try:
        while True:
            for key, work in islice(waiting, most - len(pending)):
                pending[pool.submit(work)] = key
            if not pending:
                return
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                key, error = pending.pop(future), future.exception()
                if keep_going and isinstance(error, Exception) and not isinstance(error, BrokenExecutor):
                    yield key, error
                else:
                    yield key, future.result()
    finally:
        for future in pending:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
