"""What slotfree predict and slotfree optimise share: pictures, tables, and errors."""

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OPTIONS = {"cues": "--cue", "memory_settings": "the settings"}  # arguments whose options are called otherwise


def draw(path: Path, figure: "Callable[[], Figure]") -> None:
    """Draw a picture in the style of all figures, and write it."""
    import matplotlib as mpl

    from slotfree.drawing.picture import figure_files
    from slotfree.drawing.style import STYLE
    from slotfree.files.atomic import write_atomically

    with mpl.rc_context(STYLE):
        content = dict(figure_files(figure()))[path.suffix.lower().removeprefix(".")]
    write_atomically(path, lambda file: file.write(content))


def print_rows(rows: Sequence[dict[str, Any]], names: Sequence[str], last: int | None = None) -> None:
    """Print rows in aligned columns; what is infinite within the ages up to the last is shown as larger than it."""
    from slotfree.cli.tables import aligned
    from slotfree.display.console import console

    def shown(value: Any) -> str:
        if isinstance(value, float) and math.isinf(value):
            return "∞" if last is None else f"> {last}"
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    table = aligned(*names)
    for row in rows:
        table.add_row(*(shown(row[name]) for name in names))
    console().print(table)


@contextmanager
def as_usage_error() -> Iterator[None]:
    """Turn errors about arguments, whose message begins with the argument's name, into errors about options.

    What the theory cannot predict is not wrong usage; the error is one line. Warnings go to stderr.
    """
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        if caught:
            others = f" (and {len(caught) - 1} more warnings)" if len(caught) > 1 else ""
            click.echo(f"warning: {caught[0].message}{others}", err=True)
    except (ValueError, TypeError) as error:
        from slotfree.forgetting.theory.limits import TheoryLimitError

        name, _, rest = str(error).partition(" ")
        message = f"{OPTIONS.get(name, '--' + name.replace('_', '-'))} {rest}"
        raise (click.ClickException if isinstance(error, TheoryLimitError) else click.UsageError)(message) from error
