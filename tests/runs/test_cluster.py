"""A real Dask cluster on loopback: the same bytes as threads, also when workers die or hang; failures are reported."""

import importlib
import signal
import sys
from functools import partial

import pytest
from driver import seeded, unit_of_work
from loopback import Loopback, doctored

from slotfree import __version__
from slotfree.runs.cluster import ClusterError, cluster
from slotfree.runs.store import Finished, Store, Unit
from slotfree.runs.work import Failure, work
from slotfree.runs.workers import LostError

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask warns of much


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    """A scheduler that soon gives up workers that hang, and three workers."""
    found = Loopback(tmp_path_factory.mktemp("dask"), DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="1s")
    try:
        found.workers = [found.worker() for _ in range(3)]
        for worker in found.workers:
            found.joined(worker)
        yield found
    finally:
        found.close()


def units(count, **options):
    return [(n, Unit("g", {"n": n}), partial(unit_of_work, n, **options)) for n in range(count)]


def contents(store):
    return {n: {k: v.tobytes() for k, v in store.load(unit).arrays.items()} for n, unit, _ in units(24)}


def test_a_unit_that_always_fails_is_reported_and_the_rest_finishes(loopback, tmp_path):
    every = units(6)
    every[2] = (2, Unit("g", {"n": 2}), partial(unit_of_work, 2, fails=True))
    every[3] = (3, Unit("g", {"n": 3}), partial(seeded, 3, fails_without=tmp_path / "tried"))
    with cluster(loopback.address) as executor:
        done = dict(work(every, Store(tmp_path), executor=executor))
    assert isinstance(done[2], Failure)
    assert done[2].unit.identity == {"n": 2}
    assert "unit 2 cannot work" in str(done[2].error)
    assert sum(isinstance(outcome, Finished) for outcome in done.values()) == 5
    assert (tmp_path / "tried").exists(), "what fails once is tried again"


def test_code_that_workers_do_not_have_is_sent_to_them(loopback, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def doubled(n): return 2 * n")
    monkeypatch.syspath_prepend(tmp_path)
    mine = importlib.import_module("mine")
    with cluster(loopback.address, modules=[mine]) as executor:
        assert executor.submit(mine.doubled, 2).result(60) == 4
    with cluster(loopback.address, retries=0) as executor:
        error = executor.submit(mine.doubled, 2).exception(60)
    assert isinstance(error, ModuleNotFoundError), "by name, workers cannot find it"


def test_the_same_bytes_though_a_worker_is_killed_and_another_hangs(loopback, tmp_path):
    """Then there is one."""
    local, remote = Store(tmp_path / "local"), Store(tmp_path / "remote")
    list(work(units(24), local, 2))
    # How long the client waits for the dead worker before it asks another one.
    with dask.config.set({"distributed.comm.timeouts.connect": "3s"}), cluster(loopback.address) as executor:
        done = 0
        for _, outcome in work(units(24, seconds=0.1), remote, executor=executor):
            assert isinstance(outcome, Finished)
            done += 1
            if done == 4:
                loopback.workers[0].send_signal(signal.SIGKILL)
                loopback.workers[1].send_signal(signal.SIGSTOP)
    assert done == 24
    assert contents(local) == contents(remote)


def test_a_worker_of_other_code_does_no_work_and_ends_it(loopback, tmp_path):
    """It comes last: the code that differs would give other numbers."""
    other = doctored(tmp_path / "other", "runs/seeds.py", "range(0, 16, 4)", "range(0, 8, 4)")
    address = loopback.joined(loopback.worker(other))
    every = [(n, Unit("g", {"n": n}), partial(seeded, n)) for n in range(100)]
    done = []
    reason = f"the worker at {address} has other code of slotfree {__version__} than here; what is finished is kept"
    with cluster(loopback.address) as executor, pytest.raises(LostError, match=reason):
        done.extend(work(every, Store(tmp_path / "store"), executor=executor))
    assert len(done) < 100
    assert all(outcome.arrays["x"].tobytes() == seeded(n)["x"].tobytes() for n, outcome in done)


def test_no_dask_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'slotfree\[cluster\]'"), cluster("tcp://127.0.0.1:8786"):
        pass
