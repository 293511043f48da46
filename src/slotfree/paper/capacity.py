"""How many patterns a modern Hopfield network holds, against β and the size of patterns (beyond the paper).

The SI says that the softmax "enables exponential storage capacity in the number of features N". Patterns are random
x ∈ {−1, 1}ᴺ. A cue has an eighth of the signs flipped; it recalls its pattern if all signs of what it gives are right.

For β = ∞ there is a law: another pattern agrees with the cue in B ~ Bin(N, ½) signs, the right one in N − f. All M − 1
others must stay below, or be the same pattern:

    P(not recalled) = 1 − (1 − q)^(M − 1),    q = P(B ≥ N − f) − 2⁻ᴺ.

It is exact but for ties of several others, which may outvote each other; they matter only where most patterns are lost.

For finite β the right pattern's term must outweigh the sum of all others, whose mean is M cosh(β)ᴺ. With m = 1 − 2f/N
that is, to leading order, M < exp N(βm − ln cosh β), up to β = artanh m, beyond which the largest term decides alone.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from numpy.typing import NDArray
from scipy import stats

from slotfree.paper import drawing
from slotfree.paper.capacity_runs import (
    BETAS,
    CUES,
    DIMENSIONS,
    FLIPPED,
    MAPPED,
    MAPPED_NUMBERS,
    NUMBERS,
    RESTED,
    CapacityRuns,
)
from slotfree.paper.claims import Claims
from slotfree.paper.comparison import difference_interval
from slotfree.paper.items import Context, Item, Output

ALLOWED = 0.01
MOST = 0.7  # the law is told up to this share not recalled
CLASSICAL = 0.138  # patterns per unit that a classical Hopfield network holds (Amit, Gutfreund and Sompolinsky, 1985)
COLOURS = {16: "#E69F00", 24: "#009E73", 32: "#0072B2", 40: "#CC79A7"}
BETA_COLOURS = dict(zip(RESTED, ("#E69F00", "#009E73", "#0072B2", "#333333"), strict=True))
EXPERIMENT = CapacityRuns()


def chance(dimension: int) -> float:
    """q, the chance that another pattern is at least as near to a cue as the right one, and is not the same."""
    return float(stats.binom.sf(dimension - round(FLIPPED * dimension) - 1, dimension, 0.5) - 0.5**dimension)


def exact_share(dimension: int, number: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(not recalled) for β = ∞."""
    share: NDArray[np.float64] = -np.expm1((number - 1) * np.log1p(-chance(dimension)))
    return share


def exact_capacity(dimension: int) -> float:
    """The number of patterns at which the allowed share is not recalled, for β = ∞."""
    return 1 + float(np.log1p(-ALLOWED) / np.log1p(-chance(dimension)))


def make(context: Context) -> Output:
    """Draw share against number and β (A), steps (B), share against number and size (C), and capacity (D)."""
    data = context.results[EXPERIMENT.name]
    figure, axes = drawing.new_figure(2, 2, context.scale, width=9.5, height=3.3)
    draw_map(axes[0, 0], data)
    draw_steps(axes[0, 1], data)
    draw_sizes(axes[1, 0], data)
    draw_capacity(axes[1, 1], data, context.seed)
    for axis, letter, title in zip(
        axes.flat, "ABCD", (f"N = {MAPPED}, one step", f"N = {MAPPED}, one step or many", "β = ∞", "β = ∞"), strict=True
    ):
        drawing.panel(axis, letter, title)
    return Output(figure, judge(context), {"capacity": table(data)})


def draw_map(axis: Axes, data: xr.Dataset) -> None:
    """Draw the share not recalled over number and β, and where theory puts the edge."""
    shares = data["by_beta"].mean("run").transpose("beta", "mapped_number").values
    picture = axis.pcolormesh(
        MAPPED_NUMBERS, BETAS, shares.clip(0.003, 1), norm=LogNorm(0.003, 1), cmap="cividis", shading="nearest"
    )
    bar = axis.figure.colorbar(picture, ax=axis, label="share not recalled", ticks=[0.003, 0.01, 0.1, 1])
    bar.ax.set_yticklabels(["≤ 0.003", "0.01", "0.1", "1"])
    m = 1 - 2 * FLIPPED
    betas = np.geomspace(BETAS[0], np.arctanh(m), 100)
    axis.plot(np.exp(MAPPED * (betas * m - np.log(np.cosh(betas)))), betas, "--", color="white", lw=1.5)
    axis.text(9, 0.14, "theory", color="white", rotation=33, fontsize=8)
    axis.set(xscale="log", yscale="log", xlabel="stored patterns M", ylabel="inverse temperature β")
    axis.set_xlim(MAPPED_NUMBERS[0] / 2**0.5, MAPPED_NUMBERS[-1] * 2**0.5)
    axis.set_ylim(BETAS[0] / 2**0.25, BETAS[-1] * 2**0.25)
    axis.set_yticks([0.05, 0.1, 0.2, 0.5, 1], ["0.05", "0.1", "0.2", "0.5", "1"])


