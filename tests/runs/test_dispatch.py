"""Units that cannot be sent, that Dask gives up, or that outlive the code here: each ends with a line, none hangs."""

from concurrent.futures import Future
from contextlib import contextmanager

import pytest

from slotfree.runs import package_hash
from slotfree.runs.dispatch import ChangedError, Dispatcher, SchedulerError

pytest.importorskip("cloudpickle")

ADDRESS, RETRIES, SECONDS = "tcp://127.0.0.1:8786", 3, 10


class Client:
    """A stand-in for Dask's client, with one worker that has the code here; what is sent to it is what a test says."""

    status, scheduler = "running", type("Scheduler", (), {"ncores": None})

    def __init__(self, send):
        self.send = send

    def get_executor(self, pure):
        return self

    def sync(self, *_, **__):
        return {"tcp://127.0.0.1:1": 1}

    def submit(self, function, data, workers, retries):
        if retries:
            return self.send()
        asked = Future()
        asked.set_result(function(data))
        return asked


@contextmanager
def dispatcher(send):
    found = Dispatcher(Client(send), ADDRESS, RETRIES, (), lambda line: None)
    try:
        yield found
    finally:
        found.shutdown()


class ClosedClientError(Exception):
    """As Dask raises: it is no OSError."""


def test_a_unit_that_cannot_be_sent_is_told():
    def send():
        raise ClosedClientError("closed")

    with dispatcher(send) as found, pytest.raises(SchedulerError) as told:
        found.submit(int).result(SECONDS)
    assert str(told.value) == (
        f"lost the Dask scheduler at {ADDRESS} (ClosedClientError: closed); what is finished is kept: start it and its "
        "workers again, and the same command goes on"
    )


def test_a_unit_that_dask_always_gives_up_fails():
    sent = []

    def send():
        sent.append(Future())
        sent[-1].cancel()
        return sent[-1]

    with dispatcher(send) as found, pytest.raises(RuntimeError, match=f"lost {RETRIES + 1} times"):
        found.submit(int).result(SECONDS)
    assert len(sent) == RETRIES + 1


def test_a_change_of_slotfree_here_ends_the_work(monkeypatch):
    with dispatcher(Future) as found:
        doing = found.submit(int)
        monkeypatch.setattr(package_hash, "_stamps", dict)
        with pytest.raises(ChangedError, match="slotfree was changed here while it ran; what is finished is kept"):
            doing.result(SECONDS)
        with pytest.raises(ChangedError):
            found.submit(int)
    assert ChangedError.exit_code == 1
