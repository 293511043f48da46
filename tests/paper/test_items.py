import csv
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file
from tiny import TINY, reproduce

from slotfree.paper import items, scale
from slotfree.paper.claims import Claims
from slotfree.paper.reproduce import units_of
from slotfree.paper.retention_runs import RetentionRuns


@pytest.mark.parametrize("name", items.NAMES)
def test_every_item_has_its_figure_table_and_claims(made, name):
    out, claims, _ = made
    assert (out / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    drawing = ET.parse(out / "figures" / f"{name}.svg").getroot()
    assert drawing.tag.endswith("svg")
    rows = list(csv.reader((out / "tables" / f"{name}.csv").read_text().splitlines()))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}
    own = [claim for claim in claims if claim.item == name]
    assert own
    assert all(claim.id.startswith(f"{name}.") and claim.claim.endswith("[tiny scale]") for claim in own)


def test_claims_are_written_as_the_design_says(made):
    out, claims, _ = made
    written = json.loads((out / "claims.json").read_text())
    assert len(written) == len(claims) == len({claim["id"] for claim in written})
    for claim in written:
        assert list(claim) == ["id", "item", "claim", "paper", "measured", "interval", "holds"]
        assert isinstance(claim["holds"], bool)
        assert claim["interval"] is None or len(claim["interval"]) == 2
        assert claim["claim"]
        assert claim["paper"] is not None


def test_what_does_not_depend_on_the_scale_holds_at_any(made):
    _, claims, _ = made
    held = {claim.id for claim in claims if claim.holds}
    assert {"fig4.perfect-100%", "fig4.perfect-50%", "figS4.flips", "figS4.leaves", "theorem1.least-cue"} <= held
    assert {"figS1.theory-C-100%", "figS1.theory-C-50%", "theorem1.grid-exact-baseline"} <= held


def test_raw_results_are_labelled(made):
    out, _, _ = made
    data = load_file(out / "data" / "kwinner-tree-10.safetensors")
    assert data["accuracy"].shape == (6, 2, 3, 400)
    assert data["age"].tolist() == list(range(1, 401))
    assert data["cue"].tolist() == [1.0, 0.5]


def test_progress_ends_where_it_was_to_end(made):
    _, _, progress = made
    np.testing.assert_allclose(progress.done, progress.total)
    assert {"kwinner-random", "fig4", "theorem1"} <= set(progress.said)


def test_an_experiment_that_several_items_need_is_run_once(made):
    _, _, progress = made
    assert progress.said.count("kwinner-random") == 1
    wanting = [name for name in items.NAMES if "kwinner-random" in {e.name for e in items.load(name).experiments}]
    assert len(wanting) >= 4


def test_equal_names_mean_equal_experiments():
    found = {}
    for name in items.NAMES:
        for experiment in items.load(name).experiments:
            assert found.setdefault(experiment.name, experiment) == experiment


def contents(out):
    """What is written, but for how long units took and in which order files were begun, which are no results."""
    files = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    apart = ("units", "items", ".slotfree-files")
    return {path: content for path, content in files.items() if path.parts[0] not in apart}


SMALL = replace(TINY, n_stored=120, n_tested=100, n_nodes=1200)


def test_any_number_of_workers_writes_the_same_bytes(tmp_path):
    chosen = [items.load("figS6"), items.load("figS4"), items.load("figS9")]
    for jobs in (1, 2, 8):
        reproduce(chosen, SMALL, tmp_path / str(jobs), 3, jobs)
    first = contents(tmp_path / "1")
    for jobs in (2, 8):
        others = contents(tmp_path / str(jobs))
        assert others.keys() == first.keys()
        for path, content in first.items():
            assert others[path] == content, path


def test_running_again_repeats_nothing_and_writes_the_same_bytes(tmp_path, monkeypatch):
    chosen = [items.load("figS9"), items.load("figS4")]
    reproduce(chosen, SMALL, tmp_path, 3)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.setattr("slotfree.runs.work.timed", None)  # nothing may be run
    outcome, progress = reproduce(chosen, SMALL, tmp_path, 3)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert outcome.claims
    np.testing.assert_allclose(progress.total, sum(item.seconds for item in chosen))


def test_items_made_later_join_those_that_are_there(tmp_path):
    reproduce([items.load("figS9")], SMALL, tmp_path)
    outcome, _ = reproduce([items.load("figS4")], SMALL, tmp_path)
    assert {claim.item for claim in outcome.claims} == {"figS4"}
    written = json.loads((tmp_path / "claims.json").read_text())
    assert [claim["item"] for claim in written] == sorted((c["item"] for c in written), key=items.NAMES.index)
    assert {claim["item"] for claim in written} == {"figS4", "figS9"}


def test_a_failing_unit_is_told_with_its_settings_and_the_rest_finishes(tmp_path):
    bad = RetentionRuns("bad", items.load("fig4").experiments[0].settings, n_flips=10)
    item = items.Item("figS5", "", (bad,), items.load("figS4").make)
    outcome, _ = reproduce([item, items.load("figS4")], replace(TINY, n_nodes=100), tmp_path)
    assert len(outcome.failures) == bad.count(TINY)
    assert "n_nodes must be larger" in str(outcome.failures[0].error)
    assert '"n_flips": 10' in outcome.failures[0].unit.text
    assert {claim.item for claim in outcome.claims} == {"figS4"}
    assert (tmp_path / "figures" / "figS4.svg").exists()
    assert not (tmp_path / "figures" / "figS5.svg").exists()


@pytest.mark.parametrize("size", [scale.SCALES["quick"], TINY], ids=["quick", "tiny"])
def test_units_are_told_apart_by_all_that_matters(size):
    """Equal identities would share a file: every experiment, seed and run has its own."""
    unique = {e.name: e for name in items.NAMES for e in items.load(name).experiments}.values()
    names = [unit.name for seed in (0, 1) for e in unique for unit in units_of(e, size, seed)]
    assert len(set(names)) == len(names) == 2 * sum(e.count(size) for e in unique)


def test_units_of_another_size_are_others():
    experiment = next(e for e in items.load("fig4").experiments if e.name == "kwinner-random")
    small, large = (units_of(experiment, size, 0)[0].name for size in (SMALL, TINY))
    assert small != large


def test_scales():
    paper = scale.SCALES["paper"]
    assert (paper.samples, paper.runs_per_sample, paper.n_stored, paper.n_tested) == (10, 20, 4000, 1000)
    assert (paper.accuracy_runs, paper.n_nodes, paper.is_paper) == (100, 14_000, True)
    assert not scale.SCALES["quick"].is_paper


def test_unknown_items_are_refused():
    with pytest.raises(ValueError, match=r"item must be one of fig4, figS1, .* not 'fig5'"):
        items.load("fig5")


def test_claims_about_printed_numbers_can_fail():
    claims = Claims("x")
    for printed in (0.5, 0.53, 0.6):
        claims.agrees(f"{printed}", "", paper=printed, measured=0.5, spread=0.01, rounding=0.0005)
    assert [claim.holds for claim in claims.all] == [True, True, False]
    np.testing.assert_allclose(claims.all[0].interval, [0.5 - 0.03693, 0.5 + 0.03693], atol=1e-5)
