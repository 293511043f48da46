"""Work on a directory of results: who does it, where it goes, and how far it has come."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

from slotfree.runs.cluster import cluster, silence
from slotfree.runs.directory import ResultsDirectory, opened
from slotfree.runs.display import Display
from slotfree.runs.machine import describe_origin


@contextmanager
def at_work(
    out: Path,
    settings: Mapping[str, Any],
    jobs: int,
    scheduler: str | None,
    modules: Sequence[ModuleType] = (),
    *,
    progress: bool = True,
) -> Iterator[tuple[ResultsDirectory, Executor | None, Display]]:
    """Reach the workers (None: threads of this process), open a directory of results, and show progress.

    Without a scheduler that answers, nothing is written.

    Parameters
    ----------
    modules : files of the user's that workers elsewhere do not have: their code is sent with the work.
    progress : whether to show anything.
    """
    if scheduler is not None:
        silence()
    with (
        Display(jobs if scheduler is None else None, is_shown=progress) as display,
        nullcontext() if scheduler is None else cluster(scheduler, modules=modules, tell=display.tell) as executor,
        opened(out, settings, describe_origin()) as directory,
    ):
        yield directory, executor, display
