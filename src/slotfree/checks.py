"""What users pass in, checked: every error names the argument, the value, and what would be right."""

import operator
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Seed: TypeAlias = int | np.random.SeedSequence | np.random.Generator


def whole(name: str, value: object, low: int, high: int | None = None, high_name: str = "") -> int:
    """Return value as an int from low to high; high_name says where an upper limit comes from."""
    limit = f"of at least {low}" if high is None else f"from {low} to {high_name and high_name + ' = '}{high}"
    message = f"{name} must be a whole number {limit}, not {value!r}"
    if isinstance(value, bool | np.bool):
        raise TypeError(message)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(message) from None
    if number < low or (high is not None and number > high):
        raise ValueError(message)
    return number


def fraction(name: str, value: object, zero_allowed: bool = False) -> float:
    """Return value as a float above 0 (or from 0, if allowed) up to 1."""
    message = f"{name} must be a number {'from 0' if zero_allowed else 'above 0 and up'} to 1, not {value!r}"
    if isinstance(value, bool | np.bool) or not isinstance(value, Real):
        raise TypeError(message)
    number = float(value)
    if not (0 < number <= 1 or (zero_allowed and number == 0)):
        raise ValueError(message)
    return number


def generator(seed: Seed) -> np.random.Generator:
    """Return a random generator; a Generator is used as it stands and advances."""
    if isinstance(seed, np.random.Generator | np.random.SeedSequence):
        return np.random.default_rng(seed)
    if isinstance(seed, bool | np.bool) or not isinstance(seed, int | np.integer):
        raise TypeError(
            f"seed must be a whole number, a numpy.random.SeedSequence or a numpy.random.Generator, not {seed!r}"
        )
    return np.random.default_rng(whole("seed", seed, 0))


def binary_rows(name: str, array: ArrayLike, n_columns: int | None = None) -> NDArray[np.uint8]:
    """Return one 0/1 pattern, or many, as the rows of a C-ordered uint8 array (without a copy if possible)."""
    values: NDArray[Any] = np.asarray(array)
    width = "n_visible" if n_columns is None else str(n_columns)
    if values.ndim not in (1, 2) or (n_columns is not None and values.shape[-1] != n_columns):
        raise ValueError(f"{name} must have the shape ({width},) or (T, {width}), not {values.shape}")
    if values.dtype.kind not in "buif":
        raise TypeError(f"{name} must hold numbers 0 and 1, not {values.dtype}")
    if values.dtype == bool:
        values = values.view(np.uint8)
    elif values.dtype == np.uint8:
        if values.size and values.max() > 1:
            raise ValueError(_not_binary(name, values))
    else:
        if not np.all((values == 0) | (values == 1)):
            raise ValueError(_not_binary(name, values))
        values = values.astype(np.uint8)
    return np.ascontiguousarray(np.atleast_2d(values))


def _not_binary(name: str, values: NDArray[Any]) -> str:
    where = np.argwhere((values != 0) & (values != 1))[0]
    index = ", ".join(map(str, where))
    return f"{name} must hold only 0 and 1, not {name}[{index}] = {values[tuple(where)]!s}"
