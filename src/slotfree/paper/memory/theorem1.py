"""Theorem 1 and its propositions: the bound, the regime, and theory against simulation over a grid of sizes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import log
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREY, VERMILION
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.memory.fig4 import ONE
from slotfree.study import estimate
from slotfree.study.claim import Claim, at_most, within
from slotfree.study.estimate import Estimate, Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.retention import Retention

N_VISIBLE = 1000
SIZES = (30, 100, 300)
SPARSITIES = {0.05: BLUE, 0.1: BLACK, 0.2: VERMILION}
LEVELS = (*CUES, 0.2)
AGES = 100
QUANTITIES = ("baseline", "raw difference")


def on_grid(n_h: int, s_v: float) -> Experiment:
    """A 1-winner MHN of another size, which stores enough to be full, and patterns of another sparsity."""
    settings = KWinnerSettings(N_VISIBLE, n_h, round(s_v * N_VISIBLE), 1, 1.0, 1.0)
    run = Retention(settings, cues=LEVELS, n_stored=4 * n_h + AGES, n_tested=AGES)
    return Experiment(f"theorem1-{n_h}-{s_v:g}", run, 40)


GRID = {(n_h, s_v): on_grid(n_h, s_v) for n_h, s_v in product(SIZES, SPARSITIES)}


class Point(NamedTuple):
    """A point of the grid, and what is compared there."""

    n_hidden: int
    s_v: float
    cue: float
    quantity: str


@dataclass(frozen=True)
class Compared:
    """A quantity in each run of a simulation, and in both versions of the theory."""

    runs: Values
    exact: float
    asymptotic: float

    @property
    def simulated(self) -> Estimate:
        """Mean over runs."""
        return estimate.mean(self.runs)

    @property
    def error(self) -> float:
        """Standard error of that mean."""
        return float(self.runs.std(ddof=1) / np.sqrt(len(self.runs)))


def compare(r: Results) -> dict[Point, Compared]:
    """Baseline and mean R.D. at each point of the grid."""
    found = {}
    for (n_h, s_v), cue in product(GRID, LEVELS):
        size = {"n_visible": N_VISIBLE, "k_visible": round(s_v * N_VISIBLE), "n_hidden": n_h}
        data = r[GRID[n_h, s_v]].sel(cue=cue)
        ages = data["age"].values
        unseen = data["accuracy"].sel(kind="pseudo").mean("age").values
        delta = metrics.differences(data).mean("age").values
        exact = one_winner.exact_baseline(cue, **size)
        curves = (
            one_winner.exact_retention(ages, cue, **size) - exact,
            one_winner.raw_difference_curve(ages, cue, **size),
        )
        found[Point(n_h, s_v, cue, "baseline")] = Compared(unseen, exact, one_winner.baseline(cue, **size))
        found[Point(n_h, s_v, cue, "raw difference")] = Compared(delta, *(float(curve.mean()) for curve in curves))
    return found


def draw(r: Results) -> Picture:
    """Draw baselines (A) and mean R.D. (B) over the grid, and the least cue (C)."""
    picture = Picture(1, 3, width=11, height=3.4)
    left, middle, right = picture.axes[0]
    for point, found in compare(r).items():
        draw_point(picture, left if point.quantity == "baseline" else middle, point, found)
    for axis in (left, middle):
        name_places(axis)
    left.set(ylabel="accuracy of patterns not stored", ylim=(0, None))
    middle.set(ylabel=f"R.D., mean over ages 1 to {AGES}", ylim=(0, 1))
    for s_v, colour in SPARSITIES.items():
        left.plot([], [], "o", color=colour, label=f"$s_v$ = {s_v:g}")
    left.plot([], [], "o", color=GREY, label="simulation, 99% interval")
    left.plot([], [], "_", ms=13, mew=1.5, color=GREY, label="theory, exact")
    left.plot([], [], "x", color=GREY, label="theory, $n_h$ → ∞")
    picture.legend_below(left, 6)
    draw_least_cue(right)
    for axis, letter, title in zip(
        picture.axes[0], "ABC", ("Proposition 2", "Theorem 1", "Proposition 5"), strict=True
    ):
        picture.panel(axis, letter, title)
    return picture


def place(n_h: int, cue: float) -> int:
    """Where a size and a cue level stand on an axis."""
    return SIZES.index(n_h) * (len(LEVELS) + 1) + LEVELS.index(cue)


def draw_point(picture: Picture, axis: Axes, point: Point, found: Compared) -> None:
    """Draw and record what was simulated at a point of the grid, and both versions of the theory."""
    colour, simulated = SPARSITIES[point.s_v], found.simulated
    x = place(point.n_hidden, point.cue) + (list(SPARSITIES).index(point.s_v) - 1) * 0.22
    axis.errorbar(x, simulated.value, simulated.reach, fmt="o", ms=4, color=colour, capsize=2)
    axis.plot(x, found.exact, "_", ms=13, mew=1.5, color=colour)
    axis.plot(x, found.asymptotic, "x", ms=5, color=colour, alpha=0.8)
    numbers = {"simulated": simulated.value, "error": found.error}
    picture.record({**point._asdict(), **numbers, "exact": found.exact, "asymptotic": found.asymptotic})


def name_places(axis: Axes) -> None:
    """Name the cue levels below the axis, and the sizes above them."""
    axis.set_xticks([place(n_h, cue) for n_h in SIZES for cue in LEVELS], [f"{cue:g}" for _ in SIZES for cue in LEVELS])
    axis.set_xlabel("cue level c")
    for n_h in SIZES:
        x = place(n_h, LEVELS[len(LEVELS) // 2])
        axis.text(x, 0.02, f"$n_h$ = {n_h}", transform=axis.get_xaxis_transform(), ha="center", fontsize=8)


def draw_least_cue(axis: Axes) -> None:
    """Draw proposition 5's least cue against the permitted loss δ."""
    deltas = np.geomspace(1e-9, 0.5, 100)
    for n_h, style in zip(SIZES, (":", "-", "--"), strict=True):
        least = [one_winner.least_cue(float(delta), n_hidden=n_h) for delta in deltas]
        axis.plot(deltas, least, style, color=BLACK, label=f"$n_h$ = {n_h}")
    for cue in CUES:
        axis.axhline(cue, color=VERMILION, lw=0.8)
        words = f"{cue:.0%} cues of the paper"
        axis.annotate(
            words, (0.4, cue), (0, 2), textcoords="offset points", color=VERMILION, fontsize=7, ha="right", va="bottom"
        )
    log_scale(axis, "xy")
    axis.set(ylim=(0.01, 2), xlabel="permitted loss of accuracy δ", ylabel="least cue level c")
    axis.legend(loc="lower left", title="$s_v$ = 0.1, $k_v$ = 100")


