"""Figure 2: backpropagation through slots, and through the stored states of a recurrent network."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.weights import Weights
from slotfree.drawing import network
from slotfree.drawing.network import ACTIVITY, GRADIENT, MEMORY, SIGNED, SMALL, arrow, box, cells, layer, text
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import VERMILION
from slotfree.paper.shared.diagrams import Matrix, Vector, record, trained
from slotfree.runs.seeds import seed_for
from slotfree.study import Item, Results
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask(3, 3)
HEAD = BaselineTransformer(key_dim=4)
STEPS, CONTEXT, QUERY = 190, "Bca", "c"  # half trained: there is an error to send back
N_INPUT, N_HIDDEN, N_OUTPUT, LENGTH = 3, 5, 2, 4
WIDTH, UPPER, LOWER = 90, 39, 35


@dataclass(frozen=True)
class SlotGradients:
    """One sequence in a transformer: what its slots hold, and what each adds to the gradients of W_K and W_V."""

    items: Matrix
    keys: Matrix
    values: Matrix
    query: Vector
    attention: Vector
    output: Vector
    target: Vector
    key_deltas: Matrix
    value_deltas: Matrix

    @property
    def of_keys(self) -> Matrix:
        """δ_K,t x_tᵀ of each item, (T, N, D)."""
        return self.key_deltas[:, :, None] * self.items[:, None, :]

    @property
    def of_values(self) -> Matrix:
        """δ_V,t x_tᵀ of each item, (T, 2, D)."""
        return self.value_deltas[:, :, None] * self.items[:, None, :]


def through_slots(weights: Weights, context: str, query: str) -> SlotGradients:
    """Send the error of one sequence back through its slots (SI B.4, baseline transformer)."""
    sequence = TASK.sequence(context, query)
    X, beta = TASK.one_hot(sequence.context[0]), HEAD.inverse_temperature
    trace = HEAD.inspect(weights, TASK, context, query)
    values = X @ weights.W_V.T
    target = np.eye(TASK.n_outputs)[sequence.target[0]]
    error, s = trace.output - target, trace.attention
    value_deltas = 2 * s[:, None] * error
    key_deltas = (2 * beta * s * ((values - trace.output) @ error))[:, None] * trace.query
    return SlotGradients(X, trace.keys, values, trace.query, s, trace.output, target, key_deltas, value_deltas)


@dataclass(frozen=True)
class Recurrent:
    """h_t = tanh(W_HH h_{t−1} + W_HI x_t), read out at the end: ŷ = W_OH h_T, with the loss |ŷ − y|²."""

    W_HH: Matrix
    W_HI: Matrix
    W_OH: Matrix
    inputs: Matrix
    target: Vector

    def states(self) -> Matrix:
        """h_0 = 0 and the state after each input, (T + 1, n_h): all of them are stored for the way back."""
        states = [np.zeros(len(self.W_HH))]
        for x in self.inputs:
            states.append(np.tanh(self.W_HH @ states[-1] + self.W_HI @ x))
        return np.array(states)

    def loss(self) -> float:
        """|ŷ − y|²."""
        return float(((self.W_OH @ self.states()[-1] - self.target) ** 2).sum())

    def deltas(self, states: Matrix) -> Matrix:
        """The gradient of the loss for what each state receives, δ_t, (T, n_h), from stored states."""
        back = 2 * self.W_OH.T @ (self.W_OH @ states[-1] - self.target)
        deltas = []
        for state in states[:0:-1]:
            deltas.append((1 - state**2) * back)
            back = self.W_HH.T @ deltas[-1]
        return np.array(deltas[::-1])

    def updates(self, states: Matrix) -> tuple[Matrix, Matrix]:
        """δ_t h_{t−1}ᵀ and δ_t x_tᵀ of each step, (T, n_h, n_h) and (T, n_h, n_inputs)."""
        deltas = self.deltas(states)[:, :, None]
        return deltas * states[:-1, None, :], deltas * self.inputs[:, None, :]


@lru_cache(maxsize=8)
def recurrent(seed: int, length: int = LENGTH) -> Recurrent:
    """A small recurrent network with random weights, and a random sequence."""
    rng = np.random.default_rng(seed_for(seed, "fig2", length))
    W_HH, W_HI = rng.normal(0, 1.1 / np.sqrt(N_HIDDEN), (N_HIDDEN, N_HIDDEN)), rng.normal(0, 0.8, (N_HIDDEN, N_INPUT))
    W_OH = rng.normal(0, 0.6, (N_OUTPUT, N_HIDDEN))
    return Recurrent(W_HH, W_HI, W_OH, rng.choice([-1.0, 1.0], (length, N_INPUT)), np.array([1.0, 0.0]))


def draw(r: Results) -> Picture:
    """Draw both networks unrolled, with the gradients that each item or step adds, and their sum."""
    picture = Picture(2, width=9, height=3.9, height_ratios=(UPPER, LOWER))
    draw_slots(picture, picture.axes[0, 0], through_slots(trained(HEAD, TASK, STEPS, r.seed), CONTEXT, QUERY))
    draw_states(picture, picture.axes[1, 0], recurrent(r.seed))
    return picture


def draw_slots(picture: Picture, axis: Axes, g: SlotGradients) -> None:
    """Draw a transformer: its slots, the error on its way back, and the outer products."""
    network.canvas(axis, WIDTH, UPPER)
    picture.panel(axis, "A", "Backpropagation through slots")
    columns, last, bus = (20.0, 38.0, 56.0), 75.0, 36.8
    states: dict[str, Any] = {"limit": float(np.abs(g.keys).max()), "size": 1.5}
    of_keys, of_values = g.of_keys, g.of_values
    total_k, total_v = of_keys.sum(axis=0), of_values.sum(axis=0)
    k_limit, v_limit = float(np.abs(of_keys).max()), float(np.abs(of_values).max())
    for t, x in enumerate(columns):
        item = cells(axis, g.items[None, t], x, 23.5, shade=ACTIVITY, size=1.5)
        k = cells(axis, g.keys[None, t], x - 3.7, 29.5, **states)
        v = cells(axis, g.values[None, t], x + 5.2, 29.5, limit=1, size=1.5)
        arrow(axis, (k.centre[0], item.y1), k.bottom, "$W_K$", size=SMALL, side=1.6)
        arrow(axis, (v.centre[0], item.y1), v.bottom, "$W_V$", size=SMALL, side=-1.6)
        box(axis, network.around(item, k, v), margin=0.8)
        text(axis, k.x0 - 1.5, 29.5, f"$k_{t + 1}$", size=SMALL)
        text(axis, v.x0 - 1.4, 29.5, f"$v_{t + 1}$", size=SMALL)
        text(axis, item.x0 - 1.7, 23.5, f"$x_{t + 1}$", size=SMALL)
        text(axis, x, 26.4, f"{CONTEXT[t]}", weight="bold")
        cells(axis, [g.attention[t]], x + 0.6, 32.9, shade=MEMORY, limit=1, size=(3.0, 1.7), write=network.signed)
        red(axis, (k.centre[0], bus), (k.centre[0], k.y1), rf"$\delta_{{K,{t + 1}}}$", side=-1.7)
        red(axis, (v.centre[0], bus), (v.centre[0], v.y1), rf"$\delta_{{V,{t + 1}}}$", side=1.7)
        red(axis, (x, item.y0), (x, 19.6))
        cells(axis, of_keys[t], x, 15.3, shade=GRADIENT, limit=k_limit, size=1.5)
        part = cells(axis, of_values[t], x, 9.0, shade=GRADIENT, limit=v_limit, size=1.5)
        network.name_columns(axis, part, TASK.token_names)
        for y in (15.3, 9.0):
            text(axis, x + 9, y, "=" if t == 2 else "+", size=11)
    text(axis, 9.6, 32.9, "attention $s_t$", align="right", size=SMALL)
    text(axis, 9.6, 15.3, r"$\delta_{K,t}\, x_t^T$", align="right")
    text(axis, 9.6, 9.0, r"$\delta_{V,t}\, x_t^T$", align="right")
    written: dict[str, Any] = {"limit": 1.0, "size": (3.2, 1.8), "write": network.signed}
    error = cells(axis, [g.output, g.target], last, bus, shade=ACTIVITY, **written)
    text(axis, error.x1 + 0.9, bus + 0.9, r"$\hat{y} = \Sigma\, s_t v_t$", align="left")
    text(axis, error.x1 + 0.9, bus - 0.9, "$y$", align="left")
    query = cells(axis, g.query[None], last, 29.5, **states)
    asked = cells(axis, TASK.one_hot(TASK.sequence(CONTEXT, QUERY).query), last, 23.5, shade=ACTIVITY, size=1.5)
    arrow(axis, asked.top, query.bottom, "$W_Q$", size=SMALL, side=-1.8)
    text(axis, query.x0 - 1.5, 29.5, "$q$", size=SMALL)
    text(axis, asked.x0 - 1.7, 23.5, "$x_q$", size=SMALL)
    text(axis, asked.x1 + 1.4, 23.5, f"{QUERY}?", weight="bold")
    axis.plot([columns[0] - 3.7, error.x0], [bus, bus], color=VERMILION, lw=1.2, solid_capstyle="butt")
    cells(axis, total_k, last, 15.3, shade=GRADIENT, limit=k_limit, size=1.5, frame=VERMILION)
    part = cells(axis, total_v, last, 9.0, shade=GRADIENT, limit=v_limit, size=1.5, frame=VERMILION)
    network.name_columns(axis, part, TASK.token_names)
    for y, name in ((15.3, "W_K"), (9.0, "W_V")):
        text(axis, part.x1 + 0.9, y, rf"$\partial\mathcal{{L}}/\partial {name}$", colour=VERMILION, align="left")
    network.key(axis, 4, 2.6, SIGNED, "keys, queries", limit=states["limit"], signed=True)
    network.key(axis, 32, 2.6, GRADIENT, "gradient for $W_K$", limit=k_limit, signed=True)
    network.key(axis, 62, 2.6, GRADIENT, "gradient for $W_V$", limit=v_limit, signed=True)
    record(picture, "A", item=g.items, key=g.keys, value=g.values, query=g.query, attention=g.attention)
    record(picture, "A", output=g.output, target=g.target, key_gradient=of_keys, value_gradient=of_values)


def draw_states(picture: Picture, axis: Axes, net: Recurrent) -> None:
    """Draw a recurrent network: its stored states, the error on its way back, and the outer products."""
    network.canvas(axis, WIDTH, LOWER)
    picture.panel(axis, "B", "Backpropagation through time: every state is stored")
    states = net.states()
    of_states, of_inputs = net.updates(states)
    limit = max(float(np.abs(of_states).max()), float(np.abs(of_inputs).max()))
    places, middle, low = (8.0, 20.0, 34.0, 48.0, 62.0), 26.0, 8.2
    for t, x in enumerate(places):
        units = layer(axis, states[t], x, middle, shade=SIGNED, limit=1, gap=0.25)
        box(axis, units, margin=0.6)
        text(axis, x - 2.9, units.y0 + 0.4, f"$h_{t}$", size=SMALL)
    top = units.y1 + 0.6
    output = layer(axis, net.W_OH @ states[-1], 75, middle, limit=1, shade=SIGNED, gap=0.8)
    target = layer(axis, net.target, 84, middle, limit=1, shade=SIGNED, gap=0.8)
    text(axis, 75, output.y0 - 1.4, r"$\hat{y}$")
    text(axis, 84, target.y0 - 1.4, "$y$")
    for t, (x0, x1) in enumerate(pairwise(places)):
        arrow(axis, (x0 + 1.4, middle), (x1 - 1.4, middle), "$W_{HH}$", size=SMALL)
        if t > 0:
            red(axis, (x1 - 0.4, top), (x0 + 0.4, top), rf"$\delta_{t}$", bend=0.2, side=-1.2, size=SMALL)
        given = layer(axis, net.inputs[t], x1, 16.4, shade=SIGNED, limit=1, across=True, radius=0.7, gap=0.3)
        arrow(axis, given.top, (x1, units.y0 - 0.6), "$W_{HI}$", size=SMALL, side=-2.2)
        text(axis, given.x0 - 1.3, 16.4, f"$x_{t + 1}$", size=SMALL)
        cells(axis, of_states[t], x1 - 2.4, low, shade=GRADIENT, limit=limit, size=1.2)
        cells(axis, of_inputs[t], x1 + 3.2, low, shade=GRADIENT, limit=limit, size=1.2)
        text(axis, x1 + 7, low, "=" if t == LENGTH - 1 else "+", size=11)
        red(axis, (x1, given.y0), (x1, low + 3.2))
    arrow(axis, (places[-1] + 1.4, middle), output.left, "$W_{OH}$", size=SMALL)
    red(axis, target.top, output.top, r"$2(\hat{y}-y)$", bend=0.35, side=-1.2, size=SMALL)
    red(
        axis,
        (output.top[0] - 0.6, output.y1),
        (places[-1] + 0.4, top),
        rf"$\delta_{LENGTH}$",
        bend=0.25,
        side=-1.2,
        size=SMALL,
    )
    cells(axis, of_states.sum(axis=0), 79.6, low, shade=GRADIENT, limit=limit, size=1.2, frame=VERMILION)
    cells(axis, of_inputs.sum(axis=0), 85.8, low, shade=GRADIENT, limit=limit, size=1.2, frame=VERMILION)
    text(axis, 79.2, low + 4.6, r"$\partial\mathcal{L}/\partial W_{HH}$", colour=VERMILION, size=SMALL)
    text(axis, 86.8, low + 4.6, r"$\partial\mathcal{L}/\partial W_{HI}$", colour=VERMILION, size=SMALL)
    text(axis, 12.4, low, r"$\delta_t h_{t-1}^T,\; \delta_t x_t^T$", align="right")
    network.key(axis, 4, 2.0, SIGNED, "states, inputs, outputs", signed=True)
    network.key(axis, 40, 2.0, GRADIENT, "gradient", limit=limit, signed=True)
    record(picture, "B", state=states, input=net.inputs, recurrent_gradient=of_states, input_gradient=of_inputs)


def red(axis: Axes, start: network.Place, end: network.Place, label: str = "", **options: float) -> None:
    """Draw the way of an error."""
    arrow(axis, start, end, label, colour=VERMILION, **options)


ITEM = Item(
    name="fig2",
    number="Figure 2",
    title="Errors travel back through stored states",
    text="A transformer sends its error back to every slot: the outer products of each slot, summed, are the gradients "
    "of W_K and W_V. A recurrent network does the same over its past states. In both every prior state must be kept "
    "until the error comes. The transformer is half trained, the recurrent network has random weights; activities and "
    "gradients are theirs.",
    alt="Two rows. Above: three slots with item, key and value, a red line that carries the error back to each, and "
    "below them one matrix of gradients each, which add up to a total on the right. Below: five states of a recurrent "
    "network in a row, red arrows from each to the one before, and matrices of gradients that add up to a total.",
    experiments=(),
    draw=draw,
)
