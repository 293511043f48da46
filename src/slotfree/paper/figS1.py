"""Figure S1: the raw difference R.D. by age, its exponential decay, and theory."""

import numpy as np

from slotfree.forgetting.fits import ExponentialFit, exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER
from slotfree.paper.retention_runs import unstructured

K, ONE = unstructured(K_WINNER), unstructured(ONE_WINNER)
FIT_AGES = 200
ASYMPTOTIC, EXACT = "#009E73", "#0072B2"
PRINTED = {
    (K_WINNER.name, 1.0): (0.336, 0.005),
    (K_WINNER.name, 0.5): (0.363, 0.007),
    (ONE_WINNER.name, 1.0): (0.833, 0.010),
    (ONE_WINNER.name, 0.5): (0.858, 0.010),
}
PRINTED_THEORY = {1.0: (0.809, 0.010), 0.5: (0.836, 0.010)}


def make(context: Context) -> Output:
    """Draw R.D. on a linear and on a logarithmic axis for both cues, with fits and theory."""
    claims = context.claims("figS1")
    figure, axes = drawing.new_figure(2, 2, context.scale)
    ages = np.arange(1, context.scale.n_tested + 1)
    curves, constants = {}, []
    for row, cue in enumerate(CUES):
        linear, logarithmic = axes[row]
        fits: dict[str, ExponentialFit] = {}
        for model, experiment in ((K_WINNER, K), (ONE_WINNER, ONE)):
            samples = comparison.raw_difference(context, experiment.name, cue)
            curves[model.name, f"{cue:g}"] = samples
            drawing.by_age(linear, samples, model.colour, model.label)
            logarithmic.plot(ages, samples.mean("sample"), ".", ms=2, alpha=0.4, color=model.colour, rasterized=True)
            fit = fits[model.name] = exponential_fit(context.results[experiment.name], cue, seed=context.seed)
            constants.append(
                [model.name, cue, fit.C, *fit.interval("C"), fit.beta, *fit.interval("beta"), fit.r_squared]
            )
            logarithmic.plot(
                ages[:FIT_AGES],
                fit.C * np.exp(-fit.beta * (ages[:FIT_AGES] - 1)),
                "--",
                color=model.colour,
                label=f"{model.label}: {fit.C:.3f} exp(−{fit.beta:.4f} (a − 1)), r² = {fit.r_squared:.3f}",
            )
        for axis in (linear, logarithmic):
            asymptotic = one_winner.raw_difference_curve(ages, cue)
            exact = one_winner.exact_retention(ages, cue) - one_winner.exact_baseline(cue)
            axis.plot(
                ages, asymptotic, ":", color=ASYMPTOTIC, lw=1.6, label="1-winner, theory for $n_h$ → ∞ (theorem 1)"
            )
            axis.plot(ages, exact, "-.", color=EXACT, lw=1.2, label="1-winner, theory, exact for $n_h$ = 100")
        k, one = (comparison.raw_difference(context, e.name, cue) for e in (K, ONE))
        drawing.lead_marks(linear, k, K_WINNER.colour, one, ONE_WINNER.colour)
        drawing.panel(linear, "AB"[row], drawing.CUE_TITLES[cue])
        drawing.panel(logarithmic, "", f"{drawing.CUE_TITLES[cue]}, fits over ages 1 to {FIT_AGES}")
        drawing.age_axis(linear, context.scale.n_tested)
        linear.set(ylabel="raw difference R.D.", ylim=(-0.05, 1.05))
        logarithmic.set(
            yscale="log",
            ylim=(1e-3, 1.5),
            xlim=(0, 500),
            xlabel="memory age (1 = newest)",
            ylabel="R.D., where positive",
        )
        logarithmic.legend(loc="lower left", fontsize=6.5)
        judge(claims, context, cue, fits)
    drawing.legend_below(figure, axes[0, 0], 4, f"left: {drawing.EVERY_AGE}; {drawing.BARS}")
    header = ["model", "cue", "C", "C_low", "C_high", "beta", "beta_low", "beta_high", "r_squared"]
    tables = {"figS1": comparison.curve_table(curves, ["model", "cue"]), "figS1-fits": (header, constants)}
    return Output(figure, claims, tables)


def judge(claims: Claims, context: Context, cue: float, fits: dict[str, ExponentialFit]) -> None:
    """Judge the constants of one cue level, and what the SI says of them."""
    level = f"{cue:.0%}"
    for model in (K_WINNER, ONE_WINNER):
        fit = fits[model.name]
        for name, value, boot, printed in zip(
            ("C", "β"), (fit.C, fit.beta), (fit.C_boot, fit.beta_boot), PRINTED[model.name, cue], strict=True
        ):
            claims.agrees(
                f"{'C' if name == 'C' else 'beta'}-{model.name}-{level}",
                f"{name} of the exponential fit to R.D., {model.label}, {level} cues.",
                paper=printed,
                measured=value,
                spread=float(boot.std(ddof=1)),
                rounding=0.0005,
            )
        claims.add(
            f"r2-{model.name}-{level}",
            f"r² of the exponential fit is at least 0.96, {model.label}, {level} cues.",
            paper="≥ 0.96",
            measured=fit.r_squared,
            holds=fit.r_squared >= 0.96,
        )
    predicted = one_winner.initial_difference(cue), one_winner.decay_rate(100)
    for name, value, printed in zip(("C", "beta"), predicted, PRINTED_THEORY[cue], strict=True):
        claims.add(
            f"theory-{name}-{level}",
            f"{name} of theorem 1, {level} cues, as printed.",
            paper=printed,
            measured=value,
            holds=abs(value - printed) <= 0.0005,
        )
    ages = np.arange(1, FIT_AGES + 1)
    one = comparison.raw_difference(context, ONE.name, cue).sel(age=slice(FIT_AGES))
    residual = one.mean("sample").values - one_winner.raw_difference_curve(ages, cue)
    worst = float(abs(residual.reshape(4, -1).mean(axis=1)).max())
    claims.within(
        f"theory-matches-{level}",
        f"Theorem 1 matches the simulated R.D. of the 1-winner MHN, {level} cues: largest mean difference of four "
        "blocks of 50 ages, at most 0.03.",
        paper="matches",
        measured=worst,
        low=0.0,
        high=0.03,
    )
    young, interval = comparison.lead_over_ages(one, comparison.raw_difference(context, K.name, cue), 1, 20)
    claims.positive(
        f"young-{level}",
        f"The 1-winner's R.D. is higher for small ages, {level} cues: lead over ages 1 to 20 (99%).",
        paper="higher",
        measured=young,
        interval=interval,
    )
    slower, interval = comparison.faster(fits[ONE_WINNER.name], fits[K_WINNER.name])
    claims.positive(
        f"slower-{level}",
        f"The K-winner's R.D. decays more slowly, {level} cues: β of the 1-winner less β of the K-winner (99%).",
        paper="positive",
        measured=slower,
        interval=interval,
    )


ITEM = Item(
    "figS1",
    "Raw difference by age, linear and logarithmic, with exponential fits and theory",
    (K, ONE),
    make,
    seconds=5,
)
