"""The experiments of theorem 7 in which W_V is trained alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import TrainingPlan, plan_training
from slotfree.attention.weights import Weights
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.scale import Scale
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask(7, 3)
LIMIT, TRUE_LIMIT = theory.step_limit(7, 3), theory.true_step_limit(7, 3)
BATCH = 256
TRANSFORMER, PERFECT, BUILT = "transformer", "perfect", "built"
THEOREM = (TRANSFORMER, PERFECT)


@dataclass(frozen=True)
class ValueTraining:
    """Models that learn W_V alone, on the same sequences and from the same weights.

    Attributes
    ----------
    models : "transformer"; "perfect", the theorem's slot-free model, n_h = C; "built", the one that can be built, with
        n_h = 2L and input projections.
    step : η, for the loss Σ|ŷ − y|²/(2B).
    key_dim : N; None is the limit of large N: keys and queries of 0, and attention that is exactly uniform.
    batch_size : B.
    """

    models: tuple[str, ...]
    step: float
    key_dim: int | None = None
    task: CaseSequenceTask = TASK
    iterations: int = 400
    batch_size: int = BATCH

    @property
    def measured(self) -> list[int]:
        """Steps after which W_V is measured."""
        return [*range(0, self.iterations, max(5, self.iterations // 80)), self.iterations]

    def plan(self, model: str) -> TrainingPlan:
        """The training of a model. Our gradients are those of Σ|ŷ − y|²: the rate is η/(2B)."""
        rates = {"W_V": self.step / (2 * self.batch_size)}
        built = model_of(model, self.task, self.key_dim)
        return plan_training(built, self.task, self.iterations, self.batch_size, rates, ("W_V",), self.measured)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return W_V (model, step, 2, D), NaN where training diverged, and where large batches lead (model, 2, 2L)."""
        start = self.start(seed)
        return {
            "W_V": np.array([trained_values(self.plan(model), seed, start) for model in self.models]),
            "limit": np.array([self.limit(model, start) for model in self.models]),
        }

    def start(self, seed: np.random.SeedSequence) -> Weights:
        """W_Q, W_K ~ N(0, 1/N), W_V ~ U[0, 0.1)."""
        rng = np.random.default_rng(seed_for(seed, "start"))
        tokens = self.task.n_tokens
        if self.key_dim is None:
            W_Q, W_K = np.zeros((2, 1, tokens))
        else:
            W_Q, W_K = rng.normal(0, self.key_dim**-0.5, (2, self.key_dim, tokens))
        return Weights(W_Q, W_K, rng.uniform(0, 0.1, (2, tokens)))

    def limit(self, model: str, start: Weights) -> NDArray[np.float64]:
        """The letters' W_V of least loss; unless all units hold items, for uniform attention."""
        L, C = self.task.n_letters, self.task.context_length
        if model == BUILT:
            return theory.slot_free_limit(L, C, 2 * L)[0][:, : 2 * L]
        return self.task.case_code if self.key_dim is None else theory.large_batch_limit(start.query_key, self.task)

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        dims = {"W_V": ("run", "model", "step", "output", "token"), "limit": ("run", "model", "output", "letter")}
        names = list(self.task.token_names)
        coordinates = {
            "run": np.arange(len(results)),
            "model": list(self.models),
            "step": self.measured,
            "output": ["lowercase", "uppercase"],
            "token": names,
            "letter": names[: 2 * self.task.n_letters],
        }
        return xr.Dataset({name: (dims[name], arrays[name]) for name in dims}, coordinates)

    def at(self, scale: Scale) -> "ValueTraining":
        """The same with fewer iterations, in proportion."""
        fewer = self.iterations * scale.limit("iterations", 3000) // 3000
        return replace(self, iterations=min(self.iterations, max(60, fewer)))


def model_of(name: str, task: CaseSequenceTask, key_dim: int | None) -> Model:
    """A model by name."""
    N, C = key_dim or 1, task.context_length
    if name == TRANSFORMER:
        return BaselineTransformer(key_dim=N, beta=1.0)
    if name == PERFECT:
        return SlotFreeTransformer("fixed", key_dim=N, n_hidden=C, storage="perfect")
    return SlotFreeTransformer("fixed", key_dim=N, n_hidden=2 * task.n_letters)


def trained_values(plan: TrainingPlan, seed: np.random.SeedSequence, start: Weights) -> NDArray[np.float64]:
    """W_V along training, (step, 2, D); NaN if it diverges, but for the start."""
    try:
        return plan(seed, start)["W_V"]
    except FloatingPointError:
        none = np.full((len(plan.kept), *start.W_V.shape), np.nan)
        none[0] = start.W_V
        return none


def values(name: str, training: ValueTraining, runs: int = 4) -> Experiment:
    """An experiment of the theorem."""
    return Experiment(f"theorem2-{name}", training, runs, few=2)


def training_of(experiment: Experiment) -> ValueTraining:
    """What one run of such an experiment does."""
    return cast(ValueTraining, experiment.run)


RUNS = 20
SIZES = {
    N: values(f"N{N}", ValueTraining(THEOREM, 0.9 * LIMIT, N), runs=RUNS if N == 100 else 4) for N in (10, 100, 1000)
}
MAIN = SIZES[1000]
SMALL = values("N25-B64", ValueTraining((TRANSFORMER,), 0.9 * LIMIT, 25, batch_size=64), RUNS)
BATCHES = {
    B: values(f"B{B}", ValueTraining((TRANSFORMER,), 0.9 * LIMIT, batch_size=B), RUNS) for B in (16, 64, 256, 1024)
}
UNUSED = values("built", ValueTraining((BUILT,), LIMIT / 2, 100, iterations=1500), RUNS)
UNUSED_SMALL = values("built-N25-B64", ValueTraining((BUILT,), LIMIT / 2, 25, iterations=1500, batch_size=64), RUNS)
UNUSED_PRINTED = values("built-printed", ValueTraining((BUILT,), 0.9 * LIMIT, 100), RUNS)
BELOW = tuple(round(x, 3) for x in (LIMIT / 10, LIMIT / 3, LIMIT, 3 * LIMIT, TRUE_LIMIT / 2, 0.9 * TRUE_LIMIT))
BEYOND = tuple(round(x, 3) for x in (1.1 * TRUE_LIMIT, 2 * TRUE_LIMIT))
STEPS = {eta: values(f"step-{eta:g}", ValueTraining((TRANSFORMER,), eta), runs=6) for eta in (*BELOW, *BEYOND)}
PAIRS = ((3, 2), (4, 2), (4, 3), (6, 3), (6, 5), (8, 2), (8, 4), (8, 7), (4, 4))
GRID = {
    (L, C): values(
        f"L{L}-C{C}",
        ValueTraining((TRANSFORMER,), 0.9 * theory.step_limit(L, C), task=CaseSequenceTask(L, C)),
        runs=6,
    )
    for L, C in PAIRS
}
TRAININGS = (
    *SIZES.values(),
    SMALL,
    *BATCHES.values(),
    UNUSED,
    UNUSED_SMALL,
    UNUSED_PRINTED,
    *STEPS.values(),
    *GRID.values(),
)
