"""How well the transformers do: measures and panels that figures 7 and S11 share."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.diagnosis import diagnose
from slotfree.attention.measures import ending, learnt_at
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import GREY
from slotfree.paper.shared.transformers import (
    BASELINE,
    BETA_ONE,
    PAIRS,
    PERFECT,
    SEVEN,
    SHOWN,
    TASK,
    Transformer,
    training,
)
from slotfree.study import Estimate, Results, estimate, measure
from slotfree.study.judge import Measure
from slotfree.study.train_runs import weights_at

Quantity = Literal["accuracy", "loss"]
Values = NDArray[np.float64]

SLOT_FREE = (*(without for without, _ in PAIRS), *(with_ for _, with_ in PAIRS))
RISE = 1000  # iterations within which models with projections rise


@measure
def ends(r: Results, transformer: Transformer, quantity: Quantity = "accuracy") -> Values:
    """Accuracy or loss of each run at the end."""
    return ending(r[training(transformer)][quantity])


@measure
def median_end(r: Results, transformer: Transformer) -> Estimate:
    """Median ending accuracy, {transformer.label}."""
    return estimate.median(ends(transformer)(r), seed=r.seed)


@measure
def solved(r: Results, transformer: Transformer) -> NDArray[np.bool_]:
    """Ends at 100%, {transformer.label}."""
    return np.asarray(ends(transformer)(r) >= PERFECT)


@measure
def n_unsolved(r: Results, transformer: Transformer, perfect: float = PERFECT) -> int:
    """Runs that end below {perfect}, {transformer.label}."""
    return int((~(ends(transformer)(r) >= perfect)).sum())


@measure
def learnt(r: Results, transformer: Transformer) -> Values:
    """Iteration at which each run reaches perfect accuracy."""
    return learnt_at(r[training(transformer)]["accuracy"], PERFECT)


@measure
def overwritten(r: Results, transformer: Transformer) -> Values:
    """Share of context items that a later one overwrites after training, {transformer.label}.

    In 512 new sequences of each run.
    """
    if not isinstance(transformer.model, SlotFreeTransformer):
        raise TypeError(f"{transformer.name} does not store items in fast weights")
    data = r[training(transformer)]
    weights = weights_at(data)
    shares = [diagnose(transformer.model, weights[run], TASK, seed=run).lost for run in range(data.sizes["run"])]
    return np.array(shares)


@measure
def kept(r: Results, transformer: Transformer) -> NDArray[np.bool_]:
    """No item is overwritten after training, {transformer.label}."""
    return np.asarray(overwritten(transformer)(r) == 0)


@measure
def nearer(
    r: Results,
    of: Callable[[Transformer], Measure],
    model: Transformer,
    to: Transformer,
    than: tuple[Transformer, ...],
) -> Estimate:
    """By how much the median of a model's runs is nearer to that of another model than those of all others are.

    Parameters
    ----------
    of : what is measured in each run of a model, such as ``ends``.
    """

    def lead(goal: Values, near: Values, *others: Values) -> Values:
        return np.asarray(np.min([abs(other - goal) for other in others], axis=0) - abs(near - goal))

    runs = [of(transformer)(r) for transformer in (to, model, *than)]
    return estimate.bootstrap(lead, *runs, of=estimate.medians, seed=r.seed)


def draw_ends(axis: Axes, r: Results, quantity: Quantity) -> None:
    """Draw the end of each run of the paper's models and, behind a line, of two more versions of the baseline."""
    transformers = (*SEVEN, BASELINE, BETA_ONE)
    jitter = np.random.default_rng(0)
    for place, transformer in enumerate(transformers):
        panels.dots(axis, place, ends(transformer, quantity)(r), transformer.colour, jitter, shown=SHOWN)
    panels.name_places(axis, [transformer.label for transformer in transformers])
    axis.axvline(len(SEVEN) - 0.5, color=GREY, lw=0.8, ls=":")


def draw_curves(
    picture: Picture, axis: Axes, r: Results, transformers: Sequence[Transformer], quantity: Quantity, panel: str
) -> None:
    """Draw medians of all runs along training; that of exact gradients, which the paper has not, is dashed."""
    for transformer in transformers:
        runs = r[training(transformer)][quantity]
        row = {"panel": panel, "model": transformer.name}
        style = "--" if transformer is BASELINE else "-"
        panels.along_training(
            picture, axis, runs, transformer.colour, transformer.label, style=style, row=row, table="-curves"
        )
        axis.set_xlim(0, runs.sizes["iteration"])
