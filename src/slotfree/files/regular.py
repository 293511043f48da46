"""Reading ordinary files, and nothing else: a pipe or a device in the place of a file is refused, not waited for."""

import errno
import hashlib
import os
import stat
from io import BufferedReader
from pathlib import Path

from slotfree.files.errors import FormatError

NOT_ORDINARY = "it is not an ordinary file"
MOST = 1 << 28  # bytes that are read at once
NOT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
ITSELF = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # to open neither what a link leads to, nor a pipe


def open_regular(path: str | os.PathLike[str]) -> BufferedReader:
    """Open an ordinary file for reading.

    Raises
    ------
    FormatError : if there is something else, such as a pipe.
    OSError : as usual if there is nothing, a directory, or no permission.
    """
    _check_kind(path, Path(path).stat().st_mode)
    descriptor = os.open(path, os.O_RDONLY | NOT_WAITING)
    try:
        _check_kind(path, os.fstat(descriptor).st_mode)  # another file may have taken its place
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: str | os.PathLike[str], most: int = MOST) -> bytes:
    """Return what an ordinary file of at most ``most`` bytes holds; the errors are those of ``open_regular``."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise FormatError(f"it has more than {most} bytes", path)
    return content


def hash_of_file(path: Path) -> str:
    """The SHA-256 of an ordinary file; the errors are those of ``open_regular``."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remove_special(path: Path) -> bool:
    """Remove a pipe or a device that stands where an ordinary file belongs; return whether there was one."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode):
        return False
    path.unlink()
    return True


def _check_kind(path: str | os.PathLike[str], mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise FormatError(NOT_ORDINARY, path)
