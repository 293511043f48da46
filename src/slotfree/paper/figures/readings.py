"""What the text may mean: ambiguous and misprinted sentences of the SI, each taken at its word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.key_rules import MHN_AS_PRINTED
from slotfree.attention.measures import ending
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import DivergedError, initial_weights
from slotfree.attention.weights import Weights, letter_blocks
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREY, ORANGE, VERMILION
from slotfree.drawing.training import name_places
from slotfree.files.safetensors import Arrays
from slotfree.paper.shared.printed_values import AsPrinted
from slotfree.paper.shared.similarity import COLUMNS, statistics
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
from slotfree.study import Experiment, Item, Results, Scale, Training, measure
from slotfree.study.train_runs import weights_at

Values = NDArray[np.float64]

RUNS, FEW = 4, 2
AVERAGED_RUNS = 3  # they are all alike
SWAPPED_RUNS = 8  # they are not
VARIANCE_RUNS = 20
SAME, OTHERS, LOST = range(3)  # what ``noise`` returns
SEQUENCES = 12  # of each run in which x̃ is compared with the transformer's
SOLVED = (PUBLISHED, FIXED_IP, QK_IP)  # models of which the paper says that they solve the task; others end about 0.9
MEANT, AT_ITS_WORD = BLUE, ORANGE


@dataclass(frozen=True)
class Reading:
    """Training in a reading of the text."""

    training: Training

    @property
    def iterations(self) -> int:
        """Steps of training."""
        return self.training.iterations

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return accuracy and loss (iteration,) and weights (snapshot, …).

        Some readings let weights grow without limit. A training that diverges ends before: what it had come to stays.
        """
        steps = self.iterations
        while True:
            try:
                found = replace(self.training, iterations=steps).plan(seed)
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


def keys_by_variance(seed: np.random.SeedSequence) -> Arrays:
    """The statistics of table S1 for fixed keys with the variance s, where the paper's models have the deviation."""
    drawn = initial_weights(FIXED.model, TASK, seed=seed)
    W_K = FIXED.model.initial_spread**-0.5 * drawn.W_K
    return {"statistics": statistics(letter_blocks(replace(drawn, W_K=W_K))["key-key"][None])[0]}


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
VARIANCE_KEYS = Experiment("readings-variance-keys", keys_by_variance, VARIANCE_RUNS, few=FEW)


@measure
def ends(r: Results, experiment: Experiment) -> Values:
    """Accuracy of each run at the end."""
    return ending(r[experiment]["accuracy"])


@measure
def averaged_ends(r: Results) -> Values:
    """Ending accuracy with averaged gradients, mean over all runs of the seven models."""
    return np.concatenate([ends(experiment)(r) for experiment in AVERAGED.values()])


@measure
def range_by_variance(r: Results) -> Values:
    """Off-diagonal range of table S1 if N(0, s) has the variance s, in each run of fixed keys."""
    return np.asarray(r[VARIANCE_KEYS]["statistics"].values[:, COLUMNS.index("off-range")])


@measure
def values_learnt(r: Results, transformer: Transformer) -> Values:
    """Right minus wrong entry of W_V, mean over letters, {transformer.label} (1 is the case code)."""
    return np.asarray(r[training(transformer)]["contrast"].sel(structure="values").values[:, -1])


@measure
def noise_of(r: Results, transformer: Transformer, place: int, is_trained: bool = True) -> Values:
    """One of the three numbers that ``noise`` compares x̃ by, in ten runs, after training or before it."""
    model, data = cast(SlotFreeTransformer, transformer.model), r[training(transformer)]
    weights, runs = weights_at(data), range(min(SHOWN, data.sizes["run"]))
    chosen = [weights[run] if is_trained else initial_weights(model, TASK, seed=run) for run in runs]
    return np.array([noise(model, each, run)[place] for run, each in zip(runs, chosen, strict=True)])


