"""Progress, never on stdout: a bar of rich on a terminal and in a notebook, and plain lines elsewhere."""

import math
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Self, TextIO, TypeVar

from slotfree.display.counts import counted_words
from slotfree.display.duration import duration

LINE_EVERY = 5.0  # seconds, without a terminal
NOTEBOOK_EVERY = 0.1
ALL_STEPS = 1e9  # seconds: speed is that of all steps, however long they take

T = TypeVar("T")


class Bar:
    """Shows how many steps are done, until it is left.

    Parameters
    ----------
    what : the name of a step in the plural, such as "runs".
    """

    def __init__(self, what: str = "") -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        from slotfree.display.console import console

        found = console(stderr=True)
        self.what = what
        self.in_notebook = in_notebook()
        self.on_terminal = not self.in_notebook and _is_terminal(sys.stderr) and not found.is_dumb_terminal
        self.progress = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=found,
            disable=not self.on_terminal,
            transient=True,
            redirect_stdout=_is_terminal(sys.stdout),  # what is printed stands above the bar
            speed_estimate_period=ALL_STEPS,
        )
        self._task = self.progress.add_task("", total=None)
        self._last = -math.inf if self.in_notebook else time.monotonic()
        self._text = ""
        self._place: Any = None

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Take the bar away."""
        self.progress.stop()
        if self.in_notebook and error[0] is not None:
            self._put(f"stopped: {self._text}")

    def show(self, done: int, total: int, words: str = "") -> None:
        """Show how far the work has come, and words on it; by default about how long the rest takes."""
        self.progress.update(self._task, completed=done, total=total)
        left = self.progress.tasks[0].time_remaining
        if not words and left:
            words = f"about {duration(left)} left"
        whole = counted_words(total, self.what) if self.what else f"{total:,}"
        self._text = f"{done:,} of {whole}{f', {words}' if words else ''}"
        self.progress.update(self._task, description=self._text)
        if not self.on_terminal:
            self._show_seldom()

    def tell(self, line: str) -> None:
        """Show a line that stays."""
        if self.in_notebook:
            _display(line)
        elif self.on_terminal:
            self.progress.console.print(line, soft_wrap=True)
        else:
            with suppress(OSError, ValueError, AttributeError):  # work goes on where nothing can be printed
                print(line, file=sys.stderr, flush=True)

    def finish(self, line: str) -> None:
        """Show a line that stays, in a notebook in place of the bar."""
        if self.in_notebook:
            self._put(line)
        else:
            self.tell(line)

    def _show_seldom(self) -> None:
        """Show how far the work has come, if it was last shown long enough ago."""
        now = time.monotonic()
        if now - self._last > (NOTEBOOK_EVERY if self.in_notebook else LINE_EVERY):
            self._last = now
            if self.in_notebook:
                self._put(self.progress)
            else:
                self.tell(self._text)

    def _put(self, shown: object) -> None:
        """Show something in a notebook in place of the bar."""
        if self._place is None:
            self._place = _display(shown)
        else:
            self._place.update(_rich(shown))


def counted(parts: Iterable[T], total: int, what: str, *, progress: bool) -> Iterator[T]:
    """Yield what is done as it is, and show how much of it there is, if asked for.

    Parameters
    ----------
    total : how many parts there will be.
    what : their name, such as "runs".
    progress : whether to show anything.
    """
    if not progress:
        yield from parts
        return
    begun = time.monotonic()
    with Bar(what) as bar:
        bar.show(0, total)
        for done, part in enumerate(parts, 1):
            yield part
            bar.show(done, total)
        bar.finish(f"{counted_words(total, what)} in {duration(time.monotonic() - begun)}")


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    ask = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return ask is not None and hasattr(ask(), "kernel")


def _is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream, which may be closed, is a terminal; FORCE_COLOR does not make it one."""
    with suppress(ValueError):
        return stream is not None and stream.isatty()
    return False


def _display(shown: object) -> Any:
    """Show something in a notebook, and return what replaces it."""
    from IPython.display import display  # there is one in a notebook

    return display(_rich(shown), display_id=True)  # type: ignore[no-untyped-call, unused-ignore]


def _rich(shown: object) -> object:
    """Return what rich shows in a notebook without widgets: a bar, or a line as it is."""
    from rich.text import Text

    return Text(shown) if isinstance(shown, str) else shown
