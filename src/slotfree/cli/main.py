"""The commands. What they need is imported when they run, so that help answers at once."""

import json
import os
import sys
from pathlib import Path

import click

EXIT_CLAIM_FAILS = 3
EXIT_INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "--version", package_name="slotfree", message="slotfree %(version)s")
def cli() -> None:
    r"""Neural computation without slots: reproduce the paper.

    \b
    slotfree list                     what can be reproduced, and what it costs
    slotfree reproduce fig4 figS1     run these items at the paper's scale
    slotfree reproduce --scale quick  run everything, in half a minute
    """


@cli.command()
@click.argument("items", nargs=-1, metavar="[ITEM]...")
@click.option(
    "--scale", type=click.Choice(["paper", "quick"]), default="paper", show_default=True, help="How much to run."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Directory for figures, tables, data and claims.json.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Root seed.")
@click.option("--jobs", type=click.IntRange(min=1), help="Threads.  [default: all cores]")
@click.option("--json", "as_json", is_flag=True, help="Print the claims as JSON.")
def reproduce(items: tuple[str, ...], scale: str, out: Path, seed: int, jobs: int | None, as_json: bool) -> None:
    r"""Run ITEMs (all, if none is named), draw their figures and judge their claims.

    Exits with 0 if all claims hold, 3 if one does not, 1 if something failed, 130 if interrupted.

    \b
    slotfree reproduce fig4
    slotfree reproduce figS6 figS7 --jobs 8 --out trees
    """
    from slotfree.paper.items import NAMES, load
    from slotfree.paper.scale import SCALES

    unknown = [name for name in items if name not in NAMES]
    if unknown:
        raise click.UsageError(f"no item is called {unknown[0]!r}; there are {', '.join(NAMES)}")
    from slotfree.cli.progress import Display
    from slotfree.paper.reproduce import reproduce as run
    from slotfree.runs.executor import default_jobs

    chosen = [load(name) for name in NAMES if not items or name in items]
    with Display(jobs or default_jobs()) as display:
        claims = run(chosen, SCALES[scale], out=out, seed=seed, jobs=jobs or default_jobs(), progress=display)
    if as_json:
        click.echo((out / "claims.json").read_text(encoding="utf-8"))
    else:
        from slotfree.cli.tables import print_claims

        print_claims(claims, out)
    if not all(claim.holds for claim in claims):
        sys.exit(EXIT_CLAIM_FAILS)


@cli.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_items(as_json: bool) -> None:
    """Show each item, what it shows, and what it costs at the paper's scale."""
    from slotfree.paper.items import NAMES, load
    from slotfree.paper.scale import SCALES

    rows = []
    for name in NAMES:
        item = load(name)
        seconds = sum(e.seconds(SCALES["paper"]) for e in item.experiments)
        runs = sum(e.count(SCALES["paper"]) for e in item.experiments)
        rows.append(
            {"item": name, "shows": item.shows, "runs": runs, "core_minutes": round((seconds + item.seconds) / 60, 1)}
        )
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        from slotfree.cli.tables import print_items

        print_items(rows)


def main() -> None:
    """Run the command line; what goes wrong is told in a line, not in a traceback."""
    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("\ninterrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
