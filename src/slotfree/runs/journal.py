"""The journal of a directory: the names of all files that slotfree wrote there, but for units, one in a line."""

import os
from collections.abc import Iterable
from pathlib import Path

from slotfree.checks import shown
from slotfree.files.atomic import write_atomically
from slotfree.files.errors import FormatError
from slotfree.files.regular import ITSELF, read_regular, remove_special
from slotfree.runs.errors import DirectoryError, refuse_folder
from slotfree.runs.schema import FILE, check

JOURNAL = ".slotfree-files"


class Journal:
    """What slotfree wrote to a directory; a name is added before its file is written.

    Attributes
    ----------
    names : of the files, relative to the directory, in the order in which they were first written.
    damage : what is wrong with the journal's file; empty if nothing is. Names that can be read are known all the same.
    """

    def __init__(self, path: Path) -> None:
        self.file = path / JOURNAL
        self.names: dict[str, None] = {}
        self.damage = ""
        if self.file.is_symlink():
            raise DirectoryError(f"{self.file} must be an ordinary file, but is a link; remove it")
        refuse_folder(self.file)
        try:
            content = read_regular(self.file)
        except FileNotFoundError:
            return
        except FormatError as error:
            self.damage = error.reason
            return
        *lines, rest = content.split(b"\n")
        if rest:
            self.damage = "its last line is cut"
        self.names.update(dict.fromkeys(self._readable(lines)))

    def add(self, names: Iterable[str]) -> int:
        """Add names to the journal; return how many were new."""
        new = [name for name in dict.fromkeys(names) if name not in self.names]
        for name in new:
            check(name, FILE, "the name")
        if new:
            descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | ITSELF, 0o666)
            with os.fdopen(descriptor, "ab") as file:
                file.write(_lines(new))
            self.names.update(dict.fromkeys(new))
        return len(new)

    def mend(self) -> None:
        """Write the journal again, with the names that could be read."""
        remove_special(self.file)
        write_atomically(self.file, lambda file: file.write(_lines(self.names)))

    def _readable(self, lines: Iterable[bytes]) -> Iterable[str]:
        """Names of files that slotfree writes; a line that is none is damage: others may have written the file."""
        for line in lines:
            try:
                name = line.decode()
            except UnicodeDecodeError:
                self.damage = "it is not UTF-8"
                continue
            if FILE.fits(name):
                yield name
            else:
                self.damage = f"its line {shown(name)} names no file that slotfree writes"


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()
