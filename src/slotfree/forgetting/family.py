"""The parameter-matched family: memories with the same number of weights, as the paper compares them.

n_h follows from the fan-in f, such that f n_v n_h, the number of weights, is the same for all members. Free are f, the
number of winners k_h and the learning rate ε.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import product
from typing import Any

import xarray as xr

from slotfree import checks
from slotfree.files.options import defaults
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.memory.stored import MAX_SYNAPSES

FAN_INS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
WINNERS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)
LEARNING_RATES = (0.1, 0.2, 0.4, 1.0)
MOST_ACTIVE = 0.5  # of the hidden units


def matched_n_hidden(weights: float, *, n_visible: int, fan_in: float) -> int:
    """Return the number of hidden units n_h with which a memory has this number of weights.

    A hidden unit has an integer of connections, f n_v rounded. n_h is rounded too, halves upwards: the number of
    weights is off by at most half the connections of one unit.
    """
    one_unit = KWinnerSettings(n_visible, 1, k_visible=1, k_hidden=1, fan_in=fan_in)
    return max(1, int(weights / one_unit.n_connections + 0.5))


def matched(
    weights: int, fan_in: float, k_hidden: int, learning_rate: float, *, n_visible: int = 1000, k_visible: int = 100
) -> KWinnerSettings:
    """Return the member of the family with this fan-in, number of winners and learning rate."""
    weights = checks.integer("weights", weights, 1, MAX_SYNAPSES)
    n_hidden = matched_n_hidden(weights, n_visible=n_visible, fan_in=fan_in)
    return KWinnerSettings(n_visible, n_hidden, k_visible, k_hidden, fan_in, learning_rate)


def family(
    weights: int,
    *,
    n_visible: int = 1000,
    k_visible: int = 100,
    fan_ins: Iterable[float] = FAN_INS,
    winners: Iterable[int] = WINNERS,
    learning_rates: Iterable[float] = LEARNING_RATES,
) -> list[KWinnerSettings]:
    """Return the members of the family on a grid; none with fewer than two hidden units, or more than half winning."""
    size = {"n_visible": n_visible, "k_visible": k_visible}
    fan_ins = [f for f in fan_ins if f * n_visible >= 1 and matched(weights, f, 1, 1.0, **size).n_hidden >= 2]
    found = []
    for f, k_h, eps in product(fan_ins, winners, learning_rates):
        if k_h <= MOST_ACTIVE * matched(weights, f, 1, eps, **size).n_hidden:
            found.append(matched(weights, f, k_h, eps, **size))
    return found


def labels_of(members: Sequence[KWinnerSettings]) -> dict[str, tuple[str, list[Any]]]:
    """Return the settings of members as coordinates (setting) of a table; options only if one of them has it."""
    unmentioned = set.intersection(*map(defaults, members)) if members else set()
    names = [field.name for field in fields(KWinnerSettings) if field.name not in unmentioned]
    return {name: ("setting", [getattr(one, name) for one in members]) for name in names}


def settings_in(table: xr.Dataset, setting: int) -> KWinnerSettings:
    """Return the settings of one member of such a table."""
    names = [field.name for field in fields(KWinnerSettings) if field.name in table.coords]
    return KWinnerSettings(**{name: table[name].values[setting].item() for name in names})


def rows_of(table: xr.Dataset) -> dict[KWinnerSettings, int]:
    """Return the row of each member of such a table."""
    return {settings_in(table, i): i for i in range(table.sizes["setting"])}
