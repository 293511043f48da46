"""How long a model without a window remembers: accuracy by the number of items that came since."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.stream import Stream
from slotfree.attention.weights import Weights
from slotfree.files.attributes import attributes
from slotfree.runs.seeds import seed_for
from slotfree.tasks.base import Task, draw, query_of
from slotfree.tasks.lags import lags as lags_of
from slotfree.tasks.lags import shown_for_queries
from slotfree.tasks.sequences import Sequences

Integers = NDArray[np.int64]

UP_TO = 4  # times the number of different queries: so many items later, a letter has come back but in 2 % of cases


def accuracy_by_lag(
    model: SlotFreeTransformer,
    weights: Weights,
    task: Task,
    *,
    n_items: int = 100_000,
    lags: Sequence[int] | Integers | None = None,
    per_lag: int = 1000,
    skip: int | None = None,
    seed: int | np.random.SeedSequence = 0,
) -> xr.Dataset:
    """Store a stream of items, ask for them when so many others have come, and count right answers.

    Contexts of the task follow each other, without a reset. What the task asks for after a context, and the output that
    is right, is asked at other lags too: query n, for item t, when item t + lag has just been stored, as long as no
    item came since for which the same query asks. So lags are those of ``slotfree.tasks.lags``: 0 is the last item.

    Parameters
    ----------
    model, weights, task : as for ``model.stream``; weights of one model, or with runs in front. The task must have
        ``query_of``.
    n_items : items of the stream of each run; it is filled up to whole contexts.
    lags : in ascending order; None is 0, 1, 2, 3, 4, 6, 8, 12, 16 and so on, up to 4 times the number of queries that a
        task has.
    per_lag : queries for each lag at most, spread over the stream.
    skip : items at the beginning that are not asked for; None is a tenth of them. A memory that is not yet full holds
        more.
    seed : of items and of initial fast weights; each run has its own.

    Returns
    -------
    A dataset with ``accuracy`` and ``asked``, the number of queries, by lag, and by run if weights have runs. Where
    nothing was asked, accuracy is NaN.
    """
    if not isinstance(model, SlotFreeTransformer):
        raise TypeError(f"model must be a SlotFreeTransformer, which can have a stream, not {checks.shown(model)}")
    if not isinstance(weights, Weights) or weights.W_Q.ndim not in (2, 3):
        raise TypeError(
            "weights must be Weights of one model, or with runs in front, such as result.weights, "
            f"not {checks.shown(weights)}"
        )
    n_items = checks.integer("n_items", n_items, 1, checks.MANY)
    per_lag = checks.integer("per_lag", per_lag, 1, checks.MANY)
    skip = n_items // 10 if skip is None else checks.integer("skip", skip, 0, n_items - 1, "n_items - 1")
    chosen = _default_lags(task) if lags is None else _checked_lags(lags)
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(checks.integer("seed", seed, 0))
    every = [weights] if weights.W_Q.ndim == 2 else [weights[run] for run in range(len(weights.W_Q))]
    found = []
    for run, one in enumerate(every):
        own = seed_for(root, "lag", run)
        stream = Stream(model, one, task, seed=seed_for(own, "fast weights"))
        rng = np.random.default_rng(seed_for(own, "sequences"))
        found.append(_of_one(stream, draw(task, -(-n_items // task.context_length), rng), chosen, per_lag, skip))
    right, asked = (np.array(part) for part in zip(*found, strict=True))
    with np.errstate(invalid="ignore"):
        data = {"accuracy": (("run", "lag"), right / asked), "asked": (("run", "lag"), asked)}
    labelled = xr.Dataset(data, {"run": np.arange(len(every)), "lag": chosen})
    told = {"model": model, "task": task, "n_items": n_items, "per_lag": per_lag, "skip": skip, "runs": len(every)}
    labelled = labelled.assign_attrs(attributes("accuracy_by_lag", told, root))
    return labelled if weights.W_Q.ndim == 3 else labelled.isel(run=0, drop=True)


def _of_one(stream: Stream, sequences: Sequences, lags: Integers, per_lag: int, skip: int) -> tuple[Integers, Integers]:
    """How many answers are right, and how many were asked for, by lag."""
    items = sequences.items.reshape(-1, sequences.items.shape[2])
    shown, query, target, until = known(stream.task, sequences)
    chosen = []
    for n, lag in enumerate(lags):
        valid = np.flatnonzero((shown >= skip) & (shown + lag < until))
        if len(valid) > per_lag:
            valid = valid[np.arange(per_lag) * len(valid) // per_lag]
        chosen.append(np.stack([shown[valid] + lag, query[valid], target[valid], np.full(len(valid), n)]))
    every = np.concatenate(chosen, axis=1)
    after, queries, targets, which = every[:, np.argsort(every[0], kind="stable")]
    is_right = stream.play(items, queries, after) == targets
    return np.bincount(which[is_right], minlength=len(lags)), np.bincount(which, minlength=len(lags))


def known(task: Task, sequences: Sequences) -> tuple[Integers, Integers, Integers, Integers]:
    """What can be asked in a stream of sequences: an item, the query for it, the right output, and for how long.

    Items are numbered one after the other. The answer holds until an item comes for which the same query asks, or the
    stream ends: that is the last number. Queries for what was not shown are left out.
    """
    C, behind = task.context_length, lags_of(task, sequences)
    sequence, _ = where = np.nonzero(behind >= 0)
    shown = (sequence + 1) * C - 1 - behind[where]
    query, target = sequences.queries[where], sequences.targets[where]
    _, once = np.unique(shown * task.n_tokens + query, return_index=True)
    shown, query, target = shown[once], query[once], target[once]
    end = len(sequences) * C
    numbers, width = shown_for_queries(task, sequences.items.reshape(end, -1))
    following = numbers[np.searchsorted(numbers, query * width + shown, side="right")]
    return shown, query, target, np.minimum(following - query * width, end)


def _default_lags(task: Task) -> Integers:
    last = UP_TO * len(np.unique(query_of(task)[query_of(task) >= 0]))
    doubled = [step << power for power in range(last.bit_length()) for step in (2, 3)]
    return np.array([0, 1, *(lag for lag in doubled if lag <= last)], np.int64)


def _checked_lags(lags: Sequence[int] | Integers) -> Integers:
    found = checks.unmasked("lags", lags)
    fine = found.ndim == 1 and found.size and found.dtype.kind in "iu"
    if not fine or found.min() < 0 or (np.diff(found.astype(np.int64)) < 1).any():
        raise ValueError(f"lags must hold integers from 0 on, in ascending order, not {checks.shown(lags)}")
    return found.astype(np.int64)
