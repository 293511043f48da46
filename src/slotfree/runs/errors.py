"""What a user can put right: the message says how."""

import os
from pathlib import Path


class UserError(Exception):
    """Something about how a program was called, or where, does not fit.

    Attributes
    ----------
    exit_code : of the program.
    """

    exit_code = 2


class DirectoryError(UserError):
    """A directory cannot be used for results; the message says what would be right."""


def refuse_folder(file: Path) -> None:
    """Raise an error if a directory stands where a file belongs: it may hold what others wrote, so it is left alone."""
    if file.is_dir():
        raise DirectoryError(f"{file} is a directory, where slotfree writes a file; remove it or choose another --out")


def refuse_way_out(file: Path) -> None:
    """Raise an error if a folder, or a link out of its folder (which may be a link itself), stands for a file."""
    refuse_folder(file)
    if Path(os.path.realpath(file)).parent != Path(os.path.realpath(file.parent)):
        raise DirectoryError(f"{file} is a link that leads out of its folder; remove it or choose another --out")
