import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from small_sweeps import MEMORY, TRANSFORMER, run

from slotfree.attention.training import TrainingPlan
from slotfree.drawing.picture import Picture
from slotfree.files.dataset import read_dataset
from slotfree.forgetting import protocol
from slotfree.runs.clean import clean
from slotfree.runs.errors import DirectoryError
from slotfree.runs.seeds import seed_for
from slotfree.study.plan import plan_of, status_of
from slotfree.sweep.grid import points_of, sweep_from
from slotfree.sweep.kinds import KINDS
from slotfree.sweep.run import experiments_of


@pytest.fixture
def undrawn(monkeypatch):
    """Plots that take no time, for tests that do not look at them."""
    blank = {name: replace(kind, draw=lambda *_: Picture(width=1, height=1)) for name, kind in KINDS.items()}
    monkeypatch.setattr("slotfree.sweep.run.KINDS", blank)


@pytest.fixture
def calls(monkeypatch):
    """What is run, counted; a run whose number is in ``calls.broken`` fails."""

    class Calls(list):
        broken = ()

    found = Calls()
    for kind in (protocol.Run, TrainingPlan):

        def counted(self, seed, *rest, call=kind.__call__):
            found.append(seed.spawn_key)
            if len(found) in found.broken:
                raise OSError("the worker died")
            return call(self, seed, *rest)

        monkeypatch.setattr(kind, "__call__", counted)
    return found


def by_point(path, variable="accuracy"):
    data = read_dataset(path / "sweep.safetensors")
    names = [name for name, values in data.coords.items() if values.dims == ("point",)]
    keys = zip(*(data[name].values.tolist() for name in names), strict=True)
    return dict(zip(keys, data[variable].values, strict=True))


@pytest.mark.usefixtures("undrawn")
def test_a_memory_sweep_is_the_retention_protocol_of_each_point(tmp_path):
    run(tmp_path, MEMORY)
    data = read_dataset(tmp_path / "sweep.safetensors")
    assert data["accuracy"].dims == ("point", "run", "cue", "kind", "age")
    assert data["k_hidden"].values.tolist() == [3, 3, 6, 6]
    assert data["learning_rate"].values.tolist() == [0.3, 1, 0.3, 1]
    assert data["cue"].values.tolist() == [1.0, 0.5]
    points, _ = points_of(sweep_from(MEMORY))
    settings = {"n_visible": 40, "n_hidden": 30, "k_visible": 6, "fan_in": 0.5, "k_hidden": 6, "learning_rate": 0.3}
    direct = protocol.plan_run(settings, None, (1.0, 0.5), ("real", "pseudo"), 30, 12)
    for number in range(3):
        expected = direct(seed_for(0, "sweep", "memory", points[2].text, number))["accuracy"]
        np.testing.assert_array_equal(data["accuracy"].isel(point=2, run=number), expected)


@pytest.mark.parametrize(
    ("entries", "fewer"),
    [(MEMORY, {"k_hidden": [9, 6], "learning_rate": 1}), (TRANSFORMER, {"key_rule": ["mhn", "fixed"]})],
    ids=["memory", "transformer"],
)
def test_a_point_does_not_depend_on_the_rest_of_the_grid_or_on_the_workers(tmp_path, entries, fewer):
    run(tmp_path / "a", entries, jobs=1)
    run(tmp_path / "b", entries | fewer, jobs=2)
    a, b = by_point(tmp_path / "a"), by_point(tmp_path / "b")
    common = set(a) & set(b)
    assert len(common) == 1
    assert len(b) == 2
    for key in common:
        np.testing.assert_array_equal(a[key], b[key])
    everything = [values.tobytes() for values in {**a, **b}.values()]
    assert len(set(everything)) == len(everything), "different points have different numbers"
    run(tmp_path / "c", entries, jobs=2)
    for file in ("sweep.csv", "sweep.safetensors", "sweep.json", "sweep.svg"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "c" / file).read_bytes(), file


@pytest.mark.parametrize("entries", [MEMORY, TRANSFORMER], ids=["memory", "transformer"])
def test_runs_can_be_sent_to_any_worker(entries):
    point = points_of(sweep_from(entries))[0][0]
    here, there = point.run(seed_for(0)), pickle.loads(pickle.dumps(point.run))(seed_for(0))
    for name in here:
        np.testing.assert_array_equal(here[name], there[name])


def test_sources_differ_and_can_be_sent(tmp_path):
    entries = MEMORY | {"k_hidden": 3, "learning_rate": 0.3, "source": "random,tree:1,clusters:1:3"}
    points, _ = points_of(sweep_from(entries))
    found = [pickle.loads(pickle.dumps(p.run))(seed_for(0))["accuracy"] for p in points]
    random, tree, clusters = (float(accuracy[0, 1].mean()) for accuracy in found)
    assert tree > random, "unseen leaves of a tree resemble the stored ones"
    assert clusters > random


