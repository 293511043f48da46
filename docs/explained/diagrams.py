"""Draw the two diagrams of the memory model from small memories that are run: python docs/explained/diagrams.py [DIR].

``slots.png`` shows where three patterns are kept, with slots and without. ``fading.png`` shows one picture as two
memories recall it while they store other patterns. Both are written to docs/figures, or to DIR.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle, Wedge
from numpy.typing import NDArray

import slotfree as sf
from slotfree.drawing import network
from slotfree.drawing.network import SMALL, Layer, Shade, arrow, cells, connect, layer, text
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREEN, GREY, ORANGE, VERMILION, in_style

FIGURES = Path(__file__).parent.parent / "figures"
Bits = NDArray[np.uint8]

COLOURS = (BLUE, ORANGE, GREEN)  # of three patterns
N_VISIBLE, K_VISIBLE = 8, 3
ONE_WINNER = {"n_hidden": 5, "k_hidden": 1, "fan_in": 1.0, "learning_rate": 1.0}
K_WINNER = {"n_hidden": 10, "k_hidden": 3, "fan_in": 0.5, "learning_rate": 0.3}
WIDTH, HEIGHT = 30, 37

ROWS, COLUMNS = 25, 40  # of a picture with 1000 cells
OTHERS = (0, 30, 100, 300, 1000)  # patterns that are stored after it
BEFORE = 3000  # and before it
MEMORIES = {
    "1-winner MHN": {"n_hidden": 100, "k_hidden": 1, "fan_in": 1.0, "learning_rate": 1.0},
    "K-winner MHN": {"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3},
}


def draw_slots() -> Picture:
    """Three patterns in slots, in one hidden unit each, and in three hidden units each."""
    patterns = sf.random_patterns(3, n_visible=N_VISIBLE, k_visible=K_VISIBLE, seed=8)
    picture = Picture(1, 3, width=9, height=4.1)
    titles = ("Slots", "A unit for each", "Ensembles that overlap")
    notes = ("a copy in a place of its own", "still a slot, but in weights", "no slots: units are shared")
    for axis, title, note in zip(picture.axes[0], titles, notes, strict=True):
        network.canvas(axis, WIDTH, HEIGHT)
        axis.set_title(title, fontweight="bold")
        text(axis, WIDTH / 2, HEIGHT - 1, note, size=SMALL, colour=DARK_GREY)
    in_places(picture.axes[0, 0], patterns)
    in_units(picture.axes[0, 1], patterns, ONE_WINNER, "the next pattern takes a unit whole")
    in_units(picture.axes[0, 2], patterns, K_WINNER, "the next one changes three units a little")
    return picture


def in_places(axis: Axes, patterns: Bits) -> None:
    """Draw a list of patterns, and a free place."""
    for number, y in enumerate(np.linspace(29, 9, 4)):
        free = number == len(patterns)
        values = np.zeros(N_VISIBLE) if free else patterns[number]
        shade = Shade(BLACK if free else COLOURS[number])
        part = cells(axis, values[None].astype(float), 17, y, shade=shade, limit=1.0, size=2.2)
        network.box(axis, part, margin=1.2)
        text(axis, 4, y, "free" if free else f"pattern {number + 1}", size=SMALL)
    text(axis, WIDTH / 2, 1.5, "the next pattern needs a place", size=SMALL)


def in_units(axis: Axes, patterns: Bits, settings: dict[str, float], words: str) -> None:
    """Store the patterns in a memory; draw it with the weights that were raised, in the colours of their patterns."""
    memory = sf.KWinnerMHN(n_visible=N_VISIBLE, k_visible=K_VISIBLE, **settings, seed=11)  # type: ignore[arg-type]
    winners = memory.store(patterns, return_winners=True)
    n_hidden = memory.settings.n_hidden
    visible = layer(axis, np.zeros(N_VISIBLE), 15, 14, across=True, gap=1.7)
    hidden = layer(axis, np.zeros(n_hidden), 15, 30, across=True, gap=1.1 if n_hidden > 5 else 3.6)
    connect(axis, visible, hidden, memory.mask * 1.0, shade=Shade("#BBBBBB"), limit=1, widest=0.5)
    for pattern, units, colour in zip(patterns, winners, COLOURS, strict=True):
        stored = np.isin(np.arange(n_hidden), units)[:, None] & memory.mask & (pattern == 1)
        connect(axis, visible, hidden, stored * 1.0, shade=Shade(colour), limit=1, widest=1.6)
    for place, unit in zip(hidden.places, range(n_hidden), strict=True):
        pie(axis, place, hidden.radius, [c for c, won in zip(COLOURS, winners, strict=True) if unit in won])
    text(axis, 15, 32.4, "hidden units", size=SMALL)
    below(axis, patterns, visible)
    text(axis, WIDTH / 2, 1.5, words, size=SMALL)


def pie(axis: Axes, place: tuple[float, float], radius: float, colours: list[str]) -> None:
    """Fill a unit with the colours of the patterns that it took part in storing."""
    for number, colour in enumerate(colours):
        first, last = (90 - 360 * (number + i) / len(colours) for i in (0, 1))
        axis.add_patch(Wedge(place, radius, last, first, fc=colour, ec="white", lw=0.5, zorder=4))


def below(axis: Axes, patterns: Bits, visible: Layer) -> None:
    """Draw the patterns below the visible units, a row each."""
    text(axis, 15, 11.6, "visible units, and the patterns", size=SMALL)
    step = visible.places[1][0] - visible.places[0][0]
    for number, (pattern, colour) in enumerate(zip(patterns, COLOURS, strict=True)):
        row = pattern[None].astype(float)
        cells(axis, row, 15, 9.4 - 2 * number, shade=Shade(colour), limit=1.0, size=(step, 1.5))


def draw_fading() -> Picture:
    """One picture, recalled from half of it by two memories, after more and more other patterns."""
    stored = face()
    cue = sf.partial_cues(stored, 0.5, seed=4)
    picture = Picture(width=9, height=3.5)
    axis = picture.axes[0, 0]
    network.canvas(axis, 90, 35)
    for y, label, shown in ((23.5, "stored", stored), (10, "cue: half of it", cue)):
        text(axis, 9, y + 5.8, label, size=SMALL)
        grid(axis, stored, shown, 9, y, missing=0.0)
    arrow(axis, (17.5, 10), (21.5, 10))
    for y, (name, settings) in zip((23.5, 10), MEMORIES.items(), strict=True):
        text(axis, 23.5, y + 5.8, name, size=SMALL, align="left", weight="bold")
        for x, others, recalled in zip(np.linspace(30, 83, 5), OTHERS, recall(stored, cue, settings), strict=True):
            grid(axis, stored, recalled, float(x), y)
            text(axis, float(x), y - 5.2, f"{(recalled & stored).sum() / stored.sum():.2f}", size=SMALL)
            if y > 20:
                text(
                    axis,
                    float(x),
                    32.8,
                    f"after {others} others" if others else "recalled at once",
                    size=SMALL,
                    colour=DARK_GREY,
                )
    draw_key(axis)
    network.canvas(axis, 90, 35)  # pictures have changed its limits
    return picture


def recall(stored: Bits, cue: Bits, settings: dict[str, float]) -> list[Bits]:
    """Store a picture among random patterns; return what the memory recalls of it as others are stored."""
    memory = sf.KWinnerMHN(**settings, seed=0)  # type: ignore[arg-type]
    patterns = sf.random_patterns(BEFORE + OTHERS[-1], seed=1)
    memory.store(patterns[:BEFORE])
    memory.store(stored)
    found = []
    for first, last in zip((0, *OTHERS), OTHERS, strict=False):
        memory.store(patterns[BEFORE + first : BEFORE + last])
        found.append(memory.retrieve(cue))
    return found


def grid(axis: Axes, stored: Bits, shown: Bits, x: float, y: float, missing: float = 0.2) -> None:
    """Draw a picture: what is right, what is wrong, and what is missing."""
    shade = Shade(BLACK, VERMILION)
    values = np.select([shown & stored == 1, shown == 1, stored == 1], [1.0, -1.0, missing], 0.0)
    colours = [shade.colour(value, 1.0) for value in values]
    edges = (x - 6, x + 6, y - 3.75, y + 3.75)
    axis.imshow(np.reshape(colours, (ROWS, COLUMNS, 3)), extent=edges, interpolation="nearest", zorder=2)
    axis.add_patch(Rectangle((x - 6, y - 3.75), 12, 7.5, fill=False, ec=GREY, lw=network.EDGE, zorder=3))


def draw_key(axis: Axes) -> None:
    """Explain the colours below the pictures."""
    for x, value, words in ((24.5, 1.0, "right"), (31.5, 0.2, "missing"), (40, -1.0, "wrong")):
        cells(axis, [[value]], x, 0.8, shade=Shade(BLACK, VERMILION), limit=1.0, size=1.0)
        text(axis, x + 1.1, 0.8, words, size=SMALL, align="left")
    text(axis, 49, 0.8, "numbers: accuracy, the share of the stored ones that is recalled", size=SMALL, align="left")


def face() -> Bits:
    """Return a face with exactly 100 of 1000 ones: the cells that are nearest to its lines."""
    y, x = np.mgrid[:ROWS, :COLUMNS]
    x, y = x - (COLUMNS - 1) / 2, y - (ROWS - 1) / 2
    ring = np.abs(np.hypot(x, y) - 11.4)
    eyes = np.minimum(np.hypot(x - 4.5, y + 3.5), np.hypot(x + 4.5, y + 3.5)) - 1.2
    mouth = np.where(y > 2, np.abs(np.hypot(x, y) - 6.6), 9.0)
    nearest = np.argsort(np.minimum(np.minimum(ring, eyes), mouth), axis=None, kind="stable")[:100]
    pattern = np.zeros(ROWS * COLUMNS, np.uint8)
    pattern[nearest] = 1
    return pattern


DIAGRAMS = {"slots": draw_slots, "fading": draw_fading}

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FIGURES
    with in_style():
        for name, draw in DIAGRAMS.items():
            draw().save(folder / f"{name}.png")
