"""Judges: what decides whether a sentence is true, written down before there are results.

A *measure* is a function of results, such as ``lost(ONE, 1.0)`` below: it returns a number for each independent run, or
an ``Estimate``. Judges are made of measures, each with the name of its claim, ``item.claim``, and what is measured:

    more("fig4.degrades", lost(ONE, 1.0), lost(K, 1.0), "accuracy lost since age 1, mean over older ages")
    same("fig4.no-trace", trace(K), 0, "R.D. of ages 1001 to 4000")
    printed("figS1.C", start(K, 1.0), 0.336, "C of the exponential fit", rounding=0.0005)

What a single measure measures need not be said again: without words, they are the first line of its docstring. The
same judge may stand in several sentences; it is computed once.
"""

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from slotfree import checks
from slotfree.study import estimate
from slotfree.study.claim import Claim, Limits, Printed, above, below, equal_to, within
from slotfree.study.estimate import Estimate
from slotfree.study.experiment import check_name
from slotfree.study.number_format import number
from slotfree.study.results import Results

P = ParamSpec("P")
T = TypeVar("T")
Measure: TypeAlias = Callable[[Results], Any]  # numbers of independent runs, or an Estimate
AnyLimits: TypeAlias = Limits | Printed
SomeLimits: TypeAlias = AnyLimits | Callable[[Results], AnyLimits]
Words: TypeAlias = str | Callable[[Results], str]

DIGITS = 3


def measure(function: Callable[Concatenate[Results, P], T]) -> Callable[P, Callable[[Results], T]]:
    """Turn a function of results and hashable arguments into ``f(*arguments)(results)``, which is computed once.

    Its docstring can hold arguments in braces; the first line is what a judge says of it that has no words. Braces that
    no argument can fill stay as they are.

    >>> @measure
    ... def warmest(r, experiment, unit):
    ...     "Highest temperature of each day, °{unit}."
    ...     return r[experiment]["temperature"].max("hour").values
    >>> more("weather.warm", warmest("summer", "C"), 20).words
    'highest temperature of each day, °C'
    """

    @wraps(function)
    def made(*arguments: P.args, **named: P.kwargs) -> Callable[[Results], T]:
        def of(r: Results) -> T:
            return r.once(function, *arguments, **named)

        of.__doc__ = function.__doc__
        if "{" in (of.__doc__ or ""):
            bound = inspect.signature(function).bind(None, *arguments, **named)
            bound.apply_defaults()
            filling = partial(_filled, values=dict(list(bound.arguments.items())[1:]))  # the first are the results
            of.__doc__ = re.sub(r"\{[^{}]*\}", filling, str(of.__doc__))
        return of

    return made


def _filled(braces: re.Match[str], values: Mapping[str, Any]) -> str:
    """Return what stands in braces with its value, or as it is if it is none: docstrings hold sets and formulas too."""
    if re.split(r"[.:[]", braces[0][1:-1])[0] not in values:
        return braces[0]
    try:
        return braces[0].format(**values)
    except (AttributeError, LookupError, TypeError, ValueError):
        return braces[0]


def said(measured: Measure) -> str:
    """Return the first line of a measure's docstring as words: with a small letter, and without a full stop.

    What is no function says nothing, such as one whose arguments ``partial`` gives: its docstring is that of its type.
    """
    line = ((inspect.isroutine(measured) and measured.__doc__) or "").strip().partition("\n")[0].removesuffix(".")
    return line[:1].lower() + line[1:] if line.startswith("A ") or line[1:2].islower() else line


def place_of_call() -> str:
    """Return the file and line that called the package from outside of ``study``, for error messages."""
    frame, here = sys._getframe(1), str(Path(__file__).parent)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((here, "<")):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}"


@dataclass(frozen=True, eq=False)
class Judge:
    """A claim that is decided as soon as there are results.

    Attributes
    ----------
    name : "item.claim": the item whose experiments it needs, and what it is called there.
    words : what is measured, or a function of the results that returns it; by default what a single measure says.
    decide : of the results, the estimate and, where two values are compared, these as a string.
    limits : where the estimate must lie for the sentence to be true.
    paper : the number that is printed, if one is.
    place : the file and line where it is declared.

    Examples
    --------
    >>> more("weather.warmer", lambda r: [21, 22, 24], 20, "temperature in °C").item
    'weather'
    """

    name: str
    words: Words
    decide: Callable[[Results], tuple[Estimate, str]]
    limits: SomeLimits
    paper: float | str = ""
    place: str = field(default_factory=place_of_call, repr=False)

    def __post_init__(self) -> None:
        item, dot, claim = str(self.name).partition(".")
        if not dot:
            raise ValueError(f"name must be item.claim, such as 'fig4.newest', not {checks.shown(self.name)}")
        check_name(item)
        check_name(claim)
        if not self.words or not (isinstance(self.words, str) or callable(self.words)):
            raise ValueError(f"words of {self.name} must say what is measured, not {checks.shown(self.words)}")

    @property
    def item(self) -> str:
        """The item whose results decide."""
        return self.name.partition(".")[0]

    def claim(self, r: Results, quote: str = "") -> Claim:
        """Decide: return the claim with its estimate and its limits.

        Parameters
        ----------
        quote : the sentence that it judges; without one the claim is our own.
        """
        found, compared = self.decide(r)
        words = self.words if isinstance(self.words, str) else self.words(r)
        return Claim(
            self.name.partition(".")[2],
            f"{words}: {compared}" if compared else words,
            source="paper" if quote else "ours",
            paper=quote if self.paper == "" else self.paper,
            estimate=found,
            limits=self.limits(r) if callable(self.limits) else self.limits,
        )


