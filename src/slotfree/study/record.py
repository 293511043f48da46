"""Recorded verdicts: what came out before, so that a run can be compared with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from slotfree.study.quote import check_quotes, quote
from slotfree.study.tally import Verdict

SEED = 0  # the root seed for which verdicts are recorded


@dataclass(frozen=True)
class Recorded:
    """A verdict other than "confirmed", and what explains it.

    Attributes
    ----------
    verdict : "contradicted" or "inconclusive".
    finding : the explanation, in words; ``{measured}``, ``{low}`` and ``{high}`` in it are the run's numbers.
    """

    verdict: Verdict
    finding: str

    def __post_init__(self) -> None:
        check_quotes(self.finding, about_claims=True)


def contradicted(finding: str) -> Recorded:
    """A claim that came out as contradicted."""
    return Recorded("contradicted", finding)


def inconclusive(finding: str) -> Recorded:
    """A claim that the data do not decide."""
    return Recorded("inconclusive", finding)


def recorded_verdict(claim: str, record: Mapping[str, Recorded] | None) -> Verdict | None:
    """The recorded verdict of a claim: confirmed unless the record says otherwise; None without a record."""
    if record is None:
        return None
    return record[claim].verdict if claim in record else "confirmed"


def by_reason(
    unconfirmed: Iterable[Mapping[str, Any]], findings: Mapping[str, str], rows: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Put claims with the same verdict and the same finding together; return findings with numbers, and their claims.

    Parameters
    ----------
    findings : why claims are not confirmed, by id; a claim without one stands alone.
    rows : all claims of the run, as rows of claims.json, by id.
    """
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in unconfirmed:
        found.setdefault((row["verdict"], findings.get(row["id"]) or row["id"]), []).append(row)
    return [(quote(findings.get(alike[0]["id"], ""), rows, alike), alike) for alike in found.values()]


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
