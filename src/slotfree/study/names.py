"""Names of experiments, items and claims: they become parts of file names, of command lines and of links."""

import re

from slotfree import checks

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*")


def check_name(argument: str, name: object) -> str:
    """Return a name that can be part of a file's name."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(
            f"{argument} must be a word of letters, digits and - . _ % +, such as 'my-memory', not {checks.shown(name)}"
        )
    return name
