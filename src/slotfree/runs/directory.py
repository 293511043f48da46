"""A directory of results: whose it is, who writes to it now, and what may be removed from it."""

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from slotfree.files.atomic import write_atomically
from slotfree.files.json_text import json_text
from slotfree.runs.errors import UserError
from slotfree.runs.store import Store

try:
    import fcntl
except ImportError:  # no POSIX locks: two processes are not told apart
    fcntl = None  # type: ignore[assignment]

MANIFEST = "manifest.json"
JOURNAL = ".slotfree-files"
LOCK = ".slotfree-lock"
FORMAT = "slotfree.directory"
VERSION = 1
OURS = re.compile(r"[0-9a-f]{32}\.safetensors|\.slotfree-[0-9a-f]{16}-[0-9a-f]{16}\.tmp")


class DirectoryError(UserError):
    """A directory cannot be used for results; the message says what would be right."""


class ResultsDirectory:
    """A directory that holds the results of one set of settings.

    Attributes
    ----------
    path : where it is.
    manifest : what is in it: settings, and where and with what it was begun.
    store : its finished units.
    """

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        self.store = Store(path / "units")
        self._ours = set(journal(path))

    def place(self, name: str) -> Path:
        """Return where a file is to be written; from now on a journal knows that it is ours."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name not in self._ours:
            self._ours.add(name)
            with (self.path / JOURNAL).open("a", encoding="utf-8") as file:
                file.write(f"{name}\n")
        return path

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        _write(self.place(name), content)


@contextlib.contextmanager
def opened(path: Path, settings: Mapping[str, Any], origin: Mapping[str, Any]) -> Iterator[ResultsDirectory]:
    """Open a directory for writing: a new or empty one, or one with the results of the same settings.

    Parameters
    ----------
    settings : what decides the results; a directory of other settings is refused.
    origin : where and with what the work is done; kept as it was when the directory was begun.
    """
    _check_free(path)
    with _lock(path):
        manifest = read_manifest(path)
        if manifest is None:
            manifest = {"format": FORMAT, "version": VERSION, "settings": dict(settings), **origin}
            _write(path / MANIFEST, json_text(manifest).encode())
        elif manifest["settings"] != dict(settings):
            here, wanted = manifest["settings"], dict(settings)
            names = sorted(name for name in {*here, *wanted} if here.get(name) != wanted.get(name))
            difference = ", ".join(
                f"{name} {_short(here.get(name))} instead of {_short(wanted.get(name))}" for name in names
            )
            raise DirectoryError(
                f"{path} holds results of other settings: {difference}; choose another --out, or remove them with: "
                f"slotfree clean {path}"
            )
        yield ResultsDirectory(path, manifest)


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a directory, or None if it has none."""
    try:
        text = (path / MANIFEST).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        manifest = json.loads(text)
        if manifest["format"] != FORMAT or manifest["version"] != VERSION or not isinstance(manifest["settings"], dict):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise DirectoryError(f"{path / MANIFEST} is not a manifest of slotfree; choose another --out") from None
    return dict(manifest)


def journal(path: Path) -> list[str]:
    """The files in a directory that slotfree wrote, but for units."""
    try:
        lines = (path / JOURNAL).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return list(dict.fromkeys(line for line in lines if line and not Path(line).is_absolute() and ".." not in line))


def clean(path: Path) -> int:
    """Remove what slotfree wrote to a directory, and directories that are then empty; return how many files.

    Everything else stays.
    """
    if read_manifest(path) is None:
        raise DirectoryError(f"{path} holds no results of slotfree: there is no {MANIFEST}; nothing was removed")
    with _lock(path):
        units = [p for p in (path / "units").glob("*/*") if OURS.fullmatch(p.name)]
        files = [*units, *(path / name for name in journal(path)), path / JOURNAL, path / MANIFEST, path / LOCK]
        removed = 0
        for file in files:
            with contextlib.suppress(FileNotFoundError):
                file.unlink()
                removed += 1
    folders = sorted({parent for file in files for parent in file.parents if path in (parent, *parent.parents)})
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # not empty: something of others
            folder.rmdir()
    return removed


def _check_free(path: Path) -> None:
    """Make the directory, or refuse one that belongs to others."""
    if path.exists() and not path.is_dir():
        raise DirectoryError(f"--out must be a directory, but {path} is a file")
    path.mkdir(parents=True, exist_ok=True)
    others = [p.name for p in path.iterdir() if p.name not in (LOCK, JOURNAL)]
    if others and not (path / MANIFEST).exists():
        raise DirectoryError(
            f"--out must be a new or empty directory, or one with results of slotfree, but {path} holds {min(others)!r}"
        )
    if not os.access(path, os.W_OK):
        raise DirectoryError(f"--out must be a directory one can write to, but {path} is read-only")


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold the directory for this process; the system drops the lock when the process ends, however it does."""
    with (path / LOCK).open("a") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DirectoryError(
                    f"another slotfree process is writing to {path}; wait for it, or choose another --out"
                ) from None
            except OSError:  # a file system without locks
                pass
        yield


def _short(value: Any) -> str:
    """A setting in a word, if it has a name."""
    return str(value["name"]) if isinstance(value, dict) and "name" in value else repr(value)


def _write(path: Path, content: bytes) -> None:
    write_atomically(path, partial(_write_bytes, content))


def _write_bytes(content: bytes, file: BinaryIO) -> None:
    file.write(content)
