"""Key → value recall: which models are trained on which task, and what is measured of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.measures import SMOOTHED, smoothed
from slotfree.attention.models import Model
from slotfree.attention.rates import rates_for
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings, answers, weights_of
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.labelled import Labelled
from slotfree.study.scale import Scale
from slotfree.tasks.associative_recall import AssociativeRecall
from slotfree.tasks.base import Task

RUNS, FEW_RUNS, PAPERS_RUNS = 10, 5, 4  # fewer where all is lost or nothing, and where training is slow
FEW = AssociativeRecall(16, 64, 8)
MANY = AssociativeRecall(64, 64, 16)
LARGE = AssociativeRecall(64, 256, 16)
SHOWN = ("absent", "once", "again")  # how often the queried key is in the context
KEY_DIM, UNITS_PER_ITEM, BETA = 50, 12, 2.5
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)  # of β


@dataclass(frozen=True)
class Recall(Labelled):
    """Train models on associative recall from the same seed, look at their keys on the way, and test them.

    Attributes
    ----------
    trainings : the conditions and their steps; its own test is not used.
    measured : steps after which keys are looked at; those after the end of a training are NaN.
    tested : sequences of the test of each condition; 0 for none.
    """

    trainings: Trainings
    measured: tuple[int, ...] = ()
    tested: int = 0
    dims: ClassVar = {
        "accuracy": ("condition", "iteration"),
        "value_part": ("condition", "measured"),
        **dict.fromkeys(("right", "asked"), ("condition", "shown")),
    }

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``accuracy`` (condition, iteration), ``value_part`` (condition, measured), ``right``, ``asked``.

        The last two are (condition, shown). All is as ``Trainings`` has it where a training is shorter or diverges.
        """
        conditions = self.trainings.conditions
        accuracy = np.full((len(conditions), self.trainings.steps // SMOOTHED), np.nan)
        part = np.full((len(conditions), len(self.measured)), np.nan)
        right, asked = np.zeros((2, len(conditions), len(SHOWN)))
        for i, condition in enumerate(conditions):
            plan = self.trainings.plan(condition)
            plan = replace(plan, snapshots=tuple(n for n in self.measured if n <= plan.iterations))
            try:
                found = plan(seed)
            except FloatingPointError:
                continue
            blocks = smoothed(xr.DataArray(found["accuracy"], dims="iteration")).values
            accuracy[i, : len(blocks)] = blocks
            for j, step in enumerate(plan.snapshots):
                part[i, j] = value_part(found["W_K"][plan.kept.index(step)], condition.task)
            if self.tested:
                test = (self.tested, seed_for(seed, "test"))
                right[i], asked[i] = by_times_shown(condition, weights_of(found), *test)
        kept = {"value_part": part} if self.measured else {}
        return {"accuracy": accuracy, **kept, **({"right": right, "asked": asked} if self.tested else {})}

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Conditions by name, iterations, steps at which keys are looked at, and how often a key was shown."""
        return {**self.trainings.coordinates, "measured": list(self.measured), "shown": list(SHOWN)}

    def at(self, scale: Scale) -> "Recall":
        """The same with fewer iterations."""
        return replace(self, trainings=self.trainings.at(scale))


def value_part(W_K: NDArray[np.float64], task: Task) -> float:
    """Mean length of the columns of W_K that belong to values, over that of those that belong to keys; W_K (N, D).

    The key of an item is the sum of both columns, W_K x = k_key + k_value: 1 where it tells as much of the value as of
    the key, 0 where it tells nothing of the value.
    """
    assert isinstance(task, AssociativeRecall)
    lengths = np.linalg.norm(W_K, axis=0)
    return float(lengths[task.n_keys : task.n_item_tokens].mean() / lengths[: task.n_keys].mean())


def by_times_shown(
    condition: Condition, weights: Weights, size: int, seed: np.random.SeedSequence
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Right answers and questions in new sequences, (shown,), by how often the queried key is in the context."""
    task = condition.task
    assert isinstance(task, AssociativeRecall)
    sequences, is_right = answers(condition.model, weights, task, size, seed)
    keys = sequences.items[:, :, 0]
    times = (keys[:, None, :] == sequences.queries[:, :, None] - task.n_item_tokens).sum(axis=-1)
    shown = np.minimum(times, len(SHOWN) - 1)
    right, asked = (np.bincount(shown[some], minlength=len(SHOWN)) for some in (is_right, np.ones_like(is_right)))
    return right.astype(float), asked.astype(float)


def slot_free(
    task: Task, key_rule: str = "query-key", projections: str | None = "letter", *, k: int = 3, beta: float = BETA
) -> SlotFreeTransformer:
    """Three winners with f = 0.4, or one with f = 1, and twelve units for each item; None is no input projections.

    β is 1/(f ε) if k = 3 and it is not given.
    """
    wires = "token" if projections is None else projections
    if k == 1:
        storage = Winners(1, 1.0, projections=wires)  # type: ignore[arg-type]
    else:
        storage = Winners(k, 0.4, projection_gain=10.0, beta=beta, projections=wires)  # type: ignore[arg-type]
    n_hidden = UNITS_PER_ITEM * task.context_length
    return SlotFreeTransformer(key_rule, projections is not None, KEY_DIM, n_hidden, storage)  # type: ignore[arg-type]


def at_rates(name: str, model: Model, task: Task, factor: float) -> Condition:
    """A condition with rates that are a factor times those of the rule."""
    rates = rates_for(model, task)
    return Condition(name, model, task, {weights: factor * rates[weights] for weights in model.learned})


def exact(task: Task, factor: float, kind: str = "") -> Condition:
    """Exact gradients through slots, with rates that are a factor times those of the rule; the kind of task by name."""
    return at_rates(f"{kind}exact, rates × {factor:g}", BaselineTransformer(KEY_DIM, 1.0), task, factor)


def on_many() -> Iterator[Condition]:
    """Rules and projections for 64 keys, against exact gradients."""
    for projections in ("letter", "token"):
        for rule in ("query-key", "mhn", "fixed"):
            yield Condition(f"{rule}, {projections}", slot_free(MANY, rule, projections), MANY)
    yield Condition("query-key, redrawn", slot_free(MANY, projections="redrawn"), MANY)
    yield Condition("query-key, none", slot_free(MANY, projections=None), MANY)
    for factor in (1, 4, 10):
        yield exact(MANY, factor)


def on_few() -> Iterator[Condition]:
    """β, rates, one winner and a slot for each item, for 16 keys."""
    for factor in FACTORS:
        yield Condition(f"β × {factor:g}", slot_free(FEW, beta=BETA * factor), FEW)
    for factor in (0.1, 4, 10):
        yield at_rates(f"rates × {factor:g}", slot_free(FEW), FEW, factor)
    for projections in ("own", "letter", "token"):
        yield Condition(f"one winner, {projections}", slot_free(FEW, projections=projections, k=1), FEW)
    slots = SlotFreeTransformer("query-key", False, KEY_DIM, FEW.n_pairs, "perfect")
    yield Condition("query-key, slots", slots, FEW, iterations=300)


def wrong_rates() -> Iterator[Condition]:
    """Other rates than those of the rule for 64 keys; the paper's are for a task of four letters."""
    model = slot_free(MANY)
    for factor in (0.1, 4, 10):
        yield at_rates(f"rates × {factor:g}", model, MANY, factor)
    yield Condition("the paper's rates", model, MANY, model.rates)


def harder() -> Iterator[Condition]:
    """Several queries, keys that come back, and keys that are not there."""
    several, again, absent = replace(FEW, n_queries=4), replace(FEW, repeats=True), replace(FEW, absent=0.25)
    yield Condition("4 queries, query-key, letter", slot_free(several), several, iterations=300)
    for rule, projections in (("query-key", "letter"), ("query-key", "token"), ("mhn", "token"), ("fixed", "token")):
        yield Condition(f"repeats, {rule}, {projections}", slot_free(again, rule, projections), again, iterations=500)
    yield replace(exact(again, 4, "repeats, "), iterations=500)
    for rule in ("query-key", "mhn", "fixed"):
        yield Condition(f"absent, {rule}, letter", slot_free(absent, rule), absent)
    yield exact(absent, 4, "absent, ")


PAPERS = SlotFreeTransformer("query-key", key_dim=KEY_DIM, n_hidden=UNITS_PER_ITEM * FEW.n_pairs)
MEASURED = (0, 25, 50, 100, 150, 200, 300, 400)

RULES = Experiment("recall-rules", Recall(Trainings(tuple(on_many()), 400), MEASURED), RUNS, few=2)
# Fixed keys with rates of W_Q and W_V as the other rules have them, from the same seeds; the paper's are a fifth.
FASTER = tuple(at_rates(f"fixed, {p}, rates × 5", slot_free(MANY, "fixed", p), MANY, 5) for p in ("letter", "token"))
FIXED = Experiment("recall-fixed", Recall(Trainings(FASTER, 400), MEASURED), RUNS, few=2, key=(RULES.name,))
ON_LARGE = (Condition("query-key, letter", slot_free(LARGE), LARGE), exact(LARGE, 4))  # 256 values
VALUES = Experiment("recall-values", Recall(Trainings(ON_LARGE, 350), MEASURED[:-1]), RUNS, few=2)
FEWER = Experiment("recall-few", Recall(Trainings(tuple(on_few()), 400)), RUNS, few=2)
RATES = Experiment("recall-rates", Recall(Trainings(tuple(wrong_rates()), 300)), FEW_RUNS, few=2)
# The rates of the rule, and four times as large ones, which seem fine for 300 steps.
ON_LONGER = tuple(at_rates(f"rates × {factor}", slot_free(MANY), MANY, factor) for factor in (1, 4))
LONGER = Experiment("recall-longer", Recall(Trainings(ON_LONGER, 800)), FEW_RUNS, few=1)
HARDER = Experiment("recall-harder", Recall(Trainings(tuple(harder()), 600), tested=1000), RUNS, few=2)
STORAGE = Condition("the paper's storage", PAPERS, FEW)
PAPER = Experiment("recall-paper", Recall(Trainings((STORAGE,), 500)), PAPERS_RUNS, few=1)
EXPERIMENTS = (RULES, FIXED, VALUES, FEWER, RATES, LONGER, HARDER, PAPER)
