"""What the files of memories say of themselves: format, version, settings (JSON), and how many patterns were stored."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from slotfree.checks import shown
from slotfree.files.safetensors import ArrayFile

S = TypeVar("S")


def description(format_name: str, version: str, settings: Any, n_stored: int) -> dict[str, str]:
    """Return the metadata of a file; settings are a dataclass."""
    return {
        "format": format_name,
        "version": version,
        "settings": json.dumps(asdict(settings)),
        "n_stored": str(n_stored),
    }


def read_description(file: ArrayFile, format_name: str, version: str, settings: Callable[..., S]) -> tuple[S, int]:
    """Return the settings and the count that a file describes, or raise FormatError."""
    found = file.metadata
    if found.get("format") != format_name:
        file.refuse(f"its format is {shown(found.get('format'))}, not {format_name!r}")
    if found.get("version") != version:
        file.refuse(f"its version is {shown(found.get('version'))}; this slotfree reads version {version!r}")
    if found.keys() != {"format", "version", "settings", "n_stored"}:
        file.refuse(f"its metadata has the keys {shown(sorted(found))}")
    count = found["n_stored"]
    if not (count.isascii() and count.isdigit() and len(count) < 19 and str(int(count)) == count):
        file.refuse(f"its n_stored is {shown(count)}, not a count")
    try:
        read = settings(**json.loads(found["settings"]))
    except (TypeError, ValueError, RecursionError) as error:
        file.refuse(f"its settings are wrong: {shown(str(error))}")
    if description(format_name, version, read, int(count)) != found:
        file.refuse(f"its settings are not written as slotfree writes them: {shown(found['settings'])}")
    return read, int(count)
