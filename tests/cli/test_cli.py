import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

import slotfree
from slotfree.cli.reproduce import named
from slotfree.paper import items, names

SLOTFREE = [sys.executable, "-m", "slotfree"]


def run(*arguments, **options):
    environment = os.environ | {"COLUMNS": "80"}
    return subprocess.run(
        [*SLOTFREE, *arguments], capture_output=True, text=True, env=environment, timeout=300, check=False, **options
    )


@pytest.fixture(scope="module")
def figS4(tmp_path_factory):
    out = tmp_path_factory.mktemp("cli")
    return out, run("reproduce", "figS4", "--scale", "quick", "--out", str(out))


def test_reproduce_writes_and_tells(figS4):
    out, result = figS4
    assert result.returncode == 0, result.stderr
    assert "2 of 2 claims hold" in result.stdout
    assert f"report: {out / 'report.html'}" in result.stdout
    names = {path.name for path in out.iterdir() if not path.name.startswith(".")}
    assert names == {"claims.json", "figures", "items", "manifest.json", "report.html", "tables"}
    assert "done in" in result.stderr
    assert "\x1b" not in result.stdout + result.stderr, "no colours or animation without a terminal"


def test_json_on_stdout_is_nothing_else(tmp_path):
    result = run("reproduce", "figS4", "--scale", "quick", "--out", str(tmp_path), "--json")
    assert [claim["id"] for claim in json.loads(result.stdout)] == ["figS4.flips", "figS4.leaves"]


def test_list_shows_every_item_and_its_cost():
    result = run("list")
    assert result.returncode == 0
    for name in items.NAMES:
        assert re.search(rf"^{name} .*\d+\.\d$", result.stdout, re.MULTILINE), name
    rows = json.loads(run("list", "--json").stdout)
    assert [row["item"] for row in rows] == list(items.NAMES)


