"""The limits of the theory: what must hold of every prediction, and which limit was left where it does not hold."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

from slotfree.memory.kwinner import KWinnerSettings

if TYPE_CHECKING:
    from slotfree.forgetting.theory.steady_state import SteadyState

LEAST_INPUTS = 2.0  # of a hidden unit that are active, and that are not, on average
LEAST_LEARNING_RATE = 0.04
LEAST_SHARE = 0.001  # of hidden units that win
# How far a stored pattern may be predicted below the baseline: as far as the theory's two cases differ.
TOLERANCE = 0.02
MOST_OFF = 2.0  # how far the share of units that win may be from k_h/n_h, as a ratio


class TheoryLimitError(ValueError):
    """The theory does not hold for these settings, and what it gives is no prediction."""


def check_storing(settings: KWinnerSettings) -> None:
    """Raise an error if patterns are not stored by the units that match them best.

    Tied weights are no other case: in the steady state every unit that ever wins has won many times, and each of its
    wins brings its forward and return weights closer together.
    """
    if settings.storing != "best":
        raise TheoryLimitError(
            f"storing must be 'best', not {settings.storing!r}: the theory follows the best matching units; "
            "use sf.retention"
        )


def check_finite(settings: KWinnerSettings, ones: int, numbers: NDArray[np.float64]) -> None:
    """Raise an error if what was computed for a cue with some ones is not finite."""
    if not np.isfinite(numbers).all():
        raise TheoryLimitError(_limit_left(settings, ones, "gives no finite numbers"))


def check_winners(settings: KWinnerSettings, state: "SteadyState") -> None:
    """Raise an error if the steady state does not have k_h winners: Σ_i units_i · win_rate_i must be k_h/n_h.

    It has too few or too many where the drives of winners lie in a tail that the lattice of drives does not resolve.
    """
    ratio = float(state.units @ state.win_rate) * settings.n_hidden / settings.k_hidden
    if not 1 / MOST_OFF <= ratio <= MOST_OFF:
        raise TheoryLimitError(
            _limit_left(settings, settings.k_visible, f"gives {ratio:.1g} times as many winners as there are")
        )


def check_curve(settings: KWinnerSettings, ones: int, raw_difference: NDArray[np.float64]) -> None:
    """Raise an error if a curve for cues with some ones lies below its baseline by more than the tolerance."""
    least = float(raw_difference.min())
    if least < -TOLERANCE:
        raise TheoryLimitError(_limit_left(settings, ones, f"gives an R.D. of {least:.2g}"))


def _limit_left(settings: KWinnerSettings, ones: int, found: str) -> str:
    """Return a sentence that begins with the argument with which the theory's limits were left."""
    n_v, n_h, k_h, f = (
        settings.n_visible,
        settings.n_hidden,
        settings.k_hidden,
        settings.n_connections / settings.n_visible,
    )
    active, inactive = f * ones, f * (n_v - settings.k_visible)
    if active < LEAST_INPUTS:
        limit = (
            f"fan_in must give a hidden unit about {LEAST_INPUTS:g} active inputs or more, f c k_v, not {active:.2g}"
        )
    elif settings.learning_rate < LEAST_LEARNING_RATE:
        limit = f"learning_rate must be about {LEAST_LEARNING_RATE:g} or more, not {settings.learning_rate:g}"
    elif inactive < LEAST_INPUTS:
        limit = (
            f"k_visible must leave a hidden unit about {LEAST_INPUTS:g} inactive inputs or more, f (n_v - k_v), not "
            f"{inactive:.2g}"
        )
    elif _log_choices(n_v, ones) < np.log(n_h / k_h):
        limit = f"n_visible must allow for more different cues of {ones} ones than n_h/k_h = {n_h / k_h:.3g}, not {n_v}"
    elif k_h < LEAST_SHARE * n_h:
        limit = f"k_hidden must be a larger share of n_hidden = {n_h}, not {k_h}"
    else:
        limit = (
            "memory_settings must be ones on whose steady state and trace the theory's steps agree; use sf.retention"
        )
    return f"{limit}: outside its limits the theory {found}"


def _log_choices(n: int, k: int) -> float:
    """Return the logarithm of the number of ways to choose k of n."""
    return float(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))
