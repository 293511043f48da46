"""The experiment of lemma 8: contexts in the fast weights of a slot-free model that can be built, beside attention."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.slot_free import SlotFreeEngine, SlotFreeTransformer, fast_key
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.weights import Weights, to_slow
from slotfree.files.safetensors import Arrays
from slotfree.paper.attention.theorem2.experiments import RUNS, TASK
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.scale import Scale
from slotfree.tasks.case_sequence import CaseSequenceTask

VANISHING = "1/√N"
WIDTHS = {"1": 1.0, "0.1": 0.1, VANISHING: None}
KEY_DIMS = (10, 30, 100, 300, 1000, 10_000)


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
        """Return the measures of ``measured``, each (a, N)."""
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
        return {**products(weights, engine, a), **measured(weights, engine, self.task, self.sequences, rng)}

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


def measured(
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
    scores = weights.W_Q[:, query] @ weights.W_K[:, context]
    s = np.exp(scores - scores.max())
    s /= s.sum()
    x = np.zeros(weights.W_V.shape[1])
    x[context] = s
    return s, x, weights.W_V @ x


STORAGE = Experiment("theorem2-storage", StoredContexts(), RUNS, few=2)
