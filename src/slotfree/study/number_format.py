"""Numbers as they are shown in prose and tables: few digits, a true minus sign, powers of ten written out."""

import math
from collections.abc import Sequence

from slotfree.display.duration import duration as duration

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 4) -> str:
    """Return a number with at most ``digits`` significant digits, or with all before the point, below a million."""
    if not math.isfinite(value):
        return str(value).replace("-", "−")
    if value and not 1e-4 <= abs(value) < 1e6:
        mantissa, exponent = f"{value:.2e}".split("e")
        shown = f"{mantissa.rstrip('0').rstrip('.')}×"
        power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
        return f"{shown.removesuffix('1×') if shown in ('1×', '-1×') else shown}{power}".replace("-", "−")
    value = value or 0.0  # without the sign that a zero may have
    before_point = len(f"{abs(value):.0f}")
    text = f"{value:,.0f}" if abs(value) >= 9999.5 else f"{value:.{max(digits, before_point)}g}"
    return text.replace("-", "−")


def value(found: float | str | None) -> str:
    """Return what the paper says, or what was measured: a number, words, or null."""
    if found is None:
        return "no finite number"
    return found if isinstance(found, str) else number(found)


def interval(ends: Sequence[float | None]) -> str:
    """Return the uncertainty of a number; an end that is null is not finite or not known."""
    return "not known" if list(ends) == [None, None] else limits(ends)


def limits(ends: Sequence[float | None]) -> str:
    """Return a range of numbers; an end that is null is open."""
    low, high = ends
    if low is None:
        return "any" if high is None else f"up to {number(high)}"
    if high is None:
        return f"from {number(low)}"
    return number(low) if low == high else f"{number(low)} to {number(high)}"
