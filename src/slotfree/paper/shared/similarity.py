"""What tables S1 to S3 have in common: the statistics of a block of dot products, and how they are drawn.

The text and the captions call "range" the range over runs of the means of the runs. The printed numbers are something
else, the mean over runs of the range of the entries within a run, as in the authors' public code
(``ShaunakTheHedgehog/slot_free_neural_computation``, commit bfbb614, ``mhn_tf.py``, line 686).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.weights import diagonal, letter_blocks, off_diagonal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREY, VERMILION
from slotfree.paper.shared.transformers import ALL, BASELINE, BETA_ONE, PUBLISHED, SEVEN, SHOWN, Transformer, training
from slotfree.study import Estimate, Judge, Results, estimate, judged, less, measure, more
from slotfree.study.claim import Expected
from slotfree.study.train_runs import weights_at

Values = NDArray[np.float64]
Row = tuple[float, float, float, float]
Definition = Literal["of run means", "within runs"]  # of a range: as the text has it, and as the numbers have it

COLUMNS = ("on-mean", "on-range", "off-mean", "off-range")
WORDS = ("on-diagonal mean", "on-diagonal range", "off-diagonal mean", "off-diagonal range")
MEAN_RANGE = 3.0775  # of ten values of a normal distribution, in standard deviations
RANGE_ERROR = 0.26  # standard deviation of the range of ten normal values, in units of its mean


@dataclass(frozen=True, eq=False)
class Table:
    """A printed table: its item, the block of dot products it is about, and the rows of the models that it has."""

    name: str
    block: str
    rows: dict[Transformer, Row]


def table_of(name: str, block: str, *rows: Row) -> Table:
    """A printed table, with a row for each of the paper's models."""
    return Table(name, block, dict(zip(SEVEN, rows, strict=True)))


KEYS = table_of(
    "tableS1",
    "key-key",
    (3.34, 0.323, -1.11, 0.693),
    (0.0563, 0.280, -0.00152, 0.470),
    (-0.0541, 2.22, -1.27, 2.32),
    (7.19, 2.07, -1.42, 2.48),
    (0.00806, 0.324, 0.00531, 0.482),
    (0.532, 1.57, -0.933, 2.02),
    (7.96, 1.88, -0.916, 2.16),
)
LOWER = table_of(
    "tableS2",
    "query-lower",
    (4.73, 0.246, -1.57, 1.11),
    (1.83, 1.06, -0.497, 1.52),
    (4.06, 1.39, -0.126, 2.62),
    (7.40, 1.94, -1.32, 1.91),
    (2.58, 0.727, -0.313, 1.64),
    (5.52, 2.83, 0.334, 4.17),
    (7.95, 1.89, -0.878, 2.21),
)
UPPER = table_of(
    "tableS3",
    "query-upper",
    (4.78, 0.307, -1.59, 1.01),
    (1.89, 1.00, -0.582, 1.35),
    (4.00, 1.91, -0.0940, 2.32),
    (7.41, 1.92, -1.33, 1.98),
    (2.90, 0.547, -0.351, 1.76),
    (6.12, 1.10, -0.944, 4.14),
    (7.95, 1.89, -0.879, 2.21),
)
TABLES = (KEYS, LOWER, UPPER)


@measure
def measured(r: Results, table: Table, transformer: Transformer) -> Values:
    """What we measure for the columns, by run, (run, column)."""
    return statistics(letter_blocks(weights_at(r[training(transformer)]))[table.block])


@measure
def column(r: Results, table: Table, transformer: Transformer, name: str) -> Values:
    """What we measure for one column, in each run."""
    return np.asarray(measured(table, transformer)(r)[:, COLUMNS.index(name)])


@measure
def mean_of(r: Results, table: Table, transformer: Transformer, name: str) -> Estimate:
    """Mean of a column over runs, with an interval that holds for all printed means of the table together."""
    return estimate.mean(column(table, transformer, name)(r), among=2 * len(SEVEN))


@measure
def contrast(r: Results, table: Table, transformer: Transformer) -> Values:
    """Magnitude of the mean of the entries of equal letters minus that of different ones, in each run."""
    return np.abs(column(table, transformer, "on-mean")(r) - column(table, transformer, "off-mean")(r))


@measure
def range_factor(r: Results, table: Table, definition: Definition) -> Estimate:
    """Printed ranges as a multiple of ours, geometric mean of both columns of all rows.

    The two ranges of a row come from the same runs, so their errors count as one.
    """
    rows = []
    for transformer in ALL:
        printed = table.rows.get(transformer)
        if printed is not None:
            found = measured(table, transformer)(r)
            log_ratio = _of_means if definition == "of run means" else _within_runs
            rows.append([log_ratio(printed[place], found, place) for place in (1, 3)])
    values, errors = np.mean(rows, axis=1).T
    mean = estimate.normal(values.mean(), np.sqrt((errors**2).sum()) / len(errors))
    return Estimate(*(float(np.exp(value)) for value in (mean.value, mean.low, mean.high)))


