"""Large memories without sampling: the baseline for any n_h, the maximum of N Gaussian numbers, the bound θ.

Sizes are given by their logarithms L = ln n_h or ln N, as they reach 10³⁰⁰.
"""

from collections.abc import Callable
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from slotfree.drawing.style import BLUE, GREEN, VERMILION

S_V = 0.1
C_0 = log(100) / 1000  # the smallest constant with n_h ≤ exp(c₀ n_v) at the paper's size
DECADES = (1, 2, 3, 5, 7, 10, 20, 30, 50, 100, 200, 300)
# How n_v grows with L = ln n_h: up to which power of 10 it is followed, its colour and its name.
GROWTHS: dict[str, tuple[Callable[[float], float], int, str, str]] = {
    "edge": (lambda L: L / C_0, 300, VERMILION, "$n_v$ = ln $n_h$ / $c_0$"),
    "cubic": (lambda L: 1000 * (L / log(100)) ** 3, 30, GREEN, "$n_v$ ∝ (ln $n_h$)³"),
    "constant": (lambda L: 1000.0, 10, BLUE, "$n_v$ = 1000"),
}


def rate(L: float) -> float:
    """ln ln n_h / ln n_h, the order that theorem 1 gives its error."""
    return log(L) / L


def baseline(cue: float, n_v: int, k_v: int, L: float) -> float:
    """The exact baseline, as ``one_winner.exact_baseline``, for any n_h.

    P(max < o) = (1 − P(overlap ≥ o))^{n_h}, with the tail of the hypergeometric distribution by its logarithm.
    """
    m = int(cue * k_v + 0.5)
    o = np.arange(m + 1)
    terms = _log_choose(k_v, o) + _log_choose(n_v - k_v, m - o) - _log_choose(n_v, m)
    tail = np.minimum(np.logaddexp.accumulate(terms[::-1])[::-1][1:], 0)
    with np.errstate(divide="ignore", over="ignore"):
        each = np.where(tail > -30, np.log(-np.log1p(-np.exp(tail))), tail)  # ln(−ln(1 − P))
        overlap = -np.expm1(-np.exp(L + each)).sum()
    return float((overlap + (k_v - overlap) * (k_v - m) / (n_v - m)) / k_v)


def _log_choose(n: int, k: NDArray[np.int64] | int) -> NDArray[np.float64]:
    """Logarithm of the number of ways to choose k of n."""
    found: NDArray[np.float64] = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return found


def deviation(cue: float, growth: str, decade: float) -> float:
    """By how much proposition 2's formula exceeds the exact baseline at n_h = 10^decade, s_v = 0.1."""
    L = decade * log(10)
    k_v = round(S_V * GROWTHS[growth][0](L))
    n_v = round(k_v / S_V)
    return S_V + float(np.sqrt(2 * cue / n_v * (1 - S_V) * L)) - baseline(cue, n_v, k_v, L)


def scaled_deviation(cue: float, growth: str, decade: float) -> float:
    """The deviation as a multiple of ln ln n_h / ln n_h, which must stay bounded."""
    return abs(deviation(cue, growth, decade)) / rate(decade * log(10))


def limit_deviation(cue: float) -> float:
    """To what the deviation tends for n_h = exp(c₀ n_v) → ∞: the best overlap is a fraction y of the cue's ones.

    Of n_h patterns one has it if its probability is exp(−c₀ n_v): Stirling's formula for the hypergeometric terms.
    """
    c, s = cue, S_V

    def exponent(y: float) -> float:  # of P(overlap = y c k_v), by n_v, and c₀
        return s * _entropy(y * c) + (1 - s) * _entropy((1 - y) * c * s / (1 - s)) - _entropy(c * s) + C_0

    y = optimize.brentq(exponent, s, 1 - 1e-12)
    found = y * c + (1 - y * c) * s * (1 - c) / (1 - c * s)
    return float(s + np.sqrt(2 * c * (1 - s) * C_0) - found)


def _entropy(p: float) -> float:
    return float(stats.bernoulli.entropy(p)) if 0 < p < 1 else 0.0


def theta(epsilon: float, n_v: float, L: float) -> float:
    """θ of theorem 1, as ``one_winner.theta``, for n_h up to 10¹⁰⁰."""
    n_h = np.exp(L)
    return float(np.log(-np.expm1(np.log1p(-np.exp(-(1 + epsilon) * L)) / (n_h - 1))) / (S_V * n_v * log(S_V)))


def log_loss(m: int, n_v: int, k_v: int, L: float) -> float:
    """Logarithm of the accuracy that a stored pattern's cue of m ones loses on average, m ≤ k_v.

    As ``1 − one_winner.exact_stored``; where no two others contain the cue: (n_h − 1) q/2 times what the wrong one
    lacks.
    """
    log_q = float(_log_choose(n_v - m, k_v - m) - _log_choose(n_v, k_v))
    lacks = np.log1p(-(m + (k_v - m) * (k_v - m) / (n_v - m)) / k_v)
    if L + log_q < -20:
        return float(L + np.log1p(-np.exp(-L)) + log_q - log(2) + lacks)
    n_h, q = np.exp(L), np.exp(log_q)
    return float(np.log1p(np.expm1(n_h * np.log1p(-q)) / (n_h * q)) + lacks)


def location(L: float, factor: float) -> float:
    """a_N of theorem 4, √(2 ln N) − factor · ln(4π ln N)/√(2 ln N): the factor is printed as 1; ½ is right."""
    root = np.sqrt(2 * L)
    return float(root - factor * np.log(4 * pi * L) / root)


def gumbel_distance(L: float, factor: float) -> float:
    """Largest difference of the distribution of (S − a_N)/b_N, Φ(a_N + b_N z)^N, b_N = 1/a_N, from Gumbel's."""
    a = location(L, factor)
    z = np.linspace(-6, 40, 20_001)
    return float(np.abs(np.exp(np.exp(L) * special.log_ndtr(a + z / a)) - stats.gumbel_r.cdf(z)).max())


def mean_maximum(L: float) -> float:
    """E[S], the mean of the largest of N standard Gaussian numbers: b − ∫ F up to a b that none of them reaches."""
    x = np.linspace(-12, 45, 60_001)
    return float(x[-1] - np.trapezoid(np.exp(np.exp(L) * special.log_ndtr(x)), x))
