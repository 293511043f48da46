"""Figure S8: two ways to train the keys of a slot-free transformer, via the MHN and by query–key alignment."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.attention.gradients import gradients
from slotfree.attention.slot_free import SlotFreeTransformer
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
from slotfree.paper.shared.diagrams import record
from slotfree.paper.shared.numeric import DIFFERENCES, ROUNDING, Matrix, Vector, relative_difference, slope, softmax
from slotfree.paper.shared.query_step import MHN, QUERY_KEY, TASK, QueryStep, query_step, sequence
from slotfree.study import estimate
from slotfree.study.claim import Claim, at_most, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results

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
    connect(axis, key, hidden, step.W_HK)
    connect(axis, hidden, output, step.W_VH)
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


def claims(r: Results) -> Iterator[Claim]:
    """What the caption says of both ways."""
    via, aligned = query_step(MHN, r.seed), query_step(QUERY_KEY, r.seed)

    def output_loss(k: Vector) -> float:
        return float(((via.W_VH @ softmax(via.W_HK @ k) - via.target) ** 2).sum())

    def key_loss(k: Vector) -> float:
        return float(((k - aligned.query) ** 2).sum())

    yield from claims_on_mhn(*differences(MHN, via, via.mhn_delta, output_loss, r.seed))
    yield from claims_on_alignment(*differences(QUERY_KEY, aligned, aligned.alignment_delta, key_loss, r.seed))


def differences(
    model: SlotFreeTransformer, step: QueryStep, delta: Vector, loss: Callable[[Vector], float], seed: int
) -> tuple[float, float]:
    """How far δ_K x̃ᵀ is from the slope of a loss of the reinstated key, and from the gradient that trains the model."""
    x, W_K = step.trace.reinstated, step.weights.W_K
    drawn = np.outer(delta, x)
    used, _, _ = gradients(model, step.weights, TASK, sequence(), seed=seed)
    return relative_difference(drawn, slope(lambda W: loss(W @ x), W_K)), relative_difference(drawn, used.W_K)


def claims_on_mhn(by_slope: float, by_kernel: float) -> Iterator[Claim]:
    """What is said of training via the MHN."""
    yield of_paper(
        "mhn-gradient",
        "The reinstated key “is then passed through the 1-winner MHN to produce an output, which is compared against "
        "the true target y to produce a gradient signal used to train W_K”: δ_K x̃ᵀ against finite differences of |ŷ_K "
        "− y|² with x̃ held, relative to the largest entry.",
        paper="δ_K x̃ᵀ",
        estimate=estimate.exact(by_slope),
        limits=at_most(DIFFERENCES),
    )
    yield trains("mhn-trained", "δ_K x̃ᵀ via the MHN", by_kernel)


def claims_on_alignment(by_slope: float, by_kernel: float) -> Iterator[Claim]:
    """What is said of query–key alignment."""
    yield of_paper(
        "alignment-gradient",
        "“This update precisely corresponds to the gradient arising from the squared-error loss between W_K x̃ and q”: "
        "2(k̃ − q) x̃ᵀ against finite differences of that loss with x̃ and q held, relative to the largest entry.",
        paper="precisely",
        estimate=estimate.exact(by_slope),
        limits=at_most(DIFFERENCES),
    )
    yield trains("alignment-trained", "2(k̃ − q) x̃ᵀ of query–key alignment", by_kernel)


def trains(name: str, drawn: str, difference: float) -> Claim:
    """What is drawn is what trains the model."""
    return Claim(
        name,
        f"{drawn} is the gradient with which the model is trained: largest relative difference, none but rounding.",
        estimate=estimate.exact(difference),
        limits=at_most(ROUNDING),
    )


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
    claims=claims,
)
