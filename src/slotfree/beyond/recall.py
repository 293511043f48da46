"""Associative recall: slot-free attention that was trained beside its rivals, with states of the same size.

What is drawn and judged was measured by ``benchmarks/recall`` in a checkout, and is kept in ``recall.json``: this item
needs no PyTorch, and trains nothing. Hours of two cores make it again:

    make torch
    .venv/bin/python benchmarks/recall --out bench --record

Claims are those that the bench was made for, written before it was run whole; that of local rules with as many units
came after it. Learning rates are chosen by validation, for each model and kind of task at the smallest state, among 8
with 3 seeds and half of the steps; 5 fresh seeds are reported. Where there are none yet, the 3 seeds with the chosen
rate stand in their place, which is said. Memories that learnt 16 pairs are scored on a stream, as next to none of them
learns anything from the stream itself in 300 steps.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.study import estimate
from slotfree.study.claim import Limits, at_least, at_most, within
from slotfree.study.estimate import Estimate
from slotfree.study.item import Item
from slotfree.study.judge import Judge, judged, less, measure, more
from slotfree.study.results import Results

RECORD = Path(__file__).with_suffix(".json")
STATES = (1024, 2048, 4096)
PAIRS, REASSIGNED, STREAM = "16 pairs", "16 pairs, reassigned", "stream by age"
KINDS = {"pairs": PAIRS, "reassigned": REASSIGNED, "stream": STREAM}
BY_STATE = (PAIRS, "32 pairs", "64 pairs", REASSIGNED, STREAM)
LEVEL, ENOUGH = 0.01, 0.99
LEARNT = 2 / 64  # twice guessing: two models that are below it are not level, as neither has learnt the task
NEWEST, OLDER = (1, 2, 4, 8), (32, 64)  # lower ends of bins: ages 1 to 15, and 32 to 127
OLDEST, LOCAL, START = "slot-free, oldest", "slot-free, oldest, local", "slot-free, start (the paper's)"
SOFTMAX, DELTA, RING, RAVEN = "softmax (grows)", "delta", "Hopfield, last n", "Raven's store"
CROWDING, THROUGH = "slot-free, start, crowding", "slot-free, start, straight-through"
SLOT_FREE = {
    OLDEST: "match or oldest",
    "slot-free, oldest, k=2": "k = 2",
    "slot-free, oldest, k=2, f=1/2": "k = 2, f = 1/2",
    "slot-free, oldest, ε=1/2": "ε = 1/2",
    LOCAL: "local rules",
    "slot-free, key": "hashed units",
    START: "paper's start",
    CROWDING: "start, crowding",
    THROUGH: "straight-through",
}
RIVALS = {
    SOFTMAX: "softmax, a slot for each item",
    RING: "Hopfield layer, last n items",
    "linear": "linear attention",
    DELTA: "delta rule",
    "gated delta": "gated delta rule",
    RAVEN: "Raven's store",
}
LABELS = {OLDEST: "slot-free, match or oldest", LOCAL: "the same, local rules", **RIVALS}
COLOURS = {
    SOFTMAX: BLACK,
    RING: SKY,
    "linear": PURPLE,
    DELTA: BLUE,
    "gated delta": GREEN,
    RAVEN: ORANGE,
}
MARKERS = {OLDEST: "o", LOCAL: "h", SOFTMAX: "s", RING: "v", "linear": "P", DELTA: "D", "gated delta": "^", RAVEN: "X"}


@dataclass(frozen=True)
class Row:
    """A model on a task with a state of some size, in independent runs.

    Attributes
    ----------
    floats, touched : numbers in a state, and how many of them a write changes; None if a state grows.
    accuracies : of each run, on sequences that were neither trained on nor chosen by.
    ages : the same by the lower ends of bins of ages.
    steps, fresh : of training; whether the seeds are others than those that chose the learning rate.
    diverged : runs that did; they count as guessing.
    """

    model: str
    task: str
    state: int
    learning_rate: float
    floats: float | None
    touched: float | None
    diverged: int
    accuracies: list[float]
    steps: int
    fresh: bool
    ages: dict[str, list[float]] = field(default_factory=dict)


@cache
def recorded() -> dict[tuple[str, str, int], Row]:
    """All rows, by model, task and size of the state."""
    rows = (Row(**row) for row in json.loads(RECORD.read_text(encoding="utf-8")))
    return {(row.model, row.task, row.state): row for row in rows}


@measure
def accuracy(r: Results, model: str, task: str, state: int = STATES[0]) -> NDArray[np.float64]:
    """Accuracy of each run; NaN if there is none."""
    row = recorded().get((model, task, state))
    return np.array(row.accuracies if row else [np.nan])


@measure
def of_ages(r: Results, model: str, state: int, ages: Sequence[int]) -> NDArray[np.float64]:
    """Accuracy of each run over bins of ages, which are twice as wide as those before."""
    row = recorded().get((model, STREAM, state))
    return np.average([row.ages[str(age)] for age in ages], axis=0, weights=ages) if row else np.array([np.nan])


@measure
def lead(r: Results, a: Callable[[Results], Any], b: Callable[[Results], Any]) -> Estimate:
    """How much a is more than b, in independent runs; unknown if neither has learnt anything."""
    x, y = a(r), b(r)
    if max(x.mean(), y.mean()) < LEARNT:
        return Estimate(float(x.mean() - y.mean()), np.nan, np.nan)
    return estimate.difference(x, y)


@measure
def touched(r: Results, model: str, other: str, state: int = STATES[0]) -> Estimate:
    """Numbers that a write of a model changes, for each that one of another does."""
    a, b = (recorded().get((each, PAIRS, state)) for each in (model, other))
    return estimate.exact(a.touched / b.touched if a and b and a.touched and b.touched else np.nan)


def level(name: str, task: str, model: str, other: str, words: str, state: int = STATES[0]) -> Judge:
    """A claim that two models are as accurate."""
    a, b = accuracy(model, task, state), accuracy(other, task, state)
    return near(f"recall.{name}", a, b, f"{words}, {task}, {state} numbers: within {LEVEL}")


def near(name: str, a: Callable[[Results], Any], b: Callable[[Results], Any], words: str) -> Judge:
    """A claim that a and b are within 0.01 of each other, which says what both are."""

    def both(r: Results) -> str:
        return f"{words}: {np.mean(a(r)):.3g} against {np.mean(b(r)):.3g}"

    return judged(name, lead(a, b), within(-LEVEL, LEVEL), both)


def claims() -> Iterator[Judge]:
    """What the bench was made to decide."""
    enough: Limits = at_least(ENOUGH)
    words = f"at least {ENOUGH}, or the harness is wrong"
    yield judged("recall.harness-softmax", accuracy(SOFTMAX, PAIRS), enough, f"softmax, {PAIRS}: {words}")
    for state in STATES:
        name = f"recall.harness-delta-{state}"
        yield judged(name, accuracy(DELTA, PAIRS, state), enough, f"delta rule, {PAIRS}, {state} numbers: {words}")
    for name, task in KINDS.items():
        yield level(f"local-{name}", task, LOCAL, OLDEST, "local rules and backpropagation")
    for name in ("pairs", "reassigned"):
        task = KINDS[name]
        words = f"local rules with {STATES[1]} numbers (17 units) and backpropagation with {STATES[0]} (20), {task}"
        local, trained = accuracy(LOCAL, task, STATES[1]), accuracy(OLDEST, task)
        yield near(f"recall.local-units-{name}", local, trained, f"{words}: within {LEVEL}")
    for task in BY_STATE:
        for state in STATES:
            name = f"delta-{task.replace(', ', '-').replace(' ', '-')}-{state}"
            yield level(name, task, OLDEST, DELTA, "slot-free and the delta rule", state)
    for name, task in KINDS.items():
        at = f"{task}, {STATES[0]} numbers"
        of = f"accuracy with the paper's own address rule and with match or oldest, {at}"
        yield less(f"recall.paper-{name}", accuracy(START, task), accuracy(OLDEST, task), of)
        of = f"accuracy with an address rule and with a learnt router, Raven's store, {at}"
        yield more(f"recall.router-{name}", accuracy(OLDEST, task), accuracy(RAVEN, task), of)
    for state in STATES:
        yield more(
            f"recall.newest-{state}",
            of_ages(OLDEST, state, NEWEST),
            of_ages(DELTA, state, NEWEST),
            f"accuracy of slot-free and of the delta rule in a stream, ages 1 to 15, {state} numbers",
        )
        yield less(
            f"recall.older-{state}",
            of_ages(OLDEST, state, OLDER),
            of_ages(DELTA, state, OLDER),
            f"accuracy of slot-free and of the delta rule in a stream, ages 32 to 127, {state} numbers",
        )
    yield level("ring", STREAM, OLDEST, RING, "slot-free and a ring of the last items")
    yield level("crowding", PAIRS, CROWDING, OLDEST, "a random start with a loss on crowding, and match or oldest")
    for name, model in (("crowding-reassigned", CROWDING), ("through-reassigned", THROUGH)):
        of = f"accuracy of {model} and of match or oldest, {REASSIGNED}, {STATES[0]} numbers"
        yield less(f"recall.{name}", accuracy(model, REASSIGNED), accuracy(OLDEST, REASSIGNED), of)
    share = "numbers that a write of slot-free changes, for each that one of the delta rule does: at most 1/20"
    yield judged("recall.touched", touched(OLDEST, DELTA), at_most(1 / 20), share)


def draw(r: Results) -> Picture:
    """Draw accuracy against state (A), by age (B), against numbers touched (C), and by address rule (D)."""
    picture = Picture(3, 3, width=11, height=3.1)
    for axis, task in zip((*picture.axes[0], *picture.axes[1, :2]), BY_STATE, strict=True):
        draw_states(picture, axis, task)
    draw_ages(picture, picture.axes[1, 2])
    draw_touched(picture, picture.axes[2, 0])
    for axis, task in zip(picture.axes[2, 1:], (PAIRS, REASSIGNED), strict=True):
        draw_rules(picture, axis, task, names=task == PAIRS)
    for letter, row, column in (("A", 0, 0), ("B", 1, 2), ("C", 2, 0), ("D", 2, 1)):
        axis = picture.axes[row, column]
        picture.panel(axis, letter, axis.get_title())
    words = "mean ± 1 s.e. of 5 seeds, and faint: each seed"
    if not all(row.fresh for row in recorded().values()):
        words += "; open marks: 3 seeds, half the steps"
    picture.legend_below(picture.axes[0, 0], 4, words)
    return picture


def bars(runs: Sequence[float]) -> tuple[float, float]:
    """The mean of runs, and its standard error."""
    return float(np.mean(runs)), float(np.std(runs, ddof=1) / np.sqrt(len(runs)))


def point(axis: Axes, x: float, row: Row, runs: Sequence[float], *, upright: bool = True, **look: Any) -> None:
    """A mark with its standard error, open if runs are not fresh, and a faint one for each run."""
    value, reach = bars(runs)
    across, up = (x, value) if upright else (value, x)
    error: dict[str, Any] = {"yerr" if upright else "xerr": reach}
    face = look["color"] if row.fresh else "white"
    each = ([x] * len(runs), runs) if upright else (runs, [x] * len(runs))
    axis.plot(*each, ".", color=look["color"], ms=4, alpha=0.35, mec="none", zorder=3)
    axis.errorbar(across, up, **error, capsize=2, lw=1.2, mfc=face, zorder=4, **look)


def line(model: str) -> dict[str, Any]:
    """How the line of a model looks."""
    width = 2.2 if model == OLDEST else 1.2
    return {"color": COLOURS.get(model, VERMILION), "ls": "--" if model == LOCAL else "-", "lw": width}


def draw_states(picture: Picture, axis: Axes, task: str) -> None:
    """Draw accuracy of each model against the size of the state."""
    for model, label in LABELS.items():
        rows = [row for state in STATES if (row := recorded().get((model, task, state)))]
        colour, marker = COLOURS.get(model, VERMILION), MARKERS[model]
        axis.plot([], [], marker=marker, ms=5, label=label, **line(model) | {"lw": None})
        if model == SOFTMAX:
            for row in rows:
                axis.axhline(bars(row.accuracies)[0], color=colour, lw=1, ls=":")
        elif rows:
            means = [bars(row.accuracies)[0] for row in rows]
            axis.plot([row.state for row in rows], means, **line(model))
            for row in rows:
                point(axis, row.state, row, row.accuracies, color=colour, marker=marker, ms=5)
        for row in rows:
            value, reach = bars(row.accuracies)
            picture.record(
                {
                    "task": task,
                    "state": row.state,
                    "model": model,
                    "accuracy": value,
                    "standard_error": reach,
                    "runs": len(row.accuracies),
                    "fresh": row.fresh,
                    "learning_rate": row.learning_rate,
                    "diverged": row.diverged,
                }
            )
    axis.set_xscale("log", base=2)
    axis.set_xticks(STATES, [f"{state:,}" for state in STATES])
    axis.minorticks_off()
    axis.set(ylim=(-0.03, 1.05), xlim=(900, 4700), title=task, xlabel="numbers in a state", ylabel="accuracy")


def draw_ages(picture: Picture, axis: Axes) -> None:
    """Draw accuracy by age in a stream, with the smallest state."""
    for model in LABELS:
        row = recorded().get((model, STREAM, STATES[0]))
        if row is None:
            continue
        colour, ages = COLOURS.get(model, VERMILION), [int(age) for age in row.ages]
        means = [bars(runs)[0] for runs in row.ages.values()]
        axis.plot(ages, means, **line(model))
        for age, runs in row.ages.items():
            point(axis, int(age), row, runs, color=colour, marker=MARKERS[model], ms=4)
            value, reach = bars(runs)
            picture.record({"model": model, "age": int(age), "accuracy": value, "standard_error": reach}, table="-ages")
    axis.axhline(1 / 64, color=GREY, lw=0.8, ls=":")
    axis.set_xscale("log", base=2)
    ends = (1, 4, 16, 64)
    axis.set_xticks(ends, [f"{end}–{2 * end - 1}" if end > 1 else "1" for end in ends])
    axis.minorticks_off()
    title = f"stream by age, {STATES[0]:,} numbers"
    axis.set(ylim=(-0.03, 1.05), title=title, xlabel="items since it was stored", ylabel="accuracy")


def draw_touched(picture: Picture, axis: Axes) -> None:
    """Draw accuracy where keys are reassigned against the numbers that a write changes."""
    for model in LABELS | SLOT_FREE:
        row = recorded().get((model, REASSIGNED, STATES[0]))
        if row is None or row.touched is None:
            continue
        colour, marker = COLOURS.get(model, VERMILION), MARKERS.get(model, ".")
        point(axis, row.touched, row, row.accuracies, color=colour, marker=marker, ms=6)
        value, reach = bars(row.accuracies)
        numbers = {"touched": row.touched, "floats": row.floats, "accuracy": value, "standard_error": reach}
        picture.record({"model": model, **numbers}, table="-touched")
    axis.set_xscale("log")
    title = f"reassigned, {STATES[0]:,} numbers"
    axis.set(ylim=(-0.03, 1.05), xlim=(30, 1500), title=title, xlabel="numbers changed by a write", ylabel="accuracy")


def draw_rules(picture: Picture, axis: Axes, task: str, *, names: bool) -> None:
    """Draw accuracy by address rule, k, f, ε and what weights learn by."""
    for place, (model, label) in enumerate(SLOT_FREE.items()):
        row = recorded().get((model, task, STATES[0]))
        if row is None:
            continue
        point(axis, place, row, row.accuracies, upright=False, color=VERMILION, marker=MARKERS.get(model, "."), ms=7)
        value, reach = bars(row.accuracies)
        numbers = {"rule": label, "floats": row.floats, "accuracy": value, "standard_error": reach}
        picture.record({"task": task, **numbers}, table="-rules")
    axis.set_yticks(range(len(SLOT_FREE)), list(SLOT_FREE.values()) if names else [""] * len(SLOT_FREE), fontsize=7)
    axis.set(ylim=(len(SLOT_FREE) - 0.5, -0.5), xlim=(-0.03, 1.05), title=task, xlabel="accuracy")
    axis.grid(axis="y", lw=0.4, color="0.9")


ITEM = Item(
    name="recall",
    title="Slot-free attention beside its rivals, trained, with states of the same size",
    text="Memories are trained on pairs of keys and values, with states of one size. Match or oldest is level with "
    "the delta rule for 16 pairs, and changes 50 numbers where that changes all; with more pairs than units (32 pairs, "
    "1024 numbers) it loses by far. Local rules are level with backpropagation given as many units, for which their "
    "state is twice as large. The paper's own address rule recalls 56 to 65 % of 16 pairs. In a stream match or oldest "
    "holds the last items whole and nothing older, where the delta rule fades.",
    alt="Nine panels. Accuracy of eight memories against the size of their state on five tasks of associative recall; "
    "accuracy by age in a stream; accuracy against how many numbers a write changes; and accuracy of nine ways of "
    "slot-free storage on two tasks.",
    experiments=(),
    draw=draw,
    claims=tuple(claims()),
)
