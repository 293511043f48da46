"""slotfree explore."""

from pathlib import Path

import click

from slotfree.cli.options import NewFile


@click.command()
@click.option("--out", type=NewFile(".html"), metavar="FILE", help="Write the page to this file, .html.")
@click.option("--no-open", is_flag=True, help="Open no browser; only print where the page is.")
def explore(out: Path | None, no_open: bool) -> None:
    """Open a page where memories forget before your eyes.

    It also shows how attention works without slots. It is one file that needs no server and no network. A browser that
    may not read the file where it is can read it where --out puts it.

    \b
    slotfree explore
    slotfree explore --out explorer.html --no-open
    """  # noqa: D301 (click looks for the character, not for its escape)
    import webbrowser

    from slotfree.explorer.page import page_file, write_page

    if out is not None:
        write_page(out)
    path = (page_file() if out is None else out).resolve()
    click.echo(f"the explorer is in {path}")
    if not no_open and not webbrowser.open(path.as_uri()):
        click.echo("no browser could be opened here; open that file in one", err=True)