def noise(model: SlotFreeTransformer, weights: Weights, seed: int) -> tuple[float, float, float]:
    """Compare x̃ with the transformer's, Σ softmax(x_qᵀ W_Qᵀ W_K x_i) x_i, in some sequences.

    Returns
    -------
    Mean correlation with that of the same sequence, with those of others, and the mean share of attention that goes to
    hidden units without an item.
    """
    transformer = BaselineTransformer(model.key_dim, 1.0)
    every = TASK.batch(SEQUENCES, seed=seed)
    ours, theirs, lost = [], [], []
    for context, query in zip(every.context, every.query, strict=True):
        trace = model.inspect(weights, TASK, context, int(query), seed=seed)
        ours.append(trace.reinstated)
        theirs.append(transformer.inspect(weights, TASK, context, int(query)).reinstated)
        lost.append(np.delete(trace.attention, trace.winners).sum())
    correlations: NDArray[np.float64] = np.corrcoef(ours, theirs)[:SEQUENCES, SEQUENCES:]
    same = np.eye(SEQUENCES, dtype=bool)
    return float(correlations[same].mean()), float(correlations[~same].mean()), float(np.mean(lost))


def draw(r: Results) -> Picture:
    """Draw averaged gradients (A) and misprinted updates (B)."""
    picture = Picture(1, 2, width=11, height=3.7, width_ratios=(1.3, 1))
    first, second = picture.axes[0]
    draw_ends(picture, first, r, "averaged gradients", {t.label: (t, AVERAGED[t]) for t in AVERAGED})
    misprints = {f"{t.label}:\n$W_{{VH}}$ update": (t, VALUES[t]) for t in VALUES}
    misprints[f"{MHN_IP.label}:\n$W_Q$ in $\\hat{{y}}_K$"] = (MHN_IP, SWAPPED)
    draw_ends(picture, second, r, "misprinted updates", misprints)
    picture.panel(first, "A", "Gradients averaged over the batch")
    picture.panel(second, "B", "Updates as printed")
    first.plot([], [], "o", color=MEANT, label="as we read it: summed, replacing, $W_K$")
    first.plot([], [], "o", color=AT_ITS_WORD, label="the panel's reading")
    first.plot([], [], "D", mfc="none", mec=VERMILION, ms=8, label="printed")
    picture.legend_below(first, 3, "dots are runs")
    return picture


def draw_ends(
    picture: Picture, axis: Axes, r: Results, reading: str, pairs: Mapping[str, tuple[Transformer, Experiment]]
) -> None:
    """Draw the accuracy of each run at the end, in a reading and as it is meant."""
    jitter = np.random.default_rng(0)
    for place, (transformer, experiment) in enumerate(pairs.values()):
        axis.plot(place, 1.0 if transformer in SOLVED else 0.9, "D", mfc="none", mec=VERMILION, ms=8)
        for shift, which, colour in ((-0.16, training(transformer), MEANT), (0.16, experiment, AT_ITS_WORD)):
            ends = ending(r[which]["accuracy"])
            axis.plot(place + shift + jitter.uniform(-0.08, 0.08, len(ends)), ends, "o", ms=3.5, mew=0, color=colour)
            kind = "as it is meant" if colour == MEANT else reading
            for run, end in enumerate(ends):
                picture.record({"model": transformer.name, "reading": kind, "run": run, "ending_accuracy": float(end)})
    name_places(axis, list(pairs))
    axis.axhline(0.5, color=GREY, lw=0.6)
    axis.set(ylabel="ending accuracy (last fifth)", ylim=(0.45, 1.03))


ITEM = Item(
    name="readings",
    number="Readings",
    title="What the text may mean",
    text="Where the SI says two things, or prints an equation that its own text corrects, each reading was run. "
    "Averaged gradients do not learn the task in the printed number of steps (A). The printed update of W_VH erases "
    "what other units hold, and W_Q in place of W_K leaves the MHN rule without its signal (B). The authors' public "
    "code has the readings that we took.",
    alt="Two panels with accuracy at the end of each run, as we read the text and as it is printed. A: averaged "
    "gradients, seven models. B: misprinted updates, three models with input projections.",
    experiments=(
        *(*AVERAGED.values(), *VALUES.values(), SWAPPED, VARIANCE_KEYS),
        *map(training, (*SEVEN, BASELINE)),
    ),
    draw=draw,
)
