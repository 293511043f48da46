"""A hash of the package's source files, to the letter: by it, workers of other code are told apart.

Which finished runs a change of the code makes be done again is decided by ``study.describe``.
"""

import hashlib
import os
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
CHANGED = "changed since the process began"

Stamps = dict[str, tuple[int, int]]


def package_hash() -> str:
    """A hash of all source files, as they were when it was first asked for; ``CHANGED`` if they are not so any more.

    A process keeps the modules that it has imported. After a change of the files it may run old code, new code or
    both, and so it is none that any other process has.
    """
    stamps, found = _first()
    try:
        return found if _stamps() == stamps else CHANGED
    except FileNotFoundError:  # one is being replaced
        return CHANGED


@cache
def _first() -> tuple[Stamps, str]:
    stamps = _stamps()
    digest = hashlib.sha256()
    for path in sorted(map(Path, stamps), key=lambda path: path.relative_to(PACKAGE).as_posix()):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(PACKAGE).as_posix()} {len(text)}\n".encode() + text)
    return stamps, digest.hexdigest()


def _stamps() -> Stamps:
    """Time and size of each source file; asked for every unit of work, and thrice as quick as with ``rglob``."""
    found: Stamps = {}
    folders = [os.fspath(PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                elif entry.name.endswith(".py"):
                    stat = entry.stat()
                    found[entry.path] = (stat.st_mtime_ns, stat.st_size)
    return found
