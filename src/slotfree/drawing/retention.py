"""Retention curves: how well patterns of each age are recalled, with bands, the baseline, and what theory predicts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from slotfree import checks
from slotfree.drawing.ages import STORED_OR_NOT, VALUE_AXES, accuracy_axis, age_axis, by_age
from slotfree.drawing.labelled import by_label
from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, DARK_GREY, colours, cue_title, in_style
from slotfree.forgetting import metrics
from slotfree.forgetting.agreement import METRICS

Datasets = xr.Dataset | Mapping[str, xr.Dataset] | Sequence[xr.Dataset]

DERIVED = ("raw_difference", "d_prime")
KINDS = {**STORED_OR_NOT, "other": ("-.", "other categories"), "uniform": ((0, (1, 3)), "random")}
PREDICTED = ("accuracy", "raw_difference", "d_prime")


def show_retention(
    curves: Datasets,
    metric: str = "accuracy",
    *,
    labels: str | Sequence[str] | None = None,
    theory: Datasets | None = None,
) -> Picture:
    """Draw how well patterns of each age are recalled; age 1 is the newest. There is a column for each cue level.

    Lines are means over runs, of neighbouring ages together, and bands ± 1 standard error. Solid: patterns that were
    stored; dotted: patterns that were never stored, the baseline; dashed: what theory predicts.

    Parameters
    ----------
    curves : what ``sf.retention`` returned, or several by label, {"K-winner": ..., "1-winner": ...}.
    metric : "accuracy", or another metric that was measured; or "raw_difference", accuracy minus baseline; or
        "d_prime", the paper's d': the mean of that difference over runs divided by its standard deviation.
    labels : instead of those of the mapping, or for a list.
    theory : what ``sf.predict_retention`` returned for the same memories: by the same labels, or one for all. It
        predicts accuracy, raw difference and d'.

    Examples
    --------
    >>> import slotfree as sf
    >>> curves = sf.retention(sf.KWinnerSettings(), runs=2, n_stored=100, n_tested=20, seed=0)
    >>> show_retention(curves).axes.shape  # a panel for each cue
    (1, 2)
    """
    checks.one_of("metric", metric, (*METRICS, *DERIVED))
    data = by_label("curves", curves, xr.Dataset, labels)
    predicted = {} if theory is None else _predictions(theory, list(data), metric)
    for each in data.values():
        _check(each, metric)
    # Levels are numbers also where they stand beside other cues, whose labels are strings.
    data = {
        label: each.assign_coords(cue=np.array([_label(cue) for cue in each["cue"].values], dtype=object))
        for label, each in data.items()
    }
    cues = _cues(data.values())
    for each in predicted.values():
        _check_cues(each, cues)
    n_ages = max(int(each["age"].max()) for each in data.values())
    with in_style():
        picture = Picture(1, len(cues), width=max(5.0, min(4.2 * len(cues), 11.0)), height=3.1, sharey=True)
        shades = dict(zip(data, colours(len(data)), strict=True))
        for column, cue in enumerate(cues):
            axis = picture.axes[0, column]
            age_axis(axis, n_ages)
            VALUE_AXES.get(metric, accuracy_axis)(axis, label=column == 0)
            if column == 0 and metric not in VALUE_AXES:
                axis.set_ylabel(metric)
            axis.set_title(cue_title(cue))
            for label, each in data.items():
                if cue in each["cue"]:
                    _draw(picture, axis, label, each.sel(cue=cue), metric, shades[label])
            for label, each in predicted.items():
                if cue in each["cue"]:
                    colour = shades.get(label, DARK_GREY)
                    _draw_theory(picture, axis, label, each.sel(cue=cue), metric, colour)
        _legend(picture, data, metric, shades, bool(predicted))
        picture.alt = _alt(picture, cues, metric)
    return picture


def _check(data: xr.Dataset, metric: str) -> None:
    """Raise an error if a dataset does not hold what is to be drawn."""
    if {"run", "cue", "kind", "age"} - set(data.dims):
        raise ValueError(
            "curves must be what sf.retention returns, with run, cue, kind and age, not a dataset with "
            f"{', '.join(map(str, data.dims)) or 'no dimension'}"
        )
    _check_sizes("curves", data, ("run", "cue", "kind", "age"))
    if metric in DERIVED:
        for kind in ("real", "pseudo"):
            metrics.check_kind(data, kind)
        if metric == "d_prime" and data.sizes["run"] < 3:
            raise ValueError(f"curves must have at least 3 runs for d_prime, not {data.sizes['run']}")
    elif metric not in data:
        held = ", ".join(map(str, data.data_vars))
        raise ValueError(f"metric must be one that was measured, {held}, not {metric!r}: retention(..., metrics=...)")


def _check_sizes(name: str, data: xr.Dataset, dims: Sequence[str]) -> None:
    """Raise an error if there is nothing along a dimension."""
    for dim in dims:
        if not data.sizes[dim]:
            raise ValueError(f"{name} must have at least one {dim}, not a dataset with {dim}: 0")


def _cues(data: Iterable[xr.Dataset]) -> list[float | str]:
    return list(dict.fromkeys(_label(cue) for each in data for cue in each["cue"].values))


def _label(cue: Any) -> float | str:
    """A cue as it is recorded: a level, or the name of another kind."""
    try:
        return float(cue)
    except ValueError:
        return str(cue)


def _check_cues(theory: xr.Dataset, cues: Sequence[float | str]) -> None:
    """Raise an error if theory predicts nothing at cue levels that are drawn."""
    predicted = _cues([theory])
    if not set(predicted) & set(cues):
        theirs, ours = (", ".join(f"{cue}".removesuffix(".0") for cue in each) for each in (cues, predicted))
        raise ValueError(f"theory must have a cue level of the curves, which are at {theirs}, not only {ours}")


def _predictions(theory: Datasets, labels: Sequence[str], metric: str) -> dict[str, xr.Dataset]:
    """Predictions by the labels of the curves that they are for; one for all has no label of theirs."""
    if metric not in PREDICTED:
        raise ValueError(f"theory must be None for {metric!r}: it predicts {', '.join(PREDICTED)}")
    if isinstance(theory, list | tuple) and theory and len(theory) != len(labels):
        right = "one dataset" if len(labels) == 1 else f"{len(labels)} datasets, one for each of the curves"
        raise ValueError(f"theory must be {right}, not {len(theory)}")
    given = None if isinstance(theory, xr.Dataset | Mapping) else labels
    found = by_label("theory", theory, xr.Dataset, given, labels[0])
    if isinstance(theory, xr.Dataset) and len(labels) > 1:
        found = {"theory": theory}
    unknown = set(found) - {*labels, "theory"}
    if unknown:
        raise ValueError(f"theory must have labels of curves, {', '.join(labels)}, not {min(unknown)!r}")
    for each in found.values():
        if metric not in each or "baseline" not in each or "run" in each.dims:
            raise ValueError(f"theory must be what sf.predict_retention returns, with {metric} and baseline")
        if {"cue", "age"} - set(each.dims):
            held = ", ".join(map(str, each.dims)) or "no dimension"
            raise ValueError(f"theory must have the dimensions cue and age, as with isel(cue=[0]), not {held}")
        _check_sizes("theory", each, ("cue", "age"))
    return found


def _draw(picture: Picture, axis: Axes, label: str, data: xr.Dataset, metric: str, colour: str) -> None:
    """Draw one memory at one cue level."""
    row: dict[str, object] = {"label": label, "cue": _label(data["cue"].item()), "kind": "real"}
    if metric in DERIVED:
        samples = metrics.differences(data) if metric == "raw_difference" else metrics.d_prime(data)
        by_age(picture, axis, samples, colour, "", row=row, every_age=False)
        return
    for kind in data["kind"].values.tolist():
        runs = data[metric].sel(kind=kind, drop=True)
        style = KINDS.get(kind, ("-.", kind))[0]
        by_age(picture, axis, runs, colour, "", style=style, row=row | {"kind": kind}, every_age=False)


def _draw_theory(picture: Picture, axis: Axes, label: str, data: xr.Dataset, metric: str, colour: str) -> None:
    """Draw what theory predicts at one cue level: dashed, and its baseline thinner."""
    ages, baseline = data["age"].values, float(data["baseline"])
    values = data[metric].values
    axis.plot(ages, values, "--", color=colour, lw=1.3)
    if metric == "accuracy":
        axis.axhline(baseline, ls=(0, (6, 4)), color=colour, lw=0.7)
    same = {"label": label, "cue": _label(data["cue"].item()), "baseline": baseline}
    picture.record_columns({"age": ages, "predicted": values}, table="-theory", **same)


def _legend(
    picture: Picture, data: Mapping[str, xr.Dataset], metric: str, shades: dict[str, str], theory: bool
) -> None:
    """Say below what colours and styles mean."""
    look: list[Any] = []
    if metric not in DERIVED:
        kinds = dict.fromkeys(kind for each in data.values() for kind in each["kind"].values.tolist())
        styles = [KINDS.get(kind, ("-.", literal(kind))) for kind in kinds]
        look += [Line2D([], [], color=DARK_GREY, ls=style, label=words) for style, words in styles]
    if theory:
        look.append(Line2D([], [], color=DARK_GREY, ls="--", label="theory"))
    named = [Line2D([], [], color=colour, lw=3, label=literal(label)) for label, colour in shades.items() if label]
    picture.explain([*named, *look], _note(data, metric))


def _note(data: Mapping[str, xr.Dataset], metric: str) -> str:
    """How curves were made of runs."""
    runs = {each.sizes["run"] for each in data.values()}
    if runs == {1}:
        return "one run, so no bands; neighbouring ages averaged"
    if metric == "d_prime" and len(runs) == 1:
        (n,) = runs
        samples = metrics.samples_of(n)
        if samples == 1:
            return f"d' of all {n} runs, so no bands; neighbouring ages averaged"
        return f"{AVERAGED}, of {samples} samples of {n // samples} runs"
    return f"{AVERAGED}, of {min(runs)} {f'to {max(runs)} ' if len(runs) > 1 else ''}runs"


def _alt(picture: Picture, cues: Sequence[float | str], metric: str) -> str:
    """What the curves show at the newest and the oldest age."""
    said = []
    rows = picture.tables.get("", [])
    for label in dict.fromkeys(row["label"] for row in rows):
        for cue in cues:
            stored = [row for row in rows if (row["label"], row["cue"], row["kind"]) == (label, cue, "real")]
            never = [row for row in rows if (row["label"], row["cue"], row["kind"]) == (label, cue, "pseudo")]
            if stored:
                first, last = stored[0], stored[-1]
                words = f"{first['mean']:.2f} at age {first['age']} to {last['mean']:.2f} at age {last['age']}"
                if never:
                    words += f", never stored {np.mean([float(str(row['mean'])) for row in never]):.2f}"
                said.append(f"{f'{label}, ' if label else ''}{cue_title(cue)}: {words}")
    name = {"raw_difference": "Raw difference", "d_prime": "Sensitivity d' (paper's)"}.get(metric, metric.capitalize())
    shown = said if len(said) <= 8 else [*said[:7], f"and {len(said) - 7} more curves"]
    theory = " Dashed lines are what theory predicts." if "-theory" in picture.tables else ""
    told = f" {'; '.join(shown)}." if shown else ""
    return f"{name} by memory age, 1 being the newest.{told}{theory}"
