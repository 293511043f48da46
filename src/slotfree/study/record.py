"""Verdicts: counted, and compared with recorded ones, which are data that a command writes.

    python -m slotfree.study.record RESULTS PACKAGE      such as: results slotfree.paper

writes ``verdicts.json`` of a package from a finished run at full scale: its claims, without what changes between runs.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from slotfree.study.sentence import Sentence

Verdict: TypeAlias = Literal["confirmed", "contradicted", "inconclusive"]
Source: TypeAlias = Literal["paper", "ours"]
Row: TypeAlias = Mapping[str, Any]  # a claim as in claims.json

VERDICTS: tuple[Verdict, ...] = ("confirmed", "contradicted", "inconclusive")
# What a claim of a source is called, and several of them.
SOURCES: dict[Source, tuple[str, str]] = {
    "paper": ("claim of the paper", "claims of the paper"),
    "ours": ("claim of our own", "claims of our own"),
}
SEED = 0  # the root seed for which verdicts are recorded
FILE = "verdicts.json"
DIGITS = 6
KEPT = ("id", "claim", "source", "paper", "measured", "interval", "limits", "verdict")


@dataclass(frozen=True)
class Tally:
    """Numbers of results or claims by verdict, and what one of them and several are called."""

    called: tuple[str, str]
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        """What they are called."""
        return self.called[self.total != 1]

    @property
    def sentence(self) -> str:
        """The numbers in a sentence."""
        each = [f"{count} {'is' if count == 1 else 'are'} {verdict}" for verdict, count in self.counts.items()]
        return f"Of {self.total} {self.words}, {', '.join(each[:-1])}, and {each[-1]}."


def tallies(rows: Iterable[Row], sentences: "Sequence[Sentence]" = ()) -> list[Tally]:
    """Count results of the paper, once for each sentence; or claims by their source, where no sentence is judged.

    Parameters
    ----------
    rows : claims as in claims.json.
    sentences : of the paper; those whose claims are all among the rows are counted.
    """
    judged = {row["id"]: row for row in rows if row["verdict"]}
    results = Tally(("result", "results"), verdicts_counted(sentence.verdict(judged) for sentence in sentences))
    if results.total:
        return [results]
    found = [
        Tally(called, verdicts_counted(row["verdict"] for row in judged.values() if row["source"] == source))
        for source, called in SOURCES.items()
    ]
    return [tally for tally in found if tally.total]


def verdicts_counted(verdicts: Iterable[str | None]) -> dict[str, int]:
    """Count each verdict."""
    every = list(verdicts)
    return {verdict: every.count(verdict) for verdict in VERDICTS}


def rows_in(package: str) -> list[dict[str, Any]]:
    """Return the recorded claims of a package, which is not imported."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"there is no package {package!r}", name=package)
    rows: list[dict[str, Any]] = json.loads(Path(found.origin).with_name(FILE).read_text(encoding="utf-8"))
    return rows


def recorded_in(package: str) -> dict[str, Verdict]:
    """Return the recorded verdicts of a package, by the id of the claim."""
    return {row["id"]: row["verdict"] for row in rows_in(package)}


def differing(rows: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Compare the verdicts of claims, as rows of claims.json, with the recorded ones.

    Returns
    -------
    The ids of claims whose verdict turned round, between "confirmed" and "contradicted", and of those that only moved
    to or from "inconclusive", which another seed, another machine or the rounding of a number can do.
    """
    different: list[str] = []
    moved: list[str] = []
    for row in rows:
        found, expected = row["verdict"], row["recorded"]
        if found is None or expected is None or found == expected:
            continue
        (moved if "inconclusive" in (found, expected) else different).append(row["id"])
    return different, moved


def write_record(results: Path, package: str) -> int:
    """Write the verdicts of a package from a finished run; return how many."""
    from slotfree.files.atomic import write_atomically  # late: the names of items need no NumPy

    names = import_module(package).STUDY.names
    rows = [row for row in json.loads((results / "claims.json").read_text()) if row["item"] in names]
    missing = sorted(set(names) - {path.stem for path in (results / "items").glob("*.json")})
    if missing or not all(row["verdict"] for row in rows):
        raise SystemExit(f"{results} must hold all items of {package} at full scale; missing: {', '.join(missing)}")
    lines = [json.dumps({name: _short(row[name]) for name in KEPT}, ensure_ascii=False) for row in rows]
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    place = Path(str(import_module(package).__file__)).with_name(FILE)
    write_atomically(place, lambda file: file.write(text.encode()))
    return len(rows)


def _short(value: Any) -> Any:
    """A value with fewer digits."""
    if isinstance(value, list):
        return [_short(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python -m slotfree.study.record RESULTS PACKAGE, such as results slotfree.paper")
    print(f"{write_record(Path(sys.argv[1]), sys.argv[2])} claims are recorded")
