"""JSON objects that carry a checksum of themselves, so that any damage is noticed."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from slotfree.checks import shown
from slotfree.files.checksum import KEY
from slotfree.files.errors import FormatError
from slotfree.files.regular import read_regular


def sealed(value: Mapping[str, Any]) -> bytes:
    """Return a JSON object as the content of a file, with the checksum of everything else in it."""
    return _text({**value, KEY: _seal(value)})


def read_sealed(path: Path, *, must_be_sealed: bool = True) -> dict[str, Any]:
    """Return the object that was sealed, without its checksum; FormatError if it is not as it was written.

    Parameters
    ----------
    must_be_sealed : whether an object without a checksum is refused; some were written before they had one.
    """
    value = _read_object(path)
    if KEY not in value:
        if must_be_sealed:
            _refuse(path, "it has no checksum")
    elif value.pop(KEY) != _seal(value):
        _refuse(path, "its checksum is wrong")
    return value


def _read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; FormatError if there is none."""
    try:
        value = json.loads(read_regular(path).decode())
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, too deep, or too many digits
        _refuse(path, f"it is not the JSON it should be: {shown(str(error))}")
    if not isinstance(value, dict):
        _refuse(path, "it is not a JSON object")
    return value


def _seal(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(_text(value)).hexdigest()


def _text(value: Mapping[str, Any]) -> bytes:
    """A value as it is written; what is read has the same text again, also numbers that are not finite."""
    return json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _refuse(path: Path, reason: str) -> NoReturn:
    raise FormatError(reason, path)
