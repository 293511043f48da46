"""The pages about the paper: each item with its figure and its claims, findings, and links that lead somewhere."""

import io
import re
import subprocess
import sys
from functools import cache
from urllib.parse import unquote

import numpy as np
import pytest
from PIL import Image
from written_pages import PAGES, Tables, claim, made

from slotfree.paper import MEMORY, STUDY
from slotfree.paper.findings import FINDINGS
from slotfree.paper.pages.__main__ import written
from slotfree.paper.pages.figures import figure_pages
from slotfree.paper.pages.findings import findings_page
from slotfree.paper.pages.pictures import smaller
from slotfree.paper.pages.run import Run
from slotfree.runs.manifest import write_manifest
from slotfree.study.finding import Finding
from slotfree.study.reproduce import settings_of
from slotfree.study.scale import SCALES

WRITTEN = [*PAGES.glob("*.md"), *PAGES.glob("coverage/*.md")]
MOST_BYTES = 4_000_000  # of all figures


@cache
def anchors_of(page):
    """Where links to a page can lead."""
    text = page.read_text(encoding="utf-8")
    return Tables(text).ids | {label.lower() for label in re.findall(r"^\((\w+)\)=$", text, re.MULTILINE)}


def test_every_item_has_a_figure_with_its_caption_and_alternative_text():
    text = "".join((PAGES / f"{name}.md").read_text(encoding="utf-8") for name in ("memory", "attention"))
    sections = dict(re.findall(r"\n\((\w+)\)=\n(.*?)(?=\n\(\w+\)=\n|\Z)", text, re.DOTALL))
    assert set(sections) == set(STUDY.names)
    for item in STUDY.chosen():
        assert f"figures/{item.name}.png" in sections[item.name]
        assert f":alt: {item.alt}\n" in sections[item.name], f"{item.name}: run make coverage"
        assert f"slotfree reproduce {item.name} " in sections[item.name]
    assert {path.stem for path in (PAGES / "figures").glob("*")} == set(STUDY.names)
    assert sum(path.stat().st_size for path in (PAGES / "figures").glob("*.png")) < MOST_BYTES


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.stem)
def test_html_links_of_the_written_pages_lead_to_something(page):
    shown = Tables(page.read_text(encoding="utf-8"))
    for target in shown.targets:
        path, _, anchor = target.partition("#")
        other = (page.parent / path.replace(".html", ".md")) if path else page
        assert other.exists(), target
        assert not anchor or unquote(anchor) in anchors_of(other.resolve()), target


def test_an_item_shows_its_verdicts_and_why_they_are_what_they_are():
    bad = claim("fig4.b-50%", "contradicted", 0.5, (0.4, 0.6), limits=[None, 0.1], paper=0.05)
    ours = claim("fig4.c", source="ours", paper="")
    item = made("fig4", [claim("fig4.a"), bad, ours], explained={"fig4.b-50%": "Because of n_h: {measured}."})
    other = made("fig7", title="On $n$ and W_K *", runs=0)
    pages = figure_pages(Run((item, other)))
    text = pages["memory.md"]
    assert ":alt: A picture.\n" in text
    words = re.sub(r"<[^>]+>", "", text)
    assert "2 claims of the paper: 1 confirmed, 1 contradicted. 1 claim of our own: 1 confirmed." in words
    assert "The paper: 0.05. Measured: 0.5 (0.4 to 0.6); needed: up to 0.1." in words
    assert "Because of nh: 0.5." in words
    assert "1,200 runs in 90 s of one core" in words
    assert [row[-1] for row in Tables(text).rows[1:]] == ["confirmed", "contradicted", "confirmed"]
    assert {"fig4.a", "fig4.b-50%", "fig4.c"} <= Tables(text).ids
    assert r"On \$n\$ and <i>W</i><sub>K</sub> \*" in pages["attention.md"]
    assert "runs" not in pages["attention.md"].partition("Run it again")[2].partition("`")[0]
    assert Tables(pages["figures.md"]).rows[1][2:] == ["3, of these 1 contradicted", "1,200", "1.5"]


