"""How pages are written: Markdown for headings, pictures and links that Sphinx checks; HTML for tables and lists."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from slotfree.paper import MEMORY
from slotfree.study.letters import formula
from slotfree.study.templates import environment

SPECIAL = re.compile(r"([\\`*$~\[\]{}|])")  # to Markdown; an underscore within a word is not


def rendered(template: str, **values: Any) -> str:
    """Return a page; HTML in it has no empty lines, where Markdown would begin again."""
    text = _environment().get_template(f"{template}.md.jinja").render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def page_of(item: str) -> str:
    """The page that shows an item."""
    return "memory" if item in MEMORY else "attention"


def slug(title: str) -> str:
    """The name of a page: what stands behind the colon of its title, if there is one, in small letters."""
    return re.sub(r"[^a-z0-9]+", "-", title.rpartition(": ")[2].lower()).strip("-")


def _in_markdown(text: str) -> Markup:
    """Words as they are written into Markdown."""
    return Markup(SPECIAL.sub(r"\\\1", str(formula(text))))


@cache
def _environment() -> Environment:
    return environment("slotfree.paper.pages", markdown=_in_markdown, page=page_of, slug=slug)
