"""Stack 1: the SI's worked example of conjunctive coding, exactly."""

from itertools import combinations

import numpy as np
from matplotlib.colors import ListedColormap

from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.paper import drawing
from slotfree.paper.items import Context, Item, Output

N, ONES = 6, 3
COLOURS = ListedColormap(["#E8E8E8", "#0072B2", "#D55E00"])
PAIRS = list(combinations(range(N), 2))


def pair_layer() -> CodeLayer:
    """All conjunctions of two of six inputs: codons that need both of their two connections."""
    settings = CodeLayerSettings(len(PAIRS), ONES, 2 / N, threshold=2)
    return CodeLayer.from_weights(N, ONES, settings, np.array(PAIRS, np.uint16), np.ones((len(PAIRS), 2), np.float32))


def make(context: Context) -> Output:
    """Draw both patterns and their codes; judge the printed numbers, for this pair and for all such pairs."""
    layer = pair_layer()
    all_patterns = np.array([[i in chosen for i in range(N)] for chosen in combinations(range(N), ONES)], np.uint8)
    x = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 0, 0]], np.uint8)
    z = layer.encode(x)

    figure, axes = drawing.new_figure(1, 2, context.scale, width=8.5, height=1.7, width_ratios=(6, 15))
    names = (
        [str(i + 1) for i in range(N)],
        [f"{i + 1}∧{j + 1}" for i, j in PAIRS],
    )
    for axis, letter, rows, labels, title in zip(axes[0], "AB", (x, z), names, ("patterns", "pair codes"), strict=True):
        shared = rows[0] & rows[1]
        axis.imshow(np.where(rows == 1, 1 + shared, 0), cmap=COLOURS, vmin=0, vmax=2, aspect="equal")
        axis.set_xticks(range(len(labels)), labels, fontsize=7)
        axis.set_yticks([0, 1], ["first", "second"])
        axis.set_xticks(np.arange(len(labels) + 1) - 0.5, minor=True)
        axis.set_yticks([-0.5, 0.5, 1.5], minor=True)
        axis.grid(which="minor", color="white", lw=2)
        axis.tick_params(which="both", length=0)
        for spine in axis.spines.values():
            spine.set_visible(False)
        drawing.panel(axis, letter, f"{title}: {shared.sum()} of {rows[0].sum()} shared")

    figure.supxlabel("orange: active in both; 2∧3: active if inputs 2 and 3 are", fontsize=8)

    claims = context.claims("stackS1")
    for name, sentence, paper, rows in (
        ("patterns", "The two patterns of length 6 share this many of their 3 ones.", 2, x),
        ("codes", "Their codes of length 15, a unit for each pair of inputs, share this many of their 3 ones.", 1, z),
    ):
        both = int((rows[0] & rows[1]).sum())
        claims.add(name, sentence, paper=paper, measured=both, holds=both == paper and (rows.sum(axis=1) == 3).all())
    codes = layer.encode(all_patterns)
    pairs = [(a, b) for a, b in combinations(range(len(all_patterns)), 2)]
    overlaps = {
        k: {int((codes[a] & codes[b]).sum()) for a, b in pairs if (all_patterns[a] & all_patterns[b]).sum() == k}
        for k in range(ONES)
    }
    claims.add(
        "all",
        "It is so for every two of the 20 patterns with 3 ones: those that share 0, 1, 2 ones have codes that share "
        "0, 0, 1.",
        paper="one example of them",
        measured=", ".join(str(sorted(overlaps[k]))[1:-1] for k in range(ONES)),
        holds=[overlaps[k] for k in range(ONES)] == [{0}, {0}, {1}],
    )
    back = layer.decode(codes)
    claims.add(
        "restored",
        "The return connections restore every one of the 20 patterns from its code.",
        paper="recovered",
        measured=f"{int((back == all_patterns).all(axis=1).sum())} of {len(all_patterns)}",
        holds=bool((back == all_patterns).all()),
    )
    table = [
        [kind, row, unit, int(value)]
        for kind, rows, labels in (("pattern", x, names[0]), ("code", z, names[1]))
        for row, values in enumerate(rows, 1)
        for unit, value in zip(labels, values, strict=True)
    ]
    return Output(figure, claims, {"stackS1": (["kind", "which", "unit", "active"], table)})


ITEM = Item("stackS1", "The worked example of conjunctive coding: 2 of 3 shared becomes 1 of 3", (), make, seconds=1)
