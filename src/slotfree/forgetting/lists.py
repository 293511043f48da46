"""Lists: of strong and weak items, of several lengths, and as long as a criterion allows."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from slotfree import checks
from slotfree.forgetting.cues import Cue, checked_cue
from slotfree.forgetting.detection import BOUNDS, Floats, with_interval
from slotfree.forgetting.events import MEASURES, Event, OnCopy, Signal, Store, Test
from slotfree.forgetting.experiment import AnyMemory, conducted
from slotfree.forgetting.protocol import Source
from slotfree.runs.seeds import seed_for

LISTS = {"pure weak": ("weak",), "pure strong": ("strong",), "mixed": ("weak", "strong")}
STRENGTHS = ("weak", "strong", "new")


def list_strength(
    memory: AnyMemory,
    source: Source | ArrayLike | None = None,
    *,
    n_items: int = 20,
    times: int = 4,
    n_before: int = 1000,
    cue: Cue = 1.0,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure whether strong items harm weak ones: pure lists of either, and a mixed list.

    Weak items are presented once and strong ones several times, all presentations of a list in random order. Each list
    is stored on a copy of the memory as it is after ``n_before`` patterns. ``ratio_of_ratios`` says what it amounts to.

    Parameters
    ----------
    memory, source, cue, runs, signal, deterministic, seed, jobs, progress : as in ``recognition``.
    n_items : of each list, an even number; half of them are strong in the mixed list.
    times : presentations of a strong item.
    n_before : patterns that are stored before.

    Returns
    -------
    Dataset with ``accuracy``, ``overlap`` and ``familiarity`` (run, list, strength, item); lists "pure weak", "pure
    strong" and "mixed"; strengths "weak", "strong" and "new", for items that were in no list. NaN where there are none.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = list_strength(sf.KWinnerSettings(), n_items=6, n_before=50, runs=2, seed=0)
    >>> dict(data["accuracy"].sizes)
    {'run': 2, 'list': 3, 'strength': 3, 'item': 6}
    """
    n_items, times = checks.integer("n_items", n_items, 2), checks.integer("times", times, 2)
    n_before, cue = checks.integer("n_before", n_before, 0), checked_cue(cue)
    if n_items % 2:
        raise ValueError(f"n_items must be even, as half of the mixed list is strong, not {n_items}")

    def schedule(seed: np.random.SeedSequence, draw: Source, memory: Any) -> Iterator[Event]:
        patterns, rng = draw(n_before + 2 * n_items, seed=seed_for(seed, "patterns")), np.random.default_rng(seed)
        yield Store(patterns[:n_before])
        items, new = np.split(patterns[n_before:], 2)
        for name, strengths in LISTS.items():
            parts = dict(zip(strengths, np.split(items, len(strengths)), strict=True))
            shown = [part for strength, part in parts.items() for _ in range(times if strength == "strong" else 1)]
            events: list[Event] = [Store(rng.permutation(np.concatenate(shown)))]
            for strength, part in {**parts, "new": new}.items():
                events.append(Test(part, cue, name, {"strength": strength}))
            yield OnCopy(events)

    settings = {"memory": memory, "source": source, "n_items": n_items, "times": times, "n_before": n_before}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, source, schedule, "list_strength", {**settings, "cue": cue}, **rest)
    values = np.full((len(MEASURES), found.sizes["run"], len(LISTS), len(STRENGTHS), n_items), np.nan)
    for t, (name, strength) in enumerate(zip(found["test"].values, found["strength"].values, strict=True)):
        place = list(LISTS).index(name), STRENGTHS.index(strength)
        values[:, :, *place] = [found[measure].values[:, t] for measure in MEASURES]
    dims = ("run", "list", "strength", "item")
    at = {"run": found["run"].values, "list": list(LISTS), "strength": list(STRENGTHS), "item": np.arange(n_items)}
    return xr.Dataset({name: (dims, values[m]) for m, name in enumerate(MEASURES)}, at, found.attrs)


