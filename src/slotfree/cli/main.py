"""The command line. What a command needs is imported when it runs, so that help answers at once."""

import os
import sys
from contextlib import nullcontext

import click

from slotfree import __version__
from slotfree.cli.about import COMPLETING, bench, completion, list_items, version
from slotfree.cli.directory import clean, status
from slotfree.cli.example import example
from slotfree.cli.explore import explore
from slotfree.cli.figures import figures
from slotfree.cli.optimise import optimise
from slotfree.cli.predict import predict
from slotfree.cli.reproduce import reproduce
from slotfree.cli.run import run_study
from slotfree.cli.streams import printed
from slotfree.cli.sweep import sweep
from slotfree.warm import warm

EXIT_INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message="slotfree %(version)s")
def cli() -> None:
    """Neural computation without slots: reproduce the paper, and go beyond it.

    \b
    slotfree list                     what can be reproduced
    slotfree reproduce fig4 figS1     run these items at the paper's scale
    slotfree reproduce --scale quick  a quick look at everything, which judges nothing
    slotfree run my_study.py          a study of your own, with all of that
    slotfree example                  studies, a sweep and a program to begin with
    slotfree figures --for talk       the main figures with large type, and their captions
    slotfree status                   what is done, and what is missing
    slotfree sweep --help             a grid over the parameters of a memory or a transformer
    slotfree predict --n-hidden 1000  how a memory forgets, in theory
    slotfree optimise --goal area     which memory of a given size forgets least
    slotfree explore                  a page on which a memory forgets before your eyes
    slotfree warm                     compile everything now, once, so that nothing waits for it
    """  # noqa: D301 (click looks for the character, not for its escape)


for command in (
    *(reproduce, run_study, list_items, figures, example, sweep, predict, optimise, explore),
    *(status, clean, warm, bench, version, completion),
):
    cli.add_command(command)


def main() -> None:
    """Run the command line; an error is printed in a line, without a traceback."""
    # Runs are spread over the cores. Matrix products that spread themselves as well would be many times slower.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with nullcontext() if COMPLETING in os.environ else printed():  # a shell is answered in bytes
        run()


def run() -> None:
    """Run a command, and leave with another code than 0 if something went wrong."""
    from slotfree.runs.errors import UserError

    try:
        try:
            cli.main(prog_name="slotfree", standalone_mode=False)
        finally:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nInterrupted. Finished runs are kept; rerun the command to resume.", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except UserError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)
    except (OSError, MemoryError) as error:
        click.echo(f"Error: {error}; what is finished is kept", err=True)
        sys.exit(1)
