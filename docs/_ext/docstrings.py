"""Docstrings as reStructuredText: entries as definition lists, indented formulas as they stand, plain words escaped."""

import re
from collections.abc import Iterator
from itertools import groupby

from sphinx.application import Sphinx

from slotfree.report.page import SUBSCRIPT

SECTIONS = re.compile(r"(?m)^(Parameters|Attributes|Returns|Yields|Raises|Examples|Notes)\n-+\n")
ENTRY = re.compile(r"(?P<names>[\w.*, ]+|``.+``) : (?P<text>.*)")  # of a list: a name, and what it is
# Literals, references and stress stay as they are.
CODE = re.compile(r"(``.*?``|:[\w:]+:`[^`]*`|(?<![\w*])\*\w[^*]*\w\*(?![\w*]))")


def setup(app: Sphinx) -> dict[str, bool]:
    """Convert what autodoc finds."""
    app.connect("autodoc-process-docstring", converted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def converted(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Replace a docstring by its reStructuredText, in place."""
    first, *sections = SECTIONS.split("\n".join(lines))
    out = list(body(first))
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        out += ["", f".. rubric:: {title}", "", *body(text)]
    lines[:] = [*out, ""]


def body(text: str) -> Iterator[str]:
    """A text without sections, paragraph by paragraph."""
    for empty, lines in groupby(text.splitlines(), lambda line: not line.strip()):
        paragraph = list(lines)
        if empty or paragraph[0].startswith((">>>", "=====", "- ")):
            yield from paragraph if not paragraph[0].startswith("- ") else map(escaped, paragraph)
        elif all(line.startswith("    ") for line in paragraph):
            yield from (".. code-block:: text", "   :class: formula", "", *paragraph)
        elif ENTRY.fullmatch(paragraph[0]):
            yield from entries(paragraph)
        else:
            yield from map(escaped, paragraph)


def entries(lines: list[str]) -> Iterator[str]:
    """A definition list of names and what they are."""
    for line in lines:
        if entry := ENTRY.fullmatch(line):
            names = entry["names"].replace("``", "")
            yield from ("", f"``{names}``", f"    {escaped(entry['text'])}")
        else:
            yield f"    {escaped(line.strip())}"


def escaped(line: str) -> str:
    """A line without markup, but for literals, references, and subscripts of the paper's letters."""
    words = CODE.split(line)
    words[::2] = [re.sub(r"[*|`\\]|_(?!\w)", r"\\\g<0>", plain) for plain in words[::2]]
    words[::2] = [SUBSCRIPT.sub(r"\\ *\1*\\ :sub:`\2`\\ ", plain) for plain in words[::2]]
    return "".join(words)
