"""Stack 3: retention of structured patterns with and without separation, at equal numbers of learned weights."""

import xarray as xr

from slotfree.forgetting.protocol import CUES
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER, Model
from slotfree.paper.stacks import FEW, FLIPS, N_TESTED, STACKED, STACKED_FEW, on_trees

MODELS = (ONE_WINNER, K_WINNER, STACKED, FEW, STACKED_FEW)
SIMILARITY = {5: 0.49, 10: 0.28, 15: 0.17}
OLDER, OLDEST = (30, 300), (150, 500)

NEW = "not in the paper"
HELPS = "Separation helps: before the same hidden layer it makes older memories easier to tell from new patterns."
# What is claimed of each lead in d': of a memory over another, for a b, a cue level and a range of ages.
LEADS: tuple[tuple[str, str, str, tuple[Model, Model, int, float, tuple[int, int]]], ...] = (
    ("separates-5", HELPS, "further differentiated", (STACKED, K_WINNER, 5, 1.0, OLDER)),
    ("separates-10", HELPS, "further differentiated", (STACKED, K_WINNER, 10, 1.0, OLDER)),
    (
        "returns-10",
        "At a mean similarity of 0.28, where the plain K-winner has none, the advantage for older memories is back.",
        NEW,
        (STACKED, ONE_WINNER, 10, 1.0, OLDER),
    ),
    (
        "lost-5",
        "At a mean similarity of 0.49 separation does not bring the advantage back: the 1-winner MHN still leads.",
        NEW,
        (ONE_WINNER, STACKED, 5, 1.0, OLDER),
    ),
    (
        "oldest-5",
        "At 0.49 a stack with few winners is ahead of the 1-winner MHN for the oldest memories.",
        NEW,
        (STACKED_FEW, ONE_WINNER, 5, 1.0, OLDEST),
    ),
    (
        "few-10",
        "Fewer winners with more connections, without separation, do better than separation before many.",
        NEW,
        (FEW, STACKED, 10, 1.0, OLDER),
    ),
    (
        "few-half-cue-10",
        "With half cues few winners do better without separation than with it.",
        NEW,
        (FEW, STACKED_FEW, 10, 0.5, OLDER),
    ),
    (
        "half-cue-10",
        "With half cues separation harms, as half a cue has another code: the plain K-winner leads.",
        NEW,
        (K_WINNER, STACKED, 10, 0.5, OLDER),
    ),
)


def d_prime(context: Context, model: Model, b: int, cue: float) -> xr.DataArray:
    """d' of each sample, (sample, age), up to the oldest age that all memories are tested at."""
    return comparison.d_prime(context, on_trees(model, b).name, cue).sel(age=slice(N_TESTED))


def make(context: Context) -> Output:
    """Draw d' for both cues, and accuracy at 100% cues, for trees of three b."""
    figure, axes = drawing.new_figure(3, len(FLIPS), context.scale, width=10.5, height=2.9, sharey="row")
    curves = {}
    for column, b in enumerate(FLIPS):
        for row, cue in enumerate(CUES):
            axis = axes[row, column]
            for model in MODELS:
                samples = d_prime(context, model, b, cue)
                drawing.by_age(axis, samples, model.colour, model.label, every_age=False)
                curves["d_prime", model.name, str(b), f"{cue:g}"] = samples
            drawing.d_prime_axis(axis)
            axis.set_ylim(-0.2, 15)
            drawing.panel(axis, "ABCDEF"[3 * row + column], f"b = {b} (similarity {SIMILARITY[b]}), {cue:.0%} cues")
        axis = axes[2, column]
        for model in MODELS:
            for kind, style in (("real", "-"), ("pseudo", ":")):
                runs = comparison.accuracy(context, on_trees(model, b).name, 1.0, kind).sel(age=slice(N_TESTED))
                label = model.label if kind == "real" else ""
                drawing.by_age(axis, runs, model.colour, label, style=style, every_age=False)
                curves[f"accuracy_{kind}", model.name, str(b), "1"] = runs
        drawing.panel(axis, "GHI"[column], f"b = {b}, 100% cues; dotted: never stored")
    for axis in axes.flat:
        drawing.age_axis(axis, min(N_TESTED, context.scale.n_tested), label=axis in axes[2])
    for row, label in zip(axes, ("sensitivity d'", "sensitivity d'", "accuracy ρ"), strict=True):
        row[0].set_ylabel(label)
    axes[2, 0].set_ylim(0, 1.03)
    drawing.legend_below(figure, axes[0, 0], 5, f"100,000 learned weights each; {drawing.AVERAGED}")
    table = comparison.curve_table(curves, ["measure", "model", "n_flips", "cue"])
    return Output(figure, judge(context), {"stackS3": table})


def judge(context: Context) -> Claims:
    """Judge what separation does, by comparing memories in d', averaged over older ages, and what it costs."""
    claims = context.claims("stackS3")
    for name, words, paper, (a, b, flips, cue, ages) in LEADS:
        first, last = (context.age(age) for age in ages)
        value, interval = comparison.lead_over_ages(
            d_prime(context, a, flips, cue), d_prime(context, b, flips, cue), first, last
        )
        claims.positive(
            name,
            f"{words} Lead in d' of the {a.label} over the {b.label}, b = {flips}, {cue:.0%} cues, mean over ages "
            f"{first} to {last} (99%).",
            paper=paper,
            measured=value,
            interval=interval,
        )
    for flips in (5, 10):
        plain, stacked = (
            comparison.accuracy(context, on_trees(model, flips).name, 1.0, "real")
            .sel(age=slice(1, 5))
            .mean("age")
            .values
            for model in (K_WINNER, STACKED)
        )
        loss, interval = comparison.difference_interval(plain, stacked)
        claims.positive(
            f"price-{flips}",
            f"The price: recalled through the code, the newest memories lose accuracy, b = {flips}, 100% cues, ages "
            "1 to 5 (99%).",
            paper=NEW,
            measured=loss,
            interval=interval,
        )
    return claims


ITEM = Item(
    "stackS3",
    "d' and accuracy by age of similar patterns, with and without separation, at equal numbers of learned weights",
    tuple(on_trees(model, b) for b in FLIPS for model in MODELS),
    make,
    seconds=8,
)
