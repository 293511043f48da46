"""Stack 1: the SI's worked example of conjunctive coding, exactly."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from matplotlib.colors import ListedColormap
from numpy.typing import NDArray

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, VERMILION
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.study import estimate
from slotfree.study.claim import Claim, within
from slotfree.study.item import Item
from slotfree.study.results import Results

N, ONES = 6, 3
COLOURS = ListedColormap(["#E8E8E8", BLUE, VERMILION])
PAIRS = list(combinations(range(N), 2))
EXAMPLE = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 0, 0]], np.uint8)
ALL = np.array([[i in chosen for i in range(N)] for chosen in combinations(range(N), ONES)], np.uint8)
SHARED_CODES = (0, 0, 1)  # ones that the codes of two patterns share which share 0, 1, 2 ones


def pair_layer() -> CodeLayer:
    """All conjunctions of two of six inputs: codons that need both of their two connections."""
    settings = CodeLayerSettings(len(PAIRS), ONES, 2 / N, threshold=2)
    return CodeLayer.from_weights(N, ONES, settings, np.array(PAIRS, np.uint16), np.ones((len(PAIRS), 2), np.float32))


def draw(r: Results) -> Picture:
    """Draw both patterns (A) and their codes (B)."""
    picture = Picture(1, 2, width=8.5, height=1.7, width_ratios=(6, 15))
    inputs, pairs = [str(i + 1) for i in range(N)], [f"{i + 1}∧{j + 1}" for i, j in PAIRS]
    draw_units(picture, 0, "patterns", inputs, EXAMPLE)
    draw_units(picture, 1, "pair codes", pairs, pair_layer().encode(EXAMPLE))
    picture.figure.supxlabel("orange: active in both; 2∧3: active if inputs 2 and 3 are", fontsize=8)
    return picture


def draw_units(picture: Picture, column: int, title: str, labels: list[str], two: NDArray[np.uint8]) -> None:
    """Draw which units are active in the first of two patterns or codes, in the second, and in both."""
    axis = picture.axes[0, column]
    shared = two[0] & two[1]
    axis.imshow(np.where(two == 1, 1 + shared, 0), cmap=COLOURS, vmin=0, vmax=2, aspect="equal")
    axis.set_xticks(range(len(labels)), labels, fontsize=7)
    axis.set_yticks([0, 1], ["first", "second"])
    axis.set_xticks(np.arange(len(labels) + 1) - 0.5, minor=True)
    axis.set_yticks([-0.5, 0.5, 1.5], minor=True)
    axis.grid(which="minor", color="white", lw=2)
    axis.tick_params(which="both", length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)
    picture.panel(axis, "AB"[column], f"{title}: {shared.sum()} of {two[0].sum()} shared")
    for which, active in enumerate(two, 1):
        picture.record_columns({"unit": labels, "active": active}, kind=("pattern", "code")[column], which=which)


def claims(r: Results) -> Iterator[Claim]:
    """What the SI says of the example, and whether all patterns of its size are like it."""
    yield from claims_of(pair_layer(), EXAMPLE)


def claims_of(layer: CodeLayer, example: NDArray[np.uint8]) -> Iterator[Claim]:
    """The claims about a layer and two patterns."""
    for name, sentence, printed, (first, second) in (
        ("patterns", "The two patterns of length 6 share this many of their 3 ones.", 2, example),
        (
            "codes",
            "Their codes of length 15, a unit for each pair of inputs, share this many of their 3 ones.",
            1,
            layer.encode(example),
        ),
    ):
        shared = estimate.exact((first & second).sum())
        yield Claim(name, sentence, source="paper", paper=printed, estimate=shared, limits=within(printed, printed))
    codes = layer.encode(ALL)
    pairs = list(combinations(range(len(ALL)), 2))
    as_said = sum(int((codes[a] & codes[b]).sum()) == SHARED_CODES[(ALL[a] & ALL[b]).sum()] for a, b in pairs)
    yield Claim(
        "all",
        "It is so for every two of the 20 patterns with 3 ones: those that share 0, 1, 2 ones have codes that share "
        f"0, 0, 1. Pairs of patterns of which this is true, of {len(pairs)}.",
        source="ours",
        paper="one example of them",
        estimate=estimate.exact(as_said),
        limits=within(len(pairs), len(pairs)),
    )
    yield Claim(
        "restored",
        "The return connections restore every one of the 20 patterns from its code: patterns restored.",
        source="ours",
        paper="recovered",
        estimate=estimate.exact((layer.decode(codes) == ALL).all(axis=1).sum()),
        limits=within(len(ALL), len(ALL)),
    )


ITEM = Item(
    name="stackS1",
    title="Conjunctions make patterns less similar: the worked example",
    text="Two patterns that share two of their three ones share one of three when each pair of inputs has a unit of "
    "its own, as the SI says; it is so for all such patterns. Going back down the same connections restores each of "
    "them.",
    alt="Two rows of six squares, two patterns of which two active units coincide, beside two rows of fifteen squares, "
    "their codes over pairs of units, of which one active unit coincides.",
    experiments=(),
    draw=draw,
    claims=claims,
)
