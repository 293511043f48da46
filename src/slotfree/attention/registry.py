"""Choices that have a name: given by it, or as an object."""

from collections.abc import Mapping
from typing import TypeVar

from slotfree import checks

T = TypeVar("T")


def lookup(argument: str, value: object, known: Mapping[str, T], kind: type[T], example: str = "") -> T:
    """Return an object of a kind, or the one that is known by this name; an example of one is for the message."""
    if isinstance(value, kind) and not isinstance(value, type):
        return value
    if isinstance(value, str) and value in known:
        return known[value]
    names = ", ".join(repr(name) for name in known)
    such = f", such as {example}" if example else ""
    why = ", a class and not an object of it" if isinstance(value, type) else ""
    raise ValueError(f"{argument} must be one of {names}, or a {kind.__name__}{such}, not {checks.shown(value)}{why}")


def name_if_known(value: T, known: Mapping[str, T]) -> str | T:
    """Return an object by the name it is known by, or as it is.

    So what is saved and hashed is the name, and both ways to choose mean the same.
    """
    return next((name for name, other in known.items() if other == value), value)
