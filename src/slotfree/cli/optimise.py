"""slotfree optimise."""

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.options import (
    COUNT,
    FRACTION,
    criterion_option,
    jobs_option,
    json_option,
    plot_option,
    visible_options,
)
from slotfree.cli.predictions import as_usage_error, draw, print_rows

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

CHECKED = 3  # memories that are simulated
CHOICES = ("n_visible", "k_visible", "n_hidden", "k_hidden", "fan_in", "learning_rate")


@click.command()
@click.option("--weights", type=COUNT, default=100_000, show_default=True, help="f·n_v·n_h, the number of weights.")
@click.option(
    "--goal",
    default="half-life",
    show_default=True,
    help="What is to be large: half-life, area, memories, initial-accuracy, initial-raw-difference, or d-prime.",
)
@click.option("--cue", type=FRACTION, default=1.0, show_default=True, help="Cue level.")
@click.option("--age", type=COUNT, help="The age at which d' is to be large, with --goal d-prime.")
@click.option("--min-accuracy", type=FRACTION, help="The least accuracy of the newest pattern.")
@visible_options
@criterion_option
@click.option("--top", type=COUNT, default=10, show_default=True, help="How many settings to print.")
@plot_option
@json_option
@click.option("--check/--no-check", default=True, help="Simulate the best three, ten runs each.  [default: check]")
@jobs_option
def optimise(plot: Path | None, as_json: bool, top: int, check: bool, **asked: Any) -> None:
    """Find the best memories with a given number of weights.

    The best ones, by theory, remember random patterns best. Fan-in, learning rate and winners (1 to half of the hidden
    units) are free, within what theory covers at this cue; the number of hidden units follows from the weights. A grid
    is searched, then the neighbourhoods of its best points, until no neighbour is better: some hundred predictions.
    The best few are then simulated, and both are printed. If the best lies on a limit of the search, a note says so.
    The newest pattern must have an R.D. (its accuracy less that of patterns never stored) ≥ the criterion.

    \b
    slotfree optimise --weights 100000 --goal half-life --cue 0.5 --min-accuracy 0.8
    slotfree optimise --goal memories --criterion 0.3 --top 5 --plot map.png
    slotfree optimise --goal d-prime --age 300
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.forgetting.family import settings_in
    from slotfree.forgetting.search import limits_of, merit_names
    from slotfree.forgetting.search import optimise as search

    goal = asked["goal"].replace("-", "_")
    with as_usage_error():
        table = search(**asked | {"goal": goal}, check=min(CHECKED, top) if check else 0, progress=_show_progress)
    if plot is not None:
        at = f", age {asked['age']}" if goal == "d_prime" else ""
        draw(plot, lambda: _map(table, goal, f"{asked['weights']:,} weights, {asked['cue']:.0%} cues{at}"))
    best, limits = table.isel(setting=slice(top)), limits_of(settings_in(table, 0), asked["cue"])
    names = merit_names(asked["age"])
    rows = [_row(best.isel(setting=i), names) for i in range(best.sizes["setting"])]
    if as_json:
        from slotfree.cli.tables import print_json

        print_json({"asked": asked, "best": rows, "at_limits": limits})
    else:
        lines = []
        for row in rows:
            simulated = row.pop("simulated")
            lines.append({"by": "theory", **row})
            if simulated is not None:
                lines.append({**dict.fromkeys(CHOICES, ""), "by": "simulation", **simulated})
        print_rows(lines, (*CHOICES, "by", *names))
        for limit in limits:
            click.echo(f"note: the best is at a limit: {limit}", err=True)


def _row(memory: "xr.Dataset", names: Sequence[str]) -> dict[str, Any]:
    """Return a memory's settings, its merits by theory and, unless it was not simulated, the simulated ones."""
    simulated = {name: memory[f"simulated_{name}"].item() for name in names}
    found = {name: memory[name].item() for name in (*CHOICES, *names)}
    return {**found, "simulated": None if math.isnan(simulated["baseline"]) else simulated}


def _map(table: "xr.Dataset", merit: str, title: str) -> "Figure":
    from matplotlib.figure import Figure

    from slotfree.drawing.predictions import draw_map

    figure = Figure(figsize=(5.5, 4), layout="constrained")
    axis = figure.subplots()
    draw_map(axis, table, "half_life" if merit.startswith("initial") else merit)
    axis.set_title(title)
    axis.legend()
    return figure


def _show_progress(done: int, count: int) -> None:
    """Show on stderr, if it is a terminal, how many settings of the grid are done."""
    if sys.stderr.isatty():
        end = "\n" if done == count else ""
        click.echo(f"\r{done} of {count} settings predicted", nl=False, err=True)
        click.echo(end, nl=False, err=True)
