"""What is available is what the system and its control groups leave; what does not fit is refused before it is made."""

import functools
import tracemalloc

import numpy as np
import pytest

import slotfree as sf
from slotfree import available_memory
from slotfree.available_memory import check_fits
from slotfree.memory import memories
from slotfree.memory.base import build
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings

GB = 10**9


def system(tmp_path, monkeypatch, **files):
    """A made-up system of these files, whose names have __ for /."""
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(available_memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(available_memory, "MEMBERSHIP", tmp_path / "membership")
    monkeypatch.setattr(available_memory, "GROUPS", tmp_path / "groups")


def limits(tmp_path, group, names, maximum, current, inactive):
    directory = tmp_path / "groups" / group
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in zip(names, (maximum, current, f"anon 5\n{inactive}\n"), strict=True):
        (directory / name).write_text(f"{text}\n")


def test_what_the_machine_says(tmp_path, monkeypatch):
    system(tmp_path, monkeypatch, meminfo="MemTotal: 90 kB\nMemFree: 5 kB\nMemAvailable:   7 kB\n")
    assert available_memory.available_memory() == 7 * 1024


def test_a_system_that_says_nothing_refuses_nothing(tmp_path, monkeypatch):
    system(tmp_path, monkeypatch)
    assert available_memory.available_memory() is None
    check_fits("everything", 10**30)


@pytest.mark.parametrize(
    ("membership", "root", "names", "inactive"),
    [
        ("0::/job/step", "", ("memory.max", "memory.current", "memory.stat"), "inactive_file"),
        (
            "5:cpu:/\n4:memory,x:/job/step\n0::/",
            "memory/",
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"),
            "total_inactive_file",
        ),
    ],
)
def test_the_narrowest_group_counts(tmp_path, monkeypatch, membership, root, names, inactive):
    """Of the groups that contain each other, any may be the narrowest; files kept in memory can be given up."""
    system(tmp_path, monkeypatch, meminfo="MemAvailable: 9000000 kB\n", membership=membership)
    limits(tmp_path, f"{root}job/step", names, "max" if root == "" else 2**63 - 4096, 10**6, f"{inactive} 0")
    assert available_memory.available_memory() == 9_000_000 * 1024
    limits(tmp_path, f"{root}job", names, 4 * GB, 3 * GB, f"{inactive} 1000")
    assert available_memory.available_memory() == GB + 1000
    limits(tmp_path, f"{root}job/step", names, 5 * GB, GB // 2, f"{inactive} 0")
    assert available_memory.available_memory() == GB + 1000
    limits(tmp_path, f"{root}job/step", names, GB // 2, GB, f"{inactive} 0")
    assert available_memory.available_memory() == 0


@pytest.fixture
def one_gigabyte(monkeypatch):
    monkeypatch.setattr(available_memory, "available_memory", lambda: GB)


HUGE = {
    "ClassicalHopfield": ({"n_visible": 30_000, "fan_in": 1.0}, "9.0 GB"),
    "KWinnerMHN": ({"n_visible": 100_000, "n_hidden": 800_000}, "80.0 GB"),
    "SparseDistributedMemory": ({"n_locations": 10**7}, "100.1 GB"),
    "StackedKWinner": (
        {"layers": [{"n_units": 10**7, "fan_in": 0.1}], "n_hidden": 5, "k_hidden": 1, "fan_in": 1.0},
        "19.1 GB",
    ),
    "Willshaw": ({"n_visible": 60_000, "fan_in": 0.1}, "2.9 GB"),
}


@pytest.mark.usefixtures("one_gigabyte")
@pytest.mark.parametrize("name", HUGE)
def test_a_memory_says_what_it_needs_before_it_takes_it(name):
    settings, needs = HUGE[name]
    tracemalloc.start()
    try:
        with pytest.raises(
            MemoryError, match=f"a {name} of these settings needs .*{needs} of memory, but only 1.0 GB are available"
        ):
            memories()[name](**settings, seed=0)
        assert tracemalloc.get_traced_memory()[1] < 1e7
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("one_gigabyte")
def test_so_do_patterns_trees_clusters_curves_and_slots():
    with pytest.raises(MemoryError, match=r"an array of 2,000,000 patterns of 1,000 bits needs 2\.0 GB"):
        sf.random_patterns(2_000_000, seed=0)
    with pytest.raises(MemoryError, match=r"a tree of 2,000,000 patterns of 1,000 bits needs 2\.3 GB"):
        sf.PatternTree.grow(n_nodes=2_000_000, seed=0)
    with pytest.raises(MemoryError, match=r"an array of 2,000,000 patterns of 1,000 bits in 100 clusters needs"):
        sf.PatternClusters.draw(2_000_000, seed=0)
    with pytest.raises(MemoryError, match=r"the accuracy of 1,000 patterns in 1,000,000 runs needs 32\.0 GB"):
        sf.retention({}, runs=1_000_000, seed=0)


def test_so_do_slots_and_files(tmp_path, monkeypatch):
    slots = sf.ModernHopfield(n_visible=10_000, k_visible=5)
    memory = sf.KWinnerMHN(n_visible=2000, n_hidden=40_000, k_hidden=5, fan_in=0.05, seed=0)
    memory.save(tmp_path / "m")
    monkeypatch.setattr(available_memory, "available_memory", lambda: 70_000_000)
    with pytest.raises(MemoryError, match=r"the memory in '.*m' needs 80\.0 MB of memory, but only 70\.0 MB are avail"):
        sf.KWinnerMHN.load(tmp_path / "m")
    with pytest.raises(MemoryError, match=r"a ModernHopfield with slots for 1,000 patterns needs 80\.0 MB of memory"):
        slots.store(np.zeros((1000, 10_000), np.uint8))
    assert slots.n_stored == 0


MIDDLE = {
    "ClassicalHopfield": {"n_visible": 3000, "fan_in": 0.1},
    "KWinnerMHN": {"n_hidden": 10_000},
    "ModernHopfield": {"k_visible": 100},
    "SparseDistributedMemory": {"n_locations": 1000},
    "StackedKWinner": {"n_hidden": 10_000, "fan_in": 0.05},
    "Willshaw": {"n_visible": 3000, "fan_in": 0.1},
}


@pytest.mark.parametrize("name", MIDDLE)
def test_what_a_memory_says_is_what_it_takes(tmp_path, name):
    """Within an eighth, while it is made and while it is loaded, with all that is needed only for a moment."""
    kind = memories()[name]
    make = functools.partial(build, kind.settings_class(**MIDDLE[name]), np.random.SeedSequence(0))
    make().save(tmp_path / "m")  # or what the compiler takes would be counted
    kind.load(tmp_path / "m")
    tracemalloc.start()
    try:
        memory = make()
        building = tracemalloc.get_traced_memory()[1]
        if name == "ModernHopfield":
            memory.store(sf.random_patterns(2000, seed=0))
        settings, n_stored = memory.settings, memory.n_stored
        memory.save(tmp_path / "m")
        del memory
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        kind.load(tmp_path / "m")
        loading = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert kind.peak_bytes(settings, n_stored, loading=True) == pytest.approx(loading, rel=1 / 8)
    assert kind.peak_bytes(settings, 0) == pytest.approx(building, rel=1 / 8, abs=1e5)


@pytest.mark.usefixtures("one_gigabyte")
def test_a_code_layer_says_what_it_needs():
    settings = CodeLayerSettings(n_units=10**6, k_units=10, fan_in=0.5)
    with pytest.raises(MemoryError, match=r"a code layer of these settings needs 9\.0 GB"):
        CodeLayer(1000, 100, settings, seed=0)


def test_what_is_small_is_not_asked_for(tmp_path, monkeypatch):
    system(tmp_path, monkeypatch, meminfo="MemAvailable:   7 kB\n")
    check_fits("a small array", 60 * 10**6)
    with pytest.raises(MemoryError, match="a larger array needs"):
        check_fits("a larger array", 70 * 10**6)
