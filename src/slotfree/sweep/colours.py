"""Values of parameters in plots: their order, their colours, and those that are named."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import matplotlib as mpl

from slotfree.drawing.style import PALETTE
from slotfree.sweep.parameters import Value

Chosen: TypeAlias = dict[str, Value | None]  # the swept parameters of a point

MOST_NAMED = 8  # in a legend


def values_in(chosen: Sequence[Chosen], name: str) -> list[Value | None]:
    """The values of a parameter, numbers in ascending order."""
    found = list(dict.fromkeys(point[name] for point in chosen))
    numbers = [value for value in found if isinstance(value, int | float)]
    return [*sorted(numbers), *(value for value in found if value not in numbers)]


def is_number(values: Sequence[Value | None]) -> bool:
    """Whether all values are numbers."""
    return all(isinstance(value, int | float) for value in values)


def colours_of(values: Sequence[Any]) -> dict[Any, Any]:
    """A colour for each value: in order for numbers, as different as can be for a few words."""
    if len(values) <= len(PALETTE) and not is_number(values):
        return dict(zip(values, PALETTE, strict=False))
    shades = mpl.colormaps["viridis"]
    return {value: shades(0.92 * i / max(1, len(values) - 1)) for i, value in enumerate(values)}


def some_of(values: Sequence[Any]) -> list[Any]:
    """At most eight of the values, the first and the last among them."""
    if len(values) <= MOST_NAMED:
        return list(values)
    return [values[round(i * (len(values) - 1) / (MOST_NAMED - 1))] for i in range(MOST_NAMED)]
