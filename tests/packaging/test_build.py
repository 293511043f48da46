"""What is built, without a network: a source distribution, a wheel from it, and what one has after installing that."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from runpy import run_path

import pytest

import slotfree as sf
from slotfree.explorer.assemble import assemble

ROOT = Path(__file__).parents[2]
WheelHook = run_path(str(ROOT / "hatch_build.py"))["WheelHook"]
PAGE = "slotfree/explorer/explorer.html"
EXAMPLES = sorted(f"slotfree/examples/{path.name}.txt" for path in (ROOT / "examples").glob("*.*"))
NEVER = re.compile(
    r"__pycache__|\.py[co]$|\.nb[ci]$|\.egg-info|(^|/)(site|results|bench|dist)/|/\.(?!gitignore$)|\.tmp$"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with both distributions: python -m build makes the wheel from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (file,) = built.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def in_sdist(built):
    """The files of the source distribution, by what they are called in a checkout."""
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        return {member.name.partition("/")[2] for member in archive.getmembers()}


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A function that runs Python, outside the checkout, where the wheel is installed."""
    folder = tmp_path_factory.mktemp("installed")
    how = ["--quiet", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "install", *how, str(wheel)], check=True)
    environment = os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "80"}

    def run(*arguments, cwd):
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.replace(str(folder), "INSTALLED")

    return run


def test_an_index_would_take_both(built):
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2


def test_a_wheel_holds_what_commands_need_and_no_sources_of_the_page(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        assert file.read(PAGE).decode("utf-8") == assemble()
        for name in EXAMPLES:
            source = ROOT / "examples" / Path(name).name.removesuffix(".txt")
            assert file.read(name) == source.read_bytes()
    assert not [name for name in names if NEVER.search(name)]
    within = [name for name in names if name.startswith("slotfree/explorer/") and not name.endswith(".py")]
    assert within == ["slotfree/explorer/data/trained.json", PAGE]
    assert sorted(name for name in names if "/examples/" in name) == EXAMPLES


def test_a_wheel_has_the_code_of_the_checkout_and_no_other(wheel):
    """Else workers that have it installed would be refused by a checkout, and finished runs would be done again."""
    with zipfile.ZipFile(wheel) as file:
        code = {name: file.read(name) for name in file.namelist() if name.endswith(".py")}
    sources = {path.relative_to(ROOT / "src").as_posix(): path for path in (ROOT / "src").rglob("*.py")}
    assert code == {name: path.read_bytes() for name, path in sources.items()}


def test_what_is_installed_runs_without_a_checkout(installed, tmp_path):
    slotfree = ("-m", "slotfree")
    where = "import slotfree as sf; print(sf.KWinnerMHN.__module__, sf.memory.kwinner.__file__)"
    assert installed("-c", where, cwd=tmp_path).split()[1] == "INSTALLED/slotfree/memory/kwinner.py"
    assert installed(*slotfree, "--version", cwd=tmp_path) == f"slotfree {sf.__version__}\n"
    assert installed(*slotfree, "example", cwd=tmp_path).count("\n") == len(EXAMPLES)
    assert "slotfree run own_memory.py" in installed(*slotfree, "example", "own_memory", cwd=tmp_path)
    assert "200 runs would be done" in installed(*slotfree, "run", "own_memory.py", "--dry-run", cwd=tmp_path)
    assert installed(*slotfree, "explore", "--no-open", cwd=tmp_path) == f"the explorer is in INSTALLED/{PAGE}\n"
    installed(*slotfree, "explore", "--no-open", "--out", "x.html", cwd=tmp_path)
    assert (tmp_path / "x.html").read_text("utf-8") == assemble()


def test_a_source_distribution_holds_what_tests_documentation_and_distributions_need(in_sdist):
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not files:
        pytest.skip("no checkout, so nobody knows which files belong to it")
    there = {name for name in files.splitlines() if (ROOT / name).is_file()}
    assert {name for name in there - in_sdist if not name.startswith(".")} == set()
    assert not [name for name in in_sdist if NEVER.search(f"/{name}")]


def test_an_editable_installation_has_no_copies_that_could_grow_old(tmp_path):
    included = {}
    for version in ("editable", "standard"):
        hook = WheelHook(str(ROOT), {}, None, None, str(tmp_path), "wheel")
        data = {"force_include": {}}
        hook.initialize(version, data)
        hook.finalize(version, data, "")
        included[version] = list(data["force_include"].values())
    assert included == {"editable": [], "standard": [PAGE, *EXAMPLES]}
