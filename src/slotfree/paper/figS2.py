"""Figure S2: the K-winner MHN with twice the fan-in (f = 0.1, n_h = 1000)."""

import xarray as xr

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER, WIDE
from slotfree.paper.retention_runs import unstructured

K, ONE, W = unstructured(K_WINNER), unstructured(ONE_WINNER), unstructured(WIDE)


def make(context: Context) -> Output:
    """Draw accuracy, R.D. and d' for both cues."""
    claims = context.claims("figS2")
    figure, axes = drawing.new_figure(3, 2, context.scale, height=2.6, sharey="row")
    curves = {}
    for column, cue in enumerate(CUES):
        for model, experiment in ((WIDE, W), (ONE_WINNER, ONE)):
            for kind, style, words in (("real", "-", "stored"), ("pseudo", ":", "never stored")):
                runs = comparison.accuracy(context, experiment.name, cue, kind)
                drawing.by_age(axes[0, column], runs, model.colour, f"{model.label}, {words}", style=style)
                curves["accuracy", model.name, f"{cue:g}", kind] = runs
            for row, measure in ((1, comparison.raw_difference), (2, comparison.d_prime)):
                samples = measure(context, experiment.name, cue)
                drawing.by_age(axes[row, column], samples, model.colour, model.label)
                curves[measure.__name__, model.name, f"{cue:g}", ""] = samples
        for row, measure in ((1, comparison.raw_difference), (2, comparison.d_prime)):
            wide, one = (measure(context, e.name, cue) for e in (W, ONE))
            drawing.lead_marks(axes[row, column], wide, WIDE.colour, one, ONE_WINNER.colour)
        for row in range(3):
            drawing.panel(
                axes[row, column], "ABC"[row] if column == 0 else "", drawing.CUE_TITLES[cue] if row == 0 else ""
            )
            drawing.age_axis(axes[row, column], context.scale.n_tested, label=row == 2)
        drawing.d_prime_axis(axes[2, column])
        judge(claims, context, cue)
    axes[0, 0].set(ylabel="accuracy ρ", ylim=(0, 1.03))
    axes[1, 0].set(ylabel="raw difference R.D.", ylim=(-0.05, 1.05))
    axes[2, 0].set_ylabel("sensitivity d'")
    drawing.legend_below(figure, axes[0, 0], 4, drawing.EVERY_AGE)
    drawing.lead_legend(axes[2, 1])
    return Output(figure, claims, {"figS2": comparison.curve_table(curves, ["measure", "model", "cue", "kind"])})


def judge(claims: Claims, context: Context, cue: float) -> None:
    """Judge what text and SI say of the wider fan-in."""
    level = f"{cue:.0%}"

    def runs(experiment: str, kind: str) -> xr.DataArray:
        return context.results[experiment]["accuracy"].sel(cue=cue, kind=kind)

    first = {e.name: runs(e.name, "real").sel(age=1).values for e in (W, K)}
    newest = float(first[W.name].mean())
    more, interval = comparison.difference_interval(first[W.name], first[K.name])
    claims.positive(
        f"initial-{level}",
        f"Raising f to 0.1 raises the accuracy at age 1 ({level} cues): by how much (99%).",
        paper="higher",
        measured=more,
        interval=interval,
    )
    claims.within(
        f"near-perfect-{level}",
        f"Initial accuracy is near-perfect ({level} cues), which means about 0.9, not 1: within 0.05 of it.",
        paper="near-perfect",
        measured=newest,
        low=0.85,
        high=0.95,
    )
    base = {e.name: runs(e.name, "pseudo").mean("age").values for e in (W, K)}
    lower, interval = comparison.difference_interval(base[K.name], base[W.name])
    claims.positive(
        f"baseline-{level}",
        f"Raising f to 0.1 lowers the baseline ({level} cues): by how much (99%).",
        paper="lower",
        measured=lower,
        interval=interval,
    )
    wide, one, k = (comparison.raw_difference(context, e.name, cue) for e in (W, ONE, K))
    lead, interval = comparison.lead_over_ages(wide, k, 1, 10)
    claims.positive(
        f"initial-rd-{level}",
        f"The initial R.D. is larger than with f = 0.05 ({level} cues): lead over ages 1 to 10 (99%).",
        paper="larger",
        measured=lead,
        interval=interval,
    )
    above = float((wide.mean("sample") > one.mean("sample")).sel(age=slice(1, 300)).mean())
    claims.within(
        f"below-one-winner-{level}",
        f"The R.D. curve consistently remains below that of the 1-winner MHN ({level} cues): share of ages 1 to 300 at "
        "which it is above, at most 0.05.",
        paper=0.0,
        measured=above,
        low=0.0,
        high=0.05,
    )
    fits = [exponential_fit(context.results[e.name], cue, seed=context.seed) for e in (W, K)]
    faster, interval = comparison.faster(fits[0], fits[1])
    claims.positive(
        f"faster-{level}",
        f"Raising f makes R.D. decay faster ({level} cues): β less that of f = 0.05 (99%).",
        paper="positive",
        measured=faster,
        interval=interval,
    )
    judge_sensitivity(claims, context, cue)


def judge_sensitivity(claims: Claims, context: Context, cue: float) -> None:
    """Judge where the wider fan-in leads in d'."""
    level = f"{cue:.0%}"
    wide, one, narrow = (comparison.d_prime(context, e.name, cue) for e in (W, ONE, K))
    marks = metrics.leads(wide, one)
    for name, first, last, low, high in (("middle", 20, 250, 0.8, 1.0), ("old", 300, context.age(600), 0.0, 0.1)):
        words = "leads in d' at" if name == "middle" else "no longer leads in d' at"
        claims.within(
            f"{name}-{level}",
            f"f = 0.1 {words} ages {first} to {last} ({level} cues): share of ages with a reliable lead, {low:g} to "
            f"{high:g}.",
            paper="advantage" if name == "middle" else "no advantage",
            measured=float(marks.sel(age=slice(first, last)).mean()),
            low=low,
            high=high,
        )
    last = context.age(600)
    lead, interval = comparison.lead_over_ages(narrow, wide, 300, last)
    claims.positive(
        f"trade-off-{level}",
        f"What f = 0.1 gains at first it loses later ({level} cues): lead of f = 0.05 in d', ages 300 to {last} (99%).",
        paper="trade-off",
        measured=lead,
        interval=interval,
    )


ITEM = Item(
    "figS2",
    "The K-winner MHN with fan-in 0.1: accuracy, raw difference and d' by age, both cues",
    (W, ONE, K),
    make,
    seconds=6,
)
