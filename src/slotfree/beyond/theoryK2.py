"""The map: what can be had at first, and for how long, with the same number of weights; the paper's choices on it."""

from collections.abc import Mapping
from dataclasses import astuple

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.forgetting.family import family, matched, settings_in
from slotfree.forgetting.merit import MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import AREA_AGES, front_of
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.grid_runs import GridRuns, d_prime_of_runs, merits_of_runs
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import GRADED, K_WINNER, ONE_WINNER, SLOW, WIDE, KWinnerModel
from slotfree.paper.predicted_runs import PredictedMerits
from slotfree.paper.prediction_drawing import draw_map

WEIGHTS = 100_000
FAN_INS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
WINNERS = (1, 2, 3, 10, 50, 200)
LEARNING_RATES = (0.1, 0.15, 0.2, 0.3, 1.0)
FAMILY = {
    f: PredictedMerits(
        f"theory-family-{f:g}",
        tuple(family(WEIGHTS, fan_ins=(f,), winners=WINNERS, learning_rates=LEARNING_RATES)),
    )
    for f in FAN_INS
}
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
RUNS = GridRuns(
    "theory-front", tuple(m.settings for m in PAPER) + tuple(FRONT.values()), runs=8, n_tested=AREA_AGES, some=5
)
NAMES = {**{model.settings: model.name for model in PAPER}, **{settings: name for name, settings in FRONT.items()}}
LOSS = (K_WINNER, "half_life", 1.0)  # the one merit in which the K-winner of the main text is ahead
COLOURS = {"e": "#0072B2", "f": "#56B4E9"}
OLD = 100  # age at which d' is compared
SURE = 2.576  # standard errors of a 99% interval
COMPARED = {name: MERITS[name].label for name in ("initial_accuracy", "half_life", "area")}
COMPARED["area"] += f" 1 to {AREA_AGES}"


def make(context: Context) -> Output:
    """Draw the map for both cues: half-life (A, D) and area (B, E) against accuracy at first; d' of some (C, F)."""
    table = xr.concat([context.results[part.name] for part in FAMILY.values()], "setting")
    data = context.results[RUNS.name]
    simulated, errors = merits_of_runs(data, RUNS.ages(context.scale))
    figure, axes = drawing.new_figure(2, 3, context.scale, width=12, height=3.6)
    for row, cue in zip(axes, table["cue"].values, strict=True):
        for axis, merit in zip(row, ("half_life", "area"), strict=False):
            draw_map(axis, table.sel(cue=cue), merit)
            draw_simulated(axis, simulated.sel(cue=cue), errors.sel(cue=cue), merit)
        draw_d_prime(row[2], data, float(cue))
        row[0].set(xlim=(0.4, 1.02), ylim=(10, 3000))
        row[1].set(xlim=(0.4, 1.02), ylim=(10, 300))
    for i, axis in enumerate(axes.ravel()):
        drawing.panel(axis, "ABCDEF"[i], drawing.CUE_TITLES[1.0 if i < 3 else 0.5])
    drawing.legend_below(figure, axes[0, 0], 4)
    claims = context.claims("theoryK2")
    judge_front(claims, table, simulated)
    for model, rival in RIVALS.items():
        judge_rival(claims, model, rival, simulated, errors, *d_prime_of_runs(data))
    judge_limit(claims, table)
    return Output(figure, claims, {"theoryK2": rows_of(table, simulated, errors)})


def draw_simulated(axis: Axes, simulated: xr.Dataset, errors: xr.Dataset, merit: str) -> None:
    """Draw simulated memories, ± 1 s.e.: the paper's as stars in their colours, members of the front with letters."""
    models = {model.name: model for model in PAPER}
    for i in range(simulated.sizes["setting"]):
        name = NAMES[settings_in(simulated, i)]
        x, y = (float(simulated[m][i]) for m in ("initial_accuracy", merit))
        xerr, yerr = (float(errors[m][i]) for m in ("initial_accuracy", merit))
        model = models.get(name)
        if not np.isfinite(y):
            continue
        colour = "#000000" if model is None else model.colour
        axis.errorbar(
            x, y, yerr if np.isfinite(yerr) else None, xerr, fmt="none", elinewidth=0.8, ecolor=colour, zorder=3
        )
        if model is None:
            axis.plot(x, y, "o", ms=5, mfc="white", color=colour, zorder=4)
            axis.annotate(name, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=8, zorder=5)
        else:
            words = f"{model.label}, simulated"
            axis.plot(x, y, "*", ms=11, mew=0.4, mec="white", color=colour, label=words, zorder=5)
    words = "members of the front, simulated ± 1 s.e."
    axis.plot([], [], "o", ms=5, mfc="white", color="#000000", label=words)


