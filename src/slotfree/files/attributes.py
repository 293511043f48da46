"""What a result is, as attributes of a dataset: words, which any file format keeps.

``made_by`` is the function, ``settings`` what it was called with, as JSON, ``seed`` its seed, if it has one, and
``slotfree`` the version. Settings of memories, models and tasks are shown by their fields, functions by their names,
arrays by their shapes, lists of more than 100 entries by their lengths, ends and hashes: enough to know what a file
holds, and to make it again with the same functions, arrays and lists.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from slotfree import __version__, checks

LONG = 100  # entries of a list; a file has room for 64 KiB of words


def attributes(made_by: str, settings: Mapping[str, Any], seed: np.random.SeedSequence | None = None) -> dict[str, str]:
    """Return the attributes of a result."""
    told = {"made_by": made_by, "settings": json.dumps(in_words(settings))}
    if seed is not None:
        told["seed"] = _of_seed(seed)
    return {**told, "slotfree": __version__}


def in_words(value: Any) -> Any:
    """Return a value as JSON can write it, for people: nothing of it is needed again."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return {"is": "array", "shape": list(value.shape)}
    if isinstance(value, Mapping):
        return {str(key): in_words(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [in_words(part) for part in value] if len(value) <= LONG else _abridged(value)
    if isinstance(value, partial):
        given = {"arguments": in_words(value.args)} if value.args else {}
        return {**_named(value.func), **given, **in_words(value.keywords)}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        return {**_named(type(value)), **in_words(parts)}
    return _named(value)


def _abridged(values: Sequence[Any]) -> dict[str, Any]:
    """Describe a long list; equal ones have equal hashes."""
    words = [in_words(part) for part in values]
    digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    return {"is": "list", "length": len(words), "first": words[0], "last": words[-1], "sha256": digest}


def _named(value: Any) -> dict[str, str]:
    return {"is": getattr(value, "__qualname__", None) or checks.shown(value)}


def _of_seed(seed: np.random.SeedSequence) -> str:
    """Return the number that a seed was made of, and where it stands below it, if it does."""
    if not seed.spawn_key:
        return json.dumps(in_words(seed.entropy))
    return json.dumps({"entropy": in_words(seed.entropy), "spawn_key": list(seed.spawn_key)})
