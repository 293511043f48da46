"""What came of running a study, what failed in its code and where, and how a notebook shows it."""

import traceback
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import xarray as xr

from slotfree.display.html import Html, badge, listing
from slotfree.files.json_text import finite
from slotfree.runs.package_hash import PACKAGE
from slotfree.runs.work import Failure
from slotfree.study import number_format as numbers
from slotfree.study.claim import GROUNDS
from slotfree.study.describe import INSTALLED
from slotfree.study.record import tallies

Row = dict[str, Any]  # a claim as it is written to claims.json


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


@dataclass
class Outcome:
    """What came of it.

    Attributes
    ----------
    claims : those of the items that were made now.
    different, moved : ids of claims whose verdict turned round, and of those that moved to or from "inconclusive".
    failures : units that failed.
    unmade : items and experiments that could not be made because the code of the study raised an error.
    skipped : names of items that were not made because one of their experiments was not.
    damaged : files that were found damaged, and done again.
    data : the labelled results, by the name of the experiment.
    """

    claims: list[Row] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unmade: list[Unmade] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    data: dict[str, xr.Dataset] = field(default_factory=dict, repr=False)

    def _repr_html_(self) -> str:
        """Return what each claim says, what was measured and the verdict, as a notebook shows them."""
        of_paper = any(row["paper"] != "" for row in self.claims)
        header = ("claim", *(("the paper says",) if of_paper else ()), "measured", "99 % interval", "verdict")
        title = " ".join(tally.sentence for tally in tallies(self.claims)) or f"{len(self.claims)} claims, not judged"
        failed = [
            *map(str, self.unmade),
            *(f"a run of {one.unit.group}: {one_line(one.error)}" for one in self.failures),
        ]
        rows = [_cells(row, of_paper) for row in self.claims]
        return listing(title, header, rows, note="; ".join(f"failed: {what}" for what in failed))


def _cells(row: Row, of_paper: bool) -> list[object]:
    verdict = row["verdict"]
    judged = badge(verdict, GROUNDS[verdict]) if verdict else "not judged"
    said = Html(f"{escape(row['claim'])}<br/><code>{escape(row['id'])}</code>")
    paper = [numbers.value(row["paper"])] if of_paper else []
    return [said, *paper, numbers.number(row["measured"]), numbers.interval(finite(row["interval"])), judged]


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
