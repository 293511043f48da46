"""A program that does units of work through a store; tests kill it. Each unit notes that it was run."""

import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

from slotfree.runs.directory import opened
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Unit
from slotfree.runs.work import work

COUNT = 40


def run(notes, n):
    time.sleep(0.004)
    values = np.random.default_rng(n).normal(size=200)
    with notes.open("a") as file:
        file.write(f"{n}\n")
    return {"x": values}


def unit_of_work(n, seconds=0.0, fails=False):
    """A unit for workers elsewhere."""
    time.sleep(seconds)
    if fails:
        raise ValueError(f"unit {n} cannot work")
    return {"x": np.random.default_rng(n).normal(size=50)}


def seeded(n, seconds=0.1, fails_without=None, notes=None):
    """A unit whose result follows from code of ours; it may fail the first time."""
    if notes is not None:
        with notes.open("a") as file:
            file.write("begun\n")
    if fails_without is not None and not fails_without.exists():
        fails_without.touch()
        raise ValueError("only once")
    time.sleep(seconds)
    return {"x": np.random.default_rng(seed_for(0, n)).normal(size=5)}


def main():
    path, notes = Path(sys.argv[1]), Path(sys.argv[2])
    with opened(path, {"seed": 0}, {"begun": "2026-01-01"}) as directory:
        units = [(n, Unit("g", {"n": n}), partial(run, notes, n)) for n in range(COUNT)]
        done = dict(work(units, directory.store, 2))
        total = np.concatenate([done[n].arrays["x"] for n in range(COUNT)])
        directory.write("data/result.safetensors", total.tobytes())


if __name__ == "__main__":
    main()
