"""Figure S8: two ways to train the keys of a slot-free transformer, via the MHN and by query–key alignment."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.drawing import network
from slotfree.drawing.network import (
    GRADIENT,
    MEMORY,
    SIGNED,
    SMALL,
    YELLOW_SHADE,
    Layer,
    arrow,
    box,
    cells,
    connect,
    layer,
    text,
)
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import DARK_GREY, GREEN
from slotfree.paper.shared.diagrams import Matrix, record
from slotfree.paper.shared.query_step import MHN, QUERY_KEY, TASK, QueryStep, query_step
from slotfree.study import Item, Results

LEFT, RIGHT, HEIGHT = 50, 40, 38
UNITS: dict[str, Any] = {"radius": 0.9, "gap": 0.5}
MIDDLE, LOW = 27.0, 7.5


def draw(r: Results) -> Picture:
    """Draw both ways side by side."""
    picture = Picture(1, 2, width=9, height=4.0, width_ratios=(LEFT, RIGHT))
    draw_mhn(picture, picture.axes[0, 0], query_step(MHN, r.seed))
    draw_alignment(picture, picture.axes[0, 1], query_step(QUERY_KEY, r.seed))
    return picture


def draw_mhn(picture: Picture, axis: Axes, step: QueryStep) -> None:
    """Draw the reinstated item on its way through W_K and the MHN, and the error on its way back."""
    network.canvas(axis, LEFT, HEIGHT)
    picture.panel(axis, "A", "$W_K$ learns via the MHN")
    again = reinstated(axis, step, 6)
    key = layer(axis, step.reinstated_key, 18, MIDDLE, shade=SIGNED, **UNITS)
    hidden = layer(axis, step.key_attention, 28, MIDDLE, shade=MEMORY, limit=1, radius=0.9, gap=1.0)
    output = layer(axis, step.key_output, 38, MIDDLE, limit=1, radius=0.9, gap=2.0)
    target = layer(axis, step.target, 46, MIDDLE, limit=1, radius=0.9, gap=2.0)
    module = box(axis, network.around(key, hidden, output), colour=YELLOW_SHADE, margin=1.8)
    text(axis, module.x0 + 0.6, module.y0 + 1.0, "1-winner MHN", size=SMALL, align="left", colour=DARK_GREY)
    connect(axis, again, key, step.weights.W_K)
    connect(axis, key, hidden, step.trace.W_HK[-1])
    connect(axis, hidden, output, step.trace.W_VH[-1])
    heads: dict[float, str] = {6: r"$\tilde{x}$", 18: r"$\tilde{k}$", 28: "$s_K$", 38: r"$\hat{y}_K$", 46: "$y$"}
    heads |= {12: "$W_K$", 23: "$W_{HK}$", 33: "$W_{VH}$"}
    write_heads(axis, heads)
    for units, values in ((output, step.key_output), (target, step.target)):
        for (x, y), value in zip(units.places, values, strict=True):
            text(axis, x, y - 1.9, network.signed(value), size=SMALL)
    low = module.y0 - 1.2
    back(axis, (46, low), (39, low), r"$2(\hat{y}_K - y)$")
    back(axis, (37, low), (29, low))
    back(axis, (27, low), (19, low), r"$\tilde{\delta}_K$")
    update = np.outer(step.mhn_delta, step.trace.reinstated)
    draw_update(axis, update, 12, (17, low), r"$\partial\mathcal{L}_K/\partial W_K = \tilde{\delta}_K \tilde{x}^T$")
    record(picture, "A", reinstated=step.trace.reinstated, key=step.reinstated_key, attention=step.key_attention)
    record(picture, "A", output=step.key_output, target=step.target, update=update)


def draw_alignment(picture: Picture, axis: Axes, step: QueryStep) -> None:
    """Draw the reinstated key beside the query that it should match."""
    network.canvas(axis, RIGHT, HEIGHT)
    picture.panel(axis, "B", "$W_K$ learns by query–key alignment")
    again = reinstated(axis, step, 6)
    limit = max(float(np.abs(step.reinstated_key).max()), float(np.abs(step.query).max()))
    key = layer(axis, step.reinstated_key, 17, MIDDLE, shade=SIGNED, limit=limit, **UNITS)
    query = layer(axis, step.query, 25, MIDDLE, shade=SIGNED, limit=limit, **UNITS)
    asked = layer(axis, step.asked, 35, MIDDLE, limit=1, **UNITS)
    connect(axis, again, key, step.weights.W_K)
    connect(axis, asked, query, step.weights.W_Q)
    write_heads(axis, {6: r"$\tilde{x}$", 11.5: "$W_K$", 17: r"$\tilde{k}$", 25: "$q$", 30: "$W_Q$", 35: "$x_q$"})
    network.name_units(axis, asked, TASK.token_names, dx=2.2)
    low = MIDDLE - 9.8
    back(axis, (25, low), (18, low), r"$\tilde{\delta}_K = 2(\tilde{k} - q)$")
    update = np.outer(step.alignment_delta, step.trace.reinstated)
    draw_update(axis, update, 11.5, (16, low), r"$\partial\mathcal{L}_K/\partial W_K = \tilde{\delta}_K \tilde{x}^T$")
    record(picture, "B", reinstated=step.trace.reinstated, key=step.reinstated_key, query=step.query)
    record(picture, "B", probe=step.asked, update=update)


def reinstated(axis: Axes, step: QueryStep, x: float) -> Layer:
    """Draw the reinstated item."""
    units = layer(axis, step.trace.reinstated, x, MIDDLE, limit=1, **UNITS)
    network.name_units(axis, units, TASK.token_names, dx=-2.2)
    return units


def write_heads(axis: Axes, words: dict[float, str]) -> None:
    """Write what is below: names of layers and of weights."""
    for x, word in words.items():
        text(axis, x, 36, word, size=SMALL if word.startswith("$W") else network.NORMAL)


def back(axis: Axes, start: network.Place, end: network.Place, label: str = "") -> None:
    """Draw the way of an error."""
    arrow(axis, start, end, label, colour=GREEN, side=1.5)


def draw_update(axis: Axes, update: Matrix, x: float, start: network.Place, words: str) -> None:
    """Draw the gradient of W_K, and where it comes from."""
    part = cells(axis, update, x, LOW, shade=GRADIENT, size=1.6)
    arrow(axis, start, part.top, colour=GREEN, bend=0.2)
    text(axis, part.x1 + 1.0, LOW, words, align="left", colour=GREEN)
    network.name_columns(axis, part, TASK.token_names)
    largest = float(np.abs(update).max())
    network.key(axis, x - 4.5, 1.2, GRADIENT, "gradient", limit=largest, signed=True)


ITEM = Item(
    name="figS8",
    number="Figure S8",
    title="Two ways to train the keys",
    text="After the query step the reinstated item passes through W_K once more. Either its key goes through the "
    "memory and the output is compared with the target, or the key itself is compared with the query. Green: the way "
    "back, which ends at W_K; the reinstated item is held. Activities, weights and gradients are those of small "
    "models, half trained.",
    alt="Left: from the reinstated item through its key, five hidden units and an output to the target; green arrows "
    "run back to a matrix of gradients for W_K. Right: the reinstated key beside the query; a green arrow from their "
    "difference leads to a matrix of gradients for W_K.",
    experiments=(),
    draw=draw,
)
