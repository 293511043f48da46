"""Pages about the paper: what the site makes of sentences, claims and findings, and what a run writes for it."""

import importlib.util
import io
import re
import sys

import numpy as np
import pytest
from docutils import nodes
from pages import DOCS, ROOT
from PIL import Image

from slotfree.paper import STUDY
from slotfree.report.found import told_of
from slotfree.study import Finding, Item, defines, follows, more, says, section, slip, unjudged
from slotfree.study.record import rows_in, tallies

MOST_BYTES = 4_000_000  # of all figures


def loaded(path):
    """A module of the documentation, which is no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sys.path.insert(0, str(DOCS / "_ext"))  # as conf.py does
pages = loaded(DOCS / "_ext" / "paper_pages.py")
write = loaded(DOCS / "paper" / "write.py")

A, B, C = (more(f"rain.{name}", lambda r: [0.0], 0, f"litres of {name}") for name in ("a", "b", "c-50%"))
MANY = [more(f"snow.{n}", lambda r: [0.0], 0, f"flakes {n}") for n in range(9)]
WET = says("It rains in W_K.", A, B, note="Mostly: {rain.a}.")
TEXT = {
    "s1": section(
        "1",
        WET,
        says("It pours.", C),
        follows("Streets are wet.", WET),
        defines("Rain is <water>.", held_by="tests/test_rain.py::test_water"),
    ),
    "si_a": section(
        "SI A",
        slip("It rians.", "it rains", "There is no such word."),
        unjudged("Rain is nice.", "an opinion"),
        says("It snows.", *MANY),
    ),
}


def row(name, verdict="confirmed", measured=0.25, interval=(0.2, 0.3)):
    found = {"measured": measured, "interval": list(interval), "limits": [0, None], "verdict": verdict}
    return {"id": name, "claim": f"litres of {name}", "source": "paper", "paper": "It rains.", **found}


@pytest.fixture
def paper():
    claims = [row("rain.a"), row("rain.b", "contradicted", -1, (-2, -0.5)), row("rain.c-50%", "inconclusive")]
    claims += [row(judge.name) for judge in MANY]
    rows = {one["id"]: one for one in [*claims, {**row("rain.ours", measured=3, interval=(3, 3)), "source": "ours"}]}
    finding = Finding(
        "rain", "It rains {rain.a}.", "At most {rain.a:high}.", (A,), table=(("what", "l"), ("it", "{rain.a}"))
    )
    item = Item("rain", "Rain", "What falls in n_h.", experiments=(), number="Figure 1")
    return pages.Paper({name: told_of(text, rows) for name, text in TEXT.items()}, [item], [finding], rows)


def link(page, at, shown):
    return nodes.reference("", "", *shown, refuri=f"{page}#{at}" if at else page)


def made(name, paper, *arguments):
    """What a directive puts into a page."""
    box = nodes.section()
    box += list(pages.DIRECTIVES[name](paper, link, *arguments))
    return box


def cells(box):
    return [[entry.astext() for entry in line.findall(nodes.entry)] for line in box.findall(nodes.row)]


def links(box):
    return [found["refuri"] for found in box.findall(nodes.reference)]


def test_results_are_counted_once_and_other_kinds_beside_them(paper):
    found = made("counts", paper)
    assert found[0].astext() == "Of 3 results of the paper, 1 is confirmed, 1 is contradicted and 1 is inconclusive."
    assert [count for _, count in cells(made("kinds", paper))[1:]] == ["3", "1", "1", "1", "1"]


def test_a_sentence_has_its_verdict_what_was_measured_and_why(paper):
    wet, pours, streets, water = made("text", paper, "s1").findall(nodes.container)
    pieces = [part.astext() for part in wet]
    assert pieces[:2] == ["“It rains in WK.”", "contradicted in part"]
    assert "litres of rain.a; measured 0.25 (0.2 to 0.3) rain.a" in pieces[2]
    assert "contradicted: litres of rain.b; measured −1 (−2 to −0.5) rain.b" in pieces[2]
    assert pieces[3] == "Mostly: 0.25."
    assert links(wet) == ["items/rain#rain-a", "items/rain#rain-b"]
    assert pours[1].astext() == "inconclusive: litres of rain.c-50%; measured 0.25 (0.2 to 0.3) rain.c-50%"
    assert [part.astext() for part in streets][1:] == ["follows", "Follows from “It rains in WK.”."]
    assert water[1].astext() == "by construction, held by test_rain.py::test_water"
    assert [box["ids"] for box in (wet, water)] == [["sentence-1"], ["sentence-4"]]


def test_of_many_confirmed_claims_some_are_listed(paper):
    *_, snows = made("text", paper, "si_a").findall(nodes.container)
    lines = [line.astext() for line in snows.findall(nodes.list_item)]
    assert len(lines) == pages.MOST_LISTED + 1
    assert lines[-1] == "3 more, confirmed: see snow"


def test_an_item_has_its_claims_with_links_both_ways(paper):
    found = made("item", paper, "rain")
    assert found[0].astext() == "What falls in nh."
    assert cells(found)[1:] == [
        ["litres of rain.a", "1", "0.25 (0.2 to 0.3)", "from 0", "confirmed"],
        ["litres of rain.b", "1", "−1 (−2 to −0.5)", "from 0", "contradicted"],
        ["litres of rain.c-50%", "1", "0.25 (0.2 to 0.3)", "from 0", "inconclusive"],
        ["litres of rain.ours", "ours", "3", "from 0", "confirmed"],
    ]
    assert links(found) == ["text/s1#sentence-1", "text/s1#sentence-1", "text/s1#sentence-2"]
    assert next(found.findall(nodes.tbody))[2]["ids"] == ["rain-c-50"]
    assert cells(made("items", paper))[1] == ["rain", "Figure 1: Rain", "2", "1", "1"]


def test_findings_have_the_numbers_of_the_run(paper):
    found = made("findings", paper)
    assert [part.astext() for part in found[0]][:2] == ["It rains 0.25.", "At most 0.3."]
    assert cells(found) == [["what", "l"], ["it", "0.25"]]
    assert links(found) == ["items/rain#rain-a"]
    (line,) = made("finding-lines", paper).findall(nodes.list_item)
    assert line.astext() == "It rains 0.25. (more)"
    assert links(line) == ["findings#finding-rain"]
    assert found[0]["ids"] == ["finding-rain"]


def test_lists_of_what_is_not_confirmed_slips_constructions_and_what_is_not_judged(paper):
    shown = [one.astext() for one in made("unconfirmed", paper).findall(nodes.list_item)]
    assert shown == ["contradicted in part “It rains in WK.” 1\n\nMostly: 0.25.", "inconclusive “It pours.” 1"]
    assert cells(made("errata", paper))[1:] == [["SI A", "It rians.", "it rains", "There is no such word."]]
    assert cells(made("construction", paper, "s1"))[1:] == [["1", "Rain is <water>.", "test_rain.py::test_water"]]
    assert cells(made("construction", paper, "si_a"))[1:] == []
    assert cells(made("unjudged", paper))[1:] == [["SI A", "Rain is nice.", "an opinion"]]


def test_parts_of_the_paper_are_counted(paper, monkeypatch):
    monkeypatch.setattr(pages, "title_of", str.upper)
    rows = [["S1", "–", "1", "1"], ["SI_A", "1", "–", "–"], ["all", "1", "1", "1"]]
    assert cells(made("sections", paper))[1:] == rows


def test_every_part_item_and_construction_has_its_page():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "paper" / "text").glob("*.md")}
    assert set(texts) == set(pages.paper().text)
    assert all(f"```{{paper-text}} {name}\n" in text for name, text in texts.items())
    items = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "paper" / "items").glob("*.md")}
    assert items == {item.name: write.page_of(item) for item in STUDY.chosen()}, "run make verdicts"
    lists = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "paper").glob("construction*.md"))
    parts = re.findall(r"```\{paper-construction\} (\w+)", lists)
    for name, told in pages.paper().text.items():
        if any(one.sentence.kind == "construction" for one in told):
            assert sum(name.startswith(part) for part in parts) == 1, name


def test_there_is_a_picture_of_each_item_and_finding():
    drawn = {item.name for item in STUDY.chosen() if item.draw} | {each.picture for each in STUDY.found() if each.draw}
    assert {path.stem for path in (DOCS / "paper" / "figures").iterdir()} == drawn, "run make verdicts"
    assert sum(path.stat().st_size for path in (DOCS / "paper" / "figures").iterdir()) < MOST_BYTES


def test_the_readme_has_the_counts_of_the_record():
    (tally,) = tallies(rows_in("slotfree.paper"), STUDY.sentences())
    assert tally.sentence in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def test_pictures_become_smaller_and_look_the_same():
    rng = np.random.default_rng(0)
    shades = np.linspace(0, 255, 400).astype(np.uint8)
    pixels = np.stack([np.broadcast_to(shades, (60, 400)), *rng.integers(0, 3, (2, 60, 400), np.uint8)], axis=2)
    transparent = np.full((60, 400, 1), 255, np.uint8)
    transparent[:10] = 0
    content = io.BytesIO()
    Image.fromarray(np.concatenate([pixels, transparent], axis=2)).save(content, "PNG")
    small = write.smaller(content.getvalue())
    assert len(small) < len(content.getvalue())
    assert write.smaller(content.getvalue()) == small
    shown = np.asarray(Image.open(io.BytesIO(small)).convert("RGB")).astype(int)
    assert (shown[:10] == 255).all()
    assert abs(shown[10:] - pixels[10:]).max() <= 8


def test_a_run_s_pictures_and_pages_replace_those_of_another(tmp_path):
    (tmp_path / "results" / "figures").mkdir(parents=True)
    Image.new("RGB", (4, 3), "red").save(tmp_path / "results" / "figures" / "rain.png")
    folder = tmp_path / "paper"
    for old in ("items/snow.md", "figures/snow.png", "text/s1.md"):
        (folder / old).parent.mkdir(parents=True)
        (folder / old).write_text("old")
    item = Item("rain", "Rain", "What falls.", experiments=(), draw=print, alt="Drops.", number="Figure 1")
    assert write.write(tmp_path / "results", folder, [item], ["rain"]) == 2
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.*")} == {
        "items/rain.md",
        "figures/rain.png",
        "text/s1.md",
    }
    assert (folder / "items" / "rain.md").read_text().startswith("# Figure 1: Rain\n\n![Drops.](../figures/rain.png)\n")
    assert Image.open(folder / "figures" / "rain.png").convert("RGB").getpixel((0, 0)) == (255, 0, 0)
