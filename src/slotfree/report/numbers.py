"""Numbers as the page shows them: four digits, a true minus sign, powers of ten written out."""

from collections.abc import Sequence

from slotfree.paper.claims import Value

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """Return a number with at most four significant digits."""
    if value and not 1e-4 <= abs(value) < 1e6:
        mantissa, exponent = f"{value:.2e}".split("e")
        digits = f"{mantissa.rstrip('0').rstrip('.')}×"
        power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
        return f"{digits.removesuffix('1×') if digits in ('1×', '-1×') else digits}{power}".replace("-", "−")
    text = f"{value:,.0f}" if abs(value) >= 9999.5 else f"{value:.4g}"
    return text.replace("-", "−")


def shown(value: Value, none: str) -> str:
    """Return a value of a claim; ``none`` stands for null."""
    if value is None:
        return none
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else number(value)


def interval(ends: Sequence[float | None] | None) -> str:
    """Return an interval; an end that is null is open."""
    if ends is None:
        return ""
    low, high = ends
    if low is None:
        return "no finite ends" if high is None else f"≤ {number(high)}"
    return f"≥ {number(low)}" if high is None else f"{number(low)} to {number(high)}"


def duration(seconds: float) -> str:
    """Return a time in the unit in which it is read best."""
    if seconds < 99.5:
        return f"{seconds:.0f} s" if seconds >= 9.5 else f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
