"""Stack 4: how well the original pattern is recovered from its code, and what slow learning changes."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.figS5 import mean_similarity
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.retention_runs import RetentionRuns
from slotfree.paper.stacks import (
    FEW_ABOVE,
    N_TESTED,
    SMALL_CODE,
    STACKED_FEW,
    layer,
    mean_and_error,
    on_trees,
    restored,
    some_patterns,
)

Floats: TypeAlias = NDArray[np.float64]
Number: TypeAlias = tuple[float, float]  # mean and standard error
Curves: TypeAlias = list[tuple[Floats, Floats]]
Rows: TypeAlias = list[list[object]]

SIZES = {2000: "#56B4E9", 5000: "#0072B2", 10_000: "#004166"}
SPARSITIES = (0.01, 0.02, 0.05, 0.1, 0.2)
LEARNED = (0, 50, 100, 200, 500, 1000, 2000)
N_TEST = 200
B, SLOW_RUNS = 5, 40
FAST, SLOW_RATE = 0.03, 0.003  # η of learning from few patterns (B, C), and during the storing of thousands (D)

FIXED = on_trees(STACKED_FEW, B)
SLOW = RetentionRuns(
    f"{STACKED_FEW.name}-slow-tree-{B}",
    replace(FEW_ABOVE, slow_rate=SLOW_RATE),
    B,
    (1.0,),
    runs=SLOW_RUNS,
    n_tested=N_TESTED,
)
LAYERS = {"fixed": (FIXED, STACKED_FEW.colour), "slowly learning": (SLOW, "#D55E00")}
CASES: dict[tuple[str, int | None], tuple[str, str, str]] = {
    ("reconstruction", B): ("trees, b = 5, reconstruction rule", "#D55E00", "-"),
    ("contrastive", B): ("trees, b = 5, contrastive rule", "#D55E00", "--"),
    ("reconstruction", None): ("random, reconstruction rule", "#333333", "-"),
}


def make(context: Context) -> Output:
    """Draw recovery against the ones of a code, against patterns learned from, and d' with and without learning."""
    figure, axes = drawing.new_figure(2, 2, context.scale, width=9.0, height=3.2)
    (size_axis, learn_axis), (similar_axis, d_axis) = axes
    recovered = recover(context)
    learned = {case: learn(context, *case) for case in CASES}
    samples = {label: comparison.d_prime(context, experiment.name, 1.0) for label, (experiment, _) in LAYERS.items()}
    rows = [
        *draw_recovery(size_axis, recovered),
        *draw_learning(learn_axis, similar_axis, learned),
        *draw_retention(d_axis, samples, min(N_TESTED, context.scale.n_tested)),
    ]
    table = (["what", "case", "at", "mean", "standard_error"], rows)
    return Output(figure, judge(context, recovered, learned, samples), {"stackS4": table})


def recover(context: Context) -> dict[tuple[int | None, int, float], Number]:
    """The share of ones that codes restore, by b, units and sparsity: mean and standard error."""
    recovered = {}
    for b in (None, B):
        patterns = some_patterns(context, N_TEST, b)
        for n_units, s in product(SIZES, SPARSITIES):
            settings = CodeLayerSettings(n_units, int(s * n_units), 0.02)
            recovered[b, n_units, s] = mean_and_error(restored(layer(context, settings), patterns))
    return recovered


def draw_recovery(axis: Axes, recovered: dict[tuple[int | None, int, float], Number]) -> Rows:
    """Draw recovery by fixed connections against the sparsity of the code."""
    rows: Rows = []
    for (b, style), (n_units, colour) in product(((None, ":"), (B, "-")), SIZES.items()):
        mean, error = np.array([recovered[b, n_units, s] for s in SPARSITIES]).T
        name = f"{n_units} units, {'random' if b is None else 'trees, b = 5'}"
        axis.errorbar(100 * np.array(SPARSITIES), mean, error, fmt=f"o{style}", ms=3, color=colour, label=name)
        rows += _rows("recovered", f"{n_units} units, b = {b}", SPARSITIES, mean, error)
    axis.set(xscale="log", xlabel="ones of the code, % of its units", ylabel="recovered ones", ylim=(0, 1.03))
    axis.set_xticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axis.minorticks_off()
    axis.legend(fontsize=6.5, loc="lower right")
    drawing.panel(axis, "A", "fixed connections (20 per unit)")
    return rows


def draw_learning(learn_axis: Axes, similar_axis: Axes, learned: dict[tuple[str, int | None], Curves]) -> Rows:
    """Draw recovery, and the similarity of codes, against the number of patterns learned from."""
    rows: Rows = []
    for case, (label, colour, style) in CASES.items():
        for axis, what, (mean, error) in zip(
            (learn_axis, similar_axis), ("learned", "similarity"), learned[case], strict=True
        ):
            axis.errorbar(LEARNED, mean, error, fmt=f"o{style}", ms=3, color=colour, label=label)
            rows += _rows(what, label, LEARNED, mean, error)
    for axis, letter, title, label, top in (
        (learn_axis, "B", "learning: unseen patterns", "recovered ones", 1.03),
        (similar_axis, "C", "learning: their codes", "similarity of codes", 0.5),
    ):
        axis.set_xscale("symlog", linthresh=50)
        axis.set_xticks(LEARNED, [str(n) for n in LEARNED])
        axis.minorticks_off()
        axis.set(xlabel="patterns learned from", ylabel=label, ylim=(0, top))
        drawing.panel(axis, letter, f"{title} ({SMALL_CODE.k_units} of {SMALL_CODE.n_units}, η = {FAST})")
    learn_axis.legend(fontsize=6.5, loc="lower right")
    return rows


