"""The run store: one atomic file for each finished unit of work, named by a hash of what the unit is.

A unit's identity is everything its result follows from: settings, seed, run, the format's version and slotfree's. Equal
identities have one file, different ones never meet, so finished work is never done again and nothing mixes.
"""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from slotfree.files.checksum import KEY, refuse_changes, with_checksum
from slotfree.files.errors import FormatError
from slotfree.files.safetensors import ArrayFile, Arrays, write_arrays
from slotfree.runs.errors import refuse_folder

FORMAT = "slotfree.unit"
VERSION = "2"


@dataclass(frozen=True)
class Unit:
    """What a unit of work is.

    Attributes
    ----------
    group : the experiment it belongs to; its files share a directory.
    identity : everything the result follows from, as JSON can write it.
    """

    group: str
    identity: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        """The identity as one line, always the same."""
        return json.dumps({"unit": VERSION, **self.identity}, sort_keys=True, ensure_ascii=False)

    @cached_property
    def name(self) -> str:
        """The hash that names its file."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Finished:
    """A finished unit: its arrays, and the seconds that it took when it was run."""

    arrays: Arrays
    seconds: float


class Store:
    """Finished units in a directory.

    Attributes
    ----------
    damaged : files that were found damaged, and why; they are removed when they are found, and so done again.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.damaged: list[str] = []

    def path(self, unit: Unit) -> Path:
        """Where a unit's file is, or will be."""
        return self.directory / unit.group / f"{unit.name}.safetensors"

    def has(self, unit: Unit) -> bool:
        """Whether there is a file for a unit; it is read, and checked, when it is loaded."""
        return self.path(unit).is_file()

    def runs(self, group: str, identity: Mapping[str, Any], runs: int) -> set[int]:
        """Return which runs of an experiment have a file; it takes as long as there are files, however many runs."""
        found = set()
        for path in (self.directory / group).glob("*.safetensors"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError), ArrayFile(path) as file:
                run = json.loads(file.metadata["identity"])["run"]
                is_run = type(run) is int and 0 <= run < runs
                if is_run and self.path(Unit(group, {**identity, "run": run})) == path:
                    found.add(run)
        return found

    def save(self, unit: Unit, finished: Finished) -> None:
        """Write a finished unit: the whole file appears at once."""
        path = self.path(unit)
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {
            "format": FORMAT,
            "version": VERSION,
            "identity": unit.text,
            "seconds": repr(finished.seconds),
        }
        write_arrays(path, finished.arrays, with_checksum(finished.arrays, metadata))

    def load(self, unit: Unit) -> Finished | None:
        """Return a finished unit, or None if it has to be done: because there is no file, or a damaged one."""
        path = self.path(unit)
        refuse_folder(path)
        try:
            return _read(path, unit)
        except FileNotFoundError:
            return None
        except FormatError as error:
            self.damaged.append(f"{path}: {error.reason}")
            path.unlink()
            return None


def _read(path: Path, unit: Unit) -> Finished:
    """Return what the file of a unit holds; FormatError if that is not what was written for this unit."""
    with ArrayFile(path) as file:
        arrays = {name: file.read(name) for name in file.shapes}
        if file.metadata.get("identity") != unit.text:
            file.refuse("it holds another unit")
        if KEY not in file.metadata:
            file.refuse("it has no checksum")
        refuse_changes(file, arrays)
        try:
            return Finished(arrays, float(file.metadata["seconds"]))
        except (KeyError, ValueError):
            file.refuse("it does not say how long the unit took")
