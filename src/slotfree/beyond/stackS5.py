"""Stack 5: the map over expansion and sparsity of the code, at equal numbers of learned weights."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.picture import Picture
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import labelled
from slotfree.memory.base import Settings
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.memory.stacked import StackedSettings
from slotfree.paper.shared.codes import Coding, layer_name, trees
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Estimate, Experiment, Item, Results, Retention, curves, estimate, measure, more
from slotfree.study.curves import OLDER

EXPANSIONS = (1, 2, 5)
SPARSITIES = (0.02, 0.05, 0.1, 0.2)
FLIPS = (5, 10)


def settings(expansion: int, sparsity: float) -> StackedSettings:
    """A stack with 50 connections to each of 2000 hidden units, of which 50 win: 100,000 learned weights."""
    n_units = 1000 * expansion
    code = CodeLayerSettings(n_units, int(sparsity * n_units), 0.02)
    return StackedSettings(layers=(code,), fan_in=50 / n_units)


def on_trees(name: str, memory: Settings, b: int) -> Experiment:
    """A shorter protocol than the paper's, at 100% cues: many memories are compared."""
    run = Retention(memory, TreePatterns(b), cues=(1.0,), n_stored=2000, n_tested=300)
    return Experiment(f"map-{name}-tree-{b}", run, 20)


PLACES = tuple(product(SPARSITIES, EXPANSIONS))
CELLS = {(s, e, b): on_trees(f"{e}-{s:g}", settings(e, s), b) for b in FLIPS for s, e in PLACES}
PLAIN = {(model.name, b): on_trees(model.name, model.settings, b) for model in (K_WINNER, ONE_WINNER) for b in FLIPS}
CODES = Experiment("map-codes", Coding(trees(FLIPS[0]), tuple(settings(e, s).layers[0] for s, e in PLACES)), 10, few=2)


@dataclass(frozen=True)
class Map:
    """d' over sparsity and expansion with standard errors, (sparsity, expansion), and that of the plain memories."""

    d_prime: NDArray[np.float64]
    error: NDArray[np.float64]
    plain: dict[str, tuple[float, float]]

    @property
    def gain(self) -> NDArray[np.float64]:
        """By how much d' exceeds that of the K-winner MHN."""
        return self.d_prime - self.plain[K_WINNER.name][0]

    @property
    def gain_error(self) -> NDArray[np.float64]:
        return np.hypot(self.error, self.plain[K_WINNER.name][1])


def map_of(r: Results, b: int) -> Map:
    """The map for trees with b."""
    levels = np.array([older_d_prime(r[CELLS[s, e, b]]) for s, e in PLACES])
    d_prime, error = levels.T.reshape(2, len(SPARSITIES), len(EXPANSIONS))
    return Map(d_prime, error, {name: older_d_prime(r[runs]) for (name, of), runs in PLAIN.items() if of == b})


def older_d_prime(data: xr.Dataset) -> tuple[float, float]:
    """Mean d' (the paper's) of older memories over all runs, and its standard error (jackknife over runs)."""
    accuracy = data["accuracy"].sel(cue=1.0, age=slice(*OLDER))
    runs = accuracy.transpose("run", "kind", "age").values
    without = np.array([np.delete(runs, i, axis=0) for i in range(len(runs))])
    kinds = accuracy["kind"].values.tolist()
    # All are computed at once, as if they were cue levels of one dataset.
    datasets = (labelled({"accuracy": rows.swapaxes(0, 1)}, range(len(rows)), kinds) for rows in (runs[None], without))
    found, others = (metrics.d_prime(each, samples=1, corrected=False).isel(sample=0) for each in datasets)
    ages = (1, runs.shape[-1])
    return float(curves.over_ages(found, ages)[0]), estimate.jackknife_error(curves.over_ages(others, ages))


def of_codes(r: Results, variable: str) -> NDArray[np.float64]:
    """Similarity ("after") or recovery ("recovered") of codes, (run, sparsity, expansion)."""
    layers = [layer_name(settings(e, s).layers[0]) for s, e in PLACES]
    values = r[CODES][variable].isel(source=0).sel(layer=layers).transpose("run", "layer").values
    return np.asarray(values.reshape(-1, len(SPARSITIES), len(EXPANSIONS)))


