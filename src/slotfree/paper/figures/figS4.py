"""Figure S4: a small tree of patterns, drawn with its bits (10 patterns, n_v = 5, s_v = 0.6, b = 1)."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREY
from slotfree.paper.shared.trees import TRAINED_NODES
from slotfree.patterns.tree import PatternTree
from slotfree.runs.seeds import seed_for
from slotfree.study import Item, Results, measure
from slotfree.study.estimate import Values

N_NODES = 10
N_LARGE = 20  # trees in which leaves are counted
WHITE = "#FFFFFF"
WIDTH, HEIGHT = 0.15, 0.2  # of a bit


def draw(r: Results) -> Picture:
    """Draw a tree of ten nodes; a node's squares are its bits, leaves are framed in blue, flipped bits are marked."""
    tree = small_tree(r.seed)
    picture = Picture(width=7, height=4)
    axis = picture.axes[0, 0]
    x, depth = layout(tree.parent)
    for node, parent in enumerate(tree.parent):
        if parent >= 0:
            ends = [-depth[node] + 0.12, -depth[parent] - 0.12]
            axis.plot([x[node], x[parent]], ends, color=GREY, lw=1, zorder=0)
        draw_bits(axis, tree, node, x[node], -float(depth[node]))
        bits = "".join(map(str, tree.patterns[node]))
        picture.record({"node": node, "parent": int(parent), "leaf": int(node in tree.leaves), "bits": bits})
    axis.set(xlim=(-0.7, x.max() + 0.7), ylim=(-depth.max() - 0.45, 0.55), aspect="auto")
    axis.axis("off")
    axis.set_title(
        "TGCRP: 10 patterns of 5 bits, 3 of them on, one 1 and one 0 flipped from parent to child\n"
        "(numbers: order of growth; blue frames: leaves, the patterns that are stored; dots: flipped bits)"
    )
    return picture


def small_tree(seed: int) -> PatternTree:
    """The tree that is drawn."""
    return PatternTree.grow(n_nodes=N_NODES, n_visible=5, k_visible=3, n_flips=1, seed=seed_for(seed, "figS4"))


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
    bits, parent = tree.patterns[node], tree.parent[node]
    left, bottom, width = x - WIDTH * len(bits) / 2, y - HEIGHT / 2, WIDTH * len(bits)
    for j, bit in enumerate(bits):
        place = (left + j * WIDTH, bottom)
        axis.add_patch(Rectangle(place, WIDTH, HEIGHT, fc=BLACK if bit else WHITE, ec="#777777", lw=0.6))
        if parent >= 0 and bit != tree.patterns[parent, j]:
            axis.plot(left + (j + 0.5) * WIDTH, y, ".", color=WHITE if bit else BLACK, ms=4)
    if node in tree.leaves:
        corner = (left - 0.03, bottom - 0.04)
        axis.add_patch(Rectangle(corner, width + 0.06, HEIGHT + 0.08, fill=False, ec=BLUE, lw=1.6))
    axis.text(left + width + 0.06, y + 0.1, str(node), fontsize=7, color="#555555")


@measure
def share_of_leaves(r: Results) -> Values:
    """Share of nodes that are leaves, in each of several trees of the size with which memories are trained."""
    size = {"n_nodes": TRAINED_NODES, "n_visible": 2, "k_visible": 1, "n_flips": 0}
    trees = (PatternTree.grow(**size, seed=seed_for(r.seed, "figS4", i)) for i in range(N_LARGE))
    return np.array([len(tree.leaves) / TRAINED_NODES for tree in trees])


ITEM = Item(
    name="figS4",
    number="Figure S4",
    title="How structured patterns grow",
    text="Patterns grow as a tree: each child is a copy of its parent in which some active bits are moved, and the "
    "leaves, framed in blue, are the patterns to be stored. Patterns with a recent common ancestor are alike, as "
    "experiences of one kind are.",
    alt="A tree of ten small patterns, drawn as rows of five black or white cells. Dots mark the bits that differ from "
    "the parent; blue frames mark the leaves.",
    experiments=(),
    draw=draw,
)
