"""The K-winner MHN among other memories of 100,000 weights, under the same protocol (beyond the paper).

Free parameters are those with the largest area under R.D. over ages 1 to 1000, summed over both cues, in 8 to 16 runs:

- modern Hopfield network: β = 0.07 of 0.03, 0.05, 0.07, 0.1, 0.2, 0.5, 1 and ∞. Its 100 slots are overwritten in turn.
- classical Hopfield network: λ = 0.0014 of 0, 0.0001, 0.0002, 0.0003, 0.0005, 0.0007, 0.001, 0.0014, 0.002, 0.003,
  0.005, 0.007, 0.01, 0.014, 0.02 and 0.03; one step of 1, 2 and 5.
- sparse distributed memory: 4 active locations of 1, 2, 3, 4, 5, 7, 10, 15, 20 and 30; if it decays, λ = 0.0014 of
  0.0005, 0.001, 0.0014, 0.002, 0.003, 0.005, 0.01, 0.02 and 0.04.
- Willshaw's memory has none.

The K-winner MHN and the 1-winner MHN are as the paper sets them; they were not chosen this way.
"""

from typing import cast

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.memory.base import Settings
from slotfree.memory.classical_hopfield import ClassicalHopfieldSettings
from slotfree.memory.modern_hopfield import ModernHopfieldSettings
from slotfree.memory.sparse_distributed import SparseDistributedMemorySettings
from slotfree.memory.willshaw import WillshawSettings
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.filling_runs import FillingRuns
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER, Model
from slotfree.paper.retention_runs import RetentionRuns, unstructured

RUNS = 60
MODERN = Model(
    "modern",
    "modern Hopfield, 100 slots",
    cast(Settings, ModernHopfieldSettings(beta=0.07, capacity=100, k_visible=100)),  # binary: k_visible is given
    "#0072B2",
)
CLASSICAL = Model("classical", "classical Hopfield, λ = 0.0014", ClassicalHopfieldSettings(decay=0.0014), "#009E73")
WILLSHAW = Model("willshaw", "Willshaw", WillshawSettings(), "#E69F00")
KANERVA = Model("kanerva", "Kanerva's SDM", SparseDistributedMemorySettings(), "#CC79A7")
FADING = Model("fading", "Kanerva's SDM, λ = 0.0014", SparseDistributedMemorySettings(decay=0.0014), "#56B4E9")
MODELS = (K_WINNER, ONE_WINNER, MODERN, CLASSICAL, WILLSHAW, KANERVA, FADING)
FILLING = FillingRuns()


def experiment(model: Model) -> RetentionRuns:
    """The protocol for a memory; those of the paper are shared with other items."""
    if model in (K_WINNER, ONE_WINNER):
        return unstructured(model)
    return RetentionRuns(f"{model.name}-random", model.settings, runs=RUNS)


EXPERIMENTS = {model.name: experiment(model) for model in MODELS}


def differences(context: Context, model: Model, cue: float) -> xr.DataArray:
    """δ of each run, (run, age)."""
    return metrics.differences(context.results[EXPERIMENTS[model.name].name].sel(cue=[cue])).sel(cue=cue, drop=True)


def d_prime(context: Context, model: Model, cue: float) -> xr.DataArray:
    """d' of each sample of runs, (sample, age)."""
    return comparison.d_prime(context, EXPERIMENTS[model.name].name, cue)


def areas(context: Context, model: Model, cue: float) -> NDArray[np.float64]:
    """Area under R.D. of each run: how many patterns' worth is retained beyond baseline."""
    area: NDArray[np.float64] = differences(context, model, cue).sum("age").values
    return area


def make(context: Context) -> Output:
    """Draw accuracy (A), d' (B), the area under R.D. (C), and how Willshaw's memory fills up (D)."""
    figure, axes = drawing.new_figure(3, 2, context.scale, width=9.5, height=3.1)
    curves = {}
    for column, cue in enumerate(CUES):
        accuracy, sensitivity = axes[0, column], axes[1, column]
        for model in MODELS:
            data = context.results[EXPERIMENTS[model.name].name]["accuracy"].sel(cue=cue, drop=True)
            for kind, style in (("real", "-"), ("pseudo", ":")):
                runs = data.sel(kind=kind, drop=True)
                label = model.label if kind == "real" else ""
                drawing.by_age(accuracy, runs, model.colour, label, style=style, every_age=False)
                curves["accuracy", model.name, f"{cue:g}", kind] = runs
            samples = d_prime(context, model, cue)
            drawing.by_age(sensitivity, samples, model.colour, model.label, every_age=False)
            curves["d_prime", model.name, f"{cue:g}", ""] = samples
        drawing.panel(accuracy, "A" if column == 0 else "", drawing.CUE_TITLES[cue])
        drawing.panel(sensitivity, "B" if column == 0 else "")
        drawing.d_prime_axis(sensitivity)
        for axis in (accuracy, sensitivity):
            drawing.age_axis(axis, context.scale.n_tested)
        accuracy.set(ylim=(0, 1.03))
    axes[0, 0].set_ylabel("accuracy ρ")
    axes[1, 0].set_ylabel("sensitivity d'")
    draw_areas(axes[2, 0], context)
    draw_filling(axes[2, 1], context)
    drawing.panel(axes[2, 0], "C", "Retained beyond baseline")
    drawing.panel(axes[2, 1], "D", "Willshaw's memory fills up")
    note = f"solid: stored, dotted: never stored; {drawing.AVERAGED}"
    drawing.legend_below(figure, axes[0, 0], 4, note)
    table = comparison.curve_table(curves, ["measure", "model", "cue", "kind"])
    return Output(figure, judge(context), {"baselines": table, "baselines_filling": filling_table(context)})


