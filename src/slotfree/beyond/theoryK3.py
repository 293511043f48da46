"""How memory grows with the number of weights, for five ways of growing, up to the size of a hippocampus."""

from collections.abc import Callable
from dataclasses import astuple, dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.forgetting.family import settings_in
from slotfree.forgetting.merit import CRITERION, MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.grid_runs import GridRuns, merits_of_runs
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.predicted_runs import PredictedMerits

CA3 = 3.6e9  # rat CA3: 300,000 cells with 12,000 recurrent connections each
SIZES = (1e4, 1e5, 4e5, 1e6, 1e7, 1e8, 1e9, CA3)
SIMULATED = (1e4, 1e5, 4e5)
LARGE = 1e6  # exponents are fitted from here on
SLACK = {0.0: 0.15, 0.5: 0.1, 1.0: 0.1}  # of exponents; a logarithm looks like a small one
TESTED = 1000


@dataclass(frozen=True)
class Growth:
    """A way of growing: settings for a scale g, where the number of weights is 100,000 g².

    Attributes
    ----------
    exponent : of the half-life in the number of weights, as it should be: half-life ∝ n_h/(ε k_h), up to logarithms.
    """

    name: str
    label: str
    grown: Callable[[float], KWinnerSettings]
    exponent: float
    colour: str

    def at(self, weights: float) -> KWinnerSettings:
        """The memory with about so many weights."""
        return self.grown(float(np.sqrt(weights / 1e5)))


def _proportional(g: float) -> KWinnerSettings:
    return KWinnerSettings(round(1000 * g), round(2000 * g), round(100 * g), round(50 * g), 0.05, 0.3)


def _ensembles(g: float) -> KWinnerSettings:
    return KWinnerSettings(round(1000 * g), round(2000 * g), round(100 * g), 50, 0.05, 0.3)


def _large_units(g: float) -> KWinnerSettings:
    return KWinnerSettings(round(1000 * g), round(100 * g), round(100 * g), 2, 1.0, 0.3)


def _more_units(g: float) -> KWinnerSettings:
    return KWinnerSettings(1000, round(2000 * g**2), 100, 50, 0.05, 0.3)


def _ca3(g: float) -> KWinnerSettings:
    n = 300_000 * g / np.sqrt(CA3 / 1e5)
    return KWinnerSettings(round(n), round(n), round(0.025 * n), round(0.025 * n), 0.04, 0.3)


WAYS = (
    Growth("proportional", "the K-winner MHN, all in proportion", _proportional, 0.0, "#D55E00"),
    Growth("ca3", "proportions of rat CA3, 2.5% active", _ca3, 0.0, "#E69F00"),
    Growth("ensembles", "all but $k_h$ = 50 in proportion", _ensembles, 0.5, "#0072B2"),
    Growth("large-units", "f = 1, $k_h$ = 2, the rest in proportion", _large_units, 0.5, "#333333"),
    Growth("more-units", "only $n_h$ grows, $n_v$ = 1000, $k_h$ = 50", _more_units, 1.0, "#CC79A7"),
)
PREDICTED = {
    way.name: PredictedMerits(f"theory-growth-{way.name}", tuple(way.at(size) for size in SIZES), few=7) for way in WAYS
}
MEASURED = ("proportional", "ensembles", "large-units")
RUNS = GridRuns(
    "theory-growth-simulated",
    tuple(dict.fromkeys(way.at(size) for size in SIMULATED for way in WAYS if way.name in MEASURED)),
    runs=6,
    n_tested=TESTED,
    some=4,
)
PANELS = ("half_life", "memories")


