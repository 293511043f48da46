"""The experiments of theorem 7: W_V trained alone, and contexts in the fast weights of a slot-free model (lemma 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.special import softmax

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.models import Model
from slotfree.attention.prediction import fast_key
from slotfree.attention.slot_free import SlotFreeEngine, SlotFreeTransformer
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.training import TrainingPlan, plan_training
from slotfree.attention.weights import Weights, to_slow
from slotfree.files.safetensors import Arrays
from slotfree.paper.figures import theorem2_theory as theory
from slotfree.runs.seeds import seed_for
from slotfree.study import Experiment, Scale
from slotfree.study.labelled import Labelled
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask(7, 3)
LIMIT, TRUE_LIMIT = theory.step_limit(7, 3), theory.true_step_limit(7)
RUNS, BATCH = 20, 256
TRANSFORMER, PERFECT, BUILT = "transformer", "perfect", "built"
VANISHING = "1/√N"
WIDTHS = {"1": 1.0, "0.1": 0.1, VANISHING: None}
KEY_DIMS = (10, 30, 100, 300, 1000, 10_000)


@dataclass(frozen=True)
class ValueTraining(Labelled):
    """Models that learn W_V alone, on the same sequences and from the same weights.

    Attributes
    ----------
    models : "transformer"; "perfect", the theorem's slot-free model, n_h = C, with item t in unit t; "built", the one
        with n_h = 2L units and W_HI as defined.
    step : η, for the loss Σ|ŷ − y|²/(2B).
    key_dim : N; None is the limit of large N: keys and queries of 0, and attention that is exactly uniform.
    batch_size : B.
    """

    dims: ClassVar = {"W_V": ("model", "step", "output", "token"), "limit": ("model", "output", "letter")}

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

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Models, steps, and the names of outputs and tokens."""
        names = list(self.task.token_names)
        return {
            "model": list(self.models),
            "step": self.measured,
            "output": ["lowercase", "uppercase"],
            "token": names,
            "letter": names[: 2 * self.task.n_letters],
        }

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


@dataclass(frozen=True)
class StoredContexts:
    """What becomes of contexts in n_h = 2L units with input projections, W_HK ~ U[0, a) and random keys, queries, W_V.

    Attributes
    ----------
    widths : a by name; None is 1/√N.
    sequences : for each a and N.
    """

    widths: tuple[tuple[str, float | None], ...] = tuple(WIDTHS.items())
    key_dims: tuple[int, ...] = KEY_DIMS
    sequences: int = 40
    task: CaseSequenceTask = TASK

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return what ``products`` and ``stored_contexts`` measure, each (a, N)."""
        rows = [[self.at_size(seed, name, a, N) for N in self.key_dims] for name, a in self.widths]
        return {name: np.array([[row[name] for row in line] for line in rows]) for name in rows[0][0]}

    def at_size(self, seed: np.random.SeedSequence, name: str, width: float | None, N: int) -> dict[str, float]:
        """The measures for one a and one N, with weights of their own."""
        rng = np.random.default_rng(seed_for(seed, name, N))
        tokens, a = self.task.n_tokens, N**-0.5 if width is None else width
        W_Q, W_K = rng.normal(0, N**-0.5, (2, N, tokens))
        weights = Weights(W_Q, W_K, rng.uniform(0, 0.1, (2, tokens)))
        units = 2 * self.task.n_letters
        model = SlotFreeTransformer("fixed", key_dim=N, n_hidden=units, storage=OneWinner(a))
        engine = model.engine(self.task, fast_key(rng))
        return {**products(weights, engine, a), **stored_contexts(weights, engine, self.task, self.sequences, rng)}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        coordinates = {
            "run": np.arange(len(results)),
            "a": [name for name, _ in self.widths],
            "N": list(self.key_dims),
        }
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        data = xr.Dataset({name: (("run", "a", "N"), array) for name, array in arrays.items()}, coordinates)
        return data.assign(sequences=self.sequences)

    def at(self, scale: Scale) -> "StoredContexts":
        """The same with fewer sequences."""
        return replace(self, sequences=10)


def products(weights: Weights, engine: SlotFreeEngine, a: float) -> dict[str, float]:
    """Means and mean squares of k·k', of W_QᵀW_K and of k·l with the first initial W_HK, by what they should be.

    Keys are those of the letters; products are divided by 1/√N, and those with l by a.
    """
    n, N = len(engine.fast.HK), len(weights.W_K)
    K = weights.W_K[:, :n]
    keys = (K.T @ K)[np.triu_indices(n, 1)] * N**0.5
    queries = weights.W_Q[:, n:].T @ K * N**0.5
    fresh = engine.start(0)[0] @ K / a
    found = {"keys": keys, "queries": queries, "fresh": fresh}
    means = {f"{name}_mean": float(values.mean()) for name, values in found.items()}
    return {**means, **{f"{name}_square": float((values**2).mean()) for name, values in found.items()}}


def stored_contexts(
    weights: Weights, engine: SlotFreeEngine, task: CaseSequenceTask, n: int, rng: np.random.Generator
) -> dict[str, float]:
    """Store n contexts, ask for an item, and compare with attention over all items (β = 1).

    "collided", the share of sequences in which an item overwrites another; "misplaced", that in which an item is not
    stored by the unit to which W_HI projects it; "own" and "others", mean square of the drive
    of the item's own unit less 1, and of the largest other one; "attention", mean square of C s − 1 in the transformer;
    "unused", the attention that units without an item get; "output" and "gradient", mean squares of the transformer's
    ŷ and (ŷ − y) x̃ᵀ, and "output_gap", "gradient_gap", those of the difference.
    """
    slow, drawn = to_slow(weights), task.batch(n, seed=rng)
    C = task.context_length
    rows = []
    for number, (context, query, target) in enumerate(zip(drawn.context, drawn.query, drawn.target, strict=True)):
        engine.steps.start(engine.fast, engine.setup, number)
        own, others, winners = [], [], []
        for step, token in enumerate(context):
            winners.append(int(engine.present(slow, np.array([token]), step)))
            squares = engine.activity.h**2
            own.append((engine.activity.h[token] - 1) ** 2)
            squares[token] = 0.0
            others.append(squares.max())
        activity = engine.answer(slow, int(query))
        s, x, y_hat = attended(weights, context, query)
        y = np.eye(2)[target]
        gradient = np.outer(y_hat - y, x)
        rows.append(
            {
                "collided": float(len(set(winners)) < C),
                "misplaced": float(winners != context.tolist()),
                "own": np.mean(own),
                "others": np.mean(others),
                "attention": ((C * s - 1) ** 2).mean(),
                "unused": 1 - activity.s[list(set(winners))].sum(),
                "output": (y_hat**2).mean(),
                "output_gap": ((activity.y_hat - y_hat) ** 2).mean(),
                "gradient": (gradient**2).mean(),
                "gradient_gap": ((np.outer(activity.y_hat - y, activity.x) - gradient) ** 2).mean(),
            }
        )
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def attended(
    weights: Weights, context: NDArray[np.int64], query: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Attention over the items of a context, softmax(k_tᵀq), what it reinstates, x̃, and the output, W_V x̃."""
    s = softmax(weights.W_Q[:, query] @ weights.W_K[:, context])
    x = np.zeros(weights.W_V.shape[1])
    x[context] = s
    return s, x, weights.W_V @ x


