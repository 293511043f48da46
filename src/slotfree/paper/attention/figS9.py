"""Figure S9: one run of the baseline transformer, and what its weights represent; figure S10 has the same panels."""

from collections.abc import Iterator
from functools import partial

from slotfree.attention.measures import SMOOTHED
from slotfree.attention.weights import Weights, diagonal, letter_blocks, off_diagonal
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.paper.transformers import BASELINE, TASK, Transformer, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, below
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at

ALIGNED = {
    "query-lower": "Queries align with the lowercase keys of their letter, and not with those of others",
    "query-upper": "Queries align with the uppercase keys of their letter, and not with those of others",
    "key-key": "Keys of the two cases of a letter align, and not those of different letters",
}
TITLES = {
    "W_V": ("B", "Values $W_V$"),
    "W_Q^T W_K": ("C", "Queries and keys $W_Q^T W_K$"),
    "W_K^T W_K": ("D", "Keys $W_K^T W_K$"),
}


def draw(transformer: Transformer, r: Results) -> Picture:
    """Draw accuracy (A), W_V (B), W_Qᵀ W_K (C) and W_Kᵀ W_K (D) of the first run."""
    picture = Picture(2, 2, width=9, height=3.4)
    data = r[training(transformer)]
    first = picture.axes[0, 0]
    panels.first_run(picture, first, data["accuracy"], transformer.colour, every_batch=True, row={}, table="-accuracy")
    first.set(
        xlabel=f"training iteration (faint: each batch; line: means over {SMOOTHED})",
        ylabel="batch accuracy",
        ylim=(0.3, 1.03),
    )
    picture.panel(first, "A", f"Accuracy of one run, {transformer.label}")
    draw_weights(picture, weights_at(data)[0])
    return picture


def draw_weights(picture: Picture, weights: Weights) -> None:
    """Draw what the weights of one run make of letters: values (B), queries and keys (C), keys (D)."""
    names, L = TASK.token_names, TASK.n_letters
    letters, queries = names[: 2 * L], names[2 * L :]
    _, values, queried, alike = picture.axes.flat
    for axis, name, matrix, rows in (
        (values, "W_V", weights.W_V, ("lower", "upper")),
        (queried, "W_Q^T W_K", weights.query_key[2 * L :], queries),
        (alike, "W_K^T W_K", weights.key_key[: 2 * L], letters),
    ):
        image = panels.matrix(picture, axis, matrix[:, : 2 * L], rows, letters, row={"matrix": name})
        is_values = name == "W_V"
        panels.colour_scale(
            picture.figure, image, axis, "weight" if is_values else "dot product", shrink=0.4 if is_values else 0.8
        )
        picture.panel(axis, *TITLES[name])
    queried.set(xlabel="key", ylabel="query")
    alike.set(xlabel="key", ylabel="key")


def claims(transformer: Transformer, r: Results) -> Iterator[Claim]:
    """The three desiderata (section 3.2) in every run."""
    weights = weights_at(r[training(transformer)])
    L = TASK.n_letters
    lead = weights.W_V[:, 0, : 2 * L] - weights.W_V[:, 1, : 2 * L]
    lead[:, L:] *= -1
    yield Claim(
        "values-encode-case",
        f"Values encode case ({transformer.label}): the smallest lead of a letter's right output over its wrong one, "
        "all runs, above 0.5 (1 for the case code).",
        source="paper",
        paper="[1, 0] and [0, 1]",
        estimate=estimate.exact(lead.min()),
        limits=above(0.5),
    )
    blocks = letter_blocks(weights)
    for name, words in ALIGNED.items():
        equal, different = diagonal(blocks[name]), off_diagonal(blocks[name])
        yield Claim(
            f"aligned-{name}",
            f"{words} ({transformer.label}): smallest entry of equal letters minus largest of different ones, worst of "
            "all runs, above 0.",
            source="paper",
            paper="higher",
            estimate=estimate.exact((equal.min(axis=-1) - different.max(axis=-1)).min()),
            limits=above(0),
        )
        yield Claim(
            f"anti-aligned-{name}",
            f"… and different letters are anti-aligned in {name} ({transformer.label}): largest run mean of their "
            "entries, below 0.",
            source="paper",
            paper="negative",
            estimate=estimate.exact(different.mean(axis=-1).max()),
            limits=below(0),
        )


ITEM = Item(
    name="figS9",
    number="Figure S9",
    title="What the baseline's weights represent",
    text="After training, values encode the case of a letter, queries match the keys of their letter in both cases, "
    "and the keys of both cases of a letter match each other. This is the solution that the task asks for: keys say "
    "which letter, values say which case.",
    alt="Accuracy of one run of the baseline along training, and three heat maps: values by letter, in two rows for "
    "lowercase and uppercase; dot products of queries and keys; dot products of keys. Equal letters stand out as "
    "diagonals.",
    experiments=(training(BASELINE),),
    draw=partial(draw, BASELINE),
    claims=partial(claims, BASELINE),
)