def make(context: Context) -> Output:
    """Draw half-life and number of memories against the number of weights for both cues; judge the exponents."""
    tables = {way.name: context.results[PREDICTED[way.name].name] for way in WAYS}
    data = context.results[RUNS.name]
    simulated, errors = merits_of_runs(data, RUNS.ages(context.scale))
    figure, axes = drawing.new_figure(2, 2, context.scale, width=10, height=3.6, sharex=True)
    for column, merit in enumerate(PANELS):
        for row, cue in enumerate(CUES):
            axis = axes[row, column]
            draw_growth(axis, tables, merit, cue)
            draw_simulated(axis, simulated.sel(cue=cue), errors.sel(cue=cue), merit)
            drawing.panel(axis, "ABCD"[2 * row + column], drawing.CUE_TITLES[cue])
            axis.set(xscale="log", yscale="log", ylim=(5, 1e7), ylabel=MERITS[merit].title)
    for axis in axes[1]:
        axis.set_xlabel("weights $f n_v n_h$")
    axes[0, 0].plot([], [], "o", mfc="none", color="#555555", label="simulation ± 1 s.e.")
    drawing.legend_below(figure, axes[0, 0], 3)
    claims = context.claims("theoryK3")
    judge_exponents(claims, tables)
    judge_simulated(claims, tables, simulated)
    return Output(figure, claims, {"theoryK3": rows_of(tables, simulated, errors)})


def n_weights(table: xr.Dataset) -> np.ndarray:
    """The number of weights of each memory of a table."""
    return np.array([settings_in(table, i).n_synapses for i in range(table.sizes["setting"])], float)


def draw_growth(axis: Axes, tables: dict[str, xr.Dataset], merit: str, cue: float) -> None:
    """Draw a merit in theory against the number of weights, and where rat CA3 is."""
    for way in WAYS:
        table = tables[way.name].sel(cue=cue)
        values = table[merit].values
        axis.plot(n_weights(table), np.where(values > 0, values, np.nan), ".-", color=way.colour, label=way.label)
    axis.axvline(CA3, color="#999999", lw=0.8, ls=":")
    axis.annotate("rat CA3", (CA3, 7), xytext=(-3, 0), textcoords="offset points", ha="right", fontsize=7)


def draw_simulated(axis: Axes, simulated: xr.Dataset, errors: xr.Dataset, merit: str) -> None:
    """Draw simulated memories with ± 1 s.e."""
    for i in range(simulated.sizes["setting"]):
        settings, value = settings_in(simulated, i), float(simulated[merit][i])
        way = way_of(settings)
        if np.isfinite(value) and value > 0:
            error = float(errors[merit][i])
            bars = error if np.isfinite(error) else None
            axis.errorbar(settings.n_synapses, value, bars, fmt="o", ms=6, mfc="none", color=way.colour, capsize=2)


def way_of(settings: KWinnerSettings) -> Growth:
    """The way of growing that a simulated memory belongs to; at 100,000 weights two are the same."""
    return next(way for way in WAYS if any(way.at(size) == settings for size in SIZES))


def growth(table: xr.Dataset, merit: str, cue: float) -> float:
    """The exponent: slope of log merit on log weights, over the large memories that have any."""
    weights, values = n_weights(table), table[merit].sel(cue=cue).values
    used = (weights > LARGE / 2) & np.isfinite(values) & (values > 0)
    if used.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(weights[used]), np.log(values[used]), 1)[0])


def judge_exponents(claims: Claims, tables: dict[str, xr.Dataset]) -> None:
    """Judge how half-life and number of memories grow with the number of weights N."""
    for way in WAYS:
        table = tables[way.name]
        label = way.label.replace("$", "")
        last = table.isel(setting=-1)
        for cue in CUES:
            value = growth(table, "half_life", cue)
            claims.within(
                f"{way.name}-half-life-{cue:.0%}",
                f"Growing with {label}: exponent of the half-life in the number of weights, from 10⁶ weights on, "
                f"{cue:.0%} cues; it is {float(last['half_life'].sel(cue=cue)):,.0f} patterns at {CA3:.1e} weights.",
                paper=way.exponent,
                measured=value,
                low=way.exponent - SLACK[way.exponent],
                high=way.exponent + SLACK[way.exponent],
            )
            judge_memories(claims, way, label, table, cue)


