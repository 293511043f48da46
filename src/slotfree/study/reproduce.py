"""Run a study: the experiments of chosen items once each; draw and judge each item as soon as its own are done.

``run`` is what ``slotfree run`` and ``slotfree reproduce`` do.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib as mpl

from slotfree import __version__, checks
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import STYLE
from slotfree.files.dataset import write_dataset
from slotfree.files.json_text import json_text
from slotfree.report.page import write_report
from slotfree.runs.at_work import at_work
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.errors import UserError
from slotfree.runs.executor import default_jobs
from slotfree.study.claim import Claim
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.load import modules_of
from slotfree.study.outcome import Outcome, Row, Unmade
from slotfree.study.plan import distinct
from slotfree.study.record import differing
from slotfree.study.results import Results
from slotfree.study.running import Done, Progress, Work
from slotfree.study.scale import SCALES, Scale
from slotfree.study.sentence import judges_of
from slotfree.study.study import Study
from slotfree.study.summary import damaged_items, read_items, remove_summary, write_summary

TURN = 0.0005  # seconds that a thread keeps the GIL, at most


def run(
    study: Study,
    *,
    items: str | Iterable[str] = (),
    out: str | os.PathLike[str] = "results",
    scale: str = "paper",
    seed: int = 0,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: bool = False,
) -> Outcome:
    """Run, draw and judge a study, and write the report, as ``slotfree run`` does.

    Finished runs in the directory are kept: call it again, or rerun the command, to resume.

    Parameters
    ----------
    study : the study; from a file, such as ``my_study.STUDY`` after ``import my_study``, or made in a notebook.
    items : the name of an item to make, or several; all if none is named.
    out : directory for the report, figures, tables, data and finished runs.
    scale : "paper" for everything, "quick" for a look that judges nothing.
    seed : the root seed.
    jobs : threads; by default one for each core.
    scheduler : address of a Dask cluster that does the work instead, such as "tcp://127.0.0.1:8786".
    progress : whether to show how far the work has come: on stderr, or below the cell of a notebook.

    Returns
    -------
    What came of it: ``claims`` with their verdicts, as rows of claims.json, ``data`` by the name of the experiment,
    and what failed, which raises no error. A notebook shows it as a table of verdicts.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from slotfree.study import Item
    >>> week = Item(name="week", title="A week", text="It was warm.", experiments=())
    >>> with TemporaryDirectory() as out:
    ...     run(Study("Weather", items=(week,)), out=out).claims
    []
    """
    if not isinstance(study, Study):
        raise TypeError(f"study must be a Study, not {checks.shown(study)}")
    checks.one_of("scale", scale, tuple(SCALES))
    checks.integer("seed", seed, 0)
    if jobs is not None and scheduler is not None:
        raise ValueError("jobs is for this machine and scheduler for a cluster: give one of them")
    jobs = default_jobs() if jobs is None else checks.integer("jobs", jobs, 1)
    modules = modules_of(study)
    settings = settings_of(SCALES[scale], seed, **_origin(study, modules))
    names = (items,) if isinstance(items, str) else tuple(items)
    with at_work(Path(out), settings, jobs, scheduler, modules, progress=progress) as (directory, executor, display):
        outcome = reproduce(
            study, names, SCALES[scale], directory=directory, seed=seed, jobs=jobs, progress=display, executor=executor
        )
        write_report(directory, study)
    return outcome


def settings_of(scale: Scale, seed: int, **others: str) -> dict[str, Any]:
    """What decides the results in a directory, whichever items are made."""
    return {"slotfree": __version__, "scale": asdict(scale), "seed": seed, **others}


def _origin(study: Study, modules: Sequence[ModuleType]) -> dict[str, str]:
    """What a study of one's own is known by: its file, or its title if it has none."""
    if modules:
        return {"study": Path(str(modules[0].__file__)).name}
    is_ours = any(isinstance(item, str) for item in study.items)
    return {} if is_ours else {"study": study.title}


def reproduce(
    study: Study,
    names: Iterable[str],
    scale: Scale,
    *,
    directory: ResultsDirectory,
    seed: int,
    jobs: int,
    progress: Progress,
    executor: Executor | None = None,
) -> Outcome:
    """Run, draw and judge items; the claims of all items in the directory are written to its claims.json.

    Simulations go to ``jobs`` threads, or to an executor; items are drawn on one more thread, so that no core waits
    for a drawing. Units that are finished already are loaded. A unit that fails, or an item that cannot be drawn or
    judged, does not stop the others. Items of the study that are damaged in the directory are made again as well.
    """
    wanted = {item.name for item in study.chosen(names)}
    items = study.chosen(wanted | damaged_items(directory, study.names))
    experiments = distinct((e.at(scale) for item in items for e in item.experiments), seed)
    work = Work(experiments, seed, directory, progress, figures=len(items))
    maker = Maker(study, scale, work)
    with short_turns(), maker.thread:
        try:
            maker.make_ready(items)
            for done in work.run(jobs, executor):
                maker.add(done)
                maker.make_ready(items)
            rows = maker.rows(items)
        except BaseException:
            maker.thread.shutdown(cancel_futures=True)
            raise
    every = [row for made in read_items(directory.path, study.names) for row in made["claims"]]
    directory.write("claims.json", json_text(every).encode())
    if study.text:
        by_id = {row["id"]: row for row in every}
        said = [sentence.row(by_id) for sentence in study.sentences()]
        directory.write("statements.json", json_text(said).encode())
    unmade = [*work.unmade, *maker.unmade]
    skipped = [item.name for item in items if item.name not in maker.made]
    data = {name: done.data for name, done in maker.done.items()}
    return Outcome(rows, *differing(rows), work.failures, unmade, skipped, directory.damaged, data)


