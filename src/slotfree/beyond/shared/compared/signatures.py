"""Signatures of memory: what one run measures of a memory, and numbers that can be set beside those of people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, nnls

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.detection import statistics
from slotfree.forgetting.lists import LISTS, STRENGTHS, list_strength, ratio_of_ratios
from slotfree.forgetting.old_new import recognition
from slotfree.forgetting.pairs import PAIRS, interference
from slotfree.forgetting.protocol import retention
from slotfree.forgetting.streams import repetition
from slotfree.memory.base import Settings
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, estimate
from slotfree.study.labelled import Labelled

Floats = NDArray[np.float64]

TRIALS = (0, 1, 5, 10, 20)
GAPS, DELAY, ITEMS = (0, 10), 100, 20
FAST, SLOW = 1.15, 28.0  # time constants of recall, in items (Rubin, Hinton and Wenzel, 1999)
HELD, LEFT = 0.582, 0.211  # savings after 20 minutes and after 31 days (Ebbinghaus, 1885)
PEOPLES_AUC = 0.81  # of the ROC of 459 people, from its slope and intercept
BANDS = ((1, 25), (26, 50), (51, 100), (101, 200), (201, 400), (401, 1000))


@dataclass(frozen=True)
class Signatures(Labelled):
    """Take a memory through retention, recognition, A–B after A–C, list strength and spacing.

    Attributes
    ----------
    memory : its settings.
    n_stored, n_tested : of retention and recognition.
    n_before : patterns that are stored before lists and pairs.
    """

    memory: Settings
    n_stored: int = 2000
    n_tested: int = 1000
    n_before: int = 1000
    limits: ClassVar = {"n_stored": "n_stored", "n_tested": "n_tested", "n_before": "n_stored"}
    dims: ClassVar = {
        "accuracy": ("kind", "age"),
        "familiarity": ("kind", "age"),
        "pairs": ("pair", "trial"),
        "listed": ("list", "strength", "item"),
        "felt": ("list", "strength", "item"),
        "spaced": ("gap",),
    }

    @property
    def coordinates(self) -> Mapping[str, Any]:
        return {
            "kind": ["real", "pseudo"],
            "age": np.arange(1, self.n_tested + 1),
            "pair": list(PAIRS),
            "trial": list(TRIALS),
            "list": list(LISTS),
            "strength": list(STRENGTHS),
            "item": np.arange(ITEMS),
            "gap": list(GAPS),
        }

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return accuracies with half cues, familiarities with whole ones, and what lists and pairs give."""
        once: dict[str, Any] = {"runs": 1, "jobs": 1}
        tested: dict[str, Any] = {"n_stored": self.n_stored, "n_tested": self.n_tested}
        kept = retention(self.memory, cues=0.5, **tested, **once, seed=seed_for(seed, "retention"))
        known = recognition(self.memory, **tested, **once, seed=seed_for(seed, "recognition"))
        lived: dict[str, Any] = {**once, "n_before": self.n_before}
        pairs = interference(self.memory, similarities=(1.0,), **lived, seed=seed_for(seed, "pairs"))
        lists = list_strength(self.memory, n_items=ITEMS, **lived, seed=seed_for(seed, "lists"))
        spaced = repetition(
            self.memory, times=(2,), gaps=GAPS, delays=(DELAY,), n_items=ITEMS, **lived, seed=seed_for(seed, "spacing")
        )
        return {
            "accuracy": kept["accuracy"].values[0, 0],
            "familiarity": known["familiarity"].values[0],
            "pairs": pairs["accuracy"].mean("item").values[0, :, 0, 0],
            "listed": lists["accuracy"].values[0],
            "felt": lists["familiarity"].values[0],
            "spaced": spaced["accuracy"].mean("item").values[0, 0, :, 0],
        }


def jackknifed(data: xr.Dataset, of: Callable[[xr.Dataset], float]) -> Estimate:
    """A number that follows from all runs, with its interval; unknown where it is infinite or no number."""
    n = data.sizes["run"]
    value = of(data)
    if n < 2 or not np.isfinite(value):
        return Estimate(value, np.nan, np.nan)
    return estimate.jackknife(value, [of(data.isel(run=np.arange(n) != i)) for i in range(n)])


