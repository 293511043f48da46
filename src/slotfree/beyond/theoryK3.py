"""How memory grows with the number of weights, for five ways of growing, up to the size of a hippocampus."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.beyond.shared.memories import BinnedRetention, PredictedMerits, Simulated
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREY, ORANGE, PURPLE, VERMILION, cue_title
from slotfree.files.options import mentioned
from slotfree.forgetting.family import rows_of
from slotfree.forgetting.merit import CRITERION, MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.study import Experiment, Item, Judge, Results, at_most, between, judged, measure, never
from slotfree.study.estimate import Estimate, exact

CA3 = 3.6e9  # rat CA3: 300,000 cells with 12,000 recurrent connections each
SIZES = (1e4, 1e5, 4e5, 1e6, 1e7, 1e8, 1e9, CA3)
SMALL, MEDIUM = (1e4,), (1e5, 4e5)  # sizes that are simulated
LARGE = 1e6  # exponents are fitted from here on
SLACK = {0.0: 0.15, 0.5: 0.1, 1.0: 0.1}  # of exponents; a logarithm looks like a small one


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
        """The memory with about this number of weights."""
        return self.grown(float(np.sqrt(weights / 1e5)))

    @property
    def predicted(self) -> Experiment:
        """Its merits at all sizes, in theory."""
        return Experiment(f"theory-growth-{self.name}", PredictedMerits(tuple(map(self.at, SIZES)), every=7), 1)


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


PROPORTIONAL = Growth("proportional", "the K-winner MHN, all in proportion", _proportional, 0.0, VERMILION)
LIKE_CA3 = Growth("ca3", "proportions of rat CA3, 2.5% active", _ca3, 0.0, ORANGE)
ENSEMBLES = Growth("ensembles", "all but $k_h$ = 50 in proportion", _ensembles, 0.5, BLUE)
LARGE_UNITS = Growth("large-units", "f = 1, $k_h$ = 2, the rest in proportion", _large_units, 0.5, BLACK)
MORE_UNITS = Growth("more-units", "only $n_h$ grows, $n_v$ = 1000, $k_h$ = 50", _more_units, 1.0, PURPLE)
WAYS = (PROPORTIONAL, LIKE_CA3, ENSEMBLES, LARGE_UNITS, MORE_UNITS)
MEASURED = (PROPORTIONAL, ENSEMBLES, LARGE_UNITS)
SIMULATED = Experiment(
    "theory-growth-simulated",
    BinnedRetention(
        tuple(dict.fromkeys(way.at(size) for size in SMALL + MEDIUM for way in MEASURED)), n_tested=1000, some=4
    ),
    6,
    few=2,
)
PANELS = ("half_life", "memories")


def draw(r: Results) -> Picture:
    """Draw half-life and number of memories against the number of weights for both cues."""
    simulated = Simulated.of(r[SIMULATED])
    picture = Picture(2, 2, width=10, height=3.6, sharex=True)
    for way in WAYS:
        draw_growth(picture, way, r[way.predicted], simulated)
    for row, cue in enumerate(CUES):
        for column, merit in enumerate(PANELS):
            axis = picture.axes[row, column]
            draw_simulated(axis, simulated, merit, cue)
            axis.axvline(CA3, color=GREY, lw=0.8, ls=":")
            axis.annotate("rat CA3", (CA3, 7), xytext=(-3, 0), textcoords="offset points", ha="right", fontsize=7)
            picture.panel(axis, "ABCD"[2 * row + column], cue_title(cue))
            title = MERITS[merit].title.replace("criterion", f"{CRITERION:g}")
            log_scale(axis, "xy")
            axis.set(ylim=(5, 1e7), ylabel=title)
            axis.set_xlabel("weights $f n_v n_h$" if row == 1 else "")
    picture.axes[0, 0].plot([], [], "o", mfc="none", color=DARK_GREY, label="simulation ± 1 s.e.")
    picture.legend_below(picture.axes[0, 0], 3)
    return picture


def draw_growth(picture: Picture, way: Growth, theory: xr.Dataset, simulated: Simulated) -> None:
    """Draw merits in theory against the number of weights, and record them with those simulated."""
    for row, cue in zip(picture.axes, CUES, strict=True):
        for axis, merit in zip(row, PANELS, strict=True):
            values = theory[merit].sel(cue=cue).values
            values = np.where(values > 0, values, np.nan)
            axis.plot(n_weights(theory), values, ".-", color=way.colour, label=way.label)
    for settings, i in rows_of(theory).items():
        for cue in CUES:
            merits = {merit: f"{float(theory[merit].sel(cue=cue)[i]):.6g}" for merit in MERITS}
            labels = {"growth": way.name, "weights": settings.n_synapses, **mentioned(settings), "cue": cue}
            picture.record({**labels, **merits, **simulated.columns(settings, PANELS, cue)})


def draw_simulated(axis: Axes, simulated: Simulated, merit: str, cue: float) -> None:
    """Draw simulated memories with ± 1 s.e., in the colour of the first way of growing that they belong to."""
    found, errors = (part[merit].sel(cue=cue) for part in (simulated.found, simulated.errors))
    for settings, i in simulated.rows.items():
        value, error = float(found[i]), float(errors[i])
        way = next(way for way in WAYS if any(way.at(size) == settings for size in SIZES))
        if np.isfinite(value) and value > 0:
            bars = error if np.isfinite(error) else None
            axis.errorbar(settings.n_synapses, value, bars, fmt="o", ms=6, mfc="none", color=way.colour, capsize=2)


def n_weights(table: xr.Dataset) -> np.ndarray:
    """The number of weights of each memory of a table."""
    return np.array([settings.n_synapses for settings in rows_of(table)], float)


def exponent(table: xr.Dataset, merit: str, cue: float) -> float:
    """Slope of log merit on log weights, over the large memories that have any; NaN for fewer than two."""
    weights, values = n_weights(table), table[merit].sel(cue=cue).values
    used = (weights > LARGE / 2) & np.isfinite(values) & (values > 0)
    if used.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(weights[used]), np.log(values[used]), 1)[0])


@measure
def grows(r: Results, way: Growth, merit: str) -> Estimate:
    """Exponent of a merit in the number of weights, in theory, 100% cues."""
    return exact(exponent(r[way.predicted], merit, 1.0))


@measure
def left(r: Results, way: Growth) -> float:
    """Number of memories of the largest, in theory, 100% cues."""
    return float(r[way.predicted]["memories"].isel(setting=-1).sel(cue=1.0))


@measure
def off(r: Results) -> Estimate:
    """Mean |deviation| of predicted from simulated half-lives, as a fraction, of sizes that are not too small."""
    theory, simulated = xr.concat([r[way.predicted] for way in MEASURED], "setting"), Simulated.of(r[SIMULATED])
    there = set(rows_of(theory)) & set(simulated.rows)
    memories = [settings for way in MEASURED for size in MEDIUM if (settings := way.at(size)) in there]
    return simulated.deviation(theory, memories, "half_life")


def claims_on(way: Growth) -> Iterator[Judge]:
    """Exponents in the number of weights from 10⁶ on, or that no memories are left in the end."""
    low, high = way.exponent - SLACK[way.exponent], way.exponent + SLACK[way.exponent]
    growing = f"growing with {way.label.replace('$', '')}"
    for merit, what in (("half_life", "half-life"), ("memories", f"number of patterns with R.D. ≥ {CRITERION:g}")):
        name = f"theoryK3.{way.name}-{merit.replace('_', '-')}-100%"
        if way is MORE_UNITS and merit == "memories":
            yield never(name, left(way), f"{growing}: {what} at {CA3:.1e} weights; the long life is one of very little")
        else:
            words = f"{growing}: exponent of the {what} in the number of weights, from 10⁶ weights on, 100% cues"
            yield between(name, grows(way, merit), low, high, words)


CLAIMS = (
    *(judge for way in WAYS for judge in claims_on(way)),
    judged(
        "theoryK3.simulated",
        off(),
        at_most(0.15),
        "mean |deviation| of predicted from simulated half-lives, as a fraction, 100,000 and 400,000 weights, three "
        "ways of growing, both cues: at most 0.15",
    ),
)

ITEM = Item(
    name="theoryK3",
    number="Growth",
    title="How memory grows with the number of weights",
    text="If all sizes grow in proportion, a memory becomes accurate but hardly lives longer: its half-life grows like "
    "a logarithm, as every pattern still uses the same share of the units. If the number of winners stays fixed, "
    "half-life and number of memories grow with the square root of the number of weights, to tens of thousands of "
    "patterns at the size of a rat's CA3. The theory gives simulated half-lives from 100,000 weights on; with 10,000, "
    "of which little is remembered, it is far off.",
    alt="Two rows, for 100% and for 50% cues, of two panels on logarithmic axes: half-life of the raw difference, and "
    "number of patterns above a criterion, against the number of weights from ten thousand to billions, for five ways "
    "of growing, with simulated memories of up to 400,000 weights.",
    experiments=(*(way.predicted for way in WAYS), SIMULATED),
    draw=draw,
    claims=CLAIMS,
)
