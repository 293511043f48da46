"""A sweep in a TOML file, with the names that the flags have."""

import tomllib
from pathlib import Path
from typing import Any

from slotfree.sweep.parameters import SweepError


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file says about a sweep; ``sweep_from`` checks it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SweepError(f"--file must be a TOML file that can be read, but {path} gave: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise SweepError(f"--file must be a TOML file, but {path} is not: {error}") from None
