"""Stack 5: the map over expansion and sparsity of the code, at equal numbers of learned weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from slotfree.memory.base import Settings
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.memory.stacked import StackedSettings
from slotfree.paper import drawing
from slotfree.paper.figS5 import mean_similarity
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER
from slotfree.paper.retention_runs import RetentionRuns
from slotfree.paper.stacks import layer, restored, some_patterns

EXPANSIONS = (1, 2, 5)
SPARSITIES = (0.02, 0.05, 0.1, 0.2)
FLIPS = (5, 10)
RUNS, N_STORED, N_TESTED = 20, 2000, 300
OLDER = (30, 300)


def settings(expansion: int, sparsity: float) -> StackedSettings:
    """A stack with 50 connections to each of 2000 hidden units, of which 50 win: 100,000 learned weights."""
    n_units = 1000 * expansion
    code = CodeLayerSettings(n_units, int(sparsity * n_units), 0.02)
    return StackedSettings(layers=(code,), fan_in=50 / n_units)


def experiment(name: str, memory: Settings, b: int) -> RetentionRuns:
    """A shorter protocol than the paper's, at 100% cues: many memories are compared."""
    return RetentionRuns(f"map-{name}-tree-{b}", memory, b, (1.0,), runs=RUNS, n_stored=N_STORED, n_tested=N_TESTED)


def cell(expansion: int, sparsity: float, b: int) -> RetentionRuns:
    """The experiment of one cell of the map."""
    return experiment(f"{expansion}-{sparsity:g}", settings(expansion, sparsity), b)


PLAIN = {(model.name, b): experiment(model.name, model.settings, b) for model in (K_WINNER, ONE_WINNER) for b in FLIPS}


def make(context: Context) -> Output:
    """Draw similarity, recovery, and for each b the mean d' of older memories, over expansion and sparsity."""
    ages = tuple(context.age(age) for age in OLDER)
    figure, axes = drawing.new_figure(1, 4, context.scale, width=10.5, height=3.0)
    claims = context.claims("stackS5")
    rows: list[list[object]] = []
    patterns = some_patterns(context, 200, FLIPS[0])
    similar = np.empty((len(SPARSITIES), len(EXPANSIONS)))
    recovered = np.empty_like(similar)
    for i, sparsity in enumerate(SPARSITIES):
        for j, expansion in enumerate(EXPANSIONS):
            coder = layer(context, settings(expansion, sparsity).layers[0])
            similar[i, j] = mean_similarity(coder.encode(patterns))
            recovered[i, j] = restored(coder, patterns).mean()
    maps, errors = {}, {}
    for b in FLIPS:
        pairs = np.array([[_level(context, cell(e, s, b), ages) for e in EXPANSIONS] for s in SPARSITIES])
        maps[b], errors[b] = pairs[..., 0], pairs[..., 1]
    levels = {key: _level(context, runs, ages) for key, runs in PLAIN.items()}
    _draw(axes[0, 0], similar, "A", "similarity of codes, b = 5")
    _draw(axes[0, 1], recovered, "B", "recovered ones, b = 5")
    for axis, letter, b in zip(axes[0, 2:], "CD", FLIPS, strict=True):
        k, one = levels[K_WINNER.name, b][0], levels[ONE_WINNER.name, b][0]
        _draw(axis, maps[b], letter, f"d', b = {b}\nK-winner {k:.2f}, 1-winner {one:.2f}")
    axes[0, 0].set_ylabel("sparsity: ones of the code, %")
    figure.supxlabel(
        f"expansion: units of the code per visible unit     (d' at 100% cues, mean over ages {ages[0]} to {ages[1]}; "
        "100,000 learned weights)",
        fontsize=8,
    )
    for i, s in enumerate(SPARSITIES):
        for j, e in enumerate(EXPANSIONS):
            cells = [similar[i, j], recovered[i, j], *(v[i, j] for b in FLIPS for v in (maps[b], errors[b]))]
            rows.append([e, s, *(round(float(value), 4) for value in cells)])
    for b in FLIPS:
        best = np.unravel_index(np.argmax(maps[b]), maps[b].shape)
        k, k_error = levels[K_WINNER.name, b]
        gain = float(maps[b][best] - k)
        # The best of the cells is looked at: 99% for all of them together.
        reach = float(stats.norm.isf(0.005 / maps[b].size)) * float(np.hypot(errors[b][best], k_error))
        claims.positive(
            f"gain-{b}",
            f"Somewhere on the map separation helps, b = {b}: best d' ({EXPANSIONS[best[1]]} times as many units, "
            f"{SPARSITIES[best[0]]:.0%} active) minus that of the plain K-winner (99%, corrected).",
            paper="not in the paper",
            measured=gain,
            interval=(gain - reach, gain + reach),
        )
        share = float((maps[b] > k).mean())
        claims.within(
            f"share-{b}",
            f"Share of the map's {maps[b].size} cells where the stack has a larger d' than the plain K-winner, "
            f"b = {b}: at least a third.",
            paper="not in the paper",
            measured=share,
            low=1 / 3,
            high=1.0,
        )
    claims.add(
        "recovery",
        "Recovery asks for many active units, separation for few: at every expansion recovery and similarity rise "
        "together with the share of active units.",
        paper="not in the paper",
        measured=f"recovered {recovered.min():.2f} to {recovered.max():.2f}, similarity {similar.min():.2f} to "
        f"{similar.max():.2f}",
        holds=bool((np.diff(recovered, axis=0) > 0).all() and (np.diff(similar, axis=0) > 0).all()),
    )
    header = ["expansion", "sparsity", "similarity_of_codes", "recovered"]
    header += [f"{name}_{b}" for b in FLIPS for name in ("d_prime", "standard_error")]
    return Output(figure, claims, {"stackS5": (header, rows)})


