"""What the SI prints and says in tables S1 to S3: a claim for each printed number, and for each sentence.

The 28 numbers of a table are judged together: each at 1 % / 28, so that one of them is wrongly called different once in
a hundred tables. A printed mean is one of ten runs with the same spread as ours, so the difference has a Student's t
distribution; the range of the means of ten runs has that of a studentized range, if these are normal. As some are not,
it may also be what ten of our runs have.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from slotfree.paper.shared.similarity import (
    COLUMNS,
    TRANSFORMERS,
    WORDS,
    Row,
    Table,
    contrast,
    range_of_ten,
)
from slotfree.paper.shared.transformers import (
    BASELINE,
    BETA_ONE,
    FIXED,
    FIXED_IP,
    PUBLISHED,
    QK,
    QK_IP,
    SHOWN,
    Transformer,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, Expected, Source, above, below, of_paper
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results

TOGETHER = 28  # printed numbers of a table
LEVEL = 0.01 / TOGETHER
RANGE_ERROR = 0.26  # standard deviation of the range of ten normal values, in units of its mean
STRONG = (PUBLISHED, QK, QK_IP)  # what the SI calls "strongly positive"
WITHOUT = (FIXED, FIXED_IP)  # keys that do not learn


def claims(table: Table, r: Results) -> Iterator[Claim]:
    """All claims of a table but those on fixed keys."""
    for transformer in TRANSFORMERS:
        printed = table.printed(transformer)
        if printed is not None:
            yield from claims_row(table, transformer, printed, table.measured(transformer, r))
    yield from claims_ranges(table, r)
    for transformer in STRONG:
        yield claim_contrast(
            f"strong-{transformer.name}",
            f"{transformer.label} shows “strongly positive on-diagonal activity relative to off-diagonal activity”",
            "strongly positive",
            table.measured(transformer, r),
        )
    yield claim_other_row(table, BASELINE, "higher", r)
    yield claim_other_row(table, BETA_ONE, "lower", r)


def claims_row(table: Table, transformer: Transformer, printed: Row, found: NDArray[np.float64]) -> Iterator[Claim]:
    """A claim for each printed number of a row; for ranges, another by the definition that the numbers follow."""
    for column, name in enumerate(COLUMNS):
        where = f"{table.title}, {transformer.label}: the “{WORDS[column]}” is printed as {printed[column]:g}"
        if name.endswith("mean"):
            yield claim_mean(f"{name}-{transformer.name}", where, "paper", printed[column], found[:, column])
        else:
            yield claim_range(f"{name}-{transformer.name}", where, printed[column], found[:, column - 1])
            within = f"{where}. It is the mean over runs of largest minus smallest entry within a run"
            yield claim_mean(f"{name}-within-{transformer.name}", within, "ours", printed[column], found[:, column])


def claim_mean(name: str, words: str, source: Source, printed: float, values: NDArray[np.float64]) -> Claim:
    """The claim that a printed mean of ten runs has the same expectation as ours."""
    n, value = len(values), estimate.mean(values)
    reach = tail(n) * values.std(ddof=1) * np.sqrt(1 / n + 1 / SHOWN) + rounding(printed)
    return Claim(
        name,
        f"{words}: mean of {n} runs. With {SHOWN} printed runs, ours may be from {printed - reach:.3g} to "
        f"{printed + reach:.3g} (1% for all {TOGETHER} numbers of the table together).",
        source=source,
        paper=printed,
        estimate=value,
        limits=Expected(printed - reach, printed + reach),
    )


def claim_range(name: str, words: str, printed: float, means: NDArray[np.float64]) -> Claim:
    """The claim that a printed range is that of the means of ten runs."""
    value = range_of_ten(means)
    smallest, largest = range_limits(means)
    low = (printed - rounding(printed)) * value.value / largest
    high = (printed + rounding(printed)) * value.value / smallest
    return of_paper(
        name,
        f"{words}, as the “range” of the means of {SHOWN} runs: expected range of {SHOWN} of ours, which may be from "
        f"{low:.3g} to {high:.3g} (1% for all {TOGETHER} numbers of the table together).",
        paper=printed,
        estimate=value,
        limits=Expected(low, high),
    )


def claims_ranges(table: Table, r: Results) -> Iterator[Claim]:
    """What the printed ranges of all rows together are: by the definition of the text, and by the other one."""
    of_means, within_runs = [], []
    for transformer in TRANSFORMERS:
        printed, found = table.printed(transformer), table.measured(transformer, r)
        if printed is not None:
            error = np.hypot(RANGE_ERROR, 1 / np.sqrt(2 * (len(found) - 1)))
            of_means.append([(np.log(printed[c] / range_of_ten(found[:, c - 1]).value), error) for c in (1, 3)])
            within_runs.append([log_ratio(printed[c], found[:, c]) for c in (1, 3)])
    yield claim_factor(
        "ranges-of-run-means",
        "The second and fourth columns are “the range of the μ_i’s” and “of the ν_i’s”, the means of the runs",
        "paper",
        of_means,
    )
    yield claim_factor(
        "ranges-within-runs",
        "The second and fourth columns are means over runs of largest minus smallest entry within a run",
        "ours",
        within_runs,
    )


def log_ratio(printed: float, values: NDArray[np.float64]) -> tuple[float, float]:
    """Logarithm of a printed mean of ten runs as a multiple of ours, and its standard error."""
    error = values.std(ddof=1) * np.sqrt(1 / len(values) + 1 / SHOWN)
    return float(np.log(printed / values.mean())), float(error / values.mean())


def claim_factor(name: str, words: str, source: Source, rows: list[list[tuple[float, float]]]) -> Claim:
    """The claim that printed ranges are what a definition gives: their mean ratio is 1, but for the sampling error.

    The two ranges of a row come from the same runs, so their errors count as one.
    """
    values, errors = np.mean(rows, axis=1).T
    mean = estimate.normal(values.mean(), np.sqrt((errors**2).sum()) / len(errors))
    return Claim(
        name,
        f"{words}: printed range as a multiple of ours, geometric mean of both columns of all {len(rows)} rows; 1 but "
        "for 99% of the sampling error.",
        source=source,
        paper="range",
        estimate=Estimate(*(float(np.exp(value)) for value in (mean.value, mean.low, mean.high))),
        limits=Expected(float(np.exp(-mean.reach)), float(np.exp(mean.reach))),
    )


def claim_contrast(name: str, words: str, paper: str, found: NDArray[np.float64]) -> Claim:
    """The claim that entries of equal letters are larger than those of different ones, in every run."""
    return of_paper(
        name,
        f"{words}: difference of the two means, smallest of all {len(found)} runs (their mean is "
        f"{contrast(found).mean():.2f}).",
        paper=paper,
        estimate=estimate.exact(contrast(found).min()),
        limits=above(0),
    )


def claim_other_row(table: Table, transformer: Transformer, which: Literal["higher", "lower"], r: Results) -> Claim:
    """The claim that a baseline does not give the printed row; the interval holds the sampling error of both."""
    found, printed = table.measured(transformer, r)[:, 0], table.rows[transformer.row][0]
    n, mean = len(found), float(found.mean())
    reach = tail(n) * found.std(ddof=1) * np.sqrt(1 / n + 1 / SHOWN) + rounding(printed)
    return Claim(
        f"not-{transformer.name}",
        "The printed transformer row is that of gradients with β = 1 for an output with β = 1/√N. "
        f"{transformer.label} gives another one: its on-diagonal mean, {which} than the printed {printed:g}.",
        paper=printed,
        estimate=Estimate(mean, mean - reach, mean + reach),
        limits=above(printed) if which == "higher" else below(printed),
    )


def claims_with_fixed_keys(table: Table, r: Results) -> Iterator[Claim]:
    """All that, and that fixed keys do not tell letters apart as learnt ones do."""
    yield from claims(table, r)
    learnt = min(contrast(table.measured(transformer, r)).min() for transformer in STRONG)
    for transformer in WITHOUT:
        differences = contrast(table.measured(transformer, r))
        mean = estimate.mean(differences)
        yield of_paper(
            f"none-{transformer.name}",
            f"{transformer.label}: keys show “no strong differences between on- and off-diagonal activity”, unlike the "
            "baseline and the QK models: their smallest difference in any run minus the largest of fixed keys (whose "
            f"mean is {mean.value:.3f}, from {mean.low:.3f} to {mean.high:.3f}).",
            paper="no strong differences",
            estimate=estimate.exact(learnt - np.abs(differences).max()),
            limits=above(0),
        )


def claims_with_fixed_queries(table: Table, r: Results) -> Iterator[Claim]:
    """All that, and that queries align with fixed keys."""
    yield from claims(table, r)
    for transformer in WITHOUT:
        yield claim_contrast(
            f"aligned-{transformer.name}",
            f"{transformer.label} shows “alignment of queries with both lowercase and uppercase keys”",
            "alignment",
            table.measured(transformer, r),
        )


def rounding(printed: float) -> float:
    """Half a unit of the last digit of a number that is printed with three."""
    return float(0.5 * 10.0 ** (np.floor(np.log10(abs(printed))) - 2))


def tail(runs: int) -> float:
    """How many standard errors of our runs the means may differ by."""
    return float(stats.t.isf(LEVEL / 2, runs - 1))


def range_limits(means: NDArray[np.float64]) -> tuple[float, float]:
    """The smallest and the largest range that the means of ten runs have: if normal, or if drawn from ours."""
    normal = means.std(ddof=1) * np.array(studentized_limits(len(means)))
    ordered = np.sort(means)
    steps = np.unique(ordered[None, :] - ordered[:, None])
    possible = steps[steps >= 0]
    chances = partial(chance_of_range, ordered)
    low = possible[bisect_left(possible, LEVEL / 2, key=chances)]
    high = possible[min(bisect_left(possible, 1 - LEVEL / 2, key=chances), len(possible) - 1)]
    return float(min(normal[0], low)), float(max(normal[1], high))


def chance_of_range(ordered: NDArray[np.float64], largest: float) -> float:
    """The chance that ten values, drawn from n given ones in their order, have at most this range.

    Σ_i (N_i/n)¹⁰ − ((N_i − 1)/n)¹⁰ with N_i values from the i-th, the smallest that is drawn, up to its reach.
    """
    n = len(ordered)
    count = np.searchsorted(ordered, ordered + largest, side="right") - np.arange(n)
    return float(((count / n) ** SHOWN - ((count - 1) / n) ** SHOWN).sum())


@cache
def studentized_limits(runs: int) -> tuple[float, float]:
    """The smallest and the largest range of ten normal values, in standard deviations that so many others have."""
    low, high = stats.studentized_range.ppf([LEVEL / 2, 1 - LEVEL / 2], SHOWN, runs - 1)
    return float(low), float(high)
