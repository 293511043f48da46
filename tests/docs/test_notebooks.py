"""Tutorials as notebooks to download: the same code, words that a notebook can show, and they run."""

import json
import re
import sys

import pytest
from pages import DOCS, PAGES, is_notebook

sys.path.insert(0, str(DOCS / "_ext"))
notebooks = pytest.importorskip("notebooks", reason="needs what makes the site: pip install -e '.[docs]'")
nbformat = pytest.importorskip("nbformat")

NAMES = [name for name, path in PAGES.items() if is_notebook(path.read_text("utf-8"))]
CELL = re.compile(r"(?ms)^```\{code-cell\}[^\n]*\n(?:---\n.*?---\n|(?::[a-z-]+:[^\n]*\n)*)(.*?)^```$")


def test_all_tutorials_are_notebooks():
    """All but the one that needs PyTorch, which is run by a test where it is installed."""
    pages = {f"docs/tutorials/{path.name}" for path in (DOCS / "tutorials").glob("[!i]*.md")}
    assert pages - {"docs/tutorials/torch.md"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_has_the_code_of_its_page_and_plain_words(name):
    text = PAGES[name].read_text("utf-8")
    made = nbformat.reads(notebooks.notebook(text), as_version=4)
    code = [cell.source.strip() for cell in made.cells if cell.cell_type == "code"]
    assert code == [block.strip() for block in CELL.findall(text)]
    words = "\n".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert not re.findall(r"\{[a-z:]+\}`|^:::|^```\{|\]\([\w./-]+\.md", words, re.MULTILINE)
    assert "pip install" in words
    assert all(not cell.get("outputs") for cell in made.cells)
    assert made.cells[0].source.startswith("# ")


def test_roles_links_and_directives_become_words():
    before = ":::{note}\nSee {term}`age <a>` and {py:func}`slotfree.train`, [here](../x.md#y) or [there](https://127.0.0.1/).\n:::\n"
    assert notebooks.plain(before) == "See age and slotfree.train, here or [there](https://127.0.0.1/).\n"
    shown = "```sh\nls {term}`x`\n```"
    assert notebooks.plain(shown) == shown


def test_a_notebook_runs(tmp_path):
    """Its first cells: the others are those that are run when the site is made."""
    nbclient = pytest.importorskip("nbclient")
    made = nbformat.reads(notebooks.notebook(PAGES["docs/tutorials/images.md"].read_text("utf-8")), as_version=4)
    made.cells = [cell for cell in made.cells if cell.cell_type == "code"][:2]
    nbclient.NotebookClient(made, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert json.dumps(made.cells[0].outputs + made.cells[1].outputs) != "[]"
