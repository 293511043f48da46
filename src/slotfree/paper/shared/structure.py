"""What the weights of a trained model represent: measures and panels that figures S9 and S10 share."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.measures import SMOOTHED
from slotfree.attention.weights import Weights, diagonal, letter_blocks, off_diagonal
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.paper.shared.transformers import TASK, Transformer, training
from slotfree.study import Results, measure
from slotfree.study.train_runs import weights_at

Values = NDArray[np.float64]

QUERIES = {"query-lower": "lowercase", "query-upper": "uppercase"}


def weights_of(r: Results, transformer: Transformer) -> Weights:
    """The weights of all runs after training."""
    return weights_at(r[training(transformer)])


@measure
def encodes_case(r: Results, transformer: Transformer) -> NDArray[np.bool_]:
    """The right output of W_V exceeds the wrong one for every letter, {transformer.label}."""
    values = weights_of(r, transformer).W_V[..., : 2 * TASK.n_letters]
    return np.asarray((values * (2 * TASK.case_code - 1)).sum(axis=-2).min(axis=-1) > 0)


@measure
def queries_align(r: Results, transformer: Transformer, block: str) -> NDArray[np.bool_]:
    """Whether dot products of queries and keys of equal letters exceed all others of a block, in each run."""
    found = letter_blocks(weights_of(r, transformer))[block]
    return np.asarray(diagonal(found).min(axis=-1) > off_diagonal(found).max(axis=-1))


@measure
def keys_align(r: Results, transformer: Transformer) -> NDArray[np.bool_]:
    """Dot products of both keys of each letter are positive, {transformer.label}."""
    return np.asarray(diagonal(letter_blocks(weights_of(r, transformer))["key-key"]).min(axis=-1) > 0)


@measure
def of_different_letters(r: Results, transformer: Transformer, block: str) -> Values:
    """Dot products of queries and keys of different letters, or of all such keys ("key-key"), (run, pair)."""
    weights = weights_of(r, transformer)
    if block in QUERIES:
        return off_diagonal(letter_blocks(weights)[block])
    L = TASK.n_letters
    first, second = np.triu_indices(2 * L)
    are_different = first % L != second % L
    return np.asarray(weights.key_key[..., first[are_different], second[are_different]])


@measure
def negative_keys(r: Results, transformer: Transformer) -> Values:
    """Share of negative dot products of keys of different letters, {transformer.label}."""
    return np.asarray((of_different_letters(transformer, "key-key")(r) < 0).mean(axis=1))


@measure
def same_side(r: Results, model: Transformer, other: Transformer) -> Values:
    """Share of the entries of W_V, W_QᵀW_K and W_KᵀW_K that are on the same side in {model.label} as in the baseline.

    On the same side of ½ for values, of 0 for the others, as in the runs of another model.
    """
    ours, theirs = (_sides(weights_of(r, which)) for which in (model, other))
    return np.asarray((ours[:, None] == theirs).mean(axis=(1, 2)))


def _sides(weights: Weights) -> NDArray[np.bool_]:
    """On which side the entries of all three matrices are, (run, entry)."""
    L = TASK.n_letters
    values = weights.W_V[..., : 2 * L] > 0.5
    alike = weights.query_key[..., 2 * L :, : 2 * L] > 0, weights.key_key[..., : 2 * L, : 2 * L] > 0
    return np.concatenate([part.reshape(len(part), -1) for part in (values, *alike)], axis=1)


def draw(transformers: Sequence[Transformer], r: Results) -> Picture:
    """Draw accuracy, W_V, W_Qᵀ W_K and W_Kᵀ W_K of the first run, in a row for each model."""
    picture = Picture(len(transformers), 4, width=13, height=3.6, width_ratios=(2.3, 1, 1.4, 2.2))
    letters = iter(ascii_uppercase)
    for axes, transformer in zip(picture.axes, transformers, strict=True):
        data, row = r[training(transformer)], {"model": transformer.name}
        first = axes[0]
        panels.first_run(
            picture, first, data["accuracy"], transformer.colour, every_batch=True, row=row, table="-accuracy"
        )
        first.set(ylabel="batch accuracy", ylim=(0.3, 1.03))
        first.set_xlabel(f"training iteration (faint: each batch; line: means over {SMOOTHED})", fontsize=8)
        picture.panel(first, next(letters), f"One run: {transformer.label}")
        draw_weights(picture, axes[1:], weights_at(data)[0], row)
        for axis, title in zip(axes[1:], ("Values", "Query–key", "Key–key"), strict=True):
            picture.panel(axis, next(letters), title)
    return picture


def draw_weights(picture: Picture, axes: Sequence[Axes], weights: Weights, row: Mapping[str, object]) -> None:
    """Draw what the weights of one run make of letters, a row for each letter: values, queries and keys, keys."""
    names, L = TASK.token_names, TASK.n_letters
    letters, queries = names[: 2 * L], names[2 * L :]
    for axis, name, matrix, columns, label in (
        (axes[0], "W_V", weights.W_V[:, : 2 * L], ("lower", "upper"), "weight"),
        (axes[1], "W_Q^T W_K", weights.query_key[2 * L :, : 2 * L], queries, "dot product"),
        (axes[2], "W_K^T W_K", weights.key_key[: 2 * L, : 2 * L], letters, "dot product"),
    ):
        image = panels.matrix(picture, axis, matrix.T, letters, columns, row={**row, "matrix": name})
        panels.colour_scale(picture.figure, image, axis, label, shrink=1)
    axes[0].set(xlabel="output", ylabel="letter")
    axes[1].set(xlabel="query", ylabel="key")
    axes[2].set(xlabel="key", ylabel="key")
