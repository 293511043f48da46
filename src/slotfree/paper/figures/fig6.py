"""Figure 6: the slot-free transformer, while an item is stored and at the query."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.attention.diagnosis import diagnose
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import initial_weights
from slotfree.drawing import network
from slotfree.drawing.network import (
    CHANGE,
    GRADIENT,
    MEMORY,
    SIGNED,
    SMALL,
    YELLOW_SHADE,
    Part,
    arrow,
    box,
    cells,
    connect,
    layer,
    text,
)
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import DARK_GREY, GREEN, VERMILION
from slotfree.paper.shared.diagrams import Vector, record
from slotfree.paper.shared.query_step import CONTEXT, FIXED, QUERY, TASK, QueryStep, query_step, sequence
from slotfree.paper.shared.transformers import TASK as FULL_TASK
from slotfree.runs.seeds import seed_for
from slotfree.study import Item, Results, measure

STEP = 1  # the item whose storing is drawn: the second
WIDTH, UPPER, LOWER = 90, 34, 37
N_MODELS = 20  # of the paper's size
UNITS: dict[str, Any] = {"radius": 0.9, "gap": 0.5}


def draw(r: Results) -> Picture:
    """Draw a step of the context window above, the query step below."""
    step = query_step(FIXED, r.seed)
    picture = Picture(2, width=9, height=3.85, height_ratios=(UPPER, LOWER))
    draw_storing(picture, picture.axes[0, 0], step)
    draw_query(picture, picture.axes[1, 0], step)
    return picture


def draw_storing(picture: Picture, axis: Axes, step: QueryStep) -> None:
    """Draw how an item is stored, and the fast weights before and after."""
    network.canvas(axis, WIDTH, UPPER)
    picture.panel(axis, "A", f"A step of the context window: storing “{CONTEXT[STEP]}”")
    item = TASK.one_hot(sequence().context[0, STEP])
    k, v, winner = step.weights.W_K @ item, step.weights.W_V @ item, int(step.trace.winners[STEP])
    W_HK, W_VH, W_IH = (part[STEP + 1] for part in (step.trace.W_HK, step.trace.W_VH, step.trace.W_IH))
    a = np.eye(FIXED.units)[winner]
    middle = 17.2
    given = layer(axis, item, 8, middle, limit=1, **UNITS)
    network.name_units(axis, given, TASK.token_names, dx=-2.2)
    keys = layer(axis, k, 24, middle, shade=SIGNED, **UNITS)
    edges = [GREEN if unit == winner else DARK_GREY for unit in range(FIXED.units)]
    hidden = layer(axis, a, 37, middle, shade=MEMORY, limit=1, edges=edges, radius=0.9, gap=1.0)
    values = layer(axis, v, 50, middle, shade=SIGNED, limit=1, **UNITS)
    module(axis, keys, hidden, values)
    connect(axis, given, keys, step.weights.W_K, shade=SIGNED, faint=True)
    connect(axis, keys, hidden, np.where(a[:, None] > 0, 0, W_HK), shade=SIGNED, faint=True)
    connect(axis, keys, hidden, np.where(a[:, None] > 0, 1.0, 0) * np.ones_like(W_HK), shade=CHANGE, widest=1.5)
    connect(axis, hidden, values, np.where(a > 0, 0, W_VH), shade=SIGNED, faint=True)
    connect(axis, hidden, values, np.where(a > 0, 1.0, 0) * np.ones_like(W_VH), shade=CHANGE, widest=1.5)
    for part, words in ((given, "$x_t$"), (keys, "$k_t$"), (hidden, "$a$"), (values, "$v_t$")):
        text(axis, part.centre[0], part.y0 - 1.5, words)
    text(axis, 16, middle + 6.2, "$W_K$", colour=DARK_GREY)
    text(axis, 30.5, middle + 6.2, "$W_{HK}$", colour=GREEN)
    text(axis, 43.5, middle + 6.2, "$W_{VH}$", colour=GREEN)
    arrow(axis, (9.5, given.y1 + 0.4), (36.4, hidden.y1 + 0.4), "input projection $W_{HI}$", bend=-0.28, size=SMALL)
    arrow(axis, (9.5, given.y0 - 2.6), (49, values.y0 - 2.8), "$W_V$", bend=0.26, side=-1.2, size=SMALL)
    again: dict[str, Any] = {"colour": GREEN, "bend": -0.16, "side": -1.1, "size": SMALL}
    arrow(axis, (36.2, hidden.y0 - 2.8), (11.0, given.y0 - 1.6), "$W_{IH}$", **again)
    draw_fast_weights(axis, step, winner)
    record(picture, "A", item=item, key=k, value=v, winner=[winner + 1], W_HK=W_HK, W_VH=W_VH, W_IH=W_IH)


def draw_fast_weights(axis: Axes, step: QueryStep, winner: int) -> None:
    """Draw the fast weights before and after the step, with what was replaced in green."""
    text(axis, 66.5, 33, "before", size=SMALL)
    text(axis, 82.5, 33, "after", size=SMALL)
    trace, size = step.trace, 1.5
    rows = (("W_{HK}", trace.W_HK, 27.6), ("W_{VH}", trace.W_VH, 18.4), ("W_{IH}", trace.W_IH, 7.8))
    for name, weights, y in rows:
        limit = float(np.abs(weights[STEP : STEP + 2]).max())
        before = cells(axis, weights[STEP], 66.5, y, limit=limit, size=size)
        after = cells(axis, weights[STEP + 1], 82.5, y, limit=limit, size=size)
        arrow(axis, (before.x1 + 0.8, y), (after.x0 - 0.8, y))
        text(axis, 58.3, y, f"${name}$")
        replaced = (
            network.row(after, FIXED.units, winner) if name == "W_{HK}" else network.column(after, FIXED.units, winner)
        )
        network.outline(axis, replaced, GREEN)


def draw_query(picture: Picture, axis: Axes, step: QueryStep) -> None:
    """Draw the query step: forwards through the fast weights, and the error on its way back."""
    network.canvas(axis, WIDTH, LOWER)
    picture.panel(axis, "B", f"The query step: “{QUERY}?”")
    trace, middle = step.trace, 25.5
    asked = layer(axis, step.asked, 8, middle, limit=1, **UNITS)
    network.name_units(axis, asked, TASK.token_names, dx=-2.2)
    query = layer(axis, step.query, 24, middle, shade=SIGNED, **UNITS)
    hidden = layer(axis, trace.attention, 38, middle, shade=MEMORY, limit=1, radius=0.9, gap=1.0)
    again = layer(axis, trace.reinstated, 54, middle, limit=1, **UNITS)
    output = layer(axis, trace.output, 70, middle, limit=1, radius=0.9, gap=2.0)
    target = layer(axis, step.target, 81, middle, limit=1, radius=0.9, gap=2.0)
    module(axis, query, hidden)
    connect(axis, asked, query, step.weights.W_Q, shade=SIGNED)
    connect(axis, query, hidden, step.trace.W_HK[-1], shade=SIGNED)
    connect(axis, hidden, again, step.trace.W_IH[-1], shade=SIGNED)
    connect(axis, again, output, step.weights.W_V, shade=SIGNED)
    layers = (asked, query, hidden, again, output, target)
    for part, words in zip(layers, ("x_q", "q", "s", r"\tilde{x}", r"\hat{y}", "y"), strict=True):
        text(axis, part.centre[0], 34.2, f"${words}$")
    for place, words in ((16, "$W_Q$"), (31, "$W_{HK}$"), (46, "$W_{IH}$"), (62, "$W_V$")):
        text(axis, place, 34.2, words, colour=DARK_GREY, size=SMALL)
    for part, values in ((output, trace.output), (target, step.target)):
        for (x, y), value in zip(part.places, values, strict=True):
            text(axis, x + 1.5, y, network.signed(value), size=SMALL, align="left")
    low = 16.3
    for x1, x0, words in ((81, 71, r"$\tilde{\delta}_V$"), (69, 55, ""), (53, 39, ""), (37, 25, r"$\tilde{\delta}_Q$")):
        arrow(axis, (x1, low), (x0, low), words, colour=VERMILION, side=1.5)
    of_values, of_queries = np.outer(step.value_delta, trace.reinstated), np.outer(step.query_delta, step.asked)
    v = cells(axis, of_values, 62, 9.0, shade=GRADIENT, size=1.6)
    q = cells(axis, of_queries, 16, 9.0, shade=GRADIENT, size=1.6)
    arrow(axis, (62, low - 0.6), v.top, colour=VERMILION)
    arrow(axis, (23.5, low), q.top, colour=VERMILION, bend=0.2)
    for matrix, words in ((v, r"W_V = \tilde{\delta}_V \tilde{x}^T"), (q, r"W_Q = \tilde{\delta}_Q x_q^T")):
        equation = rf"$\partial\mathcal{{L}}/\partial {words}$"
        text(axis, matrix.x1 + 1.0, 9.0, equation, align="left", colour=VERMILION)
        network.name_columns(axis, matrix, TASK.token_names)
    network.key(axis, 8, 1.6, SIGNED, "weights and activities, relative to the largest", signed=True)
    network.key(axis, 58, 1.6, GRADIENT, "gradients, relative to the largest", signed=True)
    record(picture, "B", probe=step.asked, query=step.query, attention=trace.attention, reinstated=trace.reinstated)
    record(picture, "B", output=trace.output, target=step.target, value_gradient=of_values, query_gradient=of_queries)


def module(axis: Axes, *parts: Part) -> None:
    """Shade the 1-winner MHN within the larger network."""
    around = box(axis, network.around(*parts), colour=YELLOW_SHADE, margin=1.9)
    text(axis, around.x0 + 0.6, around.y0 + 1.0, "1-winner MHN", size=SMALL, align="left", colour=DARK_GREY)


@measure
def untrained_overwritten(r: Results, projections: bool) -> Vector:
    """Share of context items that a later one overwrites, in each of several untrained models of the paper's size."""
    model = SlotFreeTransformer("fixed", projections)
    found = []
    for run in range(N_MODELS):
        root = seed_for(r.seed, "fig6", run)
        weights = initial_weights(model, FULL_TASK, seed=root)
        found.append(diagnose(model, weights, FULL_TASK, size=64, seed=root).lost)
    return np.array(found)


ITEM = Item(
    name="fig6",
    number="Figure 6",
    title="The slot-free transformer at work",
    text="Each item of the context is stored by one hidden unit, whose fast weights are replaced by its key, its value "
    "and the item itself (green); the slow weights stay as they are. At the query the fast weights stay, the item is "
    "reinstated through them, and the error goes back within this one step (red): no slot is needed. Activities, "
    "weights and gradients are those of a small model, half trained.",
    alt="Two rows. Above: a network from an item through its key to five hidden units, of which one wins, and to its "
    "value; the winner’s connections are green, and beside it the fast weights before and after, one row or column of "
    "each replaced. Below: from the query through the hidden units to the reinstated item and the output; red arrows "
    "run back, with a matrix of gradients for W_Q and for W_V.",
    experiments=(),
    draw=draw,
)
