import csv
import json
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

import slotfree as sf
from slotfree.cli.main import cli
from slotfree.drawing.predictions import draw_curves
from slotfree.forgetting import family, search
from slotfree.forgetting.merit import CRITERION

SETTINGS = ("n_visible", "k_visible", "n_hidden", "k_hidden", "fan_in", "learning_rate")
SMALL = ["--n-visible", "400", "--k-visible", "40"]
MEMORY = [*SMALL, "--n-hidden", "100", "--k-hidden", "5", "--fan-in", "0.2", "--ages", "40"]


def run(*arguments):
    return CliRunner().invoke(cli, arguments)


def test_predict_prints_draws_and_computes_the_same_curves(tmp_path):
    picture = tmp_path / "curve.png"
    result = run("predict", *MEMORY, "--plot", str(picture), "--json")
    assert result.exit_code == 0, result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["curve.png"]
    found = json.loads(result.stdout)
    settings = {"n_visible": 400, "n_hidden": 100, "k_visible": 40, "k_hidden": 5, "fan_in": 0.2, "learning_rate": 0.3}
    assert found["settings"] == settings
    curve = sf.predict_retention(settings, ages=np.arange(1, 41))
    for row in found["cues"]:
        np.testing.assert_allclose(row["accuracy"], curve["accuracy"].sel(cue=row["cue"]))
    table = run("predict", *MEMORY, "--cue", "0.5").stdout
    assert table.splitlines()[0].split()[:3] == ["cue", "initial", "accuracy"]
    assert f"{found['cues'][1]['initial_accuracy']:.4g}" in table
    rows = list(csv.DictReader(run("predict", *MEMORY, "--cue", "0.5", "--csv").stdout.splitlines()))
    for name in ("accuracy", "raw_difference", "d_prime", "auc"):
        np.testing.assert_allclose([float(row[name]) for row in rows], found["cues"][1][name], atol=1e-6)
        np.testing.assert_allclose(found["cues"][1][name], curve[name].sel(cue=0.5), atol=1e-12)


def test_a_picture_of_a_prediction_names_its_cues():
    curve = sf.predict_retention({}, ages=np.arange(1, 41))
    left, _, right = draw_curves(curve, "one").axes
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["100% cues", "50% cues", "never stored"]
    assert {axis.get_xscale() for axis in (left, right)} == {"log"}
    np.testing.assert_allclose(right.lines[1].get_ydata(), curve["d_prime"].sel(cue=0.5))


def test_optimise_prints_the_best(tmp_path, monkeypatch):
    few = {"fan_ins": (0.2,), "winners": (2, 5), "learning_rates": (0.3, 1.0)}
    monkeypatch.setattr(family.family, "__kwdefaults__", family.family.__kwdefaults__ | few)
    monkeypatch.setattr(search, "FIRST_STEP", 3.0)
    monkeypatch.setattr(search, "LAST_STEP", 2.0)
    monkeypatch.setattr(search, "predicted_merits", cache(search.predicted_merits))
    goal = ["--weights", "8000", "--goal", "area", "--cue", "0.5", "--top", "3"]
    result = run("optimise", *SMALL, *goal, "--plot", str(tmp_path / "map.svg"), "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    best = found["best"]
    areas = [row["area"] for row in best]
    assert len(best) == 3
    assert areas == sorted(areas, reverse=True)
    assert "<!-- 8,000 weights, 50% cues -->" in (tmp_path / "map.svg").read_text(), "an age is for a goal of d' alone"
    assert "settings predicted" not in result.stderr, "no progress without a terminal"
    assert sf.KWinnerMHN(**{name: best[0][name] for name in SETTINGS}, seed=0).settings.k_visible == 40
    assert best[0]["simulated"]["area"] == pytest.approx(best[0]["area"], rel=0.25)
    unchecked = json.loads(run("optimise", *SMALL, *goal, "--no-check", "--json").stdout)["best"]
    assert [row["simulated"] for row in unchecked] == [None] * 3
    printed = run("optimise", *SMALL, *goal)
    assert printed.stdout.count("simulation") == printed.stdout.count("theory") == 3
    notes = [f"note: the best is at a limit: {limit}" for limit in found["at_limits"]]
    assert printed.stderr.splitlines() == notes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["predict", "--k-hidden", "3000"], "--k-hidden must be an integer from 1 to n_hidden = 2000, not 3000"),
        (["predict", "--n-hidden", "0"], "'--n-hidden': 0 is not in the range x>=1"),
        (["predict", "--cue", "0"], "'--cue': 0.0 is not in the range 0<x<=1"),
        (["predict", "--cue", "0.5", "--cue", "0.5"], "--cue must be different cue levels"),
        (["predict", "--json", "--csv"], "give one of them"),
        (["predict", "--plot", "curve.pdf"], "'--plot': the name must end in .png or .svg, not 'curve.pdf'"),
        (["predict", "--plot", "no/where.png"], "'--plot': the directory must exist, and 'no' does not"),
        (
            ["optimise", "--goal", "glory"],
            "--goal must be 'initial_accuracy', 'initial_raw_difference', 'half_life', 'area', 'memories' or 'd_prime'",
        ),
        (["optimise", "--weights", "1"], "--weights must be enough for two hidden units"),
        (
            ["optimise", "--k-visible", "2000"],
            "--k-visible must be an integer from 1 to n_visible = 1000, not 2000",
        ),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_would_be_right(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_what_theory_cannot_predict_is_said_in_a_line():
    tiny = ["--n-visible", "2", "--k-visible", "1", "--n-hidden", "1000000", "--k-hidden", "1", "--fan-in", "0.5"]
    result = run("predict", *tiny)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: --k-visible must be ≥ 20 active bits, not 1; the nearest that")
    assert result.stderr.count("\n") == 1


def test_the_options_offer_what_the_library_has():
    words = " ".join(run("optimise", "--help").stdout.split())
    assert all(goal.replace("_", "-") in words for goal in search.GOALS)
    assert f"[default: {CRITERION};" in words


def test_help_answers_without_the_science():
    code = (
        "import sys; from slotfree.cli.main import cli\n"
        "cli.main(['predict', '--help'], standalone_mode=False)\n"
        "sys.exit('numpy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "slotfree predict" in result.stdout
