"""The pages of the documentation, and the code blocks in them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {str(path.relative_to(ROOT)): path for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))}
FENCE = re.compile(r"(?ms)^(?P<indent> *)(?P<fence>`{3,})(?P<kind>[^\n`]*)\n(?P<code>.*?)^(?P=indent)(?P=fence) *$")


@dataclass(frozen=True)
class Block:
    """A code block: what stands behind its fence, its text, and the line of its page in which it begins."""

    kind: str
    code: str
    line: int


def blocks_of(text):
    """The fenced blocks of a page, in order."""
    return [
        Block(found["kind"].strip(), found["code"], text.count("\n", 0, found.start("code")) + 1)
        for found in FENCE.finditer(text)
    ]


def is_notebook(text):
    """Whether a page is run as a notebook when the site is made."""
    return text.startswith("---\nfile_format: mystnb\n")


def commands_in(code):
    """The commands of a shell block: without comments, continued lines joined."""
    joined = code.replace("\\\n", " ")
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in joined.splitlines())
    return [line for line in lines if line]
