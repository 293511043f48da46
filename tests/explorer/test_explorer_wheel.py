"""What is built: a wheel with the page in it, from a checkout and from a source distribution."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from runpy import run_path

import pytest

from slotfree.explorer.assemble import assemble

ROOT = Path(__file__).parents[2]
ExplorerHook = run_path(str(ROOT / "hatch_build.py"))["ExplorerHook"]
TRAINED = "slotfree/explorer/data/trained.json"
PAGE = "slotfree/explorer/explorer.html"


def built(kind, root, folder):
    """Build a distribution of a checkout into a folder, without a network, and return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def test_a_wheel_holds_the_page_and_not_its_sources_but_trained_models_for_python(wheel):
    with zipfile.ZipFile(wheel) as file:
        assert file.read(PAGE).decode("utf-8") == assemble()
        within = [name for name in file.namelist() if name.startswith("slotfree/explorer/")]
    assert [name for name in within if not name.endswith(".py")] == [TRAINED, PAGE]


def test_what_is_installed_from_a_wheel_opens_the_file_in_the_package(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path)
    command = [sys.executable, "-m", "slotfree", "explore", "--no-open"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "80"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"the explorer is in {tmp_path / PAGE}\n"


def test_a_source_distribution_is_enough_for_the_same_wheel(wheel, tmp_path):
    with tarfile.open(built("sdist", ROOT, tmp_path / "sdist")) as file:
        file.extractall(tmp_path / "unpacked", filter="data")
    (root,) = (tmp_path / "unpacked").iterdir()
    again = built("wheel", root, tmp_path / "wheel")
    assert again.name == wheel.name
    with zipfile.ZipFile(again) as file, zipfile.ZipFile(wheel) as first:
        assert file.read(PAGE) == first.read(PAGE)
        assert sorted(file.namelist()) == sorted(first.namelist())


def test_an_editable_installation_has_no_page_that_could_grow_old(tmp_path):
    included = {}
    for version in ("editable", "standard"):
        hook = ExplorerHook(str(ROOT), {}, None, None, str(tmp_path), "wheel")
        data = {"force_include": {}}
        hook.initialize(version, data)
        hook.finalize(version, data, "")
        included[version] = list(data["force_include"].values())
    assert included == {"editable": [], "standard": [PAGE]}
