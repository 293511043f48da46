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
from mutation.sources import Module

COMPILING = 90.0  # seconds of processor time for imports and compilation
SLACK = 5.0  # times as long as without the change
MOST_MEMORY = 8 * 2**30  # bytes
CONFTEST = re.compile(r"ImportError while loading conftest '.*?(tests/\S+)'")
NAMED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)  # a test, as pytest lists it
PASSED, USAGE, NOTHING = 0, 4, 5  # exit codes of pytest


@dataclass(frozen=True)
class Mutant:
    """A module and the change of it."""

    module: Module
    mutation: Mutation

    @property
    def place(self) -> str:
        """File and line."""
        return f"src/slotfree/{self.module.path}:{self.mutation.line}"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: whether it was killed, by what, and the processor time in seconds."""

    mutant: Mutant
    killed: bool
    by: str
    seconds: float


def copy_package(directory: Path, to: Path, without: set[str]) -> None:
    """Copy the package with its compiled kernels, except for those of some modules."""

    def stale(inside: str, names: list[str]) -> list[str]:
        room = ".".join(Path(inside).relative_to(directory).parent.parts)
        return [name for name in names if name.endswith((".nbi", ".nbc")) and f"{room}.{name.split('.')[0]}" in without]

    shutil.copytree(directory, to, ignore=stale)  # with the times of files, by which Numba knows them


def try_mutant(mutant: Mutant, directory: Path, holders: set[str], tests: list[RecordedTest]) -> Outcome:
    """Run the tests on a copy with the change, up to the first that fails.

    A crash counts as killed, and so does not coming to an end.

    Parameters
    ----------
    holders : modules whose kernels hold the changed code once they are compiled.
    """
    if not tests:
        return Outcome(mutant, False, "no test calls it", 0.0)
    with TemporaryDirectory() as folder:
        own = Path(folder) / "slotfree"
        copy_package(directory, own, holders)
        (own / mutant.module.path).write_text(mutant.mutation.applied(mutant.module.source))
        code, seconds, output = _run(own, tests, Path(folder), "-x")
        return Outcome(mutant, *verdict(code, output), seconds)


def failing(directory: Path, tests: list[RecordedTest]) -> list[str]:
    """Return the names of tests that fail with a package."""
    with TemporaryDirectory() as folder:
        return NAMED.findall(_run(directory, tests, Path(folder))[2])


def _run(directory: Path, tests: list[RecordedTest], folder: Path, *options: str) -> tuple[int | None, float, str]:
    """Run tests with a package; return the exit code of pytest, the processor time, and what it printed."""
    chosen, output = folder / "chosen.json", folder / "output.txt"
    chosen.write_text(json.dumps([test.name for test in tests]))
    files = sorted({test.file for test in tests})
    usual = ["-q", "--tb=no", "-rfE", "-n", "0", "-p", "no:cacheprovider", f"--basetemp={folder / 'tmp'}"]
    command = [sys.executable, "-m", "pytest", "-p", "mutation.plugin", *usual, *options, *files]
    limit = COMPILING + SLACK * sum(test.seconds for test in tests)
    with output.open("w") as out:
        process = subprocess.Popen(
            command,
            env={**environment(directory), "MUTANTS_CHOSEN": str(chosen)},
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: _limit(int(limit)),
        )
        try:
            code, seconds = _wait(process.pid, limit)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # processes that tests began
    return code, seconds, output.read_text()


def _limit(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _wait(process: int, limit: float) -> tuple[int | None, float]:
    """Return the exit code, None if the process is stuck, and the processor time that it used."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    end = time.monotonic() + 4 * max(1.0, busy) * limit
    while time.monotonic() < end:
        done, status, used = os.wait4(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        time.sleep(0.05)
    return None, limit


def verdict(code: int | None, output: str) -> tuple[bool, str]:
    """Return whether a mutant was killed, and by what, from pytest's exit code and what it printed."""
    if code is None or code == -signal.SIGXCPU:
        return True, "timeout"
    if code < 0:
        return True, f"signal {signal.Signals(-code).name}"
    if code == USAGE and (broken := CONFTEST.search(output)):
        return True, broken[1]
    if code == USAGE:
        raise RuntimeError(f"pytest ended with {code}:\n{output[-2000:]}")
    if code in (PASSED, NOTHING):
        return False, "survived"
    found = NAMED.search(output)
    return True, found[1] if found else "an error of pytest"
