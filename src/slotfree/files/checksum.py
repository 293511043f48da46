"""A checksum of what a file holds: arrays and words."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def checksum(arrays: Mapping[str, NDArray[Any]], words: Mapping[str, str] = {}) -> str:
    """A hash of names, types, shapes and bytes of arrays, and of words by name; the order of either is of no matter."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.data)
    if words:
        digest.update(json.dumps(dict(words), sort_keys=True).encode())
    return digest.hexdigest()
