"""Summaries of items that were made: what they show, claim and cost, and the files that belong to them.

A summary, items/NAME.json, carries a checksum of itself, and one of each file: figures, tables and the data of the
item's experiments. An item whose summary is not as it was written is made again.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from slotfree.files.errors import FormatError
from slotfree.files.json_text import finite
from slotfree.files.regular import hash_of_file
from slotfree.files.sealed_json import read_sealed, sealed
from slotfree.runs.directory import ResultsDirectory
from slotfree.runs.errors import refuse_folder
from slotfree.runs.schema import SUMMARY, check
from slotfree.study.quote import check_quotes

Summary = dict[str, Any]


def write_summary(directory: ResultsDirectory, summary: Mapping[str, Any], files: Iterable[str]) -> None:
    """Write the summary of an item, with the checksums of its files, which are written before."""
    hashes = {name: hash_of_file(directory.path / name) for name in files}
    content = finite({**summary, "files": hashes})
    check(content, SUMMARY)
    directory.write(_name(summary["item"]), sealed(content))


def remove_summary(directory: ResultsDirectory, item: str) -> None:
    """Remove the summary of an item, if there is one."""
    refuse_folder(directory.path / _name(item))
    (directory.path / _name(item)).unlink(missing_ok=True)


def made_items(path: Path) -> tuple[list[Summary], list[str]]:
    """The summaries of all items in a directory, and which are damaged, with the reasons."""
    found, damaged = [], []
    for file in sorted((path / "items").glob("*.json")):
        try:
            found.append(_read(file))
        except FormatError as error:
            damaged.append(f"{file}: {error.reason}")
    return found, damaged


def read_items(path: Path, names: Sequence[str]) -> list[Summary]:
    """The summaries of the items of a study that are whole, in its order."""
    found = {made["item"]: made for made in made_items(path)[0]}
    return [found[name] for name in names if name in found]


def damaged_items(directory: ResultsDirectory, names: Iterable[str]) -> set[str]:
    """Which items of a study have a damaged summary in a directory; it takes note of them."""
    found = set()
    for name in names:
        try:
            _read(directory.path / _name(name))
        except FileNotFoundError:
            continue
        except FormatError as error:
            directory.note_damage(_name(name), error.reason)
            found.add(name)
    return found


def _name(item: str) -> str:
    return f"items/{item}.json"


def _read(file: Path) -> Summary:
    refuse_folder(file)
    summary = read_sealed(file)
    check(summary, SUMMARY)
    if summary["item"] != file.stem:
        raise FormatError("it is the summary of another item")
    try:
        for words in summary["explained"].values():
            check_quotes(words, about_claims=True)
    except ValueError as error:
        raise FormatError(f"explained: {error}") from None
    return summary
