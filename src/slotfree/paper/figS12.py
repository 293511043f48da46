"""Figure S12: learning dynamics of the baseline transformer, with the gradients that the paper ran."""

import numpy as np

from slotfree.paper import dynamics
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.training_measures import half_times, smoothed
from slotfree.paper.training_runs import training
from slotfree.paper.transformers import BASELINES, PUBLISHED

EXPERIMENTS = tuple(training(transformer) for transformer in BASELINES)
APART = 0.1


def make(context: Context) -> Output:
    """Draw the published baseline; judge the order of emergence for all three."""
    output = dynamics.make("figS12", PUBLISHED, context)
    for transformer in BASELINES:
        data, words = context.results[transformer.name], f"Baseline ({transformer.label})"
        for later in ("query-key", "key-key"):
            name = f"values-before-{later}-{transformer.name}"
            dynamics.judge_order(output, name, f"{words}: case is learnt first", later, "values", context, data)
        apart, interval = dynamics.together(half_times(data), context.seed)
        output.claims.add(
            f"together-{transformer.name}",
            f"{words}: key–key and query–key structure emerge in parallel: how much later key–key is, as a share of "
            f"when query–key is (median of all runs, 99%), within {APART}.",
            paper="in parallel",
            measured=apart,
            interval=interval,
            holds=interval[0] >= -APART and interval[1] <= APART,
        )
    judge_stages(output, context)
    return output


def judge_stages(output: Output, context: Context) -> None:
    """Judge the stages that the SI describes for its run."""
    data = context.results[PUBLISHED.name]
    for iteration, words, low, high in (
        (900, "has begun to appear", 0.02, 0.5),
        (1200, "has grown strong", 0.5, np.inf),
    ):
        share = dynamics.shares(data, iteration)
        output.claims.within(
            f"structure-at-{iteration}",
            f"Baseline (published): at iteration {iteration} structure in keys and queries {words}: share of the final "
            "contrast, median of all runs.",
            paper=words,
            measured=float(np.median([share["query-key"], share["key-key"]])),
            low=low,
            high=high,
        )
    median = smoothed(data["loss"]).median("run")

    def fall(first: int, last: int) -> float:
        ends = [float(median.sel(iteration=n, method="nearest")) for n in (first, last)]
        return ends[0] - ends[1]

    still, before, after = fall(400, 700), fall(0, 300), fall(900, 1200)
    output.claims.within(
        "two-descents",
        "Baseline (published): the loss descends twice with a stagnation between: its fall over iterations 400 to 700, "
        "as a share of the smaller of those over 0 to 300 and 900 to 1200, at most 0.25.",
        paper="stagnates",
        measured=still / min(before, after) if min(before, after) > 0 else np.inf,
        low=-0.25,
        high=0.25,
    )


ITEM = Item(
    "figS12",
    "Learning dynamics of the baseline: accuracy, loss, weights at four moments, order of emergence",
    EXPERIMENTS,
    make,
    seconds=4,
)
