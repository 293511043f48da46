"""Cleaning a directory of results: what slotfree wrote is removed, and nothing else; no link is followed."""

import contextlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from slotfree.files.atomic import TEMPORARY
from slotfree.runs.directory import UNITS, is_leftover
from slotfree.runs.errors import DirectoryError
from slotfree.runs.lock import LOCK, locked
from slotfree.runs.manifest import MANIFEST, read_manifest

UNIT = re.compile(r"[0-9a-f]{32}\.safetensors")
LAST = (MANIFEST, LOCK)  # in this order: a process killed while it cleans can be followed by another


@dataclass
class Cleaned:
    """What came of it: how many files were removed, and the links that were left alone in the places of ours."""

    removed: int = 0
    links: list[Path] = field(default_factory=list)


def clean(path: Path) -> Cleaned:
    """Remove what slotfree wrote to a directory, and folders that are then empty.

    Everything else stays: what others wrote, links, and what lies behind links. The directory itself may be named by a
    link, which then stays with the directory.
    """
    _check_ours(path)
    cleaned = Cleaned()
    with locked(path):
        ours = _Ours((read_manifest(path) or {}).get("files", []))
        top = path.resolve()
        for folder, folders, files, descriptor in os.fwalk(top, topdown=False):  # it follows no link
            place = PurePath(folder).relative_to(top)
            for name in folders:
                if ours.is_folder(place / name):
                    _remove_folder(path / place, name, descriptor, cleaned)
            for name in sorted(files, key=_order):
                if ours.is_file(place / name):
                    _remove_file(path / place, name, descriptor, cleaned)
    if not path.is_symlink():
        with contextlib.suppress(OSError):  # not empty: something of others
            path.rmdir()
    return cleaned


class _Ours:
    """Tells which files and folders in a directory are ours."""

    def __init__(self, names: Iterable[str]) -> None:
        self.files = {PurePath(name) for name in (*names, *LAST)}
        self.folders = {PurePath(UNITS), *(parent for file in self.files for parent in file.parents)}

    def is_file(self, place: PurePath) -> bool:
        is_in_group = len(place.parts) == 3 and place.parts[0] == UNITS
        is_unit = is_in_group and UNIT.fullmatch(place.name) is not None
        return place in self.files or is_unit or TEMPORARY.fullmatch(place.name) is not None

    def is_folder(self, place: PurePath) -> bool:
        return place in self.folders or place.parent == PurePath(UNITS)


def _check_ours(path: Path) -> None:
    """Refuse a directory that slotfree did not write to."""
    names = [p.name for p in path.iterdir()] if path.is_dir() else []
    if names and all(is_leftover(name) for name in names):
        return
    if read_manifest(path) is None:
        raise DirectoryError(f"{path} holds no results of slotfree: there is no {MANIFEST}; nothing was removed")


def _order(name: str) -> int:
    return LAST.index(name) + 1 if name in LAST else 0


def _remove_file(folder: Path, name: str, descriptor: int, cleaned: Cleaned) -> None:
    if _is_link(name, descriptor):
        cleaned.links.append(folder / name)
        return
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=descriptor)
        cleaned.removed += 1


def _remove_folder(folder: Path, name: str, descriptor: int, cleaned: Cleaned) -> None:
    """Remove a folder if it is empty."""
    if _is_link(name, descriptor):
        cleaned.links.append(folder / name)
        return
    with contextlib.suppress(OSError):  # not empty: something of others
        os.rmdir(name, dir_fd=descriptor)


def _is_link(name: str, descriptor: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
