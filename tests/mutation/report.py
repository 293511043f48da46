"""What became of a sample: a line for each mutant, the share killed, the survivors."""

import json
from collections.abc import Sequence
from pathlib import Path

from mutation.trial import Mutant, Outcome


def line(outcome: Outcome) -> str:
    """Return the line of one mutant."""
    mutation = outcome.mutant.mutation
    change = f"{_short(mutation.old)} → {_short(mutation.new)}"
    verdict = f"killed by {outcome.by}" if outcome.killed else f"SURVIVED ({outcome.by})"
    return f"{outcome.mutant.place}  {change}  {verdict}  ({outcome.seconds:.0f} s)"


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the survivors, as small differences, and the share killed in each room and in all."""
    rows = [difference(one.mutant) for one in outcomes if not one.killed]
    for room in sorted({one.mutant.module.room for one in outcomes}):
        inside = [one for one in outcomes if one.mutant.module.room == room]
        rows.append(f"{room:12} {_share(inside)}")
    rows.append(
        f"{'all':12} {_share(outcomes)}; {sum(one.seconds for one in outcomes) / 60:.1f} minutes of processor time"
    )
    return "\n".join(rows)


def difference(mutant: Mutant) -> str:
    """Return a change as lines with − and +."""
    old, new = mutant.lines
    return "\n".join([mutant.place, *(f"-{each}" for each in old), *(f"+{each}" for each in new), ""])


def killed_share(outcomes: Sequence[Outcome]) -> float:
    """Return the share that was killed."""
    return sum(one.killed for one in outcomes) / len(outcomes)


def write_json(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the outcomes to a file."""
    rows = [
        {
            "module": one.mutant.module.name,
            "line": one.mutant.mutation.line,
            "function": one.mutant.mutation.function,
            "old": one.mutant.lines[0],
            "new": one.mutant.lines[1],
            "killed": one.killed,
            "by": one.by,
            "seconds": round(one.seconds, 1),
        }
        for one in outcomes
    ]
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False))


def _share(outcomes: Sequence[Outcome]) -> str:
    killed = sum(one.killed for one in outcomes)
    return f"{killed} of {len(outcomes)} killed, {100 * killed / len(outcomes):.0f} %"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 40 else f"{words[:39]}…"
