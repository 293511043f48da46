"""Figure S4: a small tree of patterns, drawn with its bits (10 patterns, n_v = 5, s_v = 0.6, b = 1)."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.patterns.tree import PatternTree
from slotfree.runs.seeds import seed_for

INK, PAPER, LEAF = "#333333", "#FFFFFF", "#0072B2"


def make(context: Context) -> Output:
    """Draw a tree of ten nodes; a node's squares are its bits, leaves are framed in blue, flipped bits are marked."""
    tree = PatternTree.grow(n_nodes=10, n_visible=5, k_visible=3, n_flips=1, seed=seed_for(context.seed, "figS4"))
    figure, axes = drawing.new_figure(1, 1, context.scale, width=7, height=4)
    axis = axes[0, 0]
    x, depth = layout(tree.parent)
    for node, parent in enumerate(tree.parent):
        if parent >= 0:
            axis.plot(
                [x[node], x[parent]], [-depth[node] + 0.12, -depth[parent] - 0.12], color="#999999", lw=1, zorder=0
            )
        draw_bits(axis, tree, node, x[node], -float(depth[node]))
    axis.set(xlim=(-0.7, x.max() + 0.7), ylim=(-depth.max() - 0.45, 0.55), aspect="auto")
    axis.axis("off")
    axis.set_title(
        "TGCRP: 10 patterns of 5 bits, 3 of them on, one 1 and one 0 flipped from parent to child\n"
        "(numbers: order of growth; blue frames: leaves, the patterns that are stored; dots: flipped bits)"
    )
    rows: list[list[object]] = [
        [node, int(tree.parent[node]), int(node in tree.leaves), "".join(map(str, tree.patterns[node]))]
        for node in range(10)
    ]
    return Output(figure, judge(context, tree), {"figS4": (["node", "parent", "leaf", "bits"], rows)})


def layout(parent: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return horizontal positions (leaves side by side, parents above the middle of their children) and depths."""
    n = len(parent)
    children: list[list[int]] = [[] for _ in range(n)]
    depth = np.zeros(n, np.int64)
    for node in range(1, n):
        children[parent[node]].append(node)
        depth[node] = depth[parent[node]] + 1
    x = np.zeros(n)
    n_leaves = 0

    def place(node: int) -> None:
        nonlocal n_leaves
        for child in children[node]:
            place(child)
        if children[node]:
            x[node] = np.mean([x[child] for child in children[node]])
        else:
            x[node] = n_leaves
            n_leaves += 1

    place(0)
    return x, depth


def draw_bits(axis: Axes, tree: PatternTree, node: int, x: float, y: float) -> None:
    """Draw one node as a row of squares."""
    width, height = 0.15, 0.2
    bits, parent = tree.patterns[node], tree.parent[node]
    leaf = node in tree.leaves
    left = x - width * len(bits) / 2
    for j, bit in enumerate(bits):
        square = Rectangle(
            (left + j * width, y - height / 2), width, height, fc=INK if bit else PAPER, ec="#777777", lw=0.6
        )
        axis.add_patch(square)
        if parent >= 0 and bit != tree.patterns[parent, j]:
            axis.plot(left + (j + 0.5) * width, y, ".", color=PAPER if bit else INK, ms=4)
    if leaf:
        axis.add_patch(
            Rectangle(
                (left - 0.03, y - height / 2 - 0.04),
                width * len(bits) + 0.06,
                height + 0.08,
                fill=False,
                ec=LEAF,
                lw=1.6,
            )
        )
    axis.text(left + width * len(bits) + 0.06, y + 0.1, str(node), fontsize=7, color="#555555")


def judge(context: Context, tree: PatternTree) -> Claims:
    """Judge the algorithm box: the flips of every child, and the share of leaves."""
    claims = context.claims("figS4")
    child, parent = tree.patterns[1:], tree.patterns[tree.parent[1:]]
    off, on = ((parent > child).sum(axis=1), (child > parent).sum(axis=1))
    claims.add(
        "flips",
        "In the drawn tree each child is its parent with one 1 and one 0 flipped: children of which it is true.",
        paper=9.0,
        measured=int(((off == 1) & (on == 1)).sum()),
        holds=bool(((off == 1) & (on == 1)).all()),
    )
    shares = [
        len(
            PatternTree.grow(
                n_nodes=14_000, n_visible=2, k_visible=1, n_flips=0, seed=seed_for(context.seed, "figS4", i)
            ).leaves
        )
        / 14_000
        for i in range(20)
    ]
    mean, interval = comparison.mean_interval(np.array(shares))
    claims.add(
        "leaves",
        "About half of the nodes of a tree are leaves: share, mean of 20 trees of 14,000 nodes (99%).",
        paper=0.5,
        measured=mean,
        interval=interval,
        holds=abs(mean - 0.5) < 0.01,
    )
    return claims


ITEM = Item("figS4", "A sample tree of ten patterns with its bits", (), make, seconds=1)
