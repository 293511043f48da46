"""What belongs to a directory of results: its experiments, and which of their units are there."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from slotfree import __version__
from slotfree.checks import shown
from slotfree.files.errors import FormatError
from slotfree.files.sealed_json import read_sealed, sealed
from slotfree.runs.directory import UNITS, ResultsDirectory
from slotfree.runs.errors import DirectoryError, UserError, refuse_folder
from slotfree.runs.manifest import read_manifest
from slotfree.runs.schema import PLAN as SCHEMA
from slotfree.runs.schema import check
from slotfree.runs.store import Store
from slotfree.study.experiment import Experiment

PLAN = "plan.json"


def distinct(experiments: Iterable[Experiment], seed: int) -> list[Experiment]:
    """Experiments, each once; two different ones of the same name are refused."""
    found: dict[str, Experiment] = {}
    for experiment in experiments:
        known = found.setdefault(experiment.name, experiment)
        if known is not experiment and _entry(known, seed) != _entry(experiment, seed):
            raise UserError(f"two different experiments are called {experiment.name!r}; give one of them another name")
    return list(found.values())


def plan_of(experiments: Sequence[Experiment], seed: int, path: Path) -> list[dict[str, Any]]:
    """What would be run in a directory: the units of each experiment, and those that are missing."""
    return [_counts(e.name, _entry(e, seed), Store(path / UNITS)) for e in experiments]


def status_of(path: Path) -> list[dict[str, Any]]:
    """What was to be run in a directory: the units of each experiment, and those that are missing."""
    try:
        plan = _read_plan(path)
    except FormatError as error:
        raise _unreadable(path, error.reason) from None
    return [_counts(name, entry, Store(path / UNITS)) for name, entry in plan.items()]


def other_version(manifest: Mapping[str, Any]) -> str | None:
    """Return the version of slotfree that made a directory, or None if it is this one."""
    version = manifest["settings"].get("slotfree", __version__)
    return None if version == __version__ else shown(version).strip("'")


def write_plan(directory: ResultsDirectory, experiments: Sequence[Experiment], seed: int) -> None:
    """Add experiments to what belongs to a directory."""
    try:
        plan = _read_plan(directory.path)
    except FormatError as error:
        directory.note_damage(PLAN, error.reason)
        plan = {}
    plan |= {e.name: _entry(e, seed) for e in experiments}
    directory.write(PLAN, sealed({"experiments": plan}))


def _read_plan(path: Path) -> dict[str, Any]:
    """The experiments of a directory by name: how many runs, and their identity; FormatError if it is damaged."""
    refuse_folder(path / PLAN)
    try:
        plan = read_sealed(path / PLAN)
    except FileNotFoundError:
        return {}
    check(plan, SCHEMA)
    return dict(plan["experiments"])


def _unreadable(path: Path, reason: str) -> DirectoryError:
    """Say why a plan cannot be read: another version may have written it differently, which is no damage."""
    manifest = read_manifest(path)
    version = other_version(manifest) if manifest else None
    if version is not None:
        return DirectoryError(f"{path} was made by slotfree {version}; this version cannot read its plan")
    return DirectoryError(f"{path / PLAN} is damaged: {reason}; the command that made these results makes it again")


def _entry(experiment: Experiment, seed: int) -> dict[str, Any]:
    title = {"title": experiment.title} if experiment.title else {}
    return {**title, "runs": experiment.runs, "identity": experiment.identity(seed)}


def _counts(name: str, entry: dict[str, Any], store: Store) -> dict[str, Any]:
    missing = entry["runs"] - len(store.runs(name, entry["identity"], entry["runs"]))
    return {"experiment": entry.get("title", name), "units": entry["runs"], "missing": missing}
