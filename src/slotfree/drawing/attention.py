"""Inside a transformer, for one context and one query: who stored what, what is attended to, what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.slot_free import SlotFreeTrace, SlotFreeTransformer
from slotfree.attention.weights import Weights
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREEN, GREY, LIGHT_GREY, ORANGE, VERMILION, in_style
from slotfree.tasks.base import Task, output_names, token_names
from slotfree.tasks.sequences import NO_ANSWER, Sequences
from slotfree.tasks.whole import one_sequence

Values = NDArray[np.float64]

MOST_UNITS = 40  # of which each is drawn, whether it stored something or not
MOST_BARS = 24  # of tokens, or of outputs
REST = "others"


def show_attention(
    model: SlotFreeTransformer | BaselineTransformer,
    weights: Weights,
    task: Task,
    context: Any,
    query: Any,
    *,
    seed: checks.Seed = 0,
) -> Picture:
    """Draw what a trained model does with one context and one query, step by step, as ``model.inspect`` finds it.

    Of a ``SlotFreeTransformer``: which hidden unit, or units, stored each item; how much the query attends to each
    unit; the input that is thereby reinstated, by token; and the output. A ``BaselineTransformer`` keeps each item in a
    slot of its own and attends to slots.

    Parameters
    ----------
    weights : of one model, such as ``result.weights[0]``.
    context, query : such as "bADc" and "d", or whatever the task reads.
    seed : of the fast weights that are there before the context.
    """
    if not isinstance(model, SlotFreeTransformer | BaselineTransformer):
        raise TypeError(f"model must be a SlotFreeTransformer or a BaselineTransformer, not {checks.shown(model)}")
    sequence = one_sequence(task, context, query)
    items, names = _item_names(task, sequence), [str(name) for name in token_names(task)]
    asked = names[int(sequence.queries[0, 0])]
    if isinstance(model, BaselineTransformer):
        inside: Any = model.inspect(weights, task, context, query)
        output = inside.output
    else:
        inside = model.inspect(weights, task, context, query, seed=seed)
        output = inside.stored_output
    shown = _Answer(
        asked, names, [str(name) for name in output_names(task)], inside.reinstated, output, _right(sequence)
    )
    with in_style():
        if isinstance(model, BaselineTransformer):
            return _slots(items, inside.attention, shown)
        return _units(items, inside, shown)


@dataclass(frozen=True)
class _Answer:
    """What is asked, what is reinstated, and what comes out."""

    asked: str
    tokens: list[str]
    outputs: list[str]
    reinstated: Values
    output: Values
    right: int

    @property
    def given(self) -> int:
        """The number of the largest output."""
        return int(self.output.argmax())

    @property
    def words(self) -> str:
        """How right it is."""
        if self.right == NO_ANSWER:
            return f"the answer is {self.outputs[self.given]}"
        fine = "right" if self.given == self.right else f"wrong: {self.outputs[self.right]} would be right"
        return f"the answer is {self.outputs[self.given]}, which is {fine}"


def _units(items: Sequence[str], inside: SlotFreeTrace, answer: _Answer) -> Picture:
    """Draw who stored what and what is attended, one below the other, and the answer beside them."""
    winners = inside.winners.reshape(len(items), -1)
    n_units = len(inside.attention)
    used = np.unique(winners)
    shown = np.arange(n_units) if n_units <= MOST_UNITS else used
    height = float(np.clip(0.28 * len(items), 1.2, 4.5))
    picture = Picture(2, 2, width=9.5, height=(height + 2.0) / 2, width_ratios=(2.2, 1), height_ratios=(height, 1.7))
    stored, attended = picture.axes[0, 0], picture.axes[1, 0]
    _draw_stored(picture, stored, items, winners, shown, inside)
    _draw_attended(picture, attended, inside.attention, shown, winners, answer.asked)
    _draw_bars(
        picture, picture.axes[0, 1], answer.reinstated, answer.tokens, "reinstated input, by token", "reinstated"
    )
    _draw_output(picture, picture.axes[1, 1], answer)
    held = [_held(winners, item) for item in range(len(items))]
    top = int(inside.attention.argmax())
    best = [items[item] for item in range(len(items)) if top in winners[item, held[item]]]
    lost = sum(not each.any() for each in held)
    each = "unit" if winners.shape[1] == 1 else f"{winners.shape[1]} units"
    picture.alt = (
        f"Above, which of {n_units:,} hidden units stored the items {', '.join(items)}, {each} each; {lost} "
        f"{'item was' if lost == 1 else 'items were'} overwritten. Below, attention to each unit for the query "
        f"{answer.asked}: most, {inside.attention[top]:.2f}, goes to unit {top}"
        f"{f', which holds {best[-1]}' if best else ', which stored no item'}. Right, the reinstated input and the "
        f"output: {answer.words}."
    )
    return picture


def _draw_stored(
    picture: Picture,
    axis: Axes,
    items: Sequence[str],
    winners: NDArray[np.int64],
    shown: NDArray[np.int64],
    inside: SlotFreeTrace,
) -> None:
    """Draw a row for each item, a column for each unit: full where a unit holds it, crossed out where it was taken."""
    column = {int(unit): place for place, unit in enumerate(shown)}
    for item, units in enumerate(winners):
        held = _held(winners, item)
        for unit, is_held in zip(units.tolist(), held.tolist(), strict=True):
            x, y = column[unit], item
            colour = BLUE if is_held else ORANGE
            look = {"fc": colour} if is_held else {"fill": False}
            axis.add_patch(Rectangle((x - 0.4, y - 0.4), 0.8, 0.8, ec=colour, lw=1.2, **look))
            if not is_held:
                axis.plot([x - 0.4, x + 0.4], [y + 0.4, y - 0.4], color=colour, lw=1.2)
            picture.record({"item": items[item], "position": item + 1, "unit": unit, "held": is_held}, table="-stored")
    axis.set(xlim=(-0.6, len(shown) - 0.4), ylim=(len(items) - 0.4, -0.6))
    axis.set_yticks(range(len(items)), items)
    axis.set_title(f"stored: which {'unit holds' if winners.shape[1] == 1 else 'units hold'} each item")
    axis.set_ylabel("item")
    _unit_ticks(axis, shown)
    axis.grid(axis="y", color="#EEEEEE", lw=0.8, zorder=0)
    axis.set_axisbelow(True)


def _held(winners: NDArray[np.int64], item: int) -> NDArray[np.bool_]:
    """Which of an item's units were not taken by a later item."""
    return ~np.isin(winners[item], winners[item + 1 :])


