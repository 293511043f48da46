"""A K-winner MHN on the workers of a Dask cluster on loopback: the same bits as in one process; losses are told."""

import signal
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback, doctored

import slotfree as sf
from slotfree.kernels.arithmetic.winners import largest
from slotfree.memory.computed import blocks
from slotfree.memory.shard import Shard, cut, first_of, narrow
from slotfree.memory.sharded import ShardedKWinner, ShardLostError
from slotfree.runs.cluster import ClusterError
from slotfree.runs.workers import SchedulerError

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask warns of much

SMALL = sf.KWinnerSettings(
    n_visible=100,
    n_hidden=3 * 4096 + 3,
    k_visible=10,
    k_hidden=20,
    fan_in=0.08,
    learning_rate=0.3,
    weights="uint16",
    connections="computed",
)


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    """A scheduler."""
    found = Loopback(tmp_path_factory.mktemp("dask"))
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def workers(loopback):
    """Three workers of it: their processes."""
    found = [loopback.worker() for _ in range(3)]
    for worker in found:
        loopback.joined(worker)
    return found


@pytest.fixture(scope="module")
def scheduler(loopback, workers):
    """The address of a scheduler that has three workers."""
    return loopback.address


def stream():
    """Patterns of which some are the same, and some are empty or full."""
    rows = sf.random_patterns(24, n_visible=100, k_visible=10, seed=1)
    rows[5:9], rows[12:14], rows[14] = rows[4], 0, 1
    return rows


def same(sharded, memory):
    """Whether all weights are those of a memory of one process."""
    gathered = sharded.gather()
    assert gathered.settings == memory.settings
    assert gathered.n_stored == memory.n_stored == sharded.n_stored
    found, expected = gathered.arrays(), memory.arrays()
    return list(found) == list(expected) and all(np.array_equal(found[name], expected[name]) for name in expected)


def test_a_cluster_without_workers(loopback):
    """It comes first: nothing has asked for workers yet."""
    with pytest.raises(ClusterError, match=r"a worker is needed, and tcp://\S+ has 0; start one with: dask worker"):
        ShardedKWinner(SMALL, seed=0, scheduler=loopback.address)


CASES = {
    "uint16": SMALL,
    "uint8 at random": replace(SMALL, weights="uint8", storing="random"),
    "one block and a unit": replace(SMALL, n_hidden=65, k_hidden=40),
    "one block": replace(SMALL, n_hidden=64, k_hidden=64, learning_rate=1.0),
}


@pytest.mark.parametrize("settings", CASES.values(), ids=CASES)
def test_the_same_bits_as_in_one_process(scheduler, settings):
    memory = sf.KWinnerMHN.from_settings(settings, seed=3)
    with ShardedKWinner(settings, seed=3, scheduler=scheduler) as sharded:
        n_blocks = len(blocks(settings.n_visible, settings.n_hidden, settings.n_connections)) - 1
        assert f"{min(3, n_blocks)} shards, 0 patterns stored" in repr(sharded)
        assert sharded.nbytes >= 2 * settings.n_synapses * np.dtype(settings.weights).itemsize
        assert same(sharded, memory)
        rows = stream()
        winners = memory.store(rows, return_winners=True)
        np.testing.assert_array_equal(sharded.store(rows[:20], return_winners=True), winners[:20])
        assert sharded.store(rows[20:23]) is None
        np.testing.assert_array_equal(sharded.store(rows[23], return_winners=True), winners[23])
        assert same(sharded, memory)
        cues = np.concatenate([rows, sf.partial_cues(rows[:4], 0.5, seed=2)])
        np.testing.assert_array_equal(sharded.retrieve(cues), memory.retrieve(cues))
        np.testing.assert_array_equal(sharded.retrieve(cues[0]), memory.retrieve(cues[0]))
        assert sharded.retrieve(cues[:0]).shape == (0, 100)
        sharded.store(rows[:0])
        assert sharded.n_stored == 24


