"""stdout and stderr that can be written to whatever they are connected to: any terminal, a closed pipe, a full disk."""

import codecs
import contextlib
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, TextIO, cast

# What a terminal without these characters shows; accents are dropped, Greek letters spelt, and others are question
# marks.
PLAIN = {
    "–": "-", "−": "-", "…": "...", "·": "*", "×": "x", "∞": "inf", "√": "sqrt ", "½": "1/2", "±": "+-", "≤": "<=",
    "≥": ">=", "≠": "!=", "→": "->", "←": "<-", "“": '"', "”": '"', "‘": "'", "’": "'", "′": "'",
}  # fmt: skip
GREEK = ("GREEK SMALL LETTER ", "GREEK CAPITAL LETTER ")


class Printed:
    """A text stream. Characters that it cannot show are written in plain letters.

    A reader that has left has seen enough: what is printed after that goes nowhere, and the work goes on.

    Parameters
    ----------
    must_arrive : whether another error, such as a full disk, is raised, as for results; or what cannot be written is
        dropped, as for progress.
    """

    def __init__(self, stream: TextIO, *, must_arrive: bool) -> None:
        self._stream = stream
        self._must_arrive = must_arrive

    @property
    def encoding(self) -> str:
        """How characters become bytes."""
        return self._stream.encoding or "utf-8"

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """The number of the file."""
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Write a string, or what can be shown of it."""
        self._try(lambda: self._stream.write(shown_in(self.encoding, text)))
        return len(text)

    def flush(self) -> None:
        """Write what waits to be written."""
        self._try(self._stream.flush)

    def _try(self, write: Callable[[], Any]) -> None:
        try:
            write()
        except OSError as error:
            # What waits would be tried, and complained about, again when the process ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            if self._must_arrive and not isinstance(error, BrokenPipeError):
                raise OSError(f"stdout cannot be written to: {error.strerror}") from None


def shown_in(encoding: str, text: str) -> str:
    """Return a string, with plain letters for the characters that an encoding does not have."""
    return text.encode(encoding, "slotfree.plain").decode(encoding)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace characters: a handler of errors, as ``codecs`` calls it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(c) or _spelt(c) or "?" for c in error.object[error.start : error.end]), error.end


def _spelt(letter: str) -> str:
    name = unicodedata.name(letter, "")
    for greek in GREEK:
        if name.startswith(greek):
            return name.removeprefix(greek).split()[0].lower()
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()


codecs.register_error("slotfree.plain", _plain)


@contextlib.contextmanager
def printed() -> Iterator[None]:
    """Print through such streams: results must arrive on stdout; what cannot be shown on stderr stops nothing."""
    before = sys.stdout, sys.stderr
    stdout = sys.stdout or _in_place_of(1, os.O_RDONLY)  # which cannot be written to
    stderr = sys.stderr or _in_place_of(2, os.O_WRONLY)
    sys.stdout = cast(TextIO, Printed(stdout, must_arrive=True))
    sys.stderr = cast(TextIO, Printed(stderr, must_arrive=False))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _in_place_of(closed: int, flags: int) -> TextIO:
    """Open nothing in place of a closed stream, so that no other file gets its number."""
    null = os.open(os.devnull, flags)
    if null != closed:
        os.dup2(null, closed)
        os.close(null)
    return open(closed, "w", encoding="utf-8", closefd=False)
