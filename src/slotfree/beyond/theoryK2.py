"""The map: what can be had at first, and for how long, with the same number of weights; the paper's choices on it."""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.predictions import draw_map
from slotfree.drawing.style import AGE, BLUE, GREY, SKY, cue_title
from slotfree.forgetting.binned import binned_d_prime, binned_merits
from slotfree.forgetting.family import family, matched, rows_of, settings_in
from slotfree.forgetting.merit import MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import AREA_AGES, front_of
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.memory.options import mentioned
from slotfree.paper.shared.memories import GRADED, K_WINNER, ONE_WINNER, SLOW, WIDE, KWinnerModel
from slotfree.study.binned_retention import BinnedRetention
from slotfree.study.claim import Claim, above, at_most, below
from slotfree.study.estimate import exact
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.predicted import PredictedMerits
from slotfree.study.results import Results
from slotfree.study.simulated import Simulated

WEIGHTS = 100_000
FAN_INS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
WINNERS = (1, 2, 3, 10, 50, 200)
LEARNING_RATES = (0.1, 0.15, 0.2, 0.3, 1.0)
FAMILY = tuple(
    Experiment(
        f"theory-family-{f:g}",
        PredictedMerits(tuple(family(WEIGHTS, fan_ins=(f,), winners=WINNERS, learning_rates=LEARNING_RATES))),
        1,
    )
    for f in FAN_INS
)
PAPER = (K_WINNER, WIDE, ONE_WINNER, GRADED, SLOW)
# Members of the front, from slow to fast, with their marks in the figure.
FRONT = {
    "a": matched(WEIGHTS, 1.0, 2, 0.1),
    "b": matched(WEIGHTS, 1.0, 2, 0.15),
    "c": matched(WEIGHTS, 1.0, 2, 0.2),
    "d": matched(WEIGHTS, 1.0, 3, 0.15),
    "e": matched(WEIGHTS, 1.0, 3, 0.2),
    "f": matched(WEIGHTS, 1.0, 2, 0.3),
    "g": matched(WEIGHTS, 0.02, 200, 0.1),
    "h": matched(WEIGHTS, 0.02, 200, 0.2),
}
RIVALS = {K_WINNER: "e", WIDE: "f"}  # what is set against the paper's two K-winner memories
SIMULATED = Experiment(
    "theory-front",
    BinnedRetention((*(model.settings for model in PAPER), *FRONT.values()), n_tested=AREA_AGES, some=5),
    8,
    few=2,
)
NAMES = {**{model.settings: model.name for model in PAPER}, **{settings: name for name, settings in FRONT.items()}}
LOSS = (K_WINNER, "half_life", 1.0)  # the one merit in which the K-winner of the main text is ahead
COLOURS = {"e": BLUE, "f": SKY}
# Where a letter stands beside its mark in the map, in points, if not up to the right.
BESIDE = {"c": (4, -11), "f": (3, 8), "g": (-11, -12)}
OLD = 100  # age at which d' is compared
SEVERAL = 15  # age from which bins have enough ages for a spread
COMPARED = {name: MERITS[name].label for name in ("initial_accuracy", "half_life", "area")}
COMPARED["area"] += f" 1 to {AREA_AGES}"


def theory_of(r: Results) -> xr.Dataset:
    """The predicted merits of all members of the family, (setting, cue)."""
    return xr.concat([r[part] for part in FAMILY], "setting")


def measures(mean: xr.Dataset) -> xr.Dataset:
    """All merits, and d' at the bin of ages about 100."""
    return binned_merits(mean).assign(d_prime=binned_d_prime(mean).sel(age=OLD, method="nearest", drop=True))


def draw(r: Results) -> Picture:
    """Draw the map for both cues: half-life (A, D) and area (B, E) against accuracy at first; d' of some (C, F)."""
    theory, simulated = theory_of(r), Simulated.of(r[SIMULATED])
    picture = Picture(2, 3, width=12, height=3.6)
    for i, (row, cue) in enumerate(zip(picture.axes, CUES, strict=True)):
        for axis, merit in zip(row, ("half_life", "area"), strict=False):
            draw_map(axis, theory.sel(cue=cue), merit)
            draw_simulated(axis, simulated, merit, cue)
        record_map(picture, theory.sel(cue=cue), simulated, cue)
        draw_d_prime(row[2], r[SIMULATED], cue)
        row[0].set(xlim=(0.4, 1.02), ylim=(10, 3000))
        row[1].set(xlim=(0.4, 1.02), ylim=(10, 300), ylabel=f"{COMPARED['area']} ({MERITS['area'].unit})")
        for axis, letter in zip(row, ("ABC", "DEF")[i], strict=True):
            picture.panel(axis, letter, cue_title(cue))
    picture.legend_below(picture.axes[0, 0], 4)
    return picture