def draw_retention(axis: Axes, samples: dict[str, xr.DataArray], n_ages: int) -> Rows:
    """Draw d' by age with fixed and with slowly learning connections."""
    rows: Rows = []
    for label, (_, colour) in LAYERS.items():
        drawing.by_age(axis, samples[label], colour, f"{STACKED_FEW.label}, {label}", every_age=False)
        means = samples[label].where(np.isfinite(samples[label])).mean("sample")
        ages = means["age"].values.tolist()
        rows += [["d_prime", label, a, _rounded(m), ""] for a, m in zip(ages, means.values.tolist(), strict=True)]
    drawing.age_axis(axis, n_ages)
    drawing.d_prime_axis(axis)
    axis.set_ylabel("sensitivity d'")
    axis.set_ylim(-0.2, 10)
    axis.legend(fontsize=6.5)
    drawing.panel(axis, "D", f"retention, b = 5, 100% cues (η = {SLOW_RATE})")
    return rows


def judge(
    context: Context,
    recovered: dict[tuple[int | None, int, float], Number],
    learned: dict[tuple[str, int | None], Curves],
    samples: dict[str, xr.DataArray],
) -> Claims:
    """Judge recovery, what slow learning does for it, and what it does to memory."""
    claims = context.claims("stackS4")
    claims.within(
        "recovered",
        "The fixed return connections recover the original pattern from a large code: recovered ones with 10,000 "
        "units, 10% active, patterns of b = 5; at least 0.95.",
        paper="recovered",
        measured=recovered[B, 10_000, 0.1][0],
        low=0.95,
        high=1.0,
    )
    claims.within(
        "limits",
        "What limits sparseness: with 2000 units, 1% active, most of the pattern is lost; recovered ones, below 0.5.",
        paper="not in the paper",
        measured=recovered[B, 2000, 0.01][0],
        low=0.0,
        high=0.5,
    )
    for case, (label, _, _) in CASES.items():
        (mean, error), _ = learned[case]
        gain, reach = mean[-1] - mean[0], 2.6 * float(np.hypot(error[0], error[-1]))
        low = 0.1 if case[1] is not None else 0.0
        claims.add(
            f"learns-{case[0]}-{'random' if case[1] is None else 'trees'}",
            f"Slow learning (η = {FAST}) from {LEARNED[-1]} patterns improves the recovery of unseen patterns, by "
            f"{'at least 0.1' if low else 'a little'} ({label}); 99%.",
            paper="a further refinement",
            measured=float(gain),
            interval=(float(gain - reach), float(gain + reach)),
            holds=gain - reach > low,
        )
    first, last = (context.age(age) for age in (30, 300))
    loss, interval = comparison.lead_over_ages(samples["fixed"], samples["slowly learning"], first, last)
    claims.positive(
        "costs",
        "But it does not help memory: it learns what patterns have in common, which restores stored and new patterns "
        f"alike. Lead in d' of fixed over slowly learning connections (η = {SLOW_RATE}, {SLOW.settings.n_weights:,} "
        f"learned weights in all), b = {B}, ages {first} to {last} (99%).",
        paper="not in the paper",
        measured=loss,
        interval=interval,
    )
    fixed, slow = (
        context.results[e.name]["accuracy"].sel(cue=1.0, kind="pseudo").mean("age").values for e in (FIXED, SLOW)
    )
    rise, interval = comparison.difference_interval(slow, fixed)
    claims.positive(
        "baseline",
        f"Slow learning raises the accuracy for patterns never stored, b = {B}: difference (99%).",
        paper="not in the paper",
        measured=rise,
        interval=interval,
    )
    return claims


def learn(context: Context, rule: str, b: int | None) -> Curves:
    """Recovery of unseen patterns, and similarity of their codes, after each number of patterns: means and errors."""
    patterns = some_patterns(context, LEARNED[-1] + N_TEST, b)
    unseen = patterns[LEARNED[-1] :]
    coder = layer(context, SMALL_CODE)
    shares, similar = [], []
    for i, n in enumerate(LEARNED):
        if i > 0:
            coder.learn(patterns[LEARNED[i - 1] : n], rate=FAST, rule=rule)
        shares.append(mean_and_error(restored(coder, unseen)))
        similar.append((mean_similarity(coder.encode(unseen)), 0.0))
    return [(np.array(pairs)[:, 0], np.array(pairs)[:, 1]) for pairs in (shares, similar)]


def _rows(what: str, case: str, at: Sequence[float], mean: Floats, error: Floats) -> Rows:
    return [[what, case, a, _rounded(m), _rounded(e)] for a, m, e in zip(at, mean, error, strict=True)]


def _rounded(value: float) -> float:
    return round(float(value), 5)


ITEM = Item(
    "stackS4",
    "How well patterns are recovered from their codes, and what slow learning of the code layer changes",
    (FIXED, SLOW),
    make,
    seconds=12,
)