def _draw_attended(
    picture: Picture, axis: Axes, attention: Values, shown: NDArray[np.int64], winners: NDArray[np.int64], asked: str
) -> None:
    """Draw how much each unit is attended; those that are not shown have one bar."""
    used = np.isin(shown, winners)
    axis.bar(np.arange(len(shown)), attention[shown], 0.8, color=np.where(used, VERMILION, LIGHT_GREY).tolist())
    names = [str(unit) for unit in shown]
    values = attention[shown].tolist()
    if len(shown) < len(attention):
        values.append(max(0.0, float(1 - attention[shown].sum())))
        names.append(REST)
        axis.bar(len(shown) + 0.5, values[-1], 0.8, color=LIGHT_GREY)
        axis.text(len(shown) + 0.5, values[-1] + 0.03, REST, fontsize=7, ha="center", color=DARK_GREY)
    axis.set(xlim=(-0.6, len(names) + 0.1 if len(names) > len(shown) else len(shown) - 0.4), ylim=(0, 1.05))
    axis.set_title(f"attention to each unit, query {asked}")
    axis.set(ylabel="attention", xlabel="hidden unit")
    _unit_ticks(axis, shown)
    picture.record_columns({"unit": names, "attention": values}, table="-attention")


def _unit_ticks(axis: Axes, shown: NDArray[np.int64]) -> None:
    """Number the units, as many as can be read."""
    step = -(-len(shown) // 20)
    axis.set_xticks(range(0, len(shown), step), [str(unit) for unit in shown[::step]], fontsize=7)
    axis.tick_params(length=2)


def _slots(items: Sequence[str], attention: Values, answer: _Answer) -> Picture:
    """Draw attention to slots, the reinstated input and the output, beside each other."""
    picture = Picture(1, 3, width=9.5, height=2.9, width_ratios=(1.3, 1.3, 1))
    axis = picture.axes[0, 0]
    axis.bar(range(len(items)), attention, 0.8, color=VERMILION)
    axis.set_xticks(range(len(items)), items, rotation=90 if max(map(len, items)) * len(items) > 40 else 0)
    axis.set(ylim=(0, 1.05), ylabel="attention", xlabel="item, each in a slot of its own")
    axis.set_title(f"attention to each item, query {answer.asked}")
    for position, (item, value) in enumerate(zip(items, attention.tolist(), strict=True), 1):
        picture.record({"item": item, "position": position, "attention": value}, table="-attention")
    _draw_bars(
        picture, picture.axes[0, 1], answer.reinstated, answer.tokens, "reinstated input, by token", "reinstated"
    )
    _draw_output(picture, picture.axes[0, 2], answer)
    top = int(attention.argmax())
    picture.alt = (
        f"Attention of a transformer to the items {', '.join(items)} for the query {answer.asked}: most, "
        f"{attention[top]:.2f}, goes to {items[top]}. Beside it the reinstated input and the output: {answer.words}."
    )
    return picture


def _draw_bars(picture: Picture, axis: Axes, values: Values, names: Sequence[str], title: str, table: str) -> None:
    """Draw a number for each name; of many, the largest in magnitude."""
    shown = np.sort(np.argsort(-np.abs(values), kind="stable")[:MOST_BARS])
    axis.bar(range(len(shown)), values[shown], 0.8, color=BLACK)
    _name_bars(axis, [names[i] for i in shown])
    left = f" ({len(shown)} largest of {len(values)})" if len(shown) < len(values) else ""
    axis.set_title(f"{title}{left}")
    axis.axhline(0, color=GREY, lw=0.6)
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 1.0)
    axis.set_ylim(1.1 * low, 1.08 * high)
    picture.record_columns({"name": names, "value": values}, table=f"-{table}")


