"""Stack 2: similarity in against similarity out of a code layer, for k winners and for Marr's codons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.drawing.bands import band, spread
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import Source
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.paper.memories import TREE_FLIPS
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity, paired_similarity
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, below
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results

N_VISIBLE, K_VISIBLE = 1000, 100
RUNS, PAIRS = 10, 50


def new_layer(settings: CodeLayerSettings, seed: np.random.SeedSequence) -> CodeLayer:
    """A code layer of the paper's patterns; layers with the same number of units have the same connections."""
    return CodeLayer(N_VISIBLE, K_VISIBLE, settings, seed=seed_for(seed, "layer", settings.n_units))


@dataclass(frozen=True)
class Separation:
    """Encode pairs of patterns, and patterns and parts of them, to see how much their codes share.

    Attributes
    ----------
    codes : names and settings of code layers.
    shared : ones that two patterns have in common.
    cues : cue levels.
    pairs : how many of each.
    """

    codes: tuple[tuple[str, CodeLayerSettings], ...]
    shared: tuple[int, ...] = tuple(range(0, 101, 10))
    cues: tuple[float, ...] = tuple(i / 10 for i in range(1, 11))
    pairs: int = PAIRS

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return the similarity of codes ``of_pairs`` (code, shared) and ``of_cues`` (code, cue), means over pairs."""
        x = random_patterns(self.pairs, n_visible=N_VISIBLE, k_visible=K_VISIBLE, seed=seed_for(seed, "patterns"))
        others = [with_overlap(x, k, seed_for(seed, "overlap", k)) for k in self.shared]
        parts = [partial_cues(x, c, seed=seed_for(seed, "cue", c)) for c in self.cues]
        found = np.empty((len(self.codes), len(others) + len(parts)))
        for i, (_, settings) in enumerate(self.codes):
            layer = new_layer(settings, seed)
            codes = layer.encode(x)
            found[i] = [paired_similarity(codes, layer.encode(y)).mean() for y in (*others, *parts)]
        of_pairs, of_cues = np.split(found, [len(others)], axis=1)
        return {"of_pairs": of_pairs, "of_cues": of_cues}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the similarities of all runs: (run, code, shared), as a share of all ones, and (run, code, cue)."""
        dims = {"of_pairs": ("run", "code", "shared"), "of_cues": ("run", "code", "cue")}
        return xr.Dataset(
            {name: (labels, np.array([result[name] for result in results])) for name, labels in dims.items()},
            {
                "code": [name for name, _ in self.codes],
                "shared": [k / K_VISIBLE for k in self.shared],
                "cue": list(self.cues),
            },
        )


@dataclass(frozen=True)
class Coding:
    """Encode patterns of several sources with several code layers, and decode them.

    Attributes
    ----------
    sources : names, and where patterns come from.
    layers : named by their ones and units, such as "500 of 5000".
    n_patterns : of each source.
    """

    sources: tuple[tuple[str, Source], ...]
    layers: tuple[CodeLayerSettings, ...]
    n_patterns: int = 200

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return the mean similarity of patterns ``before`` (source,) and of codes ``after`` (source, layer).

        And ``recovered`` (source, layer): the share of the ones of patterns that decoding restores.
        """
        before = np.empty(len(self.sources))
        after, recovered = np.empty((2, len(self.sources), len(self.layers)))
        for i, (name, source) in enumerate(self.sources):
            patterns = source(self.n_patterns, seed=seed_for(seed, "patterns", name))
            before[i] = mean_similarity(patterns)
            for j, settings in enumerate(self.layers):
                layer = new_layer(settings, seed)
                codes = layer.encode(patterns)
                after[i, j] = mean_similarity(codes)
                recovered[i, j] = paired_similarity(patterns, layer.decode(codes)).mean()
        return {"before": before, "after": after, "recovered": recovered}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, source) and (run, source, layer)."""
        dims = ("run", "source", "layer")
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        return xr.Dataset(
            {name: (dims[: array.ndim], array) for name, array in arrays.items()},
            {"source": [name for name, _ in self.sources], "layer": [layer_name(layer) for layer in self.layers]},
        )


