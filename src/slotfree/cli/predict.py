"""slotfree predict and slotfree optimise: retention in theory, without a simulation."""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

PICTURES = (".png", ".svg")
GOALS = ("half-life", "area", "initial-accuracy", "memories")
OPTIONS = {"cues": "--cue"}  # arguments whose options are called otherwise
COUNT, FRACTION = click.IntRange(min=1), click.FloatRange(0, 1, min_open=True)
MEASURES = ("initial_accuracy", "baseline", "initial_raw_difference", "half_life", "area", "memories")
CHOICES = ("n_hidden", "k_hidden", "fan_in", "learning_rate")


class Picture(click.Path):
    """A file to draw to: its suffix says how, and its directory is there."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what could not be written, before anything is computed."""
        path = Path(value)
        if path.suffix.lower() not in PICTURES:
            self.fail(f"the name must end in {' or '.join(PICTURES)}, not {str(path)!r}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"the directory must exist, and {str(path.parent)!r} does not", param, ctx)
        return super().convert(value, param, ctx)


def visible_options(command: Callable[..., None]) -> Callable[..., None]:
    """The visible layer."""
    for option in (
        click.option("--k-visible", type=COUNT, default=100, show_default=True, help="k_v, the ones of each pattern."),
        click.option("--n-visible", type=COUNT, default=1000, show_default=True, help="n_v, visible units."),
    ):
        command = option(command)
    return command


criterion_option = click.option(
    "--criterion", type=FRACTION, default=0.2, show_default=True, help="R.D. of patterns that count as memories."
)
plot_option = click.option("--plot", type=Picture(), metavar="FILE", help="Draw to this file, .png or .svg.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")


@click.command()
@visible_options
@click.option("--n-hidden", type=COUNT, default=2000, show_default=True, help="n_h, hidden units.")
@click.option("--k-hidden", type=COUNT, default=50, show_default=True, help="k_h, hidden winners.")
@click.option("--fan-in", type=FRACTION, default=0.05, show_default=True, help="f, inputs of a unit, as a fraction.")
@click.option("--learning-rate", type=FRACTION, default=0.3, show_default=True, help="ε.")
@click.option("--cue", "cues", type=FRACTION, multiple=True, help="Cue level; may be repeated.  [default: 1 and 0.5]")
@click.option("--ages", "last", type=COUNT, default=1000, show_default=True, help="The oldest age.")
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
    """Predict how a memory forgets random patterns, without running it.

    Prints, for each cue: the accuracy of the newest pattern, that of patterns never stored (baseline), their
    difference (R.D.) and its half-life, its sum over the ages, the number of patterns with an R.D. above the
    criterion, and C and β of R.D. = C exp(−β (age − 1)) over ages 1 to 200.

    \b
    slotfree predict
    slotfree predict --n-hidden 1000 --fan-in 0.1 --cue 1 --cue 0.5 --cue 0.2 --plot wide.png
    slotfree predict --n-hidden 100 --k-hidden 1 --fan-in 1 --learning-rate 1 --csv > curve.csv
    """  # noqa: D301 (click looks for the character, not for its escape)
    if as_json and as_csv:
        raise click.UsageError("--json and --csv both print to stdout; give one of them")
    import numpy as np

    from slotfree.retention.prediction import predict_retention

    with as_usage_error():
        curve = predict_retention(settings, cues or (1.0, 0.5), np.arange(1, last + 1))
    if plot is not None:
        from slotfree.paper.prediction_drawing import draw_curves

        draw(plot, lambda: draw_curves(curve, ", ".join(f"{name} {value:g}" for name, value in settings.items())))
    rows = _curve_rows(curve)
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([("cue", "age", "accuracy", "raw_difference"), *rows])
        return
    summary = _summary(curve, criterion)
    if as_json:
        from slotfree.cli.tables import print_json

        curves = {c: {n: curve[n].sel(cue=c).values.tolist() for n in ("accuracy", "raw_difference")} for c in _cues(curve)}
        found = [{**row, **curves[row["cue"]]} for row in summary]
        print_json({"settings": settings, "ages": curve["age"].values.tolist(), "cues": found})
    else:
        print_rows(summary, ("cue", *MEASURES, "C", "beta"))


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
    neighbourhood of its best point: some hundred predictions.

    \b
    slotfree optimise --weights 100000 --goal half-life --cue 0.5 --min-accuracy 0.8
    slotfree optimise --goal memories --criterion 0.3 --top 5 --plot map.png
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.retention.family import GOALS as MERIT_OF
    from slotfree.retention.family import optimise as search

    with as_usage_error():
        table = search(**asked, told=_told)
    if plot is not None:
        draw(plot, lambda: _map(table, MERIT_OF[asked["goal"]], f"{asked['weights']:,} weights, {asked['cue']:.0%} cues"))
    names = (*CHOICES, *MEASURES)
    best = table.isel(setting=slice(top))
    rows = [{name: best[name].values[i].item() for name in names} for i in range(best.sizes["setting"])]
    if as_json:
        from slotfree.cli.tables import print_json

        print_json({"asked": asked, "best": rows})
    else:
        print_rows(rows, names)


def draw(path: Path, figure: "Callable[[], Figure]") -> None:
    """Draw a picture in the style of all figures and write it at once."""
    import matplotlib as mpl

    from slotfree.files.atomic import write_atomically
    from slotfree.paper import drawing

    with mpl.rc_context(drawing.STYLE):
        content = dict(drawing.pictures(figure()))[path.suffix.lower().removeprefix(".")]
    write_atomically(path, lambda file: file.write(content))


def print_rows(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> None:
    """Print rows in aligned columns."""
    from rich.table import Table

    from slotfree.cli.tables import wide_console

    justify: Literal["right"] = "right"
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name.replace("_", " "), justify=justify)
    for row in rows:
        table.add_row(*(f"{row[name]:.4g}" if isinstance(row[name], float) else str(row[name]) for name in names))
    wide_console().print(table, highlight=False)


@contextmanager
def as_usage_error() -> Iterator[None]:
    """Tell of arguments that do not fit together as of wrong options: the message begins with the argument's name."""
    try:
        yield
    except (ValueError, TypeError) as error:
        name, _, rest = str(error).partition(" ")
        raise click.UsageError(f"{OPTIONS.get(name, '--' + name.replace('_', '-'))} {rest}") from error


def _summary(curve: "xr.Dataset", criterion: float) -> list[dict[str, float]]:
    """The measures of each cue, and the exponential; NaN where there is none."""
    from slotfree.retention.fits import fit_of
    from slotfree.retention.merit import merits

    found, young = merits(curve, criterion=criterion), curve.sel(age=slice(200))
    rows = []
    for cue in _cues(curve):
        row = {"cue": cue, **{name: float(found[name].sel(cue=cue)) for name in MEASURES}}
        try:
            fit = fit_of(young["raw_difference"].sel(cue=[cue]).values, young["age"].values)
            row |= {"C": fit.C, "beta": fit.beta}
        except ValueError:  # R.D. is positive at fewer than two ages
            row |= {"C": float("nan"), "beta": float("nan")}
        rows.append(row)
    return rows


def _curve_rows(curve: "xr.Dataset") -> list[tuple[float, int, str, str]]:
    accuracy, raw = curve["accuracy"].values, curve["raw_difference"].values
    return [
        (cue, age, f"{accuracy[c, a]:.6f}", f"{raw[c, a]:.6f}")
        for c, cue in enumerate(_cues(curve))
        for a, age in enumerate(curve["age"].values.tolist())
    ]


def _cues(curve: "xr.Dataset") -> list[float]:
    return [float(cue) for cue in curve["cue"].values]


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
