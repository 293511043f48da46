"""The experiments of theorem 2: training W_V alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import TrainingPlan, plan_training
from slotfree.attention.weights import Weights
from slotfree.paper.experiments import described
from slotfree.paper.scale import Scale
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask(7, 3)
LIMIT, TRUE_LIMIT = theory.step_limit(7, 3), theory.true_step_limit(7, 3)
BATCH = 256
TRANSFORMER, PERFECT, BUILT = "transformer", "perfect", "built"
THEOREM = (TRANSFORMER, PERFECT)


@dataclass(frozen=True)
class ValueRun:
    """One run: models that learn W_V alone, on the same sequences and from the same weights, as a function of a seed.

    ``key_dim`` None is the limit of large N: keys and queries of 0, and attention that is exactly uniform.
    """

    plans: tuple[TrainingPlan, ...]
    key_dim: int | None

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return W_V (model, step, 2, D), NaN where training diverged, and where large batches lead (model, 2, 2L)."""
        start = self.start(seed)
        return {
            "W_V": np.array([self.train(plan, seed, start) for plan in self.plans]),
            "limit": np.array([self.limit(plan, start) for plan in self.plans]),
        }

    def start(self, seed: np.random.SeedSequence) -> Weights:
        """W_Q, W_K ~ N(0, 1/N), W_V ~ U[0, 0.1)."""
        rng = np.random.default_rng(seed_for(seed, "start"))
        tokens = self.plans[0].task.n_tokens
        if self.key_dim is None:
            W_Q, W_K = np.zeros((2, 1, tokens))
        else:
            W_Q, W_K = rng.normal(0, self.key_dim**-0.5, (2, self.key_dim, tokens))
        return Weights(W_Q, W_K, rng.uniform(0, 0.1, (2, tokens)))

    def train(self, plan: TrainingPlan, seed: np.random.SeedSequence, start: Weights) -> NDArray[np.float64]:
        """W_V along training, (step, 2, D)."""
        try:
            return plan(seed, start)["W_V"]
        except FloatingPointError:
            none = np.full((len(plan.kept), *start.W_V.shape), np.nan)
            none[0] = start.W_V
            return none

    def limit(self, plan: TrainingPlan, start: Weights) -> NDArray[np.float64]:
        """The letters' W_V of least loss; unless all units hold items, for uniform attention."""
        task = cast(CaseSequenceTask, plan.task)
        if isinstance(plan.model, SlotFreeTransformer) and plan.model.storage == "winner":
            L, C = task.n_letters, task.context_length
            return theory.slot_free_limit(L, C, plan.model.units)[0][:, : 2 * L]
        return task.case_code if self.key_dim is None else theory.large_batch_limit(start.query_key, task)


@dataclass(frozen=True)
class ValueRuns:
    """Many such runs.

    Attributes
    ----------
    models : "transformer"; "perfect", the theorem's slot-free model, n_h = C; "built", the one that can be built, with
        n_h = 2L and input projections.
    step : η, for the loss Σ|ŷ − y|²/(2B).
    runs, length : how many, and how many iterations each, at the paper's scale.
    """

    name: str
    models: tuple[str, ...]
    step: float
    key_dim: int | None = None
    task: CaseSequenceTask = TASK
    runs: int = 4
    length: int = 400

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return min(self.runs, max(2, scale.training_runs // 2))

    def iterations(self, scale: Scale) -> int:
        """How long training is at a scale."""
        return min(self.length, max(60, self.length * scale.iterations // 3000))

    def snapshots(self, scale: Scale) -> list[int]:
        """Steps after which W_V is measured."""
        end = self.iterations(scale)
        return [*range(0, end, max(5, end // 80)), end]

    def model(self, name: str) -> Model:
        """A model by name."""
        N, C = self.key_dim or 1, self.task.context_length
        if name == TRANSFORMER:
            return BaselineTransformer(key_dim=N, beta=1.0)
        if name == PERFECT:
            return SlotFreeTransformer("fixed", key_dim=N, n_hidden=C, storage="perfect")
        return SlotFreeTransformer("fixed", key_dim=N, n_hidden=2 * self.task.n_letters)

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        return {"protocol": "values", **described(self.plan(scale))}

    def plan(self, scale: Scale) -> ValueRun:
        """Return the function of a seed that performs one run.

        Our gradients are those of Σ|ŷ − y|²: the rate is η/(2B).
        """
        how = (self.iterations(scale), BATCH, {"W_V": self.step / (2 * BATCH)}, ("W_V",), self.snapshots(scale))
        return ValueRun(tuple(plan_training(self.model(m), self.task, *how) for m in self.models), self.key_dim)

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        dims = {"W_V": ("run", "model", "step", "output", "token"), "limit": ("run", "model", "output", "letter")}
        names = list(self.task.token_names)
        coordinates = {
            "run": np.arange(len(results)),
            "model": list(self.models),
            "step": self.snapshots(scale),
            "output": ["lowercase", "uppercase"],
            "token": names,
            "letter": names[: 2 * self.task.n_letters],
        }
        return xr.Dataset({name: (dims[name], arrays[name]) for name in dims}, coordinates)

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core: per sequence, some time, and some for each unit and key."""
        N, C, D = self.key_dim or 1, self.task.context_length, self.task.n_tokens
        units = 2 * self.task.n_letters
        more = {TRANSFORMER: 3.4e-9 * C * N, PERFECT: 0.5e-6 + 1.6e-9 * C * N, BUILT: (1.9e-9 * N + 5e-9 * D) * units}
        each = sum(0.45e-6 + 0.03e-6 * C + more[model] for model in self.models)
        return self.count(scale) * self.iterations(scale) * BATCH * each


STEP = 0.9 * LIMIT
SIZES = {N: ValueRuns(f"theorem2-N{N}", THEOREM, STEP, N) for N in (10, 100, 1000)}
MAIN = SIZES[1000]
UNUSED = ValueRuns("theorem2-built", (BUILT,), LIMIT / 2, 100, runs=2, length=1500)
BELOW = tuple(round(x, 3) for x in (LIMIT / 10, LIMIT / 3, LIMIT, 3 * LIMIT, TRUE_LIMIT / 2, 0.9 * TRUE_LIMIT))
BEYOND = tuple(round(x, 3) for x in (1.1 * TRUE_LIMIT, 2 * TRUE_LIMIT))
STEPS = {eta: ValueRuns(f"theorem2-step-{eta:g}", (TRANSFORMER,), eta, runs=6) for eta in (*BELOW, *BEYOND)}
UNUSED_AT_LIMIT = ValueRuns("theorem2-built-at-limit", (BUILT,), LIMIT, runs=2)
PAIRS = ((3, 2), (4, 2), (4, 3), (6, 3), (6, 5), (8, 2), (8, 4), (8, 7), (4, 4))
GRID = {
    (L, C): ValueRuns(
        f"theorem2-L{L}-C{C}", (TRANSFORMER,), 0.9 * theory.step_limit(L, C), task=CaseSequenceTask(L, C), runs=6
    )
    for L, C in PAIRS
}
EVERY = (*SIZES.values(), UNUSED, UNUSED_AT_LIMIT, *STEPS.values(), *GRID.values())