@pytest.mark.usefixtures("undrawn")
def test_finished_units_are_not_done_again_and_grids_can_grow(tmp_path, calls):
    run(tmp_path, MEMORY)
    first = by_point(tmp_path)
    assert len(calls) == len(set(calls)) == 12
    run(tmp_path, MEMORY)
    assert len(calls) == 12, "nothing is done twice"
    run(tmp_path, MEMORY | {"k_hidden": [3, 6, 9]})
    assert len(calls) == 18, "two new points of three runs"
    run(tmp_path, MEMORY | {"runs": 4})
    assert len(calls) == len(set(calls)) == 22, "a new run of four points"
    for key, values in by_point(tmp_path).items():
        np.testing.assert_array_equal(values[:3], first[key])
    assert len((tmp_path / "sweep.csv").read_text().splitlines()) == 1 + 4 * 2
    assert json.loads((tmp_path / "sweep.json").read_text())["runs"] == 4


@pytest.mark.usefixtures("undrawn")
def test_more_iterations_go_on_from_the_same_start(tmp_path):
    run(tmp_path, TRANSFORMER)
    short = by_point(tmp_path, "loss")
    run(tmp_path, TRANSFORMER | {"iterations": 90})
    for key, values in by_point(tmp_path, "loss").items():
        np.testing.assert_array_equal(values[:, :60], short[key])


@pytest.mark.usefixtures("undrawn")
def test_another_seed_or_kind_is_another_directory(tmp_path):
    run(tmp_path, TRANSFORMER)
    with pytest.raises(DirectoryError, match="seed 0 instead of 1"):
        run(tmp_path, TRANSFORMER | {"seed": 1})
    with pytest.raises(DirectoryError, match="sweep transformer instead of memory"):
        run(tmp_path, MEMORY)
    run(tmp_path / "other", TRANSFORMER | {"seed": 1})
    a, b = by_point(tmp_path), by_point(tmp_path / "other")
    assert all((a[key] != b[key]).any() for key in a)


@pytest.mark.usefixtures("undrawn")
def test_failed_units_are_reported_and_their_points_left_out(tmp_path, calls):
    calls.broken = (3,)  # the first run of the second point, after two of the first
    outcome = run(tmp_path, MEMORY, jobs=1)
    assert [str(failure.error) for failure in outcome.failures] == ["the worker died"]
    assert {(row["k_hidden"], row["learning_rate"]) for row in outcome.table} == {(3, 0.3), (6, 0.3), (6, 1.0)}
    found = status_of(tmp_path)
    assert found == [
        {"experiment": "k_hidden 3, learning_rate 0.3", "units": 3, "missing": 0},
        {"experiment": "k_hidden 3, learning_rate 1", "units": 3, "missing": 1},
        {"experiment": "k_hidden 6, learning_rate 0.3", "units": 3, "missing": 0},
        {"experiment": "k_hidden 6, learning_rate 1", "units": 3, "missing": 0},
    ]
    points, _ = points_of(sweep_from(MEMORY))
    assert plan_of(experiments_of(sweep_from(MEMORY), points), 0, tmp_path) == found
    calls.broken = ()
    again = run(tmp_path, MEMORY)
    assert len(calls) == 13
    assert len(again.table) == 8


@pytest.mark.usefixtures("undrawn")
def test_a_grid_that_grows_adds_to_the_plan(tmp_path):
    run(tmp_path, TRANSFORMER)
    run(tmp_path, TRANSFORMER | {"key_rule": ["mhn", "fixed"], "runs": 1})
    assert [(row["experiment"], row["units"], row["missing"]) for row in status_of(tmp_path)] == [
        ("key_rule fixed", 1, 0), ("key_rule query-key", 2, 0), ("key_rule mhn", 1, 0),
    ]  # fmt: skip


def test_points_have_names_that_files_can_have_and_seeds_of_their_own():
    points, _ = points_of(sweep_from(MEMORY | {"source": "random,tree:1"}))
    experiments = experiments_of(sweep_from(MEMORY), points)
    assert len({e.name for e in experiments}) == len(points) == 8
    assert all(e.name.startswith("memory-") for e in experiments)
    expected = seed_for(7, "sweep", "memory", points[3].text, 2)
    assert experiments[3].seed(7, 2).spawn_key == expected.spawn_key


@pytest.mark.usefixtures("undrawn")
def test_clean_removes_everything(tmp_path):
    run(tmp_path / "out", TRANSFORMER)
    assert {p.name for p in (tmp_path / "out").iterdir() if not p.name.startswith(".")} == {
        "manifest.json", "plan.json", "sweep.csv", "sweep.json", "sweep.png", "sweep.safetensors", "sweep.svg", "units",
    }  # fmt: skip
    clean(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("undrawn")
def test_trainings_that_diverge_are_results(tmp_path):
    outcome = run(tmp_path, TRANSFORMER | {"key_rule": "query-key", "learning_rate": [0.005, 1000]})
    calm, wild = outcome.table
    assert (calm["diverged"], wild["diverged"]) == (0, 2)
    assert not outcome.failures
    assert np.isfinite(calm["ending_accuracy_median"])
    assert np.isnan(wild["ending_accuracy_median"])
