"""Run a sweep on the study engine, an experiment for each point; then the table, the data and the plot."""

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from slotfree import __version__
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.work import Failure
from slotfree.study.experiment import Experiment
from slotfree.study.running import Progress, Work
from slotfree.sweep.grid import Sweep, points_of
from slotfree.sweep.output import Table, write_results
from slotfree.sweep.point import Point


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
