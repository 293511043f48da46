"""Dask on loopback: a scheduler and workers in processes of their own, also workers with another slotfree."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import slotfree

HERE = Path(__file__).parent
PACKAGE = Path(slotfree.__file__).parent


class Loopback:
    """A scheduler, and workers that come and go; all have some environment variables.

    Attributes
    ----------
    address : of the scheduler.
    """

    def __init__(self, folder, **environment):
        self.folder, self.processes, self.environment = folder, [], environment
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        self.address = said(self.scheduler.log, r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)")

    def worker(self, package=None):
        """Start a worker, with another package if one is given; its address is known when it has joined."""
        options = ("--nthreads", "1", "--no-nanny", "--death-timeout", "60")
        return self._start("dask_worker", self.address, *options, package=package)

    def joined(self, worker):
        """The address of a worker, once it has joined."""
        said(worker.log, "Registered to:")
        return said(worker.log, r"Start worker at:\s+(tcp://127\.0\.0\.1:\d+)")

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()

    def _start(self, what, *arguments, package=None):
        log = self.folder / f"{len(self.processes)}.log"
        # Workers import units by name, from here.
        path = os.pathsep.join(map(str, filter(None, (package, HERE, PACKAGE.parent, os.environ.get("PYTHONPATH")))))
        command = [sys.executable, "-m", f"distributed.cli.{what}", *arguments, "--no-dashboard"]
        with log.open("w") as file:
            quiet = {"stdout": file, "stderr": subprocess.STDOUT, "cwd": self.folder}
            process = subprocess.Popen(command, env={**os.environ, **self.environment, "PYTHONPATH": path}, **quiet)
        process.log = log
        self.processes.append(process)
        return process


def said(log, pattern, seconds=60):
    """What a log says, once it says it."""
    for _ in range(seconds * 10):
        found = re.search(pattern, log.read_text())
        if found:
            return found[found.re.groups]
        time.sleep(0.1)
    raise AssertionError(f"{pattern} is not in {log.read_text()}")


def doctored(folder, file, old, new):
    """A folder with a copy of slotfree in which one file is changed."""
    shutil.copytree(PACKAGE, folder / "slotfree", ignore=shutil.ignore_patterns("*.nb?", "__pycache__"))
    path = folder / "slotfree" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return folder
