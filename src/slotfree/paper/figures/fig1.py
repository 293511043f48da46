"""Figure 1: retrieval from slots and from the weights of a modern Hopfield network, side by side."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import softmax

from slotfree.attention.baseline import BaselineTransformer
from slotfree.drawing import network
from slotfree.drawing.network import (
    ACTIVITY,
    MEMORY,
    SIGNED,
    SMALL,
    Part,
    Shade,
    arrow,
    box,
    cells,
    connect,
    layer,
    text,
)
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import VERMILION
from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.shared.diagrams import Matrix, Vector, record, trained
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study import Item, Results, measure, more
from slotfree.tasks.case_sequence import CaseSequenceTask

N_VISIBLE, K_VISIBLE, N_STORED, BETA = 8, 4, 5, 4.0
LOW_BETA = 1.0
SIGNAL, NOISE = 0.3, 0.45  # what a query has of one pattern, and the most of noise in each unit
CYCLES = 5  # that are drawn
N_NETWORKS = 200
TASK = CaseSequenceTask(4, 4)
HEAD = BaselineTransformer(key_dim=6)
STEPS, CONTEXT, QUERY = 2000, "bADc", "d"
LINES = Shade("#777777")
WIDTH, UPPER, LOWER = 90, 27, 31  # of the panels, in tenths of an inch


@dataclass(frozen=True)
class Auto:
    """An auto-associative MHN and a query: stored patterns, (n_h, n_v), and states along cycles of retrieval."""

    patterns: Matrix
    query: Vector
    states: Matrix
    beta: float = BETA

    @property
    def drives(self) -> Vector:
        """Dot products of the query with each pattern."""
        return self.patterns @ self.query

    @property
    def hidden(self) -> Vector:
        """Their softmax."""
        return np.asarray(softmax(self.beta * self.drives))

    @property
    def best(self) -> int:
        """The pattern that matches the query best."""
        return int(self.drives.argmax())


@lru_cache(maxsize=4)
def auto_associative(seed: int, beta: float = BETA) -> tuple[Auto, ...]:
    """Small networks, each with a noisy version of one of its patterns as a query; the first one is drawn."""
    rng = np.random.default_rng(seed_for(seed, "fig1"))
    made: list[Auto] = []
    while len(made) < N_NETWORKS:
        patterns = random_patterns(N_STORED, n_visible=N_VISIBLE, k_visible=K_VISIBLE, seed=rng).astype(np.float64)
        query = SIGNAL * patterns[1] + NOISE * rng.random(N_VISIBLE)
        if len(np.unique(patterns, axis=0)) == N_STORED:
            memory = ModernHopfield(N_VISIBLE, beta)
            memory.store(patterns)
            made.append(Auto(patterns, query, memory.trajectory(query).states, beta))
    return tuple(made)


def draw(r: Results) -> Picture:
    """Draw both networks beside the slots that they replace."""
    picture = Picture(2, width=9, height=3.1, height_ratios=(UPPER, LOWER))
    draw_auto(picture, picture.axes[0, 0], auto_associative(r.seed)[0])
    draw_hetero(picture, picture.axes[1, 0], r.seed)
    return picture


def draw_auto(picture: Picture, axis: Axes, net: Auto) -> None:
    """Draw the auto-associative network: in slots, in weights, and over cycles."""
    network.canvas(axis, WIDTH, UPPER)
    picture.panel(axis, "A", "Auto-associative MHN")
    middle = 15.2
    one: dict[str, Any] = {"shade": ACTIVITY, "limit": 1.0, "size": 1.7}
    text(axis, 18, 26, "vectors in slots", weight="bold")
    query = cells(axis, net.query, 4, middle, **one)
    text(axis, 4, query.y1 + 1.5, r"query $\xi$")
    slots = [cells(axis, x, 12 + 4.2 * i, middle, **one) for i, x in enumerate(net.patterns)]
    score(axis, slots, net.drives, net.hidden, r"$x_{%d}$", (r"$\xi^T x_i$", rf"softmax $s$, β = {BETA:g}"))
    out = cells(axis, net.states[1], 37.5, middle, **one)
    text(axis, 37.5, out.y1 + 1.5, r"$\Sigma\, s_i x_i$")
    arrow(axis, (query.x1, middle), (9.6, middle))
    arrow(axis, (31.2, middle), (out.x0, middle))

    text(axis, 56.5, 26, "the same in weights", weight="bold")
    visible = layer(axis, net.query, 47, middle, limit=1, gap=0.3)
    hidden = layer(axis, net.hidden, 56.5, middle, shade=MEMORY, limit=1, gap=1.7)
    output = layer(axis, net.states[1], 66, middle, limit=1, gap=0.3)
    connect(axis, visible, hidden, net.patterns, shade=LINES, widest=0.8)
    connect(axis, hidden, output, net.patterns.T, shade=LINES, widest=0.8)
    text(axis, 47, visible.y1 + 1.3, r"$\xi$")
    text(axis, 56.5, visible.y1 + 1.3, r"$s$")
    text(axis, 66, visible.y1 + 1.3, r"$\xi^{\mathrm{out}}$")
    text(axis, 51.7, visible.y0 - 1.4, r"$W = X^T$")
    text(axis, 61.3, visible.y0 - 1.4, r"$W^\prime = X$")
    arrow(axis, (66, visible.y0 - 2.6), (47, visible.y0 - 2.6), "next cycle", bend=-0.18, size=SMALL)

    text(axis, 81, 26, "cycles of retrieval", weight="bold")
    shown = net.states[: CYCLES + 1]
    for t, state in enumerate(shown):
        part = cells(axis, state, 74 + 2.1 * t, middle, **one)
        text(axis, 74 + 2.1 * t, part.y0 - 1.3, str(t), size=SMALL)
    best = cells(axis, net.patterns[net.best], 88.6, middle, frame=VERMILION, **one)
    text(axis, 88.6, best.y1 + 1.5, f"$x_{net.best + 1}$")
    text(axis, 79.2, best.y0 - 3.4, "cycle", size=SMALL)
    record(picture, "A", query=net.query, patterns=net.patterns, dot_product=net.drives, softmax=net.hidden)
    record(picture, "A", state=shown)


def draw_hetero(picture: Picture, axis: Axes, seed: int) -> None:
    """Draw the hetero-associative network with the keys and values of a trained transformer."""
    keys, values, query, found, output = attention_head(seed)
    network.canvas(axis, WIDTH, LOWER)
    picture.panel(axis, "B", "Hetero-associative MHN: keys and values of a trained transformer head")
    middle = 20.8
    one: dict[str, Any] = {"limit": float(np.abs(keys).max()), "size": 1.7}
    text(axis, 18, 30, "keys and values in slots", weight="bold")
    asked = cells(axis, query, 4, middle, **one)
    text(axis, 4, asked.y1 + 1.5, r"query $q$")
    slots = [cells(axis, k, 13 + 5 * i, middle, **one) for i, k in enumerate(keys)]
    score(
        axis,
        slots,
        keys @ query * HEAD.inverse_temperature,
        found,
        r"$k_{%d}$",
        (r"$\beta\, q^T k_t$", r"softmax $s$"),
        values,
    )
    arrow(axis, (asked.x1, middle), (10.2, middle))
    places: dict[str, Any] = {"shade": ACTIVITY, "limit": 1.0, "size": (3.0, 1.9), "write": network.signed}
    out = cells(axis, output, 38.5, 4.4, **places)
    text(axis, 38.5, out.y1 + 1.5, r"$\Sigma\, s_t v_t$")
    arrow(axis, (31.4, 4.4), (out.x0, 4.4))

    text(axis, 65, 30, "the same in weights", weight="bold")
    middle = 17.0
    incoming = layer(axis, query, 50, middle, shade=SIGNED, gap=1.4)
    hidden = layer(axis, found, 65, middle, shade=MEMORY, limit=1, radius=1.3, gap=1.9, words=CONTEXT)
    outgoing = layer(axis, output, 80, middle, limit=1, gap=4.0)
    connect(axis, incoming, hidden, keys, shade=SIGNED)
    connect(axis, hidden, outgoing, values.T, shade=SIGNED)
    for (x, y), name, value in zip(outgoing.places, TASK.output_names, output, strict=True):
        text(axis, x + 1.4, y, f"{value:.2f} {name}", size=SMALL, align="left")
    for x, words in ((50, r"$q$"), (65, r"$s$"), (80, r"$\hat{y}$")):
        text(axis, x, 27.0, words)
    text(axis, 57, 6.2, "incoming: keys")
    text(axis, 73, 6.2, "outgoing: values")
    network.key(axis, 47, 2.2, SIGNED, "weight, relative to the largest", signed=True)
    network.key(axis, 74, 2.2, MEMORY, "attention")
    record(picture, "B", query=query, keys=keys, values=values, attention=found, output=output)


def score(
    axis: Axes,
    slots: list[Part],
    drives: Vector,
    shares: Vector,
    name: str,
    rows: tuple[str, str],
    values: Matrix | None = None,
) -> None:
    """Write dot products and their softmax below slots, and values, if there are any, below these."""
    y = slots[0].y0 - 2.0
    parts = []
    for i, (slot, drive, share) in enumerate(zip(slots, drives, shares, strict=True)):
        x = slot.centre[0]
        text(axis, x, slot.y1 + 1.5, name % (i + 1))
        text(axis, x, y, network.signed(drive, 1), size=SMALL)
        parts = [slot, cells(axis, [share], x, y - 2.4, shade=MEMORY, limit=1, size=(3.0, 1.9), write=network.signed)]
        if values is not None:
            parts.append(cells(axis, values[i], x, 4.4, limit=1, size=(3.0, 1.9), write=network.signed))
            text(axis, x, 7.4, f"$v_{i + 1}$")
        box(axis, network.around(*parts), margin=0.5)
    left = slots[0].x0 - 1.6
    text(axis, left, y, rows[0], align="right")
    text(axis, left, y - 2.4, rows[1], align="right", size=SMALL)


def attention_head(seed: int) -> tuple[Matrix, Matrix, Vector, Vector, Vector]:
    """Keys, values and query of a sequence in a trained transformer, its attention, and its output."""
    weights = trained(HEAD, TASK, STEPS, seed)
    trace = HEAD.inspect(weights, TASK, CONTEXT, QUERY)
    items = TASK.sequence(CONTEXT, QUERY).context[0]
    return trace.keys, weights.W_V[:, items].T, trace.query, trace.attention, trace.output


@measure
def distance(r: Results, cycle: int, beta: float) -> Vector:
    """How far the state is from the pattern that matches the query best, in each network; cycle −1 is at rest."""
    nets = auto_associative(r.seed, beta)
    return np.array([np.linalg.norm(net.states[cycle] - net.patterns[net.best]) for net in nets])


@measure
def ends_at_best(r: Results, beta: float = BETA) -> NDArray[np.bool_]:
    """Networks with β = {beta:g} in which the state at rest is nearest to the best match."""
    nets = auto_associative(r.seed, beta)
    return np.array([np.linalg.norm(net.patterns - net.states[-1], axis=1).argmin() == net.best for net in nets])


@measure
def median_weighting(r: Results) -> Vector:
    """The median weighting of the items, in each network."""
    return np.median([net.hidden for net in auto_associative(r.seed)], axis=1)


ITEM = Item(
    name="fig1",
    number="Figure 1",
    title="Slots and weights compute the same",
    text="A softmax over stored vectors can be computed by a network whose memory neurons hold one vector each in "
    "their weights. Above, a binary query meets five stored patterns; some cycles of retrieval lead to the best match. "
    "Below, the keys and values of a small trained transformer: as the incoming and outgoing weights of four neurons "
    "they give the same attention and the same output. All numbers come from running models.",
    alt="Two rows. Above: a query column beside five pattern columns with dot products and softmax shares; the same "
    "as a network of eight visible, five red hidden and eight output units; and the state over cycles, which becomes "
    "one of the patterns. Below: four keys and values in slots, and a network with six inputs, four red hidden units "
    "and two outputs.",
    experiments=(),
    draw=draw,
    claims=(
        more(
            "fig1.low-beta",
            distance(-1, LOW_BETA),
            distance(1, LOW_BETA),
            f"distance from the best match with β = {LOW_BETA:g}, at rest against after one cycle",
            paired=True,
        ),
    ),
)