def values(name: str, training: ValueTraining, runs: int = RUNS) -> Experiment:
    """An experiment of the theorem."""
    return Experiment(f"theorem2-{name}", training, runs, few=2)


def training_of(experiment: Experiment) -> ValueTraining:
    """What one run of such an experiment does."""
    return cast(ValueTraining, experiment.run)


SIZES = {
    N: values(f"N{N}", ValueTraining((TRANSFORMER, PERFECT), 0.9 * LIMIT, N), runs)
    for N, runs in ((10, 4), (100, RUNS), (1000, 4))
}
SMALL = values("N25-B64", ValueTraining((TRANSFORMER,), 0.9 * LIMIT, 25, batch_size=64))
BATCHES = {B: values(f"B{B}", ValueTraining((TRANSFORMER,), 0.9 * LIMIT, batch_size=B)) for B in (16, 64, 256, 1024)}
UNUSED = values("built", ValueTraining((BUILT,), LIMIT / 2, 100, iterations=1500))
UNUSED_SMALL = values("built-N25-B64", ValueTraining((BUILT,), LIMIT / 2, 25, iterations=1500, batch_size=64))
UNUSED_PRINTED = values("built-printed", ValueTraining((BUILT,), 0.9 * LIMIT, 100))
STEPS = {
    eta: values(f"step-{eta:g}", ValueTraining((TRANSFORMER,), eta), runs=6)
    for eta in (0.1, 0.333, 1.0, 3.0, 14.0, 25.2, 30.8, 56.0)
}
# What the paper trains: C = L = 4, which the theorem leaves out.
EQUAL = values("L4-C4", ValueTraining((TRANSFORMER,), 0.9 * theory.step_limit(4, 4), task=CaseSequenceTask(4, 4)), 6)
STORAGE = Experiment("theorem2-storage", StoredContexts(), RUNS, few=2)
TRAININGS = (
    *SIZES.values(),
    SMALL,
    *BATCHES.values(),
    UNUSED,
    UNUSED_SMALL,
    UNUSED_PRINTED,
    *STEPS.values(),
    EQUAL,
)
