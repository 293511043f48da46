"""Claims: statements that data can confirm, contradict, or leave open.

A claim is a sentence, where it comes from, an estimate with its 99 % interval, and the limits within which the sentence
is true. Its verdict follows: *confirmed* if the whole interval lies within the limits, *contradicted* if none of it
does, *inconclusive* otherwise.

A printed number is itself an estimate. Its limits are where our value is expected if both have the same expectation:
within 99 % of the sampling error of their difference, and the rounding of the printed number. As this holds the
uncertainty of both sides, it is our value, not its interval, that must lie within them.
"""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any

from slotfree import checks
from slotfree.display import svg
from slotfree.display.html import badge, card
from slotfree.files.json_text import finite
from slotfree.study import number_format as numbers
from slotfree.study.estimate import Estimate, exact
from slotfree.study.experiment import check_name
from slotfree.study.quote import check_quotes
from slotfree.study.record import SOURCES, Verdict
from slotfree.study.record import Source as Source

# The ground of a verdict's word in a notebook: dark enough for white letters, and told apart by colour-blind readers.
GROUNDS: dict[Verdict, str] = {"confirmed": "#0a57a3", "contradicted": "#a83b00", "inconclusive": "#6d4a9c"}


@dataclass(frozen=True)
class Limits:
    """The numbers for which a sentence is true, from low to high; finite ends belong to them unless they are open."""

    low: float
    high: float
    is_open: bool = False

    def judge(self, estimate: Estimate) -> Verdict:
        """Compare an interval with the limits."""
        if math.isnan(estimate.low) or math.isnan(estimate.high):
            return "inconclusive"
        if self._past_low(estimate.low) and self._before_high(estimate.high):
            return "confirmed"
        if self._past_low(estimate.high) and self._before_high(estimate.low):
            return "inconclusive"
        return "contradicted"

    def of(self, estimate: Estimate) -> "Limits":
        """The limits for a given estimate: these."""
        return self

    def _past_low(self, end: float) -> bool:
        return end > self.low or (end == self.low and not (self.is_open and math.isfinite(self.low)))

    def _before_high(self, end: float) -> bool:
        return end < self.high or (end == self.high and not (self.is_open and math.isfinite(self.high)))


@dataclass(frozen=True)
class Printed:
    """The limits of a printed number.

    Attributes
    ----------
    number : as it is printed.
    rounding : half a unit of its last digit.
    spread : the standard deviation of the printed number as a multiple of that of our estimate: 1 if it comes from the
        same number of runs, √(our runs / theirs) in general, 0 if it is exact.

    Examples
    --------
    >>> Printed(0.34, rounding=0.005).judge(Estimate(0.3, 0.25, 0.35))
    'confirmed'
    """

    number: float
    rounding: float
    spread: float = 1.0

    def of(self, estimate: Estimate) -> Limits:
        """Where our value is expected."""
        reach = math.hypot(1, self.spread) * estimate.reach + self.rounding
        return Limits(self.number - reach, self.number + reach)

    def judge(self, estimate: Estimate) -> Verdict:
        """Compare our value with the printed one."""
        if not math.isfinite(estimate.reach):  # limits that hold everything would confirm anything
            return "inconclusive"
        limits = self.of(estimate)
        return Expected(limits.low, limits.high).judge(estimate)


@dataclass(frozen=True)
class Expected(Limits):
    """Where our value, not its interval, is expected: these limits hold the uncertainty of both sides.

    ``Printed`` is the plain case; this is for other distributions, and for levels of many numbers judged together.
    """

    def judge(self, estimate: Estimate) -> Verdict:
        """Compare our value with what is expected."""
        if math.isnan(self.low) or math.isnan(self.high):
            return "inconclusive"
        return super().judge(exact(estimate.value))


def equal_to(number: float) -> Printed:
    """A number that is known exactly: contradicted if the estimate tells a difference from it."""
    return Printed(number, rounding=0.0, spread=0.0)


def above(low: float) -> Limits:
    """More than ``low``.

    >>> above(0).judge(Estimate(0.5, 0.2, 0.8))
    'confirmed'
    """
    return Limits(low, math.inf, is_open=True)


