"""What users see: the names, the version, and the README, whose examples must run as printed."""

import doctest
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import slotfree as sf

ROOT = Path(__file__).parent.parent


def test_every_public_name_is_there_and_documented():
    assert len(sf.__all__) <= 18
    for name in sf.__all__:
        assert getattr(sf, name).__doc__
        assert name in dir(sf)
    typed = re.findall(r"import (\w+) as (\w+)", (ROOT / "src" / "slotfree" / "__init__.py").read_text())
    assert sorted(a for a, b in typed if a == b) == sorted(sf.__all__), "type checkers and users must see the same"
    with pytest.raises(AttributeError, match="module 'slotfree' has no attribute 'slots'"):
        sf.slots  # noqa: B018


def test_import_is_light():
    code = "import sys, slotfree; print({'numpy', 'numba'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"


def test_the_modules_on_forgetting_are_reachable():
    code = "import slotfree as sf; print(sf.forgetting.theory.one_winner.__name__, sf.forgetting.merit.__name__)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert printed.split() == ["slotfree.forgetting.theory.one_winner", "slotfree.forgetting.merit"]
    for room in (sf.forgetting, sf.forgetting.theory):
        shown = [name for name in dir(room) if not name.startswith("_")]
        files = (path for path in Path(room.__path__[0]).iterdir() if not path.name.startswith("_"))
        assert {path.stem for path in files} <= set(shown)
        for name in shown:
            assert getattr(room, name).__doc__
    with pytest.raises(AttributeError, match=r"module .* has no attribute 'remembering'"):
        sf.forgetting.remembering  # noqa: B018
    with pytest.raises(AttributeError, match=r"module .* has no attribute 'fitted'"):
        sf.forgetting.theory.fitted  # noqa: B018


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == sf.__version__
    assert f"version: {sf.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {sf.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_readme_examples_run_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 10
    assert failed == 0


def test_docstring_examples_run_as_printed():
    with_examples = [
        file.relative_to(ROOT / "src").with_suffix("")
        for file in (ROOT / "src").rglob("*.py")
        if ">>>" in file.read_text()
    ]
    assert len(with_examples) >= 3
    for path in with_examples:
        failed, tried = doctest.testmod(import_module(".".join(path.parts)))
        assert tried > 0
        assert failed == 0


def test_files_named_in_the_readme_exist():
    text = (ROOT / "README.md").read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target
    makefile = (ROOT / "Makefile").read_text()
    for command in re.findall(r"`make (\w+)`", text):
        assert f"\n{command}:" in makefile, command
