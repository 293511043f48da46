"""Progress: a bar on a terminal, one in a notebook, and plain lines where there is neither; never on stdout."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any, Self, TypeVar

from slotfree.display.counts import counted_words
from slotfree.display.duration import duration

if TYPE_CHECKING:
    from rich.console import Console

LINE_EVERY = 5.0  # seconds, without a terminal
NOTEBOOK_EVERY = 0.1

T = TypeVar("T")


class Bar:
    """Shows how many steps are done, until it is left; this one shows nothing.

    Parameters
    ----------
    what : the name of a step in the plural, such as "runs".
    """

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Take the bar away."""

    def show(self, done: int, total: int, words: str = "") -> None:
        """Show how far the work has come, and words on it."""

    def tell(self, line: str) -> None:
        """Show a line that stays."""

    def finish(self, line: str) -> None:
        """Show a line that stays, in place of the bar if that would stay too."""
        self.tell(line)

    def text(self, done: int, total: int, words: str) -> str:
        """How far the work has come, in words."""
        whole = counted_words(total, self.what) if self.what else f"{total:,}"
        return f"{done:,} of {whole}{f', {words}' if words else ''}"


class TerminalBar(Bar):
    """A bar on a terminal, with the time that has passed."""

    def __init__(self, what: str, console: "Console") -> None:
        super().__init__(what)
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self.console = console
        self.progress = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),  # what is printed stands above the bar
        )
        self.task = self.progress.add_task("", total=1.0)

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.progress.stop()

    def show(self, done: int, total: int, words: str = "") -> None:
        """Move the bar."""
        shown = self.text(done, total, words) if self.what else words
        self.progress.update(self.task, completed=done, total=total, description=shown)

    def tell(self, line: str) -> None:
        """Print a line above the bar."""
        self.console.print(line, soft_wrap=True)


class Lines(Bar):
    """A line every five seconds, for a log or a pipe."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.last = time.monotonic()

    def show(self, done: int, total: int, words: str = "") -> None:
        """Print a line, if the last one was long ago."""
        if time.monotonic() - self.last > LINE_EVERY:
            self.last = time.monotonic()
            self.tell(self.text(done, total, words))

    def tell(self, line: str) -> None:
        """Print a line; work goes on where nothing can be printed."""
        with suppress(OSError, ValueError, AttributeError):
            print(line, file=sys.stderr, flush=True)


class NotebookBar(Bar):
    """A bar below the cell of a notebook, in plain HTML: it needs no widgets."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.handle: Any = None
        self.last = 0.0
        self.words = ""

    def __exit__(self, *error: object) -> None:
        if error[0] is not None and self.words:
            self.finish(f"stopped: {self.words}")

    def show(self, done: int, total: int, words: str = "") -> None:
        """Move the bar, if it was moved long enough ago to be seen."""
        self.words = self.text(done, total, words)
        if time.monotonic() - self.last > NOTEBOOK_EVERY:
            self.last = time.monotonic()
            bar = f'<progress value="{done}" max="{total}" style="width: 16em"></progress>'
            self._put(self.words, f"<div>{bar} {escape(self.words)}</div>")

    def tell(self, line: str) -> None:
        """Show a line of its own, below the bar."""
        _display(_output(line, f"<div>{escape(line)}</div>"))

    def finish(self, line: str) -> None:
        """Put a line in place of the bar."""
        self._put(line, f"<div>{escape(line)}</div>")

    def _put(self, text: str, html: str) -> None:
        if self.handle is None:
            self.handle = _display(_output(text, html))
        else:
            self.handle.update(_output(text, html), raw=True)


def _output(text: str, html: str) -> dict[str, str]:
    return {"text/plain": text, "text/html": html}


def _display(output: dict[str, str]) -> Any:
    """Show an output in a notebook, and return what replaces it."""
    from IPython.display import display  # there is one in a notebook

    return display(output, raw=True, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]


def bar(what: str = "") -> Bar:
    """Return a bar that suits what stderr is connected to, or the notebook in which this runs."""
    if in_notebook():
        return NotebookBar(what)
    from slotfree.display.console import console

    found = console(stderr=True)
    return TerminalBar(what, found) if found.is_terminal and not found.is_dumb_terminal else Lines(what)


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    ask = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return ask is not None and hasattr(ask(), "kernel")


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
    begun = first = time.monotonic()
    with bar(what) as shown:
        shown.show(0, total)
        for done, part in enumerate(parts, 1):
            yield part
            now = time.monotonic()
            if done == 1:
                first = now  # the first may have waited for a compiler: what is left is judged by the others
            left = (now - first) / (done - 1) * (total - done) if done > 2 else 0.0
            shown.show(done, total, f"about {duration(left)} left" if left else "")
        shown.finish(f"{counted_words(total, what)} in {duration(time.monotonic() - begun)}")
