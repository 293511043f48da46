"""Workers on loopback whose slotfree is not the one here: refused whenever they join; no result of theirs is kept."""

import os
import shutil
import time
from concurrent.futures import Future
from functools import partial

import pytest
from driver import seeded
from loopback import Loopback, doctored

from slotfree import __version__
from slotfree.runs import dispatch, package_hash, roster
from slotfree.runs.cluster import cluster
from slotfree.runs.roster import Roster
from slotfree.runs.store import Finished, Store, Unit
from slotfree.runs.work import work
from slotfree.runs.worker import about, reason_to_doubt

pytest.importorskip("distributed")

OTHER_CODE = ("runs/seeds.py", "range(0, 16, 4)", "range(0, 8, 4)")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A cluster of which the worker that came first has other code, another one no slotfree, and the last is right."""
    found = Loopback(tmp_path_factory.mktemp("dask"))
    try:
        other = doctored(tmp_path_factory.mktemp("other"), *OTHER_CODE)
        none = tmp_path_factory.mktemp("none")
        (none / "slotfree.py").write_text("raise ModuleNotFoundError(\"No module named 'slotfree'\")")
        started = [found.worker(other), found.worker(none), found.worker()]
        found.other, found.none, found.right = map(found.joined, started)
        yield found
    finally:
        found.close()


def units(numbers):
    return [(n, Unit("g", {"n": n}), partial(seeded, n)) for n in numbers]


def check(done):
    """Results are those of the code here."""
    for n, outcome in done.items():
        assert isinstance(outcome, Finished), outcome
        assert outcome.arrays["x"].tobytes() == seeded(n)["x"].tobytes()


def refusals(lines):
    """Why workers are refused, by address."""
    begin = "refused the worker at "
    return dict(line.removeprefix(begin).split(": ", 1) for line in lines if line.startswith(begin))


def wait_for(condition, seconds=60):
    for _ in range(seconds * 20):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")


@pytest.mark.filterwarnings("ignore")
def test_workers_of_other_code_are_refused_whenever_they_join(mixed, tmp_path, tmp_path_factory):
    lines = []
    with cluster(mixed.address, tell=lines.append) as executor:
        check(dict(work(units(range(20)), Store(tmp_path), executor=executor)))
        wait_for(lambda: len(refusals(lines)) == 2)
        assert refusals(lines)[mixed.other].startswith(f"its code of slotfree {__version__} is not the code here; ")
        assert refusals(lines)[mixed.none].startswith("its slotfree cannot be used (ModuleNotFoundError: No module")
        version = (f'__version__ = "{__version__}"', '__version__ = "0.0.1"')
        late = mixed.worker(doctored(tmp_path_factory.mktemp("late"), "__init__.py", *version))
        wait_for(lambda: len(refusals(lines)) == 3)
        assert refusals(lines)[mixed.joined(late)].startswith(f"it has slotfree 0.0.1, and here is {__version__}; ")
        check(dict(work(units(range(20, 40)), Store(tmp_path), executor=executor)))
        late.kill()
    assert mixed.right not in refusals(lines)


@pytest.mark.filterwarnings("ignore")
def test_what_a_worker_of_other_code_returns_is_thrown_away(mixed, tmp_path, monkeypatch):
    """Even if it was let in: its process, for example, was replaced by another one at the same address."""
    monkeypatch.setattr(roster, "reason_to_refuse", lambda here, there: None)
    lines = []
    with cluster(mixed.address, tell=lines.append) as executor:
        wait_for(lambda: len(executor.roster.accepted) == 2)
        check(dict(work(units(range(20)), Store(tmp_path), executor=executor)))
    assert mixed.other in refusals(lines)


@pytest.mark.filterwarnings("ignore")
def test_a_unit_that_fails_once_is_tried_again(mixed, tmp_path):
    with cluster(mixed.address) as executor:
        once = [(0, Unit("g", {}), partial(seeded, 0, fails_without=tmp_path / "tried"))]
        check(dict(work(once, Store(tmp_path / "store"), executor=executor)))


@pytest.mark.filterwarnings("ignore")
def test_units_wait_for_workers_and_outlive_the_only_one(tmp_path, monkeypatch):
    monkeypatch.setattr(dispatch, "PATIENCE", 0.2)
    lines, found = [], Loopback(tmp_path)
    try:
        with cluster(found.address, tell=lines.append) as executor:
            doing = executor.submit(seeded, 3, seconds=2, notes=tmp_path / "begun")
            wait_for(lambda: lines)
            assert lines == [f"waiting for workers at {found.address} … (to start one: dask worker {found.address})"]
            first = found.worker()
            wait_for(lambda: (tmp_path / "begun").exists())
            first.kill()
            found.worker()
            assert doing.result(60)["x"].tobytes() == seeded(3)["x"].tobytes()
            assert (tmp_path / "begun").read_text() == "begun\n" * 2
    finally:
        found.close()


def test_other_versions_of_numpy_are_told_once():
    lines, said = [], {"a": {**about(), "numpy": "1.0"}, "b": {**about(), "numpy": "1.0"}, "c": about()}

    def ask(address):
        future = Future()
        future.set_result(said[address])
        return future

    found = Roster(ask, lines.append)
    found.update({"a": 1, "b": 2, "c": 3})
    assert found.accepted == {"a": 1, "b": 2, "c": 3}
    [line] = lines
    assert f"has numpy 1.0 instead of {about()['numpy']}: its numbers may differ in their last bits" in line
    assert reason_to_doubt(about(), about()) is None


def test_a_process_whose_files_have_changed_has_no_code_of_others(tmp_path, monkeypatch):
    shutil.copytree(package_hash.PACKAGE / "runs", tmp_path / "runs")
    monkeypatch.setattr(package_hash, "PACKAGE", tmp_path)
    monkeypatch.setattr(package_hash, "_first", package_hash.cache(package_hash._first.__wrapped__))
    before = package_hash.package_hash()
    assert len(before) == 64
    assert package_hash.package_hash() == before
    os.utime(tmp_path / "runs" / "seeds.py")
    assert package_hash.package_hash() == package_hash.CHANGED