def judge_ranges(table: Table, definition: Definition, name: str) -> Judge:
    """Printed ranges are what a definition gives: the factor is 1, but for the sampling error."""
    factor = range_factor(table, definition)

    def around_one(r: Results) -> Expected:
        found = factor(r)
        return Expected(found.value / found.high, found.value / found.low)

    words = f"printed ranges as a multiple of ranges {definition}, geometric mean of both columns of all rows"
    return judged(f"{table.name}.{name}", factor, around_one, words, paper=1.0)


def own_claims(table: Table) -> tuple[Judge, ...]:
    """What the numbers of a table are: ranges within runs, and a baseline that only published gradients give."""
    printed = table.rows[PUBLISHED][0]
    words = f"on-diagonal mean of the baseline, {{}}, against the printed {printed:g}"
    return (
        judge_ranges(table, "within runs", "ranges-within-runs"),
        more(
            f"{table.name}.not-baseline",
            column(table, BASELINE, "on-mean"),
            printed,
            words.format("exact gradients"),
        ),
        less(
            f"{table.name}.not-baseline-beta1",
            column(table, BETA_ONE, "on-mean"),
            printed,
            words.format("β = 1 throughout"),
        ),
    )


def _of_means(printed: float, found: Values, place: int) -> tuple[float, float]:
    """Logarithm of a printed range as a multiple of that of the means of ten of our runs, and its standard error."""
    error = np.hypot(RANGE_ERROR, 1 / np.sqrt(2 * (len(found) - 1)))
    return float(np.log(printed / range_of_ten(found[:, place - 1]).value)), float(error)


def _within_runs(printed: float, found: Values, place: int) -> tuple[float, float]:
    """Logarithm of a printed range as a multiple of the mean of ours within runs, and its standard error."""
    values = found[:, place]
    error = values.std(ddof=1) * np.sqrt(1 / len(values) + 1 / SHOWN)
    return float(np.log(printed / values.mean())), float(error / values.mean())


def statistics(block: Values) -> Values:
    """Mean and range of the entries of equal letters, then of different ones, by run, (run, column)."""
    on, off = diagonal(block), off_diagonal(block)
    return np.stack([on.mean(axis=1), np.ptp(on, axis=1), off.mean(axis=1), np.ptp(off, axis=1)], axis=1)


def rounding(printed: float) -> float:
    """Half a unit of the last digit of a number that is printed with three."""
    return float(0.5 * 10.0 ** (np.floor(np.log10(abs(printed))) - 2))


def range_of_ten(means: Values) -> Estimate:
    """The expected range of the means of ten runs, which have a normal distribution of the spread of ours."""
    spread = estimate.deviation(means)
    return Estimate(*(MEAN_RANGE * value for value in (spread.value, spread.low, spread.high)))


def draw(table: Table, r: Results) -> Picture:
    """Draw and tabulate the statistics of one block for all models, next to the printed ones."""
    picture = Picture(1, 4, width=12, height=4.4, sharey=True)
    for n, (axis, letter, words) in enumerate(zip(picture.axes[0], "ABCD", WORDS, strict=True)):
        picture.panel(axis, letter, words[0].upper() + words[1:])
        axis.set_xlabel("dot product" if words.endswith("mean") else "range of dot products")
        axis.axvline(0, color=GREY, lw=0.6)
        axis.locator_params(axis="x", nbins=5)
        for place, transformer in enumerate(ALL):
            axis.axhline(place, color=GREY, lw=0.3, zorder=0)
            draw_cell(picture, axis, place, table, n, transformer, r)
    first = picture.axes[0, 0]
    first.set_yticks(range(len(ALL)), [transformer.label for transformer in ALL])
    first.invert_yaxis()
    name_marks(picture, first, [len(measured(table, transformer)(r)) for transformer in ALL])
    return picture


def draw_cell(
    picture: Picture, axis: Axes, place: int, table: Table, n: int, transformer: Transformer, r: Results
) -> None:
    """Draw and record one number, that of column n: printed, and as measured by the one or by both definitions."""
    found, printed = measured(table, transformer)(r), table.rows.get(transformer)
    kinds = {"": estimate.mean(found[:, n])}
    if COLUMNS[n].endswith("range"):
        kinds = {"within a run": kinds[""], "of ten run means": range_of_ten(found[:, n - 1])}
    said = "" if printed is None else printed[n]
    if printed is not None:
        axis.plot(printed[n], place, "D", mfc="none", mec=VERMILION, ms=9)
    for kind, value in kinds.items():
        marker = "s" if kind == "of ten run means" else "o"
        at = place + (0.22 if marker == "s" else 0)
        axis.hlines(at, value.low, value.high, color=transformer.colour, lw=1.5)
        fill = "white" if marker == "s" else transformer.colour
        axis.plot(value.value, at, marker, mfc=fill, mec=transformer.colour, ms=4.5)
        row = {"model": transformer.label, "statistic": WORDS[n], "range": kind, "printed": said}
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
