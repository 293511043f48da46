"""Experiments: what one run does, how many runs there are, and how their results are labelled."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import xarray as xr

from slotfree import __version__, checks
from slotfree.files.safetensors import NAMES, Arrays
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Unit
from slotfree.study.describe import computing_code, described
from slotfree.study.scale import Scale

Run: TypeAlias = Callable[[np.random.SeedSequence], Arrays]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*")


@dataclass(frozen=True)
class Experiment:
    """Many independent runs of one thing. Equal names mean equal experiments: one that several items need is run once.

    Attributes
    ----------
    name : of its seeds, its units and its file.
    run : what one run does, as a function of its seed that returns named arrays: a function at the top of a file, or a
        frozen dataclass that can be called, such as ``Retention`` and ``Training``. Its ``label(results)`` makes a
        dataset of all runs; without it arrays are stacked along ``run``. Its ``at(scale)`` returns a smaller one.
    runs : how many; run i has a seed of its own, so that more runs leave the first ones as they are.
    few : how many at a smaller scale, if fewer than that scale has.
    key : what seeds follow from; defaults to the name.
    first : the number of its first run, if it goes on where another experiment with the same key ends.
    title : what people are shown in place of the name.

    Examples
    --------
    >>> def roll(seed):
    ...     return {"dice": np.random.default_rng(seed).integers(1, 7, 100)}
    >>> Experiment("dice", roll, runs=20).at(Scale("tiny", runs=2)).runs
    2
    """

    name: str
    run: Run
    runs: int
    few: int | None = None
    key: tuple[str, ...] = ()
    first: int = 0
    title: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        checks.integer("runs", self.runs, 1)
        checks.integer("first", self.first, 0)
        if self.few is not None:
            checks.integer("few", self.few, 1)
        if not callable(self.run):
            raise TypeError(f"run must be a function of a seed, not {checks.shown(self.run)}")

    def at(self, scale: Scale) -> "Experiment":
        """The experiment at a scale."""
        if scale.is_full:
            return self
        runs = scale.limit("runs", self.runs if self.few is None else min(self.runs, self.few))
        smaller = getattr(self.run, "at", None)
        return replace(self, runs=runs, run=self.run if smaller is None else smaller(scale))

    def seed(self, root: int, run: int) -> np.random.SeedSequence:
        """The seed of one run."""
        return seed_for(root, *(self.key or (self.name,)), self.first + run)

    def identity(self, root: int) -> dict[str, Any]:
        """Everything the result of a run follows from, but its number, as JSON can write it."""
        key = {"key": list(self.key)} if self.key else {}
        first = {"first": self.first} if self.first else {}
        ours = {"slotfree": __version__, "code": computing_code()}
        return {**ours, "experiment": self.name, "seed": root, "run_does": described(self.run), **key, **first}

    def units(self, root: int) -> list[Unit]:
        """The units of work, one for each run."""
        identity = self.identity(root)
        return [Unit(self.name, {**identity, "run": run}) for run in range(self.runs)]

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        label = getattr(self.run, "label", stacked)
        data: xr.Dataset = label(results)
        return data


def arrays_of(run: Run, seed: np.random.SeedSequence) -> Arrays:
    """Do one run; what it returns must be arrays that a file can hold."""
    found = run(seed)
    if not isinstance(found, Mapping) or not found or not all(isinstance(name, str) for name in found):
        raise TypeError(f"a run must return arrays by name, such as {{'accuracy': ...}}, not {checks.shown(found)}")
    arrays = {name: np.asarray(array) for name, array in found.items()}
    for name, array in arrays.items():
        if array.dtype.newbyteorder("<") not in NAMES:
            raise TypeError(f"a run must return arrays of numbers, but {name!r} is {checks.shown(found[name])}")
    return arrays


def stacked(results: Sequence[Arrays]) -> xr.Dataset:
    """The arrays of all runs, (run, …); other dimensions are called after the array: accuracy_0, accuracy_1."""
    arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
    dims = {name: ("run", *(f"{name}_{i}" for i in range(array.ndim - 1))) for name, array in arrays.items()}
    return xr.Dataset({name: (dims[name], array) for name, array in arrays.items()}, {"run": np.arange(len(results))})


def check_name(name: object) -> None:
    """Refuse a name of an experiment, item or claim that cannot be part of a file's name, a command or a link."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        right = "a string of letters, digits and - . _ % +, such as 'my-memory'"
        raise ValueError(f"name must be {right}, not {checks.shown(name)}")
