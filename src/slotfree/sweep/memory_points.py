"""Points of a sweep over memories: the retention protocol for given settings and patterns."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.forgetting.family import matched_n_hidden
from slotfree.forgetting.protocol import Kind, Source, plan_run
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.retention_runs import NODE, PATTERN, WEIGHT
from slotfree.patterns.clusters import PatternClusters
from slotfree.patterns.tree import tree_patterns
from slotfree.sweep.parameters import Value
from slotfree.sweep.point import Point

TESTED: tuple[Kind, ...] = ("real", "pseudo")
HIDDEN = 1e-9  # seconds per hidden unit and pattern to find winners, measured on one core


def memory_point(
    chosen: Mapping[str, Value], sizes: Mapping[str, int], cues: tuple[float, ...], match_weights: float | None
) -> Point:
    """Check the settings of one memory and return what is run.

    Parameters
    ----------
    chosen : parameters that are given; the others have their defaults.
    sizes : n_stored and n_tested.
    cues : cue levels; all are tested on the same memories.
    match_weights : the f·n_h that n_h follows from, if it does.
    """
    n_stored, n_tested = sizes["n_stored"], sizes["n_tested"]
    given: dict[str, Any] = {name: value for name, value in chosen.items() if name != "source"}
    if match_weights is not None:
        size = {name: given.get(name, getattr(KWinnerSettings, name)) for name in ("n_visible", "fan_in")}
        given["n_hidden"] = matched_n_hidden(match_weights * size["n_visible"], **size)
    settings = KWinnerSettings(**given)
    source = str(chosen.get("source", "random"))
    plan = plan_run(settings, _source(source, settings, n_stored + n_tested), cues, TESTED, n_stored, n_tested)
    seconds = (n_stored + n_tested * len(cues) * len(TESTED)) * (
        settings.n_touched * WEIGHT + settings.n_hidden * HIDDEN + PATTERN
    )
    if source.startswith("tree"):
        seconds += NODE * n_nodes(n_stored + n_tested)
    return Point(chosen, {**asdict(settings), "source": source}, plan, seconds)


def n_nodes(n_patterns: int) -> int:
    """Nodes of a tree that has enough leaves for the patterns: the paper's 14,000 for its 5,000."""
    return max(ceil(2.8 * n_patterns), ceil(2.2 * n_patterns) + 60)


def _source(text: str, settings: KWinnerSettings, n_patterns: int) -> Source | None:
    """Where patterns come from; None for random ones that fit."""
    word, *numbers = text.split(":")
    if word == "random":
        return None
    n_visible, k_visible = settings.n_visible, settings.k_visible
    n_flips = checks.flips(int(numbers[0]), n_visible, k_visible)
    size = {"n_visible": n_visible, "k_visible": k_visible, "n_flips": n_flips}
    if word == "tree":
        return partial(tree_patterns, n_nodes=n_nodes(n_patterns), **size)
    return partial(_cluster_patterns, {**size, "n_clusters": int(numbers[1])})


def _cluster_patterns(
    sizes: Mapping[str, int], n_patterns: int, /, *, seed: np.random.SeedSequence
) -> NDArray[np.uint8]:
    return PatternClusters.draw(n_patterns, seed=seed, **sizes).patterns
