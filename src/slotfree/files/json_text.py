"""JSON as slotfree writes it everywhere: indented, in plain letters, and valid where numbers are not finite."""

import json
import math
from typing import Any


def json_text(value: Any) -> str:
    """Return a value as JSON; numbers that are not finite become null."""
    return json.dumps(_finite(value), indent=2, ensure_ascii=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