def draw_steps(axis: Axes, data: xr.Dataset) -> None:
    """Draw the share not recalled after one step, and at rest, for some β."""
    for beta, colour in BETA_COLOURS.items():
        _band(axis, data["by_beta"].sel(beta=beta), MAPPED_NUMBERS, colour, f"β = {beta:g}", "-")
        _band(axis, data["at_rest"].sel(rested_beta=beta), MAPPED_NUMBERS, colour, "", ":")
    axis.plot([], [], "-", color="#999999", label="one step")
    axis.plot([], [], ":", color="#999999", label="until it rests")
    _share_axis(axis)
    axis.legend(loc="lower left")


def draw_sizes(axis: Axes, data: xr.Dataset) -> None:
    """Draw the share not recalled against number for each size, with the exact law."""
    numbers = np.geomspace(NUMBERS[0], NUMBERS[-1], 200)
    for dimension in DIMENSIONS:
        _band(axis, data["by_size"].sel(dimension=dimension), NUMBERS, COLOURS[dimension], f"N = {dimension}", "-")
        axis.plot(numbers, exact_share(dimension, numbers), "--", color=COLOURS[dimension], lw=1)
    axis.axhline(ALLOWED, color="#999999", lw=0.6)
    axis.plot([], [], "--", color="#999999", label="law")
    _share_axis(axis)
    axis.legend(loc="upper left")


def draw_capacity(axis: Axes, data: xr.Dataset, seed: int) -> None:
    """Draw the number of patterns of which 1 % are lost against size."""
    for dimension in DIMENSIONS:
        measured, (low, high) = with_interval(capacities(data["by_size"].sel(dimension=dimension), seed))
        error = np.array([[measured - low], [high - measured]])
        axis.errorbar(dimension, measured, error, fmt="o", color=COLOURS[dimension], capsize=3)
    axis.plot(DIMENSIONS, [exact_capacity(n) for n in DIMENSIONS], "--", color="#999999", lw=1, label="law")
    sizes = np.linspace(DIMENSIONS[0], DIMENSIONS[-1], 50)
    axis.plot(sizes, CLASSICAL * sizes, ":", color="#333333", label=f"classical Hopfield network, {CLASSICAL:g} N")
    axis.plot([], [], "o", color="#999999", label="measured, 99% interval")
    axis.set(
        yscale="log", xlabel="numbers in a pattern N", ylabel=f"patterns M with {ALLOWED:.0%} lost", xticks=DIMENSIONS
    )
    axis.legend(loc="upper left")


def _band(axis: Axes, shares: xr.DataArray, numbers: Sequence[int], colour: str, label: str, style: str) -> None:
    mean, error = shares.mean("run").values, shares.std("run", ddof=1).values / np.sqrt(shares.sizes["run"])
    mean = np.where(mean > 0, mean, np.nan)  # a logarithmic axis has no place for 0
    axis.fill_between(numbers, np.maximum(mean - error, 1e-9), mean + error, color=colour, alpha=0.25, lw=0)
    axis.plot(numbers, mean, style, color=colour, lw=1.5, label=label or None)


def _share_axis(axis: Axes) -> None:
    axis.set(xscale="log", yscale="log", ylim=(8e-4, 1.3), xlabel="stored patterns M")
    axis.set_ylabel("share not recalled (mean ± 1 s.e.)")


def capacities(shares: xr.DataArray, seed: int, resamples: int = 1000) -> NDArray[np.float64]:
    """Number of patterns of which the allowed share is lost: first as measured, then bootstrapped over runs.

    The law says that −log(1 − share) is proportional to M − 1. The slope is that of a line through the origin and all
    numbers at which the law is told.
    """
    runs = shares.transpose("run", "number").values
    numbers = shares["number"].values.astype(float)
    chosen = np.random.default_rng(seed).integers(0, len(runs), (resamples + 1, len(runs)))
    chosen[0] = np.arange(len(runs))
    lost = runs[chosen].mean(axis=1)
    weights = np.where(lost <= MOST, np.minimum(numbers, CUES), 0)
    slope = (weights * -np.log1p(-lost.clip(0, MOST))).sum(axis=1) / (weights * (numbers - 1)).sum(axis=1)
    with np.errstate(divide="ignore"):  # nothing lost: no limit is known
        return np.asarray(1 - np.log1p(-ALLOWED) / slope)


def with_interval(values: NDArray[np.float64]) -> tuple[float, tuple[float, float]]:
    """Return the first value, and the 99% interval of the others."""
    low, high = np.quantile(values[1:], [0.005, 0.995], method="inverted_cdf")
    return float(values[0]), (float(low), float(high))


