"""Every item of every group, at a scale that takes seconds: everything is run, drawn and estimated."""

import csv
import hashlib
import json
import math
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from legibility import drawn_words, letters_as_read, touching_words, words_on_curves
from recorded import check, drawn
from safetensors.numpy import load_file
from small_studies import Silent

import slotfree
from slotfree.cli.catalogue import EVERYTHING, GROUPS
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import in_style
from slotfree.files.dataset import read_dataset
from slotfree.runs.directory import opened
from slotfree.study.describe import described
from slotfree.study.outcome import Outcome
from slotfree.study.quote import quoted
from slotfree.study.reproduce import reproduce, settings_of
from slotfree.study.results import Results
from slotfree.study.scale import Scale
from slotfree.study.summary import made_items

pytestmark = pytest.mark.everything
HERE = Path(__file__).parent
WRITTEN = 6  # files of the figures that are written as SVG and PNG
TIMED = "billion"  # shows how long things take, which no two runs agree on
TINY = Scale("tiny", runs=2, n_stored=80, n_tested=40, iterations=200)  # fewer ages than the paper fits
# Their legends and labels stand where curves at full scale leave room.
PLACED_FOR_FULL_SCALE = {
    *("figS1", "figS13", "after", "fig7", "theorem2", "stackS4", "theoryK1", "theoryK2"),
    *("contextC1", "contextC2", "contextC3", "contextC4", "contextC5", "figS12", "theorem1"),
    "billion",
}


@dataclass(frozen=True)
class Made:
    """Items at the tiny scale: the directory, what came of them, what the progress was told, and how figures read."""

    out: Path
    outcome: Outcome
    progress: Silent
    read: dict[bytes, dict[str, object]]


@pytest.fixture(scope="module")
def made(request, tmp_path_factory):
    """All items; or, where only tests of some items were chosen, these.

    Of all figures but the first ones, it is only written how they read.
    """
    tests = [item for item in request.session.items if item.path == request.path and "made" in item.fixturenames]
    names = {test.callspec.params["name"] for test in tests if hasattr(test, "callspec")}
    if not all(hasattr(test, "callspec") for test in tests):
        names = EVERYTHING.names
    out = tmp_path_factory.mktemp("made")
    progress, files, read = Silent(), Picture.files, {}

    def written(picture):
        words = drawn_words(picture.figure)
        found = {
            "touching": touching_words(picture.figure, words),
            "on curves": words_on_curves(picture.figure, words),
            "letters": letters_as_read(picture.figure),
            "drawn": drawn(picture.figure),
        }
        whole = len(read) < WRITTEN
        for suffix, content in files(picture) if whole else [("svg", json.dumps(found).encode())]:
            read[content] = found
            yield suffix, content

    with patch.object(Picture, "files", written), opened(out, settings_of(TINY, 0), {"begun": "2026-01-01"}) as folder:
        outcome = reproduce(EVERYTHING, names, TINY, directory=folder, seed=0, jobs=2, progress=progress)
    return Made(out, outcome, progress, read)


def test_nothing_fails(made):
    assert not made.outcome.failures
    assert not made.outcome.unmade


def test_figures_are_written(made):
    pictures = sorted((made.out / "figures").glob("*.png"))
    assert pictures
    for path in pictures:
        assert path.read_bytes().startswith(b"\x89PNG")
        assert ET.parse(path.with_suffix(".svg")).getroot().tag.endswith("svg")


def tables_of(made, name):
    """The tables of an item: for each, its lines, and the sum of its numbers."""
    found = {}
    for path in sorted((made.out / "tables").glob("*.csv")):
        if path.stem == name or path.stem.startswith(f"{name}-"):
            rows = list(csv.reader(path.read_text().splitlines()))
            assert len(rows) > 1
            assert {len(row) for row in rows} == {len(rows[0])}
            numbers = [number(text) for row in rows for text in row]
            found[path.stem] = numbers_in([len(rows), sum(filter(math.isfinite, numbers))])
    return found


def number(text):
    try:
        return float(text)
    except ValueError:
        return 0.0


def numbers_in(value):
    """All numbers in nested objects and lists."""
    if isinstance(value, dict | list | tuple):
        return [
            number for part in (value.values() if isinstance(value, dict) else value) for number in numbers_in(part)
        ]
    return [float(f"{value:.6g}")] if isinstance(value, int | float) else []


@pytest.mark.parametrize("name", EVERYTHING.names)
def test_every_item_is_as_recorded(made, name):
    """Its settings at full scale, what it measures, and its tables."""
    (item,) = EVERYTHING.chosen([name])
    rows = [row for row in made.outcome.claims if row["item"] == name]
    assert all(row["verdict"] is None and row["claim"] and row["id"].startswith(f"{name}.") for row in rows)
    found = {
        "settings": digest([e.runs, *numbers_in(described(e.run))] for e in item.experiments),
        "claims": {row["id"].removeprefix(f"{name}."): numbers_in([row["measured"], row["limits"]]) for row in rows},
        "tables": tables_of(made, name),
    }
    if name == TIMED:
        found["claims"] = found["tables"] = {}
    check(HERE / "items.json", {name: found}, lambda key: key == name, tolerance=0.01)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # there is next to nothing to measure at the tiny scale
