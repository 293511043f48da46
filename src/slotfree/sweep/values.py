"""What people write: values in lists (0.1,0.3,1) and ranges (10:200:5, 10:200:5log), and sweeps in TOML files."""

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from slotfree.checks import shown
from slotfree.files.errors import FormatError
from slotfree.files.regular import read_regular
from slotfree.sweep.parameters import YES_NO, Parameter, SweepError, Value

MOST_BYTES = 1 << 17  # of a TOML file
MOST_DOTS = 1000  # outside numbers: tomllib takes time and memory as the square of the dots in a key
MOST = 10_000  # values of one parameter
EXAMPLES = {
    "whole": "integers, such as 10,50,200 or 10:200:5 or 10:200:5log",
    "number": "numbers, such as 0.1,0.3,1 or 0.1:1:4 or 0.1:1:4log",
    "source": "random, tree:B or clusters:B:N with B flips and N clusters, such as random,tree:10,clusters:10:50",
}
SOURCE = re.compile(r"random|tree:\d+|clusters:\d+:[1-9]\d*", re.ASCII)


class RangeError(ValueError):
    """Values that there cannot be: a range without values, or too many of them."""


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


def values_of(parameter: Parameter, given: object) -> tuple[Value, ...]:
    """Return the values of a parameter, each once, in the order in which they are given.

    Parameters
    ----------
    given : text with commas and ranges, a number, a word, True or False, or a list of these.
    """
    parts = list(given) if isinstance(given, list | tuple) else [given]
    try:
        every = (value for part in parts for value in _values(parameter, part))
        found = list(islice(every, MOST + 1))
        if not found:
            raise ValueError
        if len(found) > MOST:
            raise RangeError(f"there may be at most {MOST:,} values")
    except (ValueError, OverflowError) as error:
        reason = f": {error}" if isinstance(error, RangeError) else ""
        right = EXAMPLES.get(parameter.takes) or _choice(parameter.words)
        raise SweepError(f"{parameter.name} must be {right}, not {shown(given)}{reason}") from None
    return tuple(dict.fromkeys(found))


def spread(low: float, high: float, count: int, log: bool = False) -> list[float]:
    """Return a number of values from low to high, equally far apart, or with equal ratios.

    The ends are exact; numbers between are rounded to 12 digits, so that 0.1:0.5:5 holds 0.3, not 0.30000000000000004.
    """
    if log and not (low > 0 and high > 0):
        raise RangeError("the ends of a logarithmic range must be above 0")
    if not 2 <= count <= MOST:
        raise RangeError(f"a range must have from 2 to {MOST:,} values")
    numbers = [low]
    for i in range(1, count - 1):
        t = i / (count - 1)
        number = math.exp((1 - t) * math.log(low) + t * math.log(high)) if log else (1 - t) * low + t * high
        numbers.append(min(max(float(f"{number:.12g}"), min(low, high)), max(low, high)))
    return [*numbers, high]


def _values(parameter: Parameter, part: object) -> Iterator[Value]:
    if isinstance(part, bool):
        part = YES_NO[part]
    if isinstance(part, str):
        for piece in part.split(","):
            yield from _piece(parameter, piece.strip())
    elif isinstance(part, int | float) and parameter.takes in ("whole", "number"):
        yield _number(parameter, part)
    else:
        raise ValueError


def _piece(parameter: Parameter, text: str) -> Iterator[Value]:
    if parameter.takes == "word":
        if not text or (parameter.words and text not in parameter.words):
            raise ValueError
        yield text
    elif parameter.takes == "source":
        if not SOURCE.fullmatch(text):
            raise ValueError
        yield ":".join(str(int(word)) if word.isdigit() else word for word in text.split(":"))
    elif ":" in text:
        yield from _range(parameter, text)
    else:
        yield _number(parameter, _read(text))


def _range(parameter: Parameter, text: str) -> Iterator[Value]:
    """A range of integers is rounded, halves upwards; equal ones become one."""
    low, high, steps = text.split(":")
    count = steps.removesuffix("log")
    if not count.isdecimal():
        raise RangeError(f"the last part of a range says how many values it has, an integer from 2 to {MOST:,}")
    first, last = (float(_number(parameter, _read(end))) for end in (low, high))
    for number in spread(first, last, int(count), log=count != steps):
        yield math.floor(number + 0.5) if parameter.takes == "whole" else number


def _read(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _number(parameter: Parameter, number: int | float) -> int | float:
    if not math.isfinite(number):
        raise ValueError
    if parameter.takes == "number":
        return float(number)
    if number != int(number):
        raise ValueError
    return int(number)


def _choice(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if words else "words, separated by commas"
