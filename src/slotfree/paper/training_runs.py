"""The attention experiments: training a transformer on the Case Sequence Task."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.models import Model
from slotfree.attention.training import TrainingPlan, labelled, plan_training
from slotfree.attention.weights import NAMES, Weights, contrasts
from slotfree.paper.experiments import described
from slotfree.paper.scale import Scale
from slotfree.paper.transformers import PUBLISHED, QK_IP, Transformer
from slotfree.runs.store import Arrays
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask(n_letters=4, context_length=4)
STRUCTURES = ("values", "query-key", "key-key")
MEASURED_EVERY = 20  # iterations between measurements of structure
SHOWN = 10  # runs that figures and tables show, as many as the paper has
SNAPSHOTS = {PUBLISHED.name: (200, 600, 900, 1200), QK_IP.name: (100, 600, 1000, 1600)}

# Measured on one core: seconds per sequence, and per connection of keys and hidden units in each pass over them.
SEQUENCE, CONNECTION = 0.6e-6, 0.4e-9


@dataclass(frozen=True)
class TrainingRun:
    """One run: training, with the structure of the weights measured along the way, as a function of its seed."""

    plan: TrainingPlan
    kept: tuple[int, ...]

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Train; return accuracy and loss (iteration,), contrast (structure, measured), and weights (snapshot, …)."""
        results = self.plan(seed)
        steps = list(self.plan.kept)
        weights = Weights(*(results[name] for name in NAMES))
        found = contrasts(weights)
        measured = [steps.index(n) for n in measured_at(self.plan.iterations)]
        chosen = [steps.index(n) for n in self.kept]
        return {
            "accuracy": results["accuracy"],
            "loss": results["loss"],
            "contrast": np.array([found[name][measured] for name in STRUCTURES]),
            **{name: results[name][chosen] for name in NAMES},
        }


@dataclass(frozen=True)
class TrainingRuns:
    """Many runs of one model with the paper's learning rates.

    Attributes
    ----------
    snapshots : iterations whose weights are kept besides the last; those beyond the end are left out.
    """

    name: str
    model: Model
    task: CaseSequenceTask = TASK
    snapshots: tuple[int, ...] = ()

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return scale.training_runs

    def kept(self, scale: Scale) -> tuple[int, ...]:
        """Steps after which weights are kept."""
        return (*(n for n in self.snapshots if n < scale.iterations), scale.iterations)

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        return {"protocol": "training", "every": MEASURED_EVERY, **described(self.plan(scale))}

    def plan(self, scale: Scale) -> TrainingRun:
        """Return the function of a seed that performs one run."""
        kept = self.kept(scale)
        steps = {*kept, *measured_at(scale.iterations)}
        return TrainingRun(plan_training(self.model, self.task, scale.iterations, snapshots=steps), kept)

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        structure = arrays.pop("contrast")
        data = labelled(arrays, self.kept(scale), self.task)
        data["contrast"] = (("run", "structure", "measured"), structure)
        return data.assign_coords(structure=list(STRUCTURES), measured=measured_at(scale.iterations))

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core."""
        return self.count(scale) * scale.iterations * 64 * seconds_per_sequence(self.model, self.task)


def measured_at(iterations: int) -> list[int]:
    """Steps after which the structure of the weights is measured, the first and the last among them."""
    return [*range(0, iterations, MEASURED_EVERY), iterations]


def seconds_per_sequence(model: Model, task: CaseSequenceTask) -> float:
    """About how long one sequence takes on one core."""
    if isinstance(model, BaselineTransformer):
        return SEQUENCE
    passes = {"fixed": 2, "mhn": 4, "query-key": 3}[model.rule.name] + task.context_length
    drawn = 0 if model.input_projections else 2
    return SEQUENCE + (passes + drawn) * CONNECTION * model.units * model.key_dim


def training(transformer: Transformer) -> TrainingRuns:
    """The experiment of one of the paper's models."""
    return TrainingRuns(transformer.name, transformer.model, snapshots=SNAPSHOTS.get(transformer.name, ()))


def weights_at(data: xr.Dataset, snapshot: int) -> Weights:
    """The weights of all runs after so many steps."""
    chosen = data.sel(snapshot=snapshot)
    return Weights(*(chosen[name].values for name in NAMES))
