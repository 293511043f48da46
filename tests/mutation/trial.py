"""A mutant on trial: a private copy of the package with one change, and the tests that should notice it."""

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mutation.operators import Mutation
from mutation.record import ROOT, RecordedTest, environment
from mutation.sources import Module, importers

COMPILING = 90.0  # seconds of processor time for imports and compilation
SLACK = 5.0  # times as long as without the change
MOST_MEMORY = 8 * 2**30  # bytes
NAMED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)  # a test, as pytest lists it
PASSED, FAILED, INTERRUPTED, INTERNAL = 0, 1, 2, 3  # exit codes of pytest


@dataclass(frozen=True)
class Mutant:
    """A module and the change of it."""

    module: Module
    mutation: Mutation

    @property
    def place(self) -> str:
        """File and line."""
        return f"src/slotfree/{self.module.path}:{self.mutation.line}"

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """The lines that the change touches, before and after."""
        old, new = self.module.source.splitlines(), self.mutation.applied(self.module.source).splitlines()
        first = self.mutation.line - 1
        n_old, n_new = self.mutation.old.count("\n") + 1, self.mutation.new.count("\n") + 1
        return old[first : first + n_old], new[first : first + n_new]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: whether it was killed, by what, and the processor time in seconds."""

    mutant: Mutant
    killed: bool
    by: str
    seconds: float


def copy_package(package: Path, to: Path, without: set[str]) -> None:
    """Copy the package with its compiled kernels, except for those of some modules."""

    def stale(directory: str, names: list[str]) -> list[str]:
        room = ".".join(Path(directory).relative_to(package).parent.parts)
        return [name for name in names if name.endswith((".nbi", ".nbc")) and f"{room}.{name.split('.')[0]}" in without]

    shutil.copytree(package, to, ignore=stale)  # with the times of files, by which Numba knows them


def try_mutant(mutant: Mutant, package: Path, found: dict[str, Module], tests: list[RecordedTest]) -> Outcome:
    """Run the tests on a copy with the change, up to the first that fails.

    A crash counts as killed, and so does not coming to an end.
    """
    if not tests:
        return Outcome(mutant, False, "no test calls it", 0.0)
    with TemporaryDirectory() as directory:
        own = Path(directory) / "slotfree"
        copy_package(package, own, importers(mutant.module, found))
        (own / mutant.module.path).write_text(mutant.mutation.applied(mutant.module.source))
        code, seconds, output = _run(own, tests, Path(directory), "-x")
        return Outcome(mutant, *verdict(code, output), seconds)


def failing(package: Path, tests: list[RecordedTest]) -> list[str]:
    """Return the names of tests that fail with a package."""
    with TemporaryDirectory() as directory:
        return NAMED.findall(_run(package, tests, Path(directory))[2])


def _run(package: Path, tests: list[RecordedTest], directory: Path, *options: str) -> tuple[int | None, float, str]:
    """Run tests with a package; return the exit code of pytest, the processor time, and what it printed."""
    chosen, output = directory / "chosen.json", directory / "output.txt"
    chosen.write_text(json.dumps([test.name for test in tests]))
    files = sorted({test.file for test in tests})
    usual = ["-q", "--tb=no", "-rfE", "-n", "0", "-p", "no:cacheprovider", f"--basetemp={directory / 'tmp'}"]
    command = [sys.executable, "-m", "pytest", "-p", "mutation.chosen", *usual, *options, *files]
    limit = COMPILING + SLACK * sum(test.seconds for test in tests)
    with output.open("w") as out:
        process = subprocess.Popen(
            command,
            env={**environment(package), "MUTANTS_CHOSEN": str(chosen)},
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: _limit(int(limit)),
        )
        try:
            code, seconds = _wait(process.pid, limit * _patience())
        finally:
            _end_group(process.pid)  # processes that tests began
    return code, seconds, output.read_text()


def _limit(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _patience() -> float:
    """How much longer than its processor time a process may take before it counts as stuck; more on a busy machine."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    return 4 * max(1.0, busy)


def _wait(process: int, limit: float) -> tuple[int | None, float]:
    """Return the exit code, None if the process did not end in time, and the processor time that it used."""
    end = time.monotonic() + limit
    done, status, used = os.wait4(process, os.WNOHANG)
    while not done:
        if time.monotonic() > end:
            return None, limit
        time.sleep(0.05)
        done, status, used = os.wait4(process, os.WNOHANG)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def _end_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def verdict(code: int | None, output: str) -> tuple[bool, str]:
    """Return whether a mutant was killed, and by what, from pytest's exit code and what it printed."""
    if code is None or code == -signal.SIGXCPU:
        return True, "timeout"
    if code < 0:
        return True, f"signal {signal.Signals(-code).name}"
    if code == PASSED:
        return False, "survived"
    if code not in (FAILED, INTERRUPTED, INTERNAL):
        raise RuntimeError(f"pytest ended with {code}:\n{output[-2000:]}")
    found = NAMED.search(output)
    return True, found[1] if found else "an error of pytest"
