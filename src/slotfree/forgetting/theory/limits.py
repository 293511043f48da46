"""The limits of the theory: where it was compared with simulations and found right, and how right.

The limits, and the error that is to be expected within them, come from a map of simulated memories that were drawn over
the whole family (``docs/explained/theory.md``). Outside them the theory refuses to predict.

Symbols: f fan-in, c cue level, k_v ones of a pattern, k_h winners, ε learning rate, ρ the correlation of two winners'
weights. The *likeness* of winners, ρ k_h f, is the variance of a visible unit's drive that winners share, relative to
the variance that they do not share.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree.memory.kwinner import KWinnerSettings

if TYPE_CHECKING:
    from slotfree.forgetting.theory.winner_correlation import Correlation

Alike: TypeAlias = "Callable[[KWinnerSettings], Correlation]"

LEAST_ONES = 20  # c k_v
LEAST_INPUTS = 2.0  # f c k_v, the active inputs of a hidden unit, on average
LEAST_INPUTS_STORED = 4.0  # the same when a pattern is stored, f k_v
LEAST_INACTIVE = 8.0  # f (n_v − k_v)
LEAST_DRIVEN = 3  # k_h f n_v/k_v, the visible units that winners are connected to
MOST_HIDDEN = 5  # n_h/n_v
SPARSE = 0.35  # the largest f at which slow learning, and many winners that are alike, are covered
LEAST_LEARNING_RATE, LEAST_LEARNING_RATE_DENSE = 0.1, 0.15  # for f up to SPARSE, and above
MANY_ONES = 50  # the least k_v with which many winners that are alike are covered
FAST = 0.9  # the ε above which co-winners are nearly copies of each other
MOST_ALIKE = {"fast": 0.05, "usual": 0.3, "sparse": 5.0}
MOST_RECURRING = 5.0  # ρ n_h/k_h where f is above SPARSE: more, and the same units win together again and again

MOST_CHANGES = 20  # on the way to the nearest settings that are covered

# How far a stored pattern may be below the baseline, and a forgotten one differ from one never stored.
TOLERANCE = 0.02
MOST_OFF = 2.0  # how far the share of units that win may be from k_h/n_h, as a ratio

# Root mean square over the map of the mean |predicted − simulated| accuracy: by f c k_v (rows) and likeness (columns).
INPUT_EDGES, LIKENESS_EDGES = (4.0, 16.0), (0.03, 0.3)
ERRORS = ((0.007, 0.009, 0.010), (0.006, 0.007, 0.006), (0.005, 0.006, 0.004))


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


def check_covered(settings: KWinnerSettings, cue: float, alike: Alike) -> None:
    """Raise an error that names the limit left, the value, and the nearest settings that are covered.

    Parameters
    ----------
    alike : a function of settings that computes how alike winners are; it is called only if all else is covered.
    """
    left = next(limits_left(settings, cue, alike), None)
    if left is None:
        return
    nearest = ""
    with suppress(ValueError):  # such settings cannot be
        nearest = _nearest(settings, cue, alike)
    raise TheoryLimitError(f"{left[0]}; {nearest}sf.retention simulates any memory")


def _nearest(settings: KWinnerSettings, cue: float, alike: Alike) -> str:
    """Return in words how the nearest settings that are covered differ, or "" if none are found."""
    nearest, nearest_cue = settings, cue
    for _ in range(MOST_CHANGES):
        left = next(limits_left(nearest, nearest_cue, alike), None)
        if left is None:
            values = {field.name: getattr(nearest, field.name) for field in fields(nearest)}
            changed = [f"{name}={value:g}" for name, value in values.items() if value != getattr(settings, name)]
            changed += [f"cue={nearest_cue:g}"] if nearest_cue != cue else []
            return f"the nearest that theory covers has {', '.join(changed)}; "
        nearest, nearest_cue = left[1:]
    return ""


def limits_left(settings: KWinnerSettings, cue: float, alike: Alike) -> Iterator[tuple[str, KWinnerSettings, float]]:
    """Yield each limit that is left, in words, with settings and a cue that keep it; the likeness comes last."""
    n_v, k_v, eps = settings.n_visible, settings.k_visible, settings.learning_rate
    ones, f = ones_of_cue(k_v, cue), settings.n_connections / n_v
    if k_v < LEAST_ONES:
        text = f"k_visible must be ≥ {LEAST_ONES} active bits, not {k_v}"
        yield text, replace(settings, k_visible=LEAST_ONES, n_visible=max(n_v, 2 * LEAST_ONES)), cue
    elif ones < LEAST_ONES:
        yield f"cues must leave ≥ {LEAST_ONES} active bits, not {ones} (cue={cue:g})", settings, _up(LEAST_ONES / k_v)
    least = max(LEAST_INPUTS / max(ones, 1), LEAST_INPUTS_STORED / k_v)
    if f < least:
        text = (
            f"fan_in must give a hidden unit ≥ {LEAST_INPUTS:g} active inputs, f·c·k_v, and ≥ {LEAST_INPUTS_STORED:g} "
            f"when a pattern is stored, not {f * ones:.2g} and {f * k_v:.2g} (cue={cue:g})"
        )
        yield text, replace(settings, fan_in=_up(np.ceil(min(least, 1.0) * n_v) / n_v)), cue
    if f * (n_v - k_v) < LEAST_INACTIVE:
        text = f"n_visible must give a hidden unit ≥ {LEAST_INACTIVE:g} inactive inputs, f·(n_v − k_v), not "
        yield f"{text}{f * (n_v - k_v):.2g}", replace(settings, n_visible=int(k_v + LEAST_INACTIVE / f) + 2), cue
    driven = settings.k_hidden * settings.n_connections
    if driven < LEAST_DRIVEN * k_v:
        more = -(-LEAST_DRIVEN * k_v // settings.n_connections)
        text = f"k_hidden must give ≥ {LEAST_DRIVEN}·k_v = {LEAST_DRIVEN * k_v} connections, k_h·f·n_v, not {driven}"
        yield text, replace(settings, k_hidden=more, n_hidden=max(settings.n_hidden, 2 * more)), cue
    if settings.n_hidden > MOST_HIDDEN * n_v:
        most = MOST_HIDDEN * n_v
        text = f"n_hidden must be ≤ {MOST_HIDDEN}·n_v = {most}, not {settings.n_hidden}"
        yield text, replace(settings, n_hidden=most, k_hidden=min(settings.k_hidden, most)), cue
    slowest = least_learning_rate(f)
    if eps < slowest:
        text = f"learning_rate must be ≥ {slowest:g} with fan_in={settings.fan_in:g}, not {eps:g}"
        yield text, replace(settings, learning_rate=slowest), cue
    yield from _too_alike(settings, cue, alike)


def _too_alike(settings: KWinnerSettings, cue: float, alike: Alike) -> Iterator[tuple[str, KWinnerSettings, float]]:
    """Yield the limit of likeness if it is left, with the largest k_h that keeps it."""
    text = _why_too_alike(settings, alike(settings))
    if not text:
        return
    low, high = 1, settings.k_hidden
    while high - low > 1:
        middle = replace(settings, k_hidden=(low + high) // 2)
        low, high = (low, middle.k_hidden) if _why_too_alike(middle, alike(middle)) else (middle.k_hidden, high)
    yield f"k_hidden must be smaller: {text} (k_hidden={settings.k_hidden})", replace(settings, k_hidden=low), cue


def _why_too_alike(settings: KWinnerSettings, found: "Correlation") -> str:
    """Return how the winners of these settings are too much alike, or ""."""
    most, sparse = most_alike(settings), settings.n_connections <= SPARSE * settings.n_visible
    if found.likeness > most:
        return f"the likeness of winners, ρ·k_h·f, must be ≤ {most:g} here, not {found.likeness:.2g}"
    recurring = found.winners * settings.n_hidden / settings.k_hidden
    if recurring > MOST_RECURRING and not sparse:
        return f"the same units win together, ρ·n_h/k_h must be ≤ {MOST_RECURRING:g} here, not {recurring:.2g}"
    return ""


def least_learning_rate(fan_in: float) -> float:
    """Return the least ε that is covered with a fan-in."""
    return LEAST_LEARNING_RATE if fan_in <= SPARSE else LEAST_LEARNING_RATE_DENSE


def most_alike(settings: KWinnerSettings) -> float:
    """Return the largest likeness of winners that is covered for these settings."""
    if settings.learning_rate > FAST:
        return MOST_ALIKE["fast"]
    f = settings.n_connections / settings.n_visible
    return MOST_ALIKE["sparse" if f <= SPARSE and settings.k_visible >= MANY_ONES else "usual"]


def expected_error(settings: KWinnerSettings, ones: int, likeness: float) -> float:
    """Return the mean absolute error of the accuracy that is to be expected, as it was in this region of the map."""
    inputs = settings.n_connections / settings.n_visible * ones
    return ERRORS[np.searchsorted(INPUT_EDGES, inputs, "right")][np.searchsorted(LIKENESS_EDGES, likeness, "right")]


def check_consistent(found: bool, what: str) -> None:
    """Raise an error if the steps of the theory do not agree with each other."""
    if not found:
        raise TheoryLimitError(f"memory_settings must be ones on which the theory's steps agree, but it {what}")


def check_winners(share: float) -> None:
    """Raise an error if the steady state does not have k_h winners: the share Σ_i units_i win_rate_i n_h/k_h is not 1.

    It has too few or too many where the drives of winners lie in a tail that the lattice of drives does not resolve.
    """
    check_consistent(1 / MOST_OFF <= share <= MOST_OFF, f"gives {share:.1g} times as many winners as there are")


def check_curve(raw_difference: NDArray[np.float64]) -> None:
    """Raise an error if R.D. is not finite, or lies below 0 by more than the tolerance."""
    check_consistent(bool(np.isfinite(raw_difference).all()), "gives no finite numbers")
    least = float(raw_difference.min())
    check_consistent(least >= -TOLERANCE, f"gives an R.D. of {least:.2g}")


def ones_of_cue(k_visible: int, cue: float) -> int:
    """Return c k_v, rounded as the ones of cues are (``sf.partial_cues``)."""
    return int(cue * k_visible + 0.5)


def _up(value: float) -> float:
    """Return a number with four digits that is not smaller."""
    return min(float(np.ceil(value * 1e4) / 1e4), 1.0)
