"""Tiny pictures inside HTML: curves, histograms, shares and intervals, in colours for light and dark pages."""

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree.display.html import Html

BLUE, ORANGE = "#3b82c4", "#e2711d"  # seen on white and on black
WIDTH, HEIGHT = 260, 70  # of what is drawn, in pixels
EDGE = 26  # room for numbers
BINS = 40
MOST_POINTS, MOST_CURVES = 100, 20
SMALL = 'font-size="10" font-family="sans-serif" fill="currentColor"'


def curves(values: ArrayLike, *, high: float, alt: str, below: str) -> Html:
    """Draw curves from 0 to ``high``, (curves, points), thinned to a hundred means each; at most twenty.

    Parameters
    ----------
    alt : the picture in words.
    below : what stands at the right end, such as the last iteration.
    """
    rows = np.atleast_2d(np.asarray(values, np.float64))[:MOST_CURVES]
    edges = np.unique(np.linspace(0, rows.shape[1], min(MOST_POINTS, rows.shape[1]) + 1).astype(int))
    means = np.add.reduceat(rows, edges[:-1], axis=1) / np.diff(edges)
    x = EDGE + WIDTH * (edges[:-1] + edges[1:]) / 2 / max(rows.shape[1], 1)
    y = HEIGHT * (1 - np.clip(np.nan_to_num(means, nan=0.0, posinf=high) / high, 0, 1)) + 5
    width = 1.6 if len(rows) == 1 else 1.0
    lines = "".join(f'<polyline points="{_points(x, each)}" stroke-width="{width}"/>' for each in y)
    drawn = f'<g fill="none" stroke="{BLUE}" stroke-opacity=".8">{lines}</g>'
    ends = _text(EDGE - 4, 9, _short(high), "end") + _text(EDGE - 4, HEIGHT + 6, "0", "end")
    return _picture(drawn + _frame() + ends + _text(EDGE + WIDTH, HEIGHT + 17, below, "end"), alt)


def histogram(values: ArrayLike, *, low: float, high: float, alt: str, below: str) -> Html:
    """Draw how often numbers from low to high occur; the highest bar has the full height."""
    counts, _ = np.histogram(np.clip(np.asarray(values, np.float64).ravel(), low, high), BINS, (low, high))
    step, most = WIDTH / BINS, max(int(counts.max()), 1)
    bars = "".join(
        f'<rect x="{EDGE + i * step + 0.5:.1f}" y="{5 + HEIGHT * (1 - n / most):.1f}" width="{step - 1:.1f}" '
        f'height="{HEIGHT * n / most:.1f}"/>'
        for i, n in enumerate(counts.tolist())
        if n
    )
    ends = _text(EDGE, HEIGHT + 17, _short(low), "start") + _text(EDGE + WIDTH, HEIGHT + 17, _short(high), "end")
    middle = _text(EDGE + WIDTH / 2, HEIGHT + 17, below, "middle")
    return _picture(f'<g fill="{BLUE}">{bars}</g>{_frame()}{ends}{middle}', alt)


def share(part: float, *, alt: str, below: str) -> Html:
    """Draw a part of a whole, from 0 to 1, as a bar."""
    filled = WIDTH * min(max(part, 0.0), 1.0)
    bar = f'<rect x="{EDGE}" y="5" width="{filled:.1f}" height="12" fill="{BLUE}"/>'
    frame = (
        f'<rect x="{EDGE}" y="5" width="{WIDTH}" height="12" fill="none" stroke="currentColor" stroke-opacity=".5"/>'
    )
    return _picture(bar + frame + _text(EDGE, 30, below, "start"), alt, height=36)


def interval(value: float, ends: Sequence[float], limits: Sequence[float], *, alt: str) -> Html | None:
    """Draw a number with its interval, above the limits in which it should lie; None where nothing is finite."""
    known = [x for x in (value, *ends, *limits) if np.isfinite(x)]
    if not np.isfinite(value) or not known:
        return None
    low, high = min(known), max(known)
    room = 0.15 * (high - low) or 0.5 * abs(value) or 1.0
    low, high = low - room, high + room

    def place(x: float) -> float:
        return EDGE + WIDTH * min(max((x - low) / (high - low), 0.0), 1.0)

    left, right = (place(x) if not np.isnan(x) else EDGE for x in limits)
    band = f'<rect x="{left:.1f}" y="5" width="{max(right - left, 1.5):.1f}" height="26" fill="{BLUE}" opacity=".3"/>'
    whisker = ""
    if not np.isnan(ends).any():
        a, b = (place(x) for x in ends)
        whisker = f'<path d="M{a:.1f} 18H{b:.1f}M{a:.1f} 13v10M{b:.1f} 13v10" stroke="{ORANGE}" stroke-width="2"/>'
    dot = f'<circle cx="{place(value):.1f}" cy="18" r="4" fill="{ORANGE}"/>'
    axis = f'<path d="M{EDGE} 31h{WIDTH}" stroke="currentColor" stroke-opacity=".5"/>'
    key = _text(EDGE, 44, "shaded: limits; dot and bar: measured, 99 % interval", "start")
    return _picture(band + axis + whisker + dot + key, alt, height=50)


def _picture(content: str, alt: str, height: int = HEIGHT + 22) -> Html:
    width = WIDTH + 2 * EDGE
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" style="max-width: 100%"'
    return Html(f'<svg {size} role="img" aria-label="{escape(alt)}"><title>{escape(alt)}</title>{content}</svg>')


def _frame() -> str:
    path = f"M{EDGE} 5v{HEIGHT}h{WIDTH}"
    return f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity=".5"/>'


def _points(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {SMALL}>{escape(words)}</text>'


def _short(value: float) -> str:
    return f"{value:.3g}"
