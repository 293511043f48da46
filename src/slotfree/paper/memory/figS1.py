"""Figure S1: the raw difference R.D. by age, its exponential decay, and theory."""

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes

from slotfree.drawing import ages
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AGE, BARS, BLUE, EVERY_AGE, GREEN, cue_title
from slotfree.forgetting import metrics
from slotfree.forgetting.fits import FIT_AGES, exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.paper.memories import K_WINNER, ONE_WINNER
from slotfree.paper.memory.fig4 import MODELS, ONE, K
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, Printed, above, at_least, within
from slotfree.study.estimate import Estimate
from slotfree.study.item import Item
from slotfree.study.results import Results

BLOCKS = 4  # of ages, in which theory is compared with simulation
YOUNG = (1, 20)
PRINTED = {
    (K_WINNER.name, 1.0): {"C": 0.336, "beta": 0.005},
    (K_WINNER.name, 0.5): {"C": 0.363, "beta": 0.007},
    (ONE_WINNER.name, 1.0): {"C": 0.833, "beta": 0.010},
    (ONE_WINNER.name, 0.5): {"C": 0.858, "beta": 0.010},
}
PRINTED_THEORY = {1.0: {"C": 0.809, "beta": 0.010}, 0.5: {"C": 0.836, "beta": 0.010}}
ROUNDING = 0.0005
SYMBOLS = {"C": "C", "beta": "β"}


def draw(r: Results) -> Picture:
    """Draw R.D. on a linear and on a logarithmic axis for both cues, with fits and theory."""
    picture = Picture(2, 2)
    n_ages = r[K].sizes["age"]
    for letter, cue, (linear, logarithmic) in zip("AB", CUES, picture.axes, strict=True):
        found = [(model, curves.raw_difference(r[experiment], cue)) for model, experiment in MODELS]
        ages.compared(picture, linear, found, row={"model": "", "cue": f"{cue:g}"})
        for model, samples in found:
            mean = samples.mean("sample")
            logarithmic.plot(mean["age"], mean, ".", ms=2, alpha=0.4, color=model.colour, rasterized=True)
        draw_fits(picture, logarithmic, r, cue)
        logarithmic.legend(loc="upper right", fontsize=6.5)
        for axis in (linear, logarithmic):
            draw_theory(axis, n_ages, cue)
        picture.panel(linear, letter, cue_title(cue))
        picture.panel(logarithmic, "", f"{cue_title(cue)}, fits over ages 1 to {min(FIT_AGES, n_ages)}")
        ages.age_axis(linear, n_ages)
        ages.raw_difference_axis(linear)
        log_scale(logarithmic, "y")
        logarithmic.set(ylim=(1e-3, 1.5), xlim=(0, 500), xlabel=AGE, ylabel="R.D., where positive")
    picture.legend_below(picture.axes[0, 0], 4, f"left: {EVERY_AGE}; {BARS}")
    return picture


def draw_fits(picture: Picture, axis: Axes, r: Results, cue: float) -> None:
    """Draw the exponential fits of both memories, and record their constants with 99 % intervals."""
    for model, experiment in MODELS:
        fitted = r[experiment]["age"].sel(age=slice(FIT_AGES)).values
        fit = exponential_fit(r[experiment], cue, seed=r.seed)
        words = f"{model.label}: {fit.C:.3f} exp(−{fit.beta:.4f} (a − 1)), r² = {fit.r_squared:.3f}"
        axis.plot(fitted, fit.C * np.exp(-fit.beta * (fitted - 1)), "--", color=model.colour, label=words)
        row: dict[str, object] = {"model": model.name, "cue": cue}
        for name, found in curves.constants(fit).items():
            row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        picture.record({**row, "r_squared": fit.r_squared}, table="-fits")


