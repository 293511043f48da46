"""What each test calls, recorded once with the unchanged package, and the tests to run for a mutation."""

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
from mutation.sources import Module, kernels_by_name, reached_from

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TESTED_BY = ("kernels", "memory", "files", "runs", "forgetting", "attention", "tasks", "patterns")
TOO_SLOW = ("random_mutations", "fifty_kills", "kill_9", "one_s_own", "large_layers")  # in names: minutes of work
MOST_SECONDS = 60.0  # of tests for one mutation


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
        self.state = sha256("".join(module.source for module in found.values()).encode()).hexdigest()

    def tests(self) -> list[RecordedTest]:
        """Return all tests, after recording those that are new."""
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        files = {str(path.relative_to(ROOT)): path for room in TESTED_BY for path in (TESTS / room).rglob("test_*.py")}
        keys = {name: sha256((self.state + path.read_text()).encode()).hexdigest() for name, path in files.items()}
        kept = {name: entry for name, entry in kept.items() if keys.get(name) == entry["key"]}
        new = sorted(keys.keys() - kept.keys())
        if new:
            print(f"recording what the tests in {len(new)} files call", flush=True)
            for name, entry in record(new, self.package).items():
                kept.setdefault(name.split("::")[0], {"key": keys[name.split("::")[0]], "tests": {}})["tests"][name] = (
                    entry
                )
            self.path.write_text(json.dumps(kept))
        return [self._test(name, entry) for file in kept.values() for name, entry in file["tests"].items()]

    def _test(self, name: str, entry: dict) -> RecordedTest:
        """Return a test with the functions it calls, and the kernels that it and these mention."""
        own = kernels_by_name(ast.parse((ROOT / name.split("::")[0]).read_text()))
        called = set(entry["functions"]) | {own[word] for word in entry["names"] if word in own}
        called |= {f"{function.split(':')[0]}:" for function in called}  # with what their modules mention
        return RecordedTest(name, entry["seconds"], frozenset(reached_from(called, self.calls)))

    @cached_property
    def calls(self) -> dict[str, set[str]]:
        """The kernels that each function of the package mentions."""
        return {
            f"{module.name}:{function}": kernels
            for module in self.found.values()
            for function, kernels in module.calls.items()
        }


def record(files: list[str], package: Path) -> dict[str, dict]:
    """Run files of tests with the unchanged package; return what each test calls. They have to pass."""
    with TemporaryDirectory() as directory:
        quick = " and ".join(f"not {word}" for word in TOO_SLOW)
        options = ["-p", "mutation.recorder", "-p", "no:cacheprovider", "-n", "2", "-k", quick]
        command = [sys.executable, "-m", "pytest", *options, *files]
        done = subprocess.run(
            command, env={**environment(package), "MUTANTS_RECORD": directory}, cwd=ROOT, capture_output=True, text=True
        )
        parts = [json.loads(path.read_text()) for path in Path(directory).iterdir()]
    failed = [name for part in parts for name in part["failed"]]
    if done.returncode or failed:
        sys.exit(f"the tests must pass before anything is changed, but these fail: {failed}\n{done.stdout[-3000:]}")
    return {name: entry for part in parts for name, entry in part["tests"].items()}


def environment(package: Path) -> dict[str, str]:
    """Return the environment in which tests import this copy of the package."""
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return {**clean, "PYTHONPATH": os.pathsep.join([str(package.parent), str(TESTS)])}


def chosen_tests(module: Module, mutation: Mutation, tests: list[RecordedTest]) -> list[RecordedTest]:
    """Return the tests to run: those that call the function, or else the module; its own file first, then quick ones.

    Files of tests stay together, as they may share what they prepare.
    """
    here = [test for test in tests if f"{module.name}:{mutation.function}" in test.functions]
    if not mutation.function or not here:
        here = [test for test in tests if any(one.startswith(f"{module.name}:") for one in test.functions)]
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
