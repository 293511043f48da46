"""Figure S3: graded updates in the 1-winner MHN, and slower ones in the K-winner MHN."""

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import exponential_fit
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import GRADED, K_WINNER, ONE_WINNER, SLOW
from slotfree.paper.retention_runs import unstructured

EXPERIMENTS = {
    K_WINNER.name: unstructured(K_WINNER),
    SLOW.name: unstructured(SLOW, cues=(1.0,)),
    GRADED.name: unstructured(GRADED, cues=(1.0,)),
    ONE_WINNER.name: unstructured(ONE_WINNER),
}


def make(context: Context) -> Output:
    """Draw the accuracy of both 1-winner MHNs (A) and d' of four models (B), 100% cues."""
    figure, axes = drawing.new_figure(1, 2, context.scale, height=3.4)
    curves = {}
    left, right = axes[0]
    for model in (ONE_WINNER, GRADED):
        for kind, style, words in (("real", "-", "stored"), ("pseudo", ":", "never stored")):
            data = context.results[EXPERIMENTS[model.name].name]
            runs = data["accuracy"].sel(cue=1.0, kind=kind, drop=True)
            drawing.by_age(left, runs, model.colour, f"{model.label}, {words}", style=style)
            curves["accuracy", model.name, kind] = runs
    for model in (K_WINNER, SLOW, GRADED, ONE_WINNER):
        samples = comparison.d_prime(context, EXPERIMENTS[model.name].name, 1.0)
        words = f"{model.label}, ε = 0.3" if model is K_WINNER else model.label
        drawing.by_age(right, samples, model.colour, words)
        curves["d_prime", model.name, ""] = samples
    for axis, letter in ((left, "A"), (right, "B")):
        drawing.panel(axis, letter, "100% cues")
        drawing.age_axis(axis, context.scale.n_tested)
    left.set(ylabel="accuracy ρ", ylim=(0, 1.03))
    drawing.legend_below(figure, left, 4, drawing.EVERY_AGE)
    drawing.legend_on_white(right)
    right.set_ylabel("sensitivity d'")
    drawing.d_prime_axis(right)
    table = comparison.curve_table(curves, ["measure", "model", "kind"])
    return Output(figure, judge(context), {"figS3": table})


def judge(context: Context) -> Claims:
    """Judge what the SI says of learning rates below 1."""
    claims = context.claims("figS3")
    data = {name: context.results[experiment.name] for name, experiment in EXPERIMENTS.items()}
    fits = {name: exponential_fit(data[name], 1.0, seed=context.seed) for name in data}
    newest = {name: data[name]["accuracy"].sel(cue=1.0, kind="real", age=1).values for name in data}
    for lower, higher, words in (
        (GRADED, ONE_WINNER, "the 1-winner MHN from 1 to 0.3"),
        (SLOW, K_WINNER, "the K-winner MHN from 0.3 to 0.2"),
    ):
        loss, interval = comparison.difference_interval(newest[higher.name], newest[lower.name])
        claims.positive(
            f"initial-{lower.name}",
            f"Reducing ε of {words} reduces the accuracy at age 1: by how much (99%).",
            paper="lower",
            measured=loss,
            interval=interval,
        )
        slower, interval = comparison.faster(fits[higher.name], fits[lower.name])
        claims.positive(
            f"slower-{lower.name}",
            f"Reducing ε of {words} slows the decay of R.D.: reduction of β (99%).",
            paper="slower",
            measured=slower,
            interval=interval,
        )
    oldest, old = context.age(1000), context.age(600)
    d = {name: comparison.d_prime(context, EXPERIMENTS[name].name, 1.0) for name in EXPERIMENTS}
    crossing, interval = comparison.crossing(d[GRADED.name], d[K_WINNER.name], 100, seed=context.seed)
    claims.add(
        "overtakes",
        "The graded MHN's d' is higher than that of the ε = 0.3 K-winner MHN from roughly this age on "
        "(interval: 98% bootstrap; roughly: within 100).",
        paper=400.0,
        measured=crossing,
        interval=interval,
        holds=abs(crossing - 400) <= 100,
    )
    lead, interval = comparison.lead_over_ages(d[GRADED.name], d[ONE_WINNER.name], 100, oldest)
    claims.positive(
        "robust",
        f"The graded MHN has a robust d' for older memories: lead over the 1-winner MHN, ages 100 to {oldest} (99%).",
        paper="higher",
        measured=lead,
        interval=interval,
    )
    above = metrics.curve(d[SLOW.name])["mean"] > metrics.curve(d[GRADED.name])["mean"]
    share = float(above.sel(age=slice(20, old)).mean())
    lead, interval = comparison.lead_over_ages(d[SLOW.name], d[GRADED.name], old, oldest)
    claims.within(
        "slow-above",
        f"With ε = 0.2 the K-winner MHN stays above the graded MHN: share of ages 20 to {old} at which its mean d' is "
        "higher, at least 0.98.",
        paper="higher",
        measured=share,
        low=0.98,
        high=1.0,
    )
    claims.positive(
        "slow-above-old",
        f"With ε = 0.2 the K-winner MHN stays above the graded MHN: lead in d' over ages {old} to {oldest} (99%).",
        paper="higher",
        measured=lead,
        interval=interval,
    )
    return claims


ITEM = Item(
    "figS3",
    "Graded updates: accuracy of the 1-winner MHN for two learning rates, and d' of four models",
    tuple(EXPERIMENTS.values()),
    make,
    seconds=5,
)
