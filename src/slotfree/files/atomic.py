"""Atomic writing: after a crash at any moment there is the whole old file or the whole new one.

Where the system can (Linux), the new file has no name until it is complete, so that a killed process leaves nothing
behind. It is then linked under a temporary name and renamed over the old one. A process killed between these two
calls leaves a complete file under the temporary name; the next write to the same path removes it, and so does
``remove_abandoned``. A lock on the file, which the system drops when its process ends, tells abandoned files from those
in use.
"""

import contextlib
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from slotfree.files.regular import ITSELF

try:
    import fcntl
except ImportError:  # no POSIX locks: what a crash left stays, and is never mistaken for the file
    fcntl = None  # type: ignore[assignment]

YOUNG = 60.0  # seconds
TEMPORARY = re.compile(r"\.slotfree-[0-9a-f]{16}-[0-9a-f]{16}\.tmp")


def write_atomically(path: str | os.PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Call write with an open binary file whose content then appears at path, at once and on disk.

    If write raises, the file at path stays as it was and no other file is left. A link is followed, and the mode of
    an old file is kept. Where a file without a name turns out to be impossible only when it is complete, write is
    called a second time.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        kind = "directory" if target.is_dir() else "special file"
        raise IsADirectoryError(f"path must name an ordinary file, but {str(path)!r} is a {kind}")
    if not target.parent.is_dir():
        link = f", and the link {str(path)!r} leads there" if Path(path).is_symlink() else ""
        raise FileNotFoundError(f"path must be in an existing directory, but {str(target.parent)!r} is not one{link}")
    remove_abandoned(target.parent, re.compile(re.escape(_prefix(target)) + r"[0-9a-f]{16}\.tmp"))
    temporary = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}.tmp")
    try:
        if not _write_nameless(temporary, target, write):
            _write_named(temporary, target, write)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def _prefix(target: Path) -> str:
    """How temporary names for a target begin: always as long, however long its own name is."""
    return f".slotfree-{hashlib.sha256(target.name.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}-"


def _write_nameless(temporary: Path, target: Path, write: Callable[[BinaryIO], object]) -> bool:
    """Write a file that gets its name when it is complete; return False where that is not possible."""
    try:
        descriptor = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, 0o666)
    except (AttributeError, OSError):
        return False
    with os.fdopen(descriptor, "wb") as file:
        _fill(file, target, write)
        try:
            # A directory descriptor, unused as the path is absolute, is what makes Python follow the link.
            os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=descriptor, follow_symlinks=True)
        except OSError:
            return False
        temporary.replace(target)
    return True


def _write_named(temporary: Path, target: Path, write: Callable[[BinaryIO], object]) -> None:
    with temporary.open("xb") as file:
        _fill(file, target, write)
        if fcntl is not None:  # still under the lock
            temporary.replace(target)
    if fcntl is None:  # systems without such locks cannot rename an open file
        temporary.replace(target)


def _fill(file: BinaryIO, target: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write under a lock, down to the disk."""
    if fcntl is not None:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
    with contextlib.suppress(FileNotFoundError, AttributeError):
        os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
    write(file)
    file.flush()
    os.fsync(file.fileno())


def remove_abandoned(folder: Path, names: re.Pattern[str] = TEMPORARY) -> None:
    """Remove complete or partial files that killed processes left in a folder, under temporary names.

    An empty one may be about to be locked by its writer, and is left while it is young.
    """
    if fcntl is None:
        return
    with os.scandir(folder) as entries:  # quicker than paths: a folder may hold hundreds of files
        found = [folder / entry.name for entry in entries if names.fullmatch(entry.name)]
    for path in found:
        with contextlib.suppress(OSError), os.fdopen(os.open(path, os.O_RDONLY | ITSELF), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            status = os.fstat(file.fileno())
            is_old = status.st_size > 0 or time.time() - status.st_mtime > YOUNG
            if stat.S_ISREG(status.st_mode) and is_old:
                path.unlink()


def _sync_directory(directory: Path) -> None:
    """Make a rename durable; some systems cannot open directories, and there it is not needed."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
