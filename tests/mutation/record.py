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
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from mutation.operators import Mutation
from mutation.sources import Module, imported_by, kernels_by_name, reached_from

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
# What is not recorded: tests of sites, wheels, clusters, mutants, and those that run all items, which take minutes.
# Those that need a browser are left out by the recorder.
LEFT_OUT = (
    *("docs/", "packaging/", "mutation/", "cli/test_scheduler.py"),
    *("test_everything.py", "test_examples.py", "test_benchmarks.py"),
)
TOO_SLOW = ("random_mutations", "fifty_kills", "kill_9", "one_s_own", "large_layers")  # in names: minutes of work
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


class Record:
    """The record of all tests, kept in a directory; a file of tests that changed is recorded again.

    Parameters
    ----------
    directory : where it is kept.
    package : the unchanged copy of the package.
    found : its modules.
    """

    def __init__(self, directory: Path, package: Path, found: dict[str, Module]) -> None:
        self.path, self.package, self.found = directory / "record.json", package, found

    def tests(self) -> list[RecordedTest]:
        """Return all tests, after recording those that are new."""
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        files = [path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")]
        files = [f"tests/{file}" for file in files if not file.startswith(LEFT_OUT)]
        keys = {file: sha256((ROOT / file).read_bytes()).hexdigest() for file in files}
        kept = {name: entry for name, entry in kept.items() if keys.get(name) == entry["key"]}
        new = sorted(keys.keys() - kept.keys())
        if new:
            print(f"recording what the tests in {len(new)} files call", flush=True)
            kept |= {file: {"key": keys[file], "tests": {}} for file in new}
            for name, entry in record(new, self.package).items():
                kept[name.split("::")[0]]["tests"][name] = entry
            self.path.write_text(json.dumps(kept))
        return [self._test(name, entry) for file in kept.values() for name, entry in file["tests"].items()]

    def _test(self, name: str, entry: dict) -> RecordedTest:
        """Return a test with the functions it calls, the modules it imports, and the kernels that these mention."""
        own, imported = _names_in(name.split("::")[0])
        called = set(entry["functions"]) | {own[word] for word in entry["names"] if word in own}
        called |= {f"{function.split(':')[0]}:" for function in called} | imported  # with what their modules mention
        return RecordedTest(name, entry["seconds"], frozenset(reached_from(called, self.calls)))

    @cached_property
    def calls(self) -> dict[str, set[str]]:
        """The kernels that each function of the package mentions."""
        return {
            f"{module.name}:{function}": kernels
            for module in self.found.values()
            for function, kernels in module.calls.items()
        }


@cache
def _names_in(file: str) -> tuple[dict[str, str], set[str]]:
    """The kernels that a file of tests imports, by name, and what else it imports from the package."""
    tree = ast.parse((ROOT / file).read_text())
    return kernels_by_name(tree), {f"{name}:" for name in imported_by(tree)}


def record(files: list[str], package: Path) -> dict[str, dict]:
    """Run files of tests with the unchanged package; return what each test that passes calls."""
    with TemporaryDirectory() as directory:
        quick = " and ".join(f"not {word}" for word in TOO_SLOW)
        options = ["-p", "mutation.recorder", "-p", "no:cacheprovider", "-n", "2", "-k", quick]
        command = [sys.executable, "-m", "pytest", *options, *files]
        done = subprocess.run(
            command, env={**environment(package), "MUTANTS_RECORD": directory}, cwd=ROOT, capture_output=True, text=True
        )
        parts = [json.loads(path.read_text()) for path in Path(directory).iterdir()]
    failed = {name for part in parts for name in part["failed"]}
    if done.returncode not in (0, 1):
        sys.exit(f"the tests cannot be run:\n{done.stdout[-3000:]}")
    if failed:
        print(f"these fail without any change, and are left out: {sorted(failed)}", flush=True)
    return {name: entry for part in parts for name, entry in part["tests"].items() if name not in failed}


def environment(package: Path) -> dict[str, str]:
    """Return the environment in which tests import this copy of the package."""
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return {**clean, "PYTHONPATH": os.pathsep.join([str(package.parent), str(TESTS)])}


def chosen_tests(
    module: Module, mutation: Mutation, tests: list[RecordedTest], users: dict[str, set[str]] | None = None
) -> list[RecordedTest]:
    """Return the tests to run: those that call the function, or else use the module, or else a module that imports it.

    Its own file comes first, then quick ones. Files of tests stay together, as they may share what they prepare.

    Parameters
    ----------
    users : which modules import each module.
    """
    here = [test for test in tests if f"{module.name}:{mutation.function}" in test.functions]
    if not mutation.function or not here:
        here = [test for test in tests if module.name in test.modules]
    if not here:
        near = reached_from({module.name}, users or {})
        here = [test for test in tests if near & test.modules]
    files: dict[str, list[RecordedTest]] = {}
    for test in sorted(here, key=lambda test: test.seconds):
        files.setdefault(test.file, []).append(test)
    own = f"tests/{module.path.parent}/test_{module.path.stem}"

    def order(group: list[RecordedTest]) -> tuple[bool, float]:
        return not group[0].file.startswith(own), sum(test.seconds for test in group)

    chosen, left = [], MOST_SECONDS
    for test in (test for group in sorted(files.values(), key=order) for test in group):
        if test.seconds <= left:
            chosen.append(test)
            left -= test.seconds
    return chosen
