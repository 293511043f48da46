import csv
import json
import os
import sys

import pytest
from click.testing import CliRunner

from slotfree.cli import main
from slotfree.cli.main import cli
from slotfree.sweep.values import read_toml

MEMORY = "sweep memory --n-visible 40 --k-visible 6 --n-hidden 30 --n-stored 30 --n-tested 12 --fan-in 0.5 --runs 2"
TRANSFORMER = "sweep transformer --key-dim 8 --iterations 60 --batch-size 8 --runs 2"


def invoke(command, *more):
    return CliRunner().invoke(cli, [*command.split(), *map(str, more)], catch_exceptions=False)


def run_main(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["slotfree", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main.main()
    return stopped.value.code


def test_a_memory_sweep(tmp_path):
    result = invoke(f"{MEMORY} --k-hidden 3,6 --learning-rate 0.3:1:2 --cue 1,0.5 --jobs 1 --out", tmp_path)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    header = "k hidden  learning rate  cue  initial accuracy  baseline  initial raw difference  half life  area"
    assert " ".join(lines[0].split()) == " ".join(header.split())
    assert [line.split()[:3] for line in lines[1:9]] == [
        [k, rate, cue] for k in "36" for rate in ("0.3", "1") for cue in ("1", "0.5")
    ]
    assert str(tmp_path / "sweep.csv") in lines[-1]
    assert "done in" in result.stderr
    for name in ("sweep.png", "sweep.svg", "sweep.safetensors", "sweep.json", "manifest.json"):
        assert (tmp_path / name).stat().st_size > 0
    rows = json.loads(invoke(f"{MEMORY} --k-hidden 3,6 --learning-rate 0.3:1:2 --json --out", tmp_path).stdout)
    with (tmp_path / "sweep.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [str(row["k_hidden"]) for row in rows] == [row["k_hidden"] for row in table]
    assert rows[0]["d_prime_100"] is None


def test_a_transformer_sweep(tmp_path):
    result = invoke(f"{TRANSFORMER} --key-rule fixed,mhn --input-projections yes,no --out", tmp_path)
    assert result.exit_code == 0, result.output
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:5]] == [
        ["fixed", "yes"], ["fixed", "no"], ["mhn", "yes"], ["mhn", "no"],
    ]  # fmt: skip
    result = invoke(f"{TRANSFORMER} --learning-rate 1000 --out", tmp_path)
    assert result.exit_code == 0
    assert "2 runs diverged" in result.stderr


def test_flags_come_in_the_order_given(tmp_path):
    for flags in ("--k-hidden 3,6 --learning-rate 0.3,1", "--learning-rate 0.3,1 --k-hidden 3,6"):
        rows = json.loads(invoke(f"{MEMORY} {flags} --dry-run --json --out", tmp_path / "none").stdout)
        first = flags.split()[0].removeprefix("--").replace("-", "_")
        assert rows[0]["experiment"].startswith(first)
    assert not (tmp_path / "none").exists(), "a dry run writes nothing"


def test_a_dry_run_shows_what_is_missing(tmp_path):
    invoke(f"{MEMORY} --k-hidden 3 --out", tmp_path)
    result = invoke(f"{MEMORY} --k-hidden 3,6 --dry-run --jobs 2 --out", tmp_path)
    assert [line.split() for line in result.stdout.splitlines()[1:3]] == [
        ["k_hidden", "3", "2", "0"], ["k_hidden", "6", "2", "2"],
    ]  # fmt: skip
    assert "2 runs would be done; nothing was" in result.stdout
    assert (
        "\n1 run would be done; nothing was"
        in invoke(f"{MEMORY} --k-hidden 5 --runs 1 --dry-run --out", tmp_path).stdout
    )
    assert "k_hidden 6" not in (tmp_path / "sweep.csv").read_text()


def test_a_parameter_with_the_name_of_a_measure(tmp_path):
    flags = "--memory ModernHopfield --beta 0.5,2 --cue 1 --n-visible 40 --k-visible 6 --n-stored 30 --n-tested 12"
    result = invoke(f"sweep memory {flags} --runs 2 --out", tmp_path)
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:3]] == [["0.5", "1"], ["2", "1"]]
    with (tmp_path / "sweep.csv").open() as file:
        assert [row["memory_beta"] for row in csv.DictReader(file)] == ["0.5", "2.0"]


def test_a_file_and_flags(tmp_path):
    file = tmp_path / "sweep.toml"
    file.write_text('kind = "memory"\nk_hidden = [3, 6]\nlearning_rate = [0.3, 1]\nn_hidden = 20\n')
    for command in (f"sweep --file {file}", f"sweep --file={file}", f"sweep memory --file {file}"):
        rows = json.loads(invoke(f"{command} --k-hidden 9 --fan-in 0.1,1 --dry-run --json").stdout)
        assert [row["experiment"] for row in rows] == [
            f"learning_rate {rate}, fan_in {f}" for rate in ("0.3", "1") for f in ("0.1", "1")
        ]
    result = invoke(f"sweep transformer --file {file}")
    assert result.exit_code == 2
    assert "is a sweep of kind 'memory', not 'transformer'" in result.stderr
    file.write_text("k_hidden = 3")
    result = invoke(f"sweep --file {file}")
    assert result.exit_code == 2
    assert "name memory or transformer, or let" in result.stderr


