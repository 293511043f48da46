"""Items in a stream: repeated at gaps and tested after delays, and forgotten while the stream goes on."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.forgetting.checked_memory import ASKED_TWICE, CheckedMemory
from slotfree.forgetting.cues import Cue, checked_cue, presented
from slotfree.forgetting.events import MEASURES, Event, OnCopy, Signal, Store, Test, measured
from slotfree.forgetting.experiment import AnyMemory, conducted
from slotfree.forgetting.placed import placed
from slotfree.forgetting.protocol import Source
from slotfree.runs.seeds import seed_for


def repetition(
    memory: AnyMemory,
    source: Source | ArrayLike | None = None,
    *,
    times: Iterable[int] = (1, 2),
    gaps: Iterable[int] = (0, 1, 3, 10, 30),
    delays: Iterable[int] = (1, 10, 100),
    n_items: int = 20,
    n_before: int = 1000,
    cue: Cue = 1.0,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure what repetition does: massed or spaced, and tested after several delays.

    For each number of times and gap there is a stream, on a copy of the memory as it is after ``n_before`` patterns.
    Its items come back after exactly ``gap`` other items, and each is tested after exactly ``delay`` others since its
    last presentation. A gap of 0 is massed. The curve over gaps at one delay is the spacing curve.

    Parameters
    ----------
    memory, source, cue, runs, signal, deterministic, seed, jobs, progress : as in ``recognition``.
    times : how often an item is presented.
    gaps : other items between its presentations; they do not matter where it is presented once.
    delays : other items between its last presentation and a test.
    n_items : in each stream.
    n_before : patterns that are stored before.

    Returns
    -------
    Dataset with ``accuracy``, ``overlap`` and ``familiarity`` (run, times, gap, delay, item).

    Examples
    --------
    >>> import slotfree as sf
    >>> small = {"gaps": (0, 5), "delays": (10,), "n_items": 5, "n_before": 100, "runs": 2}
    >>> data = repetition(sf.KWinnerSettings(), **small, seed=0)
    >>> dict(data["accuracy"].sizes)
    {'run': 2, 'times': 2, 'gap': 2, 'delay': 1, 'item': 5}
    """
    at = {
        "times": checks.different_integers("times", times, 1),
        "gap": checks.different_integers("gaps", gaps, 0),
        "delay": checks.different_integers("delays", delays, 0),
    }
    n_items, n_before = checks.integer("n_items", n_items, 1), checks.integer("n_before", n_before, 0)
    cue = checked_cue(cue)

    def schedule(seed: np.random.SeedSequence, draw: Source, memory: Any) -> Iterator[Event]:
        rng = np.random.default_rng(seed_for(seed, "places"))
        streams = {}
        for n, gap in product(at["times"], at["gap"]):
            offsets = np.arange(n) * (gap + 1)
            room = 2 * n_items * n + int(offsets[-1]) + 1  # half of it for items, where they can begin anywhere
            shown = placed([offsets] * n_items, room, rng)
            streams[n, gap] = shown + [(max(shown)[0] + 1 + i, 0) for i in range(max(at["delay"]))]
        most = max(max(shown)[0] for shown in streams.values()) + 1
        patterns = draw(n_before + most, seed=seed_for(seed, "patterns"))
        yield Store(patterns[:n_before])
        for (n, gap), shown in streams.items():
            yield OnCopy(_tested_later(patterns[n_before:], shown, n_items, n, at["delay"], cue, gap))

    settings = {"memory": memory, "source": source, **at, "n_items": n_items, "n_before": n_before, "cue": cue}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, source, schedule, "repetition", settings, **rest)
    return by_factors(found, at, n_items)


def _tested_later(
    patterns: NDArray[np.uint8],
    shown: list[tuple[int, int]],
    n_items: int,
    times: int,
    delays: list[int],
    cue: Cue,
    gap: int,
) -> Iterator[Event]:
    """Yield a stream with a test of each item some delays after its last presentation."""
    due: dict[int, list[tuple[int, int]]] = {}
    for place, (item, occasion) in enumerate(shown):
        yield Store(patterns[item])
        if item < n_items and occasion == times - 1:
            for delay in delays:
                due.setdefault(place + delay, []).append((item, delay))
        for old, delay in due.pop(place, []):
            yield Test(patterns[old], cue, factors={"times": times, "gap": gap, "delay": delay})