def draw_areas(axis: Axes, context: Context) -> None:
    """Draw the area under R.D. of each memory, for both cues."""
    for row, model in enumerate(MODELS):
        for cue, marker, shift in ((1.0, "o", -0.13), (0.5, "s", 0.13)):
            area, (low, high) = comparison.mean_interval(areas(context, model, cue))
            face = model.colour if cue == 1 else "white"
            reach = [[area - low], [high - area]]
            axis.errorbar(area, row + shift, xerr=reach, fmt=marker, ms=5, color=model.colour, mfc=face, capsize=2)
    axis.plot([], [], "o", color="#777777", label="100% cues, 99% interval")
    axis.plot([], [], "s", color="#777777", mfc="white", label="50% cues")
    axis.set_yticks(range(len(MODELS)), [model.label for model in MODELS])
    axis.set(ylim=(len(MODELS) + 0.4, -0.5), xlim=(-8, None))
    axis.set_xlabel(f"area under R.D., ages 1 to {context.scale.n_tested} (patterns)")
    axis.axvline(0, color="#999999", lw=0.6)
    axis.legend(loc="lower center", ncols=2)


def draw_filling(axis: Axes, context: Context) -> None:
    """Draw the fraction of ones, with its law, and the accuracy of the newest patterns against how many are stored."""
    data = context.results[FILLING.name]
    numbers = data["number"].values
    curves = [(data["filled"], "#333333", "-", "weights that are 1")]
    for cue, style in ((1.0, "-"), (0.5, "--")):
        curves.append((data["accuracy"].sel(cue=cue), WILLSHAW.colour, style, f"accuracy, {cue:.0%} cues"))
    for runs, colour, style, label in curves:
        mean, spread = runs.mean("run").values, runs.std("run", ddof=1).values
        axis.fill_between(numbers, mean - spread, mean + spread, color=colour, alpha=0.25, lw=0)
        axis.plot(numbers, mean, style, color=colour, lw=1.5, label=label)
    axis.plot(numbers, expected_ones(numbers), "o", ms=3, color="#999999", label="law: 1 − (1 − p)$^M$")
    axis.set(xscale="log", ylim=(0, 1.03), xlabel="stored patterns M", ylabel="fraction (mean ± 1 s.d. of runs)")
    ticks = (1, 10, 100, 1000)
    axis.set_xticks(ticks, [str(tick) for tick in ticks])
    axis.legend(loc="center left")


