"""A sweep: which parameters take which values, and how much is run at each point."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from typing import Any

from slotfree import checks
from slotfree.forgetting.protocol import CUES
from slotfree.sweep.kinds import KINDS
from slotfree.sweep.memory import DEFAULT
from slotfree.sweep.parameters import Parameter, SweepError, Takes, Value, named
from slotfree.sweep.point import Point, values_text
from slotfree.sweep.values import values_of

RUNS = 10
MOST_POINTS, MOST_RUNS = 100_000, 1_000_000  # of a sweep: weeks of work on one core
F_N_HIDDEN = 0.05 * 2000  # of the default memory


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
    if not isinstance(kind, str) or kind not in KINDS:
        raise SweepError(f"kind must be {' or '.join(KINDS)}, not {checks.shown(kind)}")
    parameters, sizes = named(kind), KINDS[kind].sizes
    memory = ("cue", "match_weights") if kind == "memory" else ()
    _check_names(entries, ("kind", *parameters, *memory, "runs", *sizes, "skip_impossible", "seed"))
    try:
        sweep = Sweep(
            kind=kind,
            grid={name: values_of(parameters[name], given) for name, given in entries.items() if name in parameters},
            runs=_integer("runs", entries.get("runs", RUNS)),
            sizes=_sizes(entries, sizes),
            cues=_cues(entries.get("cue", list(CUES))) if memory else (),
            match_weights=_matched(entries.get("match_weights", False)),
            skip_impossible=checks.yes_or_no("skip_impossible", entries.get("skip_impossible", False)),
            seed=_integer("seed", entries.get("seed", 0), 0),
        )
    except (ValueError, TypeError) as error:
        raise SweepError(str(error)) from None
    _check_size(sweep)
    _check_together(sweep)
    return sweep


def points_of(sweep: Sweep) -> tuple[list[Point], list[str]]:
    """Return the points of a sweep, each once, and those that are skipped, with the reason.

    All are checked before anything is run. The first parameter varies slowest. Parameters that a model does not have
    are left out: then points that differ in them only are the same.
    """
    points: dict[str, Point] = {}
    impossible, kind = [], KINDS[sweep.kind]
    for values in product(*sweep.grid.values()):
        chosen = dict(zip(sweep.grid, values, strict=True))
        try:
            there = kind.parameters_of(chosen)
            given = {name: value for name, value in chosen.items() if name in there}
            point = Point({name: given.get(name) for name in chosen}, *kind.point(given, sweep))
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
    kind = KINDS[sweep.kind]
    deciding = [name for name in kind.deciding if name in sweep.grid]
    models = [dict(zip(deciding, values, strict=True)) for values in product(*(sweep.grid[name] for name in deciding))]
    there = set().union(*(kind.parameters_of(model) for model in models))
    useless = next((name for name in sweep.grid if name not in there), None)
    if useless:
        raise SweepError(
            f"{useless} is no parameter of the {kind.models} in this grid; leave it out, or change the {kind.models}"
        )


def _one(name: str, takes: Takes, given: object, what: str) -> Value:
    """The only value that is given."""
    found = values_of(Parameter(name, takes, ""), given)
    if len(found) > 1:
        raise ValueError(f"{name} must be {what}, not {checks.shown(given)}: it cannot be swept")
    return found[0]


def _integer(name: str, given: object, low: int = 1) -> int:
    return checks.integer(name, _one(name, "whole", given, "one integer"), low, checks.MANY)


def _sizes(entries: Mapping[str, object], defaults: Mapping[str, int]) -> dict[str, int]:
    """The sizes of a run; where fewer patterns are stored than would be tested, all are tested."""
    found = {name: _integer(name, entries.get(name, default)) for name, default in defaults.items()}
    if "n_stored" in entries and "n_tested" not in entries:
        found["n_tested"] = min(found["n_tested"], found["n_stored"])
    return found


def _cues(given: object) -> tuple[float, ...]:
    return tuple(checks.fraction("cue", cue) for cue in values_of(Parameter("cue", "number", ""), given))


def _matched(given: object) -> float | None:
    if isinstance(given, bool) or given in ("yes", "no"):
        return F_N_HIDDEN if given in (True, "yes") else None
    return checks.positive("match_weights", _one("match_weights", "number", given, "one f·n_h"))
