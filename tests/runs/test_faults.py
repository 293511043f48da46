"""Kill -9 at random moments, a full disk: what is finished is kept, and the end is the same to the byte."""

import errno
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from driver import COUNT

from slotfree.runs import store as store_module
from slotfree.runs.store import Finished, Store, Unit
from slotfree.runs.work import work

DRIVER = str(Path(__file__).with_name("driver.py"))
KILLS = 50


def finished(path):
    return {p.name for p in (path / "units" / "g").glob("*.safetensors")} if (path / "units" / "g").exists() else set()


@pytest.mark.long
def test_fifty_kills(tmp_path):
    """Each program is killed at a random moment, and the next one goes on; no finished unit is run again."""
    clock = random.Random(0)
    whole, notes = tmp_path / "whole", tmp_path / "notes"
    begin = time.monotonic()
    subprocess.run([sys.executable, DRIVER, str(whole), str(notes)], check=True)
    usual = time.monotonic() - begin
    expected = (whole / "data/result.safetensors").read_bytes()
    names = {Unit("g", {"n": n}).name + ".safetensors": n for n in range(COUNT)}

    kills = rounds = 0
    while kills < KILLS:
        path, notes = tmp_path / f"killed-{rounds}", tmp_path / f"notes-{rounds}"
        rounds += 1
        ended = False
        while not ended and kills < KILLS:
            kept = finished(path)
            notes.write_text("")
            program = subprocess.Popen([sys.executable, DRIVER, str(path), str(notes)])
            try:
                ended = program.wait(clock.uniform(0.3, 1.1) * usual) == 0
            except subprocess.TimeoutExpired:
                program.send_signal(signal.SIGKILL)
                program.wait()
                kills += 1
            run_now = [int(line) for line in notes.read_text().split()]
            assert not {names[name] for name in kept} & set(run_now), "a finished unit was run again"
        if not ended:
            subprocess.run([sys.executable, DRIVER, str(path), str(notes)], check=True)
        assert (path / "data/result.safetensors").read_bytes() == expected
        assert finished(path) == set(names)
        assert not [p for p in path.rglob("*.tmp") if p.parent.name == "g" and len(finished(path)) < COUNT]


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    store = Store(tmp_path)
    units = [(n, Unit("g", {"n": n}), lambda n=n: {"x": np.full(4, float(n))}) for n in range(6)]
    whole = store_module.write_arrays

    def full(path, arrays, metadata):
        if arrays["x"][0] == 3:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        whole(path, arrays, metadata)

    monkeypatch.setattr(store_module, "write_arrays", full)
    with pytest.raises(OSError, match="No space left"):
        list(work(units, store, 1))
    kept = [n for n, unit, _ in units if store.load(unit) is not None]
    assert kept == [0, 1, 2]
    monkeypatch.setattr(store_module, "write_arrays", whole)
    again = []
    rest = [(n, unit, lambda n=n: again.append(n) or {"x": np.full(4, float(n))}) for n, unit, _ in units]
    done = dict(work(rest, store, 1))
    assert again == [3, 4, 5]
    assert all(isinstance(done[n], Finished) for n in range(6))
