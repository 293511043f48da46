"""What a package index shows: the README, where neither pictures nor files of the repository can be reached."""

import re
from pathlib import Path
from runpy import run_path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
described = run_path(str(ROOT / "hatch_build.py"))["described"]


@pytest.mark.parametrize(
    ("readme", "shown"),
    [
        ("Before.\n\n![A curve](docs/a.png)\n\nAfter.\n", "Before.\n\nAfter.\n"),
        ("| a | b |\n|---|---|\n| ![A curve](docs/a.png) | c |\n", "| a | b |\n|---|---|\n|  | c |\n"),
        ("See [the map](docs/map.md), [here](#here) and [the\nlist](a/b.md#c).", "See the map, here and the\nlist."),
        ("[`slotfree`](docs/cli.md) runs", "`slotfree` runs"),
        ("[a page](https://127.0.0.1/a) stays", "[a page](https://127.0.0.1/a) stays"),
        ("Code such as `f[0](x)` and ``a`[b](c)`` stays", "Code such as `f[0](x)` and ``a`[b](c)`` stays"),
        (
            "```python\n>>> f[0](x)\n```\n\n[gone](docs/x.md)\n\n```sh\nls [a](b)\n```\n",
            "```python\n>>> f[0](x)\n```\n\ngone\n\n```sh\nls [a](b)\n```\n",
        ),
    ],
)
def test_pictures_are_left_out_links_become_words_and_code_stays(readme, shown):
    assert described(readme) == shown


def test_nothing_in_it_needs_the_repository():
    html = MarkdownIt("commonmark").enable("table").render(described(README))
    assert "<img" not in html
    assert [link for link in re.findall(r'href="([^"]*)"', html) if not link.startswith("https://")] == []
    assert html.count("<h2>") >= 5
    assert html.count("<pre>") == README.count("```") // 2, "every block of code is whole"


def test_what_can_be_read_is_what_the_readme_says():
    """Word for word, without pictures."""

    def words(text):
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        blocks = [[leaf for leaf in token.children or [token] if leaf.type != "image"] for token in tokens]
        return "\n".join(
            "".join(" " if leaf.type == "softbreak" else leaf.content for leaf in leaves) for leaves in blocks
        ).split()

    assert words(described(README)) == words(README)
    assert len(words(README)) > 500


def test_no_maths_between_dollars():
    """An index shows it as it is written."""
    assert "$" not in README