def claims(r: Results) -> Iterator[Claim]:
    """What theorem and propositions say, and how well they agree with simulation."""
    yield from claims_on_constants()
    yield from claims_on_stored(1 - one_winner.exact_stored(0.5))
    for cue in CUES:
        yield from claims_on_baseline(r[ONE]["accuracy"].sel(cue=cue, kind="pseudo").mean("age").values, cue)
    found = compare(r)
    yield from claims_on_exact(found)
    yield from claims_on_asymptotic(found)


def claims_on_constants() -> Iterator[Claim]:
    """Numbers that need no simulation."""
    yield Claim(
        "least-cue",
        "Proposition 5: with δ = 0.001, n_h = 100, k_v = 100, s_v = 0.1 the condition is c > 0.05.",
        source="paper",
        paper=0.05,
        estimate=estimate.exact(one_winner.least_cue(1e-3)),
        limits=within(0.045, 0.055),
    )
    yield Claim(
        "theta",
        "Theorem 1: θ is far below 1 for any ε in (0, 1): the largest of ε = 0.01, 0.5, 0.99; at most 0.1.",
        source="paper",
        paper="≪ 1",
        estimate=estimate.exact(max(one_winner.theta(epsilon) for epsilon in (0.01, 0.5, 0.99))),
        limits=within(0, 0.1),
    )
    yield Claim(
        "regime",
        "Theorem 1 assumes n_h ≤ exp(c₀ n_v) with c₀ ≪ s_v ln(1/s_v): the c₀ that n_h = 100 needs, at most a tenth of "
        "that.",
        source="paper",
        paper="≪ 0.230",
        estimate=estimate.exact(log(100) / N_VISIBLE),
        limits=within(0, 0.1 * log(10) / 10),
    )


