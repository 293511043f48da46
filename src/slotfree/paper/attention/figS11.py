"""Figure S11: loss on the Case Sequence Task across models, at the end and along training."""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.measures import smoothed
from slotfree.drawing import training as panels
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.paper.attention.fig7 import RISE, Ends, draw_curves, draw_ends, ends_of
from slotfree.paper.shared.descents import descents
from slotfree.paper.shared.nearness import claim_like_qk
from slotfree.paper.shared.overwriting import SLOT_FREE
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
    training,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, below, equal_to, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results

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
    yield of_paper(
        "best-three",
        "The baseline (published gradients), Fixed W_K and QK with input projections “show the best training "
        "performance”: smallest median ending loss of the other models minus the largest of these three.",
        paper="best",
        estimate=estimate.bootstrap(
            lambda *medians: np.min(medians[len(BEST) :], axis=0) - np.max(medians[: len(BEST)], axis=0),
            *(ends[transformer] for transformer in (*BEST, *OTHERS)),
            of=estimate.medians,
            seed=seed,
        ),
        limits=above(0),
    )
    for other in ALL:
        if other is QK_IP:
            continue
        yield Claim(
            f"qk-lowest-{other.name}",
            f"QK with input projections attains “the lowest loss”: median ending loss of {other.label} minus "
            "that of QK.",
            source="paper" if other in SEVEN else "ours",
            paper="lowest" if other in SEVEN else "",
            estimate=estimate.median_difference(ends[other], ends[QK_IP], seed=seed),
            limits=above(0),
        )
    is_lowest = ends[QK_IP] < min(ends[transformer].min() for transformer in SEVEN if transformer is not QK_IP)
    yield of_paper(
        "qk-consistently",
        "“The Q-K model consistently attaining the lowest loss”: share of runs of QK with input projections that end "
        f"lower than every run of the six other models of the paper (all but {(~is_lowest).sum()} of "
        f"{len(is_lowest)}).",
        paper="consistently",
        estimate=estimate.share(int(is_lowest.sum()), len(is_lowest)),
        limits=above(0.5),
    )


def claims_along_training(r: Results) -> Iterator[Claim]:
    """Who learns quickly, and the shapes of two loss curves."""
    overall = {transformer: r[training(transformer)]["loss"].mean("iteration").values for transformer in SEVEN}
    yield of_paper(
        "qk-quickest",
        "QK with input projections “demonstrates an ability to more quickly learn than the other models”: smallest "
        "median loss of another model of the paper over the whole training minus that of QK.",
        paper="more quickly",
        estimate=estimate.bootstrap(
            lambda *medians: np.min(medians[:-1], axis=0) - medians[-1],
            *overall.values(),
            of=estimate.medians,
            seed=r.seed,
        ),
        limits=above(0),
    )
    yield from claims_mhn(r)
    yield from claims_fixed(r)


def claims_mhn(r: Results) -> Iterator[Claim]:
    """The loss of the MHN model with projections falls like that of QK, and rises again."""
    mhn, qk = (smoothed(r[training(transformer)]["loss"]) for transformer in (MHN_IP, QK_IP))
    median = mhn.median("run")
    low = int(median["iteration"][median.sel(iteration=slice(0, RISE)).values.argmin()])
    after = median.sel(iteration=slice(low, None))
    top = int(after["iteration"][after.values.argmax()])
    yield claim_like_qk(
        "mhn-on-par-with-qk",
        "MHN “initially exhibits a decrease in loss on par with that of” QK, both with input projections: decrease "
        f"until its loss begins to rise again (iteration {low})",
        "on par",
        {transformer: decrease(r[training(transformer)]["loss"], low) for transformer in SLOT_FREE},
        r.seed,
    )
    first = [r[training(transformer)]["loss"].isel(iteration=0).values for transformer in (MHN_IP, QK_IP)]
    yield Claim(
        "mhn-starts-as-qk",
        "MHN and QK, both with input projections, start with the same loss: mean loss of the first batch, MHN "
        f"({first[0].mean():.3f}) minus QK ({first[1].mean():.3f}), no difference.",
        paper="on par",
        estimate=estimate.difference(*first),
        limits=equal_to(0),
    )
    yield of_paper(
        "mhn-u-shape",
        "MHN with input projections “subsequently shows a 'U-shaped' profile”: its median loss at its later maximum "
        f"(iteration {top}) minus that at its early minimum (iteration {low}).",
        paper="rises again",
        estimate=estimate.bootstrap(
            lambda medians: medians[..., 0] - medians[..., 1],
            mhn.sel(iteration=[top, low]).values,
            of=estimate.medians,
            seed=r.seed,
        ),
        limits=above(0),
    )
    later = min(RISE, int(median["iteration"][-1]))
    parted = [curve.sel(iteration=later).values for curve in (mhn, qk)]
    yield Claim(
        "mhn-above-qk-later",
        f"At iteration {later} QK has the lower loss, both with input projections: median loss of MHN "
        f"({np.median(parted[0]):.3f}) minus that of QK ({np.median(parted[1]):.3f}).",
        estimate=estimate.median_difference(*parted, seed=r.seed),
        limits=above(0),
    )


def decrease(loss: xr.DataArray, until: int) -> NDArray[np.float64]:
    """By how much the smoothed loss of each run falls from the start of training on."""
    ends = smoothed(loss).sel(iteration=[0, until]).values
    fall: NDArray[np.float64] = ends[:, 0] - ends[:, 1]
    return fall


def claims_fixed(r: Results) -> Iterator[Claim]:
    """The loss of fixed keys with projections decreases, and in one go."""
    loss = r[training(FIXED_IP)]["loss"]
    parts = loss.coarsen(iteration=min(PERIOD, loss.sizes["iteration"] // 2), boundary="trim").mean()
    yield of_paper(
        "fixed-decreasing",
        "Fixed W_K with input projections “demonstrates a smoothly decreasing loss curve”, decreasing: largest change "
        f"of the median loss from one {PERIOD:,} iterations to the next.",
        paper="decreasing",
        estimate=estimate.bootstrap(
            lambda medians: np.diff(medians).max(axis=-1), parts.values, of=estimate.medians, seed=r.seed
        ),
        limits=below(0),
    )
    is_stepped = descents(loss, 2).are_separate
    yield of_paper(
        "fixed-smooth",
        "Fixed W_K with input projections has a “smoothly” decreasing loss: share of runs whose loss falls in "
        "separate periods, as that of QK and of the baseline does.",
        paper="smoothly",
        estimate=estimate.share(int(is_stepped.sum()), len(is_stepped)),
        limits=below(0.5),
    )


ITEM = Item(
    name="figS11",
    number="Figure S11",
    title="The same comparison for the loss",
    text="The loss tells apart models whose accuracy is the same: the QK model with input projections ends lowest in "
    "almost all runs, ahead of the baseline and of fixed keys. The loss of the MHN model with projections falls, rises "
    "again and slowly comes down, as its accuracy does in reverse.",
    alt="Two panels on logarithmic axes. A: loss at the end of training of each run, for seven models and two more "
    "versions of the baseline. B: median loss along training, with bands from the least to the largest.",
    experiments=tuple(map(training, ALL)),
    draw=draw,
    claims=claims,
)
