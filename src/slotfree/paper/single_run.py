"""What figures S9 and S10 have in common: one run, its accuracy, and what its weights have come to represent."""

import numpy as np

from slotfree.attention.weights import Weights, diagonal, letter_blocks, off_diagonal
from slotfree.paper import drawing, training_drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Output
from slotfree.paper.training_measures import SMOOTHED, smoothed
from slotfree.paper.training_runs import training, weights_at
from slotfree.paper.transformers import Transformer


def make(item: str, transformer: Transformer, context: Context) -> Output:
    """Draw accuracy (A), W_V (B), W_Qᵀ W_K (C) and W_Kᵀ W_K (D) of the first run; judge all runs."""
    data = context.results[transformer.name]
    task = training(transformer).task
    names, L = task.token_names, task.n_letters
    letters, queries = names[: 2 * L], names[2 * L :]
    every = weights_at(data, context.scale.iterations)
    weights = every[0]
    figure, axes = drawing.new_figure(2, 2, context.scale, width=9, height=3.4)
    accuracy = data["accuracy"].isel(run=[0])
    axes[0, 0].plot(accuracy["iteration"].values, accuracy.values[0], color=transformer.colour, lw=0.4, alpha=0.4)
    means = smoothed(accuracy)
    axes[0, 0].plot(means["iteration"].values + SMOOTHED / 2, means.values[0], color=transformer.colour, lw=1.5)
    axes[0, 0].set(
        xlabel=f"training iteration (faint: each batch; line: means over {SMOOTHED})",
        ylabel="batch accuracy",
        ylim=(0.3, 1.03),
    )
    values = training_drawing.matrix(axes[0, 1], weights.W_V[:, : 2 * L], ("lower", "upper"), letters)
    training_drawing.scale_of(figure, values, axes[0, 1], "weight", shrink=0.4)
    queried = training_drawing.matrix(axes[1, 0], weights.query_key[2 * L :, : 2 * L], queries, letters)
    axes[1, 0].set(xlabel="key", ylabel="query")
    training_drawing.scale_of(figure, queried, axes[1, 0], "dot product")
    alike = training_drawing.matrix(axes[1, 1], weights.key_key[: 2 * L, : 2 * L], letters, letters)
    axes[1, 1].set(xlabel="key", ylabel="key")
    training_drawing.scale_of(figure, alike, axes[1, 1], "dot product")
    titles = ("Accuracy of one run", "Values $W_V$", "Queries and keys $W_Q^T W_K$", "Keys $W_K^T W_K$")
    for axis, letter, title in zip(axes.flat, "ABCD", titles, strict=True):
        drawing.panel(axis, letter, f"{title}, {transformer.label}" if letter == "A" else title)
    rows: list[list[object]] = []
    for name, table, first in (("W_V", weights.W_V, ("lower", "upper")), ("W_Q^T W_K", weights.query_key, names)):
        rows += entries(name, table, first, names)
    rows += entries("W_K^T W_K", weights.key_key, names, names)
    claims = context.claims(item)
    judge(claims, transformer, every)
    return Output(figure, claims, {item: (["matrix", "row", "column", "value"], rows)})


def entries(name: str, values: np.ndarray, rows: tuple[str, ...], columns: tuple[str, ...]) -> list[list[object]]:
    """The entries of a matrix as the rows of a table."""
    return [
        [name, row, column, round(float(values[i, j]), 6)]
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]


def judge(claims: Claims, transformer: Transformer, weights: Weights) -> None:
    """Judge the three desiderata (section 3.2) in every run."""
    L = weights.W_V.shape[-1] // 3
    lead = weights.W_V[:, 0, : 2 * L] - weights.W_V[:, 1, : 2 * L]
    lead[:, L:] *= -1
    claims.within(
        "values-encode-case",
        f"Values encode case ({transformer.label}): the smallest lead of a letter's right output over its wrong one, "
        "all runs, above 0.5 (1 for the case code).",
        paper="[1, 0] and [0, 1]",
        measured=float(lead.min()),
        low=0.5,
        high=np.inf,
    )
    blocks = letter_blocks(weights)
    sentences = {
        "query-lower": "Queries align with the lowercase keys of their letter, and not with those of others",
        "query-upper": "Queries align with the uppercase keys of their letter, and not with those of others",
        "key-key": "Keys of the two cases of a letter align, and not those of different letters",
    }
    for name, words in sentences.items():
        margin = diagonal(blocks[name]).min(axis=-1) - off_diagonal(blocks[name]).max(axis=-1)
        claims.within(
            f"aligned-{name}",
            f"{words} ({transformer.label}): smallest entry of equal letters minus largest of different ones, worst of "
            "all runs, above 0.",
            paper="higher",
            measured=float(margin.min()),
            low=0.0,
            high=np.inf,
        )
        others = off_diagonal(blocks[name]).mean(axis=-1)
        claims.within(
            f"anti-aligned-{name}",
            f"… and different letters are anti-aligned in {name} ({transformer.label}): largest run mean of their "
            "entries, below 0.",
            paper="negative",
            measured=float(others.max()),
            low=-np.inf,
            high=0.0,
        )
