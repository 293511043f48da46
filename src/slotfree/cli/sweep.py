"""slotfree sweep."""

import math
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.workers import (
    EXIT_FAILED,
    choose_jobs,
    jobs_option,
    report_damaged,
    report_failures,
    scheduler_option,
)
from slotfree.sweep.parameters import KINDS, named

if TYPE_CHECKING:
    from slotfree.sweep.grid import Sweep
    from slotfree.sweep.output import Table

SHOWN = {
    "memory": ("cue", "initial_accuracy", "baseline", "initial_raw_difference", "half_life", "area"),
    "transformer": ("ending_accuracy_median", "ending_accuracy_min", "ending_loss_median", "learnt_at_median"),
}
MOST_SHOWN = 60  # rows


class Kinds(click.Group):
    """The kinds of sweeps; where a file tells the kind, it need not be said."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the kind in front if only the file tells it."""
        file = next((args[i + 1] for i, word in enumerate(args[:-1]) if word == "--file"), None)
        file = next((word.removeprefix("--file=") for word in args if word.startswith("--file=")), file)
        asked = ctx.resilient_parsing or {"-h", "--help"} & set(args)
        if file is not None and args[0].startswith("-") and not asked:
            from slotfree.sweep.toml_file import read_toml

            kind = read_toml(Path(file)).get("kind")
            if kind not in KINDS:
                raise click.UsageError(f'name {" or ".join(KINDS)}, or let {file} say kind = "memory"', ctx)
            args = [str(kind), *args]
        elif args and args[0].startswith("-") and not asked:
            raise click.UsageError(
                f"name {' or '.join(KINDS)} first, such as: slotfree sweep memory {args[0]} ...", ctx
            )
        return super().parse_args(ctx, args)


@click.group(cls=Kinds, subcommand_metavar="[memory|transformer] [OPTIONS]")
def sweep() -> None:
    """Run a grid over the parameters of the memories or of the transformers.

    Writes sweep.csv (a row for each point), sweep.safetensors (all runs, labelled), and a plot, sweep.png and
    sweep.svg. Values are lists (0.1,0.3,1) or ranges: 10:200:5 are five values from 10 to 200, 10:200:5log five with
    equal ratios. What is finished is kept; points and runs can be added in the same directory.

    \b
    slotfree sweep memory --learning-rate 0.1,0.3,1 --fan-in 0.02,0.05,0.1 --match-weights
    slotfree sweep transformer --key-rule mhn,query-key --n-hidden 8:32:4 --runs 5
    slotfree example tradeoff
    slotfree sweep --file tradeoff.toml --out tradeoff
    slotfree sweep memory --help
    """  # noqa: D301 (click looks for the character, not for its escape)


class Sweeping(click.Command):
    """A command with an option for each parameter that can be swept; what these are is known when it is called."""

    @cached_property
    def swept(self) -> list[click.Parameter]:
        """The options of the parameters."""
        parameters = named(str(self.name)).values()
        return [
            click.Option([f"--{p.name.replace('_', '-')}", p.name], metavar="LIST", help=p.meaning) for p in parameters
        ]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All options, those of the parameters first."""
        return [*self.swept, *super().get_params(ctx)]


def options(kind: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options besides the parameters: those of a kind of sweep, and those of all sweeps."""
    own = {
        "memory": [
            click.option(
                "--match-weights",
                is_flag=False,
                flag_value="yes",
                metavar="[F·N_H]",
                help="Let n_hidden follow from fan_in, so that all K-winner MHNs have equally many weights: f·n_h is "
                "100, as by default, or this number.",
            ),
            click.option("--cue", metavar="LIST", help="Fractions of a pattern's ones in its cue.  [1,0.5]"),
            click.option("--n-stored", metavar="N", help="Patterns stored in a run.  [4000]"),
            click.option("--n-tested", metavar="N", help="How many of the newest are tested.  [1000, or all]"),
        ],
        "transformer": [click.option("--iterations", metavar="N", help="Steps of training.  [5000]")],
    }
    shared = [
        click.option("--runs", metavar="N", help="Independent runs at each point.  [10]"),
        click.option("--seed", metavar="N", help="Root seed.  [0]"),
        click.option("--skip-impossible", is_flag=True, help="Leave out impossible points instead of refusing them."),
        click.option("--file", type=click.Path(path_type=Path), help="TOML file with the same names; flags win."),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=Path("sweep"),
            show_default=True,
            help="Directory for the table, the data, the plot and finished units.",
        ),
        jobs_option,
        scheduler_option,
        click.option("--dry-run", is_flag=True, help="Show what would be run, and do nothing."),
        click.option("--json", "as_json", is_flag=True, help="Print the table (or the plan, with --dry-run) as JSON."),
    ]

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed([*own[kind], *shared]):
            command = option(command)
        return command

    return add


