"""Claims that are meant by ids, or by patterns of them such as ``fig4.newest-*``."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase


def matching(names: Iterable[str], claims: Sequence[str]) -> dict[str, list[str]]:
    """Return which of the claims each id or pattern means."""
    return {name: [claim for claim in claims if fnmatchcase(claim, name)] for name in names}
