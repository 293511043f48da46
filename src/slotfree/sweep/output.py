"""What a sweep leaves behind: a tidy table, labelled data, and a plot."""

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
import xarray as xr

from slotfree import __version__
from slotfree.files.dataset import write_dataset
from slotfree.paper import drawing
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.store import Arrays
from slotfree.sweep.grid import Sweep
from slotfree.sweep.memory_plot import draw_memories
from slotfree.sweep.memory_table import memory_measures
from slotfree.sweep.parameters import Value
from slotfree.sweep.point import Point
from slotfree.sweep.transformer_plot import draw_transformers
from slotfree.sweep.transformer_table import transformer_measures

Rows: TypeAlias = list[dict[str, Any]]


def write_results(
    directory: ResultsDirectory, sweep: Sweep, points: Sequence[Point], results: Sequence[Sequence[Arrays]]
) -> Rows:
    """Write the table, the data and the plot of finished points, whose results are given by run; return the table."""
    data = labelled(sweep, points, results)
    rows = table_of(sweep, points, data)
    directory.write("sweep.csv", as_csv(rows))
    metadata = {"slotfree": __version__, "sweep": json.dumps(sweep.entries())}
    write_dataset(directory.place("sweep.safetensors"), data, metadata)
    chosen = [{name: point.chosen[name] for name in sweep.swept} for point in points]
    with mpl.rc_context(drawing.STYLE):
        is_memory = sweep.kind == "memory"
        figure = draw_memories(chosen, rows, sweep.cues) if is_memory else draw_transformers(chosen, data)
        for suffix, content in drawing.pictures(figure):
            directory.write(f"sweep.{suffix}", content)
    return rows


def labelled(sweep: Sweep, points: Sequence[Point], results: Sequence[Sequence[Arrays]]) -> xr.Dataset:
    """Label the results of all points: accuracy (point, run, cue, kind, age), or accuracy and loss (…, iteration)."""
    inner: tuple[str, ...] = ("cue", "kind", "age")
    coordinates: dict[str, Any] = {"run": np.arange(sweep.runs)}
    if sweep.kind == "memory":
        ages = np.arange(1, sweep.sizes["n_tested"] + 1)
        coordinates |= {"cue": list(sweep.cues), "kind": ["real", "pseudo"], "age": ages}
    else:
        inner = ("iteration",)
        coordinates |= {"iteration": np.arange(sweep.sizes["iterations"])}
    for name in _columns(points[0]):
        values = [_columns(point)[name] for point in points]
        if any(value is not None for value in values):
            coordinates[name] = ("point", _coordinate(values))
    dims = ("point", "run", *inner)
    arrays = {name: np.array([[run[name] for run in runs] for runs in results]) for name in results[0][0]}
    return xr.Dataset({name: (dims, array) for name, array in arrays.items()}, coordinates)


def table_of(sweep: Sweep, points: Sequence[Point], data: xr.Dataset) -> Rows:
    """One row for each point, and each cue of a memory: its parameters, then what was measured."""
    measure = memory_measures if sweep.kind == "memory" else transformer_measures
    rows = []
    for i, point in enumerate(points):
        for measures in measure(data.isel(point=i)):
            cue = {"cue": measures.pop("cue")} if "cue" in measures else {}
            rows.append({**_columns(point), **cue, **sweep.sizes, "runs": sweep.runs, **measures})
    return rows


def as_csv(rows: Rows) -> bytes:
    """Return a table as CSV: parameters exact, measures to six digits; what is not known, or does not apply, empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        measured = list(row).index("runs")
        writer.writerow([_cell(value, exact=i < measured) for i, value in enumerate(row.values())])
    return text.getvalue().encode()


def _columns(point: Point) -> dict[str, Value | None]:
    """All parameters, and those given that mean several at once, such as a learning rate of all weights."""
    return {**point.parameters, **{name: value for name, value in point.chosen.items() if name not in point.parameters}}


def _coordinate(values: Sequence[Value | None]) -> list[Any]:
    """Values of one type: where there is none, an empty word or NaN."""
    blank = "" if any(isinstance(value, str) for value in values) else math.nan
    return [blank if value is None else value for value in values]


def _cell(value: Any, exact: bool) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) and not exact else str(value)
