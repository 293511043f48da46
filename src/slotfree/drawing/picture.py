"""Pictures: a figure, and the tables of the numbers that its panels show."""

import csv
import io
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import PurePath
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from slotfree.drawing.style import WARNING, in_style
from slotfree.files.atomic import write_atomically

# How a figure is saved, by suffix: what would tell the time or the version is left out, so that bytes are the same.
METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
PIXELS_PER_INCH = 96  # of a page, as browsers have it
LETTER, SAMPLE, ROW = 0.07, 0.65, 0.19  # inches of a legend: a letter, a line before words and the gap after, a row


class Picture:
    """A figure with its axes, (rows, columns), and what they show as tables.

    What draws a panel also records its numbers, so that a table cannot differ from its figure. A notebook shows a
    picture that is the last value of a cell.

    Parameters
    ----------
    width, height : of the figure, and of one of its rows, in inches.
    options : of ``Figure.subplots``.

    Attributes
    ----------
    figure, axes : of matplotlib; axes are (rows, columns). They can be changed before the picture is shown or saved.
    tables : what is drawn, as rows by the name of the table; the main one is called "".
    alt : what one sees, in a sentence or two, for those who do not see it.

    Examples
    --------
    >>> picture = Picture(width=3, height=2)
    >>> line = picture.axes[0, 0].plot([1, 2], [3, 4])
    >>> picture.record_columns({"x": [1, 2], "y": [3, 4]})
    >>> picture.tables[""][0]
    {'x': 1, 'y': 3}
    """

    def __init__(
        self, rows: int = 1, columns: int = 1, *, width: float = 8.5, height: float = 3.0, **options: Any
    ) -> None:
        self.figure = Figure(figsize=(width, height * rows), layout="constrained")
        self.axes: NDArray[Any] = self.figure.subplots(rows, columns, squeeze=False, **options)
        self.tables: dict[str, list[dict[str, object]]] = {}
        self.alt = ""

    def __repr__(self) -> str:
        rows, columns = self.axes.shape
        return f"Picture: {self.alt}" if self.alt else f"Picture of {rows} by {columns} panels"

    def across(self, row: int) -> Axes:
        """Put a single panel in the place of those of a row, and return it."""
        grid = self.axes[row, 0].get_gridspec()
        for axis in self.axes[row]:
            axis.remove()
        panel = self.figure.add_subplot(grid[row, :])
        self.axes[row] = panel
        return panel

    def record(self, row: Mapping[str, object], *, table: str = "") -> None:
        """Add a row to a table: the main one, or one whose name is added to the item's, such as "-fits"."""
        rows = self.tables.setdefault(table, [])
        if rows and list(rows[0]) != list(row):
            raise ValueError(f"rows of a table must have the same columns: {list(rows[0])}, not {list(row)}")
        rows.append({name: rounded(value) for name, value in row.items()})

    def record_columns(
        self, columns: Mapping[str, Sequence[Any] | NDArray[Any]], *, table: str = "", **same: object
    ) -> None:
        """Add a row for each place in columns of equal length, behind what is the same in all of them."""
        lists = [np.asarray(column).tolist() for column in columns.values()]
        for values in zip(*lists, strict=True):
            self.record({**same, **dict(zip(columns, values, strict=True))}, table=table)

    def panel(self, axis: Axes, letter: str, title: str = "") -> None:
        """Mark a panel with its letter and its title."""
        axis.set_title(title)
        axis.set_title(letter, loc="left", fontweight="bold")

    def explain(self, handles: Sequence[Artist], note: str = "") -> None:
        """Say below the figure what lines or marks mean, in as many columns as there is room for; it grows with them.

        Parameters
        ----------
        handles : lines or marks with labels.
        note : above them, how everything is drawn.
        """
        width, height = self.figure.get_size_inches()
        longest = max((len(str(each.get_label())) for each in handles), default=1)
        columns = int(np.clip(width // (LETTER * longest + SAMPLE), 1, max(len(handles), 1)))
        rows = -(-len(handles) // columns)
        self.figure.set_size_inches(width, height + ROW * (rows + bool(note)))
        self._legend(handles, columns, note)

    def legend_below(self, axis: Axes, columns: int, note: str = "") -> None:
        """Name the curves of an axis below the figure, where they hide nothing, under a note on how they are drawn."""
        self._legend(axis.get_legend_handles_labels()[0], columns, note)

    def _legend(self, handles: Sequence[Artist], columns: int, note: str) -> None:
        look: dict[str, Any] = {"frameon": False, "title": note or None, "title_fontsize": 7}
        self.figure.legend(handles=list(handles), loc="outside lower center", ncols=columns, **look)

    def mark(self, warning: str) -> None:
        """Say above the figure what a reader must know."""
        above = self.figure.get_suptitle()
        self.figure.suptitle(f"{above} ({warning})" if above else warning, color=WARNING, fontsize=9)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Return the figure as files: suffix and content."""
        return figure_files(self.figure)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the figure to a file, atomically; its suffix says how: .png, .svg or .pdf."""
        suffix = PurePath(path).suffix.lower().removeprefix(".")
        if suffix not in METADATA:
            known = ", ".join(f".{each}" for each in METADATA)
            raise ValueError(f"path must end in one of {known}, not be {os.fspath(path)!r}")
        content = self._drawn(suffix)
        write_atomically(path, lambda file: file.write(content))

    def _repr_html_(self) -> str:
        """Return the figure as a notebook shows it, with its alternative text."""
        png = b64encode(self._drawn("png")).decode()
        width = round(PIXELS_PER_INCH * self.figure.get_figwidth())
        alt = escape(self.alt or "A figure without a description.")
        look = f"width: {width}px; max-width: 100%; height: auto; background: #fff"
        return f'<img src="data:image/png;base64,{png}" alt="{alt}" style="{look}">'

    def _drawn(self, suffix: str) -> bytes:
        """The figure as the content of a file."""
        with in_style():
            return saved(self.figure, suffix)

    def csv_tables(self) -> Iterator[tuple[str, str]]:
        """Return the tables: what is added to the item's name, and the text."""
        for name, rows in self.tables.items():
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(rows[0])
            writer.writerows(row.values() for row in rows)
            yield name, text.getvalue()


def rounded(value: Any) -> Any:
    """A number with six digits after the point, for a table; anything else as it is."""
    return round(float(value), 6) if isinstance(value, float) else value


def figure_files(figure: Figure) -> Iterator[tuple[str, bytes]]:
    """Return a figure as files: suffix and content, the same bytes each time."""
    engine = figure.get_layout_engine()
    if engine is not None:  # everything is placed once: saving would do it again for each file
        engine.execute(figure)
    figure.set_layout_engine(None)  # "none" would keep one that places nothing, and draw everything twice for it
    for suffix in ("svg", "png"):
        yield suffix, saved(figure, suffix)


def saved(figure: Figure, suffix: str) -> bytes:
    """Return a figure as the content of a file with this suffix."""
    content = io.BytesIO()
    figure.savefig(content, format=suffix, metadata=METADATA[suffix])
    return content.getvalue()
