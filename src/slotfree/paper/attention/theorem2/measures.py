"""What is measured of W_V in the experiments of theorem 7, beside the theory."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.paper.attention.theorem2.experiments import TASK, ValueTraining, training_of
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.results import Results

KEY_DIMS, DRAWS = (10, 30, 100, 300, 1000, 3000, 10_000), 20


@dataclass(frozen=True)
class LearnedValues:
    """What one model of an experiment learned, beside the theory.

    Attributes
    ----------
    steps : after which W_V was measured.
    letters : the letters' columns of W_V, (run, step, 2, 2L).
    limit : the same for large batches and long training, (run, 2, 2L).
    """

    name: str
    model: str
    training: ValueTraining
    steps: NDArray[np.int64]
    letters: NDArray[np.float64]
    limit: NDArray[np.float64]

    @cached_property
    def descent(self) -> NDArray[np.float64]:
        """Distance from the case code of descent on the effective loss from the same start, (run, iteration)."""
        C, eta, last = self.training.task.context_length, self.training.step, int(self.steps[-1])
        return np.array([theory.distance(theory.descend(W, C, eta, last)) for W in self.letters[:, 0]])

    @property
    def noise(self) -> NDArray[np.float64]:
        """What batches are expected to add to it, (step,)."""
        e = self.training
        return theory.noise_floor(e.task.n_letters, e.task.context_length, e.step, e.batch_size, self.steps)

    @property
    def distance(self) -> NDArray[np.float64]:
        """‖W_V − case code‖, (run, step)."""
        return theory.distance(self.letters)

    @property
    def diverged(self) -> int:
        """Runs that end farther from the case code than they began, or with numbers that are not finite."""
        return int((~(self.distance[:, -1] <= self.distance[:, 0])).sum())

    @property
    def contrast(self) -> NDArray[np.float64]:
        """Right less wrong output of each column at the end, (run, 2L)."""
        found: NDArray[np.float64] = (self.letters[:, -1] * (2 * self.training.task.case_code - 1)).sum(axis=1)
        return found

    @property
    def from_descent(self) -> NDArray[np.float64]:
        """Distance at the end from descent on the effective loss from the same start, (run,)."""
        C, eta, last = self.training.task.context_length, self.training.step, int(self.steps[-1])
        ends = np.array([theory.descend(W, C, eta, last)[-1] for W in self.letters[:, 0]])
        distances: NDArray[np.float64] = np.linalg.norm(self.letters[:, -1] - ends, axis=(1, 2))
        return distances

    @property
    def deviation(self) -> float:
        """The largest of any entry from the case code, at the end."""
        return float(np.abs(self.letters[:, -1] - self.training.task.case_code).max())

    @property
    def from_limit(self) -> NDArray[np.float64]:
        """Distance from the limit at the end, (run,)."""
        distances: NDArray[np.float64] = np.linalg.norm(self.letters[:, -1] - self.limit, axis=(1, 2))
        return distances

    @property
    def expected(self) -> float:
        """Its root mean square in theory: what descent leaves, and noise."""
        return float(np.hypot(rms(self.descent[:, -1]), self.noise[-1]))


def learned(r: Results, experiment: Experiment, model: str) -> LearnedValues:
    """Collect what is known of a model."""
    training = training_of(experiment)
    data = r[experiment].sel(model=model)
    letters = data["W_V"].values[..., : 2 * training.task.n_letters]
    return LearnedValues(experiment.name, model, training, data["step"].values, letters, data["limit"].values)


@cache
def large_batch_distances(seed: int) -> NDArray[np.float64]:
    """How far from the case code W_V ends with random keys and queries of size N, and all sequences in each batch.

    Returns
    -------
    Distances (N, draw).
    """
    return np.array([[_large_batch_distance(N, draw, seed) for draw in range(DRAWS)] for N in KEY_DIMS])


def _large_batch_distance(N: int, draw: int, seed: int) -> float:
    rng = np.random.default_rng(seed_for(seed, "theorem2", "large batches", N, draw))
    W_Q, W_K = rng.normal(0, N**-0.5, (2, N, TASK.n_tokens))
    return float(theory.distance(theory.large_batch_limit(W_Q.T @ W_K, TASK)))


def rms(values: NDArray[np.float64]) -> float:
    """Root mean square."""
    with np.errstate(over="ignore"):
        return float(np.sqrt((values**2).mean()))