def layer_name(layer: CodeLayerSettings) -> str:
    """Ones and units of a code."""
    return f"{layer.k_units} of {layer.n_units}"


def trees(*n_flips: int, n_nodes: int = 4000) -> tuple[tuple[str, Source], ...]:
    """Trees as sources, "tree-5" for b = 5; their leaves are the less similar, the larger the trees are."""
    return tuple((f"tree-{b}", TreePatterns(b, n_nodes)) for b in n_flips)


def with_overlap(x: NDArray[np.uint8], shared: int, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
    """Patterns that share a number of ones with each of x, and have equally many."""
    rng = np.random.default_rng(seed)
    others = np.zeros_like(x)
    for row, other in zip(x, others, strict=True):
        ones, zeros = np.flatnonzero(row), np.flatnonzero(row == 0)
        other[rng.choice(ones, shared, replace=False)] = 1
        other[rng.choice(zeros, len(ones) - shared, replace=False)] = 1
    return others


CODE = CodeLayerSettings()  # 5000 units of 20 connections
WINNERS, DENSE = "10% winners", "codons, 3 of 20"
CODES = {
    "1% winners": (CodeLayerSettings(k_units=50), SKY, "-"),
    "3% winners": (CodeLayerSettings(k_units=150), GREEN, "-"),
    WINNERS: (CODE, BLUE, "-"),
    "4.3% winners": (CodeLayerSettings(k_units=216), ORANGE, "-"),
    "codons, 5 of 20": (CodeLayerSettings(k_units=216, threshold=5), VERMILION, "--"),
    DENSE: (CodeLayerSettings(k_units=1600, threshold=3), PURPLE, "--"),
}
SPARSE = [name for name in CODES if name != DENSE]  # no denser than patterns
PAIRWISE = Experiment(
    "code-pairs", Separation(tuple((name, code) for name, (code, _, _) in CODES.items())), RUNS, few=2
)
TREES = Experiment("code-trees", Coding(trees(*TREE_FLIPS), (CODE,), 300), RUNS, few=2)


def draw(r: Results) -> Picture:
    """Draw the similarity of codes against that of two patterns (A), of leaves of trees (B), and of a cue (C)."""
    picture = Picture(1, 3, width=10.5, height=3.4)
    of_pairs, of_trees, of_cues = picture.axes[0]
    columns = ("similarity_in", "similarity_out", "standard_error")
    for name, (_, colour, style) in CODES.items():
        for axis, what, variable in ((of_pairs, "pair", "of_pairs"), (of_cues, "cue", "of_cues")):
            runs = r[PAIRWISE][variable].sel(code=name, drop=True)
            row = {"what": what, "code": name}
            band(picture, axis, runs, colour, name, style=style, row=row, columns=columns)
    draw_trees(picture, r[TREES])
    for axis, letter, title, label in (
        (of_pairs, "A", "two patterns", "similarity of the patterns"),
        (of_trees, "B", "leaves of trees, mean over pairs", "similarity of the patterns"),
        (of_cues, "C", "a pattern and part of it", "cue level c"),
    ):
        axis.plot([0, 1], [0, 1], ":", color=GREY, lw=1)
        axis.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=label, ylabel="similarity of the codes")
        picture.panel(axis, letter, title)
    layers = r[PAIRWISE].sizes["run"]
    note = f"{CODE.n_units} units of 20 connections; mean ± 1 s.e. over {layers} layers, each with {PAIRS} pairs"
    picture.legend_below(of_pairs, 6, note)
    return picture


def draw_trees(picture: Picture, data: xr.Dataset) -> None:
    """Draw the similarity of codes against that of leaves."""
    axis, points = picture.axes[0, 1], []
    for b in TREE_FLIPS:
        before, after = (data[name].sel(source=f"tree-{b}").squeeze() for name in ("before", "after"))
        place = (float(before.mean()), float(after.mean()))
        points.append(place)
        if b != 20:  # too close to the next
            lower = -9 if b < 30 else -12
            axis.annotate(f"b = {b}", place, (5, lower), textcoords="offset points", fontsize=7)
        error = float(spread(after)) / after.sizes["run"] ** 0.5
        numbers = {"similarity_in": place[0], "similarity_out": place[1], "standard_error": error}
        picture.record({"what": "tree", "code": WINNERS, **numbers})
    axis.plot(*zip(*points, strict=True), "o-", color=CODES[WINNERS][1], label=WINNERS)


