"""A lock on a directory: one process writes to it at a time."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from slotfree.files.regular import ITSELF
from slotfree.runs.errors import DirectoryError, refuse_folder

try:
    import fcntl
except ImportError:  # no POSIX locks: two processes are not told apart
    fcntl = None  # type: ignore[assignment]

LOCK = ".slotfree-lock"


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a directory for this process; the system drops the lock when the process ends, however it does."""
    file = _opened(path)
    while not _is_held(file, path):
        file.close()
        file = _opened(path)
    with file:
        yield


def _opened(path: Path) -> BinaryIO:
    refuse_folder(path / LOCK)
    file = os.fdopen(os.open(path / LOCK, os.O_RDWR | os.O_CREAT | ITSELF, 0o666), "rb", buffering=0)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise DirectoryError(f"{path / LOCK} must be an ordinary file, but is none; remove it")
    return file


def _is_held(file: BinaryIO, path: Path) -> bool:
    """Lock a file; return False if it was removed meanwhile, by a process that cleaned the directory."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise DirectoryError(
            f"another slotfree process is writing to {path}; wait for it, or choose another --out"
        ) from None
    except OSError:  # a file system without locks
        return True
    try:
        return os.path.samestat(os.fstat(file.fileno()), (path / LOCK).lstat())
    except FileNotFoundError:
        return False
