"""Progress on stderr: a bar with what is running and the time left, or plain lines where there is no terminal."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

LINE_EVERY = 5.0  # seconds, without a terminal


class Display:
    """Tells how far the work has come; the time left follows from the work done so far."""

    def __init__(self, jobs: int) -> None:
        self.console = Console(stderr=True)
        self.jobs = jobs
        self.total = self.done = 0.0
        self.what = ""
        self.begun = self.told = time.monotonic()
        self.bar = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
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
            self.console.print(f"done in {_words(time.monotonic() - self.begun)}")

    def begin(self, seconds: float) -> None:
        """Tell how much work there is, in seconds on one core."""
        self.total = seconds
        self.bar.update(self.task, total=seconds)
        self.console.print(
            f"about {_words(seconds / self.jobs)} on {self.jobs} {'core' if self.jobs == 1 else 'cores'}"
        )

    def now(self, what: str) -> None:
        """Tell what is running."""
        self.what = what
        self._show()

    def advance(self, seconds: float) -> None:
        """Tell that so much of the work is done."""
        self.done += seconds
        self._show()

    def _left(self) -> str:
        elapsed = time.monotonic() - self.begun
        if self.done < 0.02 * self.total or elapsed < 2:
            return _words(self.total / self.jobs)
        return _words(elapsed * max(self.total - self.done, 0) / self.done)

    def _show(self) -> None:
        if self.console.is_terminal:
            self.bar.update(self.task, completed=self.done, description=f"{self._left()} left, {self.what}")
        elif time.monotonic() - self.told > LINE_EVERY:
            self.told = time.monotonic()
            self.console.print(f"{self.done / self.total:4.0%}, {self._left()} left, {self.what}", highlight=False)


def _words(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"
