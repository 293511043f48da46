"""Table S1: uppercase against lowercase keys, a block of W_Kᵀ W_K; tables S2 and S3 show two other blocks.

"Range" in the printed tables is the mean over runs of (largest − smallest) within a run's entries.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.weights import diagonal, letter_blocks, off_diagonal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREY, VERMILION
from slotfree.paper.transformers import (
    ALL,
    BASELINE,
    BETA_ONE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PUBLISHED,
    QK,
    QK_IP,
    SHOWN,
    Transformer,
    training,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_most, within
from slotfree.study.estimate import Estimate
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at

COLUMNS = ("on_diagonal_mean", "on_diagonal_range", "off_diagonal_mean", "off_diagonal_range")
TRANSFORMERS = (PUBLISHED, BASELINE, BETA_ONE, FIXED, MHN, QK, FIXED_IP, MHN_IP, QK_IP)
RANGE = "#CCCCCC"
CHANCE = 0.001  # that a printed row is called another although it is the same


@dataclass(frozen=True)
class Table:
    """A printed table: the block of dot products it is about, its title, and its rows by the name of the model."""

    block: str
    title: str
    rows: dict[str, tuple[float, float, float, float]]

    def printed(self, transformer: Transformer) -> tuple[float, float, float, float] | None:
        """The printed row of a model; of the three baselines the one with published gradients has it."""
        return None if transformer in (BASELINE, BETA_ONE) else self.rows[transformer.row]

    def measured(self, transformer: Transformer, r: Results) -> NDArray[np.float64]:
        """What we measure for the columns, by run, (run, column)."""
        return statistics(letter_blocks(weights_at(r[training(transformer)]))[self.block])


def statistics(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean and range of the entries of equal letters, then of different ones, by run, (run, column)."""
    on, off = diagonal(block), off_diagonal(block)
    return np.stack([on.mean(axis=1), np.ptp(on, axis=1), off.mean(axis=1), np.ptp(off, axis=1)], axis=1)


def draw(table: Table, r: Results) -> Picture:
    """Draw and tabulate the statistics of one block for all models, next to the printed ones."""
    picture = Picture(1, 2, width=11, height=4.4, sharey=True)
    left, right = picture.axes[0]
    for place, transformer in enumerate(TRANSFORMERS):
        found = [estimate.mean(column) for column in table.measured(transformer, r).T]
        printed = table.printed(transformer) or ("",) * len(COLUMNS)
        draw_row(left, place, found[0], found[1], printed[0], transformer.colour)
        draw_row(right, place, found[2], found[3], printed[2], transformer.colour)
        for name, said, mean in zip(COLUMNS, printed, found, strict=True):
            row = {"model": transformer.label, "statistic": name, "printed": said, "measured": round(mean.value, 4)}
            picture.record({**row, "low_99": round(mean.low, 4), "high_99": round(mean.high, 4)})
    left.set_yticks(range(len(TRANSFORMERS)), [transformer.label for transformer in TRANSFORMERS])
    left.invert_yaxis()
    for axis, letter, words in ((left, "A", "equal letters"), (right, "B", "different letters")):
        picture.panel(axis, letter, f"{table.title}: {words}")
        axis.axvline(0, color=GREY, lw=0.6)
        axis.set_xlabel("dot product")
    left.plot([], [], "o", color=BLACK, label="measured mean, 99% interval over runs")
    left.plot([], [], "-", color=RANGE, lw=6, label="range within a run (mean over runs)")
    left.plot([], [], "D", mfc="none", mec=VERMILION, ms=8, label="printed mean")
    picture.legend_below(left, 3)
    return picture


def draw_row(axis: Axes, place: int, mean: Estimate, spread: Estimate, printed: float | str, colour: str) -> None:
    """Draw a mean with its interval upon the range within a run, and what is printed for it."""
    axis.hlines(place, mean.value - spread.value / 2, mean.value + spread.value / 2, color=RANGE, lw=6)
    axis.hlines(place, mean.low, mean.high, color=colour, lw=1.5)
    axis.plot([mean.low, mean.high], [place, place], "|", color=colour, ms=6, mew=1)
    axis.plot(mean.value, place, "o", color=colour, ms=5)
    if printed != "":
        axis.plot(printed, place, "D", mfc="none", mec=VERMILION, ms=8)


def claims(table: Table, r: Results) -> Iterator[Claim]:
    """What the SI prints and says of the rows, and where the baseline's row comes from."""
    for transformer in TRANSFORMERS:
        printed = table.printed(transformer)
        if printed is not None:
            yield claim_row(table, transformer, printed, r)
    for transformer in (PUBLISHED, QK, QK_IP):
        found = table.measured(transformer, r)
        yield Claim(
            f"strong-{transformer.name}",
            f"{transformer.label} shows strongly positive on-diagonal relative to off-diagonal entries: smallest "
            "difference of the two means of any run, above 2.",
            source="paper",
            paper="strongly positive",
            estimate=estimate.exact((found[:, 0] - found[:, 2]).min()),
            limits=above(2),
        )
    for transformer in (BASELINE, BETA_ONE):
        yield claim_other_row(table, transformer, r)


