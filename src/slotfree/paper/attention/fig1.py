"""Figure 1: retrieval from slots and from the weights of a modern Hopfield network, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes

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
from slotfree.memory.modern_hopfield import TOLERANCE, ModernHopfield
from slotfree.paper.shared.diagrams import record, trained
from slotfree.paper.shared.numeric import ROUNDING, Matrix, Vector, softmax
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_most, below, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results
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
        return softmax(self.beta * self.drives)

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


def claims(r: Results) -> Iterator[Claim]:
    """What the caption and the introduction say of both networks."""
    networks = auto_associative(r.seed)
    yield from claims_on_sameness([from_weights(net) for net in networks], *heads(r.seed))
    moves = [float(np.abs(net.states[-1] - net.states[-2]).max()) for net in networks]
    kept = [nearest(net) == net.best for net in networks]
    yield from claims_on_cycles([distances_to_best(net) for net in networks], kept, moves)
    yield from claims_on_beta([distances_to_best(net) for net in auto_associative(r.seed, LOW_BETA)])
    yield from claims_on_shares(np.array([net.hidden for net in networks]))


def from_weights(net: Auto) -> float:
    """How far what the network's weights compute, unit by unit, is from retrieval from slots."""
    W, W_return = net.patterns, net.patterns.T
    hidden = softmax(net.beta * np.array([sum(row * net.query) for row in W]))
    out = np.array([sum(row * hidden) for row in W_return])
    return float(np.abs(out - net.states[1]).max())


def heads(seed: int) -> tuple[float, float]:
    """Over all sequences of the task, how far an MHN's weights are from a transformer's attention, and its output."""
    weights = trained(HEAD, TASK, STEPS, seed)
    attention, output = 0.0, 0.0
    every = TASK.all_sequences()
    for items, query in zip(every.context, every.query, strict=True):
        trace = HEAD.inspect(weights, TASK, items, int(query))
        W_in, W_out = weights.W_K[:, items].T, weights.W_V[:, items]
        hidden = softmax(HEAD.inverse_temperature * (W_in @ weights.W_Q[:, query]))
        attention = max(attention, float(np.abs(hidden - trace.attention).max()))
        output = max(output, float(np.abs(W_out @ hidden - trace.output).max()))
    return attention, output


def distances_to_best(net: Auto) -> tuple[float, float]:
    """How far the state is from the best match after one cycle, and at rest."""
    best = net.patterns[net.best]
    return float(np.linalg.norm(net.states[1] - best)), float(np.linalg.norm(net.states[-1] - best))


def nearest(net: Auto) -> int:
    """The pattern that is nearest to the state at rest."""
    return int(np.linalg.norm(net.patterns - net.states[-1], axis=1).argmin())


def claims_on_sameness(auto: Sequence[float], attention: float, output: float) -> Iterator[Claim]:
    """What is said of slots and weights, from the differences between what both compute."""
    yield of_paper(
        "auto-same",
        "Retrieval from slots and MHN-based retrieval are “equivalent”: largest difference between the two outputs in "
        f"{len(auto):,} networks of {N_VISIBLE} visible and {N_STORED} hidden units, none but rounding.",
        paper="equivalence",
        estimate=estimate.exact(max(auto)),
        limits=at_most(ROUNDING),
    )
    yield of_paper(
        "hetero-same",
        "The hetero-associative network’s computation “coincides with that of the transformer self-attention "
        f"mechanism”: largest difference of attention or output in all {TASK.n_sequences:,} sequences of the task, "
        "none but rounding.",
        paper="coincides",
        estimate=estimate.exact(max(attention, output)),
        limits=at_most(ROUNDING),
    )


def claims_on_cycles(
    distances: Sequence[tuple[float, float]], kept: Sequence[bool], moves: Sequence[float]
) -> Iterator[Claim]:
    """What is said of several cycles: distances from the best match, whether it is kept, how states move at last."""
    first, last = np.array(distances).T
    yield of_paper(
        "cycles",
        "“Performing multiple cycles of retrieval enables stable retrieval of the best-matching” pattern: distance "
        f"from it at rest minus that after one cycle, mean of {len(first)} networks with β = {BETA:g} (after one "
        f"{first.mean():.2f}, at rest {last.mean():.2f}).",
        paper="stable retrieval of the best-matching",
        estimate=estimate.mean(last - first),
        limits=below(0),
    )
    yield of_paper(
        "best-match",
        "The state in which cycles end is nearest to the pattern that matched the query best: share of networks, more "
        "often than not.",
        paper="stable retrieval of the best-matching",
        estimate=estimate.share(sum(kept), len(kept)),
        limits=above(0.5),
    )
    yield of_paper(
        "rest",
        "Iteration for multiple cycles “settles to a stable state”: how far any of the states moves in its last cycle, "
        "nothing but rounding.",
        paper="settles to a stable state",
        estimate=estimate.exact(max(moves)),
        limits=at_most(2 * TOLERANCE),
    )


def claims_on_beta(distances: Sequence[tuple[float, float]]) -> Iterator[Claim]:
    """What we say of a low β, from the distances from the best match."""
    first, last = np.array(distances).T
    yield Claim(
        "low-beta",
        f"With β = {LOW_BETA:g} cycles blend the patterns instead: at rest a state is further from the best match than "
        f"after one cycle: distance at rest minus that after one, mean of {len(first)} networks (after one "
        f"{first.mean():.2f}, at rest {last.mean():.2f}).",
        paper="β is not said; a blend is allowed for in the text",
        estimate=estimate.mean(last - first),
        limits=above(0),
    )


def claims_on_shares(hidden: Matrix) -> Iterator[Claim]:
    """What is said of weightings, (network, item)."""
    *others, best = np.sort(hidden, axis=1).T
    median = np.median(others, axis=0)
    yield of_paper(
        "weightings",
        "“The weightings for most items are typically very small”: the median weighting of the items other than the "
        f"best is {np.median(others):.4f}, that of the best {np.median(best):.2f}; by how much the best item of a "
        f"network exceeds the median of its others, mean of {len(hidden)} networks.",
        paper="for most items very small",
        estimate=estimate.mean(best - median),
        limits=above(0),
    )


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
    claims=claims,
)
