"""What users pass in, checked: every error names the argument, the value, and what would be right."""

import operator
import sys
from collections.abc import Callable, Iterable
from functools import partial
from numbers import Real
from typing import Any, TypeAlias, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T")

Seed: TypeAlias = int | np.random.SeedSequence | np.random.Generator

MANY = 2**31 - 1  # units or patterns: more than any machine holds


def shown(value: object) -> str:
    """Return a value as an error message shows it: short, and printable everywhere."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 100 else f"{text[:97]}..."


def integer(name: str, value: object, low: int, high: int | None = None, high_name: str = "") -> int:
    """Return value as an int from low to high; high_name says where an upper limit comes from."""
    limit = f"≥ {low}" if high is None else f"from {low} to {high_name and high_name + ' = '}{high}"
    message = f"{name} must be an integer {limit}, not {shown(value)}"
    if isinstance(value, bool | np.bool):
        raise TypeError(message)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(message) from None
    if number < low or (high is not None and number > high):
        raise ValueError(message)
    return number


def different(name: str, values: Iterable[object], check: Callable[[str, object], T], kind: str) -> list[T]:
    """Return different values of a kind, at least one, each as a check returns it."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{name} must be different {kind}, at least one, not {shown(values)}")
    found = [check(name, value) for value in values]
    if not found or len(set(found)) < len(found):
        raise ValueError(f"{name} must be different {kind}, at least one, not {shown(found)}")
    return found


def different_integers(name: str, values: Iterable[int], low: int) -> list[int]:
    """Return different integers ≥ low, at least one."""
    return different(name, values, partial(integer, low=low), "integers")


def fraction(name: str, value: object, zero_allowed: bool = False) -> float:
    """Return value as a float in (0, 1], or in [0, 1] if zero is allowed."""
    right = "in [0, 1]" if zero_allowed else "in (0, 1]"
    return _number(name, value, right, lambda number: 0 < number <= 1 or (zero_allowed and number == 0))


def decay(name: str, value: object) -> float:
    """Return value as a float in [0, 1)."""
    return _number(name, value, "in [0, 1)", lambda number: 0 <= number < 1 and float(number) < 1)


def positive(name: str, value: object) -> float:
    """Return value as a finite float > 0."""
    return _number(name, value, "> 0", lambda number: 0 < number < sys.float_info.max)


def _number(name: str, value: object, right: str, is_right: Callable[[Any], bool]) -> float:
    """Return a real number as a float; it is compared before, as integers may be too large for a float."""
    message = f"{name} must be a number {right}, not {shown(value)}"
    if isinstance(value, bool | np.bool) or not isinstance(value, Real):
        raise TypeError(message)
    if not is_right(value):
        raise ValueError(message)
    return float(value)


def one_of(name: str, value: object, words: tuple[str, ...]) -> None:
    """Raise an error if value is not one of some words."""
    if not isinstance(value, str) or value not in words:
        choice = ", ".join(repr(word) for word in words[:-1]) + f" or {words[-1]!r}"
        raise ValueError(f"{name} must be {choice}, not {shown(value)}")


def yes_or_no(name: str, value: object) -> bool:
    """Return value as a bool."""
    if not isinstance(value, bool | np.bool):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def flips(n_flips: object, n_visible: int, k_visible: int) -> int:
    """Return n_flips if a pattern has at least that number of ones, and of zeros."""
    most = min(k_visible, n_visible - k_visible)
    return integer("n_flips", n_flips, 0, most, "the smaller of k_visible and n_visible - k_visible")


def generator(seed: Seed, purpose: str) -> np.random.Generator:
    """Return a random generator; a Generator is used as it stands and advances.

    A seed means another stream for each purpose: a memory and patterns with the same seed are unrelated.
    """
    if isinstance(seed, np.random.Generator):
        return seed
    if not isinstance(seed, np.random.SeedSequence):
        if isinstance(seed, bool | np.bool) or not isinstance(seed, int | np.integer):
            raise TypeError(
                f"seed must be an integer, a numpy.random.SeedSequence or a numpy.random.Generator, not {shown(seed)}"
            )
        seed = np.random.SeedSequence(integer("seed", seed, 0))
    key = (*seed.spawn_key, crc32(purpose.encode()))
    return np.random.default_rng(np.random.SeedSequence(seed.entropy, spawn_key=key))


