"""Benchmarks start: what they measure is not tested, but that they can be run is."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"
NAMES = sorted(file.name for file in FOLDER.glob("*.py") if "__main__" in file.read_text())


def test_the_makefile_runs_all_of_them():
    (line,) = (line for line in (FOLDER.parent / "Makefile").read_text().splitlines() if "benchmarks/$$part.py" in line)
    named = line.split("for part in ")[1].split(";")[0].split()
    assert sorted(f"{name}.py" for name in named) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_starts(name):
    done = subprocess.run([sys.executable, FOLDER / name, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--out" in done.stdout
