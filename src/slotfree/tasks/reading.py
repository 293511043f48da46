"""Items and queries of a task, any number of them, as users write them: by names or by numbers."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.sequences import all_below
from slotfree.tasks.base import Task, draw, n_item_tokens, token_names
from slotfree.tasks.words import listed

Whole = NDArray[np.int64]
Names = Mapping[str | int, int]


def item_size(task: Task) -> int:
    """T, the number of tokens in an item: as the task says, or as in what it draws."""
    if hasattr(task, "item_size"):
        return checks.whole("task.item_size", task.item_size, 1, checks.MANY)
    return int(draw(task, 1, np.random.default_rng(0)).items.shape[2])


def read_items(task: Task, items: Any, size: int) -> Whole:
    """Return the tokens of items, (n, T), with T = ``size`` tokens each.

    Parameters
    ----------
    items : by names, T for each item: one after the other, "bADc" or "a3c1", if each is one character, or in a list,
        ["b", "A"], ["a3", "c1"] or [("x12", "3"), ("x7", "1")]. Or by whole numbers: (T,) for one item and (n, T) for
        many; if T is 1, also () and (n,).
    """
    names = {name: token for token, name in enumerate(token_names(task)[: n_item_tokens(task)])}
    numbers = _as_numbers("items", items)
    if numbers is None:
        numbers = np.array([_number("items", word, names, task) for word in _words(items, names)], np.int64)
        fine = numbers.size % size == 0
        numbers = numbers.reshape(-1, size) if fine else numbers
    elif size == 1:
        fine = numbers.ndim < 2 or numbers.shape[1:] == (1,)
    else:
        fine = numbers.ndim in (1, 2) and (numbers.shape[-1] == size or not numbers.size)
    if not fine:
        each = "one token" if size == 1 else f"{size} tokens"
        raise ValueError(f"items must be items with {each} each, not {checks.shown(items)}")
    return _below("items", numbers.reshape(-1, size), n_item_tokens(task))


def read_queries(task: Task, queries: Any) -> Whole:
    """Return the token that asks, () for one query, or (n,) for many in a list or an array.

    By numbers of tokens; or by names, such as "d", "D" or "d?", if the task has names for tokens that only ask.
    """
    numbers = _as_numbers("queries", queries)
    if numbers is None:
        first = n_item_tokens(task) % task.n_tokens  # all tokens may ask, if none only asks
        names = {name: first + n for n, name in enumerate(token_names(task)[first:])}
        one = isinstance(queries, str)
        found = [_number("queries", _query_name(word, names), names, task) for word in ([queries] if one else queries)]
        numbers = np.array(found[0] if one else found, np.int64)
    if numbers.ndim > 1:
        raise ValueError(f"queries must be one query, or (n,) queries, not of the shape {numbers.shape}")
    return _below("queries", numbers, task.n_tokens)


def _as_numbers(argument: str, values: Any) -> NDArray[Any] | None:
    """Whole numbers as an array; None if values are words."""
    if isinstance(values, str):
        return None
    try:
        array = np.asarray(values)
    except ValueError:  # names, of which some are in pairs, or rows of different lengths
        return None
    if array.dtype.kind in "US":
        return None
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{argument} must be names of tokens or whole numbers, not {checks.shown(values)}")
    return array.astype(np.int64)


def _words(items: Any, names: Names) -> Iterator[Any]:
    """The tokens of items one after the other; what is not a name is read letter by letter."""
    if isinstance(items, str) and items not in names:
        yield from items
    elif isinstance(items, str) or not np.iterable(items):
        yield items
    else:
        for item in items:
            yield from _words(item, names)


def _query_name(word: Any, names: Names) -> Any:
    """The name of the token that asks: "d?" for "d" and "D"."""
    if not isinstance(word, str) or word in names:
        return word
    asking = f"{word.lower().removesuffix('?')}?"
    return asking if asking in names else word


def _number(argument: str, word: Any, names: Names, task: Task) -> int:
    if isinstance(word, str):
        if word not in names:
            known = listed([str(name) for name in names])
            raise ValueError(f"{argument} must be out of {known}, not {checks.shown(word)}")
        return names[word]
    return checks.whole(f"a token of {argument}", word, 0, task.n_tokens - 1)


def _below(argument: str, numbers: Whole, limit: int) -> Whole:
    """The numbers, laid out as kernels take them, if all are tokens: kernels use them as indices."""
    numbers = np.ascontiguousarray(numbers) if numbers.ndim else numbers
    if not all_below(limit, numbers.reshape(-1)):
        wrong = numbers[(numbers < 0) | (numbers >= limit)].flat[0]
        raise ValueError(f"{argument} must be whole numbers from 0 to {limit - 1}, not {wrong}")
    return numbers
