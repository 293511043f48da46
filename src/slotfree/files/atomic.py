"""Atomic writing: after a crash at any moment there is the whole old file or the whole new one.

Where the system can (Linux), the new file has no name until it is complete, so that a killed process leaves
nothing behind. It is then linked under a temporary name and renamed over the old one. A process killed between
these two calls leaves a complete file under the temporary name; the next write to the same path removes it.
A lock on the file, which the system drops when its process ends, tells abandoned files from those in use.
"""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # no POSIX locks: what a crash left stays, and is never mistaken for the file
    fcntl = None  # type: ignore[assignment]


def write_atomically(path: str | os.PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Call write with an open binary file whose content then appears at path, at once and on disk.

    If write raises, the file at path stays as it was and no other file is left. Where a file without a name
    turns out to be impossible only when it is complete, write is called a second time.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(f"path must name a file, but {str(path)!r} is a directory")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"path must be in an existing directory, but {str(target.parent)!r} is not one")
    _remove_abandoned(target)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        if not _write_nameless(temporary, target, write):
            _write_named(temporary, target, write)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def _write_nameless(temporary: Path, target: Path, write: Callable[[BinaryIO], object]) -> bool:
    """Write a file that gets its name when it is complete; return False where that is not possible."""
    try:
        descriptor = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, 0o666)
    except (AttributeError, OSError):
        return False
    with os.fdopen(descriptor, "wb") as file:
        _fill(file, write)
        try:
            # A directory descriptor, unused as the path is absolute, is what makes Python follow the link.
            os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=descriptor, follow_symlinks=True)
        except OSError:
            return False
        temporary.replace(target)
    return True


def _write_named(temporary: Path, target: Path, write: Callable[[BinaryIO], object]) -> None:
    with temporary.open("xb") as file:
        _fill(file, write)
        if fcntl is not None:  # still under the lock
            temporary.replace(target)
    if fcntl is None:  # systems without such locks cannot rename an open file
        temporary.replace(target)


def _fill(file: BinaryIO, write: Callable[[BinaryIO], object]) -> None:
    """Write under a lock, down to the disk."""
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    write(file)
    file.flush()
    os.fsync(file.fileno())


def _remove_abandoned(target: Path) -> None:
    """Remove complete or partial files that killed processes left beside the target."""
    if fcntl is None:
        return
    for path in list(target.parent.iterdir()):
        if path.name.startswith(f".{target.name}.") and path.name.endswith(".tmp"):
            with contextlib.suppress(OSError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def _sync_directory(directory: Path) -> None:
    """Make a rename durable; some systems cannot open directories, and there it is not needed."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
