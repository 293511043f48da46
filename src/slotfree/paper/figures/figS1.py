"""Figure S1: the raw difference R.D. by age, its exponential decay, and theory."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AGE, BARS, BLUE, EVERY_AGE, GREEN, cue_title
from slotfree.forgetting import metrics
from slotfree.forgetting.fits import FIT_AGES
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.paper.shared.fading import ONE, K, each_cue, fit
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.study import Estimate, Experiment, Item, Results, curves, estimate, measure, same

MODELS = ((K_WINNER, K), (ONE_WINNER, ONE))
SHOWN = 400  # ages on the logarithmic axis
DASHES = (4.0, 4.0)
OUTLINE = (withStroke(linewidth=3, foreground="white"),)


def draw(r: Results) -> Picture:
    """Draw R.D. on a linear and on a logarithmic axis for both cues, with fits and theory."""
    picture = Picture(2, 2)
    n_ages = r[K].sizes["age"]
    for letter, cue, (linear, logarithmic) in zip("AB", CUES, picture.axes, strict=True):
        found = [(model, curves.raw_difference(r[experiment], cue)) for model, experiment in MODELS]
        ages.compared(picture, linear, found, row={"model": "", "cue": f"{cue:g}"})
        draw_theory(linear, n_ages, cue)
        for model, samples in found:
            mean = samples.mean("sample")
            logarithmic.plot(mean["age"], mean, ".", ms=3.5, mew=0, alpha=0.4, color=model.colour, rasterized=True)
        draw_fits(picture, logarithmic, r, cue)
        logarithmic.legend(loc="upper right", fontsize=8, handlelength=3)
        picture.panel(linear, letter, cue_title(cue))
        picture.panel(logarithmic, "", f"{cue_title(cue)}, fits over ages 1 to {min(FIT_AGES, n_ages)}")
        ages.age_axis(linear, n_ages)
        ages.raw_difference_axis(linear)
        log_scale(logarithmic, "y")
        logarithmic.set(ylim=(1e-3, 15), xlim=(0, min(SHOWN, n_ages)), xlabel=AGE, ylabel="R.D., where positive")
        logarithmic.set_yticks([0.001, 0.01, 0.1, 1])  # above there is room for the legend
    picture.legend_below(picture.axes[0, 0], 4, f"left: {EVERY_AGE}; {BARS}")
    return picture


def draw_fits(picture: Picture, axis: Axes, r: Results, cue: float) -> None:
    """Draw the exponential fits of both memories and theorem 1, and record the fits with 99 % intervals.

    The 1-winner's fit and the theorem lie upon each other: the dashes of one stand in the gaps of the other.
    """
    for model, experiment in MODELS:
        fitted = r[experiment]["age"].sel(age=slice(FIT_AGES)).values
        found = fit(experiment, cue)(r)
        words = f"{model.label}, fit: {exponential(found.C, found.beta)}, r² = {found.r_squared:.3f}"
        line = found.C * np.exp(-found.beta * (fitted - 1))
        axis.plot(fitted, line, ls=(0, DASHES), lw=2, color=model.colour, label=words, path_effects=OUTLINE)
        row: dict[str, object] = {"model": model.name, "cue": cue}
        for name in ("C", "beta"):
            value = constant(experiment, cue, name)(r)
            row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        picture.record({**row, "r_squared": found.r_squared}, table="-fits")
    every = np.arange(1, min(r[ONE].sizes["age"], SHOWN) + 1)
    asymptotic, gaps = theories(every, cue)[1], (DASHES[0], DASHES)
    words = f"theorem 1: {exponential(one_winner.initial_difference(cue), one_winner.decay_rate(100))}"
    axis.plot(every, asymptotic, ls=gaps, lw=2, color=GREEN, label=words, path_effects=OUTLINE)


def exponential(C: float, beta: float) -> str:
    """An exponential decay with age a, as mathematical text."""
    return f"${C:.3f}\\, e^{{-{beta:.4f} (a - 1)}}$"


def theories(ages: NDArray[np.int64], cue: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """R.D. of the 1-winner MHN by age in both versions of the theory: exact, and asymptotic (theorem 1)."""
    exact = one_winner.exact_retention(ages, cue) - one_winner.exact_baseline(cue)
    return exact, one_winner.raw_difference_curve(ages, cue)


def draw_theory(axis: Axes, n_ages: int, cue: float) -> None:
    """Draw both versions of the theory of the 1-winner MHN."""
    every = np.arange(1, n_ages + 1)
    exact, asymptotic = theories(every, cue)
    # All three curves of the 1-winner MHN lie upon each other: the pale one is wide enough to be seen at both sides.
    words = "1-winner, theory, exact for $n_h$ = 100"
    axis.plot(every, exact, "-", color=BLUE, lw=5, alpha=0.35, zorder=1, label=words)
    axis.plot(every, asymptotic, ":", color=GREEN, lw=2.2, zorder=3, label="1-winner, theory for $n_h$ → ∞ (theorem 1)")


@measure
def constant(r: Results, e: Experiment, cue: float, name: str) -> Estimate:
    """C or beta of the exponential fit."""
    return curves.constants(fit(e, cue)(r))[name]


@measure
def r_squared(r: Results, e: Experiment, cue: float) -> Estimate:
    """r² of the exponential fit."""
    return curves.r_squared(r[e], cue)


@measure
def higher_start(r: Results, cue: float) -> Estimate:
    """C of the 1-winner minus that of the K-winner MHN."""
    one, k = fit(ONE, cue)(r), fit(K, cue)(r)
    return estimate.resampled_estimate(one.C - k.C, one.C_boot - k.C_boot)


@measure
def distance_from_theory(r: Results, cue: float, version: str) -> Estimate:
    """The clearest distance of the 1-winner's R.D. from theory, "exact" or "asymptotic", in blocks of all ages."""
    delta = metrics.differences(r[ONE]).sel(cue=cue).transpose("run", "age")
    exact, asymptotic = theories(delta["age"].values, cue)
    runs = delta.values - {"exact": exact, "asymptotic": asymptotic}[version]
    parts = curves.blocks(1, runs.shape[1])
    return estimate.clearest_of(
        estimate.mean(runs[:, first - 1 : last].mean(axis=1), among=len(parts)) for first, last in parts
    )


ITEM = Item(
    name="figS1",
    number="Figure S1",
    title="Raw difference, and how fast it decays",
    text="The raw difference (R.D.) is the accuracy for stored patterns minus that for patterns never stored; for both "
    "memories it falls exponentially with age, which is a straight line on the right. The 1-winner MHN starts higher "
    "and loses one per cent per stored pattern; the K-winner MHN starts lower and decays more slowly. Theorem 1 has "
    "the right rate and begins a little too low, as it is for infinitely many units; the exact theory matches.",
    alt="Two rows of two panels, for 100% and for 50% cues. Left: raw difference of both memories against age, with "
    "theory for the 1-winner MHN. Right: the same on a logarithmic axis, with exponential fits and theorem 1."
    " Constants are written beside them.",
    experiments=(K, ONE),
    draw=draw,
    claims=tuple(
        each_cue(
            "figS1.exact-matches",
            "clearest difference of simulated R.D. and the theory that is exact for 100 units",
            lambda cue: distance_from_theory(cue, "exact"),
            judge=same,
        ).values()
    ),
)
