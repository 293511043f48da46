"""Work on a directory of results: who does it, where it goes, and how far it has come."""

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from slotfree.display.counts import counted_words
from slotfree.display.duration import duration
from slotfree.display.progress import Bar
from slotfree.runs.cluster import cluster, silence
from slotfree.runs.directory import ResultsDirectory, opened
from slotfree.runs.machine import describe_origin


class Display:
    """Shows how far the work has come, and about how long the rest takes.

    Parameters
    ----------
    jobs : the cores that work; None if they are elsewhere, and so is not known how long it takes.
    is_shown : whether there is anything to see.
    """

    def __init__(self, jobs: int | None, *, is_shown: bool = True) -> None:
        self.jobs = jobs
        self.steps = self.done = 0
        self.seconds_left: float | None = None
        self.what = ""
        self.begun = time.monotonic()
        self.bar = Bar() if is_shown else None

    def __enter__(self) -> Self:
        if self.bar is not None:
            self.bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is None:
            return
        self.bar.__exit__(*error)
        if error[0] is None:
            self.bar.finish(f"done in {duration(time.monotonic() - self.begun)}")

    def begin(self, steps: int) -> None:
        """Take note of how many steps there are."""
        self.steps = steps
        where = "a cluster" if self.jobs is None else counted_words(self.jobs, "cores")
        what = "1 run or figure" if steps == 1 else f"{steps:,} runs and figures"
        self.tell(f"{what} to be done, on {where}")
        self._show()

    def now(self, what: str) -> None:
        """Take note of what is begun."""
        self.what = what
        self._show()

    def step(self, seconds_left: float | None) -> None:
        """Take note that one step is done, and of the seconds of work on one core that are left, if known."""
        self.done += 1
        self.seconds_left = seconds_left
        self._show()

    def tell(self, line: str) -> None:
        """Show a line that stays."""
        if self.bar is not None:
            self.bar.tell(line)

    def _show(self) -> None:
        if self.bar is None:
            return
        left = ""
        if self.seconds_left is not None and self.jobs is not None:
            left = f"about {duration(self.seconds_left / self.jobs)} left, "
        self.bar.show(self.done, self.steps, f"{left}{self.what}")


@contextmanager
def at_work(
    out: Path,
    settings: Mapping[str, Any],
    jobs: int,
    scheduler: str | None,
    modules: Sequence[ModuleType] = (),
    *,
    progress: bool = True,
) -> Iterator[tuple[ResultsDirectory, Executor | None, Display]]:
    """Reach the workers (None: threads of this process), open a directory of results, and show progress.

    Without a scheduler that answers, nothing is written.

    Parameters
    ----------
    modules : files of the user's that workers elsewhere do not have: their code is sent with the work.
    progress : whether to show anything.
    """
    if scheduler is not None:
        silence()
    with (
        Display(jobs if scheduler is None else None, is_shown=progress) as display,
        nullcontext() if scheduler is None else cluster(scheduler, modules=modules, tell=display.tell) as executor,
        opened(out, settings, describe_origin()) as directory,
    ):
        yield directory, executor, display
