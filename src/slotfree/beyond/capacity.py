"""How many patterns a modern Hopfield network holds, against β and the size of patterns.

The SI says that the softmax "enables exponential storage capacity in the number of features N". Patterns are random
x ∈ {−1, 1}ᴺ. A cue has an eighth of the signs flipped; it recalls its pattern if all signs of what it gives are right.

For β = ∞ there is a law: another pattern agrees with the cue in B ~ Bin(N, ½) signs, the right one in N − f. All M − 1
others must stay below, or be the same pattern:

    P(not recalled) = 1 − (1 − q)^(M − 1),    q = P(B ≥ N − f) − 2⁻ᴺ.

It is exact but for ties of several others, which may outvote each other; they matter only where most patterns are lost.

For finite β the right pattern's term must outweigh the sum of all others, whose mean is M cosh(β)ᴺ. With m = 1 − 2f/N
that is, to leading order, M < exp N(βm − ln cosh β), up to β = artanh m, beyond which the largest term decides alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from numpy.typing import NDArray
from scipy import stats

from slotfree.drawing.bands import band, spread
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE
from slotfree.files.safetensors import Arrays
from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, equal_to, of_paper
from slotfree.study.estimate import Estimate
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results

FLIPPED = 1 / 8
NUMBERS = tuple(2**i for i in range(1, 15))
DIMENSIONS = (16, 24, 32, 40)
MAPPED, MAPPED_NUMBERS = 32, NUMBERS[:12]
BETAS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.56, 0.8, 1.12, 1.6)
RESTED = (0.1, 0.2, 0.4, 1.6)  # β for which retrieval is also iterated until it rests
CUES, MAPPED_CUES, RESTED_CUES = 200, 100, 25

ALLOWED = 0.01
MOST = 0.7  # the law is compared up to this share not recalled
CLASSICAL = 0.138  # patterns per unit that a classical Hopfield network holds (Amit, Gutfreund and Sompolinsky, 1985)
COLOURS = dict(zip(DIMENSIONS, (ORANGE, GREEN, BLUE, PURPLE), strict=True))
BETA_COLOURS = dict(zip(RESTED, (ORANGE, GREEN, BLUE, BLACK), strict=True))
COLUMNS = ("stored", "share_not_recalled", "standard_error")


@dataclass(frozen=True)
class Recall:
    """Store more and more patterns of each size; test now and then which of the first ones are recalled.

    Attributes
    ----------
    dimensions, numbers : sizes of patterns, and how many are stored, for β = ∞.
    mapped, mapped_numbers, betas : one size, and how many are stored, for each β.
    rested : β for which retrieval is also iterated until it rests.
    flipped : share of the signs that are wrong in a cue.
    cues : tested at most for each size, for each β, and at rest.
    """

    dimensions: tuple[int, ...] = DIMENSIONS
    numbers: tuple[int, ...] = NUMBERS
    mapped: int = MAPPED
    mapped_numbers: tuple[int, ...] = MAPPED_NUMBERS
    betas: tuple[float, ...] = BETAS
    rested: tuple[float, ...] = RESTED
    flipped: float = FLIPPED
    cues: tuple[int, int, int] = (CUES, MAPPED_CUES, RESTED_CUES)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return shares not recalled: ``by_size`` (dimension, number), ``by_beta`` and ``at_rest`` (beta, number)."""
        many, some, few = self.cues
        by_size = [self.lost(seed_for(seed, "size", n), n, np.inf, self.numbers, 1, many) for n in self.dimensions]
        same = seed_for(seed, "beta")
        by_beta = [self.lost(same, self.mapped, beta, self.mapped_numbers, 1, some) for beta in self.betas]
        at_rest = [self.lost(same, self.mapped, beta, self.mapped_numbers, None, few) for beta in self.rested]
        return {"by_size": np.array(by_size), "by_beta": np.array(by_beta), "at_rest": np.array(at_rest)}

    def lost(
        self,
        seed: np.random.SeedSequence,
        dimension: int,
        beta: float,
        numbers: tuple[int, ...],
        steps: int | None,
        n_cues: int,
    ) -> list[float]:
        """Return the share of cues that do not recall their pattern, at each number of stored patterns."""
        rng = np.random.default_rng(seed)
        patterns = rng.integers(0, 2, (numbers[-1], dimension)) * 2.0 - 1
        cues = patterns[: max(self.cues)].copy()
        order = rng.permuted(np.tile(np.arange(dimension), (len(cues), 1)), axis=1)
        flips = order[:, : round(self.flipped * dimension)]
        np.put_along_axis(cues, flips, -np.take_along_axis(cues, flips, axis=1), axis=1)
        memory = ModernHopfield(dimension, beta)
        shares = []
        for number in numbers:
            memory.store(patterns[memory.n_stored : number])
            tested = min(number, n_cues)
            right = (memory.retrieve(cues[:tested], steps) * patterns[:tested] > 0).all(axis=1)
            shares.append(1 - float(right.mean()))
        return shares

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the shares of all runs."""
        dims = {
            "by_size": ("dimension", "number"),
            "by_beta": ("beta", "mapped_number"),
            "at_rest": ("rested_beta", "mapped_number"),
        }
        arrays = {name: (("run", *labels), np.array([r[name] for r in results])) for name, labels in dims.items()}
        labels = {
            "dimension": self.dimensions,
            "number": self.numbers,
            "mapped_number": self.mapped_numbers,
            "beta": self.betas,
            "rested_beta": self.rested,
        }
        return xr.Dataset(arrays, {name: list(values) for name, values in labels.items()})


EXPERIMENT = Experiment("capacity", Recall(), 10)


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


def capacities(shares: xr.DataArray, seed: int, resamples: int = 1000) -> NDArray[np.float64]:
    """Number of patterns of which the allowed share is lost: first as measured, then bootstrapped over runs.

    The law says that −log(1 − share) is proportional to M − 1. The slope is that of a line through the origin and all
    numbers at which the law is compared.
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


