"""Every item of every group, at a scale that takes seconds: everything is run, drawn and estimated."""

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest.mock import patch

import matplotlib as mpl
import numpy as np
import pytest
from legibility import letters_as_read, touching_words, words_on_curves
from recorded import check, drawn
from safetensors.numpy import load_file
from small_studies import Silent

import slotfree
from slotfree.cli.catalogue import EVERYTHING, GROUPS
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import STYLE
from slotfree.runs.directory import opened
from slotfree.study.quote import quoted
from slotfree.study.reproduce import reproduce, settings_of
from slotfree.study.scale import Scale
from slotfree.study.summary import made_items

pytestmark = pytest.mark.everything
TINY = Scale("tiny", runs=4, n_stored=120, n_tested=60, iterations=300)  # fewer ages than the paper fits
# Their legends and labels stand where curves at full scale leave room.
PLACED_FOR_FULL_SCALE = {
    *("figS1", "figS13", "after", "fig7", "theorem2", "stackS4", "theoryK1", "theoryK2"),
    *("contextC2", "contextC4", "contextC5"),
    "billion",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Everything at the tiny scale: directory, what came of it, progress, and the figures by item."""
    out = tmp_path_factory.mktemp("made")
    progress, drawn, files = Silent(), {}, Picture.files

    def kept(picture):
        for suffix, content in files(picture):
            drawn[content] = picture.figure
            yield suffix, content

    with patch.object(Picture, "files", kept), opened(out, settings_of(TINY, 0), {"begun": "2026-01-01"}) as directory:
        outcome = reproduce(EVERYTHING, (), TINY, directory=directory, seed=0, jobs=2, progress=progress)
    figures = {name: drawn[(out / "figures" / f"{name}.png").read_bytes()] for name in EVERYTHING.names}
    return out, outcome, progress, figures


def test_nothing_fails(made):
    _, outcome, _, _ = made
    assert not outcome.failures
    assert not outcome.unmade


@pytest.mark.parametrize("name", EVERYTHING.names)
def test_every_item_has_its_figure_its_table_and_estimates_without_verdicts(made, name):
    out, outcome, _, _ = made
    assert (out / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert ET.parse(out / "figures" / f"{name}.svg").getroot().tag.endswith("svg")
    rows = list(csv.reader((out / "tables" / f"{name}.csv").read_text().splitlines()))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}
    for claim in (claim for claim in outcome.claims if claim["item"] == name):
        assert claim["id"].startswith(f"{name}.")
        assert claim["verdict"] is None
        assert claim["claim"]


@pytest.mark.parametrize("name", [name for name in EVERYTHING.names if name != "stackS2"])
def test_no_words_of_a_figure_touch_each_other(made, name):
    """Figure stackS2 names points whose distances depend on the scale."""
    with mpl.rc_context(STYLE):
        assert touching_words(made[-1][name]) == []


@pytest.mark.parametrize("name", [name for name in EVERYTHING.names if name not in PLACED_FOR_FULL_SCALE])
def test_no_words_of_a_figure_lie_on_a_curve(made, name):
    with mpl.rc_context(STYLE):
        assert words_on_curves(made[-1][name]) == []


@pytest.mark.parametrize("name", EVERYTHING.names)
def test_panels_have_their_letters_in_the_order_in_which_they_are_read(made, name):
    letters = letters_as_read(made[-1][name])
    assert letters == "".join(sorted(letters))
    assert len(set(letters)) == len(letters)


def test_figures_of_the_paper_are_as_recorded(made):
    figures = {name: made[-1][name] for name in GROUPS["paper"]}
    found = {f"{name}{part}": shown for name, figure in figures.items() for part, shown in drawn(figure).items()}
    for path in sorted((made[0] / "tables").glob("*.csv")):
        if path.stem.startswith(GROUPS["paper"]):
            found[f"table {path.stem}"] = path.read_text().partition("\n")[0]
    check(Path(__file__).parent / "paper/figures.json", found, "tests/test_everything.py -k recorded")


def test_an_experiment_that_several_items_need_is_run_once(made):
    out, _, progress, _ = made
    names = {e.name for item in EVERYTHING.chosen() for e in item.experiments}
    assert set(json.loads((out / "plan.json").read_text())["experiments"]) == names
    assert progress.said.count("kwinner-random") == 4
    assert len([i for i in EVERYTHING.chosen() if "kwinner-random" in {e.name for e in i.experiments}]) >= 4


def test_raw_results_are_labelled(made):
    out, _, _, _ = made
    data = load_file(out / "data" / "kwinner-tree-10.safetensors")
    assert data["accuracy"].shape == (4, 2, 3, TINY.n_tested)
    assert data["age"].tolist() == list(range(1, TINY.n_tested + 1))
    np.testing.assert_array_equal(data["cue"], [1.0, 0.5])


def test_summaries_say_what_the_report_needs(made):
    out, _, _, _ = made
    for item in made_items(out)[0]:
        assert len(item["text"]) > 80
        assert len(item["alt"]) > 40
        assert item["title"]


def test_what_is_recorded_are_claims_that_exist(made):
    _, outcome, _, _ = made
    left_out = set(EVERYTHING.recorded) ^ {claim["id"] for claim in outcome.claims}
    assert all(name.startswith("theoryK2.f-wide-") for name in left_out), "a memory that a smaller scale does not have"


def test_findings_and_explanations_rest_on_claims_that_exist(made):
    out, outcome, _, _ = made
    claims = {claim["id"] for claim in outcome.claims}
    assert {claim for finding in EVERYTHING.found() for claim in finding.claims} <= claims
    notes = [note for item in made_items(out)[0] for note in item["explained"].values()]
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
