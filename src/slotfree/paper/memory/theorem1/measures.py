"""What theorem 1 is compared with: simulation and exact theory at each point of the grid, and the slots of memories."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import stats

from slotfree.forgetting import metrics
from slotfree.forgetting.theory import one_winner
from slotfree.paper.memory.theorem1.experiments import GRID, LEVELS, N_VISIBLE, PAPERS_SIZE, SLOTS, SMALL_CUES
from slotfree.study import estimate
from slotfree.study.estimate import Estimate, Values
from slotfree.study.results import Results


class Point(NamedTuple):
    """A point of the grid, and what is compared there."""

    n_hidden: int
    s_v: float
    cue: float
    quantity: str


@dataclass(frozen=True)
class Compared:
    """A quantity in each run of a simulation, and in both versions of the theory."""

    runs: Values
    exact: float
    asymptotic: float

    @property
    def simulated(self) -> Estimate:
        """Mean over runs."""
        return estimate.mean(self.runs)

    @property
    def error(self) -> float:
        """Standard error of that mean."""
        return float(self.runs.std(ddof=1) / np.sqrt(len(self.runs)))


def compare(r: Results) -> dict[Point, Compared]:
    """Baseline and mean R.D. at each point of the grid."""
    found = {}
    for (n_h, s_v), cue in product(GRID, LEVELS):
        size = {"n_visible": N_VISIBLE, "k_visible": round(s_v * N_VISIBLE), "n_hidden": n_h}
        data = r[GRID[n_h, s_v]].sel(cue=cue)
        ages = data["age"].values
        unseen = data["accuracy"].sel(kind="pseudo").mean("age").values
        delta = metrics.differences(data).mean("age").values
        exact = one_winner.exact_baseline(cue, **size)
        curves = (
            one_winner.exact_retention(ages, cue, **size) - exact,
            one_winner.raw_difference_curve(ages, cue, **size),
        )
        found[Point(n_h, s_v, cue, "baseline")] = Compared(unseen, exact, one_winner.baseline(cue, **size))
        found[Point(n_h, s_v, cue, "raw difference")] = Compared(delta, *(float(curve.mean()) for curve in curves))
    return found


def permitted_loss(ones: int, n_h: int, s_v: float) -> float:
    """The loss δ for which a cue lies exactly at proposition 5's bound: η = 1 − (1 − s_v^m)^{n_h − 1}."""
    return float(-np.expm1((n_h - 1) * np.log1p(-(s_v**ones))))


class SmallCues(NamedTuple):
    """Cues with few ones of a memory's stored patterns.

    Attributes
    ----------
    loss : of accuracy, mean of each run.
    bound : what proposition 5 permits.
    """

    n_hidden: int
    s_v: float
    ones: int
    loss: Values
    bound: float


def small_cues(r: Results) -> list[SmallCues]:
    """All that were simulated."""
    return [
        SmallCues(n_h, s_v, ones, r[e]["loss"].values[:, i], permitted_loss(ones, n_h, s_v))
        for (n_h, s_v), e in SLOTS.items()
        for i, ones in enumerate(SMALL_CUES)
    ]


def still_stored(r: Results) -> tuple[Values, Values]:
    """The share of patterns in memory at each age, (run, age), at the paper's size, and (1 − 1/n_h)^{a − 1}."""
    found = r[SLOTS[PAPERS_SIZE]]["stored"].values
    return found, np.asarray((1 - 1 / PAPERS_SIZE[0]) ** np.arange(found.shape[1]), np.float64)


def worst_score(differences: Sequence[Values]) -> tuple[float, float]:
    """The mean difference that is farthest from 0, in standard errors, and where chance ends for it.

    The limits are exceeded by any of them in one of 100 cases if all differences are 0; each has values of its runs.
    """
    errors = [d.std(ddof=1) / np.sqrt(len(d)) for d in differences]
    scores = [abs(d.mean()) / error if error > 0 else 0.0 for d, error in zip(differences, errors, strict=True)]
    limits = [float(stats.t.isf(estimate.TAIL / len(differences), len(d) - 1)) for d in differences]
    worst = int(np.argmax(np.divide(scores, limits)))
    return float(scores[worst]), limits[worst]
