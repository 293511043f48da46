"""Points of a sweep over memories: the retention protocol for given settings and patterns."""

from collections.abc import Mapping
from typing import Any

from slotfree import checks
from slotfree.files.options import defaults
from slotfree.forgetting.family import matched_n_hidden
from slotfree.forgetting.protocol import Source
from slotfree.memory.base import Settings, memories
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.patterns.clusters import ClusterPatterns
from slotfree.patterns.tree import TreePatterns
from slotfree.study.retention import Retention
from slotfree.sweep.memories import DEFAULT, PATTERNS, sweepable_fields
from slotfree.sweep.parameters import Value
from slotfree.sweep.point import Point
from slotfree.sweep.values import YES_NO


def memory_point(
    chosen: Mapping[str, Value], sizes: Mapping[str, int], cues: tuple[float, ...], match_weights: float | None
) -> Point:
    """Check the settings of one memory and return what is run.

    Parameters that the memory does not have are left out: then points that differ in them only are the same.

    Parameters
    ----------
    chosen : parameters that are given; the others have their defaults.
    sizes : n_stored and n_tested.
    cues : cue levels; all are tested on the same memories.
    match_weights : the f·n_h that n_h follows from, if it does.
    """
    there = parameters_of_memory(chosen)
    given: dict[str, Any] = {name: value for name, value in chosen.items() if name in there}
    memory, source = given.get("memory", DEFAULT), given.get("source", "random")
    kind = memories()[memory]
    types = sweepable_fields(kind)
    arguments = PATTERNS | {
        name: value == YES_NO[True] if types[name] is bool else value
        for name, value in given.items()
        if name not in ("memory", "source")
    }
    if match_weights is not None:
        size = {name: arguments.get(name, getattr(KWinnerSettings, name)) for name in ("n_visible", "fan_in")}
        arguments["n_hidden"] = matched_n_hidden(match_weights * size["n_visible"], **size)
    settings = kind.settings_class(**arguments)
    unmentioned = defaults(settings)
    parameters = {name: _written(getattr(settings, name)) for name in types if name not in unmentioned}
    parameters["source"] = source
    if memory != DEFAULT:
        parameters["memory"] = memory
    n_stored, n_tested = sizes["n_stored"], sizes["n_tested"]
    run = Retention(settings, _source(source, settings), cues, n_stored=n_stored, n_tested=n_tested)
    return Point({name: given.get(name) for name in chosen}, parameters, run)


def parameters_of_memory(chosen: Mapping[str, Value]) -> set[str]:
    """The parameters that a memory has."""
    kind = memories()[str(chosen.get("memory", DEFAULT))]
    return {"memory", "source", *sweepable_fields(kind)}


def _written(value: Any) -> Value:
    return YES_NO[value] if isinstance(value, bool) else value


def _source(text: str, settings: Settings) -> Source | None:
    """Where patterns come from; None for random ones that fit."""
    word, *numbers = text.split(":")
    if word == "random":
        return None
    size = {"n_visible": settings.n_visible, "k_visible": settings.k_visible}
    n_flips = checks.flips(int(numbers[0]), **size)
    if word == "tree":
        return TreePatterns(n_flips, n_nodes=None, **size)
    return ClusterPatterns(n_flips, int(numbers[1]), **size)
