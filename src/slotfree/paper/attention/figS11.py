"""Figure S11: loss on the Case Sequence Task across models, at the end and along training."""

from collections.abc import Iterator

import numpy as np

from slotfree.attention.measures import smoothed
from slotfree.drawing import training as panels
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.paper.attention.fig7 import RISE, Ends, draw_curves, draw_ends, ends_of
from slotfree.paper.transformers import (
    ALL,
    BASELINES,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PUBLISHED,
    QK,
    QK_IP,
    SEVEN,
    training,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, below
from slotfree.study.item import Item
from slotfree.study.results import Results

BEST, OTHERS = (PUBLISHED, FIXED_IP, QK_IP), (FIXED, MHN, QK, MHN_IP)
PARTS = 8  # of training, between which a loss is compared


def draw(r: Results) -> Picture:
    """Draw every run's end (A) and median curves (B)."""
    picture = Picture(1, 2, width=12.5, height=3.8, width_ratios=(1.2, 1))
    left, right = picture.axes[0]
    draw_ends(left, r, "loss")
    left.set_ylabel("ending loss |ŷ − y|² (mean of the last fifth)")
    draw_curves(picture, right, r, SEVEN, "loss", "B")
    right.set_ylabel("batch loss |ŷ − y|²")
    for axis in (left, right):
        log_scale(axis, "y")
    picture.panel(left, "A", "Every run at the end")
    picture.panel(right, "B", "Along training")
    note = f"i.p.: input projections. A: dots are runs, bars medians. B: {panels.CURVES}"
    picture.legend_below(right, 7, note)
    for transformer, ends in ends_of(r, "loss").items():
        picture.record_columns({"run": range(len(ends)), "ending_loss": ends}, model=transformer.name)
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What the SI says of losses."""
    ends = ends_of(r, "loss")
    yield from claims_at_the_end(ends, r.seed)
    yield from claims_along_training(r)


def claims_at_the_end(ends: Ends, seed: int) -> Iterator[Claim]:
    """Whose loss is lowest."""
    yield Claim(
        "best-three",
        "The baseline, Fixed W_K and QK with input projections show the best training performance: smallest median "
        "loss of the others minus the largest of these three.",
        source="paper",
        paper="lower",
        estimate=estimate.bootstrap(
            lambda *medians: np.min(medians[len(BEST) :], axis=0) - np.max(medians[: len(BEST)], axis=0),
            *(ends[transformer] for transformer in (*BEST, *OTHERS)),
            of=estimate.medians,
            seed=seed,
        ),
        limits=above(0),
    )
    for other in (*BASELINES, FIXED_IP):
        is_said = other in BEST
        yield Claim(
            f"qk-lowest-{other.name}",
            f"QK with input projections attains the lowest loss: median of {other.label} minus its own.",
            source="paper" if is_said else "ours",
            paper="lowest" if is_said else "",
            estimate=estimate.median_difference(ends[other], ends[QK_IP], seed=seed),
            limits=above(0),
        )
    yield Claim(
        "qk-consistently",
        "… consistently: the best run of the baseline (published gradients) and of Fixed W_K with input projections "
        "minus its worst run.",
        source="paper",
        paper="consistently",
        estimate=estimate.exact(min(ends[PUBLISHED].min(), ends[FIXED_IP].min()) - ends[QK_IP].max()),
        limits=above(0),
    )


def claims_along_training(r: Results) -> Iterator[Claim]:
    """The shapes of two loss curves."""
    curve = smoothed(r[training(MHN_IP)]["loss"])
    median = curve.median("run")
    low = int(median["iteration"][median.sel(iteration=slice(0, RISE)).values.argmin()])
    after = median.sel(iteration=slice(low, None))
    top = int(after["iteration"][after.values.argmax()])
    yield Claim(
        "mhn-u-shape",
        f"The loss of MHN with input projections is U-shaped: its median at iteration {top} minus that at its early "
        f"minimum, iteration {low}.",
        source="paper",
        paper="rises again",
        estimate=estimate.bootstrap(
            lambda medians: medians[..., 0] - medians[..., 1],
            curve.sel(iteration=[top, low]).values,
            of=estimate.medians,
            seed=r.seed,
        ),
        limits=above(0),
    )
    loss = r[training(FIXED_IP)]["loss"]
    parts = loss.coarsen(iteration=loss.sizes["iteration"] // PARTS, boundary="trim").mean()
    yield Claim(
        "fixed-smooth",
        "The loss of Fixed W_K with input projections decreases smoothly: largest change of the median between eighths "
        "of training, below 0.",
        source="paper",
        paper="decreasing",
        estimate=estimate.bootstrap(
            lambda medians: np.diff(medians).max(axis=-1), parts.values, of=estimate.medians, seed=r.seed
        ),
        limits=below(0),
    )


ITEM = Item(
    name="figS11",
    number="Figure S11",
    title="The same comparison for the loss",
    text="The loss tells apart models whose accuracy is the same: the QK model with input projections ends lowest, "
    "ahead of the baseline and of fixed keys. The loss of the MHN model with projections falls, rises again and slowly "
    "comes down, as its accuracy does in reverse.",
    alt="Two panels on logarithmic axes. A: loss at the end of training of each run, for seven models and two more "
    "versions of the baseline. B: median loss along training, with bands from the least to the largest.",
    experiments=tuple(map(training, ALL)),
    draw=draw,
    claims=claims,
)
