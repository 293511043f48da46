"""One thing or several to be drawn, with a label for each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from slotfree import checks

T = TypeVar("T")


def by_label(
    name: str,
    things: T | Mapping[str, T] | Sequence[T],
    kind: type[T],
    labels: str | Sequence[str] | None = None,
    unnamed: str = "",
) -> dict[str, T]:
    """Return things by their labels.

    Parameters
    ----------
    name : of the argument, for errors.
    things : one, or several by label, or several in a list.
    kind : their class.
    labels : instead of those of the mapping; needed by a list of several.
    unnamed : the label of a single one without.
    """
    if isinstance(things, kind):
        found: list[Any] = [things]
        given: list[str] = [unnamed]
    elif isinstance(things, Mapping):
        found, given = list(things.values()), [str(label) for label in things]
    else:
        found = list(things) if isinstance(things, Sequence) and not isinstance(things, str | bytes) else []
        given = [unnamed] if len(found) == 1 else []
    if not found or not all(isinstance(each, kind) for each in found):
        raise TypeError(f"{name} must be a {kind.__name__}, or several by label, not {checks.shown(things)}")
    if labels is not None:
        if not isinstance(labels, Iterable):
            raise TypeError(f"labels must be a string, or several in a list, not {checks.shown(labels)}")
        given = [labels] if isinstance(labels, str) else [str(label) for label in labels]
    if len(given) != len(found) or len(set(given)) < len(given):
        right = "one string" if len(found) == 1 else f"{len(found)} different strings, one for each"
        raise ValueError(f"labels must be {right}, not {checks.shown(labels)}")
    return dict(zip(given, found, strict=True))
