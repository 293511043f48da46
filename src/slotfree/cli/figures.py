"""slotfree figures."""

from pathlib import Path

import click

from slotfree.cli.options import jobs_option

MAIN = ("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7")


@click.command()
@click.argument("items", nargs=-1, metavar="[ITEM]...")
@click.option("--for", "kind", type=click.Choice(["talk", "paper"]), required=True, help="Large type, or small.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Directory for the files.  [default: figures-talk or -paper]"
)
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True,
              help="Directory with results; what it lacks is run first.")  # fmt: skip
@click.option("--scale", type=click.Choice(["paper", "quick"]), default="paper", show_default=True,
              help="The scale of these results.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Their root seed.")
@jobs_option
def figures(
    items: tuple[str, ...], kind: str, out: Path | None, results: Path, scale: str, seed: int, jobs: int | None
) -> None:
    """Write ITEMs as figures for a talk or a paper.

    Each is written as PDF and PNG, with its caption as text, in which the figure is also described in words. If no
    ITEM is named, these are figures 1 to 7, those of the paper's main text.

    \b
    slotfree figures --for talk
    slotfree figures fig4 figS6 --for paper --out figures
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.cli.catalogue import EVERYTHING
    from slotfree.cli.reproduce import named
    from slotfree.study.figures import write_figures

    where = out or Path(f"figures-{kind}")
    for path in write_figures(
        EVERYTHING, named(items or MAIN), kind, where, results=results, scale=scale, seed=seed, jobs=jobs
    ):
        click.echo(path)
