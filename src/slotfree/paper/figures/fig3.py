"""Figure 3: which weights change when a pattern is stored, in the original, the 1-winner and the K-winner MHN."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing import network
from slotfree.drawing.network import ACTIVITY, CHANGE, MEMORY, SMALL, Shade, arrow, cells, connect, layer, text
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import DARK_GREY, GREEN
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.shared.diagrams import record
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study import Item, Results

N_VISIBLE, K_VISIBLE = 8, 4
ONE_WINNER = KWinnerSettings(N_VISIBLE, 5, K_VISIBLE, 1, 1.0, 1.0)
K_WINNER = KWinnerSettings(N_VISIBLE, 10, K_VISIBLE, 3, 0.5, 0.3)
N_BEFORE = 12  # patterns that are stored before the one whose storing is shown
WIDTH, HEIGHT = 30, 40
NO_CONNECTION = "#D6E8F5"
Reals: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool]
LINES = Shade("#888888")


@dataclass(frozen=True)
class Storing:
    """One network before and after a pattern is presented: weights, (n_h, n_v), NaN where there is no connection."""

    pattern: Reals
    hidden: Reals
    before: Reals
    after: Reals
    return_before: Reals
    return_after: Reals

    @property
    def changed(self) -> Flags:
        """Whether a weight changed, on its way in or on its way out, (n_h, n_v)."""
        return different(self.before, self.after) | different(self.return_before.T, self.return_after.T)


def different(a: Reals, b: Reals) -> Flags:
    """Where existing weights differ."""
    return np.asarray(~np.isnan(a) & (a != b))


def kwinner_storing(settings: KWinnerSettings, seed: int, number: int = 0) -> Storing:
    """Store some patterns in a K-winner MHN, then one more."""
    root = seed_for(seed, "fig3", repr(settings), number)
    memory = KWinnerMHN.from_settings(settings, root)
    patterns = random_patterns(N_BEFORE + 10, n_visible=N_VISIBLE, k_visible=K_VISIBLE, seed=root)
    known = patterns[:N_BEFORE]
    memory.store(known)
    last = next(x for x in patterns[N_BEFORE:] if not (known == x).all(axis=1).any())
    mask = np.where(memory.mask, 1.0, np.nan)

    def weights() -> tuple[Reals, Reals]:
        return memory.weights.astype(np.float64) * mask, memory.return_weights.astype(np.float64) * mask.T

    hidden, (before, return_before) = memory.hidden(last), weights()
    memory.store(last)
    after, return_after = weights()
    return Storing(last.astype(np.float64), hidden.astype(np.float64), before, after, return_before, return_after)


def original_retrieval(seed: int) -> Storing:
    """Present a pattern to an original MHN, which retrieves from the five patterns that it has."""
    root = seed_for(seed, "fig3", "original")
    *stored, last = random_patterns(6, n_visible=N_VISIBLE, k_visible=K_VISIBLE, seed=root).astype(np.float64)
    memory = ModernHopfield(N_VISIBLE, 2.0)
    memory.store(np.array(stored))
    before = memory.patterns
    hidden = memory.weights(last)
    memory.retrieve(last)
    return Storing(last, hidden, before, memory.patterns, before.T, memory.patterns.T)


def draw(r: Results) -> Picture:
    """Draw the three networks side by side, above their weights before and after."""
    picture = Picture(1, 3, width=9, height=4.3)
    kinds = {
        "Original MHN": original_retrieval(r.seed),
        "1-winner MHN": kwinner_storing(ONE_WINNER, r.seed),
        "K-winner MHN": kwinner_storing(K_WINNER, r.seed),
    }
    notes = ("fixed patterns, read by a softmax", "one unit, replaced: ε = 1", "some units, sparse, graded: ε = 0.3")
    for axis, (name, storing), note in zip(picture.axes[0], kinds.items(), notes, strict=True):
        axis.set_title(name, fontweight="bold")
        draw_network(axis, storing, note)
        label = name.split()[0].lower()
        record(picture, label, pattern=storing.pattern, hidden=storing.hidden, before=storing.before)
        record(picture, label, after=storing.after)
    draw_legend(*picture.axes[0])
    return picture


def draw_network(axis: Axes, storing: Storing, note: str) -> None:
    """Draw one network: changed connections in green, then its weights before and after."""
    network.canvas(axis, WIDTH, HEIGHT)
    n_hidden = len(storing.hidden)
    text(axis, 15, 39, note, size=SMALL, colour=DARK_GREY)
    visible = layer(axis, storing.pattern, 15, 19.3, limit=1, across=True, gap=1.7)
    gap = 1.1 if n_hidden > 5 else 3.6
    hidden = layer(axis, storing.hidden, 15, 34, shade=MEMORY, limit=1, across=True, gap=gap)
    updated = np.flatnonzero(storing.changed.any(axis=1))
    green = ~np.isnan(storing.after) & np.isin(np.arange(n_hidden), updated)[:, None]
    connect(axis, visible, hidden, np.where(green, 0, np.nan_to_num(storing.after)), shade=LINES, limit=1, widest=1.0)
    connect(axis, visible, hidden, green * 1.0, shade=CHANGE, limit=1, widest=1.5)
    text(axis, 15, 36.4, "hidden units", size=SMALL)
    text(axis, 15, 17.0, "pattern $x$", size=SMALL)
    look: dict[str, Any] = {"shade": ACTIVITY, "limit": 1.0, "size": (1.1, 11.0 / n_hidden), "missing": NO_CONNECTION}
    before, after = cells(axis, storing.before, 7.5, 8.2, **look), cells(axis, storing.after, 22.5, 8.2, **look)
    arrow(axis, (before.x1 + 0.4, 8.2), (after.x0 - 0.4, 8.2), "$x$")
    text(axis, 7.5, before.y1 + 1.2, "$W$ before", size=SMALL)
    text(axis, 22.5, before.y1 + 1.2, "$W$ after", size=SMALL)
    for unit in updated:
        network.outline(axis, network.row(after, n_hidden, int(unit)), GREEN)


def draw_legend(original: Axes, one_winner: Axes, k_winner: Axes) -> None:
    """Explain the colours below the panels."""
    network.key(original, 7, 0.8, ACTIVITY, "weight")
    one_winner.plot([5, 8], [0.8, 0.8], color=GREEN, lw=2)
    text(one_winner, 9, 0.8, "updated, into and out of winners", size=SMALL, align="left")
    cells(k_winner, [np.nan], 8, 0.8, size=(1.2, 0.9), missing=NO_CONNECTION)
    text(k_winner, 9.4, 0.8, "no connection", size=SMALL, align="left")


ITEM = Item(
    name="fig3",
    number="Figure 3",
    title="Which weights a new pattern changes",
    text="The original MHN only retrieves: its weights stay as they are. In the 1-winner MHN the unit with the largest "
    "drive takes over the new pattern, and what it held is gone. In the K-winner MHN several units, each with some of "
    "the connections, move part of the way towards it. Weights that are updated are green. What is "
    "drawn are small networks that were run, before and after one new pattern.",
    alt="Three networks side by side, each a row of visible units below a row of hidden ones, with weight matrices "
    "before and after a pattern below. Left: no green connection. Middle: all connections of one hidden unit are "
    "green, and its row of weights becomes the pattern. Right: the connections of three of ten units are green; a "
    "connection in two exists.",
    experiments=(),
    draw=draw,
)
