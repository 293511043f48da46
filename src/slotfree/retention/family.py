"""Memories with the same number of weights, predicted: which of them is best, and for what.

The parameter-matched family of the paper: n_h follows from the fan-in f, so that f n_v n_h, the number of weights, is
fixed. What is left to choose is f, the number of winners k_h, and the learning rate ε.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import product
from typing import TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.memory.connections import MAX_SYNAPSES
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.retention.merit import CRITERION, merits
from slotfree.retention.prediction import predict_retention
from slotfree.retention.protocol import checked_cues
from slotfree.runs.executor import run_units

GOALS = {
    "half-life": "half_life",
    "area": "area",
    "initial-accuracy": "initial_accuracy",
    "memories": "memories",
}
FAN_INS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
WINNERS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)
LEARNING_RATES = (0.1, 0.2, 0.4, 1.0)
MOST_ACTIVE = 0.5  # of the hidden units
FIRST_STEP, LAST_STEP = 2**0.5, 2**0.125  # ratios of neighbouring settings
AREA_AGES = 1000
N_AGES = 100
LEAST_REMEMBERED = 0.05  # R.D. of the newest pattern

Told: TypeAlias = Callable[[int, int], None]


def matched(
    weights: int, fan_in: float, k_hidden: int, learning_rate: float, *, n_visible: int = 1000, k_visible: int = 100
) -> KWinnerSettings:
    """Return the member of the family with this fan-in: n_h is the number of weights over the connections of a unit.

    n_h is rounded, so the number of weights is off by at most half the connections of one unit.
    """
    weights = checks.whole("weights", weights, 1, MAX_SYNAPSES)
    one = KWinnerSettings(n_visible, 1, k_visible, 1, fan_in, learning_rate)
    return replace(one, n_hidden=max(1, round(weights / one.n_connections)), k_hidden=k_hidden)


def family(
    weights: int,
    *,
    n_visible: int = 1000,
    k_visible: int = 100,
    fan_ins: Iterable[float] = FAN_INS,
    winners: Iterable[int] = WINNERS,
    learning_rates: Iterable[float] = LEARNING_RATES,
) -> list[KWinnerSettings]:
    """A grid of the family. Left out: those where more than half of the hidden units would win, or which have none."""
    size = {"n_visible": n_visible, "k_visible": k_visible}
    fan_ins = [f for f in fan_ins if f * n_visible >= 1 and matched(weights, f, 1, 1.0, **size).n_hidden >= 2]
    found = []
    for f, k_h, eps in product(fan_ins, winners, learning_rates):
        if k_h <= MOST_ACTIVE * matched(weights, f, 1, eps, **size).n_hidden:
            found.append(matched(weights, f, k_h, eps, **size))
    return found


def horizon(settings: KWinnerSettings) -> int:
    """An age by which nothing is left of a pattern: its winners have won 10/ε times more, on average."""
    age = 10 * settings.n_hidden / (settings.k_hidden * settings.learning_rate)
    return int(min(max(age, AREA_AGES), checks.MANY))


def predicted_merits(
    settings: KWinnerSettings, cues: Iterable[float] = (1.0, 0.5), criterion: float = CRITERION
) -> xr.Dataset:
    """The merits of one memory in theory, (cue); R.D. is summed over ages 1 to 1000, those that the paper tests."""
    spread = np.geomspace(1, horizon(settings), N_AGES).round().astype(np.int64)
    ages = np.unique(np.append(spread, AREA_AGES))
    return merits(predict_retention(settings, cues, ages), area_ages=AREA_AGES, criterion=criterion)


def predicted_family(
    members: Sequence[KWinnerSettings],
    cues: Iterable[float] = (1.0, 0.5),
    *,
    criterion: float = CRITERION,
    jobs: int | None = None,
    told: Told | None = None,
) -> xr.Dataset:
    """The merits of many memories, (setting, cue), labelled with their settings; told(done, all) hears of progress."""
    cues = checked_cues(cues)
    found: dict[int, xr.Dataset] = {}
    units = ((i, partial(predicted_merits, one, cues, criterion)) for i, one in enumerate(members))
    for i, result in run_units(units, jobs):
        found[i] = result
        if told is not None:
            told(len(found), len(members))
    return xr.concat([found[i] for i in range(len(members))], "setting").assign_coords(labels_of(members))


def labels_of(members: Sequence[KWinnerSettings]) -> dict[str, tuple[str, list[float]]]:
    """The settings of members as coordinates (setting)."""
    return {field.name: ("setting", [getattr(one, field.name) for one in members]) for field in fields(KWinnerSettings)}


def settings_in(table: xr.Dataset, setting: int) -> KWinnerSettings:
    """The settings of a row of such a table."""
    return KWinnerSettings(
        **{field.name: table[field.name].values[setting].item() for field in fields(KWinnerSettings)}
    )


def pareto_front(x: ArrayLike, y: ArrayLike) -> NDArray[np.bool]:
    """Which points no other dominates: none is as good in both and better in one; NaN is never on the front."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    front: NDArray[np.bool] = np.isfinite(x) & ~np.isnan(y)
    for i in np.flatnonzero(front):
        front[i] = not np.any((x >= x[i]) & (y >= y[i]) & ((x > x[i]) | (y > y[i])))
    return front


