"""Panels of what a transformer answers: the input that is reinstated, by token, and the output."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE
from slotfree.tasks.sequences import NO_ANSWER

Values = NDArray[np.float64]

MOST_BARS = 14  # that can be told apart; of more, the largest are drawn
FEW = 5  # bars as wide as a word
CROWDED = 30  # letters below bars, of which more are written upwards


@dataclass(frozen=True)
class Answer:
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


def draw_reinstated(picture: Picture, axis: Axes, answer: Answer) -> None:
    """Draw the reinstated input, and record it."""
    drawn = _bars(axis, answer.reinstated, answer.tokens)
    n = len(answer.tokens)
    axis.set_title(f"reinstated: {f'{len(drawn)} of {n:,} tokens' if len(drawn) < n else 'input by token'}")
    picture.record_columns({"token": answer.tokens, "value": answer.reinstated}, table="-reinstated")


def draw_output(picture: Picture, axis: Axes, answer: Answer) -> None:
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
