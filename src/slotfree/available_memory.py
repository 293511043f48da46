"""How much memory this process may still take, and whether something fits: the system kills what takes more.

Linux says what is available, and what a container or a job of a cluster may take (control groups, of version 1 or 2).
Where the system does not say it, nothing is refused.
"""

from collections.abc import Iterator
from pathlib import Path

SMALL = 2**26  # bytes that are not worth asking the system for

MEMINFO = Path("/proc/meminfo")
MEMBERSHIP = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")


def check_fits(what: str, needed: int) -> None:
    """Raise MemoryError if something needs more bytes than are available, before it is allocated."""
    if needed <= SMALL:
        return
    available = available_memory()
    if available is not None and needed > available:
        raise MemoryError(f"{what} needs {_size(needed)} of memory, but only {_size(available)} are available")


def available_memory() -> int | None:
    """Return the bytes that this process may still take; None if the system does not say it."""
    limits = [*_of_the_machine(), *_of_its_groups()]
    return max(0, min(limits)) if limits else None


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:,.1f} GB" if n_bytes >= 1e8 else f"{n_bytes / 1e6:,.1f} MB"


def _of_the_machine() -> Iterator[int]:
    """What the system counts as available: free, or held by caches that it would give up."""
    for line in _lines(MEMINFO):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            yield int(rest.split()[0]) * 1024


def _of_its_groups() -> Iterator[int]:
    """What the control groups of this process leave to it: those it is in, and those that these are in."""
    for line in _lines(MEMBERSHIP):
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            names, root = ("memory.max", "memory.current", "inactive_file"), GROUPS
        elif "memory" in controllers.split(","):
            names, root = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"), GROUPS / "memory"
        else:
            continue
        group = root / path.strip("/")
        for directory in (group, *group.parents):
            yield from _left(directory, *names)
            if directory == root:
                break


def _left(group: Path, limit: str, usage: str, reclaimable: str) -> Iterator[int]:
    """A group's limit less what its processes take; files that it keeps in memory are given up if need be."""
    limits, taken = _lines(group / limit), _lines(group / usage)
    if not limits or not taken or not limits[0].isdigit():  # "max" is no limit
        return
    kept = dict(line.split(maxsplit=1) for line in _lines(group / "memory.stat") if " " in line)
    yield int(limits[0]) - int(taken[0]) + int(kept.get(reclaimable, 0))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
