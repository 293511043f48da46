"""The search for the best memory among all with the same number of weights, by theory."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.files.attributes import attributes
from slotfree.forgetting.family import FAN_INS, LEARNING_RATES, family, labels_of, settings_in
from slotfree.forgetting.merit import CRITERION, MERITS, merits
from slotfree.forgetting.protocol import CUES, checked_cues
from slotfree.forgetting.theory.k_winner import predict_retention
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.executor import run_units

GOALS = tuple(name for name in MERITS if name != "baseline")
FIRST_STEP, LAST_STEP = 2**0.5, 2**0.125  # ratios of neighbouring settings
AREA_AGES = 1000
N_AGES = 100
LEAST_REMEMBERED = 0.05  # R.D. of the newest pattern

Progress: TypeAlias = Callable[[int, int], None]


def horizon(settings: KWinnerSettings) -> int:
    """Return an age at which nothing is left of a pattern: its winners have won 10/ε times more, on average."""
    age = 10 * settings.n_hidden / (settings.k_hidden * settings.learning_rate)
    return int(min(max(age, AREA_AGES), checks.MANY))


def predicted_merits(
    settings: KWinnerSettings, cues: Iterable[float] = CUES, criterion: float = CRITERION
) -> xr.Dataset:
    """Return the predicted merits of one memory, (cue); R.D. is summed over ages 1 to 1000, those the paper tests."""
    spread = np.geomspace(1, horizon(settings), N_AGES).round().astype(np.int64)
    ages = np.unique(np.append(spread, AREA_AGES))
    return merits(predict_retention(settings, cues, ages), area_ages=AREA_AGES, criterion=criterion)


def predicted_family(
    members: Sequence[KWinnerSettings],
    cues: Iterable[float] = CUES,
    *,
    criterion: float = CRITERION,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Return the predicted merits of many memories, (setting, cue), labelled with their settings.

    ``progress(done, all)`` is called after each of them.
    """
    cues = checked_cues(cues)
    found: dict[int, xr.Dataset] = {}
    units = ((i, partial(predicted_merits, one, cues, criterion)) for i, one in enumerate(members))
    for i, result in run_units(units, jobs):
        found[i] = result
        if progress is not None:
            progress(len(found), len(members))
    return xr.concat([found[i] for i in range(len(members))], "setting").assign_coords(labels_of(members))


def pareto_front(x: ArrayLike, y: ArrayLike) -> NDArray[np.bool]:
    """Return which points no other dominates, being as good in both and better in one; NaN is never on the front."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    front: NDArray[np.bool] = np.isfinite(x) & ~np.isnan(y)
    for i in np.flatnonzero(front):
        front[i] = not np.any((x >= x[i]) & (y >= y[i]) & ((x > x[i]) | (y > y[i])))
    return front


def front_of(table: xr.Dataset, merit: str) -> NDArray[np.bool]:
    """Return which members of a table (setting) are on the Pareto front of a merit against initial accuracy.

    Members are left out whose R.D. is below 0.05 even for the newest pattern: little more than the theory's errors.
    """
    something = table["initial_raw_difference"].values >= LEAST_REMEMBERED
    return pareto_front(np.where(something, table["initial_accuracy"].values, np.nan), table[merit].values)


def optimise(
    *,
    weights: int = 100_000,
    goal: str = "half_life",
    cue: float = 1.0,
    min_accuracy: float | None = None,
    n_visible: int = 1000,
    k_visible: int = 100,
    criterion: float = CRITERION,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Search the parameter-matched family for the memory with the largest value of a merit, by theory.

    First a grid over (f, k_h, ε) is predicted, then the neighbours of its best member, with smaller and smaller steps.

    Parameters
    ----------
    weights : f n_v n_h, the number of weights (of each direction).
    goal : the merit that is to be large (``slotfree.forgetting.merit.MERITS``): "half_life", "area" (over ages 1 to
        1000), "memories", "initial_accuracy" or "initial_raw_difference".
    cue : the cue level.
    min_accuracy : the least accuracy of the newest pattern.
    criterion : the least R.D. of a pattern that counts as a memory. The newest pattern must be one: otherwise memories
        that remember next to nothing would have the longest half-lives.
    jobs : threads, by default one per core.
    progress : called with the number of predictions done and of all, for the grid.

    Returns
    -------
    The merits (setting) of all memories that were tried and fulfil the conditions, the best first. Attributes tell what
    was asked for.
    """
    checks.one_of("goal", goal, GOALS)
    cue = checks.fraction("cue", cue)
    least = 0.0 if min_accuracy is None else checks.fraction("min_accuracy", min_accuracy)
    members = family(weights, n_visible=n_visible, k_visible=k_visible)
    if not members:
        least_weights = 2 * max(1, round(min(FAN_INS) * n_visible))
        raise ValueError(f"weights must be enough for two hidden units, at least {least_weights}, not {weights}")
    predicted = partial(predicted_family, cues=(cue,), criterion=criterion, jobs=jobs)
    ranked = partial(_ranked, goal=goal, least=least, criterion=criterion)
    tried = predicted(members, progress=progress).isel(cue=0)
    step = FIRST_STEP
    while step >= LAST_STEP:
        best = ranked(tried)
        around = _new_neighbours(tried, settings_in(best, 0), weights, step)
        if around:
            tried = xr.concat([tried, predicted(around).isel(cue=0)], "setting")
        if not around or settings_in(ranked(tried), 0) == settings_in(best, 0):
            step **= 0.5
    size = {"weights": weights, "n_visible": n_visible, "k_visible": k_visible}
    asked = {"goal": goal, "cue": cue, "min_accuracy": min_accuracy, "criterion": criterion}
    return ranked(tried).assign_attrs(attributes("optimise", size | asked))


def _ranked(table: xr.Dataset, goal: str, least: float, criterion: float) -> xr.Dataset:
    """Return those that remember and are accurate enough, the best first; of equals, that with the larger area."""
    accuracy, raw = table["initial_accuracy"].values, table["initial_raw_difference"].values
    remembers = raw >= criterion
    if not remembers.any():
        raise ValueError(f"criterion must be within reach, which is {np.nanmax(raw):.3f} here, not {criterion}")
    good = np.flatnonzero(remembers & (accuracy >= least))
    if not len(good):
        reach = accuracy[remembers].max()
        raise ValueError(f"min_accuracy must be within reach, which is {reach:.3f} here, not {least}")
    order = np.lexsort([-table["area"].values[good], -table[goal].values[good]])
    return table.isel(setting=good[order])


def _new_neighbours(table: xr.Dataset, best: KWinnerSettings, weights: int, step: float) -> list[KWinnerSettings]:
    """Return the members that differ from the best by one step in f, k_h or ε and have not been tried."""
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
