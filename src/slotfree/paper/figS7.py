"""Figure S7: accuracy by age for structured patterns, against structured and unstructured baselines."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from slotfree.forgetting.protocol import CUES
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER, Model
from slotfree.paper.retention_runs import TREE_FLIPS, all_structured, structured

KINDS = (
    ("real", "-", "stored"),
    ("pseudo", "--", "never stored, same tree"),
    ("uniform", ":", "never stored, unstructured"),
)


def make(context: Context) -> Output:
    """Draw accuracies of both models for five b (columns) and both cues (rows)."""
    claims = context.claims("figS7")
    figure, axes = drawing.new_figure(2, len(TREE_FLIPS), context.scale, width=12, height=2.7, sharex=True, sharey=True)
    curves = {}
    for row, cue in enumerate(CUES):
        for column, b in enumerate(TREE_FLIPS):
            axis = axes[row, column]
            for model in (K_WINNER, ONE_WINNER):
                for kind, style, words in KINDS:
                    runs = comparison.accuracy(context, structured(model, b).name, cue, kind)
                    drawing.by_age(axis, runs, model.colour, f"{model.label}, {words}", style=style, every_age=False)
                    curves[model.name, str(b), f"{cue:g}", kind] = runs
                judge(claims, context, model, b, cue)
            drawing.panel(axis, "AB"[row] if column == 0 else "", f"b = {b}, {drawing.CUE_TITLES[cue]}")
            drawing.age_axis(axis, context.scale.n_tested, label=row == 1)
        axes[row, 0].set(ylabel="accuracy ρ", ylim=(0, 1.03))
    for model in (K_WINNER, ONE_WINNER):
        gaps = [float(gap_by_run(context, model, b, 1.0).mean()) for b in TREE_FLIPS]
        claims.add(
            f"similarity-{model.name}",
            f"The {model.label} generalises the more, the more similar patterns are: differences for b = 5 to 30, 100% "
            "cues, in order.",
            paper="falling with b",
            measured=", ".join(f"{gap:.3f}" for gap in gaps),
            holds=all(a > b for a, b in pairwise(gaps)),
        )
    drawing.legend_below(figure, axes[0, 0], 2, drawing.AVERAGED)
    return Output(figure, claims, {"figS7": comparison.curve_table(curves, ["model", "n_flips", "cue", "kind"])})


def judge(claims: Claims, context: Context, model: Model, b: int, cue: float) -> None:
    """Judge that what is similar to stored patterns is retrieved better than what is not."""
    mean, interval = comparison.mean_interval(gap_by_run(context, model, b, cue))
    claims.positive(
        f"generalises-{model.name}-{b}-{cue:.0%}",
        f"The {model.label} retrieves unseen patterns of the tree better than unstructured ones, b = {b}, {cue:.0%} "
        "cues: difference in accuracy (99%).",
        paper="better",
        measured=mean,
        interval=interval,
    )


def gap_by_run(context: Context, model: Model, b: int, cue: float) -> NDArray[np.float64]:
    """Accuracy for unseen patterns of the tree less that for unstructured ones, in each run."""
    accuracy = context.results[structured(model, b).name]["accuracy"].sel(cue=cue)
    gap: NDArray[np.float64] = (accuracy.sel(kind="pseudo") - accuracy.sel(kind="uniform")).mean("age").values
    return gap


ITEM = Item(
    "figS7",
    "Accuracy by age for structured patterns with structured and unstructured baselines, both cues",
    all_structured(),
    make,
    seconds=10,
)
