import json
import os
import re
import subprocess
import sys

import pytest
from program import SLOTFREE, process, slotfree

import slotfree as sf
from slotfree.cli.catalogue import EVERYTHING, GROUPS
from slotfree.cli.reproduce import named
from slotfree.runs.directory import opened
from slotfree.study.reproduce import settings_of
from slotfree.study.scale import SCALES


@pytest.fixture(scope="module")
def fig4(tmp_path_factory):
    out = tmp_path_factory.mktemp("cli")
    return out, slotfree("reproduce", "fig4", "--scale", "quick", "--out", out)


def test_reproduce_writes_and_tells(fig4):
    out, result = fig4
    assert result.returncode == 0, result.stderr
    assert re.search(r"\d+ claims, none of them judged: for verdicts, use the paper's scale", result.stdout)
    assert f"report: {out / 'report.html'}" in result.stdout
    assert "slotfree reproduce fig4 --scale quick" in re.sub(r"<[^>]*>", "", (out / "report.html").read_text())
    assert {path.name for path in (out / "figures").iterdir()} == {"fig4.svg", "fig4.png"}
    assert all(row["verdict"] is None for row in json.loads((out / "claims.json").read_text()))


def test_figures_are_written_from_results_for_a_talk(fig4, tmp_path):
    out, _ = fig4
    made = slotfree("figures", "fig4", "--for", "talk", "--results", out, "--scale", "quick", "--out", tmp_path)
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines() == [str(tmp_path / f"fig4.{suffix}") for suffix in ("pdf", "png", "txt")]
    assert "0 runs and figures to be done" in made.stderr
    assert (tmp_path / "fig4.txt").read_text().startswith("Figure 4: How two memories fade")
    assert "talk" in slotfree("figures", "fig4").stderr, "for what, must be said"


def test_other_settings_do_not_mix(fig4):
    out, _ = fig4
    result = slotfree("reproduce", "fig4", "--scale", "quick", "--seed", "7", "--out", out)
    assert result.returncode == 2
    assert "seed 0 instead of 7" in result.stderr


def test_list_shows_every_item_and_its_runs():
    result = slotfree("list")
    assert result.returncode == 0, result.stderr
    for name in EVERYTHING.names:
        assert re.search(rf"^{name} .* \d+$", result.stdout, re.MULTILINE), name
    rows = json.loads(slotfree("list", "--json").stdout)
    assert [row["item"] for row in rows] == list(EVERYTHING.names)
    assert rows[0]["shows"] == "Figure 1: Slots and weights compute the same"


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_list_fits_the_terminal(columns):
    shown = slotfree("list", environment={"FORCE_COLOR": "1", "COLUMNS": str(columns)}).stdout
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
    assert max(map(len, lines)) <= columns
    words = " ".join(line.strip() for line in lines)
    for row in json.loads(slotfree("list", "--json").stdout):
        assert row["shows"].split()[-1] in words, "nothing is cut off"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("fig 4", "fig4"),
        ("Figure4", "fig4"),
        ("figure s4", "figS4"),
        ("Table S1", "tableS1"),
        ("table1", "tableS1"),
        ("S12", "figS12"),
        ("theorem", "theorem1 or theorem2"),
        ("theorem-1", "theorem1"),
        ("beyonds", "beyond"),
    ],
)
def test_near_misses_are_told_what_was_meant(name, meant):
    result = slotfree("reproduce", name, "--dry-run")
    assert result.returncode == 2
    assert f"no item is called {name!r}; did you mean {meant}? there are" in result.stderr


@pytest.mark.parametrize("name", ["", "xyz"])
def test_names_near_to_nothing_are_told_all(name):
    assert f"no item is called {name!r}; there are fig1" in slotfree("reproduce", name).stderr


def test_groups_of_items_can_be_named_together():
    assert named(("paper",)) == GROUPS["paper"]
    assert named(("fig4", "beyond")) == ("fig4", *GROUPS["beyond"])
    assert tuple(name for group in GROUPS.values() for name in group) == EVERYTHING.names
    assert len(set(EVERYTHING.names)) == len(EVERYTHING.names)


def test_what_takes_gigabytes_is_run_only_where_it_is_named():
    assert named(()) == (*GROUPS["paper"], *GROUPS["beyond"])
    assert named(("scale",)) == ("billion",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "fg5"], "no item is called 'fg5'; did you mean fig5? there are fig1, fig2, fig3"),
        (["reproduce", "--jobs", "2", "--scheduler", "tcp://h:1"], "give one of them"),
        (
            ["status", "."],
            ". holds no results of slotfree: there is no manifest.json in it; name what was --out",
        ),
        (["status", "nowhere"], "nowhere holds no results of slotfree: it is no directory; name what was --out"),
        (["clean", "."], "nothing was removed"),
        (["run"], "Missing argument 'STUDY.py'"),
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
    result = slotfree(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_cannot_be_written_is_told_in_a_line(tmp_path):
    (tmp_path / "file").write_text("not a directory")
    result = slotfree("reproduce", "fig4", "--out", tmp_path / "file" / "out")
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "Not a directory" in result.stderr


def test_status_where_nothing_was_begun(tmp_path):
    """A process was stopped after it had opened the directory, and before it knew what to run."""
    with opened(tmp_path / "out", settings_of(SCALES["quick"], 0), {}):
        pass
    told = slotfree("status", tmp_path / "out")
    assert told.returncode == 0, told.stderr
    assert told.stdout == f"{tmp_path / 'out'}: slotfree {sf.__version__}, scale quick, seed 0; nothing was begun\n"


def test_version_tells_the_machine():
    facts = json.loads(slotfree("version", "--json").stdout)
    assert facts["slotfree"] == sf.__version__
    assert facts["cores"] >= 1
    assert "numpy" in process("version").stdout


def test_completion_completes_commands_and_items():
    assert "_SLOTFREE_COMPLETE" in slotfree("completion", "bash").stdout
    words = {"_SLOTFREE_COMPLETE": "bash_complete", "COMP_WORDS": "slotfree reproduce tab", "COMP_CWORD": "2"}
    found = subprocess.run(SLOTFREE, capture_output=True, text=True, env=os.environ | words, check=False).stdout
    assert "tableS1" in found


def test_help_and_version():
    text = slotfree("--help").stdout
    assert "slotfree reproduce fig4" in text
    assert "slotfree run my_study.py" in text
    for command in ("reproduce", "run"):
        assert "--scale" in slotfree(command, "-h").stdout
    assert re.fullmatch(r"slotfree \d+\.\d+\.\d+\n", slotfree("--version").stdout)


@pytest.mark.parametrize(
    "code",
    [
        "import slotfree.cli.main as m\nsys.argv = ['slotfree', '--help']\ntry: m.main()\nexcept SystemExit: pass\n",
        "from slotfree.cli.reproduce import named\nnamed(('paper',))\n",
    ],
    ids=["help", "names of items"],
)
def test_help_and_names_need_no_heavy_library(code):
    code = f"import sys\n{code}print({{'numpy', 'numba', 'matplotlib', 'xarray', 'scipy', 'rich'}} & set(sys.modules))"
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


def test_items_may_be_written_in_any_case():
    plan = slotfree("reproduce", "FIG4", "figs4", "--scale", "quick", "--dry-run")
    assert plan.returncode == 0
    assert plan.stdout == slotfree("reproduce", "fig4", "figS4", "--scale", "quick", "--dry-run").stdout