@sweep.command(cls=Sweeping)
@options("memory")
def memory(**given: Any) -> None:
    """Sweep a memory: for each point, how accurate it is at first, and how fast it fades.

    The half-life is the number of newer patterns after which R.D. (accuracy less that of patterns never stored) has
    fallen to half of what it was at first; it is infinite if that does not happen within the tested ages. C and beta
    are the constants of the exponential C exp(−β (age − 1)) fitted to R.D. Names that end in _se are standard errors.
    Parameters that a memory does not have are left out for it.

    \b
    slotfree sweep memory --learning-rate 0.1,0.3,1 --fan-in 0.02,0.05,0.1 --k-hidden 10,50,200 --match-weights
    slotfree sweep memory --source random,tree:5,tree:10,tree:20 --cue 0.5 --runs 20 --out trees
    slotfree sweep memory --memory KWinnerMHN,Willshaw,ClassicalHopfield --k-visible 50,100 --out memories
    """  # noqa: D301 (click looks for the character, not for its escape)
    run("memory", **given)


@sweep.command(cls=Sweeping)
@options("transformer")
def transformer(**given: Any) -> None:
    """Sweep the transformers: for each point, how training ends, and how fast it gets there.

    Parameters that a model does not have are left out for it. Trainings that diverge are counted, not failures.

    \b
    slotfree sweep transformer --key-rule fixed,mhn,query-key --input-projections yes,no
    slotfree sweep transformer --n-letters 4,6,8 --n-hidden 16 --iterations 2000 --runs 5 --out letters
    slotfree sweep transformer --model baseline,slot-free --learning-rate 0.0003:0.01:6log
    """  # noqa: D301 (click looks for the character, not for its escape)
    run("transformer", **given)


def run(
    kind: str,
    *,
    file: Path | None,
    out: Path,
    jobs: int | None,
    scheduler: str | None,
    dry_run: bool,
    as_json: bool,
    skip_impossible: bool,
    **flags: str | None,
) -> None:
    """Run what flags and a file describe, and print what came of it."""
    jobs = choose_jobs(jobs, scheduler)
    from slotfree.sweep.grid import points_of, sweep_from
    from slotfree.sweep.toml_file import read_toml

    entries: dict[str, object] = {"kind": kind} if file is None else {"kind": kind, **read_toml(file)}
    if entries["kind"] != kind:
        raise click.UsageError(f"{file} is a sweep of kind {entries['kind']!r}, not {kind!r}")
    entries |= {name: text for name, text in flags.items() if text is not None}
    if skip_impossible:
        entries["skip_impossible"] = True
    described = sweep_from(entries)
    points, skipped = points_of(described)
    for reason in skipped:
        click.echo(f"skipped: {reason}", err=True)
    if dry_run:
        from slotfree.cli.tables import print_json, print_plan
        from slotfree.study.plan import plan_of
        from slotfree.sweep.run import experiments_of

        plan = plan_of(experiments_of(described, points), described.seed, out)
        print_json(plan) if as_json else print_plan(plan)
        return
    perform(described, out, jobs, scheduler, as_json)


def perform(described: "Sweep", out: Path, jobs: int, scheduler: str | None, as_json: bool) -> None:
    """Run a sweep and print its table."""
    from slotfree.cli.tables import print_json
    from slotfree.runs.at_work import at_work
    from slotfree.sweep.run import run_sweep, settings_of

    with at_work(out, settings_of(described), jobs, scheduler) as (directory, executor, display):
        outcome = run_sweep(described, directory=directory, jobs=jobs, progress=display, executor=executor)
    report_damaged(outcome.damaged)
    if as_json:
        print_json(outcome.table)
    elif outcome.table:
        print_table(outcome.table, described, out)
    if outcome.failures:
        report_failures(outcome.failures)
        sys.exit(EXIT_FAILED)


def print_table(table: "Table", described: "Sweep", out: Path) -> None:
    """Print the swept parameters and the main measures of each point, and where everything is."""
    from slotfree.cli.tables import aligned
    from slotfree.display.console import console
    from slotfree.display.counts import counted_words
    from slotfree.sweep.point import value_text

    names = [*described.swept, *SHOWN[described.kind]]
    lines = aligned(*names)
    for row in table[:MOST_SHOWN]:
        measured = {n: "–" if math.isnan(row[n]) else f"{row[n]:.3g}" for n in SHOWN[described.kind]}
        swept = {n: value_text(row.get(f"{described.kind}_{n}", row[n])) for n in described.swept}
        lines.add_row(*swept.values(), *measured.values())
    console().print(lines)
    if len(table) > MOST_SHOWN:
        console().print(f"… and {len(table) - MOST_SHOWN} more")
    diverged = sum(row.get("diverged", 0) for row in table)
    if diverged:
        told = counted_words(diverged, "runs")
        click.echo(f"{told} diverged, and left out of the numbers; sweep.csv shows at which points", err=True)
    files = ", ".join(str(out / f"sweep.{suffix}") for suffix in ("csv", "safetensors", "png", "svg"))
    console().print(f"\n{files}", soft_wrap=True)
