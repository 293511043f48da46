"""JSON as slotfree writes it everywhere: indented, in plain letters, and valid where numbers are not finite."""

import json
import math
from typing import Any


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    r"""Return a value as JSON; numbers that are not finite become null.

    Parameters
    ----------
    ascii_only : whether other characters are written as \u and four digits, for those who cannot read them.
    """
    return json.dumps(finite(value), indent=2, ensure_ascii=ascii_only)


def finite(value: Any) -> Any:
    """Return a value in which numbers that are not finite are None."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
