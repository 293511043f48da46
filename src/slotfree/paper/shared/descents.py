"""Periods in which a loss falls, with slower stretches between them.

A run's iterations come in blocks of 100. A period of descent is a place where the fall from one block to the next is
steeper than before and after it. Noise has such places too, so half of the batches say where they are, and the other
half, whose noise is another, whether the stretches between them are slower; and the other way round.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy import signal, stats

Values = NDArray[np.float64]
Places = NDArray[np.int64]

BLOCK = 100  # iterations
LEVEL = 0.01  # chance that two periods are told apart where there is but one


@dataclass(frozen=True)
class Descents:
    """The n most marked periods of descent of each run, and the slowest places between them.

    Attributes
    ----------
    steepest, slowest : iterations, (run, n) and (run, n − 1); NaN in runs that have fewer.
    pause : rate of fall at the slowest places as a share of that of the slower period beside them, largest of each run,
        (run,).
    are_separate : whether every slowest place is reliably slower than the periods on both sides, (run,).
    """

    steepest: Values
    slowest: Values
    pause: Values
    are_separate: NDArray[np.bool_]


def descents(loss: xr.DataArray, n: int) -> Descents:
    """Find the n most marked periods of descent of each run, (run, iteration)."""
    found = [_of_run(run, n) for run in loss.transpose("run", "iteration").values]
    return Descents(*(np.array(part) for part in zip(*found, strict=True)))


def _of_run(loss: Values, n: int) -> tuple[Values, Values, float, bool]:
    blocks = loss[: len(loss) // BLOCK * BLOCK].reshape(-1, BLOCK)
    steep, slow = _places(-np.diff(blocks.mean(axis=1)), n)
    even, odd = blocks[:, 0::2], blocks[:, 1::2]
    pause, score = np.mean([_judged(even, odd, n), _judged(odd, even, n)], axis=0)
    is_separate = bool(score * np.sqrt(2) > stats.norm.isf(LEVEL))
    if len(steep) < n:
        return np.full(n, np.nan), np.full(n - 1, np.nan), np.nan, False
    between = [np.asarray((places + 1) * BLOCK, np.float64) for places in (steep, slow)]  # the blocks compared
    return between[0], between[1], float(pause), is_separate


def _places(falls: Values, n: int) -> tuple[Places, Places]:
    """The n peaks of the fall that stand out most, the ends among them, and the lowest place between each two."""
    padded = np.concatenate([[-np.inf], falls, [-np.inf]])
    peaks, _ = signal.find_peaks(padded)
    prominence = signal.peak_prominences(padded, peaks)[0]
    steep = np.sort(peaks[np.argsort(-prominence, kind="stable")[:n]] - 1)
    slow = [a + int(falls[a:b].argmin()) for a, b in pairwise(steep)]
    return steep, np.array(slow, np.int64)


def _judged(chosen: Values, judged: Values, n: int) -> tuple[float, float]:
    """How slow the slowest places are, and the least difference to a period beside them in standard errors.

    Parameters
    ----------
    chosen, judged : batches that say where the periods are, and batches that say how steep they are, (block, batch).
    """
    steep, slow = _places(-np.diff(chosen.mean(axis=1)), n)
    if len(steep) < n:
        return np.nan, -np.inf
    falls, variance = -np.diff(judged.mean(axis=1)), judged.var(axis=1, ddof=1) / judged.shape[1]
    error = np.sqrt(variance[1:] + variance[:-1])
    sides = np.array([steep[:-1], steep[1:]])
    pause = falls[slow] / falls[sides].min(axis=0)
    scores = (falls[sides] - falls[slow]) / np.hypot(error[sides], error[slow])
    return float(pause.max()), float(scores.min())
