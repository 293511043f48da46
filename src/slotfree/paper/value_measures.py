"""What is measured of W_V in the experiments of theorem 2, beside the theory."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.paper.value_runs import (
    BATCH,
    TASK,
    ValueRuns,
)
from slotfree.runs.seeds import seed_for

KEY_DIMS, DRAWS = (10, 30, 100, 300, 1000, 3000, 10_000), 20


@dataclass(frozen=True)
class Trained:
    """What one model of an experiment gave, beside the theory.

    Attributes
    ----------
    steps : after which W_V was measured.
    letters : the letters' columns of W_V, (run, step, 2, 2L).
    limit : the same for large batches and long training, (run, 2, 2L).
    descent : distance from the case code of descent on the effective loss from the same start, (run, iteration).
    noise : what batches are expected to add to it, (step,).
    """

    experiment: ValueRuns
    model: str
    steps: NDArray[np.int64]
    letters: NDArray[np.float64]
    limit: NDArray[np.float64]
    descent: NDArray[np.float64]
    noise: NDArray[np.float64]

    @property
    def distance(self) -> NDArray[np.float64]:
        """‖W_V − case code‖, (run, step)."""
        return theory.distance(self.letters)

    @property
    def diverged(self) -> int:
        """Runs that end farther from the case code than they began, or with numbers that are not finite."""
        return int((~(self.distance[:, -1] <= self.distance[:, 0])).sum())

    @property
    def deviation(self) -> float:
        """The largest of any entry from the case code, at the end."""
        return float(np.abs(self.letters[:, -1] - self.experiment.task.case_code).max())

    @property
    def from_limit(self) -> float:
        """Distance from the limit at the end, root mean square over runs."""
        with np.errstate(over="ignore"):
            return rms(np.linalg.norm(self.letters[:, -1] - self.limit, axis=(1, 2)))

    @property
    def expected(self) -> float:
        """The same in theory: what descent leaves, and noise."""
        return float(np.hypot(rms(self.descent[:, -1]), self.noise[-1]))


Every: TypeAlias = dict[tuple[str, str], Trained]
Exact: TypeAlias = dict[int, NDArray[np.float64]]


def trained(experiment: ValueRuns, model: str, results: xr.Dataset) -> Trained:
    """Collect what is known of a model."""
    L, C, eta = experiment.task.n_letters, experiment.task.context_length, experiment.step
    data = results.sel(model=model)
    steps, letters = data["step"].values, data["W_V"].values[..., : 2 * L]
    descent = np.array([theory.distance(theory.descend(W, C, eta, int(steps[-1]))) for W in letters[:, 0]])
    noise = theory.noise_floor(L, C, eta, BATCH, steps)
    return Trained(experiment, model, steps, letters, data["limit"].values, descent, noise)


def large_batch_distance(N: int, draw: int, seed: int) -> float:
    """How far from the case code W_V ends with random keys and queries of size N, and all sequences in each batch."""
    rng = np.random.default_rng(seed_for(seed, "theorem2", "large batches", N, draw))
    W_Q, W_K = rng.normal(0, N**-0.5, (2, N, TASK.n_tokens))
    return float(theory.distance(theory.large_batch_limit(W_Q.T @ W_K, TASK)))


def rms(values: NDArray[np.float64]) -> float:
    """Root mean square."""
    with np.errstate(over="ignore"):
        return float(np.sqrt((values**2).mean()))
