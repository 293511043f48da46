"""Pages that are notebooks, as files to download: what runs here runs there, after slotfree is installed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook
from sphinx.application import Sphinx

NOTEBOOK = "---\nfile_format: mystnb\n"
ROLE = re.compile(r"\{[a-z:]+\}`~?\.?([^`<]*?)(?:\s*<[^`]*>)?`")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]*\)")
DIRECTIVE = re.compile(r"(?m)^(?::::|```)(?:\{[^\n]*)?\n(?::[a-z-]+:[^\n]*\n)*")
NEEDED = (
    "This notebook needs slotfree, and what shows its tables: in a checkout of slotfree, "
    "`pip install . pandas jupyterlab`. The first call of each function compiles it, which takes a few seconds."
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the notebooks beside their pages, and name them there."""
    app.connect("html-page-context", offer)
    app.connect("build-finished", write_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def is_notebook(path: Path) -> bool:
    """Return whether a page is run as a notebook."""
    return path.suffix == ".md" and path.read_text("utf-8").startswith(NOTEBOOK)


def notebook(text: str) -> str:
    """Return a page as a notebook, without outputs; what only the site can show is left out of its words."""
    made = read_myst_markdown_notebook(text)
    made.cells.insert(1, nbformat.v4.new_markdown_cell(NEEDED))
    for number, cell in enumerate(made.cells):
        cell["id"] = f"cell-{number}"
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source)
        cell.metadata = {}
    made.metadata = {"kernelspec": made.metadata["kernelspec"]}
    made.nbformat_minor = 5
    nbformat.validate(made)
    return nbformat.writes(made) + "\n"


def plain(words: str) -> str:
    """Return Markdown without the roles and directives of the site, and without links to its pages."""
    parts = re.split(r"(?ms)(^```\w[^\n]*\n.*?^```$)", words)  # code that is only shown stays as it is
    parts[::2] = [LINK.sub(r"\1", DIRECTIVE.sub("", ROLE.sub(r"\1", part))) for part in parts[::2]]
    return "".join(parts)


def offer(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put a link to the notebook at the end of its page."""
    if "body" in context and is_notebook(Path(app.env.doc2path(name))):
        file = f"{name.rpartition('/')[2]}.ipynb"
        context["body"] += f'<p><a href="{file}" download>Download this page as a notebook</a></p>'


def write_all(app: Sphinx, failure: Exception | None) -> None:
    """Write all notebooks."""
    for path, name in pages(app) if failure is None else ():
        Path(app.outdir, f"{name}.ipynb").write_text(notebook(path.read_text("utf-8")), "utf-8")


def pages(app: Sphinx) -> Iterator[tuple[Path, str]]:
    """Return the pages that are notebooks, with their names."""
    for name in sorted(app.env.found_docs):
        if is_notebook(path := Path(app.env.doc2path(name))):
            yield path, name
