"""Inside a transformer, for one context and one query: who stored what, what is attended to, what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.baseline import BaselineTrace, BaselineTransformer
from slotfree.attention.slot_free import SlotFreeTrace, SlotFreeTransformer
from slotfree.attention.weights import Weights
from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.stored_items import Held, draw_attention, draw_stored, shown_units
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, in_style
from slotfree.tasks.base import Task, n_item_tokens, output_names, token_names
from slotfree.tasks.given_sequences import one_sequence
from slotfree.tasks.sequences import NO_ANSWER, Sequences

Values = NDArray[np.float64]

MOST_BARS = 14  # that can be told apart; of more, the largest are drawn
FEW = 5  # bars as wide as a word
CROWDED = 30  # letters below bars, of which more are written upwards
ROW, LEAST, MOST = 0.28, 1.2, 4.5  # inches: of an item, and of all of them
LOWER = 1.9


@dataclass(frozen=True)
class _Answer:
    """What is asked, what is reinstated, and what comes out.

    Attributes
    ----------
    asked : the name of the query.
    tokens, outputs : their names.
    reinstated, output : a number for each.
    right : the number of the right output, or ``NO_ANSWER``.
    """

    asked: str
    tokens: Sequence[str]
    outputs: Sequence[str]
    reinstated: Values
    output: Values
    right: int

    @property
    def given(self) -> int:
        """The number of the largest output."""
        return int(self.output.argmax())

    @property
    def verdict(self) -> str:
        """Whether the largest output is the right one; empty where none is known."""
        if self.right == NO_ANSWER:
            return ""
        return "right" if self.given == self.right else "wrong"

    @property
    def words(self) -> str:
        """The answer in a sentence."""
        told = f", which is {self.verdict}" if self.verdict else ""
        instead = f"; {self.outputs[self.right]} is right" if self.verdict == "wrong" else ""
        return f"the answer is {self.outputs[self.given]}{told}{instead}"


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

    Of a ``SlotFreeTransformer``: which hidden units stored each item, how much the query attends to each unit, the
    input that is thereby reinstated, by token, and the output. Units that stored no item are attended to as well. In
    the paper's storage they add noise. With the default ``sf.Winners`` they hold nothing, and what is read is divided
    by the share of the others. With ``sf.Winners(rate=...)`` below 1 a unit keeps some of its earlier items. A
    ``BaselineTransformer`` keeps each item in a slot of its own and attends to slots.

    Parameters
    ----------
    weights : of one model, such as ``result.weights[0]``.
    context, query : such as "bADc" and "d", or whatever else the task reads.
    seed : of the fast weights that are there before the context.

    Returns
    -------
    A picture, with the tables "-stored", "-attention", "-reinstated" and "-output".

    Examples
    --------
    >>> import slotfree as sf
    >>> task = sf.CaseSequenceTask(n_letters=4, context_length=4)
    >>> model = sf.BaselineTransformer()
    >>> weights = sf.train(model, task, runs=1, iterations=10, seed=0).weights[0]
    >>> show_attention(model, weights, task, "bADc", "d").axes.shape
    (1, 3)
    """
    if not isinstance(model, SlotFreeTransformer | BaselineTransformer):
        raise TypeError(f"model must be a SlotFreeTransformer or a BaselineTransformer, not {checks.shown(model)}")
    if not isinstance(weights, Weights):
        raise TypeError(f"weights must be those of one model, such as result.weights[0], not {checks.shown(weights)}")
    sequence = one_sequence(task, context, query)
    items = item_names(task, sequence)
    if isinstance(model, BaselineTransformer):
        slots = model.inspect(weights, task, context, query)
        with in_style():
            return _of_slots(items, slots, _answer(task, sequence, slots.reinstated, slots.output))
    units = model.inspect(weights, task, context, query, seed=seed)
    with in_style():
        return _of_units(items, units, _answer(task, sequence, units.reinstated, units.stored_output))


def item_names(task: Task, sequence: Sequences) -> list[str]:
    """Return the items of the first context as one writes them: the names of their tokens."""
    names = [str(name) for name in token_names(task)]
    between = "" if all(len(name) == 1 for name in names[: n_item_tokens(task)]) else " "
    return [between.join(names[token] for token in item) for item in sequence.items[0].tolist()]


def _answer(task: Task, sequence: Sequences, reinstated: Any, output: Any) -> _Answer:
    tokens, outputs = ([str(name) for name in names(task)] for names in (token_names, output_names))
    asked, right = tokens[int(sequence.queries[0, 0])], int(sequence.targets[0, 0])
    return _Answer(asked, tokens, outputs, reinstated, output, right)


def _of_units(items: Sequence[str], inside: SlotFreeTrace, answer: _Answer) -> Picture:
    """Draw who stored what and what is attended to, one below the other, and the answer beside them."""
    winners = inside.winners.reshape(len(items), -1)
    held = Held(winners, replaces=bool((inside.g[1, winners[0]] == 1).all()))  # a unit's first item: g is the rate
    units = shown_units(winners, len(inside.attention))
    upper = float(np.clip(ROW * len(items), LEAST, MOST))
    ratios = {"width_ratios": (2.2, 1), "height_ratios": (upper, LOWER)}
    picture = Picture(2, 2, width=9.5, height=(upper + LOWER + 1.1) / 2, **ratios)
    draw_stored(picture, picture.axes[0, 0], items, held, units)
    draw_attention(picture, picture.axes[1, 0], items, held, units, inside.attention)
    picture.axes[1, 0].set_title(f"attended: to units, for the query {literal(answer.asked)}")
    _draw_reinstated(picture, picture.axes[0, 1], answer)
    _draw_output(picture, picture.axes[1, 1], answer)
    picture.alt = _told(items, held, inside, answer)
    return picture


