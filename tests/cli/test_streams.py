"""Whatever stdout and stderr are connected to, results are kept, and what can be shown is shown."""

import contextlib
import io
import json
import os
import subprocess
from pathlib import Path

import pytest
from program import SLOTFREE, STUDY, slotfree

from slotfree.cli.streams import Printed, shown_in

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="only where there is a device that is always full")
SWEEP = "sweep memory --n-visible 40 --k-visible 4 --n-hidden 20 --k-hidden 2 --learning-rate 0.3,1 --n-stored 30 "
SWEEP += "--n-tested 20 --runs 2 --fan-in 0.5"
NAMED = 'Experiment("noise", run, 8, title="loud [/noise] :bell:")'
COMMANDS = (
    "list",
    "list --json",
    "reproduce fig4 --scale quick --dry-run",
    f"run {STUDY} --out é[/β]",
    f"run {STUDY} --out é[/β] --json",
    "status é[/β]",
    f"{SWEEP} --out ∞",
    f"{SWEEP} --out ∞ --dry-run",
    "status ∞",
    "predict --n-hidden 500 --k-hidden 10",
    "predict --n-hidden 500 --k-hidden 10 --json",
    "version",
    "version --json",
    "completion bash",
    "clean ∞",
    "--help",
    "reproduce --help",
    "sweep memory --help",
    "sweep transformer --help",
    "predict --help",
    "optimise --help",
)


@pytest.fixture
def left_pipe():
    """A pipe whose reader has left."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stream:
        yield stream


@contextlib.contextmanager
def full():
    with contextlib.suppress(OSError), FULL.open("w") as stream:
        yield stream


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_every_command_prints_on_terminals_with_few_characters(tmp_path, encoding):
    for command in COMMANDS:
        result = slotfree(*command.split(), encoding=encoding, cwd=tmp_path)
        assert result.returncode == 0, (command, result.stderr)
        assert result.stdout.isascii() or encoding != "ascii"
        if "--json" in command:
            json.loads(result.stdout)


def test_errors_are_told_on_terminals_with_few_characters(tmp_path):
    result = slotfree("status", "Größe∞", encoding="ascii", cwd=tmp_path)
    assert result.returncode == 2
    assert "Gro?einf holds no results of slotfree" in result.stderr


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        ("utf-8", "C exp(−β) é", "C exp(−β) é"),
        ("utf-8", "a path \udcff", "a path ?"),
        ("ascii", "C exp(−β (age − 1))", "C exp(-beta (age - 1))"),
        ("ascii", "ε ≤ ½… é Σ", "epsilon <= 1/2... e sigma"),
        ("latin-1", "é × −β", "é × -beta"),
    ],
)
def test_plain_letters_for_what_cannot_be_shown(encoding, text, shown):
    assert shown_in(encoding, text) == shown


def test_json_loses_no_character_on_any_terminal(tmp_path):
    study = tmp_path / "study.py"
    study.write_text(Path(STUDY).read_text().replace("The mean is positive.", "μ “is” > 0."))
    for encoding in ("ascii", "utf-8"):
        result = slotfree("run", study, "--out", tmp_path / "out", "--json", encoding=encoding)
        assert json.loads(result.stdout)[0]["claim"] == "μ “is” > 0."


@pytest.mark.parametrize("command", [f"run {STUDY}", SWEEP])
def test_paths_are_printed_as_they_are(tmp_path, command):
    out = "[red]x[/foo] :smile:"
    result = slotfree(*command.split(), "--out", out, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"{out}/" in result.stdout
    assert slotfree("status", out, cwd=tmp_path).stdout.startswith(f"{out}: ")


def test_names_in_a_study_are_printed_as_they_are(tmp_path):
    study = tmp_path / "study.py"
    study.write_text(Path(STUDY).read_text().replace('Experiment("noise", run, 8)', NAMED).replace("no ink", "[/ink]"))
    result = slotfree("run", study, "--dry-run")
    assert "loud [/noise] :bell:" in result.stdout
    failing = slotfree("run", study, "--out", tmp_path / "out", environment={"NOISE_FAILS": "draw"})
    assert failing.returncode == 1
    assert "ArithmeticError: [/ink]" in failing.stderr


@pytest.mark.parametrize("command", ["list", "--help", "predict --csv", "reproduce fig4 --dry-run --json"])
def test_a_reader_that_has_left_is_no_error(left_pipe, command):
    result = slotfree(*command.split(), stdout=left_pipe)
    assert (result.returncode, result.stderr) == (0, "")


def test_work_goes_on_when_its_readers_have_left(tmp_path, left_pipe):
    """And the exit code still says what came of it."""
    out = tmp_path / "out"
    result = slotfree("run", STUDY, "--out", out, environment={"NOISE_MEAN": "-1"}, stdout=left_pipe)
    assert result.returncode == 3
    assert "not the recorded verdict" in result.stderr
    assert (out / "claims.json").exists()


def test_progress_that_nobody_reads_stops_nothing(tmp_path, left_pipe):
    result = slotfree("run", STUDY, "--out", tmp_path / "out", stderr=left_pipe)
    assert result.returncode == 0
    assert "report: " in result.stdout


@needs_full
def test_progress_that_cannot_be_written_stops_nothing(tmp_path):
    with full() as stderr:
        result = slotfree("run", STUDY, "--out", tmp_path / "out", stderr=stderr)
    assert result.returncode == 0
    assert "report: " in result.stdout


@needs_full
@pytest.mark.parametrize("command", ["list", "--help", "predict --csv", f"run {STUDY} --out out"])
def test_a_full_stdout_is_told_in_a_line_and_results_are_kept(tmp_path, command):
    with full() as stdout:
        result = slotfree(*command.split(), stdout=stdout, cwd=tmp_path)
    assert result.returncode == 1
    *_, last = result.stderr.splitlines()
    assert last == "Error: stdout cannot be written to: No space left on device; what is finished is kept"
    assert (tmp_path / "out" / "claims.json").exists() == ("run" in command)


def test_other_errors_of_progress_are_dropped_too():
    class Broken(io.StringIO):
        def write(self, text):
            raise OSError(5, "Input/output error")

        def fileno(self):
            return scratch

    scratch = os.open(os.devnull, os.O_WRONLY)
    try:
        assert Printed(Broken(), must_arrive=False).write("half done") == 9
        with pytest.raises(OSError, match="stdout cannot be written to: Input/output error"):
            Printed(Broken(), must_arrive=True).write("a result")
    finally:
        os.close(scratch)


@pytest.mark.parametrize(
    ("shell", "code", "told"),
    [
        ("version | true; echo ${PIPESTATUS[0]} >&2", "0", ""),
        ("completion bash | head -1 >/dev/null; echo ${PIPESTATUS[0]} >&2", "0", ""),
        ("version >&-; echo $? >&2", "1", "Error: stdout cannot be written to: Bad file descriptor; "),
        ("version 2>&- >/dev/null; echo $? >&2", "0", ""),
    ],
)
def test_nothing_is_left_to_complain_about_when_the_process_ends(shell, code, told):
    done = subprocess.run(
        ["bash", "-c", f'"${{@}}" {shell}', "bash", *SLOTFREE], capture_output=True, text=True, check=False
    )
    *lines, last = done.stderr.splitlines()
    assert last == code
    assert len(lines) == bool(told)
    assert all(line.startswith(told) for line in lines)
