"""A sweep: which parameters take which values, and how much is run at each point."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from typing import Any

from slotfree import checks
from slotfree.forgetting.protocol import CUES
from slotfree.sweep.memories import DEFAULT
from slotfree.sweep.memory_points import memory_point, parameters_of_memory
from slotfree.sweep.parameters import KINDS, Parameter, SweepError, Value, named
from slotfree.sweep.point import Point, values_text
from slotfree.sweep.transformer_points import parameters_of_transformer, transformer_point
from slotfree.sweep.values import values_of

RUNS = 10
MOST_POINTS, MOST_RUNS = 100_000, 1_000_000  # of a sweep: weeks of work on one core
SIZES = {"memory": {"n_stored": 4000, "n_tested": 1000}, "transformer": {"iterations": 5000}}
F_N_HIDDEN = 0.05 * 2000  # of the default memory
# What decides which parameters there are, and the function of it that tells.
DECIDING = {"memory": ("memory",), "transformer": ("model", "key_rule", "storage")}
PARAMETERS_OF = {"memory": parameters_of_memory, "transformer": parameters_of_transformer}


@dataclass(frozen=True)
class Sweep:
    """A grid over the parameters of a memory or a transformer.

    Attributes
    ----------
    kind : "memory" or "transformer".
    grid : the values of each parameter that is given; one with several values is swept.
    runs : independent runs at each point.
    sizes : of a run: n_stored and n_tested, or iterations.
    cues : cue levels at which each memory is tested; none for transformers.
    match_weights : the f·n_h that all memories have, where n_h follows from f; None if n_h does not.
    skip_impossible : whether impossible points are left out, instead of refused.
    seed : the root seed.
    """

    kind: str
    grid: Mapping[str, tuple[Value, ...]]
    runs: int
    sizes: Mapping[str, int]
    cues: tuple[float, ...] = ()
    match_weights: float | None = None
    skip_impossible: bool = False
    seed: int = 0

    @property
    def swept(self) -> tuple[str, ...]:
        """The parameters with several values, in their order."""
        return tuple(name for name, values in self.grid.items() if len(values) > 1)

    def entries(self) -> dict[str, Any]:
        """The sweep as ``sweep_from`` takes it, and JSON can write it."""
        memory = {"cue": list(self.cues), "match_weights": self.match_weights or False} if self.cues else {}
        rest = {"runs": self.runs, **self.sizes, **memory, "skip_impossible": self.skip_impossible, "seed": self.seed}
        return {"kind": self.kind, **{name: list(values) for name, values in self.grid.items()}, **rest}


def sweep_from(entries: Mapping[str, object]) -> Sweep:
    """Read a sweep from what a user gave, as text or as values: from flags, a TOML file, or ``Sweep.entries``."""
    kind = entries.get("kind")
    if kind not in KINDS:
        raise SweepError(f"kind must be {' or '.join(KINDS)}, not {checks.shown(kind)}")
    parameters, sizes = named(str(kind)), SIZES[str(kind)]
    memory = ("cue", "match_weights") if kind == "memory" else ()
    _check_names(entries, ("kind", *parameters, *memory, "runs", *sizes, "skip_impossible", "seed"))
    grid = {name: values_of(parameters[name], given) for name, given in entries.items() if name in parameters}
    sweep = Sweep(
        kind=str(kind),
        grid=grid,
        runs=_whole("runs", entries.get("runs", RUNS)),
        sizes=_sizes(entries, sizes),
        cues=_cues(entries.get("cue", list(CUES))) if memory else (),
        match_weights=_matched(entries.get("match_weights", False)),
        skip_impossible=_yes_or_no("skip_impossible", entries.get("skip_impossible", False)),
        seed=_whole("seed", entries.get("seed", 0), 0),
    )
    _check_size(sweep)
    _check_together(sweep)
    return sweep


def points_of(sweep: Sweep) -> tuple[list[Point], list[str]]:
    """Return the points of a sweep, each once, and those that are skipped, with the reason.

    All are checked before anything is run. The first parameter varies slowest.
    """
    points: dict[str, Point] = {}
    impossible = []
    for values in product(*sweep.grid.values()):
        chosen = dict(zip(sweep.grid, values, strict=True))
        try:
            if sweep.kind == "memory":
                point = memory_point(chosen, sweep.sizes, sweep.cues, sweep.match_weights)
            else:
                point = transformer_point(chosen, sweep.sizes)
        except (ValueError, TypeError) as error:
            impossible.append(f"{values_text(chosen)}: {error}")
        else:
            points.setdefault(point.text, point)
    if impossible and not (sweep.skip_impossible and points):
        more = f" ({len(impossible)} of the grid's points are impossible)" if len(impossible) > 1 else ""
        way_out = "; change the grid, or leave out such points with --skip-impossible" if points else ""
        raise SweepError(f"impossible point: {impossible[0]}{more}{way_out}")
    return list(points.values()), impossible


def _check_names(entries: Mapping[str, object], possible: tuple[str, ...]) -> None:
    for name in entries:
        if name not in possible:
            near = get_close_matches(name, possible, 1, 0.6)
            meant = f"did you mean {near[0]}? " if near else ""
            raise SweepError(f"a sweep has no {checks.shown(name)}; {meant}there are {', '.join(possible)}")


def _check_size(sweep: Sweep) -> None:
    """Refuse a grid that could not be run, before its points are made."""
    lengths = {name: len(sweep.grid[name]) for name in sweep.swept}
    points = math.prod(lengths.values())
    if points > MOST_POINTS:
        counts = " × ".join(f"{count:,} values of {name}" for name, count in lengths.items())
        raise SweepError(f"a sweep has at most {MOST_POINTS:,} points, not {points:,} ({counts}); give fewer values")
    if points * sweep.runs > MOST_RUNS:
        raise SweepError(
            f"a sweep has at most {MOST_RUNS:,} runs, not {points * sweep.runs:,} (points × runs = {points:,} × "
            f"{sweep.runs:,}); lower runs, or give fewer values"
        )


def _check_together(sweep: Sweep) -> None:
    """Refuse what fits alone, but not together."""
    if sweep.match_weights is not None and "n_hidden" in sweep.grid:
        raise SweepError("n_hidden follows from fan_in with match_weights; leave one of n_hidden and match_weights out")
    if sweep.match_weights is not None and set(sweep.grid.get("memory", ())) - {DEFAULT}:
        raise SweepError(f"match_weights is for the memory {DEFAULT} alone; leave it or the other memories out")
    if sweep.sizes.get("n_tested", 0) > sweep.sizes.get("n_stored", 0):
        raise SweepError("n_tested must be at most n_stored = {n_stored}, not {n_tested}".format(**sweep.sizes))
    deciding = [name for name in DECIDING[sweep.kind] if name in sweep.grid]
    models = [dict(zip(deciding, values, strict=True)) for values in product(*(sweep.grid[name] for name in deciding))]
    there = set().union(*(PARAMETERS_OF[sweep.kind](model) for model in models))
    useless = next((name for name in sweep.grid if name not in there), None)
    if useless:
        what = "memories" if sweep.kind == "memory" else "models"
        raise SweepError(f"{useless} is no parameter of the {what} in this grid; leave it out, or change the {what}")


def _whole(name: str, given: object, low: int = 1) -> int:
    found = values_of(Parameter(name, "whole", ""), given)
    if len(found) > 1:
        raise SweepError(f"{name} must be one integer, not {checks.shown(given)}: it cannot be swept")
    try:
        return checks.integer(name, found[0], low, checks.MANY)
    except ValueError as error:
        raise SweepError(str(error)) from None


def _sizes(entries: Mapping[str, object], defaults: Mapping[str, int]) -> dict[str, int]:
    """The sizes of a run; where fewer patterns are stored than would be tested, all are tested."""
    found = {name: _whole(name, entries.get(name, default)) for name, default in defaults.items()}
    if "n_stored" in entries and "n_tested" not in entries:
        found["n_tested"] = min(found["n_tested"], found["n_stored"])
    return found


def _cues(given: object) -> tuple[float, ...]:
    cues = tuple(float(cue) for cue in values_of(Parameter("cue", "number", ""), given))
    try:
        return tuple(checks.fraction("cue", cue) for cue in cues)
    except ValueError as error:
        raise SweepError(str(error)) from None


def _matched(given: object) -> float | None:
    if isinstance(given, bool) or given in ("yes", "no"):
        return F_N_HIDDEN if given in (True, "yes") else None
    found = values_of(Parameter("match_weights", "number", ""), given)
    try:
        if len(found) > 1:
            raise ValueError(f"match_weights must be one f·n_h, not {checks.shown(given)}")
        return checks.positive("match_weights", found[0])
    except ValueError as error:
        raise SweepError(str(error)) from None


def _yes_or_no(name: str, given: object) -> bool:
    if not isinstance(given, bool):
        raise SweepError(f"{name} must be true or false, not {checks.shown(given)}")
    return given
