"""What makes a figure hard to read: words that touch each other, and curves or points behind words."""

from itertools import combinations, pairwise
from unittest.mock import patch

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.text import Text

SLACK = 0.5  # boxes that share an edge do not overlap, in points
ONE_PANEL, TWO_PANELS = 2.0, 9.0  # least room between numbers or names side by side on axes, in points


def touching_words(figure, drawn=None):
    """Return pairs of words that overlap, and of tick labels so close that they read as one.

    ``drawn`` are the words of the figure, if it has been drawn.
    """
    words, boxes = drawn or drawn_words(figure)
    point, panels = figure.dpi / 72, _panels_of_tick_labels(figure)
    found = []
    for (a, box_a), (b, box_b) in combinations(zip(words, boxes, strict=True), 2):
        across, above = _gap(box_a.x0, box_a.x1, box_b.x0, box_b.x1), _gap(box_a.y0, box_a.y1, box_b.y0, box_b.y1)
        room = -SLACK
        if a in panels and b in panels:
            room = ONE_PANEL if panels[a] is panels[b] else TWO_PANELS
        if across < room * point and above < -SLACK * point:
            found.append((a.get_text(), b.get_text()))
    return found


def words_on_curves(figure, drawn=None):
    """Return words within a panel that lie on its points or curves, those of its legend among them."""
    words, boxes = drawn or drawn_words(figure)
    box_of = dict(zip(words, boxes, strict=True))
    found = []
    for axis in figure.axes:
        legend, places = axis.get_legend(), _drawn_places(axis)
        for word in (*axis.texts, *(legend.get_texts() if legend else ())):
            if word in box_of and _any_within(places, box_of[word]):
                found.append(word.get_text())
    return found


def drawn_words(figure):
    """Return the words that are drawn, and their boxes in pixels."""
    canvas, words, draw = FigureCanvasAgg(figure), {}, Text.draw

    def remembered(text, renderer, *args, **options):
        if text.get_visible() and text.get_text().strip():
            words[text] = text.get_window_extent(renderer)
        draw(text, renderer, *args, **options)

    with patch.object(Text, "draw", remembered):
        canvas.draw()
    return list(words), list(words.values())


def _gap(a0, a1, b0, b1):
    """Room between two intervals; negative if they overlap."""
    return max(a0, b0) - min(a1, b1)


def _panels_of_tick_labels(figure):
    return {
        label: axes
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
    }


def _drawn_places(axis):
    """Points on all marks and along all curves of a panel, in pixels, (point, 2)."""
    found = [np.empty((0, 2))]
    for line in axis.lines:
        places = line.get_transform().transform(line.get_path().vertices.reshape(-1, 2))
        found.append(places if line.get_linestyle() == "None" else _along(places))
    for collection in axis.collections:
        if isinstance(collection, LineCollection):
            found += [_along(collection.get_transform().transform(part)) for part in collection.get_segments()]
        elif isinstance(collection, PathCollection):
            found.append(collection.get_offset_transform().transform(collection.get_offsets()))
    places = np.concatenate(found)
    return places[np.isfinite(places).all(axis=1)]


def _along(places):
    """Points along a polygon line, a pixel apart where it is not longer than any figure."""
    parts = [places]
    for start, end in pairwise(places):
        length = np.abs(end - start).max()
        if np.isfinite(length):
            parts.append(start + np.linspace(0, 1, min(int(length), 5000) + 2)[:, None] * (end - start))
    return np.concatenate(parts)


def _any_within(places, box):
    x, y = places.T
    return bool(((x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)).any())


def letters_as_read(figure):
    """Return the letters of the panels as one reads them: row by row from the top, each from the left."""
    panels = [axis for axis in figure.axes if axis.get_title("left")]
    rows = []
    for axis in sorted(panels, key=lambda panel: -panel.get_window_extent().y1):
        top = axis.get_window_extent().y1
        if not rows or rows[-1][0] - top > 0.1 * figure.bbox.height:
            rows.append((top, []))
        rows[-1][1].append(axis)
    in_order = [axis for _, row in rows for axis in sorted(row, key=lambda panel: panel.get_window_extent().x0)]
    return "".join(axis.get_title("left") for axis in in_order)
