"""Theorem 1 for large memories, without sampling: the error of its formula, and the maximum of N Gaussian numbers.

Sizes are given by their logarithms L = ln n_h or ln N, as they reach 10³⁰⁰.
"""

from collections.abc import Callable
from math import log, pi

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import special, stats

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, VERMILION
from slotfree.forgetting.protocol import CUES

S_V = 0.1
C_0 = log(100) / 1000  # the smallest constant with n_h ≤ exp(c₀ n_v) at the paper's size
DECADES = (1, 2, 3, 5, 7, 10, 20, 30, 50, 100, 200, 300)
# How n_v grows with L = ln n_h: up to which power of 10 it is followed, its colour and its name.
GROWTHS: dict[str, tuple[Callable[[float], float], int, str, str]] = {
    "edge": (lambda L: L / C_0, 300, VERMILION, "$n_v$ = ln $n_h$ / $c_0$"),
    "cubic": (lambda L: 1000 * (L / log(100)) ** 3, 30, GREEN, "$n_v$ ∝ (ln $n_h$)³"),
    "constant": (lambda L: 1000.0, 10, BLUE, "$n_v$ = 1000"),
}


def baseline(cue: float, n_v: int, k_v: int, L: float) -> float:
    """The exact baseline, as ``one_winner.exact_baseline``, for any n_h.

    P(max < o) = (1 − P(overlap ≥ o))^{n_h}, with the tail of the hypergeometric distribution by its logarithm.
    """
    m = int(cue * k_v + 0.5)
    o = np.arange(m + 1)
    terms = log_choose(k_v, o) + log_choose(n_v - k_v, m - o) - log_choose(n_v, m)
    tail = np.minimum(np.logaddexp.accumulate(terms[::-1])[::-1][1:], 0)
    with np.errstate(divide="ignore", over="ignore"):
        each = np.where(tail > -30, np.log(-np.log1p(-np.exp(tail))), tail)  # ln(−ln(1 − P))
        overlap = -np.expm1(-np.exp(L + each)).sum()
    return float((overlap + (k_v - overlap) * (k_v - m) / (n_v - m)) / k_v)


def log_choose(n: int, k: NDArray[np.int64] | int) -> NDArray[np.float64]:
    """Logarithm of the number of ways to choose k of n."""
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))


def deviation(cue: float, growth: str, decade: float) -> float:
    """By how much proposition 2's formula exceeds the exact baseline at n_h = 10^decade, s_v = 0.1."""
    L = decade * log(10)
    k_v = round(S_V * GROWTHS[growth][0](L))
    n_v = round(k_v / S_V)
    return S_V + float(np.sqrt(2 * cue / n_v * (1 - S_V) * L)) - baseline(cue, n_v, k_v, L)


def scaled_deviation(cue: float, growth: str, decade: float) -> float:
    """The deviation as a multiple of ln ln n_h / ln n_h, which must stay bounded."""
    L = decade * log(10)
    return abs(deviation(cue, growth, decade)) * L / log(L)


def scaled_rise(growth: str, first: int, last: int) -> float:
    """By what factor the scaled deviation rises between two powers of ten; the larger of both cues."""
    return max(scaled_deviation(cue, growth, last) / scaled_deviation(cue, growth, first) for cue in CUES)


def location(L: float, factor: float) -> float:
    """a_N of theorem 4, √(2 ln N) − factor · ln(4π ln N)/√(2 ln N): the factor is printed as 1; ½ is right."""
    root = np.sqrt(2 * L)
    return float(root - factor * np.log(4 * pi * L) / root)


def gumbel_distance(L: float, factor: float) -> float:
    """Largest difference of the distribution of (S − a_N)/b_N, Φ(a_N + b_N z)^N, b_N = 1/a_N, from Gumbel's."""
    a = location(L, factor)
    z = np.linspace(-6, 40, 20_001)
    return float(np.abs(np.exp(np.exp(L) * special.log_ndtr(a + z / a)) - stats.gumbel_r.cdf(z)).max())


def draw_order(picture: Picture, axis: Axes) -> None:
    """Draw the deviation of the printed baseline by its order, for sizes that grow in several ways."""
    for name, (_, most, colour, label) in GROWTHS.items():
        decades = [d for d in DECADES if d <= most]
        scaled = [scaled_deviation(1.0, name, d) for d in decades]
        axis.plot(decades, scaled, "o-", ms=3, color=colour, label=label)
        deviations = [deviation(1.0, name, d) for d in decades]
        picture.record_columns(
            {"log10_n_hidden": np.array(decades), "deviation": np.array(deviations), "scaled": np.array(scaled)},
            table="-order",
            growth=name,
        )
    log_scale(axis, "xy")
    powers_of_ten(axis, "$n_h$")
    axis.set(ylim=(0.004, 4), ylabel="|printed − exact| · ln $n_h$ / ln ln $n_h$")
    axis.legend(loc="upper left", title="baseline, $s_v$ = 0.1, full cues", title_fontsize=8)


def draw_extreme(picture: Picture, axis: Axes) -> None:
    """Draw how far the largest of N Gaussian numbers is from Gumbel's distribution."""
    for label, factor, colour in (("as printed", 1.0, VERMILION), ("with a factor ½", 0.5, BLACK)):
        distances = [gumbel_distance(d * log(10), factor) for d in DECADES]
        axis.plot(DECADES, distances, "o-", ms=3, color=colour, label=f"$a_N$ {label}")
        picture.record_columns({"log10_N": DECADES, "distance": distances}, table="-extreme", factor=factor)
    log_scale(axis, "x")
    powers_of_ten(axis, "N")
    axis.set(ylim=(0, 1), ylabel="largest difference of\nboth distributions")
    axis.legend(loc="center right", bbox_to_anchor=(1, 0.35))


def powers_of_ten(axis: Axes, name: str) -> None:
    """Name the ticks of an axis of exponents by the numbers that they stand for."""
    exponents = (1, 3, 10, 30, 100, 300)
    axis.set_xticks(exponents, [f"$10^{{{exponent}}}$" for exponent in exponents])
    axis.set_xticks([], minor=True)
    axis.set_xlabel(name)
