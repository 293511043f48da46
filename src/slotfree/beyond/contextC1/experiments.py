"""What is trained: the paper's storage taken apart, the grid, and variants; and where items are stored on the way."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.key_rules import FIXED, MHN, QUERY_KEY
from slotfree.attention.result import kept_weights
from slotfree.attention.slot_free import SlotFreeTransformer, fast_key
from slotfree.attention.storages.winners import Winners
from slotfree.attention.training import initial_weights, plan_training
from slotfree.attention.weights import Weights, to_slow
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.labelled import Labelled
from slotfree.study.scale import Scale
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask()
RUNS = 10
STEPS = 1000  # of the controls; others are as long as it takes those that learn
LONG = 5000  # the paper's
PUBLISHED, ZERO, ONLY_Z, BOTH = "as published", "zero start", "Z", "zero start and Z"
SLOWER = "Z, rates/10"
BARE, BARE_BOTH, THIN = (
    "as published, no projections",
    "zero start and Z, no projections",
    "3 thin winners, no projections",
)
KS, FS, UNITS = (1, 3, 10, 30), (0.04, 0.1, 0.3, 1.0), (40, 160, 640)
WITH, WITHOUT = "with", "without"
PLACES = {WITH: True, WITHOUT: False}  # input projections
RULES = {"QK": QUERY_KEY, "MHN": MHN, "fixed keys": FIXED}
CHANGES = {  # of the storage of 3 winners with f = 0.1
    "no Z": Winners(normalise=False),
    "read by winners": Winners(reading="winners"),
    "ε = 0.3": Winners(rate=0.3),
    "f_out = 0.5": Winners(item_fan_out=0.5),
    "f_out = 0.25": Winners(item_fan_out=0.25),
}
MORE = "f_out = 0.5, K = 10"
OWN = Winners(k=1, fan_in=1.0, projection_gain=1.0, projections="own")  # the paper's, but for zero start and Z


def distributed(k: int, f: float, n_hidden: int, projections: bool) -> SlotFreeTransformer:
    """A distributed context."""
    return SlotFreeTransformer(input_projections=projections, n_hidden=n_hidden, storage=Winners(k=k, fan_in=f))


def controls() -> tuple[Condition, ...]:
    """The paper's model with n_h = 16, and with its storage changed step by step; at the end thin units."""
    slower = {name: rate / 10 for name, rate in SlotFreeTransformer().rates.items()}
    bare = SlotFreeTransformer(input_projections=False)
    return (
        Condition(PUBLISHED, SlotFreeTransformer(), TASK),
        Condition(ZERO, SlotFreeTransformer(storage=replace(OWN, normalise=False)), TASK),
        Condition(ONLY_Z, SlotFreeTransformer(storage=replace(OWN, start="random")), TASK),
        Condition(SLOWER, SlotFreeTransformer(storage=replace(OWN, start="random")), TASK, slower),
        Condition(BOTH, SlotFreeTransformer(storage=OWN), TASK),
        Condition(BARE, bare, TASK, iterations=LONG),
        Condition(BARE_BOTH, distributed(1, 1.0, 16, False), TASK),
        Condition(THIN, distributed(3, 0.1, 50, False), TASK, iterations=LONG),
    )


def is_left_out(k: int, f: float, n_hidden: int, projections: bool) -> bool:
    """Whether a cell of the grid is left out, as it takes long and its neighbours say as much."""
    if n_hidden == 640:
        return k != 3 or (f != 0.1 and not projections)
    if k == 30:
        return f > 0.1 or (f != 0.1 and n_hidden == 40)
    return k == 10 and f == 1 and n_hidden == 160 and not projections


def cell(k: int, f: float, n_hidden: int, place: str) -> str:
    """The name of a cell of the grid."""
    return f"K = {k}, f = {f:g}, n_h = {n_hidden}, {place} projections"


CELLS = tuple(
    (k, f, n, place) for k, f, n, place in product(KS, FS, UNITS, PLACES) if not is_left_out(k, f, n, PLACES[place])
)


ON_GRID = tuple(Condition(cell(k, f, n, p), distributed(k, f, n, PLACES[p]), TASK) for k, f, n, p in CELLS)


def variants() -> tuple[Condition, ...]:
    """Key rules, and other ways to store and to read, of 3 winners with f = 0.1 out of 50 units."""
    found = []
    for place, projections in PLACES.items():
        plain = distributed(3, 0.1, 50, projections)
        models = {label: replace(plain, key_rule=rule) for label, rule in RULES.items()}
        models |= {label: replace(plain, storage=storage) for label, storage in CHANGES.items()}
        models[MORE] = replace(plain, n_hidden=160, storage=Winners(k=10, item_fan_out=0.5))
        found += [Condition(variant(label, place), model, TASK) for label, model in models.items()]
    return tuple(found)


def variant(label: str, place: str) -> str:
    """The name of a variant, with or without projections."""
    return f"{label}, {place} projections"


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
class Storing(Labelled):
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
    dims: ClassVar = {
        **dict.fromkeys(("accuracy", "key_norm"), ("case", "moment")),
        "storage": ("measure", "case", "moment"),
        **dict.fromkeys(("taken_in_bin", "in_bin"), ("case", "sum")),
    }
    numbered: ClassVar = False

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

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Cases, moments, measures, and the middles of bins."""
        edges = np.array(self.edges)
        cases = [case.name for case in self.cases]
        middles = (edges[1:] + edges[:-1]) / 2
        return {"case": cases, "moment": list(self.moments), "measure": list(MEASURES), "sum": middles}

    def at(self, scale: Scale) -> "Storing":
        """The same with fewer iterations."""
        most = scale.limit("iterations", self.moments[-1])
        return replace(self, moments=tuple(n for n in self.moments if n <= most))


def centred(weights: Weights) -> Weights:
    """The same, but the components of each key, and of each query, add up to 0."""
    W_Q, W_K = (W - W.mean(axis=-2, keepdims=True) for W in (weights.W_Q, weights.W_K))
    return Weights(W_Q, W_K, weights.W_V, weights.wiring)


VARIANTS = (*RULES, *CHANGES, MORE)
WHOLE, CENTRED, PART, SHARED, THREE = "f = 1", "f = 1, keys add up to 0", "f = 0.1", "f = 0.1, one mask", "f = 1, K = 3"
CASES = (
    Case(WHOLE, distributed(1, 1.0, 40, False)),
    Case(THREE, distributed(3, 1.0, 40, False)),
    Case(CENTRED, distributed(1, 1.0, 40, False), centred=True),
    Case(PART, distributed(1, 0.1, 40, False)),
    Case(SHARED, replace(distributed(1, 0.1, 40, False), storage=Winners(k=1, masks="shared"))),
)
CONTROLS = Experiment("context-controls", Trainings(controls(), STEPS), RUNS, few=2)
GRID = Experiment("context-grid", Trainings(ON_GRID, 400), RUNS, few=2)
VARIED = Experiment("context-variants", Trainings(variants(), 600), 2 * RUNS, few=2)
STORED = Experiment("context-stored", Storing(CASES, TASK), RUNS, few=2)
EXPERIMENTS = (CONTROLS, GRID, VARIED, STORED)
