"""Figure 4: retrieval accuracy and sensitivity by age, K-winner against 1-winner MHN, random patterns."""

from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER
from slotfree.paper.retention_runs import RetentionRuns, unstructured

K, ONE = unstructured(K_WINNER), unstructured(ONE_WINNER)
# Every age is tested, also those of the burn-in, in fewer runs.
OLD = tuple(
    RetentionRuns(f"{model.name}-old", model.settings, cues=(1.0,), runs=20, every_age=True)
    for model in (K_WINNER, ONE_WINNER)
)


def make(context: Context) -> Output:
    """Draw accuracy (A) and d' (B) for both cues, and judge the main text's sentences about them."""
    claims = context.claims("fig4")
    figure, axes = drawing.new_figure(2, 2, context.scale, sharey="row")
    curves = {}
    for column, cue in enumerate(CUES):
        top, bottom = axes[:, column]
        for model, experiment in ((K_WINNER, K), (ONE_WINNER, ONE)):
            for kind, style, words in (("real", "-", "stored"), ("pseudo", ":", "never stored")):
                runs = comparison.accuracy(context, experiment.name, cue, kind)
                drawing.by_age(top, runs, model.colour, f"{model.label}, {words}", style=style)
                curves["accuracy", model.name, f"{cue:g}", kind] = runs
        k, one = (comparison.d_prime(context, e.name, cue) for e in (K, ONE))
        for model, samples in ((K_WINNER, k), (ONE_WINNER, one)):
            drawing.by_age(bottom, samples, model.colour, model.label)
            curves["d_prime", model.name, f"{cue:g}", ""] = samples
        drawing.lead_marks(bottom, k, K_WINNER.colour, one, ONE_WINNER.colour)
        drawing.panel(top, "A" if column == 0 else "", drawing.CUE_TITLES[cue])
        drawing.panel(bottom, "B" if column == 0 else "")
        drawing.age_axis(top, context.scale.n_tested, label=False)
        drawing.age_axis(bottom, context.scale.n_tested)
        drawing.d_prime_axis(bottom)
        judge(claims, context, cue)
    axes[0, 0].set(ylabel="accuracy ρ", ylim=(0, 1.03))
    axes[1, 0].set_ylabel("sensitivity d'")
    drawing.legend_below(figure, axes[0, 0], 4, drawing.EVERY_AGE)
    drawing.lead_legend(axes[1, 1])
    judge_old(claims, context)
    newest = context.results[K.name]["accuracy"].sel(kind="real", age=1)
    more, interval = comparison.difference_interval(newest.sel(cue=1.0).values, newest.sel(cue=0.5).values)
    claims.positive(
        "initial-notably",
        "The K-winner's initial accuracy falls below the 1-winner's notably with 50% cues: how much lower than with "
        "100% cues (99%).",
        paper="notably",
        measured=more,
        interval=interval,
    )
    table = comparison.curve_table(curves, ["measure", "model", "cue", "kind"])
    return Output(figure, claims, {"fig4": table})


def judge(claims: Claims, context: Context, cue: float) -> None:
    """Judge what the main text says of one cue level."""
    level = f"{cue:.0%}"
    newest = {e.name: context.results[e.name]["accuracy"].sel(cue=cue, kind="real", age=1).values for e in (K, ONE)}
    claims.add(
        f"perfect-{level}",
        f"The 1-winner MHN perfectly retrieves the most recent pattern ({level} cues): lowest accuracy of any run.",
        paper=1.0,
        measured=newest[ONE.name].min(),
        holds=newest[ONE.name].min() == 1,
    )
    gap, interval = comparison.mean_interval(1 - newest[K.name])
    claims.add(
        f"initial-{level}",
        f"At age 1 the K-winner's accuracy is slightly worse ({level} cues): by less than 0.3, and reliably (99%).",
        paper="slightly worse",
        measured=gap,
        interval=interval,
        holds=interval[0] > 0 and interval[1] < 0.3,
    )
    base = {
        e.name: context.results[e.name]["accuracy"].sel(cue=cue, kind="pseudo").mean("age").values for e in (K, ONE)
    }
    higher, interval = comparison.difference_interval(base[K.name], base[ONE.name])
    claims.positive(
        f"baseline-{level}",
        f"The K-winner's baseline is higher than the 1-winner's ({level} cues): difference in accuracy (99%).",
        paper="higher",
        measured=higher,
        interval=interval,
    )
    above, interval = comparison.mean_interval(base[ONE.name] - 0.1)
    claims.positive(
        f"above-chance-{level}",
        f"The 1-winner's baseline is above 0.1, the overlap of random patterns ({level} cues): by how much (99%).",
        paper="above",
        measured=above,
        interval=interval,
    )
    printed = {1.0: 16, 0.5: 10}[cue]
    k, one = (comparison.d_prime(context, e.name, cue) for e in (K, ONE))
    start, interval = comparison.first_lead(context, K.name, ONE.name, cue)
    claims.add(
        f"reliable-from-{level}",
        f"The K-winner's d' advantage is reliable from this age ({level} cues; interval: 98% bootstrap).",
        paper=printed,
        measured=start,
        interval=interval,
        holds=interval[0] <= printed <= interval[1],
    )
    lead, interval = comparison.lead_over_ages(k, one, 30, 300)
    claims.positive(
        f"older-{level}",
        f"The K-winner retains older memories better ({level} cues): lead in d', mean over ages 30 to 300 (99%).",
        paper="higher d'",
        measured=lead,
        interval=interval,
    )
    lead, interval = comparison.lead_over_ages(one, k, 1, 5)
    claims.positive(
        f"newest-{level}",
        f"The 1-winner's d' is higher for the newest memories ({level} cues): lead in d', mean over ages 1 to 5 (99%).",
        paper="higher d'",
        measured=lead,
        interval=interval,
    )


def judge_old(claims: Claims, context: Context) -> None:
    """Judge that nothing of the burn-in patterns is left."""
    first, last = context.scale.n_tested + 1, context.scale.n_stored
    for model, experiment in zip((K_WINNER, ONE_WINNER), OLD, strict=True):
        delta = metrics.differences(context.results[experiment.name]).sel(cue=1.0, age=slice(first, None))
        mean, interval = comparison.mean_interval(delta.mean("age").values)
        claims.add(
            f"no-trace-{model.name}",
            f"No detectable trace of the first {last - first + 1} of {last} patterns ({model.label}): mean R.D. over "
            f"ages {first} to {last} (interval: 99%), below 0.002.",
            paper="none",
            measured=mean,
            interval=interval,
            holds=interval[1] < 0.002,
        )


ITEM = Item(
    "fig4",
    "Accuracy and d' by memory age, K-winner against 1-winner MHN, random patterns, 100% and 50% cues",
    (K, ONE, *OLD),
    make,
)