def ratio_of_ratios(data: xr.Dataset, *, level: float = 0.95) -> xr.Dataset:
    """Return (mixed strong / mixed weak) / (pure strong / pure weak): above 1 is a list-strength effect.

    - ``recall``: of the accuracy beyond that for new items;
    - ``recognition``: of d' (signal detection's) of familiarity, of old items against the new ones of their list.

    Parameters
    ----------
    data : what ``list_strength`` returned.
    level : how often intervals, jackknifed over runs, are to hold the truth.

    Returns
    -------
    Dataset with ``recall`` and ``recognition`` (bound): "value", "low" and "high".

    Examples
    --------
    >>> import slotfree as sf
    >>> data = list_strength(sf.KWinnerSettings(), n_items=6, n_before=50, runs=3, seed=0)
    >>> ratio_of_ratios(data)["recall"]["bound"].values.tolist()
    ['value', 'low', 'high']
    """
    level = checks.fraction("level", level)
    of_lists = {"run", "list", "strength", "item"}
    if any(name not in data or set(data[name].dims) != of_lists for name in ("accuracy", "familiarity")):
        raise ValueError("data must be what list_strength returns, with run, list, strength and item")
    found = {}
    for name, measure in (("recall", _beyond_new), ("recognition", _sensitivity)):
        found[name] = ("bound", _of_runs(data, measure, level))
    return xr.Dataset(found, {"bound": list(BOUNDS)})


def _of_runs(data: xr.Dataset, of: Callable[[xr.Dataset], dict[tuple[str, str], float]], level: float) -> Floats:
    """Return the ratio of ratios of a measure of all runs, and its interval."""
    n = data.sizes["run"]
    without = [[_ratio(of(data.isel(run=np.arange(n) != i)))] for i in range(n if n > 1 else 0)]
    found: Floats = with_interval(np.array([_ratio(of(data))]), np.array(without), level)[0]
    return found


def _ratio(strengths: dict[tuple[str, str], float]) -> float:
    mixed = np.divide(strengths["mixed", "strong"], strengths["mixed", "weak"])
    pure = np.divide(strengths["pure strong", "strong"], strengths["pure weak", "weak"])
    return float(np.divide(mixed, pure))


def _cells(data: xr.Dataset, name: str) -> Iterator[tuple[tuple[str, str], xr.DataArray, xr.DataArray]]:
    """Yield the items of each list and strength, and the new ones of the list."""
    for of, strengths in LISTS.items():
        for strength in strengths:
            both = data[name].sel(list=of)
            yield (of, strength), both.sel(strength=strength), both.sel(strength="new")


def _beyond_new(data: xr.Dataset) -> dict[tuple[str, str], float]:
    return {key: float(old.mean() - new.mean()) for key, old, new in _cells(data, "accuracy")}


def _sensitivity(data: xr.Dataset) -> dict[tuple[str, str], float]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            key: float((old.mean() - new.mean()) / np.sqrt((old.var() + new.var()) / 2))
            for key, old, new in _cells(data, "familiarity")
        }


