"""Statements: what the paper says, in its own words, and the claims that judge it."""

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Statement:
    """One thing that the paper says.

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
        return any(fnmatchcase(claim, pattern) for pattern in self.claims)
