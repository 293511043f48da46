"""Logarithmic axes whose numbers can be read: 50, 100, 200, and powers of ten only where numbers get long."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import Formatter, Locator, LogLocator, MaxNLocator, NullFormatter

FEWEST, MOST = 3, 9  # ticks of an axis
PLAIN = (1e-3, 1e4)  # numbers within are written out
STEPS = (1, 2, 5)


def log_scale(axis: Axes, directions: Literal["x", "y", "xy"]) -> None:
    """Make axes logarithmic, "x", "y" or "xy", with numbers as one writes them.

    The ticks are powers of ten; where fewer than three of them are in view, 1, 2 and 5 times these; and in a range
    that is narrower still, equal steps.
    """
    for direction in directions:
        axis.set(**{f"{direction}scale": "log"})
        one = axis.xaxis if direction == "x" else axis.yaxis
        one.set_major_locator(_Ticks())
        one.set_major_formatter(_Numbers())
        one.set_minor_locator(LogLocator(subs=range(2, 10), numticks=100))
        one.set_minor_formatter(NullFormatter())


class _Ticks(Locator):
    """Where the ticks are, for the range in view."""

    def __call__(self) -> list[float]:
        return self.tick_values(*self.axis.get_view_interval())  # type: ignore[union-attr]

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        low, high = sorted((vmin, vmax))
        if low <= 0:
            return []
        powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
        ticks = np.empty(0)
        equal_steps = np.array(MaxNLocator(5, steps=(*STEPS, 10)).tick_values(low, high))
        for choice in (powers, np.outer(powers, STEPS).ravel(), equal_steps):
            ticks = choice[(choice >= low * (1 - 1e-9)) & (choice <= high * (1 + 1e-9))]
            if len(ticks) >= FEWEST:
                break
        shown: list[float] = ticks[:: -(-len(ticks) // MOST) or 1].tolist()
        return shown


class _Numbers(Formatter):
    """What stands at the ticks: plain numbers, or powers of ten if one of them is very small or large."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        if all(PLAIN[0] * 0.999 <= value <= PLAIN[1] * 1.001 for value in values):
            return [f"{value:.6g}" for value in values]
        return [_power(value) for value in values]


def _power(value: float) -> str:
    exponent = int(np.floor(np.log10(value) + 1e-9))
    factor = f"{value / 10.0**exponent:.3g}"
    return f"$10^{{{exponent}}}$" if factor == "1" else rf"${factor}\cdot10^{{{exponent}}}$"