def below(high: float) -> Limits:
    """Less than ``high``.

    >>> below(0).judge(Estimate(0.5, 0.2, 0.8))
    'contradicted'
    """
    return Limits(-math.inf, high, is_open=True)


def at_least(low: float) -> Limits:
    """``low`` or more.

    >>> at_least(0.5).judge(Estimate(0.5, 0.2, 0.8))
    'inconclusive'
    """
    return Limits(low, math.inf)


def at_most(high: float) -> Limits:
    """``high`` or less.

    >>> at_most(1).judge(Estimate(1, 1, 1))
    'confirmed'
    """
    return Limits(-math.inf, high)


def within(low: float, high: float) -> Limits:
    """From ``low`` to ``high``, both included.

    >>> within(0, 1).judge(Estimate(0.5, 0.2, 0.8))
    'confirmed'
    """
    return Limits(low, high)


@dataclass(frozen=True)
class Claim:
    """One statement and what was measured.

    Attributes
    ----------
    name : unique within the item.
    claim : the sentence.
    source : "paper" if the paper says it; by default "ours".
    paper : what the paper prints, a number or words; for our own claims, what it has to say about it, if anything.
    note : what explains the verdict; ``{measured}`` and such are its numbers (quote.py).
    estimate : the number that decides, with its 99 % interval.
    limits : where it must lie for the sentence to be true: ``above(0)``, ``within(0.1, 0.2)``, or ``Printed(0.336,
        0.0005)`` for a printed number.

    Examples
    --------
    >>> Claim("warm", "It was warm.", estimate=Estimate(22, 21, 23), limits=above(20)).verdict
    'confirmed'
    """

    name: str
    claim: str
    _: KW_ONLY
    source: Source = "ours"
    paper: float | str = ""
    note: str = ""
    estimate: Estimate
    limits: Limits | Printed

    def __post_init__(self) -> None:
        check_name(self.name)
        check_quotes(self.note, about_claims=True)
        if self.source not in SOURCES:
            raise ValueError(f"source must be 'paper' or 'ours', not {checks.shown(self.source)}")
        if not isinstance(self.estimate, Estimate):
            raise TypeError(f"estimate must be an Estimate, not {checks.shown(self.estimate)}")
        if not isinstance(self.limits, Limits | Printed):
            raise TypeError(f"limits must be such as above(0) or within(0, 1), not {checks.shown(self.limits)}")

    @property
    def verdict(self) -> Verdict:
        """What the data say of the sentence."""
        return self.limits.judge(self.estimate)

    def _repr_html_(self) -> str:
        """Return the sentence, what was measured and the verdict, as a notebook shows them."""
        found, limits = self.estimate, self.limits.of(self.estimate)
        ends, allowed = (found.low, found.high), (limits.low, limits.high)
        rows = {
            "the paper says": numbers.value(self.paper),
            "measured": numbers.number(found.value),
            "99 % interval": numbers.interval(finite(ends)),
            "limits": numbers.limits(finite(allowed)),
            "verdict": badge(self.verdict, GROUNDS[self.verdict]),
        }
        alt = f"Measured {rows['measured']}, interval {rows['99 % interval']}, limits {rows['limits']}."
        drawn = svg.interval(found.value, ends, allowed, alt=alt)
        return card(self.claim, rows, note=f"{self.name}, a {SOURCES[self.source][0]}", picture=drawn)

    def row(self, item: str, *, judged: bool, recorded: Verdict | None) -> dict[str, Any]:
        """The claim of an item as it is written to claims.json.

        Parameters
        ----------
        judged : whether there is a verdict; a smaller scale has none.
        recorded : the verdict that is expected, if one is.
        """
        limits, found = self.limits.of(self.estimate), self.estimate
        verdict = self.verdict if judged else None
        return {
            "id": f"{item}.{self.name}",
            "item": item,
            "claim": self.claim,
            "source": self.source,
            "paper": self.paper,
            "measured": found.value,
            "interval": [found.low, found.high],
            "limits": [limits.low, limits.high],
            "verdict": verdict,
            "recorded": recorded,
            "holds": verdict == "confirmed",
        }