def test_many_cues_are_sent_in_several_messages(scheduler, monkeypatch):
    memory = sf.KWinnerMHN.from_settings(SMALL, seed=0)
    with ShardedKWinner.from_memory(memory, scheduler=scheduler) as sharded:
        expected = memory.retrieve(stream())
        monkeypatch.setattr("slotfree.memory.sharded.MESSAGE", 3 * 8 * 100 * 5)
        np.testing.assert_array_equal(sharded.retrieve(stream()), expected)


def test_it_goes_on_from_a_memory_and_from_a_file(scheduler, tmp_path):
    memory, rows = sf.KWinnerMHN.from_settings(SMALL, seed=4), stream()
    memory.store(rows[:6])
    with ShardedKWinner.from_memory(memory, scheduler=scheduler, shards=2) as sharded:
        assert "2 shards, 6 patterns" in repr(sharded)
        sharded.store(rows[6:12])
        sharded.save(tmp_path / "sharded")
    memory.store(rows[6:12])
    memory.save(tmp_path / "one")
    assert (tmp_path / "sharded").read_bytes() == (tmp_path / "one").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2
    with ShardedKWinner.load(tmp_path / "one", scheduler=scheduler) as sharded:
        sharded.store(rows[12:])
        memory.store(rows[12:])
        assert same(sharded, memory)


def test_files_that_are_refused(tmp_path):
    sf.KWinnerMHN(seed=0).save(tmp_path / "stored")
    with pytest.raises(sf.FormatError, match="its connections are 'stored'; only computed ones can be sharded"):
        ShardedKWinner.load(tmp_path / "stored", scheduler="127.0.0.1:1")
    sf.KWinnerMHN.from_settings(CASES["one block"], seed=0).save(tmp_path / "changed")
    content = bytearray((tmp_path / "changed").read_bytes())
    content[-1] ^= 1
    (tmp_path / "changed").write_bytes(content)
    with pytest.raises(sf.FormatError, match="its checksum is wrong"):
        ShardedKWinner.load(tmp_path / "changed", scheduler="127.0.0.1:1")


def test_a_worker_with_another_slotfree_is_refused(loopback, scheduler, tmp_path):
    other = loopback.worker(doctored(tmp_path, "kernels/arithmetic/permutation.py", "THREE", "Three"))
    try:
        address = loopback.joined(other)
        with pytest.raises(ClusterError, match=f"worker at {address} cannot take part .*it has other code of slotfree"):
            ShardedKWinner(replace(SMALL, n_hidden=4 * 4096), seed=0, scheduler=scheduler)
    finally:
        other.kill()
        other.wait()
    with distributed.Client(scheduler, set_as_default=False) as client:
        while len(client.nthreads()) > 3:
            time.sleep(0.05)


def test_after_an_interrupted_store_and_when_closed_nothing_goes_on(scheduler, monkeypatch):
    with ShardedKWinner(CASES["one block"], seed=0, scheduler=scheduler) as sharded:
        sharded.store(stream()[:2])

        def interrupted(*_):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(sharded._actors, "ask", interrupted)
            with pytest.raises(KeyboardInterrupt):
                sharded.store(stream())
        with pytest.raises(ShardLostError, match="interrupted, after 2 stored patterns; make it anew, or load it"):
            sharded.retrieve(stream())
    with ShardedKWinner(CASES["one block"], seed=0, scheduler=scheduler) as sharded:
        sharded.n_stored = 5  # as if its shards had missed some
        with pytest.raises(ShardLostError, match="a shard has stored 0 patterns, and the memory 5"):
            sharded.store(stream())
    with pytest.raises(ShardLostError, match="a shard has stored 0"):
        sharded.retrieve(stream())