def claims_on_stored(lost: float) -> Iterator[Claim]:
    """Recall of what is stored."""
    yield Claim(
        "stored",
        "A pattern still stored is retrieved perfectly at both cue levels: expected loss of accuracy at 50% cues, at "
        "most 0.001.",
        source="paper",
        paper="0",
        estimate=estimate.exact(lost),
        limits=within(0, 1e-3),
    )


def claims_on_baseline(runs: Values, cue: float) -> Iterator[Claim]:
    """The baseline of the main text's network, simulated, exact and asymptotic."""
    exact, asymptotic = one_winner.exact_baseline(cue), one_winner.baseline(cue)
    yield Claim(
        f"exact-baseline-{cue:.0%}",
        f"The exact expectation of the maximum, {exact:.4f}, gives the simulated baseline, {cue:.0%} cues, within "
        "0.001 (stored patterns are not quite independent, which is worth 0.0001).",
        source="ours",
        paper="",
        estimate=estimate.mean(runs),
        limits=within(exact - 0.001, exact + 0.001),
    )
    yield Claim(
        f"asymptotic-baseline-{cue:.0%}",
        f"Proposition 2's baseline agrees with the simulated one, {cue:.0%} cues, within 0.02.",
        source="paper",
        paper=asymptotic,
        estimate=estimate.mean(runs),
        limits=within(asymptotic - 0.02, asymptotic + 0.02),
    )


def claims_on_exact(found: Mapping[Point, Compared]) -> Iterator[Claim]:
    """The exact theory on the grid as a whole."""
    baseline, raw = ([c for point, c in found.items() if point.quantity == name] for name in QUANTITIES)
    yield Claim(
        "grid-exact-baseline",
        f"Exact theory gives the simulated baseline on all {len(baseline)} points of the grid: largest deviation, at "
        "most 0.003.",
        source="ours",
        paper="",
        estimate=estimate.largest_of(abs(estimate.mean(c.runs - c.exact)) for c in baseline),
        limits=within(0, 0.003),
    )
    # A deviation in standard errors holds the sampling error already: the limit says what chance does.
    score = max(abs(c.simulated.value - c.exact) / c.error for c in raw)
    limit = float(stats.t.isf(0.0005 / len(raw), len(raw[0].runs) - 1))
    yield Claim(
        "grid-exact-raw-difference",
        f"Exact theory gives the simulated R.D. on all {len(raw)} points of the grid: largest deviation in standard "
        "errors (limit: exceeded by chance at any point once in 1000 times).",
        source="ours",
        paper="",
        estimate=estimate.exact(score),
        limits=at_most(limit),
    )


def claims_on_asymptotic(found: Mapping[Point, Compared]) -> Iterator[Claim]:
    """The printed theory on the grid as a whole."""
    for quantity in QUANTITIES:
        chosen = [c for point, c in found.items() if point.quantity == quantity]
        yield Claim(
            f"grid-asymptotic-{quantity.replace(' ', '-')}",
            f"The asymptotic formula agrees with simulation on all {len(chosen)} points of the grid, {quantity}: "
            "largest deviation, at most 0.05.",
            source="paper",
            paper="agrees up to O(ln ln n_h / ln n_h)",
            estimate=estimate.largest_of(abs(estimate.mean(c.runs - c.asymptotic)) for c in chosen),
            limits=within(0, 0.05),
        )


ITEM = Item(
    name="theorem1",
    number="Theorem 1",
    title="Theory of the 1-winner memory",
    text="Formulas for the accuracy of patterns no longer stored, for the raw difference, and for the smallest cue "
    "that still finds its pattern are set against simulations with 30 to 300 units. The printed, asymptotic formulas "
    "are a few hundredths off at these sizes; the exact expectation, which is as easy to compute, lies on the "
    "simulated points.",
    alt="Three panels. A: accuracy of patterns that are not stored, simulated and from theory, for three memory sizes, "
    "cue levels and sparsities. B: the same for the mean raw difference. C: least cue level against the permitted loss "
    "of accuracy.",
    experiments=(ONE, *GRID.values()),
    draw=draw,
    claims=claims,
)