def test_findings_have_the_numbers_of_the_run():
    found = Finding("It is {fig4.a}.", "At most {fig4.a:high}.", ("fig4.a",), (("what", "ours"), ("it", "{fig4.a}")))
    text = findings_page(Run((made("fig4", [claim("fig4.a", recorded="confirmed")]),)), [found])["findings.md"]
    assert "It is 0.25." in text
    assert "At most 0.3." in text
    assert Tables(text).rows == [["what", "ours"], ["it", "0.25"]]
    with pytest.raises(SystemExit, match="does not show a finding"):
        findings_page(Run((made("fig4", [claim("fig4.a", recorded="contradicted")]),)), [found])


def test_the_written_page_has_all_findings():
    assert (PAGES / "findings.md").read_text(encoding="utf-8").count('class="finding"') == len(FINDINGS)


def test_pictures_become_smaller_and_look_the_same():
    rng = np.random.default_rng(0)
    shades = np.linspace(0, 255, 400).astype(np.uint8)
    pixels = np.stack([np.broadcast_to(shades, (60, 400)), *rng.integers(0, 3, (2, 60, 400), np.uint8)], axis=2)
    transparent = np.full((60, 400, 1), 255, np.uint8)
    transparent[:10] = 0
    content = io.BytesIO()
    Image.fromarray(np.concatenate([pixels, transparent], axis=2)).save(content, "PNG")
    small = smaller(content.getvalue())
    assert len(small) < len(content.getvalue())
    assert smaller(content.getvalue()) == small
    shown = np.asarray(Image.open(io.BytesIO(small)).convert("RGB")).astype(int)
    assert (shown[:10] == 255).all()
    assert abs(shown[10:] - pixels[10:]).max() <= 8


@pytest.mark.parametrize(
    ("scale", "seed", "message"),
    [("paper", 0, "has no fig1, "), ("paper", 1, "results of another run"), ("quick", 0, "results of another run")],
)
def test_pages_are_written_from_a_whole_run_at_the_paper_s_scale_with_the_recorded_seed(tmp_path, scale, seed, message):
    write_manifest(tmp_path, settings_of(SCALES[scale], seed), {"begun": "2026-01-01"})
    command = [sys.executable, "-m", "slotfree.paper.pages", str(tmp_path), str(tmp_path / "pages")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, encoding="utf-8")
    assert result.returncode == 1
    assert message in result.stderr
    assert not (tmp_path / "pages").exists()


def test_pages_and_pictures_are_written_from_a_run(tmp_path, monkeypatch):
    content = io.BytesIO()
    Image.new("RGB", (4, 3), "red").save(content, "PNG")
    whole = Run((made("fig4", [claim("fig4.a")]), made("fig7")))
    monkeypatch.setattr(Run, "picture", lambda run, item: content.getvalue())
    monkeypatch.setattr("slotfree.paper.pages.__main__.read_run", lambda results: whole)
    monkeypatch.setattr("slotfree.paper.pages.__main__.coverage_pages", lambda run: {"coverage/one.md": "One.\n"})
    monkeypatch.setattr("slotfree.paper.pages.__main__.findings_page", lambda run: {"findings.md": "Found.\n"})
    assert written(tmp_path / "results", tmp_path / "paper") == 7
    names = {str(path.relative_to(tmp_path / "paper")) for path in (tmp_path / "paper").rglob("*.*")}
    pages = {"memory.md", "attention.md", "figures.md", "findings.md", "coverage/one.md"}
    assert names == pages | {"figures/fig4.png", "figures/fig7.png"}
    assert Image.open(tmp_path / "paper" / "figures" / "fig4.png").convert("RGB").getpixel((0, 0)) == (255, 0, 0)
    assert (tmp_path / "paper" / "coverage" / "one.md").read_text() == "One.\n"


def test_memory_and_attention_are_two_pages():
    items = re.findall(r"^\((\w+)\)=$", (PAGES / "memory.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert items == list(MEMORY)