def from_resampled(values: NDArray[np.float64]) -> Estimate:
    """The first value, with its uncertainty from the others."""
    return estimate.resampled_estimate(values[0], values[1:])


def draw(r: Results) -> Picture:
    """Draw share against number and β (A), steps (B), share against number and size (C), and capacity (D)."""
    data = r[EXPERIMENT]
    picture = Picture(2, 2, width=9.5, height=3.3)
    (mapped, steps), (sizes, capacity) = picture.axes
    draw_map(picture, mapped, data)
    draw_steps(picture, steps, data)
    draw_sizes(picture, sizes, data)
    draw_capacity(picture, capacity, data, r.seed)
    for axis, letter, title in (
        (mapped, "A", f"N = {MAPPED}, one step"),
        (steps, "B", f"N = {MAPPED}, one step or many"),
        (sizes, "C", "β = ∞"),
        (capacity, "D", "β = ∞"),
    ):
        picture.panel(axis, letter, title)
    return picture


def draw_map(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw the share not recalled over number and β, and where theory puts the edge."""
    runs = data["by_beta"].transpose("beta", "mapped_number", "run")
    shares = runs.mean("run").values
    errors = spread(runs).values / np.sqrt(runs.sizes["run"])
    for beta, share, error in zip(BETAS, shares, errors, strict=True):
        columns = dict(zip(COLUMNS, (MAPPED_NUMBERS, share, error), strict=True))
        picture.record_columns(columns, **row(MAPPED, beta))
    mesh = axis.pcolormesh(
        MAPPED_NUMBERS, BETAS, shares.clip(0.003, 1), norm=LogNorm(0.003, 1), cmap="cividis", shading="nearest"
    )
    bar = picture.figure.colorbar(mesh, ax=axis, label="share not recalled", ticks=[0.003, 0.01, 0.1, 1])
    bar.ax.set_yticklabels(["≤ 0.003", "0.01", "0.1", "1"])
    m = 1 - 2 * FLIPPED
    betas = np.geomspace(BETAS[0], np.arctanh(m), 100)
    axis.plot(np.exp(MAPPED * (betas * m - np.log(np.cosh(betas)))), betas, "--", color="white", lw=1.5)
    axis.text(4, 0.17, "theory", color="white", fontsize=8)
    log_scale(axis, "xy")
    axis.set(xlabel="stored patterns M", ylabel="inverse temperature β")
    axis.set_xlim(MAPPED_NUMBERS[0] / 2**0.5, MAPPED_NUMBERS[-1] * 2**0.5)
    axis.set_ylim(BETAS[0] / 2**0.25, BETAS[-1] * 2**0.25)


def draw_steps(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw the share not recalled after one step, and at rest, for some β."""
    share_axis(axis)
    for beta, colour in BETA_COLOURS.items():
        one = data["by_beta"].sel(beta=beta, drop=True)
        band(picture, axis, one, colour, f"β = {beta:g}", row=None)
        rested = data["at_rest"].sel(rested_beta=beta, drop=True)
        names = row(MAPPED, beta, "until it rests")
        band(picture, axis, rested, colour, "", style=":", row=names, columns=COLUMNS)
    axis.plot([], [], "-", color=GREY, label="one step")
    axis.plot([], [], ":", color=GREY, label="until it rests")
    axis.legend(loc="lower left")


def draw_sizes(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw the share not recalled against number for each size, with the exact law."""
    share_axis(axis)
    numbers = np.geomspace(NUMBERS[0], NUMBERS[-1], 200)
    for n in DIMENSIONS:
        shares = data["by_size"].sel(dimension=n, drop=True)
        band(picture, axis, shares, COLOURS[n], f"N = {n}", row=row(n, np.inf), columns=COLUMNS)
        axis.plot(numbers, exact_share(n, numbers), "--", color=COLOURS[n], lw=1)
    axis.axhline(ALLOWED, color=GREY, lw=0.6)
    axis.plot([], [], "--", color=GREY, label="law")
    axis.legend(loc="upper left")


def draw_capacity(picture: Picture, axis: Axes, data: xr.Dataset, seed: int) -> None:
    """Draw the number of patterns of which 1 % are lost against size."""
    for n in DIMENSIONS:
        found = from_resampled(capacities(data["by_size"].sel(dimension=n), seed))
        error = np.array([[found.value - found.low], [found.high - found.value]])
        axis.errorbar(n, found.value, error, fmt="o", color=COLOURS[n], capsize=3)
        numbers = {"capacity": found.value, "low": found.low, "high": found.high, "law": exact_capacity(n)}
        picture.record({"n_visible": n, **numbers}, table="-sizes")
    axis.plot(DIMENSIONS, [exact_capacity(n) for n in DIMENSIONS], "--", color=GREY, lw=1, label="law")
    sizes = np.linspace(DIMENSIONS[0], DIMENSIONS[-1], 50)
    axis.plot(sizes, CLASSICAL * sizes, ":", color=BLACK, label=f"classical Hopfield network, {CLASSICAL:g} N")
    axis.plot([], [], "o", color=GREY, label="measured, 99% interval")
    log_scale(axis, "y")
    axis.set(xlabel="numbers in a pattern N", ylabel=f"patterns M with {ALLOWED:.0%} lost", xticks=DIMENSIONS)
    axis.legend(loc="upper left")


def row(dimension: int, beta: float, steps: str = "1") -> dict[str, Any]:
    """What tells a curve from the others in the table."""
    return {"n_visible": dimension, "beta": f"{beta:g}", "steps": steps}


def share_axis(axis: Axes) -> None:
    """Numbers of patterns and shares on logarithmic axes."""
    log_scale(axis, "xy")
    axis.set(ylim=(8e-4, 1.3), xlabel="stored patterns M")
    axis.set_ylabel("share not recalled (mean ± 1 s.e.)")


def claims(r: Results) -> Iterator[Claim]:
    """The SI's sentence on capacity, the law, and what β and iteration do."""
    yield from claims_on_growth(r[EXPERIMENT], r.seed)
    yield law_claim(r[EXPERIMENT])
    yield from claims_on_temperature(r[EXPERIMENT])


def claims_on_growth(data: xr.Dataset, seed: int) -> Iterator[Claim]:
    """That capacity is exponential in the size of patterns."""
    found = {n: capacities(data["by_size"].sel(dimension=n), seed) for n in DIMENSIONS}
    for small, large in pairwise(DIMENSIONS):
        with np.errstate(invalid="ignore"):  # nothing lost at either size: nothing is known
            factor = from_resampled(found[large] / found[small])
        yield of_paper(
            f"exponential-{large}",
            f"Capacity is exponential in N: eight more numbers, {small} to {large}, multiply the patterns of which 1% "
            "are lost (β = ∞) by five or more: factor.",
            paper="exponential",
            estimate=factor,
            limits=at_least(5),
        )
    largest = DIMENSIONS[-1]
    yield Claim(
        "beyond-classical",
        f"At N = {largest} it exceeds 100 patterns per number, where a classical Hopfield network holds {CLASSICAL:g}: "
        "patterns per number.",
        estimate=from_resampled(found[largest] / largest),
        limits=above(100),
    )


def law_claim(data: xr.Dataset) -> Claim:
    """That the law for β = ∞ holds wherever it can be compared: the distance from it is 0 but for sampling error."""
    runs = data["by_size"].transpose("dimension", "number", "run").values
    numbers = np.array(NUMBERS, float)
    law = np.array([exact_share(n, numbers) for n in DIMENSIONS])
    n_cues = np.minimum(numbers, CUES) * runs.shape[-1]
    compared = (law * n_cues >= 5) & (law <= MOST)  # enough losses for a normal law
    distance = np.abs(runs.mean(axis=-1) - law)[compared] / np.sqrt(law * (1 - law) / n_cues)[compared]
    return Claim(
        "law",
        f"At β = ∞ the law holds at all {compared.sum()} points where it expects losses, up to {MOST:g}: largest "
        "distance in standard errors; its interval allows for the choice among the points.",
        estimate=estimate.chosen_largest(distance, np.ones_like(distance)),
        limits=equal_to(0),
    )


def claims_on_temperature(data: xr.Dataset) -> Iterator[Claim]:
    """That small β blends, that large β loses nothing, and what iteration adds."""
    number = 512
    cues = MAPPED_CUES * data.sizes["run"]
    for name, beta, words, limits in (
        ("blends", 0.1, "β = 0.1 blends too many patterns: at least 0.9", at_least(0.9)),
        ("sharp", 1.6, "β = 1.6 finds the right one: at most 0.02", at_most(0.02)),
    ):
        lost = data["by_beta"].sel(mapped_number=number, beta=beta).mean("run")
        yield Claim(
            name,
            f"Of {number} patterns with N = {MAPPED}, {words} are not recalled in one step.",
            estimate=estimate.share(round(float(lost) * cues), cues),
            limits=limits,
        )
    beta, number = 0.2, 64
    one = data["by_beta"].sel(beta=beta, mapped_number=number).values
    rested = data["at_rest"].sel(rested_beta=beta, mapped_number=number).values
    yield Claim(
        "one-step-better",
        f"Near the edge one step is better than many, which drift on to a blend ({number} patterns, N = {MAPPED}, "
        f"β = {beta:g}): share not recalled at rest minus that after one step.",
        estimate=estimate.mean(rested - one),
        limits=above(0),
    )


ITEM = Item(
    name="capacity",
    title="How many patterns a modern Hopfield network holds",
    text="The number of patterns that a softmax over slots retrieves grows exponentially with their size, as the SI "
    "says, if β is large enough: each eight more numbers multiply it by more than ten. Below an edge that theory "
    "predicts, too many patterns blend; there one step recalls more than iterating until the state rests, which "
    "drifts on to the blend.",
    alt="Four panels. A: heat map of the share of patterns not recalled against stored patterns and inverse "
    "temperature, with a sharp edge that a dashed line of theory follows. B: the same share against stored patterns "
    "after one step and at rest, for four values of β. C: the share for four sizes of patterns at β = ∞, on the curves "
    "of a law. D: patterns of which 1% are lost against size, a straight line on a logarithmic axis, far above that of "
    "a classical Hopfield network.",
    experiments=(EXPERIMENT,),
    draw=draw,
    claims=claims,
)
