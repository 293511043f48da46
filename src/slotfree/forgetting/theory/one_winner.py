"""The retention of the 1-winner MHN (k_h = 1, ε = 1, f = 1) in theory (SI, theorem 1 and its propositions).

There are two versions. The paper's takes the mean of a maximum from extreme value theory, exact for n_h → ∞. The other
is exact for the given size: the overlaps of a cue with n_h stored random patterns are hypergeometric.

Symbols: n_v visible units, k_v = s_v n_v ones per pattern, n_h hidden units, c cue level, a age.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.forgetting.theory.drive_distribution import Floats
from slotfree.forgetting.theory.limits import ones_of_cue
from slotfree.forgetting.theory.prediction import Prediction
from slotfree.memory.kwinner import KWinnerSettings


def decay_rate(n_hidden: int) -> float:
    """Return β = −ln(1 − 1/n_h): each new pattern replaces a given one with probability 1/n_h (theorem 1)."""
    return float(-np.log1p(-1 / checks.integer("n_hidden", n_hidden, 2)))


def baseline(cue: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100) -> float:
    """Return the accuracy for patterns never stored, s_v + √((2c/n_v)(1 − s_v) ln n_h) for large n_h (prop. 2)."""
    c, n_v, k_v, n_h = _checked(cue, n_visible, k_visible, n_hidden)
    s_v = k_v / n_v
    return float(s_v + np.sqrt(2 * c / n_v * (1 - s_v) * np.log(n_h)))


def initial_difference(cue: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100) -> float:
    """Return C = 1 − s_v − √((2c/n_v)(1 − s_v) ln n_h) (theorem 1): 1 for a stored pattern, less the baseline."""
    return 1 - baseline(cue, n_visible=n_visible, k_visible=k_visible, n_hidden=n_hidden)


def raw_difference_curve(
    ages: ArrayLike, cue: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100
) -> NDArray[np.float64]:
    """Return R.D.(a) = C e^{−β(a − 1)} (theorem 1; the last equation of that section of the SI lacks the minus)."""
    C = initial_difference(cue, n_visible=n_visible, k_visible=k_visible, n_hidden=n_hidden)
    return C * _still_stored(ages, n_hidden)


def least_cue(delta: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100) -> float:
    """Return the cue level above which a stored pattern is retrieved with accuracy above 1 − δ on average (prop. 5).

    c > ln(1 − (1 − δ)^{1/(n_h − 1)}) / (k_v ln s_v)
    """
    _, n_v, k_v, n_h = _checked(1.0, n_visible, k_visible, n_hidden)
    delta = checks.fraction("delta", delta)
    with np.errstate(divide="ignore"):
        missed = -np.expm1(np.log1p(-delta) / (n_h - 1))
    return float(np.log(missed) / (k_v * np.log(k_v / n_v)))


def theta(epsilon: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100) -> float:
    """Return θ, the least cue of theorem 1: proposition 5 with δ = n_h^{−(1 + ε)}, for an ε between 0 and 1."""
    epsilon = checks.fraction("epsilon", epsilon)
    delta = float(checks.integer("n_hidden", n_hidden, 2)) ** -(1 + epsilon)
    return least_cue(delta, n_visible=n_visible, k_visible=k_visible, n_hidden=n_hidden)


def exact_baseline(cue: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100) -> float:
    """Return the accuracy for a pattern never stored, exact for this size.

    The cue has m = c k_v ones. Its overlap with a stored random pattern is hypergeometric, and the winner has the
    largest of n_h of them, O. The winner's other k_v − O ones are spread over the n_v − m units outside the cue, of
    which k_v − m belong to the pattern:

        E ρ = (E O + (k_v − E O)(k_v − m)/(n_v − m)) / k_v,    P(O ≤ o) = P(overlap ≤ o)^{n_h}
    """
    c, n_v, k_v, n_h = _checked(cue, n_visible, k_visible, n_hidden)
    m = ones_of_cue(k_v, c)
    below = scipy.stats.hypergeom.cdf(np.arange(m), n_v, k_v, m)
    overlap = m - (below**n_h).sum()
    return float((overlap + (k_v - overlap) * _share_outside(n_v, k_v, m)) / k_v)


def exact_stored(cue: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100) -> float:
    """Return the accuracy for a pattern that is still stored, exact for this size.

    Only another stored pattern that contains the whole cue can win instead. If J others do, each wins equally often:
    P(right) = E 1/(1 + J), with J binomial(n_h − 1, q) and q = C(n_v − m, k_v − m)/C(n_v, k_v).
    """
    c, n_v, k_v, n_h = _checked(cue, n_visible, k_visible, n_hidden)
    m = ones_of_cue(k_v, c)
    q = scipy.stats.hypergeom.pmf(m, n_v, k_v, m)
    if q == 0:  # below the smallest float: no other pattern ever contains the cue
        return 1.0
    right = -np.expm1(n_h * np.log1p(-q)) / (n_h * q) if q < 1 else 1 / n_h
    wrong = (m + (k_v - m) * _share_outside(n_v, k_v, m)) / k_v
    return float(right + (1 - right) * wrong)


def exact_retention(
    ages: ArrayLike, cue: float, *, n_visible: int = 1000, k_visible: int = 100, n_hidden: int = 100
) -> NDArray[np.float64]:
    """Return the accuracy by age, exact for this size: stored with probability (1 − 1/n_h)^{a − 1}, else the baseline.

    It assumes that stored patterns are independent, and that every unit is equally likely to be replaced.
    """
    size = {"n_visible": n_visible, "k_visible": k_visible, "n_hidden": n_hidden}
    stored = _still_stored(ages, n_hidden)
    return stored * exact_stored(cue, **size) + (1 - stored) * exact_baseline(cue, **size)


def describes(settings: KWinnerSettings) -> bool:
    """Return whether the exact theory is that of these settings: k_h = 1, f = 1, ε = 1."""
    whole = settings.n_connections == settings.n_visible > settings.k_visible
    return whole and settings.k_hidden == 1 == settings.learning_rate and settings.n_hidden > 1


def exact_curves(settings: KWinnerSettings, cues: tuple[float, ...], ages: NDArray[np.int64]) -> Prediction:
    """Return the prediction, with an error of zero, for settings that it describes.

    With probability P = (1 − 1/n_h)^{a − 1} a pattern is still stored. Then it is recalled whole, unless another
    one that contains the whole cue wins; else its accuracy is that of a pattern never stored, as by ``exact_baseline``.
    (The pattern that replaced it is more like it than others are, which is left out.)
    """
    n_v, k_v, n_h = settings.n_visible, settings.k_visible, settings.n_hidden
    size = {"n_visible": n_v, "k_visible": k_v, "n_hidden": n_h}
    held, found = _still_stored(ages, n_h), Prediction.empty(len(cues), len(ages))
    for c, cue in enumerate(cues):
        m = ones_of_cue(k_v, cue)
        below = scipy.stats.hypergeom.cdf(np.arange(m + 1), n_v, k_v, m) ** n_h
        unseen, unseen_square = _moments(np.diff(below, prepend=0.0), np.arange(m + 1), n_v, k_v, m)
        wrong, wrong_square = _moments(np.ones(1), np.array([m]), n_v, k_v, m)
        stored = exact_stored(cue, **size)
        right = (stored - wrong) / (1 - wrong) if wrong < 1 else 1.0
        square = held * (right + (1 - right) * wrong_square) + (1 - held) * unseen_square
        found.accuracy[c] = held * stored + (1 - held) * exact_baseline(cue, **size)
        found.baseline[c], found.unseen_variance[c] = exact_baseline(cue, **size), unseen_square - unseen**2
        found.variance[c] = np.maximum(square - (held * stored + (1 - held) * unseen) ** 2, 0.0)
        found.auc[c], found.error[c] = 0.5 + 0.5 * held * right, 0.0
    return found


def _moments(p: Floats, overlap: NDArray[np.int64], n_v: int, k_v: int, m: int) -> tuple[float, float]:
    """Return mean and mean square of the accuracy, for probabilities of the winner's overlap with the cue.

    Of its other k_v − O ones, a hypergeometric number belongs to the pattern: k_v − m of n_v − m units do.
    """
    drawn, share = k_v - overlap, _share_outside(n_v, k_v, m)
    right = overlap + drawn * share
    variance = drawn * share * (1 - share) * (n_v - m - drawn) / max(n_v - m - 1, 1)
    return float(p @ right) / k_v, float(p @ (right**2 + variance)) / k_v**2


def _still_stored(ages: ArrayLike, n_hidden: int) -> NDArray[np.float64]:
    """Return (1 − 1/n_h)^{a − 1}."""
    age = np.asarray(ages, float)
    if not np.all(age >= 1):
        raise ValueError(f"ages must be ≥ 1, the newest, not {age.min()}")
    stored: NDArray[np.float64] = np.exp(-decay_rate(n_hidden) * (age - 1))
    return stored


def _checked(cue: float, n_visible: int, k_visible: int, n_hidden: int) -> tuple[float, int, int, int]:
    n_visible = checks.integer("n_visible", n_visible, 2)
    return (
        checks.fraction("cue", cue),
        n_visible,
        checks.integer("k_visible", k_visible, 1, n_visible - 1, "n_visible - 1"),
        checks.integer("n_hidden", n_hidden, 2),
    )


def _share_outside(n_visible: int, k_visible: int, m: int) -> float:
    """Return the fraction of the units outside the cue that belong to the pattern."""
    return (k_visible - m) / (n_visible - m)