def front_of(table: xr.Dataset, merit: str) -> NDArray[np.bool]:
    """Which members of a table (setting) are on the Pareto front of a merit against accuracy at first.

    Left out: those that remember next to nothing even of the newest pattern, less than the theory's errors.
    """
    something = table["initial_raw_difference"].values >= LEAST_REMEMBERED
    return pareto_front(np.where(something, table["initial_accuracy"].values, np.nan), table[merit].values)


def optimise(
    *,
    weights: int = 100_000,
    goal: str = "half-life",
    cue: float = 1.0,
    min_accuracy: float | None = None,
    n_visible: int = 1000,
    k_visible: int = 100,
    criterion: float = CRITERION,
    jobs: int | None = None,
    told: Told | None = None,
) -> xr.Dataset:
    """Search the parameter-matched family for the memory that serves a goal best, in theory.

    A grid over (f, k_h, ε), then steps to better neighbours of its best member, ever smaller ones.

    Parameters
    ----------
    weights : f n_v n_h, the number of weights (of each direction).
    goal : what is to be large: "half-life" of R.D., "area" under it over ages 1 to 1000, "initial-accuracy", or the
        number of "memories" with an R.D. above the criterion.
    cue : the cue level.
    min_accuracy : the least accuracy of the newest pattern.
    criterion : the R.D. of patterns that count as memories; the newest must be one, or long lives would be of nothing.
    told : hears (done, all) of the grid.

    Returns
    -------
    The merits (setting) of all that were tried and fulfil the conditions, the best first.
    """
    checks.one_of("goal", goal, tuple(GOALS))
    cue = checks.fraction("cue", cue)
    least = 0.0 if min_accuracy is None else checks.fraction("min_accuracy", min_accuracy)
    members = family(weights, n_visible=n_visible, k_visible=k_visible)
    if not members:
        least_weights = 2 * max(1, round(min(FAN_INS) * n_visible))
        raise ValueError(f"weights must be enough for two hidden units, at least {least_weights}, not {weights}")
    predicted = partial(predicted_family, cues=(cue,), criterion=criterion, jobs=jobs)
    ranked = partial(_ranked, goal=goal, least=least, criterion=criterion)
    tried = predicted(members, told=told).isel(cue=0)
    step = FIRST_STEP
    while step >= LAST_STEP:
        best = ranked(tried)
        around = _new_neighbours(tried, settings_in(best, 0), weights, step)
        if around:
            tried = xr.concat([tried, predicted(around).isel(cue=0)], "setting")
        if not around or settings_in(ranked(tried), 0) == settings_in(best, 0):
            step **= 0.5
    return ranked(tried)


def _ranked(table: xr.Dataset, goal: str, least: float, criterion: float) -> xr.Dataset:
    """Those that remember and are accurate enough, the best first; of equals, the one with the larger area."""
    accuracy, raw = table["initial_accuracy"].values, table["initial_raw_difference"].values
    remembers = raw >= criterion
    if not remembers.any():
        raise ValueError(f"criterion must be within reach, which is {np.nanmax(raw):.3f} here, not {criterion}")
    good = np.flatnonzero(remembers & (accuracy >= least))
    if not len(good):
        reach = accuracy[remembers].max()
        raise ValueError(f"min_accuracy must be within reach, which is {reach:.3f} here, not {least}")
    order = np.lexsort([-table["area"].values[good], -table[GOALS[goal]].values[good]])
    return table.isel(setting=good[order])


def _new_neighbours(table: xr.Dataset, best: KWinnerSettings, weights: int, step: float) -> list[KWinnerSettings]:
    """Members of the family a step from the best in one of f, k_h and ε, as far as they were not tried."""
    size = {"n_visible": best.n_visible, "k_visible": best.k_visible}
    tried = {settings_in(table, i) for i in range(table.sizes["setting"])}
    found = []
    for ratio in (step, 1 / step):
        f = min(best.fan_in * ratio, 1.0)
        k_h = max(round(best.k_hidden * ratio), 1)
        eps = min(best.learning_rate * ratio, 1.0)
        for choice in ((f, best.k_hidden, best.learning_rate), (best.fan_in, k_h, best.learning_rate)):
            found += family(weights, fan_ins=choice[:1], winners=choice[1:2], learning_rates=choice[2:], **size)
        if eps >= LEARNING_RATES[0]:
            found.append(replace(best, learning_rate=eps))
    return [one for one in dict.fromkeys(found) if one not in tried]