@pytest.mark.parametrize("name", [name for name in EVERYTHING.names if name != TIMED])
def test_every_figure_is_as_recorded(made, name):
    """What the figure of an item shows, the heads of its tables, and the small pictures of what it found."""
    found = {f"{name}{part}": what for part, what in shown_of(made, name, "drawn").items()}
    for stem in tables_of(made, name):
        found[f"table {name} {stem}"] = (made.out / "tables" / f"{stem}.csv").read_text().partition("\n")[0]
    findings = {each.picture: each for each in EVERYTHING.found() if each.draw and each.item == name}
    needed = [e.name for item in EVERYTHING.chosen([name]) for e in item.experiments if findings]
    data = {each: read_dataset(made.out / "data" / f"{each}.safetensors") for each in needed}
    for picture, finding in findings.items():
        with in_style():
            figure = finding.draw(Results(data, TINY, 0)).figure
            found |= {f"{picture}{part}": what for part, what in drawn(figure).items()}
    owners = {name, *findings}
    check(HERE / "figures.json", found, lambda key: key.removeprefix("table ").split()[0] in owners, tolerance=0.001)


def shown_of(made, name, what):
    """What was noted of the figure of an item, if it has one."""
    path = made.out / "figures" / f"{name}.svg"
    return made.read[path.read_bytes()][what] if path.exists() else {}


def digest(lists):
    text = "\n".join(" ".join(f"{each:.9g}" for each in numbers) for numbers in lists)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", EVERYTHING.names)
def test_a_figure_can_be_read(made, name):
    """Figure stackS2 names points whose distances depend on the scale."""
    figure = made.read[(made.out / "figures" / f"{name}.svg").read_bytes()]
    assert name == "stackS2" or figure["touching"] == []
    assert name in PLACED_FOR_FULL_SCALE or figure["on curves"] == []
    assert figure["letters"] == "".join(sorted(set(figure["letters"])))


def test_an_experiment_that_several_items_need_is_run_once(made):
    names = {e.name for item in EVERYTHING.chosen() for e in item.experiments}
    assert set(json.loads((made.out / "plan.json").read_text())["experiments"]) == names
    assert made.progress.said.count("kwinner-random") == TINY.runs
    assert len([i for i in EVERYTHING.chosen() if "kwinner-random" in {e.name for e in i.experiments}]) >= 4


def test_raw_results_are_labelled(made):
    data = load_file(made.out / "data" / "kwinner-tree-10.safetensors")
    assert data["accuracy"].shape == (TINY.runs, 2, 3, TINY.n_tested)
    assert data["age"].tolist() == list(range(1, TINY.n_tested + 1))
    np.testing.assert_array_equal(data["cue"], [1.0, 0.5])


def test_summaries_say_what_the_report_needs(made):
    for item in made_items(made.out)[0]:
        assert len(item["text"]) > 80
        assert len(item["alt"]) > 40
        assert item["title"]


def test_what_is_recorded_are_claims_that_exist(made):
    left_out = set(EVERYTHING.recorded) ^ {claim["id"] for claim in made.outcome.claims}
    assert all(name.startswith("theoryK2.f-wide-") for name in left_out), "a memory that a smaller scale does not have"


def test_findings_and_explanations_rest_on_claims_that_exist(made):
    claims = {claim["id"] for claim in made.outcome.claims}
    assert {claim for finding in EVERYTHING.found() for claim in finding.claims} <= claims
    notes = [note for item in made_items(made.out)[0] for note in item["explained"].values()]
    assert {name for note in notes for name in quoted(note)} <= claims


def test_every_file_of_an_item_is_in_its_study():
    room = Path(slotfree.__file__).parent
    listed = {name for names in GROUPS.values() for name in names}
    helpers = {"small", "theorem1_large", "theorem2_experiments", "theorem2_theory"}  # of items, and of findings
    for folder in ("paper/figures", "beyond"):
        files = {path.stem for path in (room / folder).iterdir() if not path.name.startswith("__")}
        assert files - helpers - {"findings", "shared", "verdicts"} <= listed, folder


def test_units_are_told_apart_by_all_that_matters():
    """Equal identities would share a file: every experiment, scale, seed and run has its own."""
    unique = {e.name: e for item in EVERYTHING.chosen() for e in item.experiments}.values()
    names = [unit.name for seed in (0, 1) for e in unique for unit in e.at(TINY).units(seed)]
    assert len(set(names)) == len(names)
    sized = [e for e in unique if e.at(TINY).run != e.run]
    assert sized
    assert all(e.at(TINY).units(0)[0].name != e.units(0)[0].name for e in sized)