def claims(r: Results) -> Iterator[Claim]:
    """What codes do to similarity, and the price."""
    of_pairs, of_cues = r[PAIRWISE]["of_pairs"], r[PAIRWISE]["of_cues"]
    yield from claims_of_pairs(of_pairs.transpose("run", "code", "shared"))
    for b, limit in ((5, 0.35), (10, 0.2)):
        leaves = r[TREES].sel(source=f"tree-{b}")
        yield Claim(
            f"tree-{b}",
            f"Leaves of trees with b = {b}, of a mean similarity of {float(leaves['before'].mean()):.2f}, have codes "
            f"of a mean similarity of at most {limit} ({WINNERS}).",
            source="paper",
            paper="further differentiated",
            estimate=estimate.mean(leaves["after"].values[:, 0]),
            limits=at_most(limit),
        )
    yield Claim(
        "half-cue",
        "The price: half of a pattern has a code that shares less than half of the ones of the whole pattern's code "
        f"({WINNERS}).",
        source="ours",
        paper="",
        estimate=estimate.mean(of_cues.sel(code=WINNERS, cue=0.5).values),
        limits=below(0.5),
    )


def claims_of_pairs(similar: xr.DataArray) -> Iterator[Claim]:
    """What is said of codes of two patterns; similarity of codes, (run, code, shared)."""
    more = similar - similar["shared"]
    yield Claim(
        "below",
        "Codes that are no denser than the patterns make them less similar, k winners and codons alike: at 20% to 90% "
        "shared ones, codes share less. The most by which they share more, over all these codes.",
        source="paper",
        paper="reduce their overlap",
        estimate=estimate.largest_of(estimate.means(more.sel(code=SPARSE, shared=slice(0.2, 0.9)))),
        limits=below(0),
    )
    half = similar.sel(shared=0.5)
    yield Claim(
        "dense",
        f"A codon that asks for too little does not: {DENSE}, a third of which are active, at half of the ones shared.",
        source="ours",
        paper="",
        estimate=estimate.mean(half.sel(code=DENSE).values),
        limits=at_least(0.5),
    )
    order = half.sel(code=["1% winners", "3% winners", WINNERS])
    yield Claim(
        "sparser",
        "The sparser the code, the better it separates: similarity of codes at half of the ones shared, for 1%, 3%, "
        "10% winners, in order. The smaller step.",
        source="ours",
        paper="",
        estimate=estimate.smallest_of(estimate.means(np.diff(order, axis=1))),
        limits=above(0),
    )
    gap = similar.sel(code="4.3% winners") - similar.sel(code="codons, 5 of 20")
    yield Claim(
        "alike",
        "k winners and codons of the same expected activity separate alike (4.3% winners against 5 of 20): largest "
        "difference in the similarity of codes, below 0.06.",
        source="paper",
        paper="performed similarly",
        estimate=estimate.largest_of(map(abs, estimate.means(gap))),
        limits=below(0.06),
    )


ITEM = Item(
    name="stackS2",
    title="Similarity in, similarity out",
    text="A sparse layer of k winners, or of Marr's codons, makes similar patterns less similar, the more so the "
    "sparser it is: the leaves of trees go from 0.5 to 0.3, and from 0.28 to 0.18. The price is that part of a "
    "pattern has another code too: half a cue keeps less than half of the code.",
    alt="Three panels of similarity of codes: against the similarity of two patterns for six codes, below the "
    "diagonal but for a dense codon; against the mean similarity of leaves of trees; and against the cue level.",
    experiments=(PAIRWISE, TREES),
    draw=draw,
    claims=claims,
)
