"""The map: what can be had at first, and for how long, with the same number of weights; the paper's choices on it."""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.beyond.shared.memories import BinnedRetention, PredictedMerits, Simulated
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.predictions import draw_map
from slotfree.drawing.style import AGE, BLUE, GREY, SKY, cue_title
from slotfree.files.options import mentioned
from slotfree.forgetting.binned import binned_d_prime, binned_merits
from slotfree.forgetting.family import family, matched, rows_of
from slotfree.forgetting.merit import MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import AREA_AGES, front_of, merit_names
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.shared.memories import GRADED, K_WINNER, ONE_WINNER, SLOW, WIDE, KWinnerModel
from slotfree.study import Experiment, Item, Judge, Results, less, measure, more
from slotfree.study.estimate import Estimate, exact

WEIGHTS = 100_000
OLD = 100  # age at which d' is compared
FAN_INS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
WINNERS = (1, 2, 3, 10, 50, 200)
LEARNING_RATES = (0.1, 0.15, 0.2, 0.3, 1.0)
FAMILY = tuple(
    Experiment(
        f"theory-family-{f:g}",
        PredictedMerits(tuple(family(WEIGHTS, fan_ins=(f,), winners=WINNERS, learning_rates=LEARNING_RATES)), age=OLD),
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
COLOURS = {"e": BLUE, "f": SKY}
# Where a letter stands beside its mark in the map, in points, if not up to the right.
BESIDE = {"c": (4, -11), "f": (3, 8), "g": (-11, -12)}
SEVERAL = 15  # age from which bins have enough ages for a spread
MAPPED = ("half_life", "area", "d_prime")
COMPARED = {name: MERITS[name].label for name in ("initial_accuracy", "half_life", "area")}
COMPARED["area"] += f" 1 to {AREA_AGES}"


def theory_of(r: Results) -> xr.Dataset:
    """The predicted merits of all members of the family, (setting, cue)."""
    return xr.concat([r[part] for part in FAMILY], "setting")


def measures(mean: xr.Dataset) -> xr.Dataset:
    """All merits, and d' at the bin of ages about 100."""
    return binned_merits(mean).assign(d_prime=binned_d_prime(mean).sel(age=OLD, method="nearest", drop=True))


def draw(r: Results) -> Picture:
    """Draw the map for both cues: half-life, area and d' against accuracy at first (A to C); d' of some by age (D)."""
    theory, simulated = theory_of(r), Simulated.of(r[SIMULATED], measures)
    picture = Picture(2, 4, width=15.5, height=3.6)
    for i, (row, cue) in enumerate(zip(picture.axes, CUES, strict=True)):
        for axis, merit in zip(row, MAPPED, strict=False):
            draw_map(axis, theory.sel(cue=cue), merit)
            draw_simulated(axis, simulated, merit, cue)
        record_map(picture, theory.sel(cue=cue), simulated, cue)
        draw_d_prime(row[3], r[SIMULATED], cue)
        row[0].set(xlim=(0.4, 1.02), ylim=(10, 3000))
        row[1].set(xlim=(0.4, 1.02), ylim=(10, 300), ylabel=f"{COMPARED['area']} ({MERITS['area'].unit})")
        row[2].set(xlim=(0.4, 1.02), ylim=(0.3, 20), ylabel=f"d' (paper's) at age {OLD}")
        for axis, letter in zip(row, ("ABCD", "EFGH")[i], strict=True):
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
    fronts = {f"on_{merit}_front": front_of(theory, merit) for merit in MAPPED}
    for settings, i in rows_of(theory).items():
        picture.record(
            {
                **mentioned(settings),
                "cue": cue,
                "name": NAMES.get(settings, ""),
                **{merit: f"{float(theory[merit][i]):.5g}" for merit in merit_names(OLD)},
                **{column: "yes" if front[i] else "no" for column, front in fronts.items()},
                **simulated.columns(settings, (*COMPARED, "d_prime"), cue),
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


@measure
def times_as_much(r: Results, model: KWinnerModel, merit: str, cue: float) -> Estimate:
    """How many times the merit of a memory the best has that is at least as accurate at first, in theory."""
    table = theory_of(r).sel(cue=cue)
    here = rows_of(table).get(model.settings)
    if here is None:  # at a smaller scale
        return exact(np.nan)
    x, y = table["initial_accuracy"].values, table[merit].values
    return exact(y[(x >= x[here]) & np.isfinite(y)].max() / y[here])


@measure
def gain(r: Results, model: KWinnerModel, cue: float) -> Estimate:
    """Gain in area of a member of the front over a memory of the paper, simulated."""
    pair = (FRONT[RIVALS[model]], model.settings)
    return Simulated.of(r[SIMULATED]).estimate(lambda a, b: a - b, pair, "area", cue)


@measure
def share_of_d_prime(r: Results, model: KWinnerModel, cue: float) -> Estimate:
    """What share of the d' of a memory of the paper at ages about 100 a member of the front has, simulated."""
    pair = (FRONT[RIVALS[model]], model.settings)
    return Simulated.of(r[SIMULATED], measures).estimate(lambda a, b: a / b, pair, "d_prime", cue)


@measure
def spread_of_lives(r: Results) -> Estimate:
    """Of half-life × u, u = ε k_h/n_h: how many times its first decile the ninth is, of all that remember."""
    theory = theory_of(r)
    rate = (theory["learning_rate"] * theory["k_hidden"] / theory["n_hidden"]).values[:, None]
    half_life = theory["half_life"].transpose("setting", "cue").values
    remembered = (theory["initial_raw_difference"] > 0.1).transpose("setting", "cue").values & np.isfinite(half_life)
    lives = (half_life * rate)[remembered]
    low, high = np.quantile(lives, [0.1, 0.9]) if len(lives) else (np.nan, np.nan)
    return exact(high / low)


def claims_on(model: KWinnerModel, cue: float) -> Iterator[Judge]:
    """What the map says of a memory of the paper, and what a member of the front gains over it and pays."""
    rival, cues = RIVALS[model], f"{cue:.0%}"
    for merit in ("half_life", "area"):
        times = f"how many times its {COMPARED[merit]} the best memory has that is at least as accurate at first"
        name = f"theoryK2.{model.name}-{merit.replace('_', '-')}-{cues}"
        yield more(
            name, times_as_much(model, merit, cue), 1.1, f"theory, {model.label}, {cues} cues: {times}, above 1.1"
        )
    words = f"{in_words(FRONT[rival])} against the {model.label}, {cues} cues"
    yield more(
        f"theoryK2.{rival}-{model.name}-area-{cues}", gain(model, cue), 0, f"{words}: gain in {COMPARED['area']}"
    )
    if cue == 1:
        share = f"{words}, what it pays: its share of d' at ages about {OLD}"
        yield less(f"theoryK2.{rival}-{model.name}-d-prime-{cues}", share_of_d_prime(model, cue), 1, share)


CLAIMS = (
    *(judge for model in RIVALS for cue in CUES for judge in claims_on(model, cue)),
    less(
        "theoryK2.limit",
        spread_of_lives(),
        4,
        "what limits all members: half-life × u, u = ε k_h/n_h the share of the memory that a pattern overwrites, is "
        "nearly the same for all that remember (R.D. at first above 0.1): how many times its first decile the ninth is",
    ),
)

ITEM = Item(
    name="theoryK2",
    number="Map of the family",
    title="What 100,000 weights can do",
    text="Every grey dot is a memory with as many weights as the paper's: what is recalled better at first is "
    "forgotten sooner, because each pattern overwrites a share ε k_h/n_h of the memory. Fully connected units with two "
    "or three winners remember more than the paper's K-winner memories, summed over all ages, and most of all for "
    "partial cues; the right panels show what they pay, a less certain outcome for single patterns. In d' at age 100 "
    "the paper's K-winner memory is close to the best for full cues, and not for half cues.",
    alt="Two rows, for 100% and for 50% cues, of four panels. From the left: half-life, sum of the raw difference, and "
    "d' at age 100 against the accuracy of the newest pattern, with all memories of the family, the Pareto front, "
    "simulated members of it, and the five memories of the paper. Right: sensitivity d' against age for five of them.",
    experiments=(*FAMILY, SIMULATED),
    draw=draw,
    claims=CLAIMS,
)
