"""All steps together: the retention of random patterns by any K-winner MHN in its steady state, without simulation."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import PchipInterpolator

from slotfree import checks
from slotfree.files.attributes import attributes
from slotfree.forgetting.cues import checked_levels
from slotfree.forgetting.protocol import CUES, as_settings
from slotfree.forgetting.theory import one_winner
from slotfree.forgetting.theory.drive_distribution import Floats
from slotfree.forgetting.theory.limits import (
    TOLERANCE,
    TheoryLimitError,
    check_consistent,
    check_covered,
    check_curve,
    check_storing,
    check_winners,
    expected_error,
    ones_of_cue,
)
from slotfree.forgetting.theory.prediction import Prediction
from slotfree.forgetting.theory.retrieval_accuracy import Readout
from slotfree.forgetting.theory.spread import Spread, SpreadByWins, narrowing, spread
from slotfree.forgetting.theory.steady_state import SteadyState, steady_state
from slotfree.forgetting.theory.trace_decay import trace_decay
from slotfree.forgetting.theory.winner_correlation import Correlation, winner_correlation, won_together
from slotfree.forgetting.theory.winners_at_test import Competition
from slotfree.forgetting.theory.wins_by_age import RATIO, WinsSince, forgotten, wins_by_age
from slotfree.memory.kwinner import AnySizeSettings, KWinnerSettings

FIRST_NODES = 4  # every fourth age is computed at first
N_NUMBERS = 12  # of wins since storing, for which the spread is computed
LARGEST_STEP = 0.04  # of R.D. from one age that is computed to the next


def predict_retention(
    memory_settings: Mapping[str, Any] | KWinnerSettings,
    cues: Iterable[float] = CUES,
    ages: ArrayLike | None = None,
) -> xr.Dataset:
    """Predict how well a memory retrieves random patterns of every age, without running it.

    The memory is in its steady state, after very many patterns. The theory has no fitted constants; its steps and what
    each leaves out are in ``docs/explained/theory.md``. The time it takes does not grow with the network. A prediction
    depends on settings, cue and age alone. R.D. never rises with age, and a forgotten pattern is one never stored: its
    R.D. is 0.

    What the theory does not cover is refused (``slotfree.forgetting.theory.limits``). Within its limits, the accuracy
    of every memory of a map that was drawn over the whole family is right within 0.02 on average over ages, and within
    0.04 in each window of ages. The 1-winner MHN (k_h = f = ε = 1) has an exact theory, for all sizes and cues. Tied
    weights (``tied=True``) have the same steady state; winners at random (``storing="random"``) are refused.

    Parameters
    ----------
    memory_settings : the arguments of ``KWinnerMHN`` without the seed, as a mapping or as ``KWinnerSettings``.
    cues : cue levels c; a c-cue keeps a random fraction c of a pattern's ones. Cues of other kinds are refused.
    ages : integers ≥ 1, 1 being the newest; by default 1 to 1000.

    Returns
    -------
    Dataset with

    - ``accuracy`` (cue, age), the expected ρ of stored patterns; ``baseline`` (cue), that of patterns never stored;
      ``raw_difference`` (cue, age), accuracy − baseline;
    - ``expected_error`` (cue), the mean absolute error of the accuracy in simulations of this region of settings;
    - ``spread`` (cue, age) and ``baseline_spread`` (cue), the standard deviation of both accuracies over memories and
      patterns, and ``difference_spread`` (cue, age), that of their difference δ;
    - ``d_prime`` (cue, age), the paper's, R.D. divided by the spread of δ; ``d_prime_detection``, that of signal
      detection, √2 times as large;
    - ``auc`` (cue, age), how likely a stored pattern is recalled better than one never stored.

    Its attributes record how it was made.

    Raises
    ------
    TheoryLimitError : (a ``ValueError``) if the theory does not cover these settings. It names the limit, the value,
        and the nearest settings that are covered.

    Examples
    --------
    >>> import slotfree as sf
    >>> curve = sf.predict_retention({"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3})
    >>> bool(curve["accuracy"].sel(cue=1.0, age=1) > 0.8)
    True
    """
    settings = as_settings(memory_settings, AnySizeSettings)
    levels, at = checked_levels(cues, TheoryLimitError), _checked_ages(np.arange(1, 1001) if ages is None else ages)
    found = predicted_curves(settings, levels, at)
    return xr.Dataset(
        {name: (("cue", "age")[: values.ndim], values) for name, values in found.variables().items()},
        {"cue": list(levels), "age": at},
        attributes("predict_retention", {"memory": settings}),
    )


def predicted_curves(
    settings: KWinnerSettings,
    cues: tuple[float, ...],
    ages: NDArray[np.int64],
    *,
    with_spread: bool = True,
    anywhere: bool = False,
) -> Prediction:
    """Return the same as plain arrays, for cues and ages that are checked.

    Parameters
    ----------
    with_spread : whether variances and the AUC are needed; without it they may be NaN, which saves a third of the time.
    anywhere : whether the steps of the theory are also taken outside its limits, for those who study its errors.
    """
    check_storing(settings)
    for cue in cues:
        if ones_of_cue(settings.k_visible, cue) == 0:
            least = 0.5 / settings.k_visible
            raise ValueError(f"cues={cue:g} leaves no active bits (k_visible={settings.k_visible}); use ≥ {least:.2g}")
    if settings.k_visible == settings.n_visible:  # the only pattern there is
        return Prediction.always_right(len(cues), len(ages))
    if not anywhere and one_winner.describes(settings):
        return one_winner.exact_curves(settings, cues, ages)
    solved = cache(_solved)
    if not anywhere:
        for cue in cues:
            check_covered(settings, cue, lambda one: solved(one)[1])
    state, correlation = solved(settings)
    check_winners(float(state.units @ state.win_rate) * settings.n_hidden / settings.k_hidden)
    trace = trace_decay(settings, state)
    wins = wins_by_age(settings, state, trace)
    end = wins.ages[-1] + RATIO * (wins.ages[-1] - 1 + wins.scale)  # and from then on forgotten
    narrower = None
    if with_spread:
        narrower = narrowing(settings.k_hidden, won_together(settings, correlation, wins.ages))
    found = Prediction.empty(len(cues), len(ages))
    for c, cue in enumerate(cues):
        competition = Competition(settings, state, trace, cue)
        readout = Readout(settings, state, correlation, competition.sizes, competition.strongest())
        shared_variance = correlation.of_drives * correlation.any_two * competition.drive_variance
        curve = curve_by_theory(competition, readout, wins.since, shared_variance, narrower)
        if not anywhere:
            check_consistent(state.settled, "gives a steady state that does not settle")
            check_consistent(abs(curve.imposed) < TOLERANCE, "takes a forgotten pattern for one that is stored")
        falling = np.append(np.minimum.accumulate(np.clip(curve.raw, 0.0, 1 - curve.baseline)), 0.0)
        curves = [falling]
        if with_spread:
            curves += [np.append(curve.variance, curve.unseen_variance), np.append(curve.auc, 0.5)]
        places = np.log(np.append(wins.ages[curve.nodes], end) - 1 + wins.scale)
        smooth = PchipInterpolator(places, np.stack(curves, axis=1))
        raw, *others = smooth(np.log(np.minimum(ages, end) - 1 + wins.scale)).T
        found.baseline[c], found.accuracy[c] = curve.baseline, curve.baseline + raw
        found.variance[c], found.auc[c] = others or (np.nan, np.nan)
        found.unseen_variance[c] = curve.unseen_variance
        found.error[c] = expected_error(settings, competition.ones, correlation.likeness)
    return found


def _solved(settings: KWinnerSettings) -> tuple[SteadyState, Correlation]:
    state = steady_state(settings)
    return state, winner_correlation(settings, state)


class Curve(NamedTuple):
    """R.D., variance and AUC at some of the ages, the *nodes*, and the baseline.

    Attributes
    ----------
    imposed : how far the baseline is from the accuracy for a pattern that all its winners have forgotten.
    """

    baseline: float
    unseen_variance: float
    nodes: NDArray[np.int64]
    raw: Floats
    variance: Floats
    auc: Floats
    imposed: float


def curve_by_theory(
    competition: Competition, readout: Readout, since: WinsSince, shared_variance: float, narrower: Floats | None
) -> Curve:
    """Return R.D. and its spread at those of the ages that are needed to draw the curve.

    A pattern that all its winners have forgotten is like one that was never stored. The theory treats the two as
    different cases, which agree within about 0.02; their difference is taken out in proportion to the winners that have
    forgotten.

    Every fourth age is computed first, and then ages between those at which R.D. differs by more than a limit. What
    does not depend on others is computed together, as many small calculations take longer.

    Parameters
    ----------
    narrower : how much less all winners of a pattern differ in what they hold of it than one does, by age
        (``narrowing``); None if no spread is needed.
    """
    trace, n = competition.trace, len(since.old)
    new = np.unique(np.append(np.arange(0, n, FIRST_NODES), n - 1))
    numbers = _numbers_of_wins(since) if narrower is not None else np.zeros(0, np.int64)
    cases = since.of_equal_winners(numbers).followed_by(forgotten(trace), since.at(new))
    winners = competition.stored(cases).followed_by(competition.unseen)
    visible = readout.visible(winners)
    accuracy, n_numbers = visible.expected, len(numbers)
    gone, baseline = float(accuracy[n_numbers]), float(accuracy[-1])
    raw, found = np.full(n, np.nan), accuracy[n_numbers + 1 : -1]
    while True:
        raw[new] = found - baseline + since.old[new, -1] * (baseline - gone)
        nodes = np.flatnonzero(~np.isnan(raw))
        wide = (np.diff(nodes) > 1) & (np.abs(np.diff(raw[nodes])) > LARGEST_STEP)
        new = (nodes[:-1][wide] + nodes[1:][wide]) // 2
        if not new.size:
            break
        found = readout.visible(competition.stored(since.at(new))).expected
    raw = raw[nodes]
    check_curve(raw)
    curve = Curve(baseline, np.nan, nodes, raw, np.full(len(raw), np.nan), np.full(len(raw), np.nan), baseline - gone)
    if narrower is None:
        return curve
    here = np.append(np.arange(n_numbers), len(accuracy) - 1)  # after the last r a pattern is like one never stored
    every = spread(readout, shared_variance, winners.at(here), visible.at(here))
    unseen = Spread(*(values[-1:] for values in every))
    by_wins = SpreadByWins(every, trace.drive_mean[np.append(numbers, since.old.shape[1] - 1)])
    stored = by_wins.over(since.old[nodes], trace.drive_mean, narrower[nodes])
    variance, auc = stored.variance, stored.auc(raw, unseen)
    return curve._replace(unseen_variance=float(unseen.variance[0]), variance=variance, auc=auc)


def _numbers_of_wins(since: WinsSince) -> NDArray[np.int64]:
    """Return the r for which the spread is computed."""
    return np.unique(np.geomspace(1, since.old.shape[1] - 1, N_NUMBERS).round().astype(np.int64)) - 1


def _checked_ages(ages: ArrayLike) -> NDArray[np.int64]:
    values = np.atleast_1d(np.asarray(ages))
    if values.ndim != 1 or not values.size:
        raise ValueError(f"ages must be integers ≥ 1, one or a list, not {checks.shown(ages)}")
    if values.dtype.kind not in "iu" or values.min() < 1 or values.max() > checks.MANY:
        return np.array([checks.integer("ages", age, 1, checks.MANY) for age in values.tolist()], np.int64)
    return values.astype(np.int64)