def unmasked(name: str, values: Any) -> NDArray[Any]:
    """Return values as an array; masks are refused, as NumPy drops them and takes what is masked for data."""
    rows = values if isinstance(values, list | tuple) else (values,)
    if any(isinstance(row, np.ma.MaskedArray) for row in rows):
        raise TypeError(f"{name} must have no mask, not be a masked array: filled(0) has zeros where the mask is")
    return np.asarray(values)


def int64(name: str, numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Return an array of integers as int64; those of uint64 may be too large for it."""
    if numbers.dtype == np.uint64 and numbers.size and numbers.max() >= 2**63:
        raise ValueError(f"{name} must be below 2**63, not {numbers.max()}")
    return numbers.astype(np.int64, copy=False)


def binary_rows(name: str, array: ArrayLike, n_columns: int | None = None) -> NDArray[np.uint8]:
    """Return one 0/1 pattern, or many, as the rows of a C-ordered uint8 array (without a copy if possible)."""
    values = _of_rows(name, array, n_columns, "numbers 0 and 1")
    wrong = first_not_binary(values)
    if wrong is not None:
        index, value = wrong
        raise ValueError(f"{name} must hold only 0 and 1, not {name}[{index}] = {value}")
    values = values.view(np.uint8) if values.dtype == bool else values.astype(np.uint8, copy=False)
    return np.ascontiguousarray(np.atleast_2d(values))


def first_not_binary(values: NDArray[Any]) -> tuple[str, str] | None:
    """Return the index and the value of the first number that is neither 0 nor 1, as words; None if there is none."""
    if values.dtype == bool:
        values = values.view(np.uint8)  # memory of other types, seen as bool, may hold other numbers
    if not values.size or (values.dtype == np.uint8 and values.max() <= 1):  # ten times quicker than to compare
        return None
    wrong = (values != 0) & (values != 1)
    if not wrong.any():
        return None
    where = np.argwhere(wrong)[0]
    return ", ".join(map(str, where)), str(values[tuple(where)])


def real_rows(name: str, array: ArrayLike, n_columns: int, largest: float) -> NDArray[np.float64]:
    """Return one pattern of real numbers, or many, as the rows of a C-ordered float64 array (a copy if need be).

    No number may be larger in magnitude than ``largest``.
    """
    values = _of_rows(name, array, n_columns, "real numbers").astype(np.float64, copy=False)
    flat = values.reshape(-1)
    if not np.vdot(flat, flat) <= largest**2 and not (values.max() <= largest and values.min() >= -largest):
        # NaN fails all; the first is quick, and right for most
        where = np.argwhere(~(np.abs(values) <= largest))[0]
        index = ", ".join(map(str, where))
        raise ValueError(
            f"{name} must hold finite numbers of at most {largest:g} in magnitude, "
            f"not {name}[{index}] = {values[tuple(where)]!s}"
        )
    return np.ascontiguousarray(np.atleast_2d(values))


def _of_rows(name: str, array: ArrayLike, n_columns: int | None, kind: str) -> NDArray[Any]:
    """Return an array of numbers of the shape of one pattern or of many."""
    width = "n_visible" if n_columns is None else str(n_columns)
    shapes = f"{name} must have the shape ({width},) or (T, {width}), not"
    try:
        values = unmasked(name, array)
    except ValueError:
        raise ValueError(f"{shapes} rows of different lengths") from None
    if values.ndim not in (1, 2) or (n_columns is not None and values.shape[-1] != n_columns):
        raise ValueError(f"{shapes} {values.shape}")
    if values.dtype.kind not in "buif":
        raise TypeError(f"{name} must hold {kind}, not {values.dtype}")
    return values
