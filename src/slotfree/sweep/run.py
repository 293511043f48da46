"""Run a sweep on the study engine, an experiment for each point; then write its table, its data and its plot."""

import csv
import io
import json
import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
import xarray as xr

from slotfree import __version__
from slotfree.drawing.style import STYLE
from slotfree.files.dataset import write_dataset
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.work import Failure
from slotfree.study.experiment import Experiment
from slotfree.study.running import Progress, Work
from slotfree.sweep.grid import Sweep, points_of
from slotfree.sweep.kinds import KINDS
from slotfree.sweep.parameters import Value
from slotfree.sweep.point import Point

Table: TypeAlias = list[dict[str, Any]]  # a row for each point, and each cue of a memory


@dataclass
class Outcome:
    """What came of a sweep: its table, the units that failed, files found damaged."""

    table: Table = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def settings_of(sweep: Sweep) -> dict[str, Any]:
    """What all units in a directory share; points, runs and sizes can be added."""
    return {"slotfree": __version__, "sweep": sweep.kind, "seed": sweep.seed}


def experiments_of(sweep: Sweep, points: Sequence[Point]) -> list[Experiment]:
    """The experiments of a sweep, one for each point."""
    return [point.experiment(sweep.kind, sweep.runs, sweep.swept) for point in points]


def run_sweep(
    sweep: Sweep, *, directory: ResultsDirectory, jobs: int, progress: Progress, executor: Executor | None = None
) -> Outcome:
    """Run what is not finished, and write sweep.csv, sweep.safetensors, sweep.png and sweep.svg.

    A run's numbers follow from the root seed, the parameters of its point and its number, and from nothing else in
    the grid. Points of which a run failed are left out of what is written.
    """
    points, _ = points_of(sweep)
    directory.write("sweep.json", json.dumps(sweep.entries(), indent=2).encode())
    experiments = experiments_of(sweep, points)
    work = Work(experiments, sweep.seed, directory, progress, figures=1)
    results = {done.experiment.name: done.data for done in work.run(jobs, executor)}
    finished = [(p, results[e.name]) for p, e in zip(points, experiments, strict=True) if e.name in results]
    outcome = Outcome(failures=work.failures, damaged=directory.damaged)
    if finished:
        progress.now("table and plot")
        outcome.table = write_results(directory, sweep, *zip(*finished, strict=True))
        work.drawn()
    return outcome


def write_results(
    directory: ResultsDirectory, sweep: Sweep, points: Sequence[Point], results: Sequence[xr.Dataset]
) -> Table:
    """Write the table, the data and the plot of finished points; return the table.

    Parameters
    ----------
    results : of each point, as its experiment labels them.
    """
    data = combined(points, results)
    table = table_of(sweep, points, data)
    directory.write("sweep.csv", as_csv(table))
    metadata = {"slotfree": __version__, "sweep": json.dumps(sweep.entries())}
    write_dataset(directory.place("sweep.safetensors"), data, metadata)
    chosen = [{name: point.chosen[name] for name in sweep.swept} for point in points]
    with mpl.rc_context(STYLE):
        picture = KINDS[sweep.kind].draw(chosen, table, data)
        for suffix, content in picture.files():
            directory.write(f"sweep.{suffix}", content)
    return table


def combined(points: Sequence[Point], results: Sequence[xr.Dataset]) -> xr.Dataset:
    """All points as one dataset: (point, run, cue, kind, age), or (point, run, iteration), with their parameters."""
    first = results[0]
    arrays = {name: np.array([data[name].values for data in results]) for name in first.data_vars}
    coordinates: dict[str, Any] = {str(name): values.values for name, values in first.coords.items()}
    for name in _columns(points):
        values = [point.columns.get(name) for point in points]
        if any(value is not None for value in values):
            coordinates[name] = ("point", _coordinate(values))
    return xr.Dataset({name: (("point", *first[name].dims), array) for name, array in arrays.items()}, coordinates)


def table_of(sweep: Sweep, points: Sequence[Point], data: xr.Dataset) -> Table:
    """One row for each point, and each cue of a memory: its parameters, then what was measured.

    A parameter that has the name of a measure, such as beta, becomes memory_beta.
    """
    columns = _columns(points)
    table = []
    for i, point in enumerate(points):
        parameters = {name: point.columns.get(name) for name in columns}
        for measures in KINDS[sweep.kind].measures(data.isel(point=i)):
            cue = {"cue": measures.pop("cue")} if "cue" in measures else {}
            named = {f"{sweep.kind}_{n}" if n in measures else n: value for n, value in parameters.items()}
            table.append({**named, **cue, **sweep.sizes, "runs": sweep.runs, **measures})
    return table


def as_csv(table: Table) -> bytes:
    """Return a table as CSV: parameters exact, measures to six digits; what is not known, or does not apply, empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table[0])
    measured = list(table[0]).index("runs")
    for row in table:
        writer.writerow([_cell(value, exact=i < measured) for i, value in enumerate(row.values())])
    return text.getvalue().encode()


def _columns(points: Sequence[Point]) -> list[str]:
    """The parameters of all points; not every model has them all."""
    return list(dict.fromkeys(name for point in points for name in point.columns))


def _coordinate(values: Sequence[Value | None]) -> list[Any]:
    """Values of one type: where there is none, an empty word or NaN."""
    blank = "" if any(isinstance(value, str) for value in values) else math.nan
    return [blank if value is None else value for value in values]


def _cell(value: Any, exact: bool) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) and not exact else str(value)