def judge(context: Context) -> Claims:
    """Judge the SI's sentence on capacity, the law, and what β and iteration do."""
    claims = context.claims("capacity")
    data = context.results[EXPERIMENT.name]
    judge_growth(claims, data, context.seed)
    judge_temperature(claims, data)
    return claims


def judge_growth(claims: Claims, data: xr.Dataset, seed: int) -> None:
    """Judge that capacity is exponential in the size of patterns."""
    found = {n: capacities(data["by_size"].sel(dimension=n), seed) for n in DIMENSIONS}
    for small, large in pairwise(DIMENSIONS):
        ratio, interval = with_interval(found[large] / found[small])
        claims.add(
            f"exponential-{large}",
            f"Capacity is exponential in N: eight more numbers, {small} to {large}, multiply the patterns of which 1% "
            "are lost (β = ∞) by five or more: factor (99%).",
            paper="exponential",
            measured=ratio,
            interval=interval,
            holds=interval[0] >= 5,
        )
    largest = DIMENSIONS[-1]
    per_number, interval = with_interval(found[largest] / largest)
    claims.add(
        "beyond-classical",
        f"Not in the paper: at N = {largest} it exceeds 100 patterns per number, where a classical Hopfield network "
        f"holds {CLASSICAL:g}: patterns per number (99%).",
        paper="not said",
        measured=per_number,
        interval=interval,
        holds=interval[0] > 100,
    )
    runs = data["by_size"].transpose("dimension", "number", "run").values
    numbers = np.array(NUMBERS, float)
    law = np.array([exact_share(n, numbers) for n in DIMENSIONS])
    n_cues = np.minimum(numbers, CUES) * runs.shape[-1]
    spread = np.sqrt(law * (1 - law) / n_cues)
    told = (law * n_cues >= 5) & (law <= MOST)  # enough losses for a normal law
    distance = np.abs(runs.mean(axis=-1) - law)[told] / spread[told]
    limit = float(stats.norm.isf(0.005 / told.sum()))
    claims.within(
        "law",
        f"Not in the paper: at β = ∞ the law holds at all {told.sum()} points where it expects losses, up to {MOST:g}: "
        "largest distance in standard errors (99%, for as many points).",
        paper="not said",
        measured=float(distance.max()),
        low=0.0,
        high=limit,
    )


def judge_temperature(claims: Claims, data: xr.Dataset) -> None:
    """Judge that small β blends, that large β loses nothing, and what iteration adds."""
    number = 512
    one = data["by_beta"].sel(mapped_number=number)
    for name, beta, words, low, high in (
        ("blends", 0.1, "β = 0.1 blends too many patterns: at least 0.9", 0.9, 1.0),
        ("sharp", 1.6, "β = 1.6 finds the right one: at most 0.02", 0.0, 0.02),
    ):
        claims.within(
            name,
            f"Not in the paper: of {number} patterns with N = {MAPPED}, {words} are not recalled in one step.",
            paper="not said",
            measured=float(one.sel(beta=beta).mean("run")),
            low=low,
            high=high,
        )
    beta, number = 0.2, 64
    rested = data["at_rest"].sel(rested_beta=beta, mapped_number=number).values
    more, interval = difference_interval(rested, data["by_beta"].sel(beta=beta, mapped_number=number).values)
    claims.positive(
        "one-step-better",
        f"Not in the paper: near the edge one step is better than many, which drift on to a blend ({number} patterns, "
        f"N = {MAPPED}, β = {beta:g}): share not recalled at rest minus that after one step (99%).",
        paper="not said",
        measured=more,
        interval=interval,
    )


def table(data: xr.Dataset) -> tuple[list[str], list[list[object]]]:
    """Return all shares with their standard errors."""
    rows: list[list[object]] = []

    def add(shares: xr.DataArray, dimension: int, beta: float, steps: str) -> None:
        mean, error = shares.mean("run"), shares.std("run", ddof=1) / np.sqrt(shares.sizes["run"])
        for number, m, e in zip(shares[shares.dims[-1]].values.tolist(), mean.values, error.values, strict=True):
            rows.append([dimension, f"{beta:g}", steps, number, round(float(m), 6), round(float(e), 6)])

    for dimension in DIMENSIONS:
        add(data["by_size"].sel(dimension=dimension), dimension, np.inf, "1")
    for beta in BETAS:
        add(data["by_beta"].sel(beta=beta), MAPPED, beta, "1")
    for beta in RESTED:
        add(data["at_rest"].sel(rested_beta=beta), MAPPED, beta, "until it rests")
    return ["n_visible", "beta", "steps", "stored", "share_not_recalled", "standard_error"], rows


ITEM = Item(
    "capacity",
    "How many patterns a modern Hopfield network holds, against β and the size of patterns",
    (EXPERIMENT,),
    make,
    seconds=3,
)
