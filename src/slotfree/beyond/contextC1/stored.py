"""Where items are stored during training: in units that are free, or in units that hold another item."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.result import kept_weights
from slotfree.attention.slot_free import SlotFreeTransformer, fast_key
from slotfree.attention.training import initial_weights, plan_training
from slotfree.attention.weights import Weights, to_slow
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.scale import Scale
from slotfree.tasks.case_sequence import CaseSequenceTask

MEASURES = ("taken", "gone", "different")
BEFORE = 25  # batches whose accuracy is averaged


@dataclass(frozen=True)
class Case:
    """A model by name.

    Attributes
    ----------
    centred : whether the components of each key and of each query add up to 0 before training. They then do so
        throughout, if what is read is only what was stored: queries change by stored keys, keys by queries and keys.
    """

    name: str
    model: SlotFreeTransformer
    centred: bool = False


@dataclass(frozen=True)
class Storing:
    """Train models, and store new sequences at some moments.

    Attributes
    ----------
    sequences : that are stored at each moment.
    edges : of bins of the sum of a key's components, Σ_j k_j; sums beyond count in the outer bins.
    """

    cases: tuple[Case, ...]
    task: CaseSequenceTask
    moments: tuple[int, ...] = (0, 25, 50, 100, 200, 400, 600)
    sequences: int = 100
    edges: tuple[float, ...] = tuple(np.arange(-2.0, 2.1, 0.5).tolist())

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``accuracy`` and ``key_norm``, (case, moment), ``storage`` (measure, case, moment), and bins of sums.

        Of the measures, ``taken`` is the share of winners that held an item already, for all items but the first;
        ``gone`` that of sequences in which no unit holds the item that is asked for; ``different`` how many different
        units there are, for each winner. ``in_bin`` (case, bin) counts items by Σ_j k_j before training, all but the
        first, and ``taken_in_bin`` adds up the shares of their winners that are taken.
        """
        shape = (len(self.cases), len(self.moments))
        accuracy, norm = np.empty((2, *shape))
        storage = np.empty((len(MEASURES), *shape))
        bins = np.zeros((2, len(self.cases), len(self.edges) - 1))
        for i, case in enumerate(self.cases):
            plan = plan_training(case.model, self.task, self.moments[-1], snapshots=self.moments)
            first = initial_weights(case.model, self.task, seed=seed_for(seed, "weights"))
            found = plan(seed, centred(first) if case.centred else first)
            every = {name: values[None] for name, values in found.items()}
            for j, moment in enumerate(self.moments):
                weights = kept_weights(every, j)[0]
                accuracy[i, j] = found["accuracy"][max(moment - BEFORE, 0) : max(moment, 1)].mean()
                norm[i, j] = np.linalg.norm(weights.W_K[:, : 2 * self.task.n_letters], axis=0).mean()
                storage[:, i, j], sums, taken = self.stored(case.model, weights, seed_for(seed, "stored", moment))
                if moment == 0:
                    sums = np.clip(sums, self.edges[0], self.edges[-1])
                    bins[:, i] = [np.histogram(sums, self.edges, weights=w)[0] for w in (taken, np.ones(taken.size))]
        return {"accuracy": accuracy, "key_norm": norm, "storage": storage, "taken_in_bin": bins[0], "in_bin": bins[1]}

    def stored(
        self, model: SlotFreeTransformer, weights: Weights, seed: np.random.SeedSequence
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """The measures, (measure,), and of all items but the first the sum of the key and the share of units taken."""
        batch = self.task.batch(self.sequences, seed=np.random.default_rng(seed_for(seed, "sequences")))
        engine = model.engine(
            self.task, fast_key(np.random.default_rng(seed_for(seed, "fast weights"))), weights.drawn_by
        )
        slow = to_slow(weights)
        L = self.task.n_letters
        taken, gone, different = [], [], []
        for n, (items, query) in enumerate(zip(batch.items, batch.queries[:, 0], strict=True)):
            engine.start(n)
            winners = [np.atleast_1d(engine.present(slow, item, step)) for step, item in enumerate(items)]
            taken += [np.isin(now, winners[:t]).mean() for t, now in enumerate(winners) if t]
            asked = int(np.flatnonzero(items[:, 0] % L == query % L)[-1])
            gone.append(float(np.isin(winners[asked], winners[asked + 1 :]).all()))
            different.append(np.unique(winners).size / winners[0].size)
        sums = weights.W_K.sum(axis=0)[batch.items[:, 1:, 0]]
        shares = np.array(taken)
        return np.array([shares.mean(), np.mean(gone), np.mean(different)]), sums.ravel(), shares

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs."""
        dims = {
            "accuracy": ("run", "case", "moment"),
            "key_norm": ("run", "case", "moment"),
            "storage": ("run", "measure", "case", "moment"),
            "taken_in_bin": ("run", "case", "sum"),
            "in_bin": ("run", "case", "sum"),
        }
        edges = np.array(self.edges)
        coordinates = {
            "case": [case.name for case in self.cases],
            "moment": list(self.moments),
            "measure": list(MEASURES),
            "sum": (edges[1:] + edges[:-1]) / 2,
        }
        return xr.Dataset(
            {name: (dims[name], np.array([result[name] for result in results])) for name in dims}, coordinates
        )

    def at(self, scale: Scale) -> "Storing":
        """The same with fewer iterations."""
        most = scale.limit("iterations", self.moments[-1])
        return replace(self, moments=tuple(n for n in self.moments if n <= most))


def centred(weights: Weights) -> Weights:
    """The same, but the components of each key, and of each query, add up to 0."""
    W_Q, W_K = (W - W.mean(axis=-2, keepdims=True) for W in (weights.W_Q, weights.W_K))
    return Weights(W_Q, W_K, weights.W_V, weights.wiring)
