"""Sweeps of memories: all that are declared, their parameters, which are the fields of their settings, and points."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, replace
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from slotfree import checks
from slotfree.files.options import defaults
from slotfree.forgetting.family import matched_n_hidden
from slotfree.forgetting.protocol import Source
from slotfree.memory.base import SavedMemory, Settings, memories
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.patterns.clusters import ClusterPatterns
from slotfree.patterns.tree import TreePatterns
from slotfree.study.retention import Retention
from slotfree.sweep.parameters import K_WINNER, SOURCE, YES_NO, Parameter, Takes, Value

if TYPE_CHECKING:
    from slotfree.sweep.grid import Sweep

DEFAULT = KWinnerMHN.__name__
PATTERNS = {"n_visible": 1000, "k_visible": 100}  # the size of patterns, unless another is given
LEFT_OUT = ("n_values",)  # in a sweep, patterns recall themselves
TAKES: dict[type, Takes] = {int: "whole", float: "number", str: "word", bool: "word"}


def memory_parameters() -> Iterator[Parameter]:
    """Yield all parameters of all memories: which memory, those of the K-winner MHN, those of others, the patterns."""
    known = {DEFAULT: memories()[DEFAULT], **memories()}
    yield Parameter("memory", "word", f"{', '.join(known)}.  [{DEFAULT}]", tuple(known))
    worded = {parameter.name: parameter for parameter in K_WINNER}
    types = {name: each for kind in known.values() for name, each in sweepable_fields(kind).items()}
    for name, each in types.items():
        defaults = {memory: _default(kind, name) for memory, kind in known.items() if name in sweepable_fields(kind)}
        if name in worded:
            own = defaults.pop(DEFAULT)
            others = "".join(f"; {memory} {value}" for memory, value in defaults.items() if value != own)
            yield replace(worded[name], meaning=worded[name].meaning.removesuffix("]") + others + "]")
        else:
            words = tuple(YES_NO.values()) if each is bool else ()
            meaning = f"Of {', '.join(f'{m} [{value}]' for m, value in defaults.items())}."
            yield Parameter(name, TAKES[each], meaning, words)
    yield SOURCE


@cache
def sweepable_fields(kind: type[SavedMemory[Any]]) -> dict[str, type]:
    """The fields of a memory's settings that hold one number, a word, or yes or no, and the type of each."""
    found: dict[str, type] = {}
    annotations = get_type_hints(kind.settings_class)
    for name in (field.name for field in fields(kind.settings_class) if field.name not in LEFT_OUT):
        types = [part for part in get_args(annotations[name]) or (annotations[name],) if part is not NoneType]
        if len(types) == 1 and types[0] in TAKES:
            found[name] = types[0]
    return found


def _default(kind: type[SavedMemory[Any]], name: str) -> str:
    if name in PATTERNS:
        return str(PATTERNS[name])
    field = next(field for field in fields(kind.settings_class) if field.name == name)
    if field.default is MISSING:
        return "must be given"
    if isinstance(field.default, bool):
        return YES_NO[field.default]
    return f"{field.default:g}" if isinstance(field.default, float) else str(field.default).lower()


def memory_point(given: Mapping[str, Any], sweep: "Sweep") -> tuple[dict[str, Value | None], Retention]:
    """Check the settings of one memory; return all parameters, and what is run."""
    memory, source = given.get("memory", DEFAULT), given.get("source", "random")
    kind = memories()[memory]
    types = sweepable_fields(kind)
    arguments = PATTERNS | {
        name: value == YES_NO[True] if types[name] is bool else value
        for name, value in given.items()
        if name not in ("memory", "source")
    }
    if sweep.match_weights is not None:
        size = {name: arguments.get(name, getattr(KWinnerSettings, name)) for name in ("n_visible", "fan_in")}
        arguments["n_hidden"] = matched_n_hidden(sweep.match_weights * size["n_visible"], **size)
    settings = kind.settings_class(**arguments)
    unmentioned = defaults(settings)
    values = {name: getattr(settings, name) for name in types if name not in unmentioned}
    parameters = {name: YES_NO[value] if isinstance(value, bool) else value for name, value in values.items()}
    parameters["source"] = source
    if memory != DEFAULT:
        parameters["memory"] = memory
    n_stored, n_tested = sweep.sizes["n_stored"], sweep.sizes["n_tested"]
    return parameters, Retention(settings, _source(source, settings), sweep.cues, n_stored=n_stored, n_tested=n_tested)


def parameters_of_memory(chosen: Mapping[str, Value]) -> set[str]:
    """The parameters that a memory has."""
    kind = memories()[str(chosen.get("memory", DEFAULT))]
    return {"memory", "source", *sweepable_fields(kind)}


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