def _draw_output(picture: Picture, axis: Axes, answer: _Answer) -> None:
    """Draw the outputs, the largest of them in green if it is right."""
    _draw_bars(picture, axis, answer.output, answer.outputs, "output", "output")
    shown = np.sort(np.argsort(-np.abs(answer.output), kind="stable")[:MOST_BARS])
    places = {int(number): place for place, number in enumerate(shown)}
    if answer.given in places:
        known = answer.right != NO_ANSWER
        colour = BLUE if not known else GREEN if answer.given == answer.right else ORANGE
        axis.patches[places[answer.given]].set_facecolor(colour)
    if answer.right == NO_ANSWER:
        axis.set_title(f"output: {answer.outputs[answer.given]}")
        return
    verdict = "right" if answer.given == answer.right else f"wrong, not {answer.outputs[answer.right]}"
    axis.set_title(f"output: {answer.outputs[answer.given]}, {verdict}")


def _name_bars(axis: Axes, names: Sequence[str]) -> None:
    crowded = sum(map(len, names)) + len(names) > 32
    axis.set_xticks(range(len(names)), names, rotation=90 if crowded else 0, fontsize=7 if crowded else 8)
    axis.tick_params(axis="x", length=0)


def _item_names(task: Task, sequence: Sequences) -> list[str]:
    """The items of a context as one writes them."""
    names = [str(name) for name in token_names(task)]
    return ["".join(names[token] for token in item) for item in sequence.items[0].tolist()]


def _right(sequence: Sequences) -> int:
    return int(sequence.targets[0, 0])
