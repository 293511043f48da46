"""Training several models side by side, as what one run of an experiment does."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.measures import LEARNT, SMOOTHED
from slotfree.attention.models import Model
from slotfree.attention.prediction import fast_key, reported
from slotfree.attention.training import TrainingPlan, plan_training
from slotfree.attention.weights import NAMES, Weights
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.labelled import Labelled
from slotfree.study.scale import Scale
from slotfree.tasks.base import Task, draw
from slotfree.tasks.lags import lags
from slotfree.tasks.sequences import Sequences


@dataclass(frozen=True)
class Condition:
    """A model on a task, by name.

    Attributes
    ----------
    learning_rates : by the name of the weights; those not named follow the rule.
    iterations : steps, if others than those of all conditions.
    """

    name: str
    model: Model
    task: Task
    learning_rates: Mapping[str, float] | None = None
    iterations: int | None = None

    def __hash__(self) -> int:
        return hash(self.name)  # rates are a mapping


@dataclass(frozen=True)
class Trainings(Labelled):
    """Train all models from the same seed, then test them on new sequences, by lag.

    Attributes
    ----------
    iterations, batch_size : of training, for conditions that do not say otherwise.
    tested : sequences of the test, for each condition; 0 for none. Those of a stream follow each other.
    """

    conditions: tuple[Condition, ...]
    iterations: int = 1000
    batch_size: int = 64
    tested: int = 0
    limits: ClassVar = {"iterations": "iterations", "tested": "n_tested"}
    dims: ClassVar = {"accuracy": ("condition", "iteration"), **dict.fromkeys(("right", "asked"), ("condition", "lag"))}

    @property
    def steps(self) -> int:
        """The most steps of any condition."""
        return max(condition.iterations or self.iterations for condition in self.conditions)

    @property
    def lags(self) -> int:
        """The number of lags that are told apart: the length of the longest context."""
        return max(condition.task.context_length for condition in self.conditions)

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays that a run returns: those of ``dims`` that are not empty."""
        there = {dim for dim, at in self.coordinates.items() if len(at)}
        return tuple(name for name, dims in self.dims.items() if there.issuperset(dims))

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``accuracy`` (condition, iteration), means over 25 steps; ``right``, ``asked`` (condition, lag).

        And what else ``names`` has. NaN after the end of a training that is shorter, and throughout one that diverges;
        after that nothing is asked.
        """
        sizes = {name: len(at) for name, at in self.coordinates.items()}
        arrays = {name: np.full([sizes[dim] for dim in self.dims[name]], np.nan) for name in self.names}
        for name in {"right", "asked"} & arrays.keys():
            arrays[name][:] = 0.0
        for i, condition in enumerate(self.conditions):
            plan = self.plan(condition)
            try:
                found = plan(seed)
            except FloatingPointError:
                continue
            blocks = found["accuracy"][: plan.iterations // SMOOTHED * SMOOTHED].reshape(-1, SMOOTHED).mean(axis=1)
            arrays["accuracy"][i, : len(blocks)] = blocks
            for name, values in self.measured(condition, found, seed_for(seed, "test")).items():
                arrays[name][i] = values
        return arrays

    def measured(self, condition: Condition, found: Arrays, test: np.random.SeedSequence) -> Mapping[str, Any]:
        """What ``names`` has but accuracy, of one training: here a test by lag."""
        if not self.tested:
            return {}
        right, asked = by_lag(condition, weights_of(found), self.tested, self.lags, test)
        return {"right": right, "asked": asked}

    def plan(self, condition: Condition) -> TrainingPlan:
        return plan_training(
            condition.model,
            condition.task,
            condition.iterations or self.iterations,
            self.batch_size,
            condition.learning_rates,
        )

    @property
    def coordinates(self) -> Mapping[str, Any]:
        return {
            "condition": [condition.name for condition in self.conditions],
            "iteration": np.arange(self.steps // SMOOTHED) * SMOOTHED,
            "lag": np.arange(self.lags if self.tested else 0),
        }

    def at(self, scale: Scale) -> Self:
        """The same with fewer iterations, also where a condition has its own, and with fewer sequences."""
        fewer = tuple(
            replace(each, iterations=each.iterations and scale.limit("iterations", each.iterations))
            for each in self.conditions
        )
        return replace(super().at(scale), conditions=fewer)


def weights_of(found: Mapping[str, NDArray[Any]]) -> Weights:
    """The weights at the end of one run, out of what a ``TrainingPlan`` returns."""
    W_Q, W_K, W_V = (found[name][-1] for name in NAMES)
    return Weights(W_Q, W_K, W_V, found.get("wiring"))


def answers(
    model: Model, weights: Weights, task: Task, size: int, seed: np.random.SeedSequence
) -> tuple[Sequences, NDArray[np.bool_]]:
    """New sequences, and whether each query is answered rightly, (n, A). Those of a stream follow each other."""
    sequences = draw(task, size, np.random.default_rng(seed_for(seed, "sequences")))
    key = fast_key(np.random.default_rng(seed_for(seed, "fast weights")))
    outputs = reported(model, weights, task, sequences, key, alike=False)
    return sequences, outputs.argmax(axis=-1).reshape(sequences.targets.shape) == sequences.targets


def by_lag(
    condition: Condition, weights: Weights, size: int, n_lags: int, seed: np.random.SeedSequence
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Right answers and questions by lag, (lag,), in a test of new sequences; larger lags are not counted."""
    sequences, is_right = answers(condition.model, weights, condition.task, size, seed)
    lag = lags(condition.task, sequences)
    counted = (lag >= 0) & (lag < n_lags)
    right, asked = (np.bincount(lag[some], minlength=n_lags).astype(float) for some in (counted & is_right, counted))
    return right, asked


def ended(data: xr.Dataset, share: float = 0.2) -> xr.DataArray:
    """Mean accuracy over the last part of training, (run, condition); NaN where it diverged."""
    accuracy = data["accuracy"]
    steps = accuracy.notnull().sum("iteration")
    late = xr.DataArray(np.arange(accuracy.sizes["iteration"]), dims="iteration") >= (1 - share) * steps
    return accuracy.where(late).mean("iteration")


def learnt_at(data: xr.Dataset, level: float = LEARNT) -> xr.DataArray:
    """Iteration of the first 25 with a mean accuracy of at least a level, (run, condition); infinity if none has."""
    reached = data["accuracy"] >= level
    first = data["iteration"][reached.argmax("iteration")]
    return first.where(reached.any("iteration"), np.inf)
