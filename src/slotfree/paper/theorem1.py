"""Theorem 1 and its propositions: the bound, the regime, and theory against simulation over a grid of sizes."""

from itertools import product
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import ONE_WINNER
from slotfree.paper.retention_runs import RetentionRuns, unstructured

N_VISIBLE = 1000
SIZES = (30, 100, 300)
SPARSITIES = (0.05, 0.1, 0.2)
LEVELS = (*CUES, 0.2)
AGES = 100
GRID = {
    (n_h, s_v): RetentionRuns(
        f"theorem1-{n_h}-{s_v:g}",
        KWinnerSettings(N_VISIBLE, n_h, round(s_v * N_VISIBLE), 1, 1.0, 1.0),
        cues=LEVELS,
        runs=40,
        n_stored=4 * n_h + AGES,
        n_tested=AGES,
    )
    for n_h, s_v in product(SIZES, SPARSITIES)
}
MAIN = unstructured(ONE_WINNER)
RD = "raw difference"
Rows: TypeAlias = dict[tuple[int, float, float], dict[str, dict[str, float]]]
COLOURS = {0.05: "#0072B2", 0.1: "#333333", 0.2: "#D55E00"}


def make(context: Context) -> Output:
    """Draw baselines (A) and mean R.D. (B) over the grid, and the least cue (C); judge theorem and propositions."""
    claims = context.claims("theorem1")
    figure, axes = drawing.new_figure(1, 3, context.scale, width=11, height=3.4)
    rows = compare(context)
    for axis, quantity in zip(axes[0, :2], ("baseline", RD), strict=True):
        for (n_h, s_v), cue in product(GRID, LEVELS):
            row = rows[n_h, s_v, cue][quantity]
            place = SIZES.index(n_h) * 4 + LEVELS.index(cue) + (SPARSITIES.index(s_v) - 1) * 0.22
            axis.errorbar(place, row["simulated"], 2.7 * row["error"], fmt="o", ms=4, color=COLOURS[s_v], capsize=2)
            axis.plot(place, row["exact"], "_", ms=13, mew=1.5, color=COLOURS[s_v])
            axis.plot(place, row["asymptotic"], "x", ms=5, color=COLOURS[s_v], alpha=0.8)
        ticks = [SIZES.index(n_h) * 4 + LEVELS.index(cue) for n_h in SIZES for cue in LEVELS]
        axis.set_xticks(ticks, [f"{cue:g}" for _ in SIZES for cue in LEVELS])
        axis.set_xlabel("cue level c")
        for i, n_h in enumerate(SIZES):
            axis.text(4 * i + 1, 0.02, f"$n_h$ = {n_h}", transform=axis.get_xaxis_transform(), ha="center", fontsize=8)
    axes[0, 0].set(ylabel="accuracy of patterns not stored", ylim=(0, None))
    axes[0, 1].set(ylabel=f"R.D., mean over ages 1 to {AGES}", ylim=(0, 1))
    for s_v in SPARSITIES:
        axes[0, 0].plot([], [], "o", color=COLOURS[s_v], label=f"$s_v$ = {s_v:g}")
    axes[0, 0].plot([], [], "o", color="#999999", label="simulation, 99% interval")
    axes[0, 0].plot([], [], "_", ms=13, mew=1.5, color="#999999", label="theory, exact")
    axes[0, 0].plot([], [], "x", color="#999999", label="theory, $n_h$ → ∞")
    drawing.legend_below(figure, axes[0, 0], 6)
    draw_least_cue(axes[0, 2])
    for axis, letter, title in zip(axes[0], "ABC", ("Proposition 2", "Theorem 1", "Proposition 5"), strict=True):
        drawing.panel(axis, letter, title)
    judge_constants(claims)
    judge_main(claims, context)
    judge_grid(claims, rows, context.results[next(iter(GRID.values())).name].sizes["run"])
    header = ["n_hidden", "s_v", "cue", "quantity", "simulated", "error", "exact", "asymptotic"]
    table: list[list[object]] = [
        [*key, name, *values.values()] for key, row in rows.items() for name, values in row.items()
    ]
    return Output(figure, claims, {"theorem1": (header, table)})


def compare(context: Context) -> Rows:
    """Baseline and mean R.D. of each point of the grid: simulated with standard error, exact, asymptotic."""
    ages = np.arange(1, AGES + 1)
    rows = {}
    for ((n_h, s_v), experiment), cue in product(GRID.items(), LEVELS):
        size = {"n_visible": N_VISIBLE, "k_visible": experiment.settings.k_visible, "n_hidden": n_h}
        data = context.results[experiment.name].sel(cue=[cue])
        base = data["accuracy"].sel(kind="pseudo").mean(["age", "cue"]).values
        delta = metrics.differences(data).mean(["age", "cue"]).values
        exact = one_winner.exact_baseline(cue, **size)
        rows[n_h, s_v, cue] = {
            "baseline": _row(base, exact, one_winner.baseline(cue, **size)),
            RD: _row(
                delta,
                float((one_winner.exact_retention(ages, cue, **size) - exact).mean()),
                float(one_winner.raw_difference_curve(ages, cue, **size).mean()),
            ),
        }
    return rows


def _row(runs: np.ndarray, exact: float, asymptotic: float) -> dict[str, float]:
    error = float(runs.std(ddof=1) / np.sqrt(len(runs)))
    return {"simulated": float(runs.mean()), "error": error, "exact": exact, "asymptotic": asymptotic}


