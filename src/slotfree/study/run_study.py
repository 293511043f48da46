"""Run a study: what ``slotfree run`` and ``slotfree reproduce`` do, for scripts and notebooks."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from slotfree import checks
from slotfree.report.page import write_report
from slotfree.runs.at_work import at_work
from slotfree.runs.executor import default_jobs
from slotfree.study.load import modules_of
from slotfree.study.outcome import Outcome
from slotfree.study.reproduce import reproduce, settings_of
from slotfree.study.scale import SCALES
from slotfree.study.study import Study


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


def _origin(study: Study, modules: Sequence[ModuleType]) -> dict[str, str]:
    """What a study of one's own is known by: its file, or its title if it has none."""
    if modules:
        return {"study": Path(str(modules[0].__file__)).name}
    is_ours = any(isinstance(item, str) for item in study.items)
    return {} if is_ours else {"study": study.title}