def draw_simulated(axis: Axes, simulated: Simulated, merit: str, cue: float) -> None:
    """Draw simulated memories, ± 1 s.e.: the paper's as stars in their colours, members of the front with letters."""
    models = {model.settings: model for model in PAPER}
    found, errors = simulated.found.sel(cue=cue), simulated.errors.sel(cue=cue)
    for settings, i in simulated.rows.items():
        x, y = (float(found[name][i]) for name in ("initial_accuracy", merit))
        x_error, y_error = (float(errors[name][i]) for name in ("initial_accuracy", merit))
        if not np.isfinite(y):
            continue
        model = models.get(settings)
        colour = "black" if model is None else model.colour
        bars = y_error if np.isfinite(y_error) else None
        axis.errorbar(x, y, bars, x_error, fmt="none", elinewidth=0.8, ecolor=colour, zorder=3)
        if model is None:
            axis.plot(x, y, "o", ms=5, mfc="white", color=colour, zorder=4)
            name = NAMES[settings]
            place = BESIDE.get(name, (4, 4))
            axis.annotate(name, (x, y), xytext=place, textcoords="offset points", fontsize=8, zorder=5)
        else:
            label = f"{model.label}, simulated"
            axis.plot(x, y, "*", ms=11, mew=0.4, mec="white", color=colour, label=label, zorder=5)
    axis.plot([], [], "o", ms=5, mfc="white", color="black", label="members of the front, simulated ± 1 s.e.")


def record_map(picture: Picture, theory: xr.Dataset, simulated: Simulated, cue: float) -> None:
    """Record the map: theory for all members, and simulation, with standard errors, where there is one."""
    fronts = {f"on_{merit}_front": front_of(theory, merit) for merit in ("half_life", "area")}
    for settings, i in rows_of(theory).items():
        picture.record(
            {
                **mentioned(settings),
                "cue": cue,
                "name": NAMES.get(settings, ""),
                **{merit: f"{float(theory[merit][i]):.5g}" for merit in MERITS},
                **{column: "yes" if front[i] else "no" for column, front in fronts.items()},
                **simulated.columns(settings, COMPARED, cue),
            }
        )


def draw_d_prime(axis: Axes, data: xr.Dataset, cue: float) -> None:
    """Draw simulated d' by age of the paper's K-winner memories, of what is set against them, and of the 1-winner."""
    simulated = Simulated.of(data, lambda mean: binned_d_prime(mean).to_dataset(name="d_prime"))
    d_prime, error = (part["d_prime"].sel(cue=cue) for part in (simulated.found, simulated.errors))
    shown = {model.settings: (model.label, model.colour) for model in (K_WINNER, WIDE, ONE_WINNER)}
    for name, colour in COLOURS.items():
        shown[FRONT[name]] = (f"{name}: {in_words(FRONT[name])}".replace("k_h", "$k_h$"), colour)
    used = d_prime["age"] >= SEVERAL
    for settings, i in simulated.rows.items():
        if settings in shown:
            label, colour = shown[settings]
            ages, y, reach = d_prime["age"][used], d_prime[i][used], error[i][used]
            axis.fill_between(ages, y - reach, y + reach, color=colour, alpha=0.25, lw=0)
            axis.plot(ages, y, color=colour, label=label, lw=1.4)
    log_scale(axis, "x")
    axis.set(ylim=(-0.5, 13), xlabel=AGE, ylabel="d' (paper's), simulated ± 1 s.e.")
    axis.axhline(0, color=GREY, lw=0.6)
    axis.legend(fontsize=7)


def in_words(s: KWinnerSettings) -> str:
    """What tells the members of the family apart."""
    return f"k_h = {s.k_hidden}, f = {s.fan_in:g}, ε = {s.learning_rate:g}"


def claims(r: Results) -> Iterator[Claim]:
    """What the map shows: where its front is, what the paper's memories have of it, and what limits all members."""
    theory, simulated = theory_of(r), Simulated.of(r[SIMULATED], measures)
    yield from claims_on_front(theory, simulated)
    for model in (K_WINNER, WIDE):
        if model.settings in rows_of(theory):
            yield from claims_on_distance(model, theory)
    for model, rival in RIVALS.items():
        if {model.settings, FRONT[rival]} <= set(simulated.rows):
            yield from claims_on_rival(model, rival, simulated)
    yield claim_limit(theory)


def claims_on_front(theory: xr.Dataset, simulated: Simulated) -> Iterator[Claim]:
    """The front of the theory is there in simulation."""
    members = [one for one in FRONT.values() if one in rows_of(theory) and one in simulated.rows]
    for merit, words, unit, limit in (
        ("initial_accuracy", "accuracy at first", "absolute", 0.02),
        ("half_life", "half-life", "relative", 0.1),
    ):
        yield Claim(
            f"front-{merit.replace('_', '-')}",
            f"Theory and simulation agree on the {words} of {len(members)} members of the front, both cues: mean "
            f"|deviation|{', as a fraction' if unit == 'relative' else ''}, at most {limit}.",
            estimate=simulated.deviation(theory, members, merit, unit),
            limits=at_most(limit),
        )


