"""The steps of the proof of theorem 1, one by one: each inequality as a ratio that must not fall below 1."""

from collections.abc import Iterator
from math import log
from typing import NamedTuple

import numpy as np

from slotfree.paper.memory.theorem1.large import C_0, S_V

# n_h from 4 on, as (n_h − 2)/(n_h − 1) > ½ is assumed, and ε in (0, 1).
SIZES, EPSILONS = np.meshgrid(
    np.unique(np.geomspace(4, 1e6, 200).round()), (0.001, *np.arange(0.05, 1, 0.05), 0.999), indexing="ij"
)
TERMS = 60  # of the series


class Step(NamedTuple):
    """An inequality or equality of the proof.

    Attributes
    ----------
    ratio : of the larger side to the smaller one, where it is smallest.
    strict : whether both sides must differ.
    """

    name: str
    words: str
    ratio: float
    strict: bool = False


def steps() -> Iterator[Step]:
    """All steps from δ to the bound of θ."""
    n, delta = SIZES, SIZES ** -(1 + EPSILONS)
    p = 1 / (n - 1)
    left = -np.expm1(p * np.log1p(-delta))
    yield Step("delta-low", "1/n_h² ≤ δ", (delta * n**2).min())
    yield Step("delta-high", "δ ≤ 1/n_h", (1 / (delta * n)).min())
    total, term = np.zeros_like(n), np.ones_like(n)
    for i in range(TERMS):
        term = -term * (p - i) / (i + 1) * delta
        total -= term
    yield Step(
        "series",
        "1 − (1 − δ)^(1/(n_h − 1)) = 1 − (1 − δ/(n_h − 1) + … δ²/2! − …)",
        np.minimum(left / total, total / left).min(),
    )
    first = p * delta - p / 2 * delta**2 / (1 - delta)
    yield Step("first", "… ≥ δ/(n_h − 1) − ½ (δ² + δ³ + …)/(n_h − 1)", (left / first).min())
    second = p / n**2 - p / 2 / (n * (n - 1))
    yield Step("second", "… ≥ 1/((n_h − 1) n_h²) − ½ 1/((n_h − 1) n_h (n_h − 1))", (first / second).min())
    third = (n - 2) / (2 * n**2 * (n - 1) ** 2)
    yield Step("third", "… ≥ … = (n_h − 2)/(2 n_h² (n_h − 1)²)", np.minimum(second / third, third / second).min())
    yield Step("last", "… > 1/(4 n_h³)", (third * 4 * n**3).min(), strict=True)
    k_v = S_V * 1000
    least = np.log(left) / (k_v * log(S_V))
    bound = np.log(4 * n**3) / (-k_v * log(S_V))
    yield Step("theta", "θ ≤ ln(4 n_h³)/(−n_v s_v ln s_v)", (bound / least).min())
    n_v = np.log(n)[..., None] / C_0 * np.array([1, 1.5, 10, 1000])  # n_h ≤ exp(c₀ n_v)
    L = np.log(n)[..., None]
    yield Step(
        "condition",
        "(ln 4 + 3 ln n_h)/n_v ≤ ln 4/n_v + 3c₀ if n_h ≤ exp(c₀ n_v)",
        ((log(4) / n_v + 3 * C_0) / ((log(4) + 3 * L) / n_v)).min(),
    )
    yield Step("root", "√k_v ≥ √(s_v ln n_h/c₀) if n_h ≤ exp(c₀ n_v)", np.sqrt(S_V * n_v / (S_V / C_0 * L)).min())


def superpattern_ratio() -> float:
    """Largest ratio of the chance that a pattern contains a cue to s_v^{c k_v}, which proposition 5 takes for it."""
    found = []
    for n_v in (100, 1000):
        for k_v in (n_v // 20, n_v // 10, n_v // 5, n_v // 2):
            i = np.arange(k_v)
            found.append(np.exp(np.cumsum(np.log((k_v - i) / (n_v - i)) - log(k_v / n_v))).max())
    return float(max(found))
