"""The retention protocol: store a stream in one pass, freeze the weights, test by age (paper, section 2.2.1)."""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias, cast

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.display.progress import counted
from slotfree.files.attributes import attributes
from slotfree.forgetting.agreement import Metric, agreement, checked_metrics
from slotfree.forgetting.checked_memory import ASKED_TWICE, METHODS, CheckedMemory, check_is_new, check_takes_seed
from slotfree.forgetting.checked_source import check_never_stored, fitted
from slotfree.forgetting.cues import Cue, checked_cues, label_of, labels_of, presented, weakest
from slotfree.memory.base import Memory, Settings, build, has_memory, memories
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.patterns.random import random_patterns
from slotfree.runs.executor import run_units
from slotfree.runs.seeds import seed_for

Kind: TypeAlias = Literal["real", "pseudo", "other", "uniform"]
KINDS: tuple[Kind, ...] = ("real", "pseudo", "other", "uniform")
CUES = (1.0, 0.5)  # the paper's cue levels: whole patterns, and half of their ones


class Source(Protocol):
    """Where patterns come from: called anew for each run, e.g. ``sf.random_patterns`` or a ``functools.partial``."""

    def __call__(self, n_patterns: int, /, *, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        """Return patterns (n_patterns, n_visible) in the order in which they are to be stored."""


Build: TypeAlias = Callable[[np.random.SeedSequence], Memory]


def retention(
    memory_settings: Mapping[str, Any] | Settings | Build,
    source: Source | ArrayLike | None = None,
    *,
    runs: int = 200,
    cues: Cue | Iterable[Cue] = CUES,
    kinds: Iterable[Kind] = ("real", "pseudo"),
    metrics: Iterable[Metric] = ("accuracy",),
    n_stored: int = 4000,
    n_tested: int = 1000,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure how well a memory retrieves patterns of every age.

    In each run a new memory stores ``n_stored`` new patterns in one pass. Then, with its weights frozen, it retrieves
    the newest ``n_tested`` of them from cues, and the same number of patterns that it never stored. The accuracy is

        ρ = |retrieved ∩ pattern| / |pattern|,

    where the pattern is the whole one, also if the cue is partial. Age 1 is the newest. The accuracy for patterns never
    stored is the *baseline*.

    Accuracy counts hits only, which is fair where a memory recalls as many ones as patterns have. If they have other
    numbers of ones than the memory's ``k_visible``, a warning says so, unless another metric is measured too.

    What would make the curves wrong is an error: a function that builds the same memory for two runs; a ``retrieve``
    that changes the memory or is random (see ``deterministic``); a cue level that leaves a pattern no ones; a source of
    which more than half of the patterns never stored equal stored ones. If fewer do, a warning says how many.

    Parameters
    ----------
    memory_settings : the arguments of ``KWinnerMHN`` without the seed, as a mapping or as ``KWinnerSettings``; or the
        settings of another memory; or a function that builds any memory with ``store`` and ``retrieve`` from a seed,
        such as a class of your own. ``retrieve`` must return zeros and ones, a row for each cue.
    source : a function ``source(n_patterns, seed=...)`` that draws patterns, such as ``sf.random_patterns``,
        ``functools.partial(sf.tree_patterns, n_flips=10)`` or your own; or an array of patterns (N, n_visible), of
        which each run takes a random selection in random order. By default random patterns that fit the settings. If
        the function has parameters ``n_visible`` and ``k_visible``, it gets the memory's, where the memory or its
        ``settings`` has them, unless a ``functools.partial`` has set them.
    runs : how many independent runs: new weights, connections, patterns and cues in each.
    cues : cue levels c; a c-cue keeps a random fraction c of a pattern's ones. Other kinds have a name and a number,
        such as ("noisy", 0.3), ("occluded", 0.3), ("cluttered", 0.5) or ("blended", 0.3): see
        ``slotfree.patterns.cues``. A function ``cue(patterns, seed=...)`` makes cues of your own. All are tested on the
        same memories. Levels are numbers in the coordinate ``cue``; beside others all are strings, such as "0.5".
    kinds : what is tested: "real" (stored patterns), "pseudo" (patterns of the same source, never stored), "other"
        (patterns that the source draws anew: of other categories, of another tree), "uniform" (random patterns with
        the same numbers of ones, never stored).
    metrics : what is measured (``slotfree.forgetting.agreement``): "accuracy"; "precision",
        |retrieved ∩ pattern| / |retrieved|; "overlap", |retrieved ∩ pattern| / |retrieved ∪ pattern|.
    n_stored, n_tested : patterns stored, and how many of the newest are tested.
    deterministic : whether the same cues must retrieve the same patterns: some are asked before and after the test.
        False allows a memory that is random, or changes, when it retrieves, and asks nothing twice.
    seed : the root seed. Run i has its own stream, so more runs leave the first ones as they are.
    jobs : threads, by default one per core; the result is the same bits for any number.
    executor : where to run instead, any ``concurrent.futures.Executor``; it gets all runs at once, or two per job if
        ``jobs`` is given. Other processes need a source that can be pickled.
    progress : whether to show how many runs are done: on stderr, or below the cell of a notebook.

    Returns
    -------
    Dataset with ``accuracy``, or the metrics asked for, (run, cue, kind, age). Its attributes say how it was made.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = sf.retention({"n_hidden": 200}, runs=2, n_stored=50, n_tested=10, seed=0)
    >>> data["accuracy"].sizes["age"]
    10
    """
    runs = checks.integer("runs", runs, 1)
    n_stored = checks.integer("n_stored", n_stored, 1)
    n_tested = checks.integer("n_tested", n_tested, 1, n_stored, "n_stored")
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(checks.integer("seed", seed, 0))
    deterministic = checks.yes_or_no("deterministic", deterministic)
    plan = plan_run(memory_settings, source, cues, kinds, n_stored, n_tested, metrics, deterministic, "memory_settings")
    if jobs is not None:
        jobs = checks.integer("jobs", jobs, 1)
    found, caveat = _measured(plan, runs, seed, jobs, executor, checks.yes_or_no("progress", progress))
    if caveat:
        warnings.warn(caveat, stacklevel=2)
    made = attributes("retention", plan.arguments | {"runs": runs}, seed)
    return labelled(found, plan.cues, plan.kinds).assign_attrs(made)


def _measured(
    plan: "Run",
    runs: int,
    seed: np.random.SeedSequence,
    jobs: int | None,
    executor: Executor | None,
    progress: bool,
) -> tuple[dict[Metric, NDArray[np.float64]], str]:
    """Return the metrics of all runs by name, (run, cue, kind, age), and what the first run with a caveat warns of."""
    shape = (runs, len(plan.cues), len(plan.kinds), plan.n_tested)
    check_fits(f"the accuracy of {plan.n_tested:,} patterns in {runs:,} runs", 8 * math.prod(shape) * len(plan.metrics))
    found = {metric: np.empty(shape) for metric in plan.metrics}
    caveats = [""] * runs
    units = ((run, partial(plan.measured, seed_for(seed, run))) for run in range(runs))
    done = run_units(units, jobs, executor)
    for run, (result, caveats[run]) in counted(done, runs, "runs", progress=progress):
        for metric in found:
            found[metric][run] = result[metric]
    return found, next(filter(None, caveats), "")


def labelled(found: Mapping[Metric, NDArray[np.float64]], cues: Sequence[Cue], kinds: Sequence[Kind]) -> xr.Dataset:
    """Label the metrics of many runs, by name: (run, cue, kind, age)."""
    runs, _, _, n_tested = next(iter(found.values())).shape
    return xr.Dataset(
        {metric: (("run", "cue", "kind", "age"), values) for metric, values in found.items()},
        {"run": np.arange(runs), "cue": labels_of(cues), "kind": list(kinds), "age": np.arange(1, n_tested + 1)},
    )


@dataclass(frozen=True)
class Run:
    """One run of the protocol, as a function of its seed: the metrics by name, (cue, kind, age)."""

    build: Build
    draw: Source
    cues: tuple[Cue, ...]
    kinds: tuple[Kind, ...]
    n_stored: int
    n_tested: int
    metrics: tuple[Metric, ...]
    deterministic: bool = True
    argument: str = "memory"  # what the user calls what builds the memory

    def __call__(self, seed: np.random.SeedSequence) -> dict[str, NDArray[np.float64]]:
        """Build, store, freeze, test."""
        return self.measured(seed)[0]

    def measured(self, seed: np.random.SeedSequence) -> tuple[dict[str, NDArray[np.float64]], str]:
        """Do the same; return also what the user should be warned of, or ""."""
        memory = built(self.build, seed_for(seed, "memory"), self.argument)
        draw = fitted(self.draw, memory.memory)
        patterns = self._drawn(draw, seed_for(seed, "patterns"))
        memory.store(patterns[: self.n_stored])
        some = np.linspace(self.n_stored - self.n_tested, self.n_stored + self.n_tested - 1, ASKED_TWICE).astype(int)
        asked = presented(patterns[some], weakest(self.cues), seed_for(seed, "asked twice"))
        first = memory.retrieve(asked.copy()).copy() if self.deterministic else None
        newest_first = patterns[self.n_stored - self.n_tested : self.n_stored][::-1].copy()
        tested = {"real": newest_first, "pseudo": patterns[self.n_stored :]}
        if "other" in self.kinds:
            tested["other"] = self._others(draw, patterns, seed_for(seed, "other"))
        if "uniform" in self.kinds:
            tested["uniform"] = _unstructured(tested["pseudo"], seed_for(seed, "uniform"))
        stored = patterns[: self.n_stored]
        repeated = [check_never_stored(stored, tested[kind], kind) for kind in self.kinds if kind != "real"]
        found = self._tested(memory, tested, seed)
        if first is not None:
            memory.check_still_returns(first, asked)
        caveats = *repeated, self._caveat(memory, newest_first.sum(axis=1, dtype=np.uint32))
        return found, next(filter(None, caveats), "")

    def _tested(
        self, memory: CheckedMemory, tested: Mapping[str, NDArray[np.uint8]], seed: np.random.SeedSequence
    ) -> dict[str, NDArray[np.float64]]:
        """Retrieve what is tested, patterns by kind, and return the metrics by name."""
        shape = (len(self.cues), len(self.kinds), self.n_tested)
        found: dict[str, NDArray[np.float64]] = {metric: np.empty(shape) for metric in self.metrics}
        for k, kind in enumerate(self.kinds):
            for c, cue in enumerate(self.cues):
                asked = presented(tested[kind], cue, seed_for(seed, "cue", kind, label_of(cue)))
                for metric, values in agreement(memory.retrieve(asked), tested[kind], self.metrics).items():
                    found[metric][c, k] = values
        return found

    @property
    def arguments(self) -> dict[str, object]:
        """What the run was planned from."""
        memory = self.build.args[0] if isinstance(self.build, partial) and self.build.func is build else self.build
        others = ("build", "draw", "argument")
        rest = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in others}
        return {"memory": memory, "source": self.draw, **rest}

    def _drawn(self, draw: Source, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        """Return patterns of the source: n_stored, and n_tested more."""
        count = self.n_stored + self.n_tested
        patterns = checks.binary_rows("source", draw(count, seed=seed))
        if len(patterns) != count or not patterns.any(axis=1).all():
            raise ValueError(f"source must give n_stored + n_tested = {count} patterns, none of them empty")
        return patterns

    def _others(self, draw: Source, patterns: NDArray[np.uint8], seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        """Return n_tested patterns of the source as it is drawn with another seed than some patterns were."""
        others = self._drawn(draw, seed)
        if np.array_equal(others, patterns):
            raise ValueError("source must draw other patterns with another seed for the kind 'other', and it does not")
        return others[: self.n_tested]

    def _caveat(self, memory: CheckedMemory, ones: NDArray[np.integer]) -> str:
        """Say what accuracy does not tell of a memory that always recalls k_visible ones, if patterns have others."""
        k_visible = memory.k_visible
        if k_visible is None or self.metrics != ("accuracy",) or (ones == k_visible).all():
            return ""
        low, high = ones.min(), ones.max()
        return (
            f"patterns have {low if low == high else f'{low} to {high}'} ones, but {memory.name} always recalls "
            f"k_visible = {k_visible}: accuracy counts hits, and not the ones that should not be there; measure "
            "also precision or overlap, metrics=('accuracy', 'precision', 'overlap')"
        )


def plan_run(
    memory_settings: Mapping[str, Any] | Settings | Build,
    source: Source | ArrayLike | None,
    cues: Cue | Iterable[Cue],
    kinds: Iterable[Kind],
    n_stored: int,
    n_tested: int,
    metrics: Iterable[Metric] = ("accuracy",),
    deterministic: bool = True,
    argument: str = "memory",
) -> Run:
    """Check the arguments of ``retention`` and return what one run does.

    Parameters
    ----------
    argument : what errors call the first of them.
    """
    cues = checked_cues(cues)
    kinds = tuple(kinds)
    if not kinds or set(kinds) - set(KINDS) or len(set(kinds)) < len(kinds):
        raise ValueError(f"kinds must be one or more of {', '.join(KINDS)}, each once, not {checks.shown(kinds)}")
    if "other" in kinds and source is not None and not callable(source):
        raise ValueError("kinds can have 'other' only if source is a function that draws categories, not an array")
    make, draw = memory_and_source(memory_settings, source, argument)
    return Run(make, draw, cues, kinds, n_stored, n_tested, checked_metrics(metrics), deterministic, argument)


def memory_and_source(
    memory_settings: Mapping[str, Any] | Settings | Build, source: Source | ArrayLike | None, argument: str = "memory"
) -> tuple[Build, Source]:
    """Return what builds a memory from a seed, and what draws patterns, as far as possible of its sizes.

    Parameters
    ----------
    argument : what errors call the first of them.
    """
    if callable(memory_settings):
        if source is None:
            raise ValueError(f"source must be given if {argument} is a function")
        check_takes_seed(memory_settings, argument)
        make: Build = memory_settings
    else:
        settings = _settings(memory_settings, argument)
        make = partial(build, settings)
        source = random_patterns if source is None else source
        source = fitted(source, settings) if callable(source) else source
    return make, source if callable(source) else partial(from_pool, checks.binary_rows("source", source))


def built(make: Build, seed: np.random.SeedSequence, argument: str = "memory") -> CheckedMemory:
    """Return a new memory of what the user gave as an argument."""
    try:
        memory = make(seed)
    except TypeError as error:
        error.add_note(f"{argument} was called with a seed, a numpy.random.SeedSequence, to build a memory")
        raise
    check_is_new(memory, argument)
    return CheckedMemory(memory, argument)


def _settings(memory_settings: object, argument: str) -> Settings:
    """Return the settings of some memory."""
    if has_memory(memory_settings):
        return cast(Settings, memory_settings)
    if all(hasattr(memory_settings, name) for name in METHODS):
        raise TypeError(
            f"{argument} must be settings, a class, or a function of a seed, since every run builds a new memory, "
            f"not the memory {checks.shown(memory_settings)}"
        )
    names = [kind.settings_class.__name__ for kind in memories().values()]
    others = ", ".join(name for name in names if name != KWinnerSettings.__name__)
    return as_settings(memory_settings, also=f", other settings ({others}), or a function of a seed", argument=argument)


def as_settings(
    memory_settings: object,
    kind: type[KWinnerSettings] = KWinnerSettings,
    *,
    also: str = "",
    argument: str = "memory_settings",
) -> KWinnerSettings:
    """Return the settings of a K-winner MHN, which are given as such or as a mapping of its arguments."""
    if isinstance(memory_settings, KWinnerSettings):
        return memory_settings
    names = [field.name for field in fields(KWinnerSettings)]
    if not isinstance(memory_settings, Mapping) or set(memory_settings) - set(names):
        raise TypeError(
            f"{argument} must be a mapping with keys out of {', '.join(names)}, a KWinnerSettings{also}, "
            f"not {checks.shown(memory_settings)}; every run has its own seed"
        )
    return kind(**memory_settings)


def from_pool(pool: NDArray[np.uint8], n_patterns: int, /, *, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
    """Return a random selection of patterns in random order: the source that an array of patterns is."""
    if len(pool) < n_patterns:
        raise ValueError(f"source must hold at least n_stored + n_tested = {n_patterns} patterns, not {len(pool)}")
    return pool[np.random.default_rng(seed).permutation(len(pool))[:n_patterns]]


def _unstructured(patterns: NDArray[np.uint8], seed: np.random.SeedSequence) -> NDArray[np.uint8]:
    """Return random patterns with the same numbers of ones."""
    n_visible = patterns.shape[1]
    ones = patterns.sum(axis=1, dtype=np.uint32)
    if (ones == ones[0]).all():
        return random_patterns(len(patterns), n_visible=n_visible, k_visible=int(ones[0]), seed=seed)
    return np.random.default_rng(seed).permuted(patterns, axis=1)
