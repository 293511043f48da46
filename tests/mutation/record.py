"""What each test calls, recorded with the unchanged package, and the tests to run for a mutation.

A file of tests is recorded again only if it has changed. What it calls may have changed with the package: then some
tests may be missed, and a mutant survive that they would kill; ``mutants.py`` makes sure that no kill is wrong.
"""

import ast
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from mutation.operators import Mutation
from mutation.sources import Module, Package, reached_from
from slotfree.cli.catalogue import EVERYTHING

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
CORE = "not site and not browser and not cluster and not package and not everything and not long"  # is recorded
OF_ITEMS = (  # are chosen by what items import; what an item gives is prepared by the first
    ("tests/test_everything.py::test_every_figure_is_as_recorded[{}]", 8.0),
    ("tests/test_everything.py::test_every_item_is_as_recorded[{}]", 0.5),
)
SETTINGS = {  # tests that compare the settings and judges of all items with what is recorded, by room
    "paper": "tests/paper/test_recorded.py::test_experiments_and_judges_are_as_recorded",
    "beyond": "tests/beyond/test_studies.py::test_settings_limits_and_seeds_are_as_recorded",
}
ITEM_ROOMS = tuple(SETTINGS)
DEFAULTS = "tests/test_public.py::test_defaults_are_as_recorded"  # for constants in functions
SETTINGS_SECONDS = 3.0
MOST_ITEMS = 3
MOST_SECONDS = 45.0  # of tests for one mutation


@dataclass(frozen=True)
class RecordedTest:
    """A test: its name, processor time in seconds, and the functions ("module:name") that it calls."""

    name: str
    seconds: float
    functions: frozenset[str]

    @property
    def file(self) -> str:
        """The file it is in."""
        return self.name.split("::")[0]

    @cached_property
    def modules(self) -> set[str]:
        """The modules whose functions it calls."""
        return {function.split(":")[0] for function in self.functions}


def recorded_tests(keep: Path, directory: Path, package: Package) -> list[RecordedTest]:
    """Return all tests of the core, with what they call; files of tests that changed are recorded again.

    Parameters
    ----------
    keep : the file that keeps the record.
    directory, package : the unchanged copy of the package.
    """
    kept = json.loads(keep.read_text()) if keep.exists() else {}
    texts = {f"tests/{path.relative_to(TESTS).as_posix()}": path.read_text() for path in TESTS.rglob("test_*.py")}
    keys = {file: sha256(text.encode()).hexdigest() for file, text in texts.items()}
    kept = {file: entry for file, entry in kept.items() if keys.get(file) == entry["key"]}
    new = sorted(keys.keys() - kept.keys())
    if new:
        print(f"recording what the tests in {len(new)} files call", flush=True)
        kept |= {file: {"key": keys[file], "tests": {}} for file in new}
        for name, entry in record(new, directory).items():
            kept[name.split("::")[0]]["tests"][name] = entry
        keep.write_text(json.dumps(kept))
    found = []
    for file, entry in kept.items():
        known = package.names(ast.parse(texts[file]))
        for name, test in entry["tests"].items():
            called = set(test["functions"]) | package.kernels(known[word] for word in test["names"] if word in known)
            called |= {f"{function.split(':')[0]}:" for function in [*called, *known.values()]}  # what modules mention
            found.append(RecordedTest(name, test["seconds"], frozenset(reached_from(called, package.mentions))))
    return found


def record(files: list[str], directory: Path) -> dict[str, dict]:
    """Run files of tests with the unchanged package; return what each test that passes calls."""
    with TemporaryDirectory() as parts:
        options = ["-p", "mutation.plugin", "-p", "no:cacheprovider", "-n", "2", "-m", CORE]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *files],
            env={**environment(directory), "MUTANTS_RECORD": parts},
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        read = [json.loads(path.read_text()) for path in Path(parts).iterdir()]
    if done.returncode not in (0, 1):
        sys.exit(f"the tests cannot be run:\n{done.stdout[-3000:]}")
    failed = sorted({name for part in read for name in part["failed"]})
    if failed:
        print(f"these fail without any change, and are left out: {failed}", flush=True)
    return {name: entry for part in read for name, entry in part["tests"].items()}


def environment(directory: Path) -> dict[str, str]:
    """Return the environment in which tests import this copy of the package."""
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return {**clean, "PYTHONPATH": os.pathsep.join([str(directory.parent), str(TESTS)])}


def chosen_tests(module: Module, mutation: Mutation, tests: list[RecordedTest], package: Package) -> list[RecordedTest]:
    """Return the tests to run: those that call the function, or else use the module, or else a module that imports it.

    Its own file comes first, then quick ones. Items that use it come last, or first if it is one of theirs or draws.
    Files of tests stay together, as they may share what they prepare.
    """
    items = items_of(module, mutation.function, package)
    here = [test for test in tests if f"{module.name}:{mutation.function}" in test.functions]
    if not mutation.function or not here:
        here = [test for test in tests if module.name in test.modules]
    if not here:
        near = reached_from({module.name}, package.users)
        here = [test for test in tests if near & test.modules]
    files: dict[str, list[RecordedTest]] = {}
    for test in sorted(here, key=lambda test: test.seconds):
        files.setdefault(test.file, []).append(test)
    own = f"tests/{module.path.parent}/test_{module.path.stem}"
    groups = sorted(files.values(), key=lambda group: sum(test.seconds for test in group))
    groups = [items, *groups] if module.room in (*ITEM_ROOMS, "drawing") else [*groups, items]
    groups.sort(key=lambda group: not (group and group[0].file.startswith(own)))
    if mutation.old.isalnum():
        groups.insert(0, [RecordedTest(DEFAULTS, SETTINGS_SECONDS, frozenset())])
    chosen, left = [], MOST_SECONDS
    for test in (test for group in groups for test in group):
        if test.seconds <= left:
            chosen.append(test)
            left -= test.seconds
    return chosen


def items_of(module: Module, function: str, package: Package) -> list[RecordedTest]:
    """Return the tests of settings, and of a few items that use a module, itself or through others of items.

    Those come first that mention the function, or one that calls it, or that draw it as the picture of a finding.
    """
    callers: dict[str, set[str]] = {}
    for node in (node for node in module.tree.body if hasattr(node, "name")):
        for word in _names(node):
            callers.setdefault(word, set()).add(node.name)
    words = reached_from(function.split("."), callers)
    users = {one: {user for user in users if user.startswith(ITEM_ROOMS)} for one, users in package.users.items()}
    direct = {user for user in users.get(module.name, ()) if words & _names(package.modules[user].tree)}
    files = [module.name, *sorted(reached_from(direct, users)), *sorted(reached_from({module.name}, users))]
    files = [each for each in files if each.startswith(ITEM_ROOMS) and "\nITEM = " in package.modules[each].source]
    found = [each for each in EVERYTHING.found() if getattr(each.draw, "__module__", "") == f"slotfree.{module.name}"]
    found.sort(key=lambda each: each.draw.__name__ not in words)
    names = list(dict.fromkeys([*(each.item for each in found), *(each.rpartition(".")[2] for each in files)]))
    settings = [(each, SETTINGS_SECONDS) for room, each in SETTINGS.items() if room == module.room]
    tests = [(test.format(name), seconds) for name in names[:MOST_ITEMS] for test, seconds in OF_ITEMS]
    return [RecordedTest(name, seconds, frozenset()) for name, seconds in settings + tests]


def _names(node: ast.AST) -> set[str]:
    """Return the names and attributes that code mentions."""
    return {getattr(inner, "attr", getattr(inner, "id", "")) for inner in ast.walk(node)}
