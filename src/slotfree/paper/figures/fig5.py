"""Figure 5: a sequence of the Case Sequence Task, and the minimal transformer with two context items."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.weights import Weights
from slotfree.drawing import network
from slotfree.drawing.network import (
    ACTIVITY,
    MEMORY,
    PURPLE_SHADE,
    SIGNED,
    SMALL,
    Part,
    Shade,
    arrow,
    box,
    cells,
    layer,
    text,
)
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import DARK_GREY, VERMILION
from slotfree.paper.shared.diagrams import record, trained
from slotfree.study import Item, Results
from slotfree.tasks.case_sequence import CaseSequenceTask

SAMPLE, CONTEXT, QUERY = CaseSequenceTask(4, 4), "bADc", "d"
TASK, SHORT, ASKED = CaseSequenceTask(2, 2), "bA", "a"
HEAD = BaselineTransformer(key_dim=4)
STEPS = 2000
LEFT, RIGHT, HEIGHT = 34, 56, 39
WHITE = Shade("#FFFFFF")
DARK_PURPLE = "#8E4A76"
NUMBERS: dict[str, Any] = {"size": (3.4, 1.8), "write": network.signed}


def draw(r: Results) -> Picture:
    """Draw the task on the left and the transformer on the right."""
    picture = Picture(1, 2, width=9, height=4.2, width_ratios=(LEFT, RIGHT))
    draw_task(picture, picture.axes[0, 0])
    draw_transformer(picture, picture.axes[0, 1], trained(HEAD, TASK, STEPS, r.seed))
    return picture


def draw_task(picture: Picture, axis: Axes) -> None:
    """Draw a sequence as letters, and as the vectors that the model sees."""
    network.canvas(axis, LEFT, HEIGHT)
    picture.panel(axis, "A", "Case Sequence Task")
    sequence = SAMPLE.sequence(CONTEXT, QUERY)
    tokens = np.append(sequence.context[0], sequence.query[0])
    names, wide, high = SAMPLE.token_names, 3.4, 1.65
    seen = cells(axis, SAMPLE.one_hot(tokens).T, 18, 18.2, shade=ACTIVITY, size=(wide, high))
    for i, name in enumerate(names):
        text(axis, seen.x0 - 1.0, seen.y1 - (i + 0.5) * high, name, size=SMALL)
    for first, words in ((0, "lower\ncase"), (4, "upper\ncase"), (8, "query")):
        text(axis, 3.4, seen.y1 - (first + 2) * high, words, size=SMALL, colour=DARK_GREY)
    for t, token in enumerate(tokens):
        x, asks = seen.x0 + (t + 0.5) * wide, t == len(tokens) - 1
        edge = DARK_PURPLE if asks else DARK_GREY
        box(axis, Part(x - 1.3, 31.4, x + 1.3, 34.4), colour="#FFFFFF", edge=edge, margin=0)
        text(axis, x, 32.9, names[token], size=12, colour=DARK_PURPLE if asks else "#000000")
        text(axis, x, 29.7, "$x_q$" if asks else f"$x_{t + 1}$", size=SMALL)
    text(axis, seen.x0 + 2 * wide, 36.4, "context")
    text(axis, seen.x0 + 4.5 * wide, 36.4, "query", colour=DARK_PURPLE)
    target = np.eye(2)[sequence.target[0]]
    y = cells(axis, target[None], 18, 3.2, shade=ACTIVITY, size=(3.4, 1.9), write=lambda value: f"{value:.0f}")
    text(axis, y.x0 - 0.8, 3.2, "target $y$", align="right", size=SMALL)
    network.name_columns(axis, y, ("lower", "upper"))
    text(axis, y.x1 + 0.8, 3.2, f"the case of {CONTEXT[2]}", align="left", size=SMALL)
    record(picture, "A", token=tokens, target=target)


def draw_transformer(picture: Picture, axis: Axes, weights: Weights) -> None:
    """Draw the transformer from its items at the bottom to its output at the top."""
    network.canvas(axis, RIGHT, HEIGHT)
    picture.panel(axis, "B", "Minimal transformer")
    sequence = TASK.sequence(SHORT, ASKED)
    items, asked = TASK.one_hot(sequence.context[0]), TASK.one_hot(sequence.query[0])
    f, target = HEAD.inspect(weights, TASK, SHORT, ASKED), np.eye(2)[sequence.target[0]]
    values, drives = items @ weights.W_V.T, f.keys @ f.query / np.sqrt(HEAD.key_dim)
    limit = max(float(np.abs(f.keys).max()), float(np.abs(f.query).max()))
    small: dict[str, Any] = {"across": True, "radius": 0.7, "gap": 0.3}
    columns, last, softmax = (15.5, 32.5), 49.5, Part(1.6, 16.4, 40.5, 24.0)
    box(axis, softmax, colour=PURPLE_SHADE, margin=0.6)
    for t, x in enumerate(columns):
        item = layer(axis, items[t], x, 4.0, **small)
        network.name_units(axis, item, TASK.token_names, dy=-1.7)
        text(axis, item.x0 - 1.5, 4.0, f"$x_{t + 1}$", size=SMALL)
        text(axis, x, 6.2, SHORT[t], weight="bold")
        k = layer(axis, f.keys[t], x - 3.0, 11.5, shade=SIGNED, limit=limit, **small)
        v = layer(axis, values[t], x + 5.0, 11.5, shade=SIGNED, limit=1, **small)
        arrow(axis, (x - 3.0, item.y1), k.bottom, "$W_K$", side=1.7, size=SMALL)
        arrow(axis, (x + 4.0, item.y1), v.bottom, "$W_V$", side=-1.7, size=SMALL)
        text(axis, k.x0 - 1.3, 11.5, f"$k_{t + 1}$", size=SMALL)
        text(axis, v.x0 - 1.3, 11.5, f"$v_{t + 1}$", size=SMALL)
        arrow(axis, k.top, (x - 3.0, softmax.y0 - 0.6))
        raised = np.exp(drives[t])
        for y, value, shade in ((22.6, f.attention[t], MEMORY), (20.2, raised, WHITE), (17.8, drives[t], WHITE)):
            cells(axis, [value], x - 3.0, y, shade=shade, limit=1, size=(3.6, 1.7), write=network.signed)
        part = cells(axis, f.attention[t] * values[None, t], x + 3.0, 29.2, limit=1, **NUMBERS)
        text(axis, part.x0 - 0.7, 29.2, f"$s_{t + 1} v_{t + 1}$", align="right", size=SMALL)
        arrow(axis, v.top, (x + 5.0, part.y0))
        arrow(axis, (x - 3.0, softmax.y1 + 0.6), (x + 1.6, part.y0))
    query = layer(axis, f.query, last, 11.5, shade=SIGNED, limit=limit, **small)
    given = layer(axis, asked, last, 4.0, **small)
    network.name_units(axis, given, TASK.token_names, dy=-1.7)
    arrow(axis, given.top, query.bottom, "$W_Q$", side=-1.8, size=SMALL)
    text(axis, given.x0 - 1.5, 4.0, "$x_q$", size=SMALL)
    text(axis, query.x1 + 1.3, 11.5, "$q$", size=SMALL)
    arrow(axis, query.top, (softmax.x1 + 0.6, 20.2), bend=0.25)
    for y, words in ((22.6, "normalised, $s_t$"), (20.2, "exponential"), (17.8, r"$k_t^T q\,/\,\sqrt{N}$")):
        text(axis, columns[0] - 5.6, y, words, align="right", size=SMALL, colour=DARK_PURPLE)
    output = cells(axis, f.output[None], 27.0, 35.5, shade=ACTIVITY, limit=1, **NUMBERS)
    right = cells(axis, target[None], 43.0, 35.5, shade=ACTIVITY, limit=1, **NUMBERS)
    text(axis, output.x0 - 0.7, 35.5, r"$\hat{y}$", align="right")
    text(axis, right.x1 + 0.7, 35.5, "$y$", align="left")
    for x in columns:
        arrow(axis, (x + 3.0, 30.1), (27.0 + (-1.5 if x < 27 else 1.5), output.y0))
    arrow(axis, right.left, output.right, "training signal", colour=VERMILION, side=-1.2, size=SMALL)
    record(picture, "B", key=f.keys, value=values, query=f.query, dot_product=drives, exponential=np.exp(drives))
    record(picture, "B", attention=f.attention, output=f.output, target=target)


ITEM = Item(
    name="fig5",
    number="Figure 5",
    title="The Case Sequence Task and the minimal transformer",
    text="Letters in random cases are followed by a query that names one of them; the answer is the case in which it "
    "appeared. The transformer compares the query with the key of each item, turns the dot products into attention, "
    "and mixes the values accordingly. The numbers are those of a small trained model with two letters and a "
    "context of two.",
    alt="Left: four letters and a query as cards, above the one-hot vectors that a model sees, and the target below. "
    "Right: a diagram from two items and a query at the bottom, through keys, values and a purple box in which dot "
    "products become attention, to the output at the top, next to the target.",
    experiments=(),
    draw=draw,
)
