"""Pairs of a cue and a response: what learning A–C does to A–B."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree import checks
from slotfree.forgetting.events import MEASURES, Event, OnCopy, Signal, Store, Test
from slotfree.forgetting.experiment import AnyMemory, conducted
from slotfree.forgetting.protocol import Source
from slotfree.patterns.cues import noisy_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for

Rows: TypeAlias = NDArray[np.uint8]

PAIRS = ("AB", "AC", "new")


def interference(
    memory: AnyMemory,
    *,
    n_visible: int | None = None,
    k_visible: int | None = None,
    n_pairs: int = 10,
    similarities: Iterable[float] = (1.0, 0.0),
    delays: Iterable[int] = (0,),
    ab_trials: int = 5,
    ac_trials: Iterable[int] = (0, 1, 5, 10, 20),
    n_before: int = 1000,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure retroactive interference: pairs A–B are learnt, then pairs A'–C, and B is asked for with A.

    A pair is a pattern whose first half of the units is the cue and whose second half the response; each has half of
    the ones. A' shares a fraction of its ones with A: all of them (1, the same cue), or as many as chance has it (0).
    A test shows the cue alone; the accuracy is the share of the response that is recalled.

    Parameters
    ----------
    memory, runs, signal, deterministic, seed, jobs, progress : as in ``recognition``.
    n_visible, k_visible : of the patterns; by default the memory's, where its settings have them. Both are even.
    n_pairs : in each list.
    similarities : of A' and A.
    delays : other patterns between the two lists: how old A–B is.
    ab_trials, ac_trials : how often the lists are presented before the tests; the largest is where A'–C ends.
    n_before : patterns that are stored before.

    Returns
    -------
    Dataset with ``accuracy``, ``overlap`` and ``familiarity`` (run, pair, similarity, delay, trial, item); pairs "AB"
    (cue A, response B), "AC" (cue A', response C), and "new", pairs never stored: what guessing gives.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = interference(sf.KWinnerSettings(), n_pairs=5, ac_trials=(0, 5), n_before=50, runs=2, seed=0)
    >>> dict(data["accuracy"].sizes)
    {'run': 2, 'pair': 3, 'similarity': 2, 'delay': 1, 'trial': 2, 'item': 5}
    """
    n_pairs, n_before = checks.integer("n_pairs", n_pairs, 1), checks.integer("n_before", n_before, 0)
    ab_trials = checks.integer("ab_trials", ab_trials, 1)
    trials = sorted(checks.different_integers("ac_trials", ac_trials, 0))
    shares = checks.different("similarities", similarities, partial(checks.fraction, zero_allowed=True), "numbers")
    waits = checks.different_integers("delays", delays, 0)

    def schedule(seed: np.random.SeedSequence, draw: Source, memory: Any) -> Iterator[Event]:
        half = _halves(memory, n_visible, k_visible)
        fillers = _drawn(n_before + max(waits), half, seed_for(seed, "others"))
        A, B, C, D, new, other = (_drawn_half(n_pairs, half, seed_for(seed, name)) for name in "ABCDEF")
        yield Store(fillers[:n_before])
        yield Store(np.hstack([A, B]), times=ab_trials)
        for wait in waits:
            for share in shares:
                cue = _alike(A, D, share, seed_for(seed, "similar", share))
                events: list[Event] = [Store(fillers[n_before : n_before + wait])]
                done = 0
                for trial in trials:
                    events.append(Store(np.hstack([cue, C]), times=trial - done))
                    done = trial
                    for name, a, b in (("AB", A, B), ("AC", cue, C), ("new", new, other)):
                        factors = {"similarity": share, "delay": wait, "trial": trial}
                        none = np.zeros_like(a)
                        events.append(Test(np.hstack([none, b]), np.hstack([a, none]), name, factors))
                yield OnCopy(events)

    at: dict[str, Any] = {"similarity": shares, "delay": waits, "trial": trials}
    settings = {"memory": memory, **at, "n_pairs": n_pairs, "ab_trials": ab_trials, "n_before": n_before}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, np.zeros((1, 1)), schedule, "interference", settings, **rest)
    shape = found.sizes["run"], len(waits), len(shares), len(trials), len(PAIRS), n_pairs
    dims = ("run", "delay", "similarity", "trial", "pair", "item")
    arrays = {name: (dims, found[name].values.reshape(shape)) for name in MEASURES}
    coordinates = {"run": found["run"].values, **at, "pair": list(PAIRS), "item": np.arange(n_pairs)}
    data = xr.Dataset(arrays, coordinates, found.attrs)
    return data.transpose("run", "pair", "similarity", "delay", "trial", "item")


def _halves(memory: Any, n_visible: int | None, k_visible: int | None) -> tuple[int, int]:
    """Return the units and the ones of each half of a pair."""
    settings = getattr(memory, "settings", memory)
    sizes = {"n_visible": n_visible, "k_visible": k_visible}
    for name, size in sizes.items():
        number = checks.integer(name, getattr(settings, name, None) if size is None else size, 2)
        if number % 2:
            raise ValueError(f"{name} must be even, as a pair has two halves, not {number}")
        sizes[name] = number // 2
    return int(sizes["n_visible"] or 0), int(sizes["k_visible"] or 0)


def _drawn_half(n: int, half: tuple[int, int], seed: np.random.SeedSequence) -> Rows:
    return random_patterns(n, n_visible=half[0], k_visible=half[1], seed=seed)


def _drawn(n: int, half: tuple[int, int], seed: np.random.SeedSequence) -> Rows:
    """Return other pairs, all unlike each other."""
    return np.hstack([_drawn_half(n, half, seed_for(seed, part)) for part in ("cue", "response")])


def _alike(A: Rows, others: Rows, share: float, seed: np.random.SeedSequence) -> Rows:
    """Return cues that share a fraction of their ones with A; none but by chance if it is 0."""
    k = int(A[0].sum())
    kept = int(share * k + 0.5)
    if kept == 0:
        return others
    return noisy_cues(A, 1 - kept / k, seed=seed)