def list_length(
    memory: AnyMemory,
    source: Source | ArrayLike | None = None,
    *,
    lengths: Iterable[int] = (10, 20, 40, 80, 160),
    n_before: int = 1000,
    cue: Cue = 1.0,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure what longer lists cost: all items of a list are tested at its end, and as many new ones.

    Parameters
    ----------
    memory, source, cue, runs, signal, deterministic, seed, jobs, progress : as in ``recognition``.
    lengths : of the lists. Each is stored on a copy of the memory as it is after ``n_before`` patterns.
    n_before : patterns that are stored before.

    Returns
    -------
    Dataset with ``accuracy``, ``overlap`` and ``familiarity`` (run, length, kind, item), kinds "old", in the order of
    the list, and "new"; NaN beyond the end of shorter lists.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = list_length(sf.KWinnerSettings(), lengths=(5, 10), n_before=50, runs=2, seed=0)
    >>> dict(data["accuracy"].sizes)
    {'run': 2, 'length': 2, 'kind': 2, 'item': 10}
    """
    wanted, n_before = checks.different_integers("lengths", lengths, 1), checks.integer("n_before", n_before, 0)
    cue = checked_cue(cue)

    def schedule(seed: np.random.SeedSequence, draw: Source, memory: Any) -> Iterator[Event]:
        patterns = draw(n_before + 2 * max(wanted), seed=seed)
        yield Store(patterns[:n_before])
        items, new = np.split(patterns[n_before:], 2)
        for n in wanted:
            tests = [Test(part[:n], cue, kind, {"length": n}) for kind, part in (("old", items), ("new", new))]
            yield OnCopy([Store(items[:n]), *tests])

    settings = {"memory": memory, "source": source, "lengths": wanted, "n_before": n_before, "cue": cue}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, source, schedule, "list_length", settings, **rest)
    shape = (found.sizes["run"], len(wanted), 2, found.sizes["item"])
    dims, at = ("run", "length", "kind", "item"), {"length": wanted, "kind": ["old", "new"]}
    arrays = {name: (dims, found[name].values.reshape(shape)) for name in MEASURES}
    return xr.Dataset(arrays, {"run": found["run"].values, **at, "item": found["item"].values}, found.attrs)


def capacity(
    memory: AnyMemory,
    source: Source | ArrayLike | None = None,
    *,
    criterion: float = 0.8,
    measure: str = "two_choice",
    sizes: Iterable[int] = (10, 20, 50, 100, 200, 500, 1000, 2000),
    n_tested: int = 200,
    cue: Cue = 1.0,
    runs: int = 20,
    signal: Signal | None = None,
    deterministic: bool = True,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Measure how many patterns a new memory holds at a criterion.

    Parameters
    ----------
    memory, source, cue, runs, signal, deterministic, seed, jobs, progress : as in ``recognition``.
    criterion : what the mean over all patterns stored so far must reach.
    measure : "two_choice", how often an old pattern is more familiar than a new one, ties counting half, as people were
        asked (2AFC); or "accuracy".
    sizes : numbers of patterns stored at which it is measured.
    n_tested : at each size, at most this number of patterns, drawn from all that are stored, and as many new ones.

    Returns
    -------
    Dataset with ``two_choice`` and ``accuracy`` (run, size), and ``capacity`` (run): the size at which the measure
    falls below the criterion, interpolated; infinite where it never does, and 0 where it always is.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = capacity(sf.KWinnerSettings(), sizes=(10, 100), n_tested=10, runs=2, seed=0)
    >>> data["capacity"].values.tolist()
    [inf, inf]
    """
    checks.one_of("measure", measure, ("two_choice", "accuracy"))
    criterion, n_tested = checks.fraction("criterion", criterion), checks.integer("n_tested", n_tested, 1)
    wanted, cue = sorted(checks.different_integers("sizes", sizes, 1)), checked_cue(cue)

    def schedule(seed: np.random.SeedSequence, draw: Source, memory: Any) -> Iterator[Event]:
        rng = np.random.default_rng(seed_for(seed, "tested"))
        patterns = draw(max(wanted) + n_tested, seed=seed_for(seed, "patterns"))
        before = 0
        for n in wanted:
            yield Store(patterns[before:n])
            some = rng.permutation(n)[:n_tested]
            yield Test(patterns[some], cue, "old", {"size": n})
            yield Test(patterns[max(wanted) :][: len(some)], cue, "new", {"size": n})
            before = n

    settings = {"memory": memory, "source": source, "criterion": criterion, "measure": measure, "sizes": wanted}
    rest: dict[str, Any] = {"runs": runs, "signal": signal, "deterministic": deterministic, "seed": seed}
    rest |= {"jobs": jobs, "progress": progress}
    found = conducted(memory, source, schedule, "capacity", {**settings, "n_tested": n_tested, "cue": cue}, **rest)
    old, new = (found.isel(test=found["test"].values == kind) for kind in ("old", "new"))
    delta = old["familiarity"].values - new["familiarity"].values
    two_choice = np.nanmean(np.where(np.isnan(delta), np.nan, (np.sign(delta) + 1) / 2), axis=2)
    values = {"two_choice": two_choice, "accuracy": old["accuracy"].mean("item").values}
    reached = [_crossing(np.array(wanted, float), row, criterion) for row in values[measure]]
    at = {"run": found["run"].values, "size": wanted}
    arrays = {name: (("run", "size"), array) for name, array in values.items()}
    return xr.Dataset({**arrays, "capacity": ("run", reached)}, at, found.attrs)


def _crossing(sizes: Any, values: Any, criterion: float) -> float:
    """Return where values first fall below a criterion, interpolated between sizes."""
    below = values < criterion
    if not below.any():
        return np.inf
    i = int(below.argmax())
    return 0.0 if i == 0 else float(np.interp(-criterion, -values[i - 1 : i + 1], sizes[i - 1 : i + 1]))