def judge_memories(claims: Claims, way: Growth, label: str, table: xr.Dataset, cue: float) -> None:
    """Judge how the number of memories grows, or that there are none in the end."""
    last = table.isel(setting=-1).sel(cue=cue)
    count, newest = float(last["memories"]), float(last["initial_raw_difference"])
    what = f"patterns with R.D. ≥ {CRITERION:g}"
    if way is WAYS[-1]:
        claims.within(
            f"{way.name}-memories-{cue:.0%}",
            f"Growing with {label}, {cue:.0%} cues: number of {what} at {CA3:.1e} weights; the long life is one of "
            f"very little: even the newest pattern has only an R.D. of {newest:.2f}.",
            paper=0.0,
            measured=count,
            low=0.0,
            high=0.0,
        )
        return
    claims.within(
        f"{way.name}-memories-{cue:.0%}",
        f"Growing with {label}: exponent of the number of {what}, from 10⁶ weights on, {cue:.0%} cues; there are "
        f"{count:,.0f} at {CA3:.1e} weights.",
        paper=way.exponent,
        measured=growth(table, "memories", cue),
        low=way.exponent - SLACK[way.exponent],
        high=way.exponent + SLACK[way.exponent],
    )


def judge_simulated(claims: Claims, tables: dict[str, xr.Dataset], simulated: xr.Dataset) -> None:
    """Judge theory by the sizes that can be simulated, the smallest apart from the others."""
    off: dict[str, list[float]] = {"small": [], "simulated": []}
    there = {settings_in(simulated, i): i for i in range(simulated.sizes["setting"])}
    for name in MEASURED:
        for i in range(tables[name].sizes["setting"]):
            settings = settings_in(tables[name], i)
            if settings in there:
                deviation = tables[name]["half_life"][i].values / simulated["half_life"][there[settings]].values - 1
                off["small" if settings.n_synapses < 2 * SIMULATED[0] else "simulated"] += deviation.tolist()
    for name, words in (("simulated", "100,000 and 400,000"), ("small", "10,000")):
        found = np.array([value for value in off[name] if np.isfinite(value)])
        if len(found):
            claims.within(
                name,
                f"Theory gives the simulated half-life for {words} weights, {len(found)} curves of three ways of "
                "growing: mean |deviation|, as a fraction; at most 0.15.",
                paper="agrees",
                measured=float(np.abs(found).mean()),
                low=0.0,
                high=0.15,
            )


def rows_of(
    tables: dict[str, xr.Dataset], simulated: xr.Dataset, errors: xr.Dataset
) -> tuple[list[str], list[list[object]]]:
    """Theory for all sizes, and simulation with standard errors where there is one."""
    header = ["growth", "weights", "n_visible", "n_hidden", "k_visible", "k_hidden", "fan_in", "learning_rate", "cue"]
    header += [*MERITS, "half_life_simulated", "half_life_error", "memories_simulated", "memories_error"]
    there = {settings_in(simulated, i): i for i in range(simulated.sizes["setting"])}
    rows: list[list[object]] = []
    for name, table in tables.items():
        for i in range(table.sizes["setting"]):
            settings = settings_in(table, i)
            at = there.get(settings)
            for cue in CUES:
                row: list[object] = [name, settings.n_synapses, *astuple(settings), cue]
                row += [f"{float(table[merit].sel(cue=cue)[i]):.6g}" for merit in MERITS]
                for merit in PANELS:
                    for source in (simulated, errors):
                        row.append("" if at is None else f"{float(source[merit].sel(cue=cue)[at]):.5g}")
                rows.append(row)
    return header, rows


ITEM = Item(
    "theoryK3",
    "How half-life and number of memories grow with the number of weights, up to hippocampal size",
    (*PREDICTED.values(), RUNS),
    make,
    seconds=3,
)
