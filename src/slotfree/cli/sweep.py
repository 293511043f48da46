"""slotfree sweep."""

import math
import sys
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.options import together, work_options
from slotfree.cli.outcome import EXIT_FAILED, report_damaged, report_failures, show_plan
from slotfree.sweep.parameters import KINDS, named

if TYPE_CHECKING:
    from slotfree.sweep.grid import Sweep
    from slotfree.sweep.run import Table

MOST_PRINTED = 60  # rows


class Kinds(click.Group):
    """The kinds of sweeps; a file may name the kind."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the kind that the file names in front of the options."""
        if args and args[0].startswith("-") and not ctx.resilient_parsing and not {"-h", "--help"} & set(args):
            files = [word.removeprefix("--file=") for word in args if word.startswith("--file=")]
            files += [file for option, file in pairwise(args) if option == "--file"]
            if not files:
                start = f"slotfree sweep memory {args[0]} ..."
                raise click.UsageError(f"name {' or '.join(KINDS)} first, such as: {start}", ctx)
            from slotfree.sweep.values import read_toml

            kind = read_toml(Path(files[0])).get("kind")
            if kind not in KINDS:
                raise click.UsageError(f'name {" or ".join(KINDS)}, or let {files[0]} say kind = "memory"', ctx)
            args = [str(kind), *args]
        return super().parse_args(ctx, args)


@click.group(cls=Kinds, subcommand_metavar="[memory|transformer] [OPTIONS]")
def sweep() -> None:
    """Run a grid over the parameters of memories or transformers.

    Writes sweep.csv (a row for each point), sweep.safetensors (all runs, labelled), and a plot, sweep.png and
    sweep.svg. Values are lists (0.1,0.3,1) or ranges: 10:200:5 are five values from 10 to 200, 10:200:5log five with
    equal ratios. Finished runs are kept; points and runs can be added in the same directory.

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
        return [
            click.Option([f"--{each.name.replace('_', '-')}", each.name], metavar="LIST", help=each.meaning)
            for each in named(str(self.name)).values()
        ]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All options, those of the parameters first."""
        return [*self.swept, *super().get_params(ctx)]


sweep_options = together(
    click.option("--runs", metavar="N", help="Independent runs at each point.  [10]"),
    click.option("--seed", metavar="N", help="Root seed.  [0]"),
    click.option("--skip-impossible", is_flag=True, default=None, help="Skip impossible points; else they are errors."),
    click.option("--file", type=click.Path(path_type=Path), help="TOML file with the same names; flags win."),
    work_options("sweep", "the table, the data, the plot", "table"),
)


@sweep.command(cls=Sweeping)
@click.option(
    "--match-weights",
    is_flag=False,
    flag_value="yes",
    metavar="[F·N_H]",
    help="Let n_hidden follow from fan_in, so that all K-winner MHNs have the same number of weights: f·n_h is 100, as "
    "by default, or this number.",
)
@click.option("--cue", metavar="LIST", help="Fractions of a pattern's active bits in its cue.  [1,0.5]")
@click.option("--n-stored", metavar="N", help="Patterns stored in a run.  [4000]")
@click.option("--n-tested", metavar="N", help="How many of the newest are tested.  [1000, or all]")
@sweep_options
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
@click.option("--iterations", metavar="N", help="Steps of training.  [5000]")
@sweep_options
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
    **flags: object,
) -> None:
    """Run what flags and a file describe, and print what came of it."""
    from slotfree.cli.tables import print_json
    from slotfree.runs.at_work import at_work
    from slotfree.runs.executor import default_jobs
    from slotfree.sweep.grid import points_of, sweep_from
    from slotfree.sweep.run import experiments_of, run_sweep, settings_of
    from slotfree.sweep.values import read_toml

    entries: dict[str, object] = {"kind": kind} if file is None else {"kind": kind, **read_toml(file)}
    if entries["kind"] != kind:
        raise click.UsageError(f"{file} is a sweep of kind {entries['kind']!r}, not {kind!r}")
    described = sweep_from(entries | {name: value for name, value in flags.items() if value is not None})
    points, skipped = points_of(described)
    for reason in skipped:
        click.echo(f"skipped: {reason}", err=True)
    if dry_run:
        show_plan(experiments_of(described, points), described.seed, out, as_json)
        return
    jobs = jobs or default_jobs()
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
    from slotfree.sweep.kinds import KINDS
    from slotfree.sweep.point import value_text

    measures = KINDS[described.kind].shown
    lines = aligned(*described.swept, *measures)
    for row in table[:MOST_PRINTED]:
        swept = [value_text(row.get(f"{described.kind}_{name}", row[name])) for name in described.swept]
        lines.add_row(*swept, *("–" if math.isnan(row[name]) else f"{row[name]:.3g}" for name in measures))
    console().print(lines)
    if len(table) > MOST_PRINTED:
        console().print(f"… and {len(table) - MOST_PRINTED} more")
    diverged = sum(row.get("diverged", 0) for row in table)
    if diverged:
        words = counted_words(diverged, "runs")
        click.echo(f"{words} diverged, and left out of the numbers; sweep.csv shows at which points", err=True)
    files = ", ".join(str(out / f"sweep.{suffix}") for suffix in ("csv", "safetensors", "png", "svg"))
    console().print(f"\n{files}", soft_wrap=True)
