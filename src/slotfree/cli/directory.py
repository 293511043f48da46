"""slotfree status and slotfree clean."""

from pathlib import Path

import click

DAMAGED = "damaged; rerun the command that made it"
directory_argument = click.argument("directory", type=click.Path(path_type=Path), default=Path("results"))


@click.command()
@directory_argument
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def status(directory: Path, as_json: bool) -> None:
    """Show what a results DIRECTORY holds, and what is missing.

    DIRECTORY defaults to results.

    \b
    slotfree status
    slotfree status trees --json
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.runs.errors import DirectoryError
    from slotfree.runs.manifest import read_manifest

    manifest = read_manifest(directory)
    if manifest is None:
        why = "there is no manifest.json in it" if directory.is_dir() else "it is no directory"
        raise DirectoryError(f"{directory} holds no results of slotfree: {why}; name what was --out of a run")
    from slotfree.cli.tables import print_json, print_status
    from slotfree.study.plan import other_version, status_of
    from slotfree.study.record import verdicts_counted
    from slotfree.study.summary import made_items

    experiments = status_of(directory)
    made, damaged = made_items(directory)
    version = other_version(manifest)
    why = f"made by slotfree {version}, and not readable by this version" if version else DAMAGED
    for file in damaged:
        click.echo(f"{why}: {file}", err=True)
    items = [
        {
            "item": item["item"],
            "claims": len(item["claims"]),
            **verdicts_counted(row["verdict"] for row in item["claims"]),
        }
        for item in made
    ]
    found = {
        "settings": manifest["settings"],
        "begun": manifest.get("begun"),
        "experiments": experiments,
        "items": items,
    }
    print_json(found) if as_json else print_status(found, directory)


@click.command()
@directory_argument
def clean(directory: Path) -> None:
    """Remove what slotfree wrote to a results DIRECTORY.

    DIRECTORY defaults to results. Nothing else is removed; links are left alone, and so is what lies behind them.

    \b
    slotfree clean trees
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.display.counts import counted_words
    from slotfree.runs.clean import clean as remove

    cleaned = remove(directory)
    left = "; what others wrote is still there" if directory.exists() else ""
    click.echo(f"removed {counted_words(cleaned.removed, 'files')} from {directory}{left}")
    for link in cleaned.links:
        click.echo(f"left alone, as it is a link: {link}", err=True)
