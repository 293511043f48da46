"""slotfree run: a study of one's own."""

from pathlib import Path
from typing import Any

import click

from slotfree.cli.reproduce import check_item, perform, run_options


@click.command("run")
@click.argument("file", metavar="STUDY.py", type=click.Path(path_type=Path))
@click.argument("items", nargs=-1, metavar="[ITEM]...")
@run_options
def run_study(file: Path, items: tuple[str, ...], **options: Any) -> None:
    """Run a study of your own, which a Python file defines as STUDY.

    All ITEMs are run, or those that are named. It has everything that the paper's items have: finished runs are kept
    and resumed, workers and clusters share the work, figures are drawn, claims are judged, and a report is written. A
    run is done again if the code that it uses has changed. Exits with 0, or with 3 if the study records verdicts and
    one turned round.

    \b
    slotfree example own_memory
    slotfree run own_memory.py --out own_memory
    slotfree run my_study.py figure1 --scale quick
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.runs.errors import UserError
    from slotfree.study.load import load_study
    from slotfree.study.outcome import comes_from, one_line

    study = load_study(file)
    names = tuple(check_item(name, study.names) for name in items)
    try:
        perform(study, names, **options)
    except (click.ClickException, UserError, OSError):
        raise
    except Exception as error:
        if not comes_from(error, file):
            raise
        raise click.ClickException(one_line(error)) from error
