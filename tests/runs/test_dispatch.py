"""Units that cannot be sent, that Dask gives up, that hang, or that outlive the code here: none holds up the others."""

import time
from concurrent.futures import Future
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from slotfree.runs import dispatch, package_hash
from slotfree.runs.dispatch import ChangedError, Dispatcher, SchedulerError
from slotfree.runs.worker import Answer

pytest.importorskip("cloudpickle")

ADDRESS, RETRIES, SECONDS = "tcp://127.0.0.1:8786", 3, 10


class Client:
    """A stand-in for Dask's client; its workers have the code here. What is sent, and to whom it may go, is kept.

    Parameters
    ----------
    send : returns the future of what is sent; by default one that the test answers.
    """

    status, scheduler = "running", type("Scheduler", (), {"ncores": None})

    def __init__(self, workers="a", send=Future):
        self.workers, self.send, self.sent = dict.fromkeys(workers, 1), send, []

    def get_executor(self, pure):
        return self

    def sync(self, *_, **__):
        return self.workers

    def submit(self, function, data, workers, retries):
        if retries:
            self.sent.append((self.send(), workers))
            return self.sent[-1][0]
        asked = Future()
        asked.set_result(function(data))
        return asked

    def wait_for(self, count):
        """Wait until this number of units has been sent."""
        end = time.monotonic() + SECONDS
        while len(self.sent) < count and time.monotonic() < end:
            time.sleep(0.001)
        assert len(self.sent) == count

    def answer(self, which, worker, result):
        self.sent[which][0].set_result(Answer(package_hash.package_hash(), worker, result))


@contextmanager
def dispatcher(client):
    found = Dispatcher(client, ADDRESS, RETRIES, (), lambda line: None)
    try:
        yield found
    finally:
        found.shutdown()


class ClosedClientError(Exception):
    """As Dask raises: it is no OSError."""


def test_a_unit_that_cannot_be_sent_is_told():
    def send():
        raise ClosedClientError("closed")

    with dispatcher(Client(send=send)) as found, pytest.raises(SchedulerError) as told:
        found.submit(int).result(SECONDS)
    assert str(told.value) == (
        f"lost the Dask scheduler at {ADDRESS} (ClosedClientError: closed); what is finished is kept: start it and its "
        "workers again, and the same command goes on"
    )


def test_a_unit_that_dask_always_gives_up_fails():
    def send():
        given_up = Future()
        given_up.cancel()
        return given_up

    client = Client(send=send)
    with dispatcher(client) as found, pytest.raises(RuntimeError, match=f"lost {RETRIES + 1} times"):
        found.submit(int).result(SECONDS)
    assert len(client.sent) == RETRIES + 1


def test_a_change_of_slotfree_here_ends_the_work(monkeypatch):
    with dispatcher(Client()) as found:
        doing = found.submit(int)
        monkeypatch.setattr(package_hash, "_stamps", dict)
        with pytest.raises(ChangedError, match="slotfree was changed here while it ran; what is finished is kept"):
            doing.result(SECONDS)
        with pytest.raises(ChangedError):
            found.submit(int)
    assert ChangedError.exit_code == 1


def test_workers_are_looked_for_at_once(monkeypatch):
    monkeypatch.setattr(dispatch, "REFRESH", 1000.0)
    client = Client()
    with dispatcher(client) as found:
        found.submit(int)
        client.wait_for(1)


@pytest.fixture
def clock(monkeypatch):
    """The time that a dispatcher sees; it looks all the time."""
    now = SimpleNamespace(seconds=1000.0)
    monkeypatch.setattr(dispatch, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    monkeypatch.setattr(dispatch, "REFRESH", 2.0**-10)  # exact, as the first look is
    return now


@pytest.mark.parametrize("first", [0, 3], ids=["the worker that hung", "the other worker"])
@pytest.mark.parametrize(("longest", "late"), [(0, dispatch.LATE), (100, dispatch.TIMES * 100)])
def test_a_unit_whose_worker_hangs_is_given_to_another_and_the_first_result_counts(clock, longest, late, first):
    client = Client("ab")
    with dispatcher(client) as found:
        hangs, other = found.submit(int), found.submit(int)
        client.wait_for(2)
        clock.seconds += longest
        client.answer(1, "b", "other")
        assert other.result(SECONDS) == "other"
        clock.seconds += late - longest
        more = found.submit(int)
        client.wait_for(3)
        client.answer(2, "b", "more")
        assert more.result(SECONDS) == "more"
        assert len(client.sent) == 3, "it is not late yet"
        clock.seconds += 1
        client.wait_for(4)
        assert client.sent[3][1] == ["b"], "a was silent all the time"
        client.answer(first, "ab"[first == 3], "result")
        assert hangs.result(SECONDS) == "result"
        assert client.sent[3 - first][0].cancelled()


def test_a_worker_that_hangs_gets_nothing_new_until_it_answers(clock):
    client = Client("ab")
    with dispatcher(client) as found:
        hangs, other = found.submit(int), found.submit(int)
        client.wait_for(2)
        client.answer(1, "b", "other")
        other.result(SECONDS)
        clock.seconds += dispatch.LATE + 1
        client.wait_for(3)
        found.submit(int)
        client.wait_for(4)
        client.answer(0, "a", "after all")
        assert hangs.result(SECONDS) == "after all"
        found.submit(int)
        client.wait_for(5)
    assert [workers for _, workers in client.sent] == [["a", "b"], ["a", "b"], ["b"], ["b"], ["a", "b"]]


def test_a_unit_that_takes_long_on_the_only_worker_is_left_there(clock):
    client = Client()
    with dispatcher(client) as found:
        long, waits = found.submit(int), found.submit(int)
        client.wait_for(2)
        clock.seconds += 100 * dispatch.LATE
        time.sleep(0.02)  # for many looks
        client.answer(0, "a", "done")
        assert long.result(SECONDS) == "done"
        client.answer(1, "a", "done")
        assert waits.result(SECONDS) == "done"
        assert len(client.sent) == 2