def claim_row(table: Table, transformer: Transformer, printed: tuple[float, ...], r: Results) -> Claim:
    """The claim that a printed row agrees with ours: the limit holds the sampling error of both."""
    found = table.measured(transformer, r)
    return Claim(
        f"row-{transformer.name}",
        f"{table.title}, {transformer.label}: the four printed numbers agree with {len(found)} runs: largest distance "
        "in standard errors of the difference (limit: exceeded by chance once in 1000 times).",
        source="paper",
        paper=", ".join(f"{value:g}" for value in printed),
        estimate=estimate.exact(distance(found, printed)),
        limits=at_most(limit_of_chance(len(found))),
    )


def claim_other_row(table: Table, transformer: Transformer, r: Results) -> Claim:
    """The claim that a baseline does not give the printed row; a distance in standard errors has an error of 1."""
    found, printed = table.measured(transformer, r), table.rows[transformer.row]
    return Claim(
        f"not-{transformer.name}",
        "The printed transformer row is that of gradients with β = 1 for an output with β = 1/√N. "
        f"{transformer.label} gives another row: largest distance from the printed one in standard errors, above the "
        f"limit of chance (its on-diagonal mean is {found[:, 0].mean():.2f}).",
        source="ours",
        paper=f"printed on-diagonal mean {printed[0]:g}",
        estimate=estimate.normal(distance(found, printed), 1.0),
        limits=above(limit_of_chance(len(found))),
    )


def distance(found: NDArray[np.float64], printed: tuple[float, ...]) -> float:
    """Largest distance of printed means of ten runs from ours, beyond rounding, in standard errors of the difference.

    Both are means over runs with the same spread; printed numbers have three digits.
    """
    spread = found.std(axis=0, ddof=1) * np.sqrt(1 / len(found) + 1 / SHOWN)
    rounding = 0.5 * 10.0 ** (np.floor(np.log10(np.abs(printed))) - 2)
    scores = np.maximum(np.abs(found.mean(axis=0) - printed) - rounding, 0) / spread
    return float(scores.max())


def limit_of_chance(runs: int) -> float:
    """The distance that the largest of the four columns of a row exceeds by chance once in 1000 times (Student's t)."""
    return float(stats.t.isf(CHANCE / 2 / len(COLUMNS), runs - 1))


def claims_with_fixed(table: Table, r: Results) -> Iterator[Claim]:
    """All that, and that fixed keys do not tell letters apart."""
    yield from claims(table, r)
    for transformer in (FIXED, FIXED_IP):
        found = table.measured(transformer, r)
        yield Claim(
            f"none-{transformer.name}",
            f"{transformer.label}: keys show no strong difference between on- and off-diagonal entries: difference of "
            "the means, within 0.15.",
            source="paper",
            paper="no strong differences",
            estimate=estimate.mean(found[:, 0] - found[:, 2]),
            limits=within(-0.15, 0.15),
        )


TABLE = Table(
    "key-key",
    "Uppercase and lowercase keys",
    {
        "transformer": (3.34, 0.323, -1.11, 0.693),
        "Fixed W_K (no input proj.)": (0.0563, 0.280, -0.00152, 0.470),
        "Training W_K (no input proj.)": (-0.0541, 2.22, -1.27, 2.32),
        "Q-K Alignment (no input proj.)": (7.19, 2.07, -1.42, 2.48),
        "Fixed W_K (input proj.)": (0.00806, 0.324, 0.00531, 0.482),
        "Training W_K (input proj.)": (0.532, 1.57, -0.933, 2.02),
        "Q-K Alignment (input proj.)": (7.96, 1.88, -0.916, 2.16),
    },
)
ITEM = Item(
    name="tableS1",
    number="Table S1",
    title="Keys of both cases",
    text="Dots are our means of the dot products between uppercase and lowercase keys, diamonds the printed ones: for "
    "equal letters they should be high (A), for different letters not (B). Fixed keys show no such structure, the "
    "baseline and the QK models a strong one, and the printed baseline comes out only with the published gradients.",
    alt="Two panels with a row for each model: measured means of dot products of uppercase and lowercase keys with "
    "intervals, ranges within a run as grey bars, and printed means as diamonds. A: equal letters. B: different "
    "letters.",
    experiments=tuple(map(training, ALL)),
    draw=partial(draw, TABLE),
    claims=partial(claims_with_fixed, TABLE),
)
