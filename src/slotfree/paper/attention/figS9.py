"""Figure S9: one run of the baseline transformer, and what its weights represent; figure S10 has the same panels."""

from collections.abc import Iterator, Mapping
from functools import partial
from string import ascii_uppercase

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.measures import SMOOTHED
from slotfree.attention.weights import Weights, diagonal, letter_blocks, off_diagonal
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.paper.shared.emergence import share
from slotfree.paper.shared.transformers import BASELINE, PUBLISHED, TASK, Transformer, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, Source, above, below, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at

QUERIES = {"query-lower": "lowercase", "query-upper": "uppercase"}


def draw(transformers: tuple[Transformer, ...], r: Results) -> Picture:
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


def draw_weights(picture: Picture, axes: tuple[Axes, ...], weights: Weights, row: Mapping[str, object]) -> None:
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


def claims_structure(transformer: Transformer, r: Results, *, source: Source, prefix: str = "") -> Iterator[Claim]:
    """The three desiderata (section 3.2, SI B.3.1): in how many runs they hold for all letters."""
    weights = weights_at(r[training(transformer)])
    L, model = TASK.n_letters, transformer.label
    values = weights.W_V[..., : 2 * L]
    margin = (values * (2 * TASK.case_code - 1)).sum(axis=-2).min(axis=-1)  # of the right output
    distance = np.abs(values - TASK.case_code).max(axis=(-2, -1))
    yield Claim(
        f"{prefix}values-encode-case",
        f"Values encode case: columns of W_V “match either [1, 0] (lowercase) or [0, 1] (uppercase)” ({model}): share "
        "of runs in which the right output exceeds the wrong one for every letter (largest distance of an entry of a "
        f"run from 1 or 0: {np.median(distance):.2f}, median).",
        source=source,
        paper="[1, 0] or [0, 1]",
        estimate=share(margin > 0),
        limits=above(0.5),
    )
    blocks = letter_blocks(weights)
    for name, case in QUERIES.items():
        lead = diagonal(blocks[name]).min(axis=-1) - off_diagonal(blocks[name]).max(axis=-1)
        yield Claim(
            f"{prefix}aligned-{name}",
            "Queries and keys align: entries of W_QᵀW_K of the same letter type are “higher than other "
            f"non-letter-aligned entries”, {case} keys ({model}): share of runs in which all are (smallest of them "
            f"minus the largest other: {np.median(lead):.2f}, median).",
            source=source,
            paper="higher",
            estimate=share(lead > 0),
            limits=above(0.5),
        )
    least = diagonal(blocks["key-key"]).min(axis=-1)
    yield Claim(
        f"{prefix}aligned-key-key",
        f"“The keys for lowercase and uppercase versions of any particular letter are aligned” ({model}): share of "
        f"runs in which all dot products are positive (smallest of a run: {np.median(least):.2f}, median).",
        source=source,
        paper="aligned",
        estimate=share(least > 0),
        limits=above(0.5),
    )
    yield Claim(
        f"{prefix}largely-anti-correlated-keys",
        f"“Keys corresponding to different letter types are largely anti-correlated” ({model}): share of negative dot "
        "products, mean of all runs.",
        source=source,
        paper="largely",
        estimate=estimate.mean((of_different_letters(weights) < 0).mean(axis=-1)),
        limits=above(0.5),
    )


def claims_anti_aligned(transformer: Transformer, r: Results) -> Iterator[Claim]:
    """What the paper says of different letters: in how many runs it holds for the mean of their dot products."""
    query = "A query “is anti-correlated with keys for other letter types”"
    words = {name: f"{query}, {case} keys" for name, case in QUERIES.items()}
    words["key-key"] = "Keys of different letter types are “anti-aligned”"
    for name, entries in different_letters(weights_at(r[training(transformer)])).items():
        yield of_paper(
            f"anti-aligned-{name}",
            f"{words[name]} ({transformer.label}): share of runs in which the mean of their dot products is negative "
            f"(it is {np.median(entries.mean(axis=-1)):.2f}, median; {(entries < 0).mean():.0%} of all dot products "
            "are negative).",
            paper="negative",
            estimate=share(entries.mean(axis=-1) < 0),
            limits=above(0.5),
        )


def claims_not_all_anti_aligned(transformer: Transformer, r: Results) -> Iterator[Claim]:
    """What the paper leaves out: that some dot products of different letters are not negative."""
    whose = {name: f"queries and {case} keys" for name, case in QUERIES.items()} | {"key-key": "keys"}
    for name, entries in different_letters(weights_at(r[training(transformer)])).items():
        negative = entries < 0
        yield Claim(
            f"not-all-anti-aligned-{name}",
            f"Not all dot products of {whose[name]} of different letters are negative ({transformer.label}): share of "
            f"negative ones, mean of all runs (all are negative in {negative.all(axis=-1).sum()} of {len(negative)} "
            f"runs; largest of a run: {np.median(entries.max(axis=-1)):.2f}, median).",
            paper="negative",
            estimate=estimate.mean(negative.mean(axis=-1)),
            limits=below(1),
        )


def different_letters(weights: Weights) -> dict[str, NDArray[np.float64]]:
    """Dot products of queries and keys, and of keys, of different letters, (run, pair)."""
    blocks = letter_blocks(weights)
    queried = {name: off_diagonal(blocks[name]) for name in QUERIES}
    return {**queried, "key-key": of_different_letters(weights)}


def of_different_letters(weights: Weights) -> NDArray[np.float64]:
    """Dot products of all keys of different letters, of the same and of the other case, (run, pair)."""
    L = TASK.n_letters
    first, second = np.triu_indices(2 * L)
    are_different = first % L != second % L
    pairs: NDArray[np.float64] = weights.key_key[..., first[are_different], second[are_different]]
    return pairs


def claims(r: Results) -> Iterator[Claim]:
    """The structure of the paper's baseline, and of the one with exact gradients."""
    yield from claims_structure(PUBLISHED, r, source="paper")
    yield from claims_anti_aligned(PUBLISHED, r)
    yield from claims_structure(BASELINE, r, source="ours", prefix="exact-")


ITEM = Item(
    name="figS9",
    number="Figure S9",
    title="What the baseline's weights represent",
    text="After training, values encode the case of a letter, queries match the keys of their letter in both cases, "
    "and the keys of both cases of a letter match each other. This is the solution that the task asks for: keys say "
    "which letter, values say which case. The upper row has the published gradients, as the paper; the lower one has "
    "the exact ones, with which the baseline learns later and ends with the same structure.",
    alt="Two rows, for published and for exact gradients: accuracy of one run of the baseline along training, and "
    "three heat maps with a row for each letter: values in two columns for lowercase and uppercase; dot products of "
    "queries and keys; dot products of keys. Equal letters stand out as diagonals.",
    experiments=(training(PUBLISHED), training(BASELINE)),
    draw=partial(draw, (PUBLISHED, BASELINE)),
    claims=claims,
)