def test_bad_arguments(scheduler, monkeypatch):
    at = {"seed": 0, "scheduler": scheduler}
    with pytest.raises(ValueError, match=r"settings must have connections='computed'.*not connections='stored'"):
        ShardedKWinner(sf.KWinnerSettings(), **at)
    with pytest.raises(TypeError, match="settings must be KWinnerSettings, not 5"):
        ShardedKWinner(5, **at)
    with pytest.raises(TypeError, match="memory must be a KWinnerMHN, not 5"):
        ShardedKWinner.from_memory(5, scheduler=scheduler)
    with pytest.raises(ValueError, match="shards must be an integer ≥ 1, not 0"):
        ShardedKWinner(SMALL, **at, shards=0)
    with pytest.raises(ClusterError, match=r"shards = 9 needs as many workers, and tcp://\S+ has 3; start one with"):
        ShardedKWinner(SMALL, **at, shards=9)
    for address in ("nowhere", 5):
        with pytest.raises(ClusterError, match=f"^scheduler must be an address such as tcp.*, not {address!r}"):
            ShardedKWinner(SMALL, seed=0, scheduler=address)
    with pytest.raises(SchedulerError, match=r"no Dask scheduler at \S+: Connection refused.*, to scheduler$"):
        ShardedKWinner(SMALL, seed=0, scheduler="127.0.0.1:1")
    with ShardedKWinner(CASES["one block"], **at) as sharded:
        with pytest.raises(ValueError, match="patterns must"):
            sharded.store(np.ones(99))
        with pytest.raises(ValueError, match="cues must hold only 0 and 1"):
            sharded.retrieve(np.full(100, 2))
        sharded.store(stream()), sharded.retrieve(stream())
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"^scheduler needs Dask.*pip install 'slotfree\[cluster\]'"):
        ShardedKWinner(SMALL, **at)


@given(
    drives=st.lists(st.integers(0, 3), min_size=1, max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=4),
    k=st.integers(1, 40),
    inputs=st.lists(st.integers(0, 99), max_size=3),
)
def test_the_best_of_shards_hold_the_winners_of_all(drives, cuts, k, inputs):
    """However units are shared out, and however many tie."""
    k, inputs = min(k, len(drives)), np.array(inputs, np.uint32)
    h, units = np.array(drives, np.float64), np.arange(len(drives), dtype=np.uint32)
    parts = np.split(units, sorted(cuts))
    best = np.concatenate([part[first_of(part, h[part], k, inputs)] for part in parts])
    winners = best[first_of(best, h[best], k, inputs)]
    np.testing.assert_array_equal(winners, largest(h, k, inputs))


def test_a_shard_with_several_threads_does_the_same():
    first = np.array([4096, 8192, 12288])
    one, four = (Shard(SMALL, 7, first, 0, threads) for threads in (1, 4))
    units = None
    for t, x in enumerate(stream()):
        active = np.flatnonzero(x).astype(np.uint32)
        found = [shard.store(max(0, t - 1), units, active) for shard in (one, four)]
        units, drives = found[0]
        np.testing.assert_array_equal(units, found[1][0])
        np.testing.assert_array_equal(drives, found[1][1])
        assert drives.dtype.kind == "u"
        assert 4096 <= units.min() <= units.max() < 12288
    np.testing.assert_array_equal(one.net.forward, four.net.forward)
    np.testing.assert_array_equal(one.net.back, four.net.back)


def test_numbers_are_sent_as_narrow_as_they_are():
    for value, dtype in ((0, np.uint8), (256, np.uint16), (2**16, np.uint32), (2**53, np.uint64)):
        assert narrow(np.array([0.0, value])).dtype == dtype
        assert narrow(np.array([0.0, value]))[1] == value
    assert [row.tolist() for row in cut(np.arange(5, dtype=np.uint32), [2, 0, 3])] == [[0, 1], [], [2, 3, 4]]


def test_a_lost_worker_is_told_and_nothing_goes_on_without_it(scheduler, workers):
    """It comes last: then there are two."""
    settings = replace(SMALL, k_hidden=10)
    lost = r"lost a shard of this memory, after 24 stored patterns, with the worker at tcp://\S+: .*; make it anew, or"
    # How long the client waits for a dead worker.
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        with ShardedKWinner(settings, seed=0, scheduler=scheduler) as sharded:
            sharded.store(stream())
            workers[1].send_signal(signal.SIGKILL)
            for use in (sharded.store, sharded.retrieve, sharded.store):
                with pytest.raises(ShardLostError, match=lost):
                    use(stream())
            with pytest.raises(ShardLostError, match=lost):
                sharded.gather()
            assert "lost a shard" in repr(sharded)
        memory = sf.KWinnerMHN.from_settings(settings, seed=0)
        with ShardedKWinner(settings, seed=0, scheduler=scheduler, shards=2) as sharded:
            assert same(sharded, memory)
