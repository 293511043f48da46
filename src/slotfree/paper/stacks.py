"""Memories with and without separation of similar patterns, all with 100,000 learned weights, and their experiments.

Each stack stands beside a plain memory with the same hidden layer: as many units, connections per unit, winners, and
the same learning rate. What differs between the two is the separation.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.forgetting.protocol import CUES
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.memory.stacked import StackedSettings
from slotfree.paper.items import Context
from slotfree.paper.models import K_WINNER, ONE_WINNER, Model
from slotfree.paper.retention_runs import RetentionRuns, structured
from slotfree.patterns.random import random_patterns
from slotfree.patterns.tree import tree_patterns
from slotfree.runs.seeds import seed_for

CODE = CodeLayerSettings()
STACKED = Model("stacked", "stacked K-winner", StackedSettings(layers=(CODE,)), "#0072B2")
FEW = Model("few", "few winners", KWinnerSettings(1000, 500, 100, 5, 0.2, 0.5), "#E69F00")
SMALL_CODE = CodeLayerSettings(2000, 100, 0.04)
FEW_ABOVE = StackedSettings(layers=(SMALL_CODE,), n_hidden=500, k_hidden=5, fan_in=0.1, learning_rate=0.5)
STACKED_FEW = Model("stackedfew", "stacked, few winners", FEW_ABOVE, "#56B4E9")
FLIPS = (5, 10, 15)
RUNS, N_TESTED = 100, 500


def on_trees(model: Model, b: int) -> RetentionRuns:
    """A memory of the leaves of trees; those of the main text are the ones of figures S6 and S7."""
    if model in (K_WINNER, ONE_WINNER):
        return structured(model, b)
    return RetentionRuns(f"{model.name}-tree-{b}", model.settings, b, CUES, runs=RUNS, n_tested=N_TESTED)


def some_patterns(context: Context, n: int, b: int | None) -> NDArray[np.uint8]:
    """Patterns to look at: leaves of one tree, or unstructured ones (None)."""
    seed = seed_for(context.seed, "stack", "patterns", b)
    if b is None:
        return random_patterns(n, seed=seed)
    return tree_patterns(n, n_nodes=max(4000, 3 * n), n_flips=b, seed=seed)


def layer(context: Context, settings: CodeLayerSettings) -> CodeLayer:
    """A code layer of the paper's patterns."""
    return CodeLayer(1000, 100, settings, seed=seed_for(context.seed, "stack", "layer", settings.n_units))


def mean_and_error(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean and standard error of independent values."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def restored(layer: CodeLayer, patterns: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The share of each pattern's ones that its code restores."""
    share: NDArray[np.float64] = (layer.decode(layer.encode(patterns)) & patterns).sum(axis=1) / patterns.sum(axis=1)
    return share
