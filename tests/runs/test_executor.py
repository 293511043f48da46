import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from slotfree.runs import executor
from slotfree.runs.cluster import ClusterError, host_and_port
from slotfree.runs.executor import default_jobs, run_units


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_every_unit_is_run_once_and_keeps_its_key(jobs):
    units = [(i, partial(pow, i, 2)) for i in range(50)]
    assert dict(run_units(units, jobs)) == {i: i * i for i in range(50)}


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_two_units_per_job_are_handed_out_so_that_no_job_waits(jobs):
    taken = []

    def units():
        for i in range(100):
            taken.append(i)
            yield i, partial(time.sleep, 0)

    for finished, _ in enumerate(run_units(units(), jobs)):
        assert finished or len(taken) == 2 * jobs
        assert len(taken) <= finished + 1 + 2 * jobs


def test_an_executor_without_a_number_of_jobs_gets_many_units_at_a_time(monkeypatch):
    monkeypatch.setattr(executor, "AHEAD", 7)
    taken = []

    def units():
        for i in range(20):
            taken.append(i)
            yield i, partial(abs, i)

    with ThreadPoolExecutor(1) as pool:
        going = run_units(units(), None, pool)
        next(going)
        assert len(taken) == 7
        going.close()


def test_a_caller_who_stops_cancels_what_an_executor_of_his_own_has_not_begun():
    begun, release = [], threading.Event()

    def work(i):
        begun.append(i)
        release.wait(10)

    with ThreadPoolExecutor(1) as pool:
        going = run_units([(0, partial(abs, 0)), *((i, partial(work, i)) for i in range(1, 20))], None, pool)
        next(going)
        going.close()
        release.set()
    assert len(begun) <= 1


def test_to_keep_going_the_error_takes_the_place_of_the_result():
    def fails():
        raise ValueError("no")

    done = dict(run_units([("a", fails), ("b", partial(abs, -1))], 1, keep_going=True))
    assert isinstance(done["a"], ValueError)
    assert done["b"] == 1


def test_an_interrupt_is_raised_even_to_keep_going():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_units([("a", interrupted)], 1, keep_going=True))


def test_an_error_is_raised_and_the_rest_is_dropped():
    begun = []

    def work(i):
        begun.append(i)
        if i == 3:
            raise RuntimeError("unit 3")
        return i

    with pytest.raises(RuntimeError, match="unit 3"):
        list(run_units([(i, partial(work, i)) for i in range(100)], 1))
    assert max(begun) < 8


def test_a_caller_who_stops_leaves_no_thread_behind():
    before = threading.active_count()
    units = run_units(((i, partial(time.sleep, 0.001)) for i in range(100)), 4)
    next(units)
    units.close()
    assert threading.active_count() == before


def test_any_executor_will_do_and_is_left_open():
    with ThreadPoolExecutor(2) as pool:
        assert dict(run_units([("a", partial(abs, -1))], 2, pool)) == {"a": 1}
        assert pool.submit(abs, -2).result() == 2


def test_there_is_a_job_for_each_core_that_may_be_used(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 3, 5} if process == 0 else set(), raising=False)
    assert default_jobs() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: 7)
    assert default_jobs() == 7
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert default_jobs() == 1


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "tcp://127.0.0.1:0", "tcp://127.0.0.1:65536", "tcp://:x", 8786, None]
)
def test_what_is_no_address_of_a_scheduler_is_refused(address):
    with pytest.raises(ClusterError, match=r"--scheduler must be an address such as tcp://.*, not "):
        host_and_port(address)


def test_addresses_of_schedulers():
    assert host_and_port("tcp://127.0.0.1:8786") == ("127.0.0.1", 8786)
    assert host_and_port("tcp://[::1]:65535") == ("::1", 65535)
