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


def tokens_of(argument: str, words: Iterable[Any], names: Sequence[str | int], first: int = 0) -> list[int]:
    """Return the numbers of tokens out of those with some names, the first of which has the number ``first``."""
    return [_token(argument, word, names, first) for word in words]


def query_tokens(query: Any, names: Sequence[str], first: int) -> NDArray[np.int64]:
    """Return the number of a token that asks, (), by number or by a name such as "d", "D" or "d?"; or of several, (A,).

    Names of several are those in a list: "da" is no name.
    """
    one = np.ndim(query) == 0
    return np.array(_query(query, names, first) if one else [_query(each, names, first) for each in query], np.int64)


def query_number(argument: str, word: str, names: Sequence[str | int]) -> int:
    """Return which of some names a word means: one of them, or "d?" for "d" and "D"."""
    for name in (word, f"{word.lower().removesuffix('?')}?"):
        if name in names:
            return names.index(name)
    each = [f"{letter.lower()}?" for letter in word]
    several = f"; several are a list, {list(word)}" if len(word) > 1 and all(name in names for name in each) else ""
    raise ValueError(f"{argument} must be one of {listed(names)}, not {checks.shown(word)}{several}")


def apart(items: Any, size: int) -> list[Any]:
    """Return items one by one: in a word, so many characters are one."""
    if isinstance(items, str):
        return [items[n : n + size] for n in range(0, len(items), size)]
    return list(items) if isinstance(items, Iterable) else []


def parts_of(item: Any, size: int) -> tuple[Any, ...]:
    """Return the tokens of an item as they are written, each a name or a number; if they are not so many, none.

    An item of several is a list of them, or a word with a character for each. One of a single token is that token.
    """
    if size == 1 and (isinstance(item, str) or not isinstance(item, Iterable)):
        return (item,)
    found = tuple(item) if isinstance(item, Iterable) and not isinstance(item, bytes) else ()
    return found if len(found) == size else ()


def _token(argument: str, word: Any, names: Sequence[str | int], first: int) -> int:
    if type(word) is int and first <= word < first + len(names):
        return word
    if not isinstance(word, str):
        return checks.integer(f"a token of {argument}", word, first, first + len(names) - 1)
    if word not in names:
        raise ValueError(f"{argument} must hold tokens out of {listed(names)}, not {checks.shown(word)}")
    return first + names.index(word)


def _query(query: Any, names: Sequence[str], first: int) -> int:
    if not isinstance(query, str):
        return checks.integer("query", query, first, first + len(names) - 1)
    return first + query_number("query", query, names)


def listed(names: Sequence[str | int]) -> str:
    """Return names one after the other; if there are many, the first ones and the last."""
    few = names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 2], "…", names[-1]]
    return ", ".join(str(name) for name in few)
