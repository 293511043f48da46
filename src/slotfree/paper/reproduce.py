"""Run the experiments of chosen items once each, make the items as soon as theirs are done, write what they make."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import matplotlib as mpl
import xarray as xr

from slotfree import __version__
from slotfree.files.dataset import write_dataset
from slotfree.files.json_text import json_text
from slotfree.paper import drawing
from slotfree.paper.claims import Claim
from slotfree.paper.experiments import Experiment
from slotfree.paper.items import NAMES, Context, Item
from slotfree.paper.scale import Scale
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays, Store, Unit
from slotfree.runs.work import Failure, work


class Progress(Protocol):
    """Who wants to know how far the work has come."""

    def begin(self, seconds: float) -> None:
        """Tell how much work there is, in seconds on one core."""

    def now(self, what: str) -> None:
        """Tell what is running."""

    def advance(self, seconds: float) -> None:
        """Tell that so much of the work is done."""


@dataclass
class Reproduction:
    """What came of it: the claims of the items that could be made, the units that failed, files found damaged."""

    claims: list[Claim] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def settings_of(scale: Scale, seed: int) -> dict[str, Any]:
    """What decides the results in a directory, whichever items are made."""
    return {"slotfree": __version__, "scale": asdict(scale), "seed": seed}


def experiments_of(items: Sequence[Item]) -> list[Experiment]:
    """The experiments of items, each once."""
    return list({e.name: e for item in items for e in item.experiments}.values())


def units_of(experiment: Experiment, scale: Scale, seed: int) -> list[Unit]:
    """The units of an experiment, one for each run."""
    identity = {"slotfree": __version__, "experiment": experiment.name, "seed": seed, **experiment.identity(scale)}
    return [Unit(experiment.name, {**identity, "run": run}) for run in range(experiment.count(scale))]


def missing_of(experiment: Experiment, scale: Scale, seed: int, store: Store) -> int:
    """How many units of an experiment are not in a store."""
    return sum(not store.has(unit) for unit in units_of(experiment, scale, seed))


def plan_of(items: Sequence[Item], scale: Scale, seed: int, path: Path) -> list[dict[str, Any]]:
    """What would be run: the units of each experiment, those missing in a directory, and seconds on one core."""
    store = Store(path / "units")
    rows = []
    for experiment in experiments_of(items):
        count, missing = experiment.count(scale), missing_of(experiment, scale, seed, store)
        seconds = experiment.seconds(scale) * missing / count
        rows.append({"experiment": experiment.name, "units": count, "missing": missing, "seconds": round(seconds, 1)})
    drawing_time = sum(item.seconds for item in items)
    return [*rows, {"experiment": "figures", "units": len(items), "missing": len(items), "seconds": drawing_time}]


def reproduce(
    items: Sequence[Item],
    scale: Scale,
    *,
    directory: ResultsDirectory,
    seed: int,
    jobs: int,
    progress: Progress,
    executor: Executor | None = None,
) -> Reproduction:
    """Run, draw and judge items; the claims of all items in the directory are written to its claims.json.

    Simulations go to ``jobs`` threads, or to an executor; items are made on one more thread, so that no core waits
    for a drawing. Units that are finished already are loaded.
    """
    experiments = experiments_of(items)
    missing = {
        unit.name: experiment.seconds(scale) / experiment.count(scale)
        for experiment in experiments
        for unit in units_of(experiment, scale, seed)
        if not directory.store.has(unit)
    }
    progress.begin(sum(missing.values()) + sum(item.seconds for item in items))
    results: dict[str, xr.Dataset] = {}
    costs: dict[str, float] = {}
    made: dict[str, Future[list[Claim]]] = {}
    outcome = Reproduction()
    maker = ThreadPoolExecutor(1)

    def make_ready_items() -> None:
        for item in items:
            if item.name not in made and all(e.name in results for e in item.experiments):
                context = Context({e.name: results[e.name] for e in item.experiments}, scale, seed)
                cost = {e.name: costs[e.name] for e in item.experiments}
                made[item.name] = maker.submit(_make, item, context, cost, directory, progress)
            elif item.name in made and made[item.name].done():
                made[item.name].result()  # an error is raised now, not when everything has been run

    try:
        make_ready_items()
        threads = jobs if executor is None else None
        done = _finished(experiments, scale, seed, missing, threads, executor, directory.store, progress, outcome)
        for experiment, data, seconds in done:
            results[experiment.name], costs[experiment.name] = data, seconds
            _write_data(directory, experiment, data, scale, seed)
            make_ready_items()
        for item in items:
            if item.name in made:
                made[item.name].result()
    finally:
        maker.shutdown(cancel_futures=True)
    outcome.claims = [claim for item in items if item.name in made for claim in made[item.name].result()]
    outcome.damaged = list(directory.store.damaged)
    rows = [row for made_item in read_items(directory.path) for row in made_item["claims"]]
    directory.write("claims.json", json_text(rows).encode())
    return outcome


def read_items(path: Path) -> list[dict[str, Any]]:
    """What the items in a directory claim and cost, in the order of the paper."""
    found = []
    for name in NAMES:
        file = path / "items" / f"{name}.json"
        if file.is_file():
            found.append(json.loads(file.read_text(encoding="utf-8")))
    return found


def _finished(
    experiments: Sequence[Experiment],
    scale: Scale,
    seed: int,
    missing: Mapping[str, float],
    jobs: int | None,
    executor: Executor | None,
    store: Store,
    progress: Progress,
    outcome: Reproduction,
) -> Iterator[tuple[Experiment, xr.Dataset, float]]:
    """Yield each experiment when the last of its runs is done, and the seconds that its runs took.

    ``missing`` are the names of the units to be run, with the seconds that each is expected to take.
    """
    done: dict[str, dict[int, Arrays]] = {e.name: {} for e in experiments}
    seconds = {e.name: 0.0 for e in experiments}

    def units() -> Iterator[tuple[tuple[Experiment, int, float], Unit, Callable[[], Arrays]]]:
        for experiment in experiments:
            progress.now(experiment.name)
            plan = experiment.plan(scale)
            for run, unit in enumerate(units_of(experiment, scale, seed)):
                expected = missing.get(unit.name, 0.0)
                yield (experiment, run, expected), unit, partial(plan, seed_for(seed, experiment.name, run))

    for (experiment, run, expected), result in work(units(), store, jobs, executor):
        count = experiment.count(scale)
        progress.advance(expected)
        if isinstance(result, Failure):
            outcome.failures.append(result)
            continue
        runs = done[experiment.name]
        runs[run] = result.arrays
        seconds[experiment.name] += result.seconds
        if len(runs) == count:
            data = experiment.gather([runs[i] for i in range(count)], scale)
            yield experiment, data, round(seconds[experiment.name], 2)
            done[experiment.name] = {}


def _make(
    item: Item, context: Context, cost: dict[str, float], directory: ResultsDirectory, progress: Progress
) -> list[Claim]:
    progress.now(item.name)
    with mpl.rc_context(drawing.STYLE):
        output = item.make(context)
        for suffix, content in drawing.pictures(output.figure):
            directory.write(f"figures/{item.name}.{suffix}", content)
    for name, (header, rows) in output.tables.items():
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([header, *rows])
        directory.write(f"tables/{name}.csv", text.getvalue().encode())
    summary = {
        "item": item.name,
        "shows": item.shows,
        "runs": sum(e.count(context.scale) for e in item.experiments),
        "core_seconds": round(sum(cost.values()), 2),
        "experiments": cost,
        "tables": sorted(output.tables),
        "claims": [claim.row() for claim in output.claims.all],
    }
    directory.write(f"items/{item.name}.json", json_text(summary).encode())
    progress.advance(item.seconds)
    return output.claims.all


def _write_data(directory: ResultsDirectory, experiment: Experiment, data: xr.Dataset, scale: Scale, seed: int) -> None:
    """Write the raw results with their labels."""
    metadata = {"experiment": repr(experiment), "scale": repr(scale), "seed": str(seed)}
    write_dataset(directory.place(f"data/{experiment.name}.safetensors"), data, metadata)