def by_factors(found: xr.Dataset, at: dict[str, list[int]], n_items: int) -> xr.Dataset:
    """Return tests of single items as (run, factors…, item): those with the same factors are items."""
    shape = (found.sizes["run"], *map(len, at.values()), n_items)
    arrays = {name: np.empty(shape) for name in MEASURES}
    for place in np.ndindex(*map(len, at.values())):
        here = [found[name].values == values[i] for (name, values), i in zip(at.items(), place, strict=True)]
        for name, array in arrays.items():
            array[:, *place] = found[name].values[:, np.logical_and.reduce(here), 0]
    dims = ("run", *at, "item")
    coordinates = {"run": found["run"].values, **at, "item": np.arange(n_items)}
    return xr.Dataset({name: (dims, array) for name, array in arrays.items()}, coordinates, found.attrs)


def along_stream(
    memory: Any,
    patterns: Iterable[NDArray[np.uint8]],
    *,
    ages: Iterable[int] = (1, 10, 100),
    every: int = 10,
    cue: Cue = 1.0,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence = 0,
) -> xr.Dataset:
    """Measure forgetting while a stream goes on, without keeping it: a memory of yours stores it as it comes.

    Every so many patterns one is noted, tested at each age, and dropped at the last. At most ``max(ages) / every + 1``
    patterns are kept at a time, however long the stream.

    Parameters
    ----------
    memory : a memory, which stores the stream: a class of this package or any with ``store`` and ``retrieve``.
    patterns : the stream: an iterable of patterns (n_visible,), such as a generator, or an array of them.
    ages : at which a noted pattern is tested; it has age 1 when it was the last to be stored.
    every : how many patterns there are from one that is noted to the next.
    cue, signal : as in ``recognition``.
    deterministic : whether the same cue must retrieve the same pattern: in the first ten tests it is asked three
        times. False allows a memory that is random, or changes, when it retrieves.
    seed : of the cues.

    Returns
    -------
    Dataset with ``accuracy``, ``overlap`` and ``familiarity`` (time, age); ``time`` counts the patterns stored until a
    pattern was noted, itself included. NaN for ages that the stream did not reach.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.KWinnerMHN(seed=0)
    >>> data = along_stream(memory, sf.random_patterns(300, seed=1), ages=(1, 100), every=50)
    >>> data["time"].values.tolist()
    [1, 51, 101, 151, 201, 251]
    """
    wanted, every = checks.different_integers("ages", ages, 1), checks.integer("every", every, 1)
    level = checked_cue(cue)
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(checks.integer("seed", seed, 0))
    asked, asked_twice = CheckedMemory(memory), ASKED_TWICE if checks.yes_or_no("deterministic", deterministic) else 0
    noted: dict[int, NDArray[np.uint8]] = {}
    found: dict[int, NDArray[np.float64]] = {}
    for time, x in enumerate(patterns, 1):
        row = checks.binary_rows("patterns", x)
        asked.store(row)
        if (time - 1) % every == 0:
            noted[time], found[time] = row, np.full((len(wanted), len(MEASURES)), np.nan)
        for then in [then for then in noted if time - then + 1 in wanted]:
            a = wanted.index(time - then + 1)
            cues = presented(noted[then], level, seed_for(root, then, a))
            found[then][a] = np.concatenate(measured(asked, noted[then], cues, signal, asked_twice=asked_twice > 0))
            asked_twice -= 1
        for then in [then for then in noted if time - then + 1 >= max(wanted)]:
            del noted[then]
    if not found:
        raise ValueError("patterns must hold at least one pattern")
    table = np.array(list(found.values()))
    variables = {name: (("time", "age"), table[..., m]) for m, name in enumerate(MEASURES)}
    return xr.Dataset(variables, {"time": list(found), "age": wanted})