def claims_on_distance(model: KWinnerModel, theory: xr.Dataset) -> Iterator[Claim]:
    """How much more than a memory of the paper others can have that are as accurate at first."""
    here = rows_of(theory)[model.settings]
    for cue in CUES:
        table = theory.sel(cue=cue)
        x, raw = table["initial_accuracy"].values, table["initial_raw_difference"].values
        for merit in ("half_life", "area"):
            y = table[merit].values
            as_accurate = np.flatnonzero((x >= x[here]) & np.isfinite(y))
            best = as_accurate[y[as_accurate].argmax()]
            yield Claim(
                f"{model.name}-{merit.replace('_', '-')}-{cue:.0%}",
                f"Theory: the {model.label} is dominated, {cue_title(cue)}. How many times its {COMPARED[merit]} the "
                f"best memory has that is at least as accurate at first, {in_words(settings_in(table, int(best)))}: "
                f"{y[best]:.0f} against {y[here]:.0f}, accuracy {x[best]:.3f} against {x[here]:.3f}, R.D. at first "
                f"{raw[best]:.2f} against {raw[here]:.2f}. By more than a tenth.",
                estimate=exact(y[best] / y[here]),
                limits=above(1.1),
            )


def claims_on_rival(model: KWinnerModel, rival: str, simulated: Simulated) -> Iterator[Claim]:
    """What a member of the front gains over a memory of the paper in simulation, and what it pays."""
    pair = (FRONT[rival], model.settings)
    words = f"{in_words(FRONT[rival])} against the {model.label}, simulated"
    for cue in CUES:
        for merit, what in COMPARED.items():
            ours, theirs = (simulated.value(one, merit, cue) for one in pair)
            is_loss = (model, merit, cue) == LOSS
            yield Claim(
                f"{rival}-{model.name}-{merit.replace('_', '-')}-{cue:.0%}",
                f"The same weights used otherwise, {words}, {cue_title(cue)}: gain in {what}, {ours:.3g} against "
                f"{theirs:.3g}{'; here a loss' if is_loss else ''}.",
                estimate=simulated.estimate(lambda a, b: a - b, pair, merit, cue),
                limits=below(0) if is_loss else above(0),
            )
        ours, theirs = (simulated.value(one, "d_prime", cue) for one in pair)
        yield Claim(
            f"{rival}-{model.name}-d-prime-{cue:.0%}",
            f"What it pays, {words}, {cue_title(cue)}: its share of the {model.label}'s d' at ages about {OLD}, "
            f"{ours:.2f} of {theirs:.2f}; below 1, as fewer winners make the outcome for single patterns less certain.",
            estimate=simulated.estimate(lambda a, b: a / b, pair, "d_prime", cue),
            limits=below(1),
        )


def claim_limit(theory: xr.Dataset) -> Claim:
    """What limits all members: a pattern's share of overwriting."""
    rate = (theory["learning_rate"] * theory["k_hidden"] / theory["n_hidden"]).values[:, None]
    half_life = theory["half_life"].transpose("setting", "cue").values
    remembered = (theory["initial_raw_difference"] > 0.1).transpose("setting", "cue").values & np.isfinite(half_life)
    lives = (half_life * rate)[remembered]
    low, middle, high = np.quantile(lives, [0.1, 0.5, 0.9]) if len(lives) else (np.nan,) * 3
    return Claim(
        "limit",
        "What limits all members: each pattern overwrites the share u = ε k_h/n_h of the memory, and half-life × u is "
        "nearly the same for all that remember (R.D. of the newest pattern above 0.1, both cues): how many times the "
        f"first decile, {low:.2f}, the ninth is, {high:.2f}, less than 4; the median is {middle:.2f}, and would be "
        "ln 2 = 0.69 if all that is overwritten were lost.",
        estimate=exact(high / low),
        limits=below(4),
    )


ITEM = Item(
    name="theoryK2",
    number="Map of the family",
    title="What 100,000 weights can do",
    text="Every grey dot is a memory with as many weights as the paper's: what is recalled better at first is "
    "forgotten sooner, because each pattern overwrites a share ε k_h/n_h of the memory. Fully connected units with two "
    "or three winners remember more than the paper's K-winner memories, summed over all ages, and most of all for "
    "partial cues; the right panels show what they pay, a less certain outcome for single patterns.",
    alt="Two rows, for 100% and for 50% cues, of three panels. Left and middle: half-life and sum of the raw "
    "difference against the accuracy of the newest pattern, with all memories of the family, the Pareto front, "
    "simulated members of it, and the five memories of the paper. Right: sensitivity d' against age for five of them.",
    experiments=(*FAMILY, SIMULATED),
    draw=draw,
    claims=claims,
)
