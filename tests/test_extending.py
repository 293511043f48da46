"""The worked examples of docs/extending.md run as they are printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"(?ms)^## (.+?)\n(.*?)(?=^## |\Z)", TEXT))
PYTHON = re.compile(r"(?s)```python\n(.*?)```")


@pytest.mark.parametrize("section", ["A memory", "A task", "A key rule"])
def test_example(section, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = PYTHON.findall(SECTIONS[section])
    assert blocks
    space = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, section, "exec"), space)


def test_the_study_runs(tmp_path):
    (study,) = PYTHON.findall(SECTIONS["A study"])
    (tmp_path / "my_study.py").write_text(study, encoding="utf-8")
    command = [sys.executable, "-m", "slotfree", "run", "my_study.py", "--scale", "quick", "--out", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "figures" / "rates.png").exists()
    assert "rates.slow-keeps-longer" in done.stdout


def test_every_example_is_tried():
    tried = sum(len(PYTHON.findall(SECTIONS[name])) for name in ("A memory", "A task", "A key rule", "A study"))
    assert len(PYTHON.findall(TEXT)) == tried
