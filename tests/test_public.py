"""What users see: the names, the version, and the README."""

import json
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib import import_module
from inspect import isclass, isfunction, signature
from pathlib import Path
from pkgutil import walk_packages

import pytest
from pytorch import skip_without_pytorch
from recorded import check, plain

import slotfree as sf
from slotfree import rooms
from slotfree.cli.main import cli

ROOT = Path(__file__).parent.parent


def test_every_public_name_is_there_and_documented():
    assert len(sf.__all__) <= 27
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


def test_modules_are_reachable_without_another_import():
    code = "import slotfree as sf; print(sf.forgetting.theory.one_winner.__name__, sf.attention.measures.__name__)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert printed.split() == ["slotfree.forgetting.theory.one_winner", "slotfree.attention.measures"]


PACKAGES = [path.parent for path in (ROOT / "src" / "slotfree").rglob("__init__.py")]
ROOMS = [".".join(path.relative_to(ROOT / "src").parts) for path in PACKAGES]


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_shows_what_it_holds(name):
    if name == "slotfree.torch":
        skip_without_pytorch()
    room = import_module(name)
    shown = [each for each in dir(room) if not each.startswith("_")]
    within = Path(room.__path__[0])
    files = {path.stem for path in within.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    # Whoever asks for help has all rooms imported that are shown.
    extras = set() if rooms.is_installed("torch") else {"torch"}
    assert {file for file in files - extras if not file.startswith("_")} <= set(shown)
    assert not {"import_module", "TYPE_CHECKING"} & set(shown)
    for each in set(shown) - extras:
        assert getattr(room, each) is not None
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'remembering'"):
        room.remembering  # noqa: B018


def test_rooms_are_shown_without_being_imported():
    code = (
        "import sys, slotfree; print({'forgetting', 'memory'} <= set(dir(slotfree)), 'slotfree.memory' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["True", "False"]


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == sf.__version__
    assert f"version: {sf.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert json.loads((ROOT / "codemeta.json").read_text())["version"] == sf.__version__
    assert f"## {sf.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_files_and_commands_named_in_the_readme_exist():
    text = (ROOT / "README.md").read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target
    makefile = (ROOT / "Makefile").read_text()
    code = "\n".join(re.findall(r"(?s)```sh\n.*?```|`[^`\n]+`", text))
    named = re.findall(r"(?m)(?:^|`)(make|slotfree) (\w+)", code)
    assert {("make", "paper"), ("make", "test"), ("slotfree", "explore")} <= set(named)
    for program, command in named:
        assert f"\n{command}:" in makefile if program == "make" else command in cli.commands, command


def test_defaults_are_as_recorded():
    """Changing a default is a change that users see: it is meant, or a mistake."""
    found = {name: defaults_of(thing) for name, thing in public_callables()}
    check(ROOT / "tests" / "defaults.json", {name: defaults for name, defaults in found.items() if defaults})


def public_callables():
    """All functions, classes and methods of rooms that users call, with their names."""
    apart = ("slotfree.torch", "slotfree.kernels", "slotfree.paper", "slotfree.beyond", "slotfree.explorer")
    for _, name, _ in walk_packages(sf.__path__, "slotfree."):
        if name.startswith(apart) or name.endswith("__main__"):
            continue
        for each, thing in vars(import_module(name)).items():
            if each.startswith("_") or getattr(thing, "__module__", "") != name:
                continue
            yield f"{name}.{each}", thing
            for method, function in vars(thing).items() if isclass(thing) else ():
                if not method.startswith("_"):
                    yield f"{name}.{each}.{method}", function


def defaults_of(thing):
    """Defaults by argument."""
    if not isfunction(thing) and not isclass(thing):
        return {}
    with suppress(ValueError):
        return {p.name: plain(p.default) for p in signature(thing).parameters.values() if p.default is not p.empty}
    return {}