def draw_d_prime(axis: Axes, data: xr.Dataset, cue: float) -> None:
    """Draw simulated d' by age of the paper's K-winner memories, of what is set against them, and of the 1-winner."""
    d_prime, error = (values.sel(cue=cue) for values in d_prime_of_runs(data))
    looks = {model.settings: (model.label, model.colour) for model in (K_WINNER, WIDE, ONE_WINNER)}
    looks |= {FRONT[name]: (f"{name}: {words_of(FRONT[name])}", colour) for name, colour in COLOURS.items()}
    several = d_prime["age"] >= 15  # bins with enough ages for a spread
    for i in range(data.sizes["setting"]):
        if settings_in(data, i) in looks:
            label, colour = looks[settings_in(data, i)]
            ages, y, reach = d_prime["age"][several], d_prime[i][several], error[i][several]
            axis.fill_between(ages, y - reach, y + reach, color=colour, alpha=0.25, lw=0)
            axis.plot(ages, y, color=colour, label=label, lw=1.4)
    axis.set(
        xscale="log", ylim=(-0.5, 13), xlabel="memory age (1 = newest)", ylabel="sensitivity d', simulated ± 1 s.e."
    )
    axis.axhline(0, color="#999999", lw=0.6)
    axis.legend(fontsize=7)


def words_of(s: KWinnerSettings) -> str:
    """What tells the members of the family apart."""
    return f"k_h = {s.k_hidden}, f = {s.fan_in:g}, ε = {s.learning_rate:g}"


def place_of(table: xr.Dataset, settings: KWinnerSettings) -> int | None:
    """The row of a memory, or None."""
    return next((i for i in range(table.sizes["setting"]) if settings_in(table, i) == settings), None)


def judge_front(claims: Claims, table: xr.Dataset, simulated: xr.Dataset) -> None:
    """Judge that the front of the theory is there in simulation."""
    for merit, words, limit in (("initial_accuracy", "accuracy at first", 0.02), ("half_life", "half-life", 0.1)):
        off = []
        for settings in FRONT.values():
            here, there = place_of(table, settings), place_of(simulated, settings)
            if here is not None and there is not None:
                theory, found = table[merit][here].values, simulated[merit][there].values
                off += (theory - found if merit == "initial_accuracy" else theory / found - 1).tolist()
        unit = "" if merit == "initial_accuracy" else ", as a fraction"
        claims.within(
            f"front-{merit.replace('_', '-')}",
            f"Theory and simulation agree on the {words} of {len(off) // 2} members of the front, both cues: mean "
            f"|deviation|{unit}, at most {limit}.",
            paper=f"at most {limit}",
            measured=float(np.mean(np.abs(off))) if off else float("nan"),
            low=0.0,
            high=limit,
        )
    for model in (K_WINNER, WIDE):
        here = place_of(table, model.settings)
        if here is None:
            continue
        for cue in CUES:
            for merit in ("half_life", "area"):
                judge_distance(claims, model, table.sel(cue=cue), here, merit, f"{cue:.0%}")


def judge_distance(claims: Claims, model: KWinnerModel, table: xr.Dataset, here: int, merit: str, cue: str) -> None:
    """Tell how much of what is possible at its accuracy a memory of the paper has."""
    x, y = table["initial_accuracy"].values, table[merit].values
    as_accurate = np.flatnonzero((x >= x[here]) & np.isfinite(y))
    best = as_accurate[y[as_accurate].argmax()]
    raw = table["initial_raw_difference"].values
    claims.add(
        f"{model.name}-{merit.replace('_', '-')}-{cue}",
        f"Theory: the {model.label} is dominated, {cue} cues. How many times its {COMPARED[merit]} the best memory has "
        f"that is at least as accurate at first, {words_of(settings_in(table, int(best)))}: {y[best]:.0f} against "
        f"{y[here]:.0f}, accuracy {x[best]:.3f} against {x[here]:.3f}, R.D. at first {raw[best]:.2f} against "
        f"{raw[here]:.2f}. By more than a tenth.",
        paper="not printed",
        measured=float(y[best] / y[here]),
        holds=bool(y[best] > 1.1 * y[here]),
    )


