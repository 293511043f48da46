"""Training a transformer as what one run of an experiment does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from slotfree.attention.models import Model
from slotfree.attention.result import labelled
from slotfree.attention.training import Reduction, TrainingPlan, plan_training
from slotfree.attention.weights import NAMES, Weights, contrasts
from slotfree.files.safetensors import Arrays
from slotfree.study.scale import Scale
from slotfree.tasks.base import Task

STRUCTURES = ("values", "query-key", "key-key")


@dataclass(frozen=True)
class Training:
    """Train a model on a task, as ``sf.train`` does in each of its runs.

    Attributes
    ----------
    model, task : what is trained, and on what.
    iterations, batch_size : steps, and sequences in each.
    learning_rates : by the name of the weights; those not named are the paper's for the model.
    snapshots : iterations whose weights are kept besides the last.
    reduction : whether gradients are the "sum" over a batch or its "mean".
    contrast_every : iterations between measurements of the structure of the weights, for the Case Sequence Task; None
        for none.

    Examples
    --------
    >>> import slotfree as sf
    >>> training = Training(sf.BaselineTransformer(), sf.CaseSequenceTask(), iterations=1000, snapshots=(100,))
    >>> training.kept
    (100, 1000)
    """

    model: Model
    task: Task
    iterations: int = 5000
    batch_size: int = 64
    learning_rates: Mapping[str, float] | None = None
    snapshots: tuple[int, ...] = ()
    contrast_every: int | None = None
    reduction: Reduction = "sum"

    @property
    def kept(self) -> tuple[int, ...]:
        """Steps after which weights are kept."""
        return (*(n for n in self.snapshots if n < self.iterations), self.iterations)

    @property
    def measured(self) -> tuple[int, ...]:
        """Steps after which the structure of the weights is measured, the first and the last among them."""
        if self.contrast_every is None:
            return ()
        return (*range(0, self.iterations, self.contrast_every), self.iterations)

    @property
    def plan(self) -> TrainingPlan:
        """The training, with the weights at all steps that matter."""
        steps = {*self.kept, *self.measured}
        return plan_training(
            self.model,
            self.task,
            self.iterations,
            self.batch_size,
            self.learning_rates,
            snapshots=steps,
            reduction=self.reduction,
        )

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return accuracy and loss (iteration,), weights (snapshot, …), and contrast (structure, measured)."""
        plan = self.plan
        found = plan(seed)
        steps = list(plan.kept)
        chosen = [steps.index(n) for n in self.kept]
        arrays = {"accuracy": found["accuracy"], "loss": found["loss"]}
        if self.measured:
            structure = contrasts(Weights(*(found[name] for name in NAMES)))
            at = [steps.index(n) for n in self.measured]
            arrays["contrast"] = np.array([structure[name][at] for name in STRUCTURES])
        wiring = {"wiring": found["wiring"]} if "wiring" in found else {}
        return {**arrays, **{name: found[name][chosen] for name in NAMES}, **wiring}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs: (run, iteration), (run, snapshot, …), (run, structure, measured)."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        structure = arrays.pop("contrast", None)
        data = labelled(arrays, self.kept, self.task)
        if structure is None:
            return data
        data["contrast"] = (("run", "structure", "measured"), structure)
        return data.assign_coords(structure=list(STRUCTURES), measured=list(self.measured))

    def at(self, scale: Scale) -> "Training":
        """The same with fewer iterations."""
        return replace(self, iterations=scale.limit("iterations", self.iterations))


def weights_at(data: xr.Dataset, snapshot: int | None = None) -> Weights:
    """The weights of all runs after a number of steps; by default, at the end."""
    chosen = data.isel(snapshot=-1) if snapshot is None else data.sel(snapshot=snapshot)
    W_Q, W_K, W_V = (chosen[name].values for name in NAMES)
    return Weights(W_Q, W_K, W_V, chosen["wiring"].values if "wiring" in chosen else None)
