"""The check of what a search recommends: its best memories, simulated."""

import numpy as np
import xarray as xr

from slotfree.forgetting.binned import settling
from slotfree.forgetting.family import settings_in
from slotfree.forgetting.merit import MERITS, merits
from slotfree.forgetting.protocol import retention

MOST_TESTED = 3000  # ages
MOST_STORED = 100_000  # patterns before those that are tested


def simulated_best(
    table: xr.Dataset,
    cue: float,
    *,
    count: int,
    runs: int,
    area_ages: int,
    criterion: float,
    seed: int = 0,
    jobs: int | None = None,
) -> xr.Dataset:
    """Return a table of merits (setting) with those of the first members also simulated, in their steady state.

    Parameters
    ----------
    table : predicted merits, the best first.
    count, runs : how many members are simulated, and how many runs each.
    area_ages, criterion : those of ``merits``.

    Returns
    -------
    The table with ``simulated_half_life`` and so on, one for each merit, NaN for members that were not simulated. What
    lies beyond the oldest age that was tested is infinite.
    """
    found = {name: np.full(table.sizes["setting"], np.nan) for name in MERITS}
    for i in range(min(count, table.sizes["setting"])):
        one = settings_in(table, i)
        tested = _tested(table, i, area_ages)
        stored = min(settling(one), MOST_STORED) + tested
        curves = retention(one, runs=runs, cues=(cue,), n_stored=stored, n_tested=tested, seed=seed, jobs=jobs)
        measured = merits(curves, area_ages=area_ages, criterion=criterion)
        for name, values in found.items():
            values[i] = float(measured[name].sel(cue=cue))
    return table.assign({f"simulated_{name}": ("setting", values) for name, values in found.items()})


def _tested(table: xr.Dataset, i: int, area_ages: int) -> int:
    """Return the number of ages to test: 1.5 times what half-life and memories are expected to need, or the area."""
    needed = 1.5 * max(float(table[name][i]) for name in ("half_life", "memories"))
    return int(np.clip(needed, area_ages, MOST_TESTED))
