"""The page docs/paper/coverage.md: each statement of the paper, the claims that judge it, what came of them in a run.

``python -m slotfree.paper.coverage results > docs/paper/coverage.md`` writes it from a finished run.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from slotfree.paper.recorded import RECORDED
from slotfree.paper.statements import PARTS
from slotfree.runs.manifest import read_manifest
from slotfree.study.matching import matching
from slotfree.study.numbers import interval, value
from slotfree.study.record import SEED, Recorded, by_reason
from slotfree.study.scale import Scale
from slotfree.study.statement import Statement
from slotfree.study.tally import VERDICTS, counted, tally_of, worst

Row = Mapping[str, Any]  # a claim as in claims.json

HEAD = """# What the paper says, and what was found

Every statement of the paper in its own words, the claims that judge it, and what came of them at the paper's scale with
seed 0: what was measured, with its 99 % interval, and why a claim is not confirmed. How a verdict comes about:
[claims.md](claims.md). `make paper coverage` writes this page.

A statement is contradicted if one of its claims is, and otherwise inconclusive if one of them is. What is not judged
cannot be false (a definition, a choice), is not about these models, or is left to the future.
"""
NOT_JUDGED = "not judged"
MOST_LISTED = 4  # confirmed claims of a statement that are listed with their numbers; more are counted


def page(
    rows: Sequence[Row],
    parts: Mapping[str, Sequence[Statement]] = PARTS,
    recorded: Mapping[str, Recorded] = RECORDED,
) -> str:
    """The whole page, from the claims of a run."""
    every = [statement for statements in parts.values() for statement in statements]
    return "".join((HEAD, _counts(every, rows), *_tables(parts, rows, recorded)))


def _counts(statements: Sequence[Statement], rows: Sequence[Row]) -> str:
    """How many statements, and claims that judge them, came out in which way: as in the head of the report."""
    tally = tally_of(statements, rows)
    columns = (*VERDICTS, NOT_JUDGED)
    told = (*tally.counts.values(), len(statements) - tally.total)
    behind = tally.behind.values()
    return (
        f"\n| | all | {' | '.join(columns)} |\n|---|{'---:|' * (len(columns) + 1)}\n"
        f"| statements | {len(statements)} | {' | '.join(map(str, told))} |\n"
        f"| claims that judge them | {sum(behind)} | {' | '.join(map(str, behind))} | – |\n"
    )


def _tables(
    parts: Mapping[str, Sequence[Statement]], rows: Sequence[Row], recorded: Mapping[str, Recorded]
) -> Iterator[str]:
    for title, statements in parts.items():
        yield f"\n## {title}\n\n| where | the paper | verdict | what was found |\n|---|---|---|---|\n"
        for statement in statements:
            yield line(statement, rows, recorded)


def line(statement: Statement, rows: Sequence[Row], recorded: Mapping[str, Recorded]) -> str:
    """A statement as a line of the table."""
    judging = _judging(statement, rows)
    found = "<br>".join(_found(statement, judging, rows, recorded)) if judging else in_cell(statement.reason)
    return f"| {in_cell(statement.where)} | {in_cell(statement.text)} | {_verdict(judging)} | {found} |\n"


def in_cell(text: str) -> str:
    """Words as they are written into a cell of a table."""
    return re.sub(r"([*~\\])", r"\\\1", text).replace("|", "∣").replace("<", "&lt;")


def _judging(statement: Statement, rows: Sequence[Row]) -> list[Row]:
    """The claims of a run that judge a statement: the paper's; a pattern may mean some of ours as well."""
    for name in statement.missing(rows):
        raise SystemExit(f"the run has no claim {name} of the paper, which judges {statement.text!r}")
    for row in rows:
        if row["source"] != "paper" and row["verdict"] != "confirmed" and statement.judged_by(row["id"]):
            raise SystemExit(
                f"a claim of our own, {row['id']}, would judge {statement.text!r}: name the paper's claims"
            )
    return statement.judging(rows)


def _verdict(judging: Sequence[Row]) -> str:
    """The verdict on a statement as it is shown; "in part" if some of its claims are confirmed."""
    verdict = worst(judging) or NOT_JUDGED
    if verdict in (NOT_JUDGED, "confirmed"):
        return verdict
    return f"**{verdict}**{' in part' if counted(judging)['confirmed'] else ''}"


def _found(
    statement: Statement, judging: Sequence[Row], rows: Sequence[Row], recorded: Mapping[str, Recorded]
) -> Iterator[str]:
    """What came of the claims of a statement: numbers, and reasons of what is not confirmed."""
    confirmed = [row for row in judging if row["verdict"] == "confirmed"]
    if len(confirmed) <= MOST_LISTED:
        yield from map(_measured, confirmed)
    else:
        names = matching(statement.claims, [row["id"] for row in confirmed])
        yield f"{len(confirmed)} confirmed: {', '.join(f'`{name}`' for name, found in names.items() if found)}"
    unconfirmed = [row for row in judging if row["verdict"] != "confirmed"]
    findings = {claim: found.finding for claim, found in recorded.items()}
    for reason, alike in by_reason(unconfirmed, findings, {row["id"]: row for row in rows}):
        told = f"{'; '.join(map(_measured, alike))}: **{alike[0]['verdict']}**"
        yield f"{told}. {in_cell(reason)}" if reason else told


def _measured(row: Row) -> str:
    """What was measured for a claim."""
    low, high = row["interval"]
    ends = "" if low == high and low is not None else f" ({interval(row['interval'])})"
    return f"`{row['id']}` {value(row['measured'])}{ends}"


def claims_of(results: Path) -> list[Row]:
    """The claims of a finished run at the paper's scale with the recorded seed."""
    manifest = read_manifest(results)
    if manifest is None:
        raise SystemExit(f"{results} holds no results; run: slotfree reproduce paper")
    settings = manifest["settings"]
    if settings["seed"] != SEED or not Scale(**settings["scale"]).is_full:
        raise SystemExit(f"the page is of the paper's scale with seed {SEED}; {results} holds results of another run")
    found: list[Row] = json.loads((results / "claims.json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m slotfree.paper.coverage RESULTS > docs/paper/coverage.md")
    sys.stdout.write(page(claims_of(Path(sys.argv[1]))))