def draw_theory(axis: Axes, n_ages: int, cue: float) -> None:
    """Draw both versions of the theory of the 1-winner MHN."""
    every = np.arange(1, n_ages + 1)
    asymptotic = one_winner.raw_difference_curve(every, cue)
    exact = one_winner.exact_retention(every, cue) - one_winner.exact_baseline(cue)
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
    """The constants of the fits."""
    level = f"{cue:.0%}"
    for model, experiment in MODELS:
        fit = exponential_fit(r[experiment], cue, seed=r.seed)
        for name, found in curves.constants(fit).items():
            printed = PRINTED[model.name, cue][name]
            yield Claim(
                f"{name}-{model.name}-{level}",
                f"{SYMBOLS[name]} of the exponential fit to R.D., {model.label}, {level} cues.",
                source="paper",
                paper=printed,
                estimate=found,
                limits=Printed(printed, ROUNDING),
            )
        yield Claim(
            f"r2-{model.name}-{level}",
            f"r² of the exponential fit is at least 0.96, {model.label}, {level} cues.",
            source="paper",
            paper="≥ 0.96",
            estimate=curves.r_squared(r[experiment], cue),
            limits=at_least(0.96),
        )


def claims_on_theory(r: Results, cue: float) -> Iterator[Claim]:
    """The constants of theorem 1, and whether it matches simulation."""
    level = f"{cue:.0%}"
    predicted = {"C": one_winner.initial_difference(cue), "beta": one_winner.decay_rate(100)}
    for name, value in predicted.items():
        printed = PRINTED_THEORY[cue][name]
        yield Claim(
            f"theory-{name}-{level}",
            f"{SYMBOLS[name]} of theorem 1, {level} cues, as printed.",
            source="paper",
            paper=printed,
            estimate=estimate.exact(value),
            limits=Printed(printed, ROUNDING, spread=0),
        )
    yield Claim(
        f"theory-matches-{level}",
        f"Theorem 1 matches the simulated R.D. of the 1-winner MHN, {level} cues: largest mean difference of four "
        "blocks of 50 ages, at most 0.03.",
        source="paper",
        paper="matches",
        estimate=distance_from_theory(r, cue),
        limits=within(0, 0.03),
    )


def distance_from_theory(r: Results, cue: float) -> Estimate:
    """Largest distance of theorem 1 from the simulated R.D., each averaged over blocks of ages."""
    runs = metrics.differences(r[ONE]).sel(cue=cue, age=slice(FIT_AGES)).transpose("run", "age")
    residuals = runs.values - one_winner.raw_difference_curve(runs["age"].values, cue)
    blocks = np.array_split(residuals, BLOCKS, axis=1)
    return estimate.largest_of(abs(estimate.mean(block.mean(axis=1))) for block in blocks)


def claims_on_both(r: Results, cue: float) -> Iterator[Claim]:
    """Who starts higher, and who decays more slowly."""
    level = f"{cue:.0%}"
    k, one = (curves.raw_difference(r[e], cue) for e in (K, ONE))
    yield Claim(
        f"young-{level}",
        f"The 1-winner's R.D. is higher for small ages, {level} cues: lead over ages {YOUNG[0]} to {YOUNG[1]}.",
        source="paper",
        paper="higher",
        estimate=curves.lead(one, k, YOUNG),
        limits=above(0),
    )
    fits = [exponential_fit(r[e], cue, seed=r.seed) for e in (ONE, K)]
    yield Claim(
        f"slower-{level}",
        f"The K-winner's R.D. decays more slowly, {level} cues: β of the 1-winner less β of the K-winner.",
        source="paper",
        paper="positive",
        estimate=curves.faster(*fits),
        limits=above(0),
    )


ITEM = Item(
    name="figS1",
    number="Figure S1",
    title="Raw difference, and how fast it decays",
    text="The raw difference (R.D.) is the accuracy for stored patterns less that for patterns never stored; for both "
    "memories it falls exponentially with age, which is a straight line on the right. The 1-winner MHN starts higher "
    "and loses one per cent per stored pattern, as theory predicts, while the K-winner MHN starts lower and decays "
    "about half as fast.",
    alt="Two rows of two panels, for 100% and for 50% cues. Left: raw difference of both memories against age, with "
    "theory for the 1-winner MHN. Right: the same on a logarithmic axis, with exponential fits and their constants.",
    experiments=(K, ONE),
    draw=draw,
    claims=claims,
)
