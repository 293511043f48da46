"""The manifest of a directory: the settings of its results, where and with what they were begun, and its files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slotfree.files.atomic import write_atomically
from slotfree.files.errors import FormatError
from slotfree.files.sealed_json import read_sealed, sealed
from slotfree.runs.errors import DirectoryError, refuse_way_out
from slotfree.runs.schema import MANIFEST as SCHEMA
from slotfree.runs.schema import check

MANIFEST = "manifest.json"


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a directory, or None if there is none."""
    file = path / MANIFEST
    refuse_way_out(file)
    try:
        manifest = read_sealed(file, must_be_sealed=False)  # older ones have no checksum
        check(manifest, SCHEMA)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except FormatError as error:
        raise DirectoryError(
            f"{file} is not a manifest of slotfree: {error.reason}; choose another --out, or remove {path}"
        ) from None
    return manifest


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a directory."""
    write_atomically(path / MANIFEST, lambda file: file.write(sealed(manifest)))