def _level(context: Context, runs: RetentionRuns, ages: tuple[int, ...]) -> tuple[float, float]:
    """Mean d' over ages and its standard error, by leaving out one run after the other (jackknife)."""
    data = context.results[runs.name].sel(cue=1.0)["accuracy"].sel(age=slice(*ages))
    delta = (data.sel(kind="real") - data.sel(kind="pseudo")).transpose("run", "age").values
    n = len(delta)
    left_out = [_mean_d(np.delete(delta, i, axis=0)) for i in range(n)]
    return _mean_d(delta), float(np.sqrt((n - 1) / n * np.sum((np.array(left_out) - np.mean(left_out)) ** 2)))


def _mean_d(delta: NDArray[np.float64]) -> float:
    spread = delta.std(axis=0)
    return float((delta.mean(axis=0) / np.where(spread > 0, spread, np.nan))[spread > 0].mean())


def _draw(axis: Any, values: NDArray[np.float64], letter: str, title: str) -> None:
    axis.imshow(values, cmap="viridis", aspect="auto", vmin=0, vmax=max(values.max(), 1e-9))
    for (i, j), value in np.ndenumerate(values):
        bright = value > 0.6 * values.max()
        axis.text(j, i, f"{value:.2f}", ha="center", va="center", color="black" if bright else "white", fontsize=8)
    axis.set_xticks(range(len(EXPANSIONS)), [f"{e}×" for e in EXPANSIONS])
    axis.set_yticks(range(len(SPARSITIES)), [f"{100 * s:g}" for s in SPARSITIES])
    axis.tick_params(length=0)
    drawing.panel(axis, letter, "")
    axis.set_title(title, fontsize=8)


ITEM = Item(
    "stackS5",
    "The map of separation: similarity, recovery and d' over expansion and sparsity of the code",
    (*(cell(e, s, b) for b in FLIPS for s in SPARSITIES for e in EXPANSIONS), *PLAIN.values()),
    make,
    seconds=5,
)
