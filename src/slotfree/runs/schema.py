"""What the JSON files of a results directory must hold, and the one function that checks it.

A description is a Kind (for one value), a list with the description of every entry, or a dict: the description of each
field by its name, with a ? if it may be missing, or, with a Kind as the only key, that of every value.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from slotfree.checks import shown
from slotfree.files.errors import FormatError


class Kind(NamedTuple):
    """What a value must be, in words, and the test of it."""

    words: str
    fits: Callable[[Any], bool]


Schema: TypeAlias = "Kind | list[Schema] | dict[Any, Schema]"


def check(value: Any, schema: Schema, field: str = "it") -> None:
    """Raise FormatError, with the name of the field, if a value is not as described."""
    if isinstance(schema, Kind):
        _require(schema, value, field)
    elif isinstance(schema, list):
        _require(LIST, value, field)
        for i, part in enumerate(value):
            check(part, schema[0], f"{field}[{i}]")
    else:
        _require(OBJECT, value, field)
        for name, part in schema.items():
            if isinstance(name, Kind):
                for each, held in value.items():
                    _require(name, each, f"a key of {field}")
                    check(held, part, f"{field}[{shown(each)}]")
            elif (known := name.removesuffix("?")) in value:
                check(value[known], part, known if field == "it" else f"{field}.{known}")
            elif known == name:
                raise FormatError(f"{field} has no {known!r}")


def one_of(*values: object) -> Kind:
    """One of some values."""
    return Kind(
        " or ".join(map(repr, values)), lambda value: any(type(v) is type(value) and v == value for v in values)
    )


def _require(kind: Kind, value: Any, field: str) -> None:
    if not kind.fits(value):
        raise FormatError(f"{field} must be {kind.words}, not {shown(value)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _is_moment(value: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False


# The files that slotfree writes to a directory, but for units and its hidden files.
FILE_NAME = re.compile(
    r"(figures/[^/\n]+\.(svg|png)|tables/[^/\n]+\.csv|data/[^/\n]+\.safetensors|items/[^/\n]+\.json"
    r"|report\.html|(claims|statements|plan)\.json|sweep\.(json|csv|safetensors|svg|png))"
)
LIST = Kind("a list", lambda value: isinstance(value, list))
OBJECT = Kind("a JSON object", lambda value: isinstance(value, dict))
TEXT = Kind("a string", lambda value: isinstance(value, str))
NUMBER = Kind("a number", _is_number)
MEASURED = Kind("a number or null", lambda value: value is None or _is_number(value))
PRINTED = Kind("a number, a string or null", lambda value: isinstance(value, str | None) or _is_number(value))
COUNT = Kind("an integer ≥ 0", lambda value: type(value) is int and value >= 0)
POSITIVE = Kind("an integer ≥ 1", lambda value: type(value) is int and value >= 1)
NAME = Kind("a name without /", lambda value: isinstance(value, str) and value not in ("", "..") and "/" not in value)
FILE = Kind("a file that slotfree writes to the directory", lambda value: FILE_NAME.fullmatch(value) is not None)
MOMENT = Kind("a date and time, such as 2026-01-31T12:00:00+00:00", _is_moment)
VERDICT = one_of("confirmed", "contradicted", "inconclusive", None)
ENDS = Kind(
    "two numbers or nulls", lambda value: LIST.fits(value) and len(value) == 2 and all(map(MEASURED.fits, value))
)

FORMAT, VERSION = "slotfree.directory", 1
MANIFEST: Schema = {
    "format": one_of(FORMAT),
    "version": one_of(VERSION),
    "settings": {"slotfree?": TEXT, "seed?": COUNT, "scale?": {"name": TEXT}, "sweep?": TEXT, "study?": TEXT},
    "begun?": MOMENT,
    "machine?": {"processor": TEXT, "cores": POSITIVE, "memory_gb": MEASURED, "system": TEXT, "python": TEXT},
    "packages?": {TEXT: TEXT},
    "files?": [FILE],
}
PLAN: Schema = {"experiments": {NAME: {"title?": TEXT, "runs": POSITIVE, "identity": {}}}}
CLAIM: Schema = {
    **dict.fromkeys(("id", "item", "claim"), TEXT),
    "source": one_of("paper", "ours"),
    "paper": PRINTED,
    "measured": MEASURED,
    **dict.fromkeys(("interval", "limits"), ENDS),
    **dict.fromkeys(("verdict", "recorded"), VERDICT),
    "holds": one_of(True, False),
}
SUMMARY: Schema = {
    **dict.fromkeys(("item", "number", "title", "text", "alt"), TEXT),
    "runs": COUNT,
    "core_seconds": NUMBER,
    "experiments": {NAME: NUMBER},
    "tables": [NAME],
    "claims": [CLAIM],
    "explained": {TEXT: TEXT},
    "files": {FILE: TEXT},
}
