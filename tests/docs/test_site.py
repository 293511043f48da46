"""The site is whole: links, pictures and their words, search, no network, and no page wider than a phone."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

import pytest
from browser import visited
from pages import DOCS

import slotfree as sf

MOST_BYTES = 60_000  # of a page about the paper
WIDTHS = (1300, 390)  # of a desk, and of a phone, in pixels


class Page(HTMLParser):
    """What a page links, loads and names, and the pictures it shows."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.names, self.pictures = [], [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names.update(filter(None, (given.get("id"), given.get("name"))))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("img", "script", "iframe", "source") and given.get("src"):
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") not in ("canonical", "search", "index", "next", "prev"):
            self.loaded.append(given["href"])
        if tag == "img":
            self.pictures.append((given.get("src", "")[:80], (given.get("alt") or "").strip()))


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html")}


def test_there_is_a_page_for_each_page(site):
    for path in DOCS.rglob("*.md"):
        assert (site / path.relative_to(DOCS).with_suffix(".html")).exists()


def test_pages_about_the_paper_are_small(site):
    sizes = {path.name: path.stat().st_size for path in (site / "paper").rglob("*.html")}
    assert len(sizes) > 50
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}


def test_nothing_is_left_beside_the_site(site):
    assert sorted(path.name for path in site.parent.iterdir()) == ["doctrees", "site"]


def test_pages_load_only_what_is_there(site, pages):
    for path, page in pages.items():
        for address in page.loaded:
            if not address.startswith("data:"):
                assert "//" not in address, f"{path.name} loads {address}"
                assert (path.parent / unquote(address.split("?")[0])).exists(), f"{path.name} loads {address}"


def test_links_lead_somewhere(site, pages):
    resolved = {path.resolve(): page for path, page in pages.items()}
    for path, page in pages.items():
        for link in page.links:
            address, name = urldefrag(unquote(link))
            if re.match(r"[a-z]+:", address):
                continue
            target = (path.parent / address).resolve() if address else path.resolve()
            assert target.exists(), f"{path.relative_to(site)} links {link}"
            if name and target in resolved:
                assert name in resolved[target].names, f"{path.relative_to(site)} links {link}"


def test_every_picture_has_words(site, pages):
    shown = [(path.name, *picture) for path, page in pages.items() for picture in page.pictures]
    assert len(shown) > 30
    assert [picture for picture in shown if len(picture[2]) < 20] == []


def test_no_output_of_a_notebook_is_an_error_or_a_warning(site):
    for path in (site / "tutorials").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "Traceback" not in text, path.name
        assert not re.search(r"\w+Warning:", text), path.name


def test_every_public_name_is_in_the_reference(site):
    described = "".join(path.read_text(encoding="utf-8") for path in (site / "reference" / "api").glob("*.html"))
    names = [f"slotfree.{name}" for name in sf.__all__]
    names += [f"slotfree.{room}.{name}" for room in ("study", "drawing") for name in getattr(sf, room).__all__]
    kinds = [kind for kind in sf.memory.memories().values() if kind.__module__.startswith("slotfree.memory.")]
    names += [f"slotfree.memory.{kind.__name__}" for kind in kinds if kind.__name__ not in sf.__all__]
    assert len(names) > 45
    assert [name for name in names if f'id="{name}"' not in described] == []


def test_no_markup_of_docstrings_is_left(site):
    for path in (site / "reference" / "api").glob("*.html"):
        assert not re.search(r"\*\w\*<sub>|:sub:|\\ ", path.read_text(encoding="utf-8")), path.name


def test_every_command_is_in_the_reference(site):
    from slotfree.cli.main import cli

    text = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    for name, command in cli.commands.items():
        assert f"slotfree {name}" in text
        for option in (option for parameter in command.params for option in parameter.opts if option.startswith("--")):
            assert option in text, f"{name} {option}"


def test_the_search_index_knows_the_words_of_the_field(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    known = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    assert {"retent", "cue", "shard"} <= set(known["terms"])
    assert "tutorials/forgetting" in known["docnames"]


def test_pages_open_without_a_network_and_fit_the_window(site, pages, browser):
    too_wide = []
    with visited(browser, (site / "index.html").as_uri()) as visit:
        for path in pages:
            visit.page.goto(path.as_uri())
            for width in WIDTHS:
                visit.page.set_viewport_size({"width": width, "height": 800})
                wide = visit.page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    too_wide.append((str(path.relative_to(site)), wide))
        assert too_wide == []
        assert [url for url in visit.asked if not url.startswith(("file:", "data:", "blob:"))] == []
        assert visit.complaints == []


def test_the_search_finds_pages(site, browser):
    with visited(browser, f"{(site / 'search.html').as_uri()}?q=half-life") as visit:
        visit.page.wait_for_selector("#search-results li a[href*='explained/map.html']")  # results come one by one
