"""The retention protocol: store a stream in one pass, freeze the weights, test by age (paper, section 2.2.1)."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.memory.settings import KWinnerSettings
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.executor import default_jobs, run_units
from slotfree.runs.seeds import seed_for

Kind: TypeAlias = Literal["real", "pseudo", "uniform"]
KINDS: tuple[Kind, ...] = ("real", "pseudo", "uniform")


class Memory(Protocol):
    """What the protocol asks of a memory."""

    def store(self, patterns: NDArray[np.uint8]) -> None:
        """Store the rows in order."""

    def retrieve(self, cues: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return what each row recalls."""


class Source(Protocol):
    """Where patterns come from: called anew for each run, e.g. ``sf.random_patterns`` or a ``functools.partial``."""

    def __call__(self, n_patterns: int, /, *, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        """Return patterns (n_patterns, n_visible) in the order in which they are to be stored."""


Build: TypeAlias = Callable[[np.random.SeedSequence], Memory]


def retention(
    memory_settings: Mapping[str, Any] | KWinnerSettings | Build,
    source: Source | ArrayLike = random_patterns,
    *,
    runs: int = 200,
    cues: Sequence[float] = (1.0, 0.5),
    kinds: Sequence[Kind] = ("real", "pseudo"),
    n_stored: int = 4000,
    n_tested: int = 1000,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> xr.Dataset:
    """Measure how well a memory retrieves patterns of every age.

    In each run a new memory stores ``n_stored`` new patterns in one pass. Then, with its weights frozen, the newest
    ``n_tested`` are retrieved from cues, and so are as many patterns that it never saw. The accuracy is

        ρ = |retrieved ∩ pattern| / |pattern|,

    against the whole pattern, also when the cue is partial. Age 1 is the newest.

    Parameters
    ----------
    memory_settings : the arguments of ``KWinnerMHN`` without the seed, as a mapping or as ``KWinnerSettings``; or a
        function that builds any memory with ``store`` and ``retrieve`` from a seed.
    source : a function ``source(n_patterns, seed=...)`` that draws patterns, such as ``sf.random_patterns``,
        ``functools.partial(sf.tree_patterns, n_flips=10)`` or your own; or an array of patterns (N, n_visible), of
        which each run takes a random selection in random order.
    runs : how many independent runs: new weights, connections, patterns and cues in each.
    cues : cue levels c; a c-cue keeps a random fraction c of a pattern's ones. All are tested on the same memories.
    kinds : what is tested: "real" (stored patterns), "pseudo" (unseen patterns of the same source), "uniform"
        (unseen patterns without structure, with as many ones).
    n_stored, n_tested : patterns stored, and how many of the newest are tested.
    seed : the root seed. Run i has its own stream, so more runs leave the first ones as they are.
    jobs : threads, by default one per core; the result is the same bits for any number.
    executor : where to run instead, any ``concurrent.futures.Executor``.

    Returns
    -------
    Dataset with ``accuracy`` (run, cue, kind, age).
    """
    runs = checks.whole("runs", runs, 1)
    n_stored = checks.whole("n_stored", n_stored, 1)
    n_tested = checks.whole("n_tested", n_tested, 1, n_stored, "n_stored")
    jobs = default_jobs() if jobs is None else checks.whole("jobs", jobs, 1)
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(checks.whole("seed", seed, 0))
    plan = one_run(memory_settings, source, cues, kinds, n_stored, n_tested)
    accuracy = np.empty((runs, len(cues), len(kinds), n_tested))
    units = ((run, partial(plan, seed_for(seed, run))) for run in range(runs))
    for run, result in run_units(units, jobs, executor):
        accuracy[run] = result
    return labelled(accuracy, cues, kinds)


def labelled(accuracy: NDArray[np.float64], cues: Sequence[float], kinds: Sequence[Kind]) -> xr.Dataset:
    """Label the accuracies of many runs: (run, cue, kind, age)."""
    runs, _, _, n_tested = accuracy.shape
    return xr.Dataset(
        {"accuracy": (("run", "cue", "kind", "age"), accuracy)},
        {"run": np.arange(runs), "cue": list(cues), "kind": list(kinds), "age": np.arange(1, n_tested + 1)},
    )


def one_run(
    memory_settings: Mapping[str, Any] | KWinnerSettings | Build,
    source: Source | ArrayLike,
    cues: Sequence[float],
    kinds: Sequence[Kind],
    n_stored: int,
    n_tested: int,
) -> Callable[[np.random.SeedSequence], NDArray[np.float64]]:
    """Return a function of a seed that performs one run: accuracies (cue, kind, age). Arguments are checked now."""
    build = memory_settings if callable(memory_settings) else _builder(memory_settings)
    draw = source if callable(source) else partial(_from_pool, checks.binary_rows("source", source))
    if not cues:
        raise ValueError(f"cues must hold at least one cue level, not {cues!r}")
    for cue in cues:
        checks.fraction("cues", cue)
    if not kinds or set(kinds) - set(KINDS) or len(set(kinds)) < len(kinds):
        raise ValueError(f"kinds must be different words out of {', '.join(KINDS)}, not {kinds!r}")

    def run(seed: np.random.SeedSequence) -> NDArray[np.float64]:
        memory = build(seed_for(seed, "memory"))
        patterns = draw(n_stored + n_tested, seed=seed_for(seed, "patterns"))
        memory.store(patterns[:n_stored])
        tested = {"real": patterns[n_stored - n_tested : n_stored][::-1], "pseudo": patterns[n_stored:]}
        if "uniform" in kinds:
            tested["uniform"] = _unstructured(tested["pseudo"], seed_for(seed, "uniform"))
        accuracy = np.empty((len(cues), len(kinds), n_tested))
        for k, kind in enumerate(kinds):
            ones = tested[kind].sum(axis=1)
            for c, cue in enumerate(cues):
                presented = partial_cues(tested[kind], cue, seed=seed_for(seed, "cue", kind, cue))
                accuracy[c, k] = (memory.retrieve(presented) & tested[kind]).sum(axis=1) / ones
        return accuracy

    return run


def _builder(memory_settings: Mapping[str, Any] | KWinnerSettings) -> Build:
    if isinstance(memory_settings, KWinnerSettings):
        settings = memory_settings
    elif "seed" in memory_settings:
        raise ValueError("memory_settings must not hold a seed: every run has its own")
    else:
        settings = KWinnerSettings(**memory_settings)

    def build(seed: np.random.SeedSequence) -> Memory:
        return KWinnerMHN(**asdict(settings), seed=seed)

    return build


def _from_pool(pool: NDArray[np.uint8], n_patterns: int, /, *, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
    if len(pool) < n_patterns:
        raise ValueError(f"source must hold at least n_stored + n_tested = {n_patterns} patterns, not {len(pool)}")
    return pool[np.random.default_rng(seed).permutation(len(pool))[:n_patterns]]


def _unstructured(patterns: NDArray[np.uint8], seed: np.random.SeedSequence) -> NDArray[np.uint8]:
    """Random patterns with as many ones as the given ones."""
    n_visible = patterns.shape[1]
    ones = patterns.sum(axis=1)
    if (ones == ones[0]).all():
        return random_patterns(len(patterns), n_visible=n_visible, k_visible=int(ones[0]), seed=seed)
    return np.random.default_rng(seed).permuted(patterns, axis=1)
