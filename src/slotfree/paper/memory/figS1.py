"""Figure S1: the raw difference R.D. by age, its exponential decay, and theory."""

from collections.abc import Iterator
from math import inf, sqrt

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AGE, BARS, BLUE, EVERY_AGE, GREEN, cue_title
from slotfree.forgetting import metrics
from slotfree.forgetting.fits import FIT_AGES, exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.paper.memory.fig4 import MODELS, ONE, K
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, Expected, Printed, above, equal_to, of_paper
from slotfree.study.estimate import Estimate
from slotfree.study.item import Item
from slotfree.study.results import Results

PRINTED = {
    (K_WINNER.name, 1.0): {"C": 0.336, "beta": 0.005},
    (K_WINNER.name, 0.5): {"C": 0.363, "beta": 0.007},
    (ONE_WINNER.name, 1.0): {"C": 0.833, "beta": 0.010},
    (ONE_WINNER.name, 0.5): {"C": 0.858, "beta": 0.010},
}
PRINTED_THEORY = {1.0: {"C": 0.809, "beta": 0.010}, 0.5: {"C": 0.836, "beta": 0.010}}
ROUNDING = 0.0005
SHOWN = 400  # ages on the logarithmic axis
DASHES = (4.0, 4.0)
OUTLINE = (withStroke(linewidth=3, foreground="white"),)
SYMBOLS = {"C": "C", "beta": "β"}
MEANING = {"C": "start", "beta": "rate of decay"}
LEAST_R2 = 0.955  # that is printed as 0.96


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
        fit = exponential_fit(r[experiment], cue, seed=r.seed)
        words = f"{model.label}, fit: {exponential(fit.C, fit.beta)}, r² = {fit.r_squared:.3f}"
        line = fit.C * np.exp(-fit.beta * (fitted - 1))
        axis.plot(fitted, line, ls=(0, DASHES), lw=2, color=model.colour, label=words, path_effects=OUTLINE)
        row: dict[str, object] = {"model": model.name, "cue": cue}
        for name, found in curves.constants(fit).items():
            row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        picture.record({**row, "r_squared": fit.r_squared}, table="-fits")
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


def claims(r: Results) -> Iterator[Claim]:
    """What the figure prints, and what the SI says of it."""
    for cue in CUES:
        yield from claims_on_fits(r, cue)
        yield from claims_on_theory(r, cue)
        yield from claims_on_both(r, cue)


def claims_on_fits(r: Results, cue: float) -> Iterator[Claim]:
    """The constants of the fits, and how well they fit."""
    level = f"{cue:.0%}"
    for model, experiment in MODELS:
        fit = exponential_fit(r[experiment], cue, seed=r.seed)
        for name, found in curves.constants(fit).items():
            printed = PRINTED[model.name, cue][name]
            yield of_paper(
                f"{name}-{model.name}-{level}",
                f"“{SYMBOLS[name]} = {printed:.3f}” ({model.label}, {level} cues): {MEANING[name]} of the fit R.D. = C "
                "e^(−β(age − 1)).",
                paper=printed,
                estimate=found,
                limits=Printed(printed, ROUNDING),
            )
        found = curves.r_squared(r[experiment], cue)
        yield of_paper(
            f"r2-{model.name}-{level}",
            f"“All r² values ≥ 0.96” ({model.label}, {level} cues): r² of the exponential fit to R.D. The paper's "
            f"smallest is an estimate too, {LEAST_R2} or more, and r² of a fit is uncertain by {found.reach:.3f}: not "
            f"below {LEAST_R2} − √2 · {found.reach:.3f}.",
            paper="≥ 0.96",
            estimate=found,
            limits=Expected(LEAST_R2 - sqrt(2) * found.reach, inf),
        )


def claims_on_theory(r: Results, cue: float) -> Iterator[Claim]:
    """The constants of theorem 1, and whether it matches simulation."""
    level = f"{cue:.0%}"
    predicted = {"C": one_winner.initial_difference(cue), "beta": one_winner.decay_rate(100)}
    for name, value in predicted.items():
        printed = PRINTED_THEORY[cue][name]
        yield of_paper(
            f"theory-{name}-{level}",
            f"“{SYMBOLS[name]} = {printed:.3f}” (theory, {level} cues): {MEANING[name]} of R.D. = C e^(−β(age − 1)) in "
            "theorem 1.",
            paper=printed,
            estimate=estimate.exact(value),
            limits=Printed(printed, ROUNDING, spread=0),
        )
    exact, asymptotic = theories(r[ONE]["age"].values, cue)
    simulated = float(metrics.differences(r[ONE]).sel(cue=cue, age=1).mean())
    words = "clearest difference, simulated R.D. minus predicted, in blocks of all ages, at a joint level of 1%"
    yield of_paper(
        f"theory-matches-{level}",
        f"“Each MHN theory curve matches its empirical counterpart” ({level} cues): {words}. Theory begins at "
        f"{asymptotic[0]:.3f}, the simulated curve at {simulated:.3f}.",
        paper="matches",
        estimate=distance_from_theory(r, cue, asymptotic),
        limits=equal_to(0),
    )
    yield Claim(
        f"exact-matches-{level}",
        f"The exact theory of the 1-winner MHN, for 100 units instead of n_h → ∞, does match ({level} cues): {words}.",
        estimate=distance_from_theory(r, cue, exact),
        limits=equal_to(0),
    )


def distance_from_theory(r: Results, cue: float, curve: NDArray[np.float64]) -> Estimate:
    """The clearest distance of the simulated R.D. from a curve, each averaged over blocks of ages."""
    runs = metrics.differences(r[ONE]).sel(cue=cue).transpose("run", "age").values - curve
    parts = curves.blocks(1, runs.shape[1])
    return estimate.clearest_of(
        estimate.mean(runs[:, first - 1 : last].mean(axis=1), among=len(parts)) for first, last in parts
    )


def claims_on_both(r: Results, cue: float) -> Iterator[Claim]:
    """Who starts higher, and who decays more slowly."""
    level = f"{cue:.0%}"
    one, k = (exponential_fit(r[e], cue, seed=r.seed) for e in (ONE, K))
    yield of_paper(
        f"young-{level}",
        f"“Comparing the empirical constants C … shows that the original MHN yields higher R.D.'s for small ages” "
        f"({level} cues): C of the 1-winner minus that of the K-winner MHN.",
        paper="higher",
        estimate=estimate.resampled_estimate(one.C - k.C, one.C_boot - k.C_boot),
        limits=above(0),
    )
    yield of_paper(
        f"slower-{level}",
        f"“Comparing decay rates (β) shows that the K-winner MHN's retrieval performance degrades more slowly” "
        f"({level} cues): β of the 1-winner minus that of the K-winner MHN.",
        paper="more slowly",
        estimate=curves.faster(one, k),
        limits=above(0),
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
    claims=claims,
)
