"""What a memory recalls: a pattern, the cue, and what came back, beside each other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.drawing import grids
from slotfree.drawing.grids import FALSE, HIT, LEAST, MISSED, ONE, Shape, crossed, filled, grid, grid_shape, outlined
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import in_style
from slotfree.forgetting.checked_memory import CheckedMemory
from slotfree.memory.base import Memory
from slotfree.memory.modern_hopfield import LARGEST, ModernHopfield
from slotfree.patterns.cues import partial_cues

PANEL, TITLE = 2.75, 0.45  # inches: the width of a panel, and the height of its title
HIGHEST = 4.0  # inches, of a panel
METHODS = ("retrieve", "store")
TINY = "units are too small here to show more than their colours"


def show_recall(
    memory: Memory,
    pattern: ArrayLike,
    cue: float | ArrayLike = 0.5,
    *,
    seed: checks.Seed = 0,
    shape: Sequence[int] | None = None,
) -> Picture:
    """Draw a pattern, a cue, and what the memory recalls from it, as grids of units.

    Hits are filled squares, missed bits are outlined, and false ones, which are recalled but not in the pattern, are
    crosses. The accuracy is the share of the pattern's active bits that are hits.

    Parameters
    ----------
    memory : any binary memory, with ``retrieve``; or a ``ModernHopfield`` of real numbers, which are drawn in colours,
        with the cosine of the pattern and what is recalled in place of the accuracy.
    pattern : stored or not, (n_visible,).
    cue : a fraction of the pattern's active bits to keep, drawn with the seed by ``sf.partial_cues``; or the whole cue,
        (n_visible,). Of real numbers, it is a fraction of all of them, and the others are 0.
    seed : of the cue.
    shape : rows and columns of the grids; defaults to as square as possible.

    Returns
    -------
    A picture, with the numbers of hits, missed and false bits in its table.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.KWinnerMHN(seed=0)
    >>> patterns = sf.random_patterns(10, n_visible=1000, k_visible=100, seed=1)
    >>> memory.store(patterns)
    >>> show_recall(memory, patterns[-1]).tables[""][0]["ones"]
    100
    """
    _check_memory(memory)
    if isinstance(memory, ModernHopfield):
        if memory.settings.n_values is not None:
            raise TypeError("memory must recall patterns of its own kind: one with n_values recalls values of keys")
        if memory.settings.k_visible is None:
            with in_style():
                return _real(memory, pattern, cue, seed, shape)
    n_visible = getattr(getattr(memory, "settings", None), "n_visible", None)
    x = checks.binary_rows("pattern", _one("pattern", pattern), n_visible if isinstance(n_visible, int) else None)[0]
    if _is_number(cue):
        presented = partial_cues(x, _fraction(cue), seed=seed)
    else:
        presented = checks.binary_rows("cue", _one("cue", cue), len(x))[0]
    recalled = CheckedMemory(memory).retrieve(presented[None].copy())[0]
    with in_style():
        return _binary(type(memory).__name__, x > 0, presented > 0, recalled > 0, grid_shape(len(x), shape))


def _binary(
    name: str, x: NDArray[np.bool_], cue: NDArray[np.bool_], recalled: NDArray[np.bool_], shape: Shape
) -> Picture:
    """Draw a pattern of zeros and ones, its cue and what is recalled."""
    hits, missed, false = x & recalled, x & ~recalled, recalled & ~x
    n_hits, n_missed, n_false, ones = (int(each.sum()) for each in (hits, missed, false, x))
    accuracy = n_hits / ones if ones else np.nan
    picture, points = _panels(shape)
    pattern_axis, cue_axis, recalled_axis = picture.axes[0]
    for axis in picture.axes[0]:
        grid(axis, len(x), shape, points)
    filled(pattern_axis, x, shape, ONE, points)
    filled(cue_axis, cue & x, shape, ONE, points)
    crossed(cue_axis, cue & ~x, shape, FALSE, points)
    filled(recalled_axis, hits, shape, HIT, points)
    outlined(recalled_axis, missed, shape, MISSED, points)
    crossed(recalled_axis, false, shape, FALSE, points)
    kept, wrong = int((cue & x).sum()), int((cue & ~x).sum())
    added = f", {wrong:,} others" if wrong else ""
    pattern_axis.set_title(f"pattern: {ones:,} ones")
    cue_axis.set_title(f"cue: {kept:,} of them{added}")
    recalled_axis.set_title(f"recalled: accuracy {accuracy:.2f}", fontweight="bold")
    words = f"{n_hits:,} hits", f"{n_missed:,} missed", f"{n_false:,} false"
    picture.explain(grids.marks(*words), "" if points > LEAST else TINY)
    row = {"ones": ones, "cue_ones": kept + wrong, "hits": n_hits, "missed": n_missed, "false": n_false}
    picture.record({"memory": name, **row, "accuracy": accuracy})
    seen = np.flatnonzero(x | cue | recalled)
    columns = {"pattern": x, "cue": cue, "recalled": recalled}
    picture.record_columns({"unit": seen, **{k: v[seen].astype(int) for k, v in columns.items()}}, table="-units")
    picture.alt = (
        f"Three grids of {shape[0]:,} by {shape[1]:,} units: a pattern with {ones:,} ones, a cue with {kept:,} "
        f"of them{f' and {wrong:,} others' if wrong else ''}, and what a {name} recalls: {words[0]}, {words[1]} and "
        f"{words[2]} ones, an accuracy of {accuracy:.2f}."
    )
    return picture


def _real(
    memory: ModernHopfield, pattern: ArrayLike, cue: Any, seed: checks.Seed, shape: Sequence[int] | None
) -> Picture:
    """Draw a pattern of real numbers, its cue and what is recalled."""
    x = checks.real_rows("pattern", _one("pattern", pattern), memory.settings.n_visible, LARGEST)[0]
    if _is_number(cue):
        places = partial_cues(np.ones(len(x), np.uint8), _fraction(cue), seed=seed)
        presented, kept = x * places, f"{places.sum():,} of {len(x):,} numbers"
    else:
        presented, kept = checks.real_rows("cue", _one("cue", cue), len(x), LARGEST)[0], ""
    recalled = np.asarray(memory.retrieve(presented), np.float64)
    length = np.linalg.norm(x) * np.linalg.norm(recalled)
    cosine = float(x @ recalled / length) if length > 0 else np.nan
    size = grid_shape(len(x), shape)
    picture, points = _panels(size)
    limit = float(max(np.abs(part).max() for part in (x, presented, recalled))) or 1.0
    titles = "pattern", f"cue: {kept}" if kept else "cue", f"recalled: cosine {cosine:.2f}"
    for axis, part, title in zip(picture.axes[0], (x, presented, recalled), titles, strict=True):
        grid(axis, len(x), size, points)
        numbers = np.full(size[0] * size[1], np.nan)
        numbers[: len(part)] = part
        look = {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit, "interpolation": "nearest"}
        image = axis.imshow(numbers.reshape(size), **look, zorder=2)
        axis.set_title(title)
    bar = picture.figure.colorbar(image, ax=picture.axes[0], orientation="horizontal", shrink=0.4, aspect=30, pad=0.02)
    bar.outline.set_visible(False)
    picture.record({"memory": type(memory).__name__, "numbers": len(x), "cosine": cosine})
    columns = {"unit": np.arange(len(x)), "pattern": x, "cue": presented, "recalled": recalled}
    picture.record_columns(columns, table="-units")
    picture.alt = (
        f"Three grids of {size[0]:,} by {size[1]:,} numbers as colours: a pattern, "
        f"{f'a cue with {kept}' if kept else 'a cue'}, and what a {type(memory).__name__} recalls, whose cosine with "
        f"the pattern is {cosine:.2f}."
    )
    return picture


def _panels(shape: Shape) -> tuple[Picture, float]:
    """Three panels for grids of a shape, and the width of a cell in points."""
    rows, columns = shape
    width = min(PANEL, HIGHEST * columns / rows)
    picture = Picture(1, 3, width=3 * PANEL + 0.4, height=width * rows / columns + TITLE)
    return picture, 72 * width / columns


def _check_memory(memory: Any) -> None:
    """Raise an error if this is no memory."""
    if isinstance(memory, type):
        made = f"{memory.__name__}(...)"
        raise TypeError(f"memory must be a memory, such as {made} makes, not the class {memory.__name__}")
    for method in METHODS:
        if not callable(getattr(memory, method, None)):
            raise TypeError(f"memory must have the method {method}, not be {checks.shown(memory)}")


def _is_number(cue: Any) -> bool:
    try:
        return np.ndim(cue) == 0
    except ValueError:  # rows of several lengths
        return False


def _one(name: str, values: ArrayLike) -> NDArray[Any]:
    """One pattern, not many."""
    try:
        found = np.asarray(values)
    except ValueError:  # rows of several lengths
        raise ValueError(f"{name} must be one pattern, (n_visible,), not {checks.shown(values)}") from None
    if found.ndim != 1:
        raise ValueError(f"{name} must be one pattern, (n_visible,), not of the shape {found.shape}")
    return found


def _fraction(cue: Any) -> float:
    return checks.fraction("cue", cue.item() if isinstance(cue, np.ndarray | np.generic) else cue, zero_allowed=True)