def judged(name: str, measured: Measure, limits: SomeLimits, words: Words = "", paper: float | str = "") -> Judge:
    """A measure within limits: an Estimate, or the mean of independent runs.

    Parameters
    ----------
    name, words, limits, paper : as in ``Judge``.
    measured : the measure.

    Examples
    --------
    >>> warm = judged("weather.warm", lambda r: [19.5, 21.0, 22.5], within(15, 25), "temperature in °C")
    """
    return Judge(name, words or said(measured), lambda r: (_one(measured(r)), ""), limits, paper)


def more(
    name: str, a: Measure, b: Measure | float, words: Words = "", *, paired: bool = False, median: bool = False
) -> Judge:
    """a is more than b: the difference of the means is above 0, or a is above the number b.

    Parameters
    ----------
    name, words : as in ``Judge``.
    a, b : measures, or for b a number.
    paired : whether a and b are measured in the same runs; otherwise runs are independent (Welch's t).
    median : whether medians of independent runs are compared, not means (bootstrap).

    Examples
    --------
    >>> warmer = more("weather.warmer", lambda r: [21, 22, 24], lambda r: [11, 13, 12], "temperature in °C")
    """
    return _compared(name, a, b, words, above, paired, median)


def less(
    name: str, a: Measure, b: Measure | float, words: Words = "", *, paired: bool = False, median: bool = False
) -> Judge:
    """a is less than b: the difference a − b is below 0, or a is below the number b.

    Parameters
    ----------
    name, words, a, b, paired, median : as in ``more``.

    Examples
    --------
    >>> cooler = less("weather.cooler", lambda r: [11, 13, 12], 20, "temperature in °C")
    """
    return _compared(name, a, b, words, below, paired, median)


def same(name: str, a: Measure, b: Measure | float, words: Words = "", *, paired: bool = False) -> Judge:
    """No difference of a and b is found; contradicted if one is.

    Parameters
    ----------
    name, words, a, b, paired : as in ``more``.

    Examples
    --------
    >>> steady = same("weather.steady", lambda r: [0.2, -0.1, -0.2], 0, "change of temperature in °C")
    """
    return _compared(name, a, b, words, equal_to, paired)


def between(name: str, a: Measure, low: float, high: float, words: Words = "") -> Judge:
    """The measure a lies from low to high, both included.

    Parameters
    ----------
    name, words : as in ``Judge``.
    a, low, high : the measure, and the ends.

    Examples
    --------
    >>> mild = between("weather.mild", lambda r: [14, 15, 17], 10, 20, "temperature in °C")
    """
    return judged(name, a, within(low, high), words)


def printed(name: str, a: Measure, value: float, words: Words = "", *, rounding: float, spread: float = 1.0) -> Judge:
    """a agrees with a printed number, by the sampling error of both and rounding.

    Parameters
    ----------
    name, words : as in ``Judge``.
    a : the measure.
    value, rounding, spread : the number, half a unit of its last digit, and its spread, as in ``Printed``.

    Examples
    --------
    >>> as_forecast = printed("weather.forecast", lambda r: [14, 15, 17], 15.2, "temperature in °C", rounding=0.05)
    """
    return judged(name, a, Printed(value, rounding, spread), words, paper=value)


def share_of_runs(name: str, happened: Measure, words: Words = "", *, limits: AnyLimits | None = None) -> Judge:
    """Something happened in most of the independent runs, or in a share of them within other limits.

    Parameters
    ----------
    name, words : as in ``Judge``.
    happened : the measure: true or false for each run.
    limits : of the share; defaults to more than one half.

    Examples
    --------
    >>> rainy = share_of_runs("weather.rainy", lambda r: [True, True, False], "days with rain")
    """

    def decide(r: Results) -> tuple[Estimate, str]:
        each = np.asarray(happened(r), bool)
        return estimate.share(int(each.sum()), each.size), f"{each.sum()} of {each.size} runs"

    return Judge(name, words or said(happened), decide, above(0.5) if limits is None else limits)


def never(name: str, count: Measure, words: Words = "") -> Judge:
    """Something never happened: a count without sampling error is 0.

    Parameters
    ----------
    name, words : as in ``Judge``.
    measured : the count.

    Examples
    --------
    >>> dry = never("weather.dry", lambda r: 0, "number of floods")
    """
    return Judge(name, words or said(count), lambda r: (estimate.exact(float(count(r))), ""), within(0, 0), 0.0)


def _compared(
    name: str,
    a: Measure,
    b: Measure | float,
    words: Words,
    limits: Callable[[float], AnyLimits],
    paired: bool,
    median: bool = False,
) -> Judge:
    """A judge of a against b, a measure or a number."""
    if not callable(b):
        one = (lambda r: estimate.median(a(r), seed=r.seed)) if median else a
        return judged(name, one, limits(float(b)), words or said(a))

    def decide(r: Results) -> tuple[Estimate, str]:
        x, y = np.asarray(a(r), np.float64), np.asarray(b(r), np.float64)
        middle = np.median if median else np.mean
        if median:
            found = estimate.median_difference(x, y, seed=r.seed)
        else:
            found = estimate.mean(x - y) if paired else estimate.difference(x, y)
        return found, f"{number(float(middle(x)), DIGITS)} against {number(float(middle(y)), DIGITS)}"

    return Judge(name, words, decide, limits(0.0))


def _one(found: Estimate | ArrayLike) -> Estimate:
    return found if isinstance(found, Estimate) else estimate.mean(found)