def test_groups_of_items_can_be_named_together():
    assert named(("paper",)) == names.PAPER
    assert named(("fig4", "beyond")) == ("fig4", *names.BEYOND)
    assert (*names.PAPER, *names.BEYOND) == items.NAMES
    assert len(set(items.NAMES)) == len(items.NAMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "fig5"], "no item is called 'fig5'; did you mean figS5? there are fig4, figS1, figS2"),
        (["reproduce", "--jobs", "2", "--scheduler", "tcp://h:1"], "give one of them"),
        (["status", "."], "holds no results of slotfree"),
        (["clean", "."], "nothing was removed"),
        (["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
        (["reproduce", "--scale", "huge"], "'huge' is not one of 'paper', 'quick'"),
        (["reproduce", "--jobs", "0"], "0 is not in the range x>=1"),
        (["reproduce", "--seed", "-1"], "-1 is not in the range x>=0"),
        (["reproduce", "--seed", "one"], "'one' is not a valid integer"),
        (["reproduse"], "No such command 'reproduse'"),
        (["reproduce", "--skale", "quick"], "No such option"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_would_be_right(tmp_path, arguments, message):
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_cannot_be_written_is_told_in_a_line(tmp_path):
    (tmp_path / "file").write_text("not a directory")
    result = run("reproduce", "figS4", "--out", str(tmp_path / "file" / "out"))
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "Not a directory" in result.stderr


def test_a_directory_of_others_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    result = run("reproduce", "figS4", "--out", str(tmp_path))
    assert result.returncode == 2
    assert "holds 'thesis.tex'" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_other_settings_do_not_mix(figS4):
    out, _ = figS4
    result = run("reproduce", "figS4", "--scale", "quick", "--seed", "7", "--out", str(out))
    assert result.returncode == 2
    assert "seed 0 instead of 7" in result.stderr


def test_status_tells_what_is_missing(figS4):
    out, _ = figS4
    result = run("status", str(out))
    assert result.returncode == 0
    assert re.search(r"figS4 +yes +2 of 2", result.stdout)
    assert re.search(r"fig4 +no", result.stdout)
    assert re.search(r"\d+ units are missing", result.stdout)
    found = json.loads(run("status", str(out), "--json").stdout)
    assert found["settings"]["seed"] == 0
    assert {row["item"]: row["made"] for row in found["items"]}["figS4"]


def test_dry_run_shows_units_and_does_nothing(tmp_path):
    out = tmp_path / "out"
    result = run("reproduce", "fig4", "--out", str(out), "--dry-run")
    assert result.returncode == 0
    assert re.search(r"kwinner-random +200 +200 +\d+", result.stdout)
    assert "nothing was run" in result.stdout
    rows = json.loads(run("reproduce", "fig4", "--out", str(out), "--dry-run", "--json").stdout)
    assert rows[0]["missing"] == rows[0]["units"] == 200
    assert not out.exists()


def test_clean_removes_what_was_written(tmp_path):
    out = tmp_path / "out"
    assert run("reproduce", "figS4", "--scale", "quick", "--out", str(out)).returncode == 0
    result = run("clean", str(out))
    assert result.returncode == 0
    assert re.search(r"removed \d+ files", result.stdout)
    assert not out.exists()


def test_version_tells_the_machine():
    facts = json.loads(run("version", "--json").stdout)
    assert facts["slotfree"] == slotfree.__version__
    assert facts["cores"] >= 1
    assert "numpy" in run("version").stdout


def test_completion_completes_commands_and_items():
    assert "_SLOTFREE_COMPLETE" in run("completion", "bash").stdout
    words = {"_SLOTFREE_COMPLETE": "bash_complete", "COMP_WORDS": "slotfree reproduce tab", "COMP_CWORD": "2"}
    found = subprocess.run(SLOTFREE, capture_output=True, text=True, env=os.environ | words, check=False).stdout
    assert "tableS1" in found


def test_a_claim_that_does_not_hold_exits_with_3(tmp_path):
    code = (
        "import slotfree.paper.figS4 as f, slotfree.cli.main as m, sys; from dataclasses import replace\n"
        "def make(context):\n"
        "    output = f.make(context); output.claims.add('false', '', paper=1.0, measured=2.0, holds=False)\n"
        "    return output\n"
        "f.ITEM = replace(f.ITEM, make=make)\n"
        f"sys.argv = ['slotfree', 'reproduce', 'figS4', '--out', {str(tmp_path)!r}]\n"
        "m.main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 3, result.stderr
    assert "2 of 3 claims hold" in result.stdout
    assert "does not hold" in result.stdout


def test_ctrl_c_stops_with_130(tmp_path):
    command = [*SLOTFREE, "reproduce", "figS7", "--out", str(tmp_path)]
    pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # shells let what runs in the background ignore it
    with subprocess.Popen(command, preexec_fn=heard, **pipes) as process:
        try:
            begun = process.stderr.readline()  # the work is about to begin
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=120)
        finally:
            process.kill()
    assert "about" in begun
    assert process.returncode == 130
    assert "interrupted; what is finished is kept, and the same command goes on" in errors
    assert "Traceback" not in errors


def test_help_and_version():
    assert "slotfree reproduce fig4" in run("--help").stdout
    assert "--scale" in run("reproduce", "-h").stdout
    assert re.fullmatch(r"slotfree \d+\.\d+\.\d+\n", run("--version").stdout)


def test_help_needs_no_heavy_library():
    code = "import sys; sys.argv = ['slotfree', '--help']\nimport slotfree.cli.main as m\n"
    code += "try: m.main()\nexcept SystemExit: pass\n"
    code += "print({'numpy', 'numba', 'matplotlib', 'xarray', 'scipy', 'rich'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()[-1] == "set()"


def test_matrix_products_do_not_compete_with_runs_for_the_cores():
    """Set before NumPy is imported, and not where a user has set it."""
    code = (
        "import os, sys; from slotfree.cli.main import main; assert 'numpy' not in sys.modules; "
        "sys.argv[1:] = ['version']; main(); print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    others = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for more, expected in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")):
        told = subprocess.check_output([sys.executable, "-c", code], env=others | more, text=True)
        assert told.split()[-1] == expected
