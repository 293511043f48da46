"""Run a sweep: one unit of work for each point and run, through the store; then the table, the data and the plot."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from slotfree import __version__
from slotfree.paper.reproduce import Progress
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays, Store, Unit
from slotfree.runs.work import Failure, work
from slotfree.sweep.grid import Sweep, points_of
from slotfree.sweep.output import Rows, write_results
from slotfree.sweep.point import Point

FIGURE = 2.0  # seconds for the table, the data and the plot


@dataclass
class Outcome:
    """What came of a sweep: its table, the units that failed, files found damaged."""

    rows: Rows = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def settings_of(sweep: Sweep) -> dict[str, Any]:
    """What all units in a directory share; points, runs and sizes can be added."""
    return {"slotfree": __version__, "sweep": sweep.kind, "seed": sweep.seed}


def units_of(sweep: Sweep, point: Point) -> list[Unit]:
    """The units of a point, one for each run."""
    sizes = {**sweep.sizes, "cue": list(sweep.cues)} if sweep.cues else dict(sweep.sizes)
    identity = {**settings_of(sweep), **point.parameters, **sizes}
    return [Unit(sweep.kind, {**identity, "run": run}) for run in range(sweep.runs)]


def plan_of(sweep: Sweep, points: Sequence[Point], path: Path) -> list[dict[str, Any]]:
    """What would be run: the units of each point, those missing in a directory, and seconds on one core."""
    store = Store(path / "units")
    rows = []
    for point in points:
        missing = sum(not store.has(unit) for unit in units_of(sweep, point))
        label, seconds = point.label(sweep.swept) or "the only point", round(missing * point.seconds, 1)
        rows.append({"experiment": label, "units": sweep.runs, "missing": missing, "seconds": seconds})
    return [*rows, {"experiment": "table and plot", "units": 1, "missing": 1, "seconds": FIGURE}]


def run_sweep(
    sweep: Sweep, *, directory: ResultsDirectory, jobs: int, progress: Progress, executor: Executor | None = None
) -> Outcome:
    """Run what is not finished, and write sweep.csv, sweep.safetensors, sweep.png and sweep.svg.

    A run's numbers follow from the root seed, the parameters of its point and its number, and from nothing else in
    the grid. Points of which a run failed are left out of what is written.
    """
    points, _ = points_of(sweep)
    directory.write("sweep.json", json.dumps(sweep.entries(), indent=2).encode())
    outcome = Outcome()
    done: dict[str, dict[int, Arrays]] = {point.text: {} for point in points}
    missing = {u.name: p.seconds for p in points for u in units_of(sweep, p) if not directory.store.has(u)}
    progress.begin(sum(missing.values()) + FIGURE)

    def units() -> Iterator[tuple[tuple[Point, int, float], Unit, Callable[[], Arrays]]]:
        for point in points:
            progress.now(point.label(sweep.swept))
            for run, unit in enumerate(units_of(sweep, point)):
                seed = seed_for(sweep.seed, "sweep", sweep.kind, point.text, run)
                yield (point, run, missing.get(unit.name, 0.0)), unit, partial(point.plan, seed)

    for (point, run, seconds), result in work(units(), directory.store, jobs if executor is None else None, executor):
        progress.advance(seconds)
        if isinstance(result, Failure):
            outcome.failures.append(result)
        else:
            done[point.text][run] = result.arrays
    whole = [point for point in points if len(done[point.text]) == sweep.runs]
    if whole:
        progress.now("table and plot")
        results = [[done[point.text][run] for run in range(sweep.runs)] for point in whole]
        outcome.rows = write_results(directory, sweep, whole, results)
    progress.advance(FIGURE)
    outcome.damaged = list(directory.store.damaged)
    return outcome
