"""Failures in the code of a study: what failed, and in which line."""

import traceback
from dataclasses import dataclass
from pathlib import Path

from slotfree.runs.package_hash import PACKAGE
from slotfree.study.describe import INSTALLED


@dataclass(frozen=True)
class Unmade:
    """Something that could not be made because the code of its study raised an error.

    Attributes
    ----------
    what : an item or an experiment, such as "item fig4".
    """

    what: str
    error: BaseException

    def __str__(self) -> str:
        return f"{self.what}: {one_line(self.error)}"


def one_line(error: BaseException) -> str:
    """An error in a line: the place in the code of a study, the kind, and what it says."""
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{Path(error.filename).name}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if _is_of_others(frame.filename)] or frames
    return f"{Path(theirs[-1].filename).name}, line {theirs[-1].lineno}: {said}" if theirs else said


def comes_from(error: BaseException, file: Path) -> bool:
    """Whether an error came up in a file, or in what the file called."""
    return any(frame.filename == str(file.resolve()) for frame in traceback.extract_tb(error.__traceback__))


def _is_of_others(file: str) -> bool:
    """Whether a file is neither ours nor installed."""
    return not file.startswith("<") and not any(place in Path(file).parents for place in (PACKAGE, *INSTALLED))
