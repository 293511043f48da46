"""How memories of random patterns fade: what figures 4 and S1 to S3 measure of them, and how they draw it."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing import ages as by_age
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BARS, EVERY_AGE, THEORY
from slotfree.forgetting.fits import ExponentialFit, exponential_fit
from slotfree.forgetting.metrics import excess
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory.k_winner import predict_retention
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, KWinnerModel, on_random
from slotfree.study import Estimate, Experiment, Judge, Results, curves, estimate, measure, more
from slotfree.study.judge import Measure

Runs: TypeAlias = NDArray[np.float64]  # a number for each run, or for each sample of runs
Ages: TypeAlias = tuple[int, int]  # the first and the last

K, ONE = on_random(K_WINNER), on_random(ONE_WINNER)
TESTED = 1000
PRINTED_FROM = {1.0: 16, 0.5: 10}  # ages from which the K-winner's lead in d' is called reliable, by cue


def accuracies(r: Results, e: Experiment, cue: float, kind: str) -> xr.DataArray:
    """Accuracy of all runs, (run, age)."""
    return r[e]["accuracy"].sel(cue=cue, kind=kind)


@measure
def newest(r: Results, e: Experiment, cue: float) -> Runs:
    """Accuracy at age 1, in each run."""
    return accuracies(r, e, cue, "real").sel(age=1).values


@measure
def unseen(r: Results, e: Experiment, cue: float) -> Runs:
    """Accuracy for patterns never stored, mean over ages, in each run: the baseline."""
    return accuracies(r, e, cue, "pseudo").mean("age").values


@measure
def lost(r: Results, e: Experiment, cue: float) -> Runs:
    """Accuracy lost since age 1, mean over all older ages, in each run."""
    real = accuracies(r, e, cue, "real")
    return (real.sel(age=1) - real.sel(age=slice(2, None)).mean("age")).values


@measure
def raw_difference(r: Results, e: Experiment, cue: float, ages: Ages) -> Runs:
    """R.D., mean over ages, in each sample of runs."""
    return curves.over_ages(curves.raw_difference(r[e], cue), ages)


@measure
def d_prime(r: Results, e: Experiment, cue: float, ages: Ages) -> Runs:
    """d' as the paper defines it, mean over ages, in each sample of runs."""
    return curves.over_ages(curves.d_prime(r[e], cue), ages)


@measure
def smallest_lead(r: Results, a: Experiment, b: Experiment, cue: float, ages: Ages) -> Estimate:
    """The smallest lead of a over b in d' in any block of ages."""
    return estimate.smallest_of(curves.block_leads(curves.d_prime(r[a], cue), curves.d_prime(r[b], cue), ages))


@measure
def marked(r: Results, a: Experiment, b: Experiment, cue: float, ages: Ages) -> Estimate:
    """Share of ages at which a reliably leads b in d': one-tailed t-test over samples, p < 0.01, as in the paper."""
    return curves.share_of_lead(curves.d_prime(r[a], cue), curves.d_prime(r[b], cue), ages)


@measure
def fit(r: Results, e: Experiment, cue: float) -> ExponentialFit:
    """The exponential fit to R.D. over the first 200 ages."""
    return exponential_fit(r[e], cue, seed=r.seed)


@measure
def faster(r: Results, a: Experiment, b: Experiment, cue: float) -> Estimate:
    """How much faster R.D. of a decays than that of b: difference of β."""
    return curves.faster(fit(a, cue)(r), fit(b, cue)(r))


def each_cue(
    name: str,
    words: str,
    a: Callable[[float], Measure],
    b: Callable[[float], Measure] | float = 0.0,
    judge: Callable[..., Judge] = more,
) -> dict[float, Judge]:
    """That a is more than b, by cue level, or another judge; words end with the cue level, or have it at "{cue}"."""
    every = words if "{cue}" in words else f"{words}, {{cue}} cues"
    return {
        cue: judge(f"{name}-{cue:.0%}", a(cue), b(cue) if callable(b) else b, every.replace("{cue}", f"{cue:.0%}"))
        for cue in CUES
    }


def compared(
    name: str, words: str, of: Callable[..., Measure], pair: tuple[Experiment, Experiment], *ages: Ages
) -> dict[float, Judge]:
    """That a measure is more for the first memory than for the second, by cue level."""
    return each_cue(name, words, lambda cue: of(pair[0], cue, *ages), lambda cue: of(pair[1], cue, *ages))


def draw_by_cue(
    r: Results,
    pair: tuple[tuple[KWinnerModel, Experiment], ...],
    measures: tuple[str, ...],
    height: float,
    names: int = 4,
) -> Picture:
    """Draw measures of two memories by age, each in a row, for both cues; names : in a row of the legend."""
    picture = Picture(len(measures), len(CUES), height=height, sharey="row")
    for (row, column), axis in np.ndenumerate(picture.axes):
        cue, name = CUES[column], measures[row]
        found = [(model, getattr(curves, name)(r[experiment], cue)) for model, experiment in pair]
        panel = by_age.accuracies if name == "accuracy" else by_age.compared
        panel(picture, axis, found, row={"measure": name, "model": "", "cue": f"{cue:g}", "kind": ""})
        by_age.VALUE_AXES[name](axis, column == 0)
        if name == "d_prime":
            for model, samples in found:
                draw_theory(picture, axis, model, cue, samples["age"].values, samples.attrs["runs_per_sample"])
    by_age.columns_by_cue(picture, CUES, r[pair[0][1]].sizes["age"])
    theory = f"; {THEORY}" if "d_prime" in measures else ""
    picture.legend_below(picture.axes[0, 0], names, f"{EVERY_AGE}; {BARS}{theory}")
    return picture


def draw_theory(
    picture: Picture, axis: Axes, model: KWinnerModel, cue: float, ages: NDArray[np.int64], runs: int
) -> None:
    """Draw the predicted d' of samples of some runs, which is larger than that of all runs: dashed."""
    predicted = predict_retention(model.settings, cues=(cue,), ages=ages)["d_prime"].values[0] * excess(runs)
    axis.plot(ages, predicted, ls=(0, (3, 2)), color=model.colour, lw=1.0)
    picture.record_columns({"age": ages, "predicted": predicted}, table="-theory", model=model.name, cue=f"{cue:g}")
