"""Claims of the kinds that theorem 7 needs."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree.paper.shared import numeric
from slotfree.study import estimate
from slotfree.study.claim import Claim, Source, at_most, below, equal_to, of_paper
from slotfree.study.estimate import Estimate

ROUNDING = at_most(numeric.ROUNDING)
PAIRS = [(L, C) for L in range(2, 31) for C in range(1, L)]  # for which equations are checked
FEWER = [(L, C) for L, C in PAIRS if L <= 10]


def equal(
    name: str, claim: str, found: Estimate, to: float, paper: float | str = "", source: Source = "paper"
) -> Claim:
    """A claim that an estimate has a given expectation: contradicted if a difference is found at the 1 % level."""
    return Claim(name, claim, source=source, paper=paper, estimate=found, limits=equal_to(to))


def falling(name: str, claim: str, groups: Sequence[ArrayLike], paper: str, seed: int) -> Claim:
    """A claim that root mean squares fall from each group of squares to the next: the largest ratio is below 1."""

    def largest_ratio(*squares: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.sqrt(np.max([b / a for a, b in pairwise(squares)], axis=0))
        return found

    found = estimate.bootstrap(largest_ratio, *groups, of=means_of_rows, seed=seed)
    return of_paper(name, claim, paper=paper, estimate=found, limits=below(1))


def means_of_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means of many resampled groups, for ``bootstrap``."""
    found: NDArray[np.float64] = rows.mean(axis=1)
    return found


def exponent(sizes: Sequence[int], squares: NDArray[np.float64]) -> Estimate:
    """The power of a size by which root mean squares grow, from squares (size, draw); by leaving out single draws."""

    def slope(chosen: NDArray[np.float64]) -> float:
        return float(np.polyfit(np.log(sizes), np.log(chosen.mean(axis=1)) / 2, 1)[0])

    without = [slope(np.delete(squares, i, axis=1)) for i in range(squares.shape[1])]
    return estimate.jackknife(slope(squares), without)
