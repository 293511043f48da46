"""The experiments behind the readings: training as a sentence or an equation has it if it is taken at its word."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import xarray as xr

from slotfree.attention.key_rules import MHN_AS_PRINTED
from slotfree.attention.models import Model
from slotfree.attention.storages.printed import AsPrinted
from slotfree.attention.training import DivergedError, initial_weights
from slotfree.attention.weights import Weights, letter_blocks
from slotfree.files.safetensors import Arrays
from slotfree.paper.attention.readings.equations import distances
from slotfree.paper.attention.readings.storage import coincidence, updates
from slotfree.paper.shared.similarity import statistics
from slotfree.paper.shared.transformers import (
    BASELINE,
    FIXED,
    FIXED_IP,
    MHN_IP,
    PUBLISHED,
    QK_IP,
    SEVEN,
    SHOWN,
    TASK,
    Transformer,
    training,
)
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.scale import Scale
from slotfree.study.training import Training

RUNS, FEW = 4, 2
AVERAGED_RUNS = 3  # they are all alike
SWAPPED_RUNS = 8  # they are not
VARIANCE_RUNS = 20


@dataclass(frozen=True)
class Reading:
    """Training in a reading of the text.

    Attributes
    ----------
    by_variance : whether W_Q, W_K ~ N(0, s) begin with the variance s; else with the standard deviation s, as in
        ``Training``.
    """

    training: Training
    by_variance: bool = False

    @property
    def iterations(self) -> int:
        """Steps of training."""
        return self.training.iterations

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return accuracy and loss (iteration,) and weights (snapshot, …).

        Some readings let weights grow without limit. A training that diverges ends before: what it had come to stays.
        """
        start = start_by_variance(self.training.model, seed_for(seed, "start")) if self.by_variance else None
        steps = self.iterations
        while True:
            try:
                found = replace(self.training, iterations=steps).plan(seed, start)
            except DivergedError as error:
                steps = error.iteration
            else:
                missing = (0, self.iterations - steps)
                return found | {name: np.pad(found[name], missing, "edge") for name in ("accuracy", "loss")}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs."""
        return self.training.label(results)

    def at(self, scale: Scale) -> "Reading":
        """The same with fewer iterations: a quarter of those of other trainings, as there are many readings."""
        short = self.training.at(scale)
        return replace(self, training=replace(short, iterations=short.iterations // 4))


def start_by_variance(model: Model, seed: np.random.SeedSequence) -> Weights:
    """Weights before training with standard deviation √s where the paper's models have s."""
    drawn, scale = initial_weights(model, TASK, seed=seed), model.initial_spread**-0.5
    return Weights(scale * drawn.W_Q, scale * drawn.W_K, drawn.W_V)


def keys_by_variance(seed: np.random.SeedSequence) -> Arrays:
    """The statistics of table S1 for fixed keys that are drawn so, (column,)."""
    blocks = letter_blocks(start_by_variance(FIXED.model, seed))
    return {"statistics": statistics(blocks["key-key"][None])[0]}


def variant(name: str, transformer: Transformer, runs: int, **changes: object) -> Experiment:
    """A variant of a slot-free model, trained as the paper's models are."""
    model = replace(cast(Any, transformer.model), **changes)
    return Experiment(f"readings-{name}-{transformer.name}", Reading(Training(model, TASK)), runs, few=1)


def averaged(transformer: Transformer) -> Experiment:
    """The training of a model with gradients averaged over the batch."""
    run = Reading(Training(transformer.model, TASK, reduction="mean"))
    return Experiment(f"readings-averaged-{transformer.name}", run, AVERAGED_RUNS, few=1)


PROJECTED = (FIXED_IP, MHN_IP, QK_IP)
AVERAGED = {transformer: averaged(transformer) for transformer in SEVEN}
VALUES = {t: variant("values", t, RUNS, storage=AsPrinted()) for t in PROJECTED}
SWAPPED = variant("swapped", MHN_IP, SWAPPED_RUNS, key_rule=MHN_AS_PRINTED)
BY_VARIANCE = Reading(Training(PUBLISHED.model, TASK), by_variance=True)
VARIANCE = Experiment("readings-variance", BY_VARIANCE, VARIANCE_RUNS, few=1)
VARIANCE_KEYS = Experiment("readings-variance-keys", keys_by_variance, VARIANCE_RUNS, few=FEW)
GRADIENTS = Experiment("readings-gradients", distances, SHOWN, few=FEW)
UPDATES = Experiment("readings-updates", updates, SHOWN, few=FEW)
COINCIDENCE = Experiment("readings-coincidence", coincidence, SHOWN, few=FEW)
TRAININGS = (*AVERAGED.values(), *VALUES.values(), SWAPPED, VARIANCE)
EXPERIMENTS = (*TRAININGS, VARIANCE_KEYS, GRADIENTS, UPDATES, COINCIDENCE, *map(training, (*SEVEN, BASELINE)))