def expected_ones(number: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected fraction of ones after M patterns: p is the chance that a pattern has two given units active."""
    n, k = WILLSHAW.settings.n_visible, WILLSHAW.settings.k_visible
    ones: NDArray[np.float64] = 1 - (1 - k * (k - 1) / (n * (n - 1))) ** number.astype(float)
    return ones


def filling_table(context: Context) -> tuple[list[str], list[list[object]]]:
    """Return fraction of ones and accuracies against how many patterns are stored: means and standard deviations."""
    data = context.results[FILLING.name]
    rows: list[list[object]] = []
    for number in data["number"].values.tolist():
        at = data.sel(number=number)
        columns = (at["filled"].values, *(at["accuracy"].sel(cue=cue).values for cue in CUES))
        rows.append([number, *(round(float(f), 6) for runs in columns for f in (runs.mean(), runs.std(ddof=1)))])
    names = [f"{name}{suffix}" for name in ("filled", "accuracy_1", "accuracy_0.5") for suffix in ("", "_sd")]
    return ["stored", *names], rows


def judge(context: Context) -> Claims:
    """Judge how the memories compare; none of it is in the paper."""
    claims = context.claims("baselines")
    judge_willshaw(claims, context)
    judge_slots(claims, context)
    judge_decay(claims, context)
    return claims


def newest(context: Context, model: Model, cue: float, first: int, last: int) -> NDArray[np.float64]:
    """Mean accuracy of each run over a range of ages."""
    accuracy = context.results[EXPERIMENTS[model.name].name]["accuracy"].sel(cue=cue, kind="real")
    values: NDArray[np.float64] = accuracy.sel(age=slice(first, last)).mean("age").values
    return values


def lead(context: Context, a: Model, b: Model, cue: float, first: int, last: int) -> tuple[float, tuple[float, float]]:
    """Mean of d' of a minus that of b over a range of ages, with a 99% interval from the spread over samples."""
    return comparison.lead_over_ages(d_prime(context, a, cue), d_prime(context, b, cue), first, last)


def judge_willshaw(claims: Claims, context: Context) -> None:
    """Judge that Willshaw's memory works while it is nearly empty, fills up as it must, and then knows nothing."""
    data = context.results[FILLING.name]
    few = data["accuracy"].sel(cue=1.0, number=10).values
    claims.within(
        "willshaw-few",
        "Not in the paper: Willshaw's memory recalls its first 10 patterns (100% cues): mean accuracy, at least 0.99.",
        paper="not said",
        measured=float(few.mean()),
        low=0.99,
        high=1.0,
    )
    gap = np.abs(data["filled"].mean("run").values - expected_ones(data["number"].values)).max()
    claims.within(
        "willshaw-fills",
        "Not in the paper: its weights fill up as chance has it, 1 − (1 − p)^M of them after M patterns: largest "
        "distance of the mean of the runs from it, at most 0.01.",
        paper="not said",
        measured=float(gap),
        low=0.0,
        high=0.01,
    )
    n_stored = EXPERIMENTS[WILLSHAW.name].sizes(context.scale)[0]
    for cue in CUES:
        mean, (low, high) = comparison.mean_interval(areas(context, WILLSHAW, cue) / context.scale.n_tested)
        claims.add(
            f"willshaw-full-{cue:.0%}",
            f"Not in the paper: after {n_stored} patterns nothing is left in it ({cue:.0%} cues): mean R.D. over all "
            "ages (99%), within 0.01 of 0.",
            paper="not said",
            measured=mean,
            interval=(low, high),
            holds=low >= -0.01 and high <= 0.01,
        )


def judge_slots(claims: Claims, context: Context) -> None:
    """Judge that slots keep all of what they hold and nothing else, where the K-winner MHN fades."""
    slots, last = 100, context.age(600)
    for cue in CUES:
        level = f"{cue:.0%}"
        claims.within(
            f"slots-hold-{level}",
            f"Not in the paper: {slots} slots overwritten in turn recall the newest {slots} patterns ({level} cues): "
            "mean accuracy, at least 0.999.",
            paper="not said",
            measured=float(newest(context, MODERN, cue, 1, slots).mean()),
            low=0.999,
            high=1.0,
        )
        ahead, interval = lead(context, K_WINNER, MODERN, cue, slots + 1, last)
        claims.positive(
            f"beyond-slots-{level}",
            f"Not in the paper: the K-winner MHN still knows older ones, and slots do not ({level} cues): its lead in "
            f"d' at ages {slots + 1} to {last} (99%).",
            paper="not said",
            measured=ahead,
            interval=interval,
        )


def judge_decay(claims: Claims, context: Context) -> None:
    """Judge what memories gain that spread a pattern over all weights and let them decay."""
    last = context.age(600)
    for cue in CUES:
        level = f"{cue:.0%}"
        more, interval = comparison.difference_interval(areas(context, FADING, cue), areas(context, KANERVA, cue))
        claims.positive(
            f"decay-{level}",
            f"Not in the paper: decay lets Kanerva's memory retain more of the newest patterns ({level} cues): area "
            "under R.D. less that without decay (99%).",
            paper="not said",
            measured=more,
            interval=interval,
        )
        ahead, interval = lead(context, CLASSICAL, K_WINNER, cue, 200, last)
        claims.positive(
            f"classical-older-{level}",
            "Not in the paper: a classical Hopfield network with a decay chosen for it tells old patterns better than "
            f"the K-winner MHN ({level} cues): its lead in d' at ages 200 to {last} (99%).",
            paper="not said",
            measured=ahead,
            interval=interval,
        )
        closer, interval = comparison.difference_interval(
            newest(context, K_WINNER, cue, 1, 100), newest(context, CLASSICAL, cue, 1, 100)
        )
        claims.positive(
            f"closer-{level}",
            "Not in the paper: but what the K-winner MHN recalls is closer to what was stored "
            f"({level} cues): accuracy at ages 1 to 100 less that of the classical network (99%).",
            paper="not said",
            measured=closer,
            interval=interval,
        )
    ahead, interval = lead(context, K_WINNER, FADING, 0.5, 1, 100)
    claims.positive(
        "partial-cues",
        "Not in the paper: with half of the cue missing, Kanerva's memory looks in the wrong places: lead of the "
        "K-winner MHN in d' at ages 1 to 100 (50% cues, 99%).",
        paper="not said",
        measured=ahead,
        interval=interval,
    )


ITEM = Item(
    "baselines",
    "d' and accuracy by age of the K-winner MHN, other memories of 100,000 weights, and how Willshaw's fills up",
    (*EXPERIMENTS.values(), FILLING),
    make,
    seconds=8,
)
