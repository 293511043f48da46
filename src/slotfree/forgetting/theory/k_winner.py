"""All steps together: the retention of random patterns by any K-winner MHN in its steady state, without simulation."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import PchipInterpolator

from slotfree import checks
from slotfree.files.attributes import attributes
from slotfree.forgetting.protocol import CUES, as_settings, checked_cues
from slotfree.forgetting.theory.drive_distribution import Floats
from slotfree.forgetting.theory.limits import check_curve, check_finite, check_storing, check_winners
from slotfree.forgetting.theory.retrieval_accuracy import Readout
from slotfree.forgetting.theory.steady_state import steady_state
from slotfree.forgetting.theory.trace_decay import trace_decay
from slotfree.forgetting.theory.winner_correlation import winner_correlation
from slotfree.forgetting.theory.winners_at_test import Competition, ones_of_cue
from slotfree.forgetting.theory.wins_by_age import WinsSince, forgotten, wins_by_age
from slotfree.memory.kwinner import AnySizeSettings, KWinnerSettings


def predict_retention(
    memory_settings: Mapping[str, Any] | KWinnerSettings,
    cues: Iterable[float] = CUES,
    ages: ArrayLike | None = None,
) -> xr.Dataset:
    """Predict how well a memory retrieves random patterns of every age, without running it.

    The memory is in its steady state, after very many patterns. The theory has no fitted constants; its steps, what
    each leaves out, and its measured errors are in ``docs/explained/theory.md``. The time it takes does not grow with
    the network. It is made for learning rates from about 0.04, and for units with at least two active inputs on average
    (f c k_v ≥ 2); outside this range, errors may be large. Tied weights (``tied=True``) have the same steady state;
    winners at random (``storing="random"``) are refused.

    Every prediction is finite, accuracies are between 0 and 1, and no accuracy is below the baseline by more than 0.02
    (``slotfree.forgetting.theory.limits.TOLERANCE``). Where the theory does not give that, it is refused.

    Parameters
    ----------
    memory_settings : the arguments of ``KWinnerMHN`` without the seed, as a mapping or as ``KWinnerSettings``.
    cues : cue levels c; a c-cue keeps a random fraction c of a pattern's ones.
    ages : whole numbers from 1, the newest; by default 1 to 1000.

    Returns
    -------
    Dataset with ``accuracy`` (cue, age), the expected ρ of stored patterns; ``baseline`` (cue), that of patterns never
    stored; and ``raw_difference`` (cue, age), accuracy − baseline. Its attributes tell how it was made.

    Raises
    ------
    TheoryLimitError : (a ``ValueError``) if the theory does not hold for these settings; it names the limit left.

    Examples
    --------
    >>> import slotfree as sf
    >>> curve = sf.predict_retention({"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3})
    >>> bool(curve["accuracy"].sel(cue=1.0, age=1) > 0.8)
    True
    """
    settings = as_settings(memory_settings, AnySizeSettings)
    levels, at = checked_cues(cues), _checked_ages(np.arange(1, 1001) if ages is None else ages)
    accuracy, baseline = predicted_curves(settings, levels, at)
    return xr.Dataset(
        {
            "accuracy": (("cue", "age"), accuracy),
            "baseline": (("cue",), baseline),
            "raw_difference": (("cue", "age"), accuracy - baseline[:, None]),
        },
        {"cue": list(levels), "age": at},
        attributes("predict_retention", {"memory": settings}),
    )


def predicted_curves(
    settings: KWinnerSettings, cues: tuple[float, ...], ages: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return the same as plain arrays, accuracy (cue, age) and baseline (cue), for cues and ages that are checked."""
    check_storing(settings)
    for cue in cues:
        if ones_of_cue(settings, cue) == 0:
            raise ValueError(
                f"cues must leave a pattern at least one of its {settings.k_visible} ones: at least "
                f"{0.5 / settings.k_visible:.2g}, not {cue}"
            )
    if settings.k_visible == settings.n_visible:  # the only pattern there is
        return np.ones((len(cues), len(ages))), np.ones(len(cues))
    state = steady_state(settings)
    check_winners(settings, state)
    trace = trace_decay(settings, state)
    wins = wins_by_age(settings, state, trace, max(int(ages.max()), 2))
    correlation = winner_correlation(settings, state)
    at = np.minimum(ages, wins.ages[-1]) - 1 + wins.scale
    nodes, baseline = np.empty((len(cues), len(wins.ages))), np.empty(len(cues))
    for c, cue in enumerate(cues):
        competition = Competition(settings, state, trace, cue)
        readout = Readout(settings, state, correlation, competition.sizes, competition.strongest())
        baseline[c], curve = curve_by_theory(competition, readout, wins.since)
        check_finite(settings, competition.ones, np.append(curve, baseline[c]))
        nodes[c] = never_rising(curve, baseline[c])
    smooth = PchipInterpolator(np.log(wins.ages - 1 + wins.scale), nodes, axis=1)
    accuracy = np.clip(smooth(np.log(at)), 0.0, 1.0)
    for c, cue in enumerate(cues):
        check_curve(settings, ones_of_cue(settings, cue), accuracy[c] - baseline[c])
    return accuracy, baseline


def never_rising(curve: Floats, baseline: float) -> Floats:
    """Return a curve, by age, that does not rise: a pattern cannot be remembered better when it is older.

    The theory does not exclude that a curve rises, so the curve is replaced by its running minimum; a dip below both
    the baseline and the curve's end is filled first, or it would last for ever.
    """
    return np.minimum.accumulate(np.maximum(curve, min(baseline, curve[-1])))


def curve_by_theory(competition: Competition, readout: Readout, since: WinsSince) -> tuple[float, Floats]:
    """Return the baseline, and the accuracy at each age.

    A pattern that all its winners have forgotten is like one that was never stored. The theory treats the two as
    different cases, which agree within about 0.02; their difference is taken out in proportion to the winners that have
    forgotten.
    """
    stored = competition.stored(since.after(forgotten(competition.trace)))
    rho = readout.accuracies(competition.unseen, stored)
    return min(max(float(rho[0]), 0.0), 1.0), rho[2:] + since.old[:, -1] * (rho[0] - rho[1])


def _checked_ages(ages: ArrayLike) -> NDArray[np.int64]:
    values = np.atleast_1d(np.asarray(ages))
    if values.ndim != 1 or not values.size:
        raise ValueError(f"ages must be whole numbers of at least 1, one or a list, not {checks.shown(ages)}")
    if values.dtype.kind not in "iu" or values.min() < 1 or values.max() > checks.MANY:
        return np.array([checks.whole("ages", age, 1, checks.MANY) for age in values.tolist()], np.int64)
    return values.astype(np.int64)
