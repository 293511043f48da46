import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from slotfree.runs.executor import default_jobs, run_units


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_every_unit_is_run_once_and_keeps_its_key(jobs):
    units = [(i, partial(pow, i, 2)) for i in range(50)]
    assert dict(run_units(units, jobs)) == {i: i * i for i in range(50)}


def test_no_more_than_two_units_per_job_are_taken_ahead():
    taken = []

    def units():
        for i in range(100):
            taken.append(i)
            yield i, partial(time.sleep, 0)

    for finished, _ in enumerate(run_units(units(), 2), start=1):
        assert len(taken) <= finished + 4


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_two_units_per_job_are_handed_out_so_that_no_job_waits(jobs):
    taken = []

    def units():
        for i in range(100):
            taken.append(i)
            yield i, partial(time.sleep, 0)

    going = run_units(units(), jobs)
    next(going)
    assert len(taken) == 2 * jobs
    going.close()


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


def test_there_is_at_least_one_core():
    assert default_jobs() >= 1
