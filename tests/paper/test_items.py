import csv
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file
from tiny import TINY, Silent

from slotfree.paper import items, scale
from slotfree.paper.claims import Claims
from slotfree.paper.figS4 import layout
from slotfree.paper.figS5 import in_tree_order
from slotfree.paper.reproduce import reproduce
from slotfree.paper.retention_runs import RetentionRuns
from slotfree.patterns.tree import PatternTree


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


def test_any_number_of_workers_writes_the_same_bytes(tmp_path):
    small = replace(TINY, n_stored=120, n_tested=100, n_nodes=1200)
    chosen = [replace(items.load("figS6")), items.load("figS4")]
    contents = []
    for jobs in (1, 2, 8):
        out = tmp_path / str(jobs)
        reproduce(chosen, small, out=out, seed=3, jobs=jobs, progress=Silent())
        contents.append({path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    assert contents[0].keys() == contents[1].keys() == contents[2].keys()
    for path, content in contents[0].items():
        assert contents[1][path] == content, path
        assert contents[2][path] == content, path


def test_a_failing_unit_stops_everything_with_its_error(tmp_path):
    bad = RetentionRuns("bad", items.load("fig4").experiments[0].settings, n_flips=10)
    item = items.Item("figS4", "", (bad,), items.load("figS4").make)
    with pytest.raises(ValueError, match="n_nodes must be larger"):
        reproduce([item], replace(TINY, n_nodes=100), out=tmp_path, seed=0, jobs=2, progress=Silent())
    assert not (tmp_path / "claims.json").exists()


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


def test_leaves_in_tree_order_keep_families_together():
    tree = PatternTree.grow(n_nodes=200, n_visible=20, k_visible=5, n_flips=1, seed=0)
    order = in_tree_order(tree)
    assert sorted(order) == tree.leaves.tolist()
    for node in range(200):
        family = [node in ancestors(tree, leaf) for leaf in order]
        assert np.abs(np.diff([False, *family, False])).sum() in (0, 2), "the leaves below a node stand together"


def ancestors(tree, node):
    line = {node}
    while tree.parent[node] >= 0:
        node = tree.parent[node]
        line.add(node)
    return line


def test_a_drawn_tree_has_no_two_nodes_at_one_place():
    tree = PatternTree.grow(n_nodes=60, n_visible=5, k_visible=3, n_flips=1, seed=2)
    x, depth = layout(tree.parent)
    assert len(set(zip(x, depth, strict=True))) == 60
    assert (depth[1:] == depth[tree.parent[1:]] + 1).all()
