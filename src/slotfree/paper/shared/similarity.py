"""What tables S1 to S3 have in common: the statistics of a block of dot products, and how they are drawn.

The text and the captions call "range" the range over runs of the means of the runs. The printed numbers are something
else: the mean over runs of the range of the entries within a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.weights import diagonal, letter_blocks, off_diagonal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREY, VERMILION
from slotfree.paper.shared.transformers import (
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
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results
from slotfree.study.training import weights_at

Row = tuple[float, float, float, float]

COLUMNS = ("on-mean", "on-range", "off-mean", "off-range")
WORDS = ("on-diagonal mean", "on-diagonal range", "off-diagonal mean", "off-diagonal range")
TRANSFORMERS = (PUBLISHED, BASELINE, BETA_ONE, FIXED, MHN, QK, FIXED_IP, MHN_IP, QK_IP)
MEAN_RANGE = 3.0775  # of ten values of a normal distribution, in standard deviations


@dataclass(frozen=True)
class Table:
    """A printed table: the block of dot products it is about, its title, and its rows by the name of the model."""

    block: str
    title: str
    rows: dict[str, Row]

    def printed(self, transformer: Transformer) -> Row | None:
        """The printed row of a model; of the three baselines the one with published gradients has it."""
        return None if transformer in (BASELINE, BETA_ONE) else self.rows[transformer.row]

    def measured(self, transformer: Transformer, r: Results) -> NDArray[np.float64]:
        """What we measure for the columns, by run, (run, column)."""
        return statistics(letter_blocks(weights_at(r[training(transformer)]))[self.block])


def statistics(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean and range of the entries of equal letters, then of different ones, by run, (run, column)."""
    on, off = diagonal(block), off_diagonal(block)
    return np.stack([on.mean(axis=1), np.ptp(on, axis=1), off.mean(axis=1), np.ptp(off, axis=1)], axis=1)


def contrast(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the entries of equal letters minus that of different ones, by run."""
    return np.asarray(found[:, 0] - found[:, 2])


def range_of_ten(means: NDArray[np.float64]) -> Estimate:
    """The expected range of the means of ten runs, which have a normal distribution of the spread of ours."""
    spread = estimate.deviation(means)
    return Estimate(*(MEAN_RANGE * value for value in (spread.value, spread.low, spread.high)))


def draw(table: Table, r: Results) -> Picture:
    """Draw and tabulate the statistics of one block for all models, next to the printed ones."""
    picture = Picture(1, 4, width=12, height=4.4, sharey=True)
    for column, (axis, letter, words) in enumerate(zip(picture.axes[0], "ABCD", WORDS, strict=True)):
        picture.panel(axis, letter, words[0].upper() + words[1:])
        axis.set_xlabel("dot product" if words.endswith("mean") else "range of dot products")
        axis.axvline(0, color=GREY, lw=0.6)
        axis.locator_params(axis="x", nbins=5)
        for place, transformer in enumerate(TRANSFORMERS):
            axis.axhline(place, color=GREY, lw=0.3, zorder=0)
            draw_cell(picture, axis, place, table, column, transformer, r)
    first = picture.axes[0, 0]
    first.set_yticks(range(len(TRANSFORMERS)), [transformer.label for transformer in TRANSFORMERS])
    first.invert_yaxis()
    name_marks(picture, first, [len(table.measured(transformer, r)) for transformer in TRANSFORMERS])
    return picture


def draw_cell(
    picture: Picture, axis: Axes, place: int, table: Table, column: int, transformer: Transformer, r: Results
) -> None:
    """Draw and record one number: printed, and as measured by the one or by both definitions."""
    found, printed = table.measured(transformer, r), table.printed(transformer)
    kinds = {"": estimate.mean(found[:, column])}
    if COLUMNS[column].endswith("range"):
        kinds = {"within a run": kinds[""], "of ten run means": range_of_ten(found[:, column - 1])}
    said = "" if printed is None else printed[column]
    if printed is not None:
        axis.plot(printed[column], place, "D", mfc="none", mec=VERMILION, ms=9)
    for kind, value in kinds.items():
        marker = "s" if kind == "of ten run means" else "o"
        at = place + (0.22 if marker == "s" else 0)
        axis.hlines(at, value.low, value.high, color=transformer.colour, lw=1.5)
        fill = "white" if marker == "s" else transformer.colour
        axis.plot(value.value, at, marker, mfc=fill, mec=transformer.colour, ms=4.5)
        row = {"model": transformer.label, "statistic": WORDS[column], "range": kind, "printed": said}
        ends = {"low_99": round(value.low, 4), "high_99": round(value.high, 4)}
        picture.record({**row, "measured": round(value.value, 4), **ends})


def name_marks(picture: Picture, axis: Axes, runs: Sequence[int]) -> None:
    """The legend below."""
    fewest, most = min(runs), max(runs)
    number = f"{fewest} runs" if fewest == most else f"{fewest} to {most} runs of a model"
    axis.plot([], [], "o", color=BLACK, label="mean over runs (ranges: of the entries within a run)")
    axis.plot([], [], "s", mfc="white", mec=BLACK, label=f"range of the means of {SHOWN} runs, the text's definition")
    axis.plot([], [], "D", mfc="none", mec=VERMILION, ms=9, label="printed")
    note = "on-diagonal: equal letters; off-diagonal: different ones"
    picture.legend_below(axis, 3, f"{number}, 99% intervals; {note}")
