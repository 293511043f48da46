"""Figure S13: learning dynamics of the QK model with input projections."""

import numpy as np
import xarray as xr

from slotfree.paper import dynamics
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.training_measures import learnt_at, median_difference, median_interval, smoothed
from slotfree.paper.training_runs import training
from slotfree.paper.transformers import PUBLISHED, QK_IP

EXPERIMENTS = (training(QK_IP), training(PUBLISHED))


def make(context: Context) -> Output:
    """Draw the QK model; judge the order of emergence."""
    output = dynamics.make("figS13", QK_IP, context)
    data = context.results[QK_IP.name]
    for name, words, later, earlier in (
        ("values-first", "QK: case is learnt before queries align with keys", "query-key", "values"),
        ("keys-last", "QK: queries align with keys before the keys of both cases align", "key-key", "query-key"),
    ):
        dynamics.judge_order(output, name, words, later, earlier, context, data)
    judge_stages(output, context, data)
    lead, interval = median_difference(
        learnt_at(context.results[PUBLISHED.name]["accuracy"]), learnt_at(data["accuracy"]), context.seed
    )
    output.claims.positive(
        "sooner",
        "QK achieves perfect accuracy sooner than the baseline (published gradients): iterations by which it reaches "
        "0.99 earlier (medians, 99%).",
        paper="sooner",
        measured=lead,
        interval=interval,
    )
    return output


def judge_stages(output: Output, context: Context, data: xr.Dataset) -> None:
    """Judge the stages that the SI describes for its run."""
    at = dynamics.shares(data, 600)
    lead, interval = median_interval(at["query-key"] - at["key-key"], context.seed)
    output.claims.positive(
        "only-queries-at-600",
        "QK: at iteration 600 query–key structure has emerged before uppercase and lowercase keys align: its share of "
        "the final contrast minus that of key–key (median of all runs, 99%).",
        paper="before",
        measured=lead,
        interval=interval,
    )
    strong = dynamics.shares(data, 1600)
    output.claims.within(
        "strong-at-1600",
        "QK: by iteration 1600 all three structures are strong: smallest median share of the final contrast, at least "
        "0.5.",
        paper="strong",
        measured=min(float(np.median(share)) for share in strong.values()),
        low=0.5,
        high=np.inf,
    )
    curve = smoothed(data["loss"])
    for first, last in ((300, 600), (600, 1000)):
        ends = [curve.sel(iteration=n, method="nearest").values for n in (first, last)]
        fall, interval = median_interval(ends[0] - ends[1], context.seed)
        output.claims.positive(
            f"descent-{first}-{last}",
            f"QK: the loss descends further over iterations {first} to {last}: its fall (median of all runs, 99%).",
            paper="descends",
            measured=fall,
            interval=interval,
        )


ITEM = Item(
    "figS13",
    "Learning dynamics of the QK model: accuracy, loss, weights at four moments, order of emergence",
    EXPERIMENTS,
    make,
    seconds=4,
)