def judge_rival(
    claims: Claims,
    model: KWinnerModel,
    rival: str,
    simulated: xr.Dataset,
    errors: xr.Dataset,
    d_prime: xr.DataArray,
    d_error: xr.DataArray,
) -> None:
    """Judge, in simulation, what a member of the front gains over a memory of the paper, and what it pays."""
    ours, theirs = place_of(simulated, FRONT[rival]), place_of(simulated, model.settings)
    if ours is None or theirs is None:
        return
    words = f"{words_of(FRONT[rival])} against the {model.label}, simulated"
    for cue in CUES:
        for merit, what in COMPARED.items():
            one, error = simulated[merit].sel(cue=cue).values, errors[merit].sel(cue=cue).values
            gain, reach = float(one[ours] - one[theirs]), SURE * float(np.hypot(error[ours], error[theirs]))
            is_loss = (model, merit, cue) == LOSS
            claims.add(
                f"{rival}-{model.name}-{merit.replace('_', '-')}-{cue:.0%}",
                f"The same weights used otherwise, {words}, {cue:.0%} cues: gain in {what}, {one[ours]:.3g} against "
                f"{one[theirs]:.3g} (99%); {'here a loss' if is_loss else 'not surely a loss'}.",
                paper="not printed",
                measured=gain,
                interval=(gain - reach, gain + reach),
                holds=gain < 0 if is_loss else gain + reach > 0,
            )
        old, error = (values.sel(cue=cue).sel(age=OLD, method="nearest").values for values in (d_prime, d_error))
        share = float(old[ours] / old[theirs])
        reach = SURE * share * float(np.hypot(error[ours] / old[ours], error[theirs] / old[theirs]))
        claims.add(
            f"{rival}-{model.name}-d-prime-{cue:.0%}",
            f"What it pays, {words}, {cue:.0%} cues: its share of the {model.label}'s d' at ages about {OLD}, "
            f"{old[ours]:.2f} of {old[theirs]:.2f} (99%); below 1, as fewer winners make the outcome for single "
            "patterns less certain.",
            paper="not printed",
            measured=share,
            interval=(share - reach, share + reach),
            holds=share < 1,
        )


def judge_limit(claims: Claims, table: xr.Dataset) -> None:
    """Judge what limits all members: a pattern's share of overwriting."""
    rate = (table["learning_rate"] * table["k_hidden"] / table["n_hidden"]).values[:, None]
    remembered = (table["initial_raw_difference"] > 0.1).values & np.isfinite(table["half_life"].values)
    lives = (table["half_life"].values * rate)[remembered]
    low, high = np.quantile(lives, [0.1, 0.9])
    claims.add(
        "limit",
        "What limits all members: each pattern overwrites the share u = ε k_h/n_h of the memory, and half-life × u is "
        "nearly the same for all that remember (R.D. of the newest pattern above 0.1, both cues): its median; "
        "interval: without the lowest and the highest tenth, less than a factor of 4.",
        paper="ln 2 = 0.69 if all that is overwritten is lost",
        measured=float(np.median(lives)),
        interval=(float(low), float(high)),
        holds=bool(high < 4 * low),
    )


def rows_of(table: xr.Dataset, simulated: xr.Dataset, errors: xr.Dataset) -> tuple[list[str], list[list[object]]]:
    """The map as a table: theory for all members, and simulation, with standard errors, where there is one."""
    header = ["n_visible", "n_hidden", "k_visible", "k_hidden", "fan_in", "learning_rate", "cue", "name"]
    header += [*MERITS, "on_half_life_front", "on_area_front"]
    header += [f"{merit}_{kind}" for merit in COMPARED for kind in ("simulated", "error")]
    there: Mapping[KWinnerSettings, int] = {settings_in(simulated, i): i for i in range(simulated.sizes["setting"])}
    rows: list[list[object]] = []
    for cue in table["cue"].values:
        part = table.sel(cue=cue)
        fronts = [front_of(part, merit) for merit in ("half_life", "area")]
        for i in range(part.sizes["setting"]):
            settings = settings_in(part, i)
            row: list[object] = [*astuple(settings), float(cue), NAMES.get(settings, "")]
            row += [f"{float(part[merit][i]):.5g}" for merit in MERITS]
            row += ["yes" if front[i] else "no" for front in fronts]
            at = there.get(settings)
            for merit in COMPARED:
                for source in (simulated, errors):
                    row.append("" if at is None else f"{float(source[merit].sel(cue=cue)[at]):.5g}")
            rows.append(row)
    return header, rows


ITEM = Item(
    "theoryK2",
    "The map: accuracy at first against half-life and area of R.D. for all memories with 100,000 weights",
    (*FAMILY.values(), RUNS),
    make,
    seconds=5,
)
