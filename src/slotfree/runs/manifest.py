"""The manifest of a directory: the settings of its results, and where and with what they were begun.

It is kept twice, so that it can be made again when it is damaged: without it, nobody knows what the results are of.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slotfree.files.atomic import write_atomically
from slotfree.files.errors import FormatError
from slotfree.files.regular import remove_special
from slotfree.files.sealed_json import read_sealed, sealed
from slotfree.runs.errors import DirectoryError, refuse_folder
from slotfree.runs.journal import JOURNAL
from slotfree.runs.schema import FORMAT, VERSION, check
from slotfree.runs.schema import MANIFEST as SCHEMA

MANIFEST = "manifest.json"
COPY = ".slotfree-manifest"


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a directory, or its copy if only that is whole; None if there is neither."""
    try:
        found = _read(path / MANIFEST)
    except FormatError as error:
        copy = _copy(path)
        if copy is None:
            way_out = f", or remove what slotfree wrote there with: slotfree clean {path}"
            raise DirectoryError(
                f"{path / MANIFEST} is not a manifest of slotfree: {error.reason}; choose another --out"
                f"{way_out if (path / JOURNAL).is_file() else ''}"
            ) from None
        return copy
    return found if found is not None else _copy(path)


def write_manifest(path: Path, settings: Mapping[str, Any], origin: Mapping[str, Any]) -> dict[str, Any]:
    """Write the manifest of a new directory, and its copy."""
    manifest = {"format": FORMAT, "version": VERSION, "settings": dict(settings), **origin}
    for name in (MANIFEST, COPY):
        _write(path / name, manifest)
    return manifest


def mend_manifest(path: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Write the manifest, or its copy, again if it is not as it should be; return what was damaged."""
    damaged = []
    for name in (MANIFEST, COPY):
        try:
            is_there = _read(path / name) is not None
        except FormatError as error:
            damaged.append(f"{path / name}: {error.reason}")
            is_there = False
        if not is_there:
            _write(path / name, manifest)
    return damaged


def _copy(path: Path) -> dict[str, Any] | None:
    try:
        return _read(path / COPY)
    except FormatError:
        return None


def _read(file: Path) -> dict[str, Any] | None:
    """Return what a manifest says, None if there is no file, FormatError if it is damaged or not ours."""
    refuse_folder(file)
    try:
        manifest = read_sealed(file, must_be_sealed=False)  # older ones have no checksum
    except (FileNotFoundError, NotADirectoryError):
        return None
    check(manifest, SCHEMA)
    return manifest


def _write(file: Path, manifest: Mapping[str, Any]) -> None:
    remove_special(file)
    if file.is_symlink():  # what it leads to is not a manifest of ours, and stays as it is
        file.unlink()
    write_atomically(file, lambda open_file: open_file.write(sealed(manifest)))