def draw_least_cue(axis: Axes) -> None:
    """Draw proposition 5's least cue against the permitted loss δ."""
    deltas = np.geomspace(1e-9, 0.5, 100)
    for n_h, style in zip(SIZES, (":", "-", "--"), strict=True):
        axis.plot(
            deltas,
            [one_winner.least_cue(float(d), n_hidden=n_h) for d in deltas],
            style,
            color="#333333",
            label=f"$n_h$ = {n_h}",
        )
    for cue in CUES:
        axis.axhline(cue, color="#D55E00", lw=0.8)
        axis.text(0.4, cue * 0.86, f"{cue:.0%} cues of the paper", color="#D55E00", fontsize=7, ha="right")
    axis.set(
        xscale="log", yscale="log", ylim=(0.01, 1.3), xlabel="permitted loss of accuracy δ", ylabel="least cue level c"
    )
    axis.legend(loc="lower left", title="$s_v$ = 0.1, $k_v$ = 100")


def judge_constants(claims: Claims) -> None:
    """Judge numbers that need no simulation."""
    least = one_winner.least_cue(1e-3)
    claims.within(
        "least-cue",
        "Proposition 5: with δ = 0.001, n_h = 100, k_v = 100, s_v = 0.1 the condition is c > 0.05.",
        paper=0.05,
        measured=least,
        low=0.045,
        high=0.055,
    )
    bound = max(one_winner.theta(epsilon) for epsilon in (0.01, 0.5, 0.99))
    claims.within(
        "theta",
        "Theorem 1: θ is far below 1 for any ε in (0, 1): the largest of ε = 0.01, 0.5, 0.99; below 0.1.",
        paper="≪ 1",
        measured=bound,
        low=0.0,
        high=0.1,
    )
    regime = np.log(100) / N_VISIBLE
    limit = 0.1 * np.log(10)
    claims.within(
        "regime",
        "Theorem 1 assumes n_h ≤ exp(c₀ n_v) with c₀ ≪ s_v ln(1/s_v): the c₀ that n_h = 100 needs, below a tenth.",
        paper="≪ 0.230",
        measured=regime,
        low=0.0,
        high=limit / 10,
    )


def judge_main(claims: Claims, context: Context) -> None:
    """Judge the main-text network: simulated, exact and asymptotic baselines, and recall of what is stored."""
    lost = 1 - one_winner.exact_stored(0.5)
    claims.within(
        "stored",
        "A pattern still stored is retrieved perfectly at both cue levels: expected loss of accuracy at 50% cues.",
        paper="0",
        measured=lost,
        low=0.0,
        high=1e-3,
    )
    for cue in CUES:
        accuracy = context.results[MAIN.name]["accuracy"].sel(cue=cue)
        mean = float(accuracy.sel(kind="pseudo").mean())
        exact, asymptotic = one_winner.exact_baseline(cue), one_winner.baseline(cue)
        claims.within(
            f"exact-baseline-{cue:.0%}",
            f"The exact expectation of the maximum gives the simulated baseline, {cue:.0%} cues, within 0.001 (stored "
            "patterns are not quite independent, which is worth 0.0001).",
            paper=f"not printed; exactly {exact:.4f}",
            measured=mean,
            low=exact - 0.001,
            high=exact + 0.001,
        )
        claims.within(
            f"asymptotic-baseline-{cue:.0%}",
            f"Proposition 2's baseline agrees with the simulated one, {cue:.0%} cues, within 0.02.",
            paper=asymptotic,
            measured=mean,
            low=asymptotic - 0.02,
            high=asymptotic + 0.02,
        )


def judge_grid(claims: Claims, rows: Rows, runs: int) -> None:
    """Judge the grid as a whole."""
    largest = max(abs(r["baseline"]["simulated"] - r["baseline"]["exact"]) for r in rows.values())
    claims.within(
        "grid-exact-baseline",
        f"Exact theory gives the simulated baseline on all {len(rows)} points of the grid: largest deviation, at most "
        "0.003.",
        paper="agrees",
        measured=largest,
        low=0.0,
        high=0.003,
    )
    scores = [abs(r[RD]["simulated"] - r[RD]["exact"]) / r[RD]["error"] for r in rows.values()]
    limit = float(stats.t.isf(0.0005 / len(rows), runs - 1))
    claims.within(
        "grid-exact-raw-difference",
        f"Exact theory gives the simulated R.D. on all {len(rows)} points of the grid: largest deviation in standard "
        "errors (limit: exceeded by chance at any point once in 1000 times).",
        paper="agrees",
        measured=max(scores),
        low=0.0,
        high=limit,
    )
    for quantity in ("baseline", RD):
        errors = [abs(r[quantity]["simulated"] - r[quantity]["asymptotic"]) for r in rows.values()]
        claims.within(
            f"grid-asymptotic-{quantity.replace(' ', '-')}",
            f"The asymptotic formula agrees with simulation on all {len(rows)} points of the grid, {quantity}: largest "
            "deviation, at most 0.05.",
            paper="agrees up to O(ln ln n_h / ln n_h)",
            measured=max(errors),
            low=0.0,
            high=0.05,
        )


ITEM = Item(
    "theorem1",
    "Theory of the 1-winner MHN: bounds, regime, and theory against simulation over a grid of n_h, c, s_v",
    (MAIN, *GRID.values()),
    make,
    seconds=3,
)
