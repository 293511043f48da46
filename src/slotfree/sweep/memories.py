"""The memories that can be swept, all that are declared, and their parameters: the fields of their settings."""

from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

from slotfree.memory.base import SavedMemory, memories
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.sweep.parameters import K_WINNER, SOURCE, Parameter, Takes
from slotfree.sweep.values import YES_NO

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
