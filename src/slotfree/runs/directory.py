"""A directory of results: whose it is, and what is written to it."""

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from slotfree import checks
from slotfree.files.atomic import TEMPORARY, remove_abandoned, write_atomically
from slotfree.files.regular import NOT_ORDINARY, remove_special
from slotfree.runs.errors import DirectoryError, refuse_way_out
from slotfree.runs.lock import LOCK, locked
from slotfree.runs.manifest import read_manifest, write_manifest
from slotfree.runs.schema import FILE, FORMAT, VERSION, check
from slotfree.runs.store import Store

UNITS = "units"


class ResultsDirectory:
    """A directory that holds the results of one set of settings.

    Attributes
    ----------
    path : where it is.
    manifest : what is in it: settings, where and with what it was begun, and the files that slotfree wrote.
    store : its finished units.
    damaged : files that were found damaged, and why; units and all others.
    """

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = dict(manifest)
        self.store = Store(path / UNITS)
        self.damaged = self.store.damaged
        self._lock = threading.Lock()

    def note_damage(self, name: str, reason: str) -> None:
        """Take note that a file is damaged."""
        line = f"{self.path / name}: {reason}"
        if line not in self.damaged:
            self.damaged.append(line)

    def own(self, names: Iterable[str]) -> None:
        """Name files in the manifest before they are written: ``clean`` removes no others."""
        with self._lock:
            known = self.manifest.get("files", [])
            new = set(names).difference(known)
            for name in new:
                check(name, FILE, "the name")
            if new:
                self.manifest["files"] = sorted({*known, *new})
                write_manifest(self.path, self.manifest)

    def place(self, name: str) -> Path:
        """Return where a file is to be written; from now on it is known to be ours."""
        path = self.path / name
        self.own([name])  # first, so that its folder is known to be ours as well
        path.parent.mkdir(parents=True, exist_ok=True)
        refuse_way_out(path)
        if remove_special(path):
            self.note_damage(name, NOT_ORDINARY)
        return path

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        write_atomically(self.place(name), lambda file: file.write(content))


@contextlib.contextmanager
def opened(path: Path, settings: Mapping[str, Any], origin: Mapping[str, Any]) -> Iterator[ResultsDirectory]:
    """Open a directory for writing: a new or empty one, or one with the results of the same settings.

    What killed processes left under temporary names is removed. Folders that the user made links are written through:
    ``units`` may lead to a larger disk.

    Parameters
    ----------
    settings : what decides the results; a directory of other settings is refused.
    origin : where and with what the work is done; kept as it was when the directory was begun.
    """
    _check_free(path, settings)  # before anything is written: what is refused stays as it is
    path.mkdir(parents=True, exist_ok=True)
    with locked(path):
        for folder, _, _ in os.walk(path):
            remove_abandoned(Path(folder))
        manifest = read_manifest(path)
        if manifest is None:
            manifest = {"format": FORMAT, "version": VERSION, "settings": dict(settings), **origin}
            write_manifest(path, manifest)
        _check_settings(path, manifest, settings)
        yield ResultsDirectory(path, {**origin, **manifest})


def is_leftover(name: str) -> bool:
    """Whether a file in a directory without results can only be ours: from a process killed as it began or ended."""
    return name == LOCK or TEMPORARY.fullmatch(name) is not None


def _check_free(path: Path, settings: Mapping[str, Any]) -> None:
    """Refuse a directory that belongs to others, or to other settings."""
    if not path.exists():
        return
    if not path.is_dir():
        raise DirectoryError(f"--out must be a directory, but {path} is a file")
    manifest = read_manifest(path)
    if manifest is not None:
        _check_settings(path, manifest, settings)
    else:
        others = [p.name for p in path.iterdir() if not is_leftover(p.name)]
        if others:
            raise DirectoryError(
                f"--out must be a new or empty directory, or one with results of slotfree, but {path} holds "
                f"{min(others)!r}"
            )
    if not os.access(path, os.W_OK):
        raise DirectoryError(f"--out must be a directory one can write to, but {path} is read-only")


def _check_settings(path: Path, manifest: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    here, wanted = manifest["settings"], dict(settings)
    names = sorted(name for name in {*here, *wanted} if here.get(name) != wanted.get(name))
    if names:
        difference = ", ".join(
            f"{name} {in_a_word(here.get(name))} instead of {in_a_word(wanted.get(name))}" for name in names
        )
        raise DirectoryError(
            f"{path} holds results of other settings: {difference}; choose another --out, or remove them with: "
            f"slotfree clean {path}"
        )


def in_a_word(value: Any) -> str:
    """A setting in a word, if it has a name."""
    return checks.shown(value["name"] if isinstance(value, dict) and "name" in value else value).strip("'")
