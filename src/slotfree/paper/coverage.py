"""The table of docs/coverage.md: every statement of the paper, the claims that judge it, and their verdicts.

``python -m slotfree.paper.coverage > docs/coverage.md`` writes it from the statements and the recorded verdicts.
"""

import sys
from collections.abc import Iterable

from slotfree.paper.recorded import RECORDED
from slotfree.paper.statement import Statement
from slotfree.paper.statements import PARTS

HEAD = """# What the paper says, and what was found

Every statement of the paper in its own words, the claims that judge it, and their verdicts at the paper's scale with
seed 0. How a verdict comes about: [claims.md](claims.md). The numbers behind each claim are in the report that
`make paper` writes. This page is written by `make coverage`.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, statements in PARTS.items():
        parts.append(f"\n## {title}\n\n| where | the paper | claims | verdict |\n|---|---|---|---|\n")
        parts.extend(map(_line, statements))
    return "".join(parts)


def _line(statement: Statement) -> str:
    claims = ", ".join(f"`{claim}`" for claim in statement.claims)
    cells = (statement.where, statement.text, claims or "–", _verdict(statement))
    return f"| {' | '.join(cell.replace('|', '∣') for cell in cells)} |\n"


def _verdict(statement: Statement) -> str:
    """The verdict in words: why there is none, confirmed, or what is not."""
    if statement.reason:
        return f"not judged: {statement.reason}"
    unconfirmed = statement.unconfirmed(RECORDED)
    if not unconfirmed:
        return "confirmed"
    if set(unconfirmed) == set(statement.claims):
        return "; ".join(f"**{recorded.verdict}**: {recorded.finding}" for recorded in unconfirmed.values())
    others = "; ".join(f"`{name}` **{recorded.verdict}**: {recorded.finding}" for name, recorded in unconfirmed.items())
    return f"confirmed, except {others}"


def verdicts(statements: Iterable[Statement]) -> dict[str, int]:
    """How many statements are confirmed, contradicted in a part at least, inconclusive, and not judged."""
    counts = {"confirmed": 0, "contradicted": 0, "inconclusive": 0, "not judged": 0}
    for statement in statements:
        found = {recorded.verdict for recorded in statement.unconfirmed(RECORDED).values()}
        if statement.reason:
            counts["not judged"] += 1
        else:
            counts[next((v for v in ("contradicted", "inconclusive") if v in found), "confirmed")] += 1
    return counts


if __name__ == "__main__":
    sys.stdout.write(page())
