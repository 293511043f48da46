"""The examples are listed, and written without harm to what is there."""

from pathlib import Path

import pytest
from program import process, slotfree

from slotfree.cli import example as command
from slotfree.cli.example import examples

SOURCES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.name for path in SOURCES.iterdir() if path.suffix in (".py", ".toml"))


def test_every_example_is_listed_in_a_line_that_fits_a_terminal():
    lines = slotfree("example").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [Path(name).stem for name in NAMES]
    assert max(map(len, lines)) <= 80
    assert "tradeoff       A sweep: what a memory holds at first, and for how long." in lines


@pytest.mark.parametrize("file", NAMES)
def test_an_example_is_written_as_it_is_with_the_command_that_runs_it(file, tmp_path):
    done = slotfree("example", Path(file).stem, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert (tmp_path / file).read_bytes() == (SOURCES / file).read_bytes()
    told, empty, run = done.stdout.splitlines()
    assert (told, empty) == (f"{file} is written; run it with", "")
    assert run.removeprefix("    ") in (SOURCES / file).read_text("utf-8")
    assert file in run.split()


def test_the_command_that_is_told_runs_it(tmp_path):
    study = slotfree("example", "own_memory", "--out", "my study.py", cwd=tmp_path).stdout.splitlines()[-1]
    assert study == "    slotfree run 'my study.py' --out own_memory"
    (tmp_path / "sweeps").mkdir()
    sweep = slotfree("example", "tradeoff.toml", "--out", "sweeps", cwd=tmp_path).stdout.splitlines()[-1]
    assert sweep == "    slotfree sweep --file sweeps/tradeoff.toml --out tradeoff"
    plan = slotfree(*sweep.split()[1:], "--dry-run", cwd=tmp_path)
    assert "405 runs would be done" in plan.stdout
    plan = slotfree("run", "my study.py", "--out", "own_memory", "--dry-run", cwd=tmp_path)
    assert "200 runs would be done" in plan.stdout


@pytest.mark.parametrize("kind", ["file", "directory", "link to nowhere"])
def test_what_is_there_is_left_alone(kind, tmp_path):
    there = tmp_path / "own_memory.py"
    {
        "file": lambda: there.write_text("mine"),
        "directory": there.mkdir,
        "link to nowhere": lambda: there.symlink_to("nowhere.py"),
    }[kind]()
    done = slotfree("example", "own_memory", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: own_memory.py exists, and is not overwritten; choose another --out\n"
    assert list(tmp_path.iterdir()) == [there]
    assert kind != "file" or there.read_text() == "mine"


def test_nothing_is_left_of_a_file_that_could_not_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr("slotfree.files.atomic.write_atomically", full)
    done = slotfree("example", "own_memory", cwd=tmp_path)
    assert done.returncode == 1
    assert "no space left" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["own_mind"], "no example is called 'own_mind'; there are own_attention, own_memory, sharded, tradeoff"),
        (["own_memory.toml"], "no example is called 'own_memory.toml'"),
        (["../own_memory"], "no example is called '../own_memory'"),
        (["own_memory", "--out", "x.txt"], "or a file that ends in .py, not 'x.txt'"),
        (["tradeoff", "--out", "none"], "a directory that exists, or a file that ends in .toml, not 'none'"),
        (["own_memory", "--out", "none/x.py"], "--out must be in a directory that exists, not in 'none'"),
        (["--out", "x.py"], "--out needs the name of an example: own_attention"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_would_be_right(tmp_path, arguments, message):
    done = slotfree("example", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_shell_completes_names():
    words = {"_SLOTFREE_COMPLETE": "bash_complete", "COMP_WORDS": "slotfree example own", "COMP_CWORD": "2"}
    assert process(environment=words).stdout.split() == ["plain,own_attention", "plain,own_memory"]


def test_an_installed_package_has_them_as_texts(tmp_path, monkeypatch):
    (tmp_path / "one.py.txt").write_text('"""A study: one."""\n')
    monkeypatch.setattr(command, "PACKED", tmp_path)
    (found,) = examples().values()
    assert (found.name, found.file, found.about) == ("one", "one.py", "A study: one.")
    with pytest.raises(ValueError, match=r"one\.py must show the command that runs it"):
        found.command(Path("one.py"))
