"""Run experiments through the store: what is finished is loaded, the rest is run; each experiment is labelled."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.store import Unit
from slotfree.runs.work import Failure, work
from slotfree.study.experiment import Experiment, arrays_of
from slotfree.study.outcome import Unmade
from slotfree.study.plan import write_plan

FIRST = 2  # runs of every experiment that come before the others


class Progress(Protocol):
    """Shows how far the work has come."""

    def begin(self, steps: int) -> None:
        """Take note of how many steps there are: runs to be done, and figures to be drawn."""

    def now(self, what: str) -> None:
        """Take note of what is begun."""

    def step(self, seconds_left: float | None) -> None:
        """Take note that one step is done, and of the seconds of work on one core that are left, if known."""


@dataclass(frozen=True)
class Done:
    """An experiment of which all runs are finished: its labelled results, and the seconds that its runs took."""

    experiment: Experiment
    data: xr.Dataset
    seconds: float


@dataclass
class Work:
    """The work of one call: experiments at their scale, the root seed, and where everything is kept.

    Attributes
    ----------
    figures : how many figures are drawn besides.
    failures : units that failed; the others are run all the same.
    unmade : experiments whose results could not be labelled.
    """

    experiments: Sequence[Experiment]
    seed: int
    directory: ResultsDirectory
    progress: Progress
    figures: int = 0
    failures: list[Failure] = field(default_factory=list)
    unmade: list[Unmade] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.units = {e.name: e.units(self.seed) for e in self.experiments}
        self._missing = {u.name for units in self.units.values() for u in units if not self.directory.store.has(u)}
        missing = {name: sum(u.name in self._missing for u in units) for name, units in self.units.items()}
        self.left = TimeLeft(missing)
        self.progress.begin(len(self._missing) + self.figures)

    def run(self, jobs: int, executor: Executor | None = None) -> Iterator[Done]:
        """Yield each experiment when the last of its runs is done: on threads, or on an executor."""
        write_plan(self.directory, self.experiments, self.seed)
        done: dict[str, dict[int, Arrays]] = {e.name: {} for e in self.experiments}
        seconds = {e.name: 0.0 for e in self.experiments}
        results = work(self._ordered(), self.directory.store, jobs if executor is None else None, executor)
        for (experiment, run, unit), result in results:
            name = experiment.name
            was_missing = unit.name in self._missing
            if isinstance(result, Failure):
                self.failures.append(result)
                if was_missing:
                    self.left.dropped(name)
            else:
                self.left.finished(name, result.seconds, was_missing=was_missing)
                done[name][run] = result.arrays
                seconds[name] += result.seconds
            if was_missing:
                self.progress.step(self.left.seconds)
            if len(done[name]) == experiment.runs:
                runs = done.pop(name)
                data = self._labelled(experiment, [runs[i] for i in range(experiment.runs)])
                if data is not None:
                    yield Done(experiment, data, round(seconds[name], 2))

    def drawn(self) -> None:
        """A figure is drawn."""
        self.progress.step(self.left.seconds)

    def _labelled(self, experiment: Experiment, results: Sequence[Arrays]) -> xr.Dataset | None:
        try:
            return experiment.label(results)
        except Exception as error:
            self.unmade.append(Unmade(f"experiment {experiment.name}", error))
            return None

    def _ordered(self) -> Iterator[tuple[tuple[Experiment, int, Unit], Unit, Callable[[], Arrays]]]:
        """The first runs of every experiment, so that mistakes and times are known early; then the rest."""
        for first in (True, False):
            for experiment in self.experiments:
                for run, unit in enumerate(self.units[experiment.name]):
                    if (run < FIRST) is first:
                        self.progress.now(experiment.title or experiment.name)
                        yield (
                            (experiment, run, unit),
                            unit,
                            partial(arrays_of, experiment.run, experiment.seed(self.seed, run)),
                        )


class TimeLeft:
    """Counts what is still to be done, in groups whose members take about the same time.

    The longest time of a group is left out: the first run of a kind may have had to wait for a compiler.
    """

    def __init__(self, missing: Mapping[str, int]) -> None:
        self.missing = dict(missing)
        self._times: dict[str, tuple[int, float, float]] = {}  # how many, their sum, and the longest

    def finished(self, group: str, seconds: float, *, was_missing: bool = True) -> None:
        """One member of a group is finished, or was finished before, and took this long."""
        count, total, longest = self._times.get(group, (0, 0.0, 0.0))
        self._times[group] = (count + 1, total + seconds, max(longest, seconds))
        if was_missing:
            self.dropped(group)

    def dropped(self, group: str) -> None:
        """One member of a group will not be finished."""
        self.missing[group] -= 1

    @property
    def seconds(self) -> float | None:
        """Seconds of work left on one core; None until two members of each large group are finished.

        Groups of which less is known count as the average of the others.
        """
        means = {
            group: (total - longest) / (count - 1)
            for group, (count, total, longest) in self._times.items()
            if count > 1
        }
        if not any(self.missing.values()):
            return 0.0
        if not means or any(count > 1 and group not in means for group, count in self.missing.items()):
            return None
        average = sum(means.values()) / len(means)
        return sum(count * means.get(group, average) for group, count in self.missing.items())
