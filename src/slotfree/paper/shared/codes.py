"""Code layers, k winners and Marr's codons: how similar the codes of patterns are, and what they restore."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree.drawing.style import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import Source
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity, paired_similarity
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.labelled import Labelled

N_VISIBLE, K_VISIBLE = 1000, 100
RUNS, PAIRS = 10, 50


def new_layer(settings: CodeLayerSettings, seed: np.random.SeedSequence) -> CodeLayer:
    """A code layer of the paper's patterns; layers with the same number of units have the same connections."""
    return CodeLayer(N_VISIBLE, K_VISIBLE, settings, seed=seed_for(seed, "layer", settings.n_units))


@dataclass(frozen=True)
class Separation(Labelled):
    """Encode pairs of patterns, and patterns and parts of them, to see how much their codes share.

    Attributes
    ----------
    codes : names and settings of code layers.
    shared : ones that two patterns have in common.
    cues : cue levels.
    pairs : how many of each.
    """

    dims: ClassVar = {"of_pairs": ("code", "shared"), "of_cues": ("code", "cue")}
    numbered: ClassVar = False

    codes: tuple[tuple[str, CodeLayerSettings], ...]
    shared: tuple[int, ...] = tuple(range(0, 101, 10))
    cues: tuple[float, ...] = tuple(i / 10 for i in range(1, 11))
    pairs: int = PAIRS

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Names of codes, shared ones as a share of all, and cue levels."""
        names = [name for name, _ in self.codes]
        return {"code": names, "shared": [k / K_VISIBLE for k in self.shared], "cue": list(self.cues)}

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


@dataclass(frozen=True)
class Coding(Labelled):
    """Encode patterns of several sources with several code layers, and decode them.

    Attributes
    ----------
    sources : names, and where patterns come from.
    layers : named by their ones and units, such as "500 of 5000".
    n_patterns : of each source.
    """

    dims: ClassVar = {"before": ("source",), "after": ("source", "layer"), "recovered": ("source", "layer")}
    numbered: ClassVar = False

    sources: tuple[tuple[str, Source], ...]
    layers: tuple[CodeLayerSettings, ...]
    n_patterns: int = 200

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Names of sources and of layers."""
        return {"source": [name for name, _ in self.sources], "layer": [layer_name(layer) for layer in self.layers]}

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
ALIKE = ("4.3% winners", "codons, 5 of 20")  # of the same expected activity
CODES = {
    "1% winners": (CodeLayerSettings(k_units=50), SKY, "-"),
    "3% winners": (CodeLayerSettings(k_units=150), GREEN, "-"),
    WINNERS: (CODE, BLUE, "-"),
    ALIKE[0]: (CodeLayerSettings(k_units=216), ORANGE, "-"),
    ALIKE[1]: (CodeLayerSettings(k_units=216, threshold=5), VERMILION, "--"),
    DENSE: (CodeLayerSettings(k_units=1600, threshold=3), PURPLE, "--"),
}
PAIRWISE = Experiment(
    "code-pairs", Separation(tuple((name, code) for name, (code, _, _) in CODES.items())), RUNS, few=2
)
