"""Run the experiments of chosen items once each, make the items as soon as theirs are done, write what they make."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Protocol

import matplotlib as mpl
import numpy as np
import xarray as xr

from slotfree.files.atomic import write_atomically
from slotfree.files.safetensors import write_arrays
from slotfree.paper import drawing
from slotfree.paper.claims import Claim
from slotfree.paper.experiments import Arrays, Experiment
from slotfree.paper.items import Context, Item
from slotfree.paper.scale import Scale
from slotfree.runs.executor import run_units
from slotfree.runs.seeds import seed_for


class Progress(Protocol):
    """Who wants to know how far the work has come."""

    def begin(self, seconds: float) -> None:
        """Tell how much work there is, in seconds on one core."""

    def now(self, what: str) -> None:
        """Tell what is running."""

    def advance(self, seconds: float) -> None:
        """Tell that so much of the work is done."""


def reproduce(
    items: Sequence[Item], scale: Scale, *, out: str | os.PathLike[str], seed: int, jobs: int, progress: Progress
) -> list[Claim]:
    """Run, draw and judge items; return their claims, which are also written to out/claims.json.

    Simulations go to ``jobs`` threads; items are made on one more, so that no core waits for a drawing.
    """
    directory = Path(out)
    (directory / "claims.json").unlink(missing_ok=True)  # of an earlier run: they would not fit what is written now
    for part in ("figures", "tables", "data"):
        (directory / part).mkdir(parents=True, exist_ok=True)
    experiments = {e.name: e for item in items for e in item.experiments}
    progress.begin(sum(e.seconds(scale) for e in experiments.values()) + sum(item.seconds for item in items))
    results: dict[str, xr.Dataset] = {}
    made: dict[str, Future[list[Claim]]] = {}
    maker = ThreadPoolExecutor(1)

    def make_ready_items() -> None:
        for item in items:
            if item.name not in made and all(e.name in results for e in item.experiments):
                context = Context({e.name: results[e.name] for e in item.experiments}, scale, seed)
                made[item.name] = maker.submit(_make, item, context, directory, progress)
            elif item.name in made and made[item.name].done():
                made[item.name].result()  # an error is raised now, not when everything has been run

    try:
        make_ready_items()
        for experiment, data in _finished(list(experiments.values()), scale, seed, jobs, progress):
            results[experiment.name] = data
            _write_data(directory / "data" / f"{experiment.name}.safetensors", experiment, data, scale, seed)
            make_ready_items()
        claims = [claim for item in items for claim in made[item.name].result()]
    finally:
        maker.shutdown(cancel_futures=True)
    _write_text(
        directory / "claims.json", json.dumps([_plain(claim) for claim in claims], indent=2, ensure_ascii=False)
    )
    return claims


def _finished(
    experiments: Sequence[Experiment], scale: Scale, seed: int, jobs: int, progress: Progress
) -> Iterator[tuple[Experiment, xr.Dataset]]:
    """Yield each experiment when the last of its runs is done."""
    done: dict[str, dict[int, Arrays]] = {e.name: {} for e in experiments}

    def units() -> Iterator[tuple[tuple[Experiment, int], Callable[[], Arrays]]]:
        for experiment in experiments:
            progress.now(experiment.name)
            plan = experiment.plan(scale)
            for run in range(experiment.count(scale)):
                yield (experiment, run), partial(plan, seed_for(seed, experiment.name, run))

    for (experiment, run), result in run_units(units(), jobs):
        runs, count = done[experiment.name], experiment.count(scale)
        runs[run] = result
        progress.advance(experiment.seconds(scale) / count)
        if len(runs) == count:
            yield experiment, experiment.gather([runs[i] for i in range(count)], scale)
            done[experiment.name] = {}


def _make(item: Item, context: Context, directory: Path, progress: Progress) -> list[Claim]:
    progress.now(item.name)
    with mpl.rc_context(drawing.STYLE):
        output = item.make(context)
        drawing.lay_out(output.figure)  # once for both files
        for suffix in ("svg", "png"):
            content = io.BytesIO()
            metadata = {"Date": None} if suffix == "svg" else {"Software": None}
            output.figure.savefig(content, format=suffix, metadata=metadata)
            picture = content.getvalue()
            write_atomically(directory / "figures" / f"{item.name}.{suffix}", partial(_write_bytes, picture))
    for name, (header, rows) in output.tables.items():
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([header, *rows])
        _write_text(directory / "tables" / f"{name}.csv", text.getvalue())
    progress.advance(item.seconds)
    return output.claims.all


def _write_data(path: Path, experiment: Experiment, data: xr.Dataset, scale: Scale, seed: int) -> None:
    """Write the raw results with their labels: arrays and coordinates; dimensions and words in the metadata."""
    every = {**data.data_vars, **data.coords}
    words = {str(name): values.values.tolist() for name, values in every.items() if values.dtype.kind == "U"}
    arrays = {str(name): values.values for name, values in every.items() if name not in words}
    metadata = {
        "format": "slotfree.results",
        "version": "1",
        "dims": json.dumps({str(name): values.dims for name, values in data.data_vars.items()}),
        "words": json.dumps(words),
        "experiment": repr(experiment),
        "scale": repr(scale),
        "seed": str(seed),
    }
    write_arrays(path, arrays, metadata)


def _write_text(path: Path, text: str) -> None:
    write_atomically(path, partial(_write_bytes, text.encode()))


def _write_bytes(content: bytes, file: io.BufferedIOBase) -> None:
    file.write(content)


def _plain(claim: Claim) -> dict[str, object]:
    """A claim as JSON has it: numbers that are not finite become null."""

    def finite(value: object) -> object:
        if isinstance(value, tuple | list):
            return [finite(part) for part in value]
        return None if isinstance(value, float) and not np.isfinite(value) else value

    return {key: finite(value) for key, value in claim.row().items()}
