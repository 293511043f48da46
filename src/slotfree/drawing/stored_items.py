"""Panels of a context in fast weights: which hidden units hold each item, and how much each unit is attended to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, DARK_GREY, LIGHT_GREY, ORANGE, VERMILION

Units = NDArray[np.int64]
Values = NDArray[np.float64]

MOST_UNITS = 40  # of a layer in which all are drawn, those that stored nothing too
MOST_NUMBERS = 20  # below units
SIDE = 0.4  # half the width of a mark
LEAST_NAMED = 0.03  # attention of a unit above which its items are named
GAP = 1.5  # columns from the last unit to the middle of the bar of all others


def shown_units(winners: Units, n_units: int) -> Units:
    """Return the units that are drawn: all of a small layer, else those that stored an item."""
    return np.arange(n_units) if n_units <= MOST_UNITS else np.unique(winners)


@dataclass(frozen=True)
class Held:
    """Which units stored each item, and what became of it.

    Attributes
    ----------
    winners : the units that stored each item, (items, k).
    replaces : whether an item replaces what its units held (a rate of 1); else they keep some of the items before.
    """

    winners: Units
    replaces: bool = True

    def alone(self, item: int) -> Units:
        """Return the units of an item that no later item took."""
        units: Units = self.winners[item]
        return units[~np.isin(units, self.winners[item + 1 :])]

    def by(self, item: int) -> Units:
        """Return the units that hold an item, all or some of it."""
        units: Units = self.winners[item]
        return self.alone(item) if self.replaces else units

    def items_in(self, unit: int) -> list[int]:
        """Return the items that a unit holds, all or some of each."""
        return [item for item in range(len(self.winners)) if unit in self.by(item)]


def draw_stored(picture: Picture, axis: Axes, items: Sequence[str], held: Held, units: Units) -> None:
    """Draw a row for each item and a column for each unit.

    A square is full where no later item took the unit, crossed out where one replaced the item, and half full where
    later items left some of it.
    """
    places = {int(unit): place for place, unit in enumerate(units)}
    winners = held.winners
    for item, name in enumerate(items):
        alone = held.alone(item)
        for unit in winners[item].tolist():
            _mark(axis, places[unit], item, "full" if unit in alone else "crossed" if held.replaces else "half")
            row = {"item": name, "position": item + 1, "unit": unit, "held": unit in held.by(item)}
            picture.record(row | {"later": int((winners[item + 1 :] == unit).sum())}, table="-stored")
    axis.set_ylim(len(items) - 0.4, -0.6)
    step = -(-len(items) // MOST_NUMBERS)
    axis.set_yticks(range(0, len(items), step), map(literal, items[::step]))
    axis.grid(axis="y", color="#EEEEEE", lw=0.8)
    axis.set_axisbelow(True)
    axis.set_ylabel("item")
    n_alone = sum(len(held.alone(item)) for item in range(len(items)))
    fate = "crossed out: taken by a later item" if held.replaces else "half full: weakened by later items"
    which = "unit" if winners.shape[1] == 1 else "units"
    axis.set_title(f"stored: by which {which}{f'; {fate}' if n_alone < winners.size else ''}")
    _number_units(axis, units)


def _mark(axis: Axes, x: int, y: int, how: Literal["full", "half", "crossed"]) -> None:
    colour = ORANGE if how == "crossed" else BLUE
    corner = (x - SIDE, y - SIDE)
    inside = colour if how == "full" else "none"
    axis.add_patch(Rectangle(corner, 2 * SIDE, 2 * SIDE, fc=inside, ec=colour, lw=1.2))
    if how == "half":
        axis.add_patch(Rectangle((x - SIDE, y), 2 * SIDE, SIDE, fc=colour, ec="none"))  # rows go downwards
    if how == "crossed":
        axis.plot([x - SIDE, x + SIDE], [y + SIDE, y - SIDE], color=colour, lw=1.2)


def draw_attention(
    picture: Picture, axis: Axes, items: Sequence[str], held: Held, units: Units, attention: Values
) -> None:
    """Draw how much each unit is attended to, with the items that it holds; those that are not shown share a bar."""
    used = np.isin(units, held.winners)
    axis.bar(range(len(units)), attention[units], 2 * SIDE, color=np.where(used, VERMILION, LIGHT_GREY).tolist())
    crowded = len(units) > MOST_NUMBERS and max(map(len, items)) > 2
    for place, unit in enumerate(units.tolist()):
        names = [items[item] for item in held.items_in(unit)]
        if names and attention[unit] >= LEAST_NAMED:
            turn, size = (90, 7) if crowded else (0, 8)
            look: dict[str, Any] = {"ha": "center", "va": "bottom", "rotation": turn, "fontsize": size}
            axis.text(place, attention[unit] + 0.03, literal(", ".join(names)), **look)
    bars, values, rest = units.tolist(), attention[units].tolist(), len(attention) - len(units)
    if rest:
        others = float(np.delete(attention, units).sum())
        axis.bar(len(units) - 1 + GAP, others, 2 * SIDE, color=LIGHT_GREY)
        words = f"{rest:,} that stored\nnothing, together"
        axis.annotate(
            words, (len(units) - 1 + GAP + SIDE, others + 0.02), ha="right", va="bottom", fontsize=7, color=DARK_GREY
        )
        bars, values = [*bars, "others"], [*values, others]
    axis.set(ylim=(0, 1.12), yticks=(0, 0.5, 1), ylabel="attention", xlabel="hidden unit")
    _number_units(axis, units)
    picture.record_columns({"unit": [str(name) for name in bars], "attention": values}, table="-attention")
    for panel in (axis, picture.axes[0, 0]):  # the same columns, one above the other
        panel.set_xlim(-0.6, len(units) - 0.4 + (GAP if rest else 0))


def _number_units(axis: Axes, units: Units) -> None:
    """Number units, as many of them as can be read."""
    step = -(-len(units) // MOST_NUMBERS)
    axis.set_xticks(range(0, len(units), step), [str(unit) for unit in units[::step]], fontsize=7)
    axis.tick_params(length=2)
