"""Workers of other code do no work; a lost scheduler ends the work; other versions are reported."""

import os
import shutil
import time
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from slotfree import __version__
from slotfree.runs import package_hash, worker
from slotfree.runs.workers import LostError, SchedulerError, Workers

distributed = pytest.importorskip("distributed")

ADDRESS = "tcp://127.0.0.1:8786"
RESUME = "what is finished is kept: start it again with"


class Client:
    """A stand-in for Dask's client, which does what it is sent in this process, if it does anything."""

    def __init__(self, submit=lambda function, data: done(function(data))):
        self.submit, self.threads = submit, {ADDRESS: 1}

    def get_executor(self, pure, retries):
        assert not pure
        return self

    def nthreads(self):
        return self.threads


def done(result):
    found = Future()
    found.set_result(result)
    return found


@pytest.fixture
def workers(monkeypatch):
    """Makes executors with a client, whose worker is this process; their lines are kept."""
    made = []
    monkeypatch.setattr(distributed, "get_worker", lambda: SimpleNamespace(address="tcp://there"))

    def make(client):
        lines = []
        made.append(Workers(client, ADDRESS, 3, (), lines.append))
        return made[-1], lines

    yield make
    for each in made:
        each.shutdown()


def test_a_worker_that_cannot_do_the_work_ends_it(workers, monkeypatch):
    here = worker.about()
    monkeypatch.setattr("slotfree.runs.workers.about", lambda: here | {"code": "other"})
    made, _ = workers(Client())
    refused = f"the worker at tcp://there has other code of slotfree {__version__} than here; {RESUME} the slotfree"
    with pytest.raises(LostError, match=refused) as error:
        made.submit(abs, 1).result()
    assert error.value.exit_code == 1

    def about():
        raise ModuleNotFoundError("No module named 'slotfree'")

    monkeypatch.setattr(worker, "about", about)
    made, _ = workers(Client())
    with pytest.raises(LostError, match=r"has a slotfree that cannot be used \(ModuleNotFoundError: No module named"):
        made.submit(abs, 1).result()


def test_work_without_workers_is_reported_once_and_waits(workers, monkeypatch):
    monkeypatch.setattr("slotfree.runs.workers.LOOK_EVERY", 0.01)
    client, sent = Client(lambda *_: sent.append(Future()) or sent[-1]), []
    made, lines = workers(client)
    client.threads = {}
    time.sleep(0.1)
    assert lines == [], "there is nothing to do"
    waits = made.submit(abs, 1)
    time.sleep(0.3)
    assert lines == [f"waiting for workers at {ADDRESS} … (to start one: dask worker {ADDRESS})"]
    assert not waits.done()


@pytest.mark.parametrize(
    ("name", "refusal"), [("slotfree", "has slotfree 0.0.1, and here is 1"), ("code", "has other code of slotfree 1")]
)
def test_what_differs_is_named(name, refusal):
    here = {"slotfree": "1", "code": "a", "numpy": "1", "numba": "1", "scipy": "1"}
    assert worker.reason_to_refuse(here, here) is worker.reason_to_doubt(here, here) is None
    assert worker.reason_to_refuse(here, {**here, name: "0.0.1"}).startswith(refusal)
    assert (
        worker.reason_to_doubt(here, {**here, "scipy": "2", "numba": "3"})
        == "numba 3 instead of 1, scipy 2 instead of 1"
    )


def test_other_versions_of_numpy_are_reported_once(workers, monkeypatch):
    made, lines = workers(Client())
    assert made.submit(abs, -1).result() == 1
    assert lines == []
    here = worker.about()
    monkeypatch.setattr("slotfree.runs.workers.about", lambda: here | {"numpy": "1.0"})
    made, lines = workers(Client())
    assert [made.submit(abs, -n).result() for n in range(3)] == [0, 1, 2]
    [line] = lines
    there = f"has numpy {worker.about()['numpy']} instead of 1.0"
    assert line == f"the worker at tcp://there {there}: its numbers may differ in their last bits"


def closed(*_):
    raise RuntimeError("client is closed")


def gone(*_):
    """Dask cancels what it waits for when the scheduler is gone."""
    found = Future()
    found.cancel()
    found.set_running_or_notify_cancel()
    return found


@pytest.mark.parametrize("submit", [closed, gone])
def test_a_lost_scheduler_ends_the_work(workers, submit):
    made, _ = workers(Client(submit))
    with pytest.raises(SchedulerError, match=rf"lost the Dask scheduler at {ADDRESS}; {RESUME} its workers, and rerun"):
        made.submit(abs, 1).result(10)


def test_what_is_dropped_is_not_done(workers):
    sent = []
    made, _ = workers(Client(lambda *_: sent.append(Future()) or sent[-1]))
    assert made.submit(abs, 1).cancel()
    assert sent[0].cancelled()
    made.submit(abs, 1)
    made.shutdown()
    assert sent[1].cancelled()


def test_a_process_whose_files_have_changed_has_no_code_of_others(tmp_path, monkeypatch):
    shutil.copytree(package_hash.PACKAGE / "runs", tmp_path / "runs")
    monkeypatch.setattr(package_hash, "PACKAGE", tmp_path)
    monkeypatch.setattr(package_hash, "_first", package_hash.cache(package_hash._first.__wrapped__))
    monkeypatch.setattr(package_hash, "LOOK_EVERY", 1e-9)
    before = package_hash.package_hash()
    assert len(before) == 64
    assert package_hash.package_hash() == before
    monkeypatch.setattr(package_hash, "LOOK_EVERY", 1e9)
    assert package_hash.package_hash() == before
    os.utime(tmp_path / "runs" / "seeds.py")
    assert package_hash.package_hash() == before, "not looked at again so soon"
    monkeypatch.setattr(package_hash, "LOOK_EVERY", 1e-9)
    assert package_hash.package_hash() == package_hash.CHANGED
