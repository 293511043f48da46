"""slotfree predict."""

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.options import (
    COUNT,
    FRACTION,
    criterion_option,
    json_option,
    plot_option,
    visible_options,
)
from slotfree.cli.predictions import as_usage_error, draw, print_rows

if TYPE_CHECKING:
    import xarray as xr

MOST_AGES = 1_000_000


CURVES = ("accuracy", "raw_difference", "d_prime", "auc")  # by age


@click.command()
@visible_options
@click.option("--n-hidden", type=COUNT, default=2000, show_default=True, help="n_h, hidden units.")
@click.option("--k-hidden", type=COUNT, default=50, show_default=True, help="k_h, hidden winners.")
@click.option(
    "--fan-in",
    type=FRACTION,
    default=0.05,
    show_default=True,
    help="f, the fraction of visible units connected to a hidden unit.",
)
@click.option("--learning-rate", type=FRACTION, default=0.3, show_default=True, help="ε, the learning rate.")
@click.option("--cue", "cues", type=FRACTION, multiple=True, help="Cue level; may be repeated.  [default: 1 and 0.5]")
@click.option(
    "--ages", "last", type=click.IntRange(1, MOST_AGES), default=1000, show_default=True, help="The oldest age."
)
@criterion_option
@plot_option
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print the curves as CSV.")
def predict(
    cues: tuple[float, ...],
    last: int,
    criterion: float,
    plot: Path | None,
    as_json: bool,
    as_csv: bool,
    **settings: Any,
) -> None:
    """Predict how a memory forgets, without running it.

    Prints, for random patterns and each cue: the accuracy of the newest pattern; the accuracy for patterns never
    stored (baseline); the difference of the two (R.D.); after how many newer patterns R.D. has halved (half-life); its
    sum over all ages (area); how many patterns have an R.D. of at least the criterion (memories); and C and β of R.D.
    = C exp(−β (age − 1)), fitted to ages 1 to 200. --csv and --json have accuracy, R.D., d' (the paper's) and the AUC
    of recognition at each age; --plot draws accuracy, R.D. and d'.

    \b
    slotfree predict
    slotfree predict --n-hidden 1000 --fan-in 0.1 --cue 1 --cue 0.5 --cue 0.2 --plot wide.png
    slotfree predict --n-hidden 100 --k-hidden 1 --fan-in 1 --learning-rate 1 --csv > curve.csv
    """  # noqa: D301 (click looks for the character, not for its escape)
    if as_json and as_csv:
        raise click.UsageError("--json and --csv both print to stdout; give one of them")
    import numpy as np

    from slotfree.forgetting.merit import MERITS
    from slotfree.forgetting.protocol import CUES
    from slotfree.forgetting.theory.k_winner import predict_retention

    with as_usage_error():
        curve = predict_retention(settings, cues or CUES, np.arange(1, last + 1))
    if plot is not None:
        from slotfree.drawing.predictions import draw_curves

        draw(plot, lambda: draw_curves(curve, ", ".join(f"{name} {value:g}" for name, value in settings.items())))
    rows = _curve_rows(curve)
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([("cue", "age", *CURVES), *rows])
        return
    summary = _summary(curve, criterion)
    if as_json:
        from slotfree.cli.tables import print_json

        curves = {c: {n: curve[n].sel(cue=c).values.tolist() for n in CURVES} for c in _cues(curve)}
        found = [{**row, **curves[row["cue"]]} for row in summary]
        print_json({"settings": settings, "ages": curve["age"].values.tolist(), "cues": found})
    else:
        print_rows(summary, ("cue", *MERITS, "C", "beta"), last)


def _summary(curve: "xr.Dataset", criterion: float) -> list[dict[str, float]]:
    """Return the merits for each cue and the constants of the exponential, NaN where none can be fitted."""
    from slotfree.forgetting.fits import FIT_AGES, fit_of
    from slotfree.forgetting.merit import MERITS, merits

    found, young = merits(curve, criterion=criterion), curve.sel(age=slice(FIT_AGES))
    rows = []
    for cue in _cues(curve):
        row = {"cue": cue, **{name: float(found[name].sel(cue=cue)) for name in MERITS}}
        try:
            fit = fit_of(young["raw_difference"].sel(cue=[cue]).values, young["age"].values)
            row |= {"C": fit.C, "beta": fit.beta}
        except ValueError:  # R.D. is positive at fewer than two ages
            row |= {"C": float("nan"), "beta": float("nan")}
        rows.append(row)
    return rows


def _curve_rows(curve: "xr.Dataset") -> list[tuple[Any, ...]]:
    values = [curve[name].values for name in CURVES]
    return [
        (cue, age, *(f"{each[c, a]:.6f}" for each in values))
        for c, cue in enumerate(_cues(curve))
        for a, age in enumerate(curve["age"].values.tolist())
    ]


def _cues(curve: "xr.Dataset") -> list[float]:
    return [float(cue) for cue in curve["cue"].values]
