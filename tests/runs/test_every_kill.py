"""A process killed at any moment while it opens, fills or cleans a directory: the next one goes on."""

import contextlib
import os
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import slotfree
from slotfree.files import atomic
from slotfree.runs.clean import clean
from slotfree.runs.directory import opened
from slotfree.runs.errors import DirectoryError
from slotfree.runs.store import Finished, Unit

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

WATCHED = {  # what writes
    str(Path(slotfree.__file__).parent / f"{name}.py")
    for name in ("files/atomic", "runs/clean", "runs/directory", "runs/lock", "runs/manifest", "runs/store")
}
KILLED = 77


def fill(path):
    with opened(path, {"seed": 0}, {"begun": "2026-01-01"}) as directory:
        directory.store.save(Unit("g", {"n": 1}), Finished({"x": np.ones(2)}, 0.1))
        directory.write("figures/a.png", b"png")
        directory.write("claims.json", b"[]")


def files(path):
    return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}


class Lines:
    """Calls a function before each line of ours, with the number of the line."""

    def __init__(self, before):
        self.before, self.count = before, 0

    def __call__(self, frame, event, argument):
        if frame.f_code.co_filename not in WATCHED:
            return None
        if event == "line":
            self.count += 1
            self.before(self.count)
        return self

    def trace(self, work):
        sys.settrace(self)
        try:
            work()
        finally:
            sys.settrace(None)


def moments(path, work):
    """Do work; return the lines before which the directory is not as it was before the line above."""
    states = []

    def look(line):
        states.append(sorted((str(p), p.lstat().st_size, p.lstat().st_ino) for p in path.rglob("*")))

    Lines(look).trace(work)
    return [line for line in range(2, len(states) + 1) if states[line - 1] != states[line - 2]]


def kill_before(line, work):
    """Do work in a process that ends before a line, as if killed: nothing is flushed, no ``finally`` is run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child only writes files
        child = os.fork()
    if child == 0:
        try:
            Lines(lambda now: os._exit(KILLED) if now == line else None).trace(work)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == KILLED


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch):
    """A killed process loses nothing that the system has; only a power cut would."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(params=["nameless", "named"])
def route(request, monkeypatch):
    """Both ways to write: with a file that has no name yet, and, as on other systems, with a temporary name."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without a name")
    monkeypatch.setattr(atomic, "YOUNG", -1.0)  # there is no other writer whose empty file must be spared


def leftovers(path):
    return {p.relative_to(path).parent for p in path.rglob("*.tmp")}


def test_after_any_kill_a_directory_can_be_used_and_cleaned(tmp_path, route):
    whole, path, left = tmp_path / "whole", tmp_path / "killed", set()
    lines = moments(whole, lambda: fill(whole))
    assert len(lines) > 12
    for line in lines:
        kill_before(line, lambda: fill(path))
        left |= leftovers(path)
        if any(path.iterdir()):
            shutil.copytree(path, tmp_path / "copy")
            clean(tmp_path / "copy")
            assert not (tmp_path / "copy").exists(), f"killed before line {line}"
        fill(path)
        assert files(path) == files(whole), f"killed before line {line}"
        shutil.rmtree(path)
    assert left == {Path(), Path("units/g"), Path("figures")}, "kills must fall between link and rename"


def test_a_killed_cleaning_is_followed_by_another(tmp_path):
    whole, path = tmp_path / "whole", tmp_path / "results"
    fill(whole)
    (whole / "mine").write_text("mine")
    shutil.copytree(whole, path)
    lines = moments(path, lambda: clean(path))
    assert len(lines) > 6
    for line in lines:
        shutil.rmtree(path)
        shutil.copytree(whole, path)
        kill_before(line, lambda: clean(path))
        with contextlib.suppress(DirectoryError):  # everything was removed already
            clean(path)
        left = files(path)
        left.pop(".slotfree-lock", None)  # alone beside what others wrote, it is no sign that the directory is ours
        assert left == {"mine": b"mine"}, f"killed before line {line}"
