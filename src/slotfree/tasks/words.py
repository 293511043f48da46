"""Tokens as users write them: by names or by numbers."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks

MOST_NAMED = 16  # names in an error message


@lru_cache(maxsize=16)
def letters(n: int) -> tuple[str, ...]:
    """Names of n letters, a to z; if there are more, x1, x2 and so on."""
    return tuple(ascii_lowercase[:n]) if n <= len(ascii_lowercase) else tuple(f"x{i + 1}" for i in range(n))


@lru_cache(maxsize=16)
def queries(n: int) -> tuple[str, ...]:
    """Names of the tokens that ask for n letters: a?, b?, and so on."""
    return tuple(f"{letter}?" for letter in letters(n))


def tokens_of(argument: str, words: Iterable[Any], names: Sequence[str], first: int = 0) -> list[int]:
    """Return the numbers of tokens out of those with some names, the first of which has the number ``first``."""
    return [_token(argument, word, names, first) for word in words]


def query_tokens(query: Any, names: Sequence[str], first: int) -> NDArray[np.int64]:
    """Return the number of a token that asks, (), by number or by a name such as "d", "D" or "d?"; or of several, (A,).

    Names of several are those in a list: "da" is no name.
    """
    one = np.ndim(query) == 0
    return np.array(_query(query, names, first) if one else [_query(each, names, first) for each in query], np.int64)


def _token(argument: str, word: Any, names: Sequence[str], first: int) -> int:
    if type(word) is int and first <= word < first + len(names):
        return word
    if not isinstance(word, str):
        return checks.whole(f"a token of {argument}", word, first, first + len(names) - 1)
    if word not in names:
        raise ValueError(f"{argument} must hold tokens out of {listed(names)}, not {checks.shown(word)}")
    return first + names.index(word)


def _query(query: Any, names: Sequence[str], first: int) -> int:
    if not isinstance(query, str):
        return checks.whole("query", query, first, first + len(names) - 1)
    name = f"{query.lower().removesuffix('?')}?"
    if name not in names:
        raise ValueError(f"query must be one of {listed(names)}, not {checks.shown(query)}")
    return first + names.index(name)


def listed(names: Sequence[str]) -> str:
    """Return names one after the other; if there are many, the first ones and the last."""
    return ", ".join(names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 2], "…", names[-1]])
