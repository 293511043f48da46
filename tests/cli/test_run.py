"""slotfree run: a study of one's own, with everything that the paper's items have."""

import json
import re
from pathlib import Path

import pytest
import rich.jupyter
from program import STUDY, slotfree
from rich.console import Console

from slotfree.cli import tables
from slotfree.cli.tables import print_claims
from slotfree.study import more, says


def run(out, *arguments, **variables):
    environment = {f"NOISE_{name.upper()}": str(value) for name, value in variables.items()}
    return slotfree("run", STUDY, "--out", out, *arguments, environment=environment)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    return out, run(out)


def test_everything_is_written_and_told(made):
    out, result = made
    assert result.returncode == 0, result.stderr
    assert re.search(r"noise.positive +1.006 +0.9\d+ to 1.0\d+ +confirmed", result.stdout)
    assert re.search(r"noise.negative .* contradicted", result.stdout)
    assert "The mean is positive." in result.stdout, "what is confirmed"
    assert "paper" not in result.stdout, "it has nothing to say"
    assert "Of 2 claims of our own, 1 is confirmed, 1 is contradicted, and 0 are inconclusive." in result.stdout
    assert f"report: {out / 'report.html'}" in result.stdout
    names = {path.name for path in out.iterdir() if not path.name.startswith(".")}
    folders = {"data", "figures", "items", "tables", "units"}
    assert names == {"claims.json", "manifest.json", "plan.json", "report.html", *folders}
    assert "10 runs and figures to be done" in result.stderr
    assert "done in" in result.stderr
    assert "\x1b" not in result.stdout + result.stderr, "no colours or animation without a terminal"
    assert json.loads((out / "manifest.json").read_text())["settings"]["study"] == "noise_study.py"
    assert "slotfree run noise_study.py noise" in re.sub(r"<[^>]*>", "", (out / "report.html").read_text())


def test_what_is_finished_is_not_done_again(made):
    out, _ = made
    result = run(out, "noise", "--json")
    assert result.returncode == 0
    assert "1 run or figure to be done, on" in result.stderr
    assert [row["id"] for row in json.loads(result.stdout)] == ["noise.positive", "noise.negative"]


def test_status_tells_what_is_there(made):
    out, _ = made
    result = slotfree("status", out)
    assert result.returncode == 0
    assert re.search(r"noise +2 +1 +1 +0\n", result.stdout)
    assert re.search(r"other +0 +0 +0 +0\n", result.stdout)
    assert "8 of 8 runs done; nothing is missing" in result.stdout
    found = json.loads(slotfree("status", out, "--json").stdout)
    assert found["settings"]["seed"] == 0
    assert found["experiments"] == [{"experiment": "noise", "units": 8, "missing": 0}]
    counts = {"claims": 2, "confirmed": 1, "contradicted": 1, "inconclusive": 0}
    assert found["items"][0] == {"item": "noise", **counts}


def test_status_names_what_is_not_finished(tmp_path):
    assert run(tmp_path, "--scale", "quick").returncode == 0
    next((tmp_path / "units").glob("*/*.safetensors")).unlink()
    status = slotfree("status", tmp_path).stdout
    assert re.search(r"^noise +6 +1$", status, re.MULTILINE)
    assert "5 of 6 runs done; 1 missing: rerun to resume" in status
    assert "confirmed" not in status, "nothing is judged at this scale"


def test_another_study_does_not_mix_with_it(made, tmp_path):
    out, _ = made
    (tmp_path / "another.py").write_text(Path(STUDY).read_text())
    result = slotfree("run", tmp_path / "another.py", "--out", out)
    assert result.returncode == 2
    assert "study noise_study.py instead of another.py" in result.stderr


def test_a_verdict_that_is_not_the_recorded_one_exits_with_3_and_is_named(tmp_path):
    result = run(tmp_path, mean=-1)
    assert result.returncode == 3
    assert "not the recorded verdict: noise.positive is contradicted, recorded as confirmed" in result.stderr
    assert "not the recorded verdict: noise.negative is confirmed, recorded as contradicted" in result.stderr


def test_a_borderline_verdict_is_told_and_no_failure(tmp_path):
    result = run(tmp_path, mean=0)
    assert result.returncode == 0, result.stderr
    assert "borderline, and moved: noise.positive is inconclusive, recorded as confirmed" in result.stderr


def test_the_quick_scale_judges_nothing_and_exits_with_0(tmp_path):
    result = run(tmp_path, "--scale", "quick", mean=-1)
    assert result.returncode == 0, result.stderr
    assert "2 claims, none of them judged" in result.stdout
    assert "confirmed" not in result.stdout
    assert {row["verdict"] for row in json.loads((tmp_path / "claims.json").read_text())} == {None}


