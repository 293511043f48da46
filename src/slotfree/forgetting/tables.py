"""Long tables, a row for each thing that happens: what people did, and what memories do, for other programs.

The columns are those of psifr and of most published data: ``subject``; ``list``; ``trial_type``, "study" or "recall";
``position``, from 1, of the item in the list, or of what was recalled; and ``item``. They are pandas tables.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from slotfree import checks
from slotfree.forgetting.cues import Cue
from slotfree.forgetting.events import Event, Store, Test
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("subject", "list", "trial_type", "position", "item")
TYPES = ("study", "recall")


def long_table(data: xr.Dataset, *, criterion: float = 0.5) -> "pd.DataFrame":
    """Return a long table of recall: subjects are runs and lists are tests.

    Lists are called by the factor ``list`` if it tells them apart, and else numbered.
    Items count as recalled, in the order of their accuracy, the best first, where it reaches the criterion. Items that
    ``recalled`` read from a table are recalled in the order in which they were.

    Parameters
    ----------
    data : with ``accuracy`` (run, test, item), as ``sf.experiment`` returns it, items in the order of the list.
    criterion : the least accuracy of an item that is recalled.

    Returns
    -------
    pandas table with the columns subject, list, trial_type, position and item.

    Examples
    --------
    >>> data = xr.Dataset({"accuracy": (("run", "test", "item"), [[[0.9, 0.1, 1.0]]])})
    >>> long_table(data)[["trial_type", "position", "item"]].values.tolist()[3:]
    [['recall', 1, '1-3'], ['recall', 2, '1-1']]
    """
    import pandas as pd

    criterion = checks.fraction("criterion", criterion)
    if "accuracy" not in data or set(data["accuracy"].dims) != {"run", "test", "item"}:
        raise ValueError("data must hold accuracy (run, test, item), as sf.experiment returns it")
    accuracy = data["accuracy"].transpose("run", "test", "item").values
    order = data["output"].transpose("run", "test", "item").values if "output" in data else -accuracy
    names = data["name"].transpose("run", "test", "item").values if "name" in data else None
    subjects = data["run"].values if "run" in data.coords else np.arange(accuracy.shape[0])
    lists = _lists(data)
    rows: list[tuple[Any, ...]] = []
    for run, test in np.ndindex(*accuracy.shape[:2]):
        values = accuracy[run, test]
        there = np.flatnonzero(~np.isnan(values))
        shown = [f"{test + 1}-{i + 1}" if names is None else str(names[run, test, i]) for i in range(len(values))]
        told = [i for i in there[np.argsort(order[run, test][there], kind="stable")] if values[i] >= criterion]
        said = dict.fromkeys(shown[i] for i in told)  # what was studied twice is recalled once
        for kind, items in (("study", [shown[i] for i in there]), ("recall", said)):
            rows += [(subjects[run], lists[test], kind, place, item) for place, item in enumerate(items, 1)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _lists(data: xr.Dataset) -> list[Any]:
    """Return what the lists are called: by the factor ``list`` or the table they were read from, else by number."""
    for name in ("list", "test") if "name" in data else ("list",):
        if name in data.coords and data[name].dims == ("test",):
            found = data[name].values.tolist()
            if len(set(found)) == len(found):
                return found  # type: ignore[no-any-return]
    return list(range(1, data.sizes["test"] + 1))


def recalled(table: "pd.DataFrame") -> xr.Dataset:
    """Return what people recalled, labelled as the results of an experiment are.

    Parameters
    ----------
    table : with the columns subject, list, trial_type, position and item. Items recalled twice count once, and those
        that were not in the list, intrusions, do not count.

    Returns
    -------
    Dataset with ``accuracy`` (run, test, item), 1 for items that were recalled and 0 for others, ``output``, their
    position in recall, NaN if they were not, and ``name``, what the item is called; runs are subjects, tests are lists,
    and items stand in the order of study. ``long_table`` makes the table of it again, without repeats and intrusions.

    Examples
    --------
    >>> import pandas as pd
    >>> study = [(1, 1, "study", 1, "cat"), (1, 1, "study", 2, "tree"), (1, 1, "recall", 1, "tree")]
    >>> recalled(pd.DataFrame(study, columns=COLUMNS))["accuracy"].values.tolist()
    [[[0.0, 1.0]]]
    """
    _check(table)
    subjects, lists = (sorted(table[name].unique().tolist()) for name in ("subject", "list"))
    studied = table[table["trial_type"] == "study"]
    n_items = int(studied.groupby(["subject", "list"]).size().max())
    shape = (len(subjects), len(lists), n_items)
    accuracy, output, names = np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, "", dtype=object)
    for (subject, number), part in table.groupby(["subject", "list"]):
        at = subjects.index(subject), lists.index(number)
        items = part[part["trial_type"] == "study"].sort_values("position")["item"].tolist()
        said = part[part["trial_type"] == "recall"].sort_values("position")["item"].tolist()
        for i, item in enumerate(items):
            names[*at, i] = str(item)
            accuracy[*at, i] = float(item in said)
            output[*at, i] = said.index(item) + 1 if item in said else np.nan
    dims = ("run", "test", "item")
    arrays = {"accuracy": (dims, accuracy), "output": (dims, output), "name": (dims, names.astype(str))}
    return xr.Dataset(arrays, {"run": subjects, "test": lists, "item": np.arange(n_items)})


def schedule_of(
    table: "pd.DataFrame", subject: Any = None, *, n_visible: int = 1000, k_visible: int = 100, cue: Cue = 0.5
) -> Callable[[np.random.SeedSequence], Iterator[Event]]:
    """Return a schedule that gives a memory the lists that a subject had: ``sf.experiment`` takes it.

    Each item is a random pattern, the same wherever it stands. After each list its items are tested, in the order of
    study, under the label "list" with the factor ``list``.

    Parameters
    ----------
    table : with the columns subject, list, trial_type, position and item.
    subject : whose lists; by default the first one's.
    n_visible, k_visible : bits and ones of the patterns.
    cue : of the tests.

    Examples
    --------
    >>> import pandas as pd
    >>> import slotfree as sf
    >>> study = [(1, 1, "study", 1, "cat"), (1, 1, "study", 2, "tree"), (1, 2, "study", 1, "cat")]
    >>> data = sf.experiment({}, schedule_of(pd.DataFrame(study, columns=COLUMNS)), runs=2, seed=0)
    >>> data["list"].values.tolist()
    [1, 2]
    """
    _check(table)
    subjects = table["subject"].unique().tolist()
    if subject is not None and subject not in subjects:
        raise ValueError(f"subject must be one of the table, {checks.shown(subjects)}, not {checks.shown(subject)}")
    own = table[(table["subject"] == (subjects[0] if subject is None else subject)) & (table["trial_type"] == "study")]
    lists = {number: part.sort_values("position")["item"].tolist() for number, part in own.groupby("list")}
    every = list(dict.fromkeys(item for items in lists.values() for item in items))

    def schedule(seed: np.random.SeedSequence) -> Iterator[Event]:
        drawn = random_patterns(len(every), n_visible=n_visible, k_visible=k_visible, seed=seed_for(seed, "items"))
        pattern = dict(zip(every, drawn, strict=True))
        for number, items in lists.items():
            studied = np.array([pattern[item] for item in items])
            yield Store(studied)
            yield Test(studied, cue, "list", {"list": number})

    return schedule


def _check(table: Any) -> None:
    """Raise an error if a table lacks columns, study trials, or has other types of trials."""
    columns = list(getattr(table, "columns", ()))
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise ValueError(f"table must have the columns {', '.join(COLUMNS)}; it lacks {', '.join(missing)}")
    others = set(table["trial_type"].unique()) - set(TYPES)
    if others:
        raise ValueError(f"trial_type must be 'study' or 'recall', not {checks.shown(sorted(map(str, others)))}")
    if not (table["trial_type"] == "study").any():
        raise ValueError("table must have study trials, and has none")