def draw(r: Results) -> Picture:
    """Draw similarity, recovery, and for each b the mean d' of older memories, over expansion and sparsity."""
    picture = Picture(1, 4, width=10.5, height=3.0)
    similar, recovered = (of_codes(r, name).mean(axis=0) for name in ("after", "recovered"))
    maps = {b: map_of(r, b) for b in FLIPS}
    draw_map(picture, 0, similar, "similarity of codes, b = 5")
    draw_map(picture, 1, recovered, "recovered ones, b = 5")
    for column, (b, found) in enumerate(maps.items(), 2):
        k, one = (found.plain[model.name][0] for model in (K_WINNER, ONE_WINNER))
        draw_map(picture, column, found.d_prime, f"d', b = {b}\nK-winner {k:.2f}, 1-winner {one:.2f}")
    picture.axes[0, 0].set_ylabel("sparsity: ones of the code, %")
    picture.figure.supxlabel(
        "expansion: units of the code per visible unit     (the paper's d' at 100% cues, mean over ages "
        f"{OLDER[0]} to {OLDER[1]}; 100,000 learned weights)",
        fontsize=8,
    )
    for place, (s, e) in zip(np.ndindex(similar.shape), PLACES, strict=True):
        numbers = {"similarity_of_codes": similar[place], "recovered": recovered[place]}
        for b, found in maps.items():
            numbers |= {f"d_prime_{b}": found.d_prime[place], f"standard_error_{b}": found.error[place]}
        picture.record({"expansion": e, "sparsity": s, **numbers})
    return picture


def draw_map(picture: Picture, column: int, values: NDArray[np.float64], title: str) -> None:
    """Draw numbers over expansion and sparsity."""
    axis: Axes = picture.axes[0, column]
    axis.imshow(values, cmap="viridis", aspect="auto", vmin=0, vmax=max(values.max(), 1e-9))
    for (i, j), value in np.ndenumerate(values):
        bright = value > 0.6 * values.max()
        axis.text(j, i, f"{value:.2f}", ha="center", va="center", color="black" if bright else "white", fontsize=8)
    axis.set_xticks(range(len(EXPANSIONS)), [f"{e}×" for e in EXPANSIONS])
    axis.set_yticks(range(len(SPARSITIES)), [f"{100 * s:g}" for s in SPARSITIES])
    axis.tick_params(length=0)
    picture.panel(axis, "ABCD"[column])
    axis.set_title(title, fontsize=8)


@measure
def best_gain(r: Results, b: int) -> Estimate:
    """The largest lead in d' over the plain K-winner; its interval allows for the choice among all cells."""
    found = map_of(r, b)
    return estimate.chosen_largest(found.gain, found.gain_error)


@measure
def smallest_step(r: Results) -> Estimate:
    """Of recovery and of similarity from one share of active units to the next."""
    steps = [np.diff(of_codes(r, name), axis=1) for name in ("recovered", "after")]
    return estimate.smallest_of(estimate.means(np.concatenate(steps, axis=1)))


LEAD = "lead in d' of the best stack on the map over the plain K-winner"
STEP = "recovery and similarity rise with the share of active units, at every expansion: the smallest step"
CLAIMS = (
    *(more(f"stackS5.gain-{b}", best_gain(b), 0, f"{LEAD}, b = {b}") for b in FLIPS),
    more("stackS5.recovery", smallest_step(), 0, STEP),
)

ITEM = Item(
    name="stackS5",
    title="The map of separation",
    text="Similarity of codes follows their sparsity alone, recovery both sparsity and expansion. With 100,000 learned "
    "weights, d' of older memories rises with the share of active units although their codes become more similar: "
    "more separation alone does not make a better memory.",
    alt="Four maps over expansion (1, 2, 5 times) and sparsity (2% to 20%): similarity of codes, recovered ones, and "
    "d' of older memories for b = 5 and b = 10, next to the values of the plain memories.",
    experiments=(*CELLS.values(), *PLAIN.values(), CODES),
    draw=draw,
    claims=CLAIMS,
)