def retained(data: xr.Dataset) -> Floats:
    """R.D. by age, half cues, as the nearest falling curve."""
    accuracy = data["accuracy"].mean("run")
    raw = accuracy.sel(kind="real").values - float(accuracy.sel(kind="pseudo").mean())
    falling: Floats = isotonic_regression(raw, increasing=False).x
    return falling


def age_left(data: xr.Dataset, share: float) -> float:
    """Return the age at which R.D. falls below a share of that of the newest pattern; infinite if it does not."""
    curve = retained(data)
    if curve[0] <= 0.02:  # it has nothing to lose
        return float("nan")
    below = np.flatnonzero(curve < share * curve[0])
    return float(below[0] + 1) if below.size else float("inf")


def time_span(data: xr.Dataset) -> float:
    """How many times longer 21 % are left than 58 %: 2232 for people, 31 days against 20 minutes."""
    last, first = age_left(data, LEFT), age_left(data, HELD)
    return last / first if np.isfinite(first) else float("nan")


def third_part(data: xr.Dataset) -> float:
    """Share of the smallest of the three parts of a₁ e^(−t/1.15) + a₂ e^(−t/28) + a₃, fitted to R.D. of lags 0 to 99.

    All times are scaled by the factor that fits best.
    """
    curve = retained(data)[:100]
    lags = np.arange(len(curve))
    best, parts = np.inf, np.zeros(3)
    for scale in np.geomspace(0.1, 10, 41):
        design = np.stack([np.exp(-lags / (FAST * scale)), np.exp(-lags / (SLOW * scale)), np.ones(len(curve))], axis=1)
        amplitudes, miss = nnls(design, np.maximum(curve, 0))
        if miss < best:
            best, parts = miss, amplitudes
    return float(parts.min() / parts.sum()) if parts.sum() > 0 else float("nan")


def band_of(data: xr.Dataset) -> tuple[int, int]:
    """Return the band of ages whose AUC is nearest to people's."""
    there = [band for band in BANDS if band[1] <= data.sizes["age"]] or [(1, data.sizes["age"])]
    return min(there, key=lambda band: abs(_statistics(data, band)[0] - PEOPLES_AUC))


def slope(data: xr.Dataset) -> float:
    """The slope of the zROC in the band of ages whose AUC is nearest to people's."""
    return float(_statistics(data, band_of(data))[4])


def rates(data: xr.Dataset) -> tuple[Floats, Floats]:
    """Hits and false alarms in that band."""
    hits, alarms = _statistics(data, band_of(data))[5:].reshape(2, -1)
    return hits, alarms


def _statistics(data: xr.Dataset, band: tuple[int, int]) -> Floats:
    some = data["familiarity"].sel(age=slice(*band)).transpose("kind", "run", "age").values
    return statistics(some[0], some[1])


def pairs_left(data: xr.Dataset, pair: str = "AB") -> Floats:
    """Share of B (or C) recalled beyond guessing, of that of B before any trial of A–C, by trial."""
    mean = data["pairs"].mean("run")
    guessed = mean.sel(pair="new").values
    with np.errstate(divide="ignore", invalid="ignore"):
        left: Floats = (mean.sel(pair=pair).values - guessed) / float(mean.sel(pair="AB", trial=0) - guessed[0])
    return left


def first_list_left(data: xr.Dataset) -> float:
    """Share of A–B that is left after 20 trials of A–C."""
    known = float((data["pairs"].sel(pair="AB", trial=0) - data["pairs"].sel(pair="new", trial=0)).mean())
    return float(pairs_left(data)[-1]) if known > 0.05 else float("nan")


def strength_effect(data: xr.Dataset, of: str) -> Estimate:
    """The ratio of ratios of recall, or of recognition, with its 99 % interval."""
    lists = data[["listed", "felt"]].rename(listed="accuracy", felt="familiarity")
    with np.errstate(invalid="ignore"):
        value, low, high = ratio_of_ratios(lists, level=0.99)[of].values
    return Estimate(value, low, high) if np.isfinite(value) else Estimate(np.nan, np.nan, np.nan)


def spacing_effect(data: xr.Dataset) -> Estimate:
    """Accuracy of items presented twice with a gap of 10 less that of massed ones, 100 items later."""
    gained = data["spaced"].sel(gap=GAPS[1]) - data["spaced"].sel(gap=GAPS[0])
    return estimate.mean(gained.values)