@contextmanager
def short_turns() -> Iterator[None]:
    """Shorten the GIL switch interval while drawing overlaps simulation, which needs the GIL whenever a kernel ends."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


class Maker:
    """Makes items, on a thread of its own, as soon as all of their experiments are done."""

    def __init__(self, study: Study, scale: Scale, work: Work) -> None:
        self.study, self.scale, self.work = study, scale, work
        self.thread = ThreadPoolExecutor(1)
        self.done: dict[str, Done] = {}
        self.made: dict[str, Future[list[Row]]] = {}
        self.unmade: list[Unmade] = []
        self.judges = judges_of(study.sentences(), study.names)
        self.findings = study.found() if scale.is_full else []  # a smaller scale shows none

    def add(self, done: Done) -> None:
        """Keep the results of an experiment, and write them with their labels."""
        self.done[done.experiment.name] = done
        what = {"runs": done.experiment.runs, **done.experiment.identity(self.work.seed)}
        metadata = {"experiment": json.dumps(what), "scale": repr(self.scale), "seed": str(self.work.seed)}
        place = self.work.directory.place(data_file(done.experiment))
        write_dataset(place, done.data, metadata)

    def make_ready(self, items: Sequence[Item]) -> None:
        """Begin to make the items that can be made."""
        for item in items:
            if item.name not in self.made and all(e.name in self.done for e in item.experiments):
                self.made[item.name] = self.thread.submit(self._make, item)

    def rows(self, items: Sequence[Item]) -> list[Row]:
        """Wait for all items that could be made; return their claims."""
        rows = []
        for item in items:
            try:
                rows += self.made[item.name].result() if item.name in self.made else self._forget(item)
            except UserError:  # not the study's fault
                raise
            except Exception as error:
                self.unmade.append(Unmade(f"item {item.name}", error))
                rows += self._forget(item)
        return rows

    def _forget(self, item: Item) -> list[Row]:
        """Remove what an item that cannot be made now said earlier."""
        remove_summary(self.work.directory, item.name)
        return []

    def _make(self, item: Item) -> list[Row]:
        """Draw and judge one item; write its figure, its tables and a summary."""
        self.work.progress.now(item.name)
        try:
            done = [self.done[e.name] for e in item.experiments]
            results = Results({d.experiment.name: d.data for d in done}, self.scale, self.work.seed)
            drawn, tables = self._draw(item, results)
            rows, notes = self._judge(item, results)
            summary = {
                "item": item.name,
                "number": item.number or item.name,
                "title": item.title,
                "text": item.text,
                "alt": item.alt,
                "runs": sum(d.experiment.runs for d in done),
                "core_seconds": round(sum(d.seconds for d in done), 2),
                "experiments": {d.experiment.name: d.seconds for d in done},
                "tables": tables,
                "claims": rows,
                "explained": notes,
            }
            write_summary(self.work.directory, summary, [*drawn, *(data_file(d.experiment) for d in done)])
            return rows
        finally:
            self.work.drawn()

    def _draw(self, item: Item, results: Results) -> tuple[list[str], list[str]]:
        """Write the figure of an item, those of its findings, and tables; return all files, and the names of tables."""
        drawn = {} if item.draw is None else {item.name: item.draw}
        findings = [each for each in self.findings if each.item == item.name]
        drawn |= {each.picture: each.draw for each in findings if each.draw is not None}
        files: list[str] = []
        tables: list[str] = []
        with mpl.rc_context(STYLE):
            for name, draw in drawn.items():
                picture = draw(results)
                if not isinstance(picture, Picture):
                    raise TypeError(f"draw must return a Picture, not {checks.shown(picture)}")
                if not self.scale.is_full:
                    picture.mark(f"{self.scale.name} scale: fewer and smaller runs")
                contents = {f"figures/{name}.{suffix}": content for suffix, content in picture.files()}
                csv = {f"{name}{table}": text for table, text in picture.csv_tables()}
                contents |= {f"tables/{table}.csv": text.encode() for table, text in csv.items()}
                self.work.directory.own(contents)
                for file, content in contents.items():
                    self.work.directory.write(file, content)
                files += contents
                tables += sorted(csv)
        return files, tables

    def _judge(self, item: Item, results: Results) -> tuple[list[Row], dict[str, str]]:
        """The claims of an item with their verdicts, and what explains them, by id."""
        rows: dict[str, Row] = {}
        notes: dict[str, str] = {}
        for claim in self._claims(item, results):
            if not isinstance(claim, Claim):
                raise TypeError(f"claims must give one Claim after another, not {checks.shown(claim)}")
            name = f"{item.name}.{claim.name}"
            if name in rows:
                raise ValueError(f"claims of an item must have different names, but two are called {claim.name!r}")
            recorded = (self.study.recorded or {}).get(name)
            rows[name] = claim.row(item.name, judged=self.scale.is_full, recorded=recorded)
            if claim.note:
                notes[name] = claim.note
        return list(rows.values()), notes

    def _claims(self, item: Item, results: Results) -> Iterator[Claim]:
        """The claims that judge sentences, and then those of the item itself."""
        for judge, quote in self.judges.values():
            if judge.item == item.name:
                yield judge.claim(results, quote)
        if callable(item.claims):
            yield from item.claims(results)
        else:
            yield from (judge.claim(results) for judge in item.claims if judge.name not in self.judges)


def data_file(experiment: Experiment) -> str:
    """Where the labelled results of an experiment are kept."""
    return f"data/{experiment.name}.safetensors"
