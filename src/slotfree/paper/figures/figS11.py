"""Figure S11: loss on the Case Sequence Task across models, at the end and along training."""

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.measures import smoothed
from slotfree.drawing import training as panels
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.paper.shared.descents import descents
from slotfree.paper.shared.performance import RISE, Values, draw_curves, draw_ends, ends
from slotfree.paper.shared.transformers import (
    ALL,
    BASELINE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PUBLISHED,
    QK,
    QK_IP,
    SEVEN,
    SHOWN,
    Transformer,
    training,
)
from slotfree.study import Estimate, Item, Results, estimate, measure

BEST, OTHERS = (PUBLISHED, FIXED_IP, QK_IP), (FIXED, MHN, QK, MHN_IP)
PERIOD = 1000  # iterations: what the paper takes the mean of


def draw(r: Results) -> Picture:
    """Draw every run's end (A) and median curves (B)."""
    picture = Picture(1, 2, width=12.5, height=3.8, width_ratios=(1.2, 1))
    left, right = picture.axes[0]
    draw_ends(left, r, "loss")
    left.set_ylabel("ending loss |ŷ − y|² (mean of the last fifth)")
    draw_curves(picture, right, r, (*SEVEN, BASELINE), "loss", "B")
    right.set_ylabel("batch loss |ŷ − y|²")
    for axis in (left, right):
        log_scale(axis, "y")
    picture.panel(left, "A", "Every run at the end")
    picture.panel(right, "B", "Along training")
    note = (
        "i.p.: input projections; dashed: exact gradients, which the paper does not show. "
        f"A: dots are runs (small: beyond the paper's {SHOWN}), bars medians. B: {panels.CURVES}"
    )
    picture.legend_below(right, 8, note)
    for transformer in ALL:
        found = ends(transformer, "loss")(r)
        picture.record_columns({"run": range(len(found)), "ending_loss": found}, model=transformer.name)
    return picture


@measure
def lead_of_best(r: Results) -> Estimate:
    """Median ending loss, smallest of the four other models minus largest of these three."""
    return estimate.bootstrap(
        lambda *medians: np.min(medians[len(BEST) :], axis=0) - np.max(medians[: len(BEST)], axis=0),
        *(ends(transformer, "loss")(r) for transformer in (*BEST, *OTHERS)),
        of=estimate.medians,
        seed=r.seed,
    )


@measure
def qk_lowest(r: Results) -> NDArray[np.bool_]:
    """A run of QK, i.p. ends at a lower loss than every run of the six other models."""
    others = [ends(transformer, "loss")(r).min() for transformer in SEVEN if transformer is not QK_IP]
    return np.asarray(ends(QK_IP, "loss")(r) < min(others))


@measure
def lead_of_qk(r: Results) -> Estimate:
    """Smallest median loss of another model of the paper over the whole training minus that of QK with projections."""
    overall = [r[training(transformer)]["loss"].mean("iteration").values for transformer in SEVEN]
    return estimate.bootstrap(
        lambda *medians: np.min(medians[:-1], axis=0) - medians[-1], *overall, of=estimate.medians, seed=r.seed
    )


@measure
def turns(r: Results) -> tuple[int, int]:
    """Iterations at which the median loss of MHN with projections is lowest before it rises, and highest after that."""
    median = smoothed(r[training(MHN_IP)]["loss"]).median("run")
    low = int(median["iteration"][median.sel(iteration=slice(0, RISE)).values.argmin()])
    after = median.sel(iteration=slice(low, None))
    return low, int(after["iteration"][after.values.argmax()])


@measure
def decrease(r: Results, transformer: Transformer) -> Values:
    """By how much the loss falls until that of MHN with projections begins to rise again, in each run."""
    found = smoothed(r[training(transformer)]["loss"]).sel(iteration=[0, turns()(r)[0]]).values
    return np.asarray(found[:, 0] - found[:, 1])


@measure
def rise_of_mhn(r: Results) -> Estimate:
    """Median loss of MHN, i.p., later maximum minus early minimum."""
    low, top = turns()(r)
    return estimate.bootstrap(
        lambda medians: medians[..., 0] - medians[..., 1],
        smoothed(r[training(MHN_IP)]["loss"]).sel(iteration=[top, low]).values,
        of=estimate.medians,
        seed=r.seed,
    )


@measure
def largest_change_of_fixed(r: Results) -> Estimate:
    """Largest change of the median loss of Fixed, i.p. from one 1,000 iterations to the next."""
    loss = r[training(FIXED_IP)]["loss"]
    parts = loss.coarsen(iteration=min(PERIOD, loss.sizes["iteration"] // 2), boundary="trim").mean()
    return estimate.bootstrap(
        lambda medians: np.diff(medians).max(axis=-1), parts.values, of=estimate.medians, seed=r.seed
    )


@measure
def steps_of_fixed(r: Results) -> NDArray[np.bool_]:
    """The loss of Fixed, i.p. falls in separate periods."""
    return descents(r[training(FIXED_IP)]["loss"], 2).are_separate


ITEM = Item(
    name="figS11",
    number="Figure S11",
    title="The same comparison for the loss",
    text="The loss tells apart models whose accuracy is the same: the QK model with input projections ends lowest in "
    "almost all runs, ahead of the baseline and of fixed keys. The loss of the MHN model with projections falls, rises "
    "again and slowly comes down, as its accuracy does in reverse.",
    alt="Two panels on logarithmic axes. A: loss at the end of training of each run, for seven models and two more "
    "versions of the baseline. B: median loss along training, with bands between the quartiles.",
    experiments=tuple(map(training, ALL)),
    draw=draw,
)