def _told(items: Sequence[str], held: Held, inside: SlotFreeTrace, answer: _Answer) -> str:
    """What is seen of units."""
    top = int(inside.attention.argmax())
    names = " and ".join(items[item] for item in held.items_in(top))
    what = f"{'holds' if held.replaces else 'stored'} {names}" if names else "stored no item"
    k = held.winners.shape[1]
    each = "one unit" if k == 1 else f"{k} units"
    return (
        f"Above, which of {len(inside.attention):,} hidden units stored the items {', '.join(items)}, {each} each; "
        f"{_fate(held)}. Below, attention to each unit for the query {answer.asked}: most, "
        f"{inside.attention[top]:.2f}, goes to unit {top}, which {what}. On the right, "
        f"the reinstated input and the output: {answer.words}."
    )


def _fate(held: Held) -> str:
    """What became of items in units that later ones took."""
    every = range(len(held.winners))
    if held.replaces:
        lost = sum(not held.alone(item).size for item in every)
        return "none was overwritten" if not lost else f"{lost} {'was' if lost == 1 else 'were'} overwritten"
    shared = sum(held.alone(item).size < held.winners.shape[1] for item in every)
    if not shared:
        return "none shares a unit with a later one"
    return f"{shared} {'shares' if shared == 1 else 'share'} units with later ones, which weaken what these hold of it"


def _of_slots(items: Sequence[str], inside: BaselineTrace, answer: _Answer) -> Picture:
    """Draw attention to slots, the reinstated input and the output, beside each other."""
    picture = Picture(1, 3, width=9.5, height=2.9, width_ratios=(1.3, 1.3, 1))
    axis, attention = picture.axes[0, 0], inside.attention
    axis.bar(range(len(items)), attention, 0.8, color=VERMILION)
    crowded = (max(map(len, items)) + 1) * len(items) > 40
    axis.set_xticks(range(len(items)), map(literal, items), rotation=90 if crowded else 0)
    axis.set(ylim=(0, 1.05), ylabel="attention", xlabel="item, each in a slot of its own")
    axis.set_title(f"attended: to items, for the query {literal(answer.asked)}")
    columns = {"item": items, "position": range(1, len(items) + 1), "attention": attention}
    picture.record_columns(columns, table="-attention")  # type: ignore[arg-type]
    _draw_reinstated(picture, picture.axes[0, 1], answer)
    _draw_output(picture, picture.axes[0, 2], answer)
    top = int(attention.argmax())
    picture.alt = (
        f"Attention of a transformer to the items {', '.join(items)} for the query {answer.asked}: most, "
        f"{attention[top]:.2f}, goes to {items[top]}. Beside it, the reinstated input and the output: {answer.words}."
    )
    return picture


def _draw_reinstated(picture: Picture, axis: Axes, answer: _Answer) -> None:
    """Draw the reinstated input, and record it."""
    drawn = _bars(axis, answer.reinstated, answer.tokens)
    n = len(answer.tokens)
    axis.set_title(f"reinstated: {f'{len(drawn)} of {n:,} tokens' if len(drawn) < n else 'input by token'}")
    picture.record_columns({"token": answer.tokens, "value": answer.reinstated}, table="-reinstated")


def _draw_output(picture: Picture, axis: Axes, answer: _Answer) -> None:
    """Draw the output, and record it; the title and the colour of the largest say whether it is right."""
    drawn = _bars(axis, answer.output, answer.outputs, answer.right)
    colour = BLUE if answer.right == NO_ANSWER else GREEN if answer.given == answer.right else ORANGE
    for place in np.flatnonzero(drawn == answer.given).tolist():
        axis.patches[place].set_facecolor(colour)
    for place in np.flatnonzero((drawn == answer.right) & (drawn != answer.given)).tolist():
        top, turn = max(float(answer.output[answer.right]), 0.0), 90 if len(drawn) > FEW else 0
        axis.text(place, top + 0.03, "right", ha="center", va="bottom", fontsize=8, rotation=turn, color=GREEN)
    given = literal(answer.outputs[answer.given])
    axis.set_title(f"output: {given}{f' ({answer.verdict})' if answer.verdict else ''}")
    picture.record_columns({"output": answer.outputs, "value": answer.output}, table="-output")


def _bars(axis: Axes, values: Values, names: Sequence[str], always: int = NO_ANSWER) -> NDArray[np.int64]:
    """Draw a bar for each number, or for the largest in magnitude, and for one in any case; return which they are."""
    largest = np.argsort(-np.abs(values), kind="stable")[:MOST_BARS]
    drawn = np.union1d(largest, [] if always == NO_ANSWER else [always]).astype(np.int64)
    axis.bar(range(len(drawn)), values[drawn], 0.8, color=BLACK)
    below = [names[i] for i in drawn]
    crowded = sum(len(name) + 1 for name in below) > CROWDED
    axis.set_xticks(range(len(drawn)), map(literal, below), rotation=90 if crowded else 0, fontsize=7 if crowded else 8)
    axis.tick_params(axis="x", length=0)
    axis.axhline(0, color=GREY, lw=0.6)
    axis.set_xlim(-0.6, len(drawn) - 0.4)
    axis.set_ylim(1.1 * min(float(values.min()), 0.0), 1.08 * max(float(values.max()), 1.0))
    return drawn
