"""Progress on stderr: a bar with what is running and the time left, or plain lines where there is no terminal."""

import time
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from slotfree.cli.console import console

LINE_EVERY = 5.0  # seconds, without a terminal


class Display:
    """Shows how far the work has come, and about how long the rest takes.

    Parameters
    ----------
    jobs : the cores that work; None if they are elsewhere, and so is not known how long it takes.
    """

    def __init__(self, jobs: int | None) -> None:
        self.console = console(stderr=True)
        self.jobs = jobs
        self.steps = self.done = 0
        self.seconds_left: float | None = None
        self.what = ""
        self.begun = self.last_line = time.monotonic()
        self.bar = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self.task = self.bar.add_task("", total=1.0)

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.stop()
        if kind is None:
            self.console.print(f"done in {_duration(time.monotonic() - self.begun)}")

    def begin(self, steps: int) -> None:
        """Take note of how many steps there are."""
        self.steps = steps
        self.bar.update(self.task, total=steps)
        where = "a cluster" if self.jobs is None else "1 core" if self.jobs == 1 else f"{self.jobs} cores"
        self.console.print(f"{steps:,} runs and figures to be done, on {where}")

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
        self.console.print(line, soft_wrap=True)

    def _show(self) -> None:
        left = ""
        if self.seconds_left is not None and self.jobs is not None:
            left = f"about {_duration(self.seconds_left / self.jobs)} left, "
        if self.console.is_terminal:
            self.bar.update(self.task, completed=self.done, description=f"{left}{self.what}")
        elif time.monotonic() - self.last_line > LINE_EVERY:
            self.last_line = time.monotonic()
            self.console.print(f"{self.done:,} of {self.steps:,}, {left}{self.what}")


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"
