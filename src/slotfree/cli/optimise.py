"""slotfree optimise."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.predictions import (
    COUNT,
    FRACTION,
    MEASURES,
    as_usage_error,
    criterion_option,
    draw,
    json_option,
    plot_option,
    print_rows,
    visible_options,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

GOALS = ("half-life", "area", "initial-accuracy", "memories")
CHOICES = ("n_hidden", "k_hidden", "fan_in", "learning_rate")


@click.command()
@click.option("--weights", type=COUNT, default=100_000, show_default=True, help="f·n_v·n_h, the number of weights.")
@click.option("--goal", type=click.Choice(GOALS), default="half-life", show_default=True, help="What is to be large.")
@click.option("--cue", type=FRACTION, default=1.0, show_default=True, help="Cue level.")
@click.option("--min-accuracy", type=FRACTION, help="The least accuracy of the newest pattern.")
@visible_options
@criterion_option
@click.option("--top", type=COUNT, default=10, show_default=True, help="How many settings to print.")
@plot_option
@json_option
@click.option("--jobs", type=click.IntRange(min=1), help="Threads.  [default: all cores]")
def optimise(plot: Path | None, as_json: bool, top: int, **asked: Any) -> None:
    """Find the memories with so many WEIGHTS that forget random patterns least, in theory.

    Fan-in, winners and learning rate are free; the number of hidden units follows. A grid is searched, then the
    neighbourhood of its best point: some hundred predictions. The newest pattern must have an R.D. (accuracy less that
    of patterns never stored) above the criterion.

    \b
    slotfree optimise --weights 100000 --goal half-life --cue 0.5 --min-accuracy 0.8
    slotfree optimise --goal memories --criterion 0.3 --top 5 --plot map.png
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.retention.family import GOALS as MERIT_OF
    from slotfree.retention.family import optimise as search

    with as_usage_error():
        table = search(**asked, told=_told)
    if plot is not None:
        draw(
            plot, lambda: _map(table, MERIT_OF[asked["goal"]], f"{asked['weights']:,} weights, {asked['cue']:.0%} cues")
        )
    names = (*CHOICES, *MEASURES)
    best = table.isel(setting=slice(top))
    rows = [{name: best[name].values[i].item() for name in names} for i in range(best.sizes["setting"])]
    if as_json:
        from slotfree.cli.tables import print_json

        print_json({"asked": asked, "best": rows})
    else:
        print_rows(rows, names)


def _map(table: "xr.Dataset", merit: str, title: str) -> "Figure":
    from matplotlib.figure import Figure

    from slotfree.paper.prediction_drawing import draw_map

    figure = Figure(figsize=(5.5, 4), layout="constrained")
    axis = figure.subplots()
    draw_map(axis, table, "half_life" if merit == "initial_accuracy" else merit)
    axis.set_title(title)
    axis.legend()
    return figure


def _told(done: int, count: int) -> None:
    """Tell on stderr how far the grid has come, where somebody watches."""
    if sys.stderr.isatty():
        end = "\n" if done == count else ""
        click.echo(f"\r{done} of {count} settings predicted", nl=False, err=True)
        click.echo(end, nl=False, err=True)
