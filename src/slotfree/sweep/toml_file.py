"""A sweep in a TOML file, with the names that the flags have."""

import re
import tomllib
from pathlib import Path
from typing import Any

from slotfree.files.errors import FormatError
from slotfree.files.regular import read_regular
from slotfree.sweep.parameters import SweepError

MOST_BYTES = 1 << 17
MOST_DOTS = 1000  # outside numbers: tomllib takes time and memory as the square of the dots in a key


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file says about a sweep; ``sweep_from`` checks it."""
    try:
        text = read_regular(path, MOST_BYTES).decode()
        if re.sub(r"\d\.\d", "", text).count(".") > MOST_DOTS:
            raise FormatError(f"it has more than {MOST_DOTS} dots outside numbers")
        return tomllib.loads(text)
    except OSError as error:
        raise SweepError(f"--file must be a TOML file that can be read, but {path} gave: {error.strerror}") from None
    except FormatError as error:
        raise SweepError(f"--file must be a TOML file of a sweep, but {path} cannot be used: {error.reason}") from None
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, or lists within lists within lists
        raise SweepError(f"--file must be a TOML file, but {path} is not: {error}") from None
