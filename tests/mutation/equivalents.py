"""Mutants that no test can tell from the original: they are not counted.

Each is known by its module, the text of its line, and the change, and has a reason.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from mutation.trial import Mutant

LIST = Path(__file__).with_name("equivalents.toml")


@dataclass(frozen=True)
class Equivalent:
    """One of the list: the module, a line before and after the change, without spaces around, and the reason."""

    module: str
    old: str
    new: str
    reason: str

    def is_it(self, mutant: Mutant) -> bool:
        """Return whether a mutant is this one."""
        if mutant.module.name != self.module:  # lines take time
            return False
        old, new = ("\n".join(lines).strip() for lines in mutant.lines)
        return (old, new) == (self.old, self.new)


def known_equivalents() -> list[Equivalent]:
    """Return the list."""
    return [Equivalent(**entry) for entry in tomllib.loads(LIST.read_text()).get("equivalent", [])]


def counted(mutants: list[Mutant]) -> list[Mutant]:
    """Return the mutants that are not on the list."""
    known = known_equivalents()
    return [mutant for mutant in mutants if not any(one.is_it(mutant) for one in known)]