HOSTILE = {
    "it has more than 131072 bytes": "#" * 2**17 + "\n",
    "it has more than 1000 dots outside numbers": '",".' * 1001 + "a = 1",
    "recursion": "k_hidden = " + "[" * 5000 + "]" * 5000,
}


@pytest.mark.parametrize("reason", HOSTILE)
def test_a_file_that_would_take_long_is_refused_in_a_line(tmp_path, monkeypatch, capsys, reason):
    (tmp_path / "sweep.toml").write_text(HOSTILE[reason])
    assert run_main(monkeypatch, "sweep", "--file", str(tmp_path / "sweep.toml")) == 2
    told = capsys.readouterr().err
    assert "sweep.toml" in told
    assert reason in told
    assert len(told.splitlines()) == 1


def test_a_pipe_or_a_device_is_no_sweep(tmp_path, monkeypatch, capsys):
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero"):
        assert run_main(monkeypatch, "sweep", "memory", "--file", path) == 2
        assert f"{path} cannot be used: it is not an ordinary file" in capsys.readouterr().err


def test_many_numbers_with_dots_are_a_sweep(tmp_path):
    file = tmp_path / "sweep.toml"
    file.write_text(f'kind = "memory"\nlearning_rate = {[round(i / 5000, 4) for i in range(1, 1501)]}\n')
    assert len(read_toml(file)["learning_rate"]) == 1500


def test_matching_takes_a_number_or_none(tmp_path):
    flags = "sweep memory --fan-in 0.1,0.5 --n-visible 40 --k-visible 6 --n-stored 9 --n-tested 3 --runs 1 --k-hidden 1"
    for match, expected in (("--match-weights", [1000, 200]), ("--match-weights 10", [100, 20])):
        result = invoke(f"{flags} {match} --cue 1 --json --out", tmp_path)
        assert [row["n_hidden"] for row in json.loads(result.stdout)] == expected


def test_impossible_points_can_be_skipped_and_are_named(tmp_path):
    result = invoke(f"{MEMORY} --k-hidden 3,60 --skip-impossible --dry-run --json --out", tmp_path)
    assert len(json.loads(result.stdout)) == 1
    assert "skipped: " in result.stderr
    assert "k_hidden must be an integer from 1 to n_hidden = 30, not 60" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["memory", "--k-hidden", "many"], "Error: k_hidden must be integers, such as 10,50,200"),
        (["memory", "--k-hidden", "5000"], "Error: impossible point: k_hidden 5000: k_hidden must be an integer"),
        (["memory", "--key-rule", "mhn"], "No such option"),
        (["memory", "--jobs", "1", "--scheduler", "tcp://127.0.0.1:1"], "give one of them"),
        (["memory", "--file", "none.toml"], "Error: --file must be a TOML file that can be read, but none.toml"),
        (["--file", "none.toml"], "Error: --file must be a TOML file that can be read, but none.toml"),
        (["slots"], "No such command 'slots'"),
        (["--k-hidden", "3"], "name memory or transformer first, such as: slotfree sweep memory --k-hidden ..."),
    ],
)
def test_wrong_usage_exits_with_2_and_writes_nothing(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert run_main(monkeypatch, "sweep", *arguments) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_failures_exit_with_1_and_are_reported(tmp_path, monkeypatch, capsys):
    from slotfree.forgetting import protocol

    def fail(self, seed):
        raise OSError("the worker died")

    monkeypatch.setattr(protocol.Run, "__call__", fail)
    assert run_main(monkeypatch, *MEMORY.split(), "--k-hidden", "3", "--out", tmp_path) == 1
    errors = capsys.readouterr().err
    assert "OSError: the worker died" in errors
    assert "2 runs failed; the others are kept" in errors


def test_help_shows_examples_line_by_line():
    assert "  slotfree sweep --file tradeoff.toml --out tradeoff\n" in invoke("sweep --help").stdout
    text = invoke("sweep memory --help").stdout
    assert "  slotfree sweep memory --source random,tree:5,tree:10,tree:20 --cue 0.5 --runs 20 --out trees\n" in text
    assert "--k-hidden LIST" in text
    assert "--key-rule" not in text
    assert "Of SparseDistributedMemory [100]" in text, "parameters of all memories"


def test_memories_can_be_compared(tmp_path):
    memories = "--memory KWinnerMHN,Willshaw,SparseDistributedMemory --n-locations 9,20 --cue 1 --out"
    result = invoke(f"{MEMORY} --k-hidden 3 {memories}", tmp_path)
    assert result.exit_code == 0, result.output
    assert [line.split()[:3] for line in result.stdout.splitlines()[1:5]] == [
        ["KWinnerMHN", "–", "1"], ["Willshaw", "–", "1"],
        ["SparseDistributedMemory", "9", "1"], ["SparseDistributedMemory", "20", "1"],
    ]  # fmt: skip
    with (tmp_path / "sweep.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [(row["fan_in"], row["decay"], row["k_hidden"]) for row in table] == [
        ("0.5", "", "3"), ("0.5", "", ""), ("", "0.0", ""), ("", "0.0", ""),
    ]  # fmt: skip


def test_status_of_a_sweep(tmp_path):
    made = invoke(f"{MEMORY} --k-hidden 2 --out", tmp_path)
    assert made.exit_code == 0, made.output
    shown = invoke("status", tmp_path)
    assert shown.exit_code == 0, shown.output
    assert "sweep memory" in shown.output
    assert "2 of 2 runs done; nothing is missing" in shown.output
