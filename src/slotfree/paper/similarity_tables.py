"""What tables S1 to S3 have in common: on- and off-diagonal statistics of one block, next to the printed ones.

"Range" in the printed tables is the mean over runs of (largest − smallest) within a run's entries.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.weights import diagonal, letter_blocks, off_diagonal
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Output
from slotfree.paper.training_runs import SHOWN, training, weights_at
from slotfree.paper.transformers import ALL, BASELINE, BETA_ONE, FIXED, FIXED_IP, MHN, MHN_IP, PUBLISHED, QK, QK_IP

COLUMNS = ("on_diagonal_mean", "on_diagonal_range", "off_diagonal_mean", "off_diagonal_range")
EXPERIMENTS = tuple(training(transformer) for transformer in ALL)
ROWS = (PUBLISHED, BASELINE, BETA_ONE, FIXED, MHN, QK, FIXED_IP, MHN_IP, QK_IP)
Printed = dict[str, tuple[float, float, float, float]]


def make(item: str, block: str, title: str, printed: Printed, context: Context) -> Output:
    """Draw and tabulate the statistics of one block for all models; judge the printed rows."""
    figure, axes = drawing.new_figure(1, 2, context.scale, width=11, height=4.4, sharey=True)
    claims = context.claims(item)
    rows: list[list[object]] = []
    for place, transformer in enumerate(ROWS):
        found = statistics(weights_of(context, transformer.name, block))
        means = found.mean(axis=0)
        low, high = bootstrap(found, context.seed)
        known = printed.get(transformer.row) if transformer not in (BASELINE, BETA_ONE) else None
        for column, name in enumerate(COLUMNS):
            values = (means[column], low[column], high[column])
            said = "" if known is None else known[column]
            rows.append([transformer.label, name, said, *(round(float(value), 4) for value in values)])
        for axis, mean, spread in ((axes[0, 0], 0, 1), (axes[0, 1], 2, 3)):
            y = place
            axis.hlines(y, means[mean] - means[spread] / 2, means[mean] + means[spread] / 2, color="#CCCCCC", lw=6)
            axis.errorbar(
                means[mean],
                y,
                xerr=[[means[mean] - low[mean]], [high[mean] - means[mean]]],
                fmt="o",
                color=transformer.colour,
                capsize=3,
                ms=5,
            )
            if known is not None:
                axis.plot(known[mean], y, "D", mfc="none", mec="#D55E00", ms=8)
        if known is not None:
            worst, limit = distance(found, known)
            claims.within(
                f"row-{transformer.name}",
                f"{title}, {transformer.label}: the four printed numbers agree with {len(found)} runs: largest "
                "distance in standard errors of the difference (limit: exceeded by chance once in 1000 times).",
                paper=", ".join(f"{value:g}" for value in known),
                measured=worst,
                low=0.0,
                high=limit,
            )
    judge_structure(block, printed, context, claims)
    axes[0, 0].set_yticks(range(len(ROWS)), [t.label for t in ROWS])
    axes[0, 0].invert_yaxis()
    for axis, letter, words in ((axes[0, 0], "A", "equal letters"), (axes[0, 1], "B", "different letters")):
        drawing.panel(axis, letter, f"{title}: {words}")
        axis.axvline(0, color="#999999", lw=0.6)
        axis.set_xlabel("dot product")
    axes[0, 0].plot([], [], "o", color="#333333", label="measured mean, 99% interval over runs")
    axes[0, 0].plot([], [], "-", color="#CCCCCC", lw=6, label="range within a run (mean over runs)")
    axes[0, 0].plot([], [], "D", mfc="none", mec="#D55E00", ms=8, label="printed mean")
    drawing.legend_below(figure, axes[0, 0], 3)
    header = ["model", "statistic", "printed", "measured", "low_99", "high_99"]
    return Output(figure, claims, {item: (header, rows)})


def weights_of(context: Context, name: str, block: str) -> NDArray[np.float64]:
    """One block of all runs of a model after training, (run, L, L)."""
    return letter_blocks(weights_at(context.results[name], context.scale.iterations))[block]


def statistics(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean and range of the entries of equal letters, then of different ones, by run, (run, 4)."""
    on, off = diagonal(block), off_diagonal(block)
    return np.stack([on.mean(axis=1), np.ptp(on, axis=1), off.mean(axis=1), np.ptp(off, axis=1)], axis=1)


def bootstrap(found: NDArray[np.float64], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends of the 99% bootstrap intervals of the means over runs."""
    chosen = np.random.default_rng(seed).integers(0, len(found), (2000, len(found)))
    low, high = np.quantile(found[chosen].mean(axis=1), [0.005, 0.995], axis=0)
    return low, high


def distance(found: NDArray[np.float64], known: tuple[float, ...]) -> tuple[float, float]:
    """Largest distance of printed means of ten runs from ours in standard errors of the difference, and its limit.

    Both are means over runs with the same spread; printed numbers have three digits.
    """
    spread = found.std(axis=0, ddof=1) * np.sqrt(1 / len(found) + 1 / SHOWN)
    rounding = 0.0005 * np.abs(known)
    scores = np.maximum(np.abs(found.mean(axis=0) - known) - rounding, 0) / spread
    return float(scores.max()), float(stats.t.isf(0.0005 / len(known), len(found) - 1))


def judge_structure(block: str, printed: Printed, context: Context, claims: Claims) -> None:
    """Judge what the SI says of the rows, and where the baseline's row comes from."""
    for transformer in (PUBLISHED, QK, QK_IP):
        found = statistics(weights_of(context, transformer.name, block))
        contrast = found[:, 0] - found[:, 2]
        claims.within(
            f"strong-{transformer.name}",
            f"{transformer.label} shows strongly positive on-diagonal relative to off-diagonal entries: smallest "
            "difference of the two means of any run, above 2.",
            paper="strongly positive",
            measured=float(contrast.min()),
            low=2.0,
            high=np.inf,
        )
    for transformer in (BASELINE, BETA_ONE):
        found = statistics(weights_of(context, transformer.name, block))
        worst, limit = distance(found, printed[transformer.row])
        claims.within(
            f"not-{transformer.name}",
            "Not in the paper: the printed transformer row is that of gradients with β = 1 for an output with β = "
            f"1/√N. {transformer.label} gives another row: largest distance from the printed one in standard errors, "
            f"above the limit of chance (its on-diagonal mean is {found[:, 0].mean():.2f}).",
            paper=f"printed on-diagonal mean {printed[transformer.row][0]:g}",
            measured=worst,
            low=limit,
            high=np.inf,
        )
