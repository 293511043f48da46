"""Where and with what something is run."""

import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGES = ("numpy", "numba", "scipy", "xarray", "matplotlib")


def describe_machine() -> dict[str, object]:
    """Processor, cores, memory and system of this machine; no names of hosts, users or paths."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory_gb": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def describe_origin() -> dict[str, object]:
    """When, where and with what something is begun."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"begun": now, "machine": describe_machine(), "packages": describe_packages()}


@cache  # asked for every unit of work on a cluster
def describe_packages() -> dict[str, str]:
    """Versions of what numbers may depend on."""
    return {name: metadata.version(name) for name in PACKAGES}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory() -> float | None:
    try:
        return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None
