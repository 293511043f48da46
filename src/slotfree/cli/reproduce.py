"""slotfree reproduce."""

import sys
from difflib import get_close_matches
from pathlib import Path

import click

from slotfree.cli.workers import EXIT_FAILED, at_work, choose_jobs, report_damaged, report_failures

EXIT_CLAIM_FAILS = 3

out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Directory for the report, figures, tables, data and finished units.",
)


@click.command()
@click.argument("items", nargs=-1, metavar="[ITEM]...", shell_complete=lambda ctx, param, word: complete_items(word))
@click.option(
    "--scale", type=click.Choice(["paper", "quick"]), default="paper", show_default=True, help="How much to run."
)
@out_option
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Root seed.")
@click.option("--jobs", type=click.IntRange(min=1), help="Threads.  [default: all cores]")
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Send the work to this Dask cluster instead.")
@click.option("--dry-run", is_flag=True, help="Show what would be run, and do nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the claims (or the plan, with --dry-run) as JSON.")
def reproduce(
    items: tuple[str, ...],
    scale: str,
    out: Path,
    seed: int,
    jobs: int | None,
    scheduler: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Run ITEMs, draw their figures, judge their claims, and write a report.

    An ITEM may also be "paper" (fig4 to fallback) or "beyond" (what comes after). If none is named, all are run.

    What is finished is kept: after an interruption, the same command goes on where it stopped. Exits with 0 if all
    claims hold, 3 if one does not, 1 if something failed, 130 if interrupted.

    \b
    slotfree reproduce fig4
    slotfree reproduce paper
    slotfree reproduce figS6 figS7 --jobs 8 --out trees
    slotfree reproduce --scale quick --out quick --dry-run
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.paper.items import NAMES, load

    wanted = named(items) or NAMES
    jobs = choose_jobs(jobs, scheduler)
    from slotfree.cli.tables import print_claims, print_json, print_plan
    from slotfree.paper.reproduce import plan_of, settings_of
    from slotfree.paper.reproduce import reproduce as run
    from slotfree.paper.scale import SCALES
    from slotfree.report.page import write_report

    chosen = [load(name) for name in NAMES if name in wanted]
    size = SCALES[scale]
    if dry_run:
        plan = plan_of(chosen, size, seed, out)
        print_json(plan) if as_json else print_plan(plan, jobs)
        return
    with at_work(out, settings_of(size, seed), jobs, scheduler) as (directory, executor, display):
        outcome = run(chosen, size, directory=directory, seed=seed, jobs=jobs, progress=display, executor=executor)
        write_report(directory)
    report_damaged(outcome.damaged)
    if as_json:
        click.echo((out / "claims.json").read_text(encoding="utf-8"))
    else:
        print_claims(outcome.claims, out)
    if outcome.failures:
        report_failures(outcome.failures)
        sys.exit(EXIT_FAILED)
    if not all(claim.holds for claim in outcome.claims):
        sys.exit(EXIT_CLAIM_FAILS)


def named(items: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of items, groups taken apart."""
    from slotfree.paper.names import GROUPS, NAMES

    known = (*NAMES, *GROUPS)
    for name in items:
        if name not in known:
            near = get_close_matches(name, known, 1, 0.5)
            meant = f"did you mean {near[0]}? " if near else ""
            raise click.UsageError(f"no item is called {name!r}; {meant}there are {', '.join(known)}")
    return tuple(member for name in items for member in GROUPS.get(name, (name,)))


def complete_items(word: str) -> list[str]:
    """Names of items that begin with a word, for the shell."""
    from slotfree.paper.names import GROUPS, NAMES

    return [name for name in (*GROUPS, *NAMES) if name.startswith(word)]
