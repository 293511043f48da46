"""What pyproject.toml and constraints.txt say about other packages, and about this one."""

import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from trove_classifiers import classifiers

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
APART = "torch"  # an extra that make installs when it is asked to, with a file of its own
TESTED = (ROOT / "constraints.txt").read_text("utf-8").splitlines()[1:]


def needed(names):
    """All packages that some need on this machine, and those that these need, and so on."""
    found, waiting = set(), [Requirement(name) for name in names]
    while waiting:
        one = waiting.pop()
        key = (canonicalize_name(one.name), frozenset(one.extras))
        if key not in found:
            found.add(key)
            others = map(Requirement, requires(one.name) or [])
            waiting += [
                other
                for other in others
                if other.marker is None or any(other.marker.evaluate({"extra": extra}) for extra in one.extras or {""})
            ]
    return {name for name, _ in found}


def test_the_tools_include_what_users_can_ask_for():
    own, *_ = PROJECT["optional-dependencies"]["dev"]
    others = set(PROJECT["optional-dependencies"]) - {"dev", APART}
    assert Requirement(own).name == PROJECT["name"]
    assert Requirement(own).extras == others == {"cluster", "docs"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems need other packages")
def test_everything_that_make_installs_has_a_tested_version():
    extras = [name for extra, names in PROJECT["optional-dependencies"].items() if extra != APART for name in names]
    names = [name for name in [*PROJECT["dependencies"], *extras] if Requirement(name).name != PROJECT["name"]]
    pinned = [Requirement(line) for line in TESTED]
    assert needed(names) <= {canonicalize_name(one.name) for one in pinned}
    assert all(str(one.specifier).startswith("==") and one.url is None for one in pinned)
    assert sorted(TESTED, key=str.casefold) == TESTED


def test_pytorch_is_pinned_apart():
    """Once, at a version that the extra admits, and to numbers that the other file does not name."""
    pinned = [Requirement(line) for line in (ROOT / "constraints-torch.txt").read_text("utf-8").splitlines()[1:]]
    (asked,) = (Requirement(name) for name in PROJECT["optional-dependencies"][APART])
    (version,) = (one.specifier for one in pinned if one.name == asked.name)
    assert str(asked) == "torch>=2.4"
    assert asked.specifier.contains(str(version).removeprefix("=="))
    assert not {one.name for one in pinned} & {Requirement(line).name for line in TESTED}


def test_it_is_described_in_words_that_an_index_knows():
    assert set(PROJECT["classifiers"]) <= classifiers
    assert PROJECT["classifiers"] == sorted(set(PROJECT["classifiers"]))
    assert PROJECT["authors"] == [{"name": "The slotfree authors"}]
    assert PROJECT["license"] == "MIT"
    assert not [line for line in PROJECT["classifiers"] if line.startswith("License")], "that is said by license"
    assert "urls" not in PROJECT
