"""Items and queries of a task, any number of them, as users write them: by names or by numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.tasks.base import Task, check_queries, draw, n_item_tokens, token_names
from slotfree.tasks.token_names import apart, parts_of, query_number, tokens_of

Integers = NDArray[np.int64]
Parts = list[tuple[str, range]]


def item_size(task: Task) -> int:
    """T, the number of tokens in an item: as the task says, or as in what it draws."""
    if hasattr(task, "item_size"):
        return checks.integer("task.item_size", task.item_size, 1, checks.MANY)
    return int(draw(task, 1, np.random.default_rng(0)).items.shape[2])


def read_items(task: Task, items: Any, size: int) -> Integers:
    """Return the tokens of items, (n, T), with T = ``size`` tokens each.

    Parameters
    ----------
    items : by names, T for each item: one after the other, "bADc" or "a3c1", if each is one character, or in a list of
        items, ["b", "A"], ["a3", "c1"] or [("x12", "3"), ("x7", "1")]; ("x12", "3") is one item. Or by integers:
        (T,) for one item and (n, T) for many; if T is 1, also () and (n,).
    """
    parts = _parts(task, size)
    numbers = _as_numbers("items", items)
    if numbers is None:
        return _by_name(task, items.tolist() if isinstance(items, np.ndarray) else items, parts)
    if size == 1:
        fine = numbers.ndim < 2 or numbers.shape[1:] == (1,)
    else:
        fine = numbers.ndim in (1, 2) and (numbers.shape[-1] == size or not numbers.size)
    if not fine:
        raise _wrong_items(task, items, parts)
    numbers = numbers.reshape(-1, size)
    for part, (argument, tokens) in enumerate(parts):
        _within(argument, numbers[:, part], tokens)
    return np.ascontiguousarray(numbers)


def read_queries(task: Task, queries: Any) -> Integers:
    """Return the token that asks, () for one query, or (n,) for many in a list or an array.

    By numbers of tokens; or by names, such as "d", "D" or "d?", if the task has names for tokens that only ask.
    """
    numbers = _as_numbers("queries", queries)
    if numbers is None:
        queries = queries.tolist() if isinstance(queries, np.ndarray) else queries
        one = isinstance(queries, str)
        found = _queries_by_name(task, [queries] if one else queries)
        numbers = np.array(found[0] if one else found, np.int64)
    if numbers.ndim > 1:
        raise ValueError(f"queries must be one query, or (n,) queries, not of the shape {numbers.shape}")
    _within("queries", numbers.reshape(-1), range(task.n_tokens))
    check_queries(task, numbers, "queries")
    return np.ascontiguousarray(numbers) if numbers.ndim else numbers


def _parts(task: Task, size: int) -> Parts:
    """What each of the T tokens of an item is called in messages, and the tokens that can be there."""
    every = range(n_item_tokens(task))
    given = dict(getattr(task, "item_parts", {}))
    if not given:
        return [("items", every)] * size
    fine = all(isinstance(tokens, range) and tokens.step == 1 and tokens for tokens in given.values())
    if len(given) != size or not fine or any(t.start < 0 or t.stop > every.stop for t in given.values()):
        raise ValueError(f"task.item_parts must hold {size} ranges within {every}, not {checks.shown(given)}")
    return [(f"the {name} of items", tokens) for name, tokens in given.items()]


def _by_name(task: Task, items: Any, parts: Parts) -> Integers:
    """Items of which some are given by names: in each list, an element is an item."""
    names, size = token_names(task), len(parts)
    known = [names[tokens.start : tokens.stop] for _, tokens in parts]
    shown = [items] if _is_item(items, known) else apart(items, size)
    split = [parts_of(item, size) for item in shown]
    if not all(split):
        raise _wrong_items(task, items, parts)
    columns = zip(*split, strict=True) if split else [()] * size
    found = [
        tokens_of(argument, column, some, tokens.start)
        for (argument, tokens), column, some in zip(parts, columns, known, strict=True)
    ]
    return np.ascontiguousarray(np.array(found, np.int64).T)


def _is_item(items: Any, known: list[Any]) -> bool:
    """Whether this is one item and not a list of them: a name, or T tokens in a list, each a name or a number."""
    if isinstance(items, str):
        return len(known) == 1 and items in known[0]
    if len(known) == 1 or len(items) != len(known):
        return False
    each = zip(items, known, strict=True)
    return all(word in some if isinstance(word, str) else np.ndim(word) == 0 for word, some in each)


def _wrong_items(task: Task, items: Any, parts: Parts) -> ValueError:
    names, size = token_names(task), len(parts)
    each = "one token" if size == 1 else f"{size} tokens"
    example = names[parts[0][1][0]] if size == 1 else tuple(names[tokens[-1]] for _, tokens in parts)
    return ValueError(f"items must be items with {each} each, such as {example!r}, not {checks.shown(items)}")


def _queries_by_name(task: Task, queries: Any) -> list[int]:
    first = n_item_tokens(task) % task.n_tokens  # all tokens may ask, if none only asks
    names = token_names(task)[first:]
    return [
        first + query_number("queries", word, names)
        if isinstance(word, str)
        else checks.integer("a token of queries", word, 0, task.n_tokens - 1)
        for word in queries
    ]


def _as_numbers(argument: str, values: Any) -> NDArray[Any] | None:
    """Integers numbers as an array; None if values are words."""
    if isinstance(values, str):
        return None
    try:
        array = checks.unmasked(argument, values)
    except ValueError:  # names, of which some are in pairs, or rows of different lengths
        return None
    if array.dtype.kind == "U":
        return None
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{argument} must be names of tokens or integers, not {checks.shown(values)}")
    return checks.int64(argument, array)


def _within(argument: str, numbers: Integers, tokens: range) -> None:
    """Raise an error if some are not out of a range of tokens: kernels use them as indices."""
    if numbers.size and not tokens.start <= numbers.min() <= numbers.max() < tokens.stop:
        wrong = numbers[(numbers < tokens.start) | (numbers >= tokens.stop)][0]
        raise ValueError(f"{argument} must be integers from {tokens.start} to {tokens.stop - 1}, not {wrong}")
