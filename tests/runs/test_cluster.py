"""A real Dask cluster on loopback: the same bytes as threads, also when a worker is killed; failures are told."""

import importlib
import signal
import subprocess
import sys
from functools import partial

import pytest
from driver import unit_of_work
from loopback import Loopback

from slotfree.runs.cluster import ClusterError, cluster
from slotfree.runs.store import Finished, Store, Unit
from slotfree.runs.work import Failure, work

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    """A scheduler and three workers: the address, and the workers' processes."""
    found = Loopback(tmp_path_factory.mktemp("dask"))
    try:
        workers = [found.worker() for _ in range(3)]
        for worker in workers:
            found.joined(worker)
        yield found.address, workers
    finally:
        found.close()


def units(count, **options):
    return [(n, Unit("g", {"n": n}), partial(unit_of_work, n, **options)) for n in range(count)]


def contents(store):
    return {n: {k: v.tobytes() for k, v in store.load(unit).arrays.items()} for n, unit, _ in units(24)}


@pytest.mark.filterwarnings("ignore")
def test_the_same_bytes_though_a_worker_is_killed(loopback, tmp_path):
    address, workers = loopback
    local, remote = Store(tmp_path / "local"), Store(tmp_path / "remote")
    list(work(units(24), local, 2))
    # How long the client waits for the dead worker before it asks another one.
    with dask.config.set({"distributed.comm.timeouts.connect": "3s"}), cluster(address) as executor:
        done = 0
        for _, outcome in work(units(24, seconds=0.05), remote, executor=executor):
            assert isinstance(outcome, Finished)
            done += 1
            if done == 5:
                workers[0].send_signal(signal.SIGKILL)
    assert done == 24
    assert contents(local) == contents(remote)


@pytest.mark.filterwarnings("ignore")
def test_a_unit_that_always_fails_is_told_and_the_rest_finishes(loopback, tmp_path):
    address, _ = loopback
    every = units(6)
    every[2] = (2, Unit("g", {"n": 2}), partial(unit_of_work, 2, fails=True))
    with cluster(address) as executor:
        done = dict(work(every, Store(tmp_path), executor=executor))
    assert isinstance(done[2], Failure)
    assert "unit 2 cannot work" in str(done[2].error)
    assert sum(isinstance(outcome, Finished) for outcome in done.values()) == 5


BESIDE = "import numpy as np\ndef drawn(seed): return np.random.default_rng(seed).normal(size=5)"
OWN = """
import beside

def run(seed):
    return {"x": beside.drawn(seed)}
"""


@pytest.mark.filterwarnings("ignore")
def test_code_that_workers_do_not_have_is_sent_to_them(loopback, tmp_path, monkeypatch):
    """A study of one's own, and a module that lies beside it."""
    (tmp_path / "own_work.py").write_text(OWN)
    (tmp_path / "beside.py").write_text(BESIDE)
    monkeypatch.syspath_prepend(tmp_path)
    own = importlib.import_module("own_work")
    every = [(n, Unit("g", {"n": n}), partial(own.run, n)) for n in range(6)]
    address, _ = loopback
    with cluster(address, modules=[own, own.beside]) as executor:
        done = dict(work(every, Store(tmp_path / "store"), executor=executor))
    for n in range(6):
        assert isinstance(done[n], Finished), done[n]
        assert done[n].arrays["x"].tobytes() == own.run(n)["x"].tobytes()
    with cluster(address, retries=0) as executor:
        failed = dict(work(every[:1], Store(tmp_path / "other"), executor=executor))
    assert isinstance(failed[0], Failure), "by name, workers cannot find it"


STUDY = """
from dataclasses import dataclass
import beside
from slotfree.drawing.picture import Picture
from slotfree.study import Experiment, Item, Study

@dataclass(frozen=True)
class Run:
    count: int

    def __call__(self, seed):
        return {"x": beside.drawn(seed)[: self.count]}

ITEM = Item(name="a", title="A", text="B.", alt="C.", experiments=(Experiment("noise", Run(3), 5),),
            draw=lambda r: Picture(), claims=lambda r: ())
STUDY = Study("Own", (ITEM,))
"""


def test_a_study_of_one_s_own_gives_the_same_bytes(loopback, tmp_path):
    (tmp_path / "own.py").write_text(STUDY)
    (tmp_path / "beside.py").write_text(BESIDE)
    for out, *more in (["here"], ["there", "--scheduler", loopback[0]]):
        command = [sys.executable, "-m", "slotfree", "run", "own.py", "--out", out, *more]
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert told.returncode == 0, told.stderr
    assert "on a cluster" in told.stderr
    here, there = (tmp_path / out / "data" / "noise.safetensors" for out in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()


def test_no_dask_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'slotfree\[cluster\]'"), cluster("tcp://127.0.0.1:8786"):
        pass
