"""What emerges when in a training, and the stages of its loss and accuracy: claims that figures S12 and S13 share."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.measures import half_times
from slotfree.drawing.style import BLUE, GREEN, ORANGE
from slotfree.paper.shared.descents import BLOCK, LEVEL, descents
from slotfree.study import estimate
from slotfree.study.claim import Claim, Source, above, below, of_paper
from slotfree.study.estimate import Estimate

Values = NDArray[np.float64]

STRUCTURES = {"values": ("values", ORANGE), "query-key": ("query–key", BLUE), "key-key": ("key–key", GREEN)}


def share(of_runs: NDArray[np.bool_]) -> Estimate:
    """Share of runs in which something is true."""
    return estimate.share(int(of_runs.sum()), len(of_runs))


def claim_steady(accuracy: xr.DataArray) -> Claim:
    """The claim that accuracy does not fall on its way up, in most runs."""
    falls = np.array([falls_reliably(run) for run in accuracy.transpose("run", "iteration").values])
    return of_paper(
        "steady",
        f"Accuracy “steadily climb[s] to 100%”: share of runs in which it falls reliably from one block of {BLOCK} "
        "iterations to a later one.",
        paper="steadily",
        estimate=share(falls),
        limits=below(0.5),
    )


def falls_reliably(curve: Values) -> bool:
    """Whether a noisy curve falls: half of the batches say where it falls most, the others whether it does."""
    blocks = curve[: len(curve) // BLOCK * BLOCK].reshape(-1, BLOCK)
    chosen, judged = blocks[:, 0::2].mean(axis=1), blocks[:, 1::2]
    end = int((np.maximum.accumulate(chosen) - chosen).argmax())
    start = int(chosen[: end + 1].argmax())
    error = np.sqrt((judged[start].var(ddof=1) + judged[end].var(ddof=1)) / judged.shape[1])
    return bool(judged[start].mean() - judged[end].mean() > stats.norm.isf(LEVEL) * error)


def claim_before(
    data: xr.Dataset, name: str, words: str, order: tuple[str, str], *, source: Source = "paper", seed: int
) -> Claim:
    """The claim that one structure emerges before another in the same run."""
    times = half_times(data)
    earlier, later = order
    at = ", ".join(f"{STRUCTURES[which][0]} at {np.median(times[which]):.0f}" for which in order)
    return Claim(
        name,
        f"{words}: iterations between the halves of their final contrasts ({at}), median of all runs.",
        source=source,
        paper="before",
        estimate=estimate.median(times[later] - times[earlier], seed=seed),
        limits=above(0),
    )


def claim_periods(loss: xr.DataArray, name: str, words: str, n: int, *, source: Source = "paper") -> Claim:
    """The claim that a loss falls in so many separate periods, in most runs."""
    found = descents(loss, n)
    pause = np.nanmedian(found.pause) if np.isfinite(found.pause).any() else np.nan
    return Claim(
        name,
        f"{words}: share of runs with {n} periods that are reliably steeper than what lies between (where the loss "
        f"falls at {pause:.0%} of their rate, median).",
        source=source,
        paper=f"{n} periods",
        estimate=share(found.are_separate),
        limits=above(0.5),
    )


def claim_values_in_first_descent(data: xr.Dataset) -> Claim:
    """The claim that values are learnt while the loss falls for the first time."""
    slowest = descents(data["loss"], 2).slowest[:, 0]
    return of_paper(
        "values-in-first-descent",
        "Learning of W_V appears “to loosely correspond to the first descent periods”: share of runs in which values "
        "reach half of their final contrast before the loss is slowest between its first two periods of descent.",
        paper="first descent",
        estimate=share(half_times(data)["values"] < slowest),
        limits=above(0.5),
    )


def claim_present(data: xr.Dataset, iteration: int, structures: tuple[str, ...], words: str) -> Claim:
    """The claim that structures can be told from chance at an iteration, in most runs."""
    seen = [is_discernible(data, name, contrast_at(data, name, iteration)) for name in structures]
    return of_paper(
        f"present-at-{iteration}",
        f"At iteration {iteration} “{words}”: share of runs in which {_names(structures)} contrast is beyond what 99% "
        f"of random initial weights have (it is {percentages(data, iteration, structures)} of the final one, medians).",
        paper="there",
        estimate=share(np.all(seen, axis=0)),
        limits=above(0.5),
    )


def claim_grown(data: xr.Dataset, span: tuple[int, int], structures: tuple[str, ...], words: str) -> Claim:
    """The claim that structures are stronger at an iteration than at one before it, in most runs."""
    first, last = span
    grown = [contrast_at(data, name, last) > contrast_at(data, name, first) for name in structures]
    return of_paper(
        f"strong-at-{last}",
        f"By iteration {last} “{words}”: share of runs in which {_names(structures)} contrast has grown since "
        f"iteration {first} (to {percentages(data, last, structures)} of the final one, medians).",
        paper="grown",
        estimate=share(np.all(grown, axis=0)),
        limits=above(0.5),
    )


def contrast_at(data: xr.Dataset, structure: str, iterations: Values | int) -> Values:
    """The contrast of a structure at an iteration, or at one of each run, (run,); NaN where that is."""
    contrast, measured = data["contrast"].sel(structure=structure).values, data["measured"].values
    chosen = np.broadcast_to(np.asarray(iterations, np.float64), len(contrast))
    places = np.abs(np.nan_to_num(chosen)[:, None] - measured).argmin(axis=1)
    return np.where(np.isnan(chosen), np.nan, contrast[np.arange(len(contrast)), places])


def is_discernible(data: xr.Dataset, structure: str, contrast: Values) -> NDArray[np.bool_]:
    """Whether contrasts, (run,), are beyond what 99 % of random initial weights have."""
    initial = contrast_at(data, structure, 0)
    spread = initial.std(ddof=1) if len(initial) > 1 else np.nan
    return np.asarray(contrast > estimate.NORMAL * spread)


def claim_told_from_chance(data: xr.Dataset, name: str, structure: str, iterations: Values | int, when: str) -> Claim:
    """Our claim that a structure, however faint, can be told from chance at an iteration, in most runs."""
    seen = is_discernible(data, structure, contrast_at(data, structure, iterations))
    return Claim(
        name,
        f"{STRUCTURES[structure][0].capitalize()} structure is faint {when}, but can be told from chance: share of "
        f"runs in which its contrast is beyond what 99% of random initial weights have ({seen.sum()} of {len(seen)}).",
        paper="not there",
        estimate=share(seen),
        limits=above(0.5),
    )


def shares_of_end(data: xr.Dataset, structure: str, iterations: Values | int) -> Values:
    """The contrast of a structure at an iteration, or at one of each run, as a share of its end, (run,)."""
    return contrast_at(data, structure, iterations) / contrast_at(data, structure, data["measured"].values[-1])


def percentages(data: xr.Dataset, iteration: int, structures: tuple[str, ...]) -> str:
    """Contrasts at an iteration as shares of the final ones, medians, in a sentence."""
    return " and ".join(f"{np.median(shares_of_end(data, name, iteration)):.0%}" for name in structures)


def _names(structures: tuple[str, ...]) -> str:
    return " and ".join(STRUCTURES[name][0] for name in structures)
