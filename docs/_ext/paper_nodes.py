"""Words, paragraphs and tables of pages about the paper, as nodes of a page."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from docutils import nodes

from slotfree.report.page import SUBSCRIPT

Part: TypeAlias = nodes.Node | str


def words(text: str) -> list[nodes.Node]:
    """A text with the paper's letters in italics, and their subscripts."""
    found: list[nodes.Node] = []
    end = 0
    for letter in SUBSCRIPT.finditer(text):
        found += [nodes.Text(text[end : letter.start()]), nodes.emphasis("", letter[1]), nodes.subscript("", letter[2])]
        end = letter.end()
    return [*found, nodes.Text(text[end:])]


def parts_of(parts: Iterable[Part]) -> list[nodes.Node]:
    """Nodes, of nodes and texts."""
    return [node for part in parts for node in (words(part) if isinstance(part, str) else [part])]


def paragraph(*parts: Part, kind: str = "") -> nodes.paragraph:
    """A paragraph of words and nodes."""
    return nodes.paragraph("", "", *parts_of(parts), classes=kind.split())


def table(header: Sequence[str], rows: Iterable[Sequence[Sequence[Part]]], kind: str) -> nodes.table:
    """A table; each cell is a sequence of words and nodes."""

    def line(cells: Iterable[Sequence[Part]]) -> nodes.row:
        return nodes.row("", *(nodes.entry("", paragraph(*cell)) for cell in cells))

    columns = [nodes.colspec(colwidth=1) for _ in header]
    head = nodes.thead("", line([[cell] for cell in header]))
    group = nodes.tgroup("", *columns, head, nodes.tbody("", *map(line, rows)), cols=len(header))
    return nodes.table("", group, classes=["told", kind])


def anchored(node: nodes.Element, name: str) -> nodes.Element:
    """A node that links can lead to."""
    node["ids"].append(name)
    return node


def listed(parts: Sequence[Sequence[Part]]) -> Iterator[Part]:
    """Several things in a line: a, b and c."""
    for number, part in enumerate(parts):
        if number:
            yield " and " if number == len(parts) - 1 else ", "
        yield from part


def verdict(word: str) -> nodes.inline:
    """The verdict on a claim."""
    return nodes.inline("", word, classes=["verdict", word])