@pytest.mark.parametrize(
    ("fails", "what", "says"),
    [
        ("run", r"noise, run \d", "too large"),
        ("draw", "item noise", "no ink"),
        ("claims", "item noise", "nothing to say"),
    ],
)
def test_an_error_in_the_study_is_told_in_a_line_and_the_rest_is_made(tmp_path, fails, what, says):
    result = run(tmp_path, fails=fails)
    assert result.returncode == 1
    lines = Path(STUDY).read_text().splitlines()
    line = 1 + next(number for number, text in enumerate(lines) if says in text)
    assert re.search(f"failed: {what}: noise_study.py, line {line}: ArithmeticError: {says}", result.stderr)
    assert "Traceback" not in result.stderr
    assert (tmp_path / "figures" / "other.svg").exists()
    assert not (tmp_path / "items" / "noise.json").exists()
    kept = len(list((tmp_path / "units" / "noise").iterdir()))
    assert kept == 8 if fails != "run" else 0 < kept < 8
    if fails == "run":
        assert "skipped noise: one of its experiments failed" in result.stderr
        assert re.search(r"\d runs failed; the others are kept\. Rerun to try again\.", result.stderr)


BAD = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Bad:
    def __call__(self, seed): ...
    def at(self, scale):
        return 1 / 0

NOISE = Experiment("noise", Bad(), 8)
"""


def test_an_error_anywhere_else_in_the_study_is_told_with_its_line(tmp_path):
    text = Path(STUDY).read_text().replace('NOISE = Experiment("noise", run, 8)', BAD)
    (tmp_path / "bad.py").write_text(text)
    result = slotfree("run", tmp_path / "bad.py", "--scale", "quick", "--out", tmp_path / "out")
    assert result.returncode == 1
    assert re.search(r"Error: bad.py, line \d+: ZeroDivisionError: division by zero", result.stderr)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "own.py defines no STUDY; a study file says: STUDY = Study("),
        ("x = 1 / 0", "own.py cannot be run: own.py, line 1: ZeroDivisionError: division by zero"),
        (None, "there is no file"),
    ],
)
def test_what_is_not_a_study_exits_with_2_and_writes_nothing(tmp_path, text, message):
    if text is not None:
        (tmp_path / "own.py").write_text(text)
    result = slotfree("run", "own.py", cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert not (tmp_path / "results").exists()


def test_an_unknown_item_is_told_with_those_there_are(tmp_path):
    result = run(tmp_path / "out", "nois")
    assert result.returncode == 2
    assert "no item is called 'nois'; did you mean noise? there are noise, other" in result.stderr


def test_a_dry_run_shows_what_would_be_done(tmp_path):
    result = run(tmp_path / "out", "--dry-run")
    assert result.returncode == 0
    assert re.search(r"noise +8 +8\n", result.stdout)
    assert "8 runs would be done; nothing was" in result.stdout
    assert json.loads(run(tmp_path / "out", "--dry-run", "--json", "--scale", "quick").stdout) == [
        {"experiment": "noise", "units": 6, "missing": 6}
    ]
    assert not (tmp_path / "out").exists()


def test_clean_removes_what_was_written(tmp_path):
    out = tmp_path / "out"
    run(out, "other")
    (out / "mine.txt").write_text("mine")
    result = slotfree("clean", out)
    assert result.returncode == 0
    assert re.search(r"removed \d+ files from .*; what others wrote is still there", result.stdout)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_statements_are_told_as_in_the_report(capsys, tmp_path):
    row = {
        "id": "fig4.a",
        "claim": "Rain [/x].",
        "source": "paper",
        "paper": "wet",
        "measured": 1.0,
        "interval": [0.9, 1.1],
    }
    said = (says("It rains.", more("fig4.a", lambda r: [1, 2], 0, "a")),)
    print_claims([{**row, "verdict": "contradicted"}], tmp_path, said)
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith("claim measured interval verdict fig4.a 1 0.9 to 1.1 contradicted “wet” Rain [/x]. Of 1")
    assert "Of 1 result, 0 are confirmed, 1 is contradicted, and 0 are incon" in told


@pytest.mark.parametrize("in_notebook", [False, True])
def test_verdicts_have_colours_where_the_background_is_known(in_notebook, monkeypatch, tmp_path):
    made = Console(force_jupyter=in_notebook, force_terminal=not in_notebook, color_system="standard", record=True)
    monkeypatch.setattr(rich.jupyter, "display", lambda segments, text: None)
    monkeypatch.setattr(tables, "console", lambda: made)
    row = {"id": "a.b", "claim": "It is so.", "source": "ours", "paper": "", "measured": 1.0, "interval": [0.9, 1.1]}
    print_claims([{**row, "verdict": "contradicted"}], tmp_path)
    (verdict,) = (each for each in made._record_buffer if each.text.strip() == "contradicted")
    assert (verdict.style is None or verdict.style.color is None) == in_notebook
