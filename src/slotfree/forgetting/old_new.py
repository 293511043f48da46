"""Recognition: how familiar old and new items are, at each age, and in a stream in which items come back."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.forgetting.cues import Cue, checked_cue
from slotfree.forgetting.events import Event, Signal, Store, Test
from slotfree.forgetting.experiment import AnyMemory, conducted
from slotfree.forgetting.placed import placed
from slotfree.forgetting.protocol import Source
from slotfree.forgetting.streams import by_factors
from slotfree.runs.seeds import seed_for


def recognition(
    memory: AnyMemory,
    source: Source | ArrayLike | None = None,
    *,
    runs: int = 20,
    n_stored: int = 4000,
    n_tested: int = 1000,
    cue: Cue = 1.0,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure how familiar stored patterns of every age are, and patterns never stored.

    In each run a new memory stores ``n_stored`` patterns in one pass. Then the newest ``n_tested`` are shown to it, and
    as many that it never stored. What says "old" is a signal of the memory (``forgetting.events.familiarity``).

    Parameters
    ----------
    memory, source : as in ``sf.retention``.
    runs : how many independent runs.
    n_stored, n_tested : patterns stored, and how many of the newest are tested.
    cue : what is shown: whole patterns by default, or any cue that ``sf.retention`` takes.
    signal : "own", "recall" or "drive"; by default the memory's own familiarity if it has one, else "recall".
    deterministic : as in ``sf.experiment``.
    seed : the root seed.
    jobs, progress : as in ``sf.retention``.

    Returns
    -------
    Dataset with ``familiarity`` (run, kind, age): kind "real" by age, 1 being the newest, and "pseudo", in any order.
    ``slotfree.forgetting.detection.detection`` makes hits, false alarms, ROC, AUC, d' and 2AFC of it.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = recognition(sf.KWinnerSettings(), runs=2, n_stored=100, n_tested=20, seed=0)
    >>> dict(data["familiarity"].sizes)
    {'run': 2, 'kind': 2, 'age': 20}
    """
    n_stored = checks.integer("n_stored", n_stored, 1)
    n_tested, cue = checks.integer("n_tested", n_tested, 1, n_stored, "n_stored"), checked_cue(cue)

    def schedule(seed: np.random.SeedSequence, draw: Source, memory: Any) -> Iterator[Event]:
        patterns = draw(n_stored + n_tested, seed=seed)
        yield Store(patterns[:n_stored])
        yield Test(patterns[n_stored - n_tested : n_stored][::-1], cue, "real")
        yield Test(patterns[n_stored:], cue, "pseudo")

    settings = {"memory": memory, "source": source, "n_stored": n_stored, "n_tested": n_tested, "cue": cue}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, source, schedule, "recognition", settings, **rest)[["familiarity"]]
    return found.rename(test="kind", item="age").assign_coords(age=np.arange(1, n_tested + 1))


def continuous_recognition(
    memory: AnyMemory,
    source: Source | ArrayLike | None = None,
    *,
    lags: Iterable[int] = (0, 1, 3, 10, 30, 100),
    per_lag: int = 10,
    length: int = 400,
    n_before: int = 1000,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure familiarity in a stream in which items come back: each is tested before it is stored (again).

    Parameters
    ----------
    memory, source, runs, signal, deterministic, seed, jobs, progress : as in ``recognition``.
    lags : how many other items there are between the two presentations of an item.
    per_lag : items that come back at each lag.
    length : presentations in the stream. Those that no item takes are of items that are shown once.
    n_before : patterns that are stored before the stream begins.

    Returns
    -------
    Dataset with ``familiarity`` (run, kind, lag, item) of items at their first ("new") and second ("old") presentation.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = continuous_recognition(sf.KWinnerSettings(), lags=(0, 10), length=60, n_before=50, runs=2, seed=0)
    >>> data["kind"].values.tolist(), data["lag"].values.tolist()
    (['new', 'old'], [0, 10])
    """
    wanted = checks.different_integers("lags", lags, 0)
    per_lag, length = checks.integer("per_lag", per_lag, 1), checks.integer("length", length, 1)
    n_before = checks.integer("n_before", n_before, 0)
    if max(wanted) + 2 > length:
        raise ValueError(f"lags must fit the stream of length {length}, at most {length - 2}, not {max(wanted)}")
    offsets = [np.array([0, lag + 1]) for lag in wanted for _ in range(per_lag)]
    if 2 * len(offsets) > length:
        raise ValueError(f"length must be at least {2 * len(offsets)}, as {len(offsets)} items come back, not {length}")
    schedule = partial(_stream, offsets=offsets, lags=np.repeat(wanted, per_lag), length=length, n_before=n_before)
    settings = {"memory": memory, "source": source, "lags": wanted, "per_lag": per_lag, "length": length}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, source, schedule, "continuous_recognition", {**settings, "n_before": n_before}, **rest)
    data = by_factors(found, {"occasion": [0, 1], "lag": wanted}, per_lag)[["familiarity"]]
    return data.rename(occasion="kind").assign_coords(kind=["new", "old"])


def _stream(
    seed: np.random.SeedSequence,
    draw: Source,
    memory: Any,
    *,
    offsets: list[NDArray[np.int64]],
    lags: NDArray[np.int64],
    length: int,
    n_before: int,
) -> Iterator[Event]:
    """Yield a stream in which some items come back."""
    patterns = draw(n_before + length, seed=seed_for(seed, "patterns"))
    yield Store(patterns[:n_before])
    for item, occasion in placed(offsets, length, np.random.default_rng(seed_for(seed, "places"))):
        x = patterns[n_before + item]
        if item < len(offsets):
            yield Test(x, factors={"occasion": occasion, "lag": int(lags[item])})
        yield Store(x)
