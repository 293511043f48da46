"""Statements: what is said elsewhere, such as in a paper, in its own words, and the claims that judge it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from slotfree.study.matching import matching


@dataclass(frozen=True)
class Statement:
    """One thing that is said.

    Attributes
    ----------
    where : its section, such as "2.2.1" or "SI A.2.3", or "Figure 4, caption".
    text : in the paper's words; "…" where some are left out.
    claims : ids of the claims that judge it, or patterns of them, such as ``figS5.mean-*``.
    reason : why none does, for what cannot be false (a definition, a choice), is not about this model (the brain, the
        work of others), or is left to the future.
    """

    where: str
    text: str
    claims: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if bool(self.claims) == bool(self.reason):
            raise ValueError(f"a statement must have claims or a reason why it has none: {self.text!r}")

    def judged_by(self, claim: str) -> bool:
        """Return whether a claim is one of those that judge it."""
        return any(matching(self.claims, [claim]).values())

    def judging(self, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Return the claims, as rows of claims.json, that judge it: the paper's; a pattern may mean some of ours."""
        return [row for row in rows if row["source"] == "paper" and self.judged_by(row["id"])]

    def missing(self, rows: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return which ids or patterns mean none of the paper's claims among the rows."""
        own = [row["id"] for row in rows if row["source"] == "paper"]
        return [name for name, found in matching(self.claims, own).items() if not found]
