"""Any source of patterns as the protocol uses it: it gets the memory's sizes, and its patterns must not repeat."""

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIZES = ("n_visible", "k_visible")
PREFIX = 128  # bits by which patterns that are not alike are told apart


def fitted(source: Callable[..., Any], memory: Any) -> Callable[..., Any]:
    """Return a source with the sizes of a memory, or of its settings: those that it takes and that are not bound yet.

    Sizes are attributes of the memory's ``settings`` or its own; where there are none, the source stays as it is.
    """
    try:
        taken = set(signature(source).parameters)
    except (TypeError, ValueError):  # compiled: nothing is known about it
        return source
    bound = source.keywords if isinstance(source, partial) else {}
    settings = getattr(memory, "settings", memory)
    sizes = {name: getattr(settings, name, getattr(memory, name, None)) for name in SIZES if name in taken - set(bound)}
    known = {name: size for name, size in sizes.items() if isinstance(size, int | np.integer)}
    return partial(source, **known) if known else source


def check_never_stored(stored: NDArray[np.uint8], others: NDArray[np.uint8], kind: str) -> str:
    """Return what to warn of if patterns that count as never stored were stored; raise an error if most of them were.

    Few may be equal by chance, where patterns are small or much alike.
    """
    alike = _n_among(others[:, :PREFIX], stored[:, :PREFIX])  # usually none, and then the rest is not looked at
    count = _n_among(others, stored) if alike else 0
    found = (
        f"source repeats patterns: {count} of {len(others)} of the kind {kind!r}, which count as never stored, "
        "were stored, so the baseline is not one"
    )
    if count > len(others) / 2:
        raise ValueError(f"{found}; give a source whose patterns differ, or test stored ones only, kinds=('real',)")
    return found if count else ""


def _n_among(rows: NDArray[np.uint8], others: NDArray[np.uint8]) -> int:
    """Return how many rows are among others."""
    row = f"V{-(-rows.shape[1] // 8)}"  # packed bits, as bytes
    asked, known = (np.packbits(each, axis=1).view(row).ravel().tolist() for each in (rows, others))
    return sum(map(set(known).__contains__, asked))
