"""Speed of a memory of keys and values, as ratios within one run.

    python benchmarks/key_value.py [--out bench/key_value.json]

Keys of 64 and values of 32 numbers, k = 3 units that see whole keys, one thread. Against a good NumPy version: drives
as a matrix product, ``argpartition``, the winners' rows replaced; what is read is a softmax over the list of all units.
It stores many pairs at a time by what was there before the first of them, where slotfree stores one after the other.
Times are medians over rounds in which the contestants take turns. Exit code 1 if a stated floor is missed.
"""

import argparse
import sys
from functools import partial
from itertools import product
from pathlib import Path

import measure  # before NumPy
import numpy as np

import slotfree as sf

KEY_DIM, VALUE_DIM, K = 64, 32, 3
UNITS = (4096, 16384)
SHAPES = {"one pair": (1, 1), "64 pairs": (1, 64), "8 memories, one pair": (8, 1), "8 memories, 64 pairs": (8, 64)}
ADDRESSES = ("key", "oldest")
DTYPES = ("float32", "float64")
FLOOR = 1.0  # times as fast as NumPy
CALLS = 8  # in each measurement


class List:
    """Fast weights of B memories as arrays, (B, n_h, …), and NumPy."""

    def __init__(self, n_memories, n_hidden, dtype):
        self.keys = np.zeros((n_memories, n_hidden, KEY_DIM), dtype)
        self.values = np.zeros((n_memories, n_hidden, VALUE_DIM), dtype)

    def store(self, keys, values):
        drives = keys @ self.keys.swapaxes(1, 2)
        winners = np.argpartition(drives, -K, axis=2)[:, :, -K:]
        for b in range(len(keys)):
            self.keys[b, winners[b]] = keys[b, :, None]
            self.values[b, winners[b]] = values[b, :, None]

    def read(self, queries):
        h = (16 * queries) @ self.keys.swapaxes(1, 2)
        s = np.exp(h - h.max(axis=2, keepdims=True))
        return s @ self.values / s.sum(axis=2, keepdims=True)


def pairs(n_memories, n_pairs, dtype, seed):
    """Keys of length 1, and values, (B, T, …)."""
    rng = np.random.default_rng(seed)
    keys = rng.normal(size=(n_memories, n_pairs, KEY_DIM))
    keys /= np.linalg.norm(keys, axis=2, keepdims=True)
    return keys.astype(dtype), rng.normal(size=(n_memories, n_pairs, VALUE_DIM)).astype(dtype)


def full(n_hidden, dtype, address, n_memories):
    """A memory all of whose units hold something, and the list with the same weights."""
    storage = sf.Winners(k=K, fan_in=1.0, address=address)
    memory = sf.KeyValueMemory(KEY_DIM, VALUE_DIM, n_hidden, storage, seed=0, dtype=dtype, batch=n_memories)
    rival = List(n_memories, n_hidden, dtype)
    rival.keys[:], rival.values[:] = pairs(n_memories, n_hidden, dtype, 1)
    state = memory.state() | {"keys": rival.keys, "values": rival.values, "g": np.ones(rival.keys.shape[:2], dtype)}
    if address == "oldest":
        state["when"] = np.tile(np.arange(n_hidden) // K + 1, (n_memories, 1))
    memory.load_state(state | {"n_stored": n_hidden, "lengths": np.full(n_memories, float(n_hidden))})
    return memory, rival


def check_rival(memory, rival, queries):
    """Both must read the same."""
    if not np.allclose(memory.read(queries), rival.read(queries), atol=1e-3):
        raise SystemExit("the NumPy version is no fair rival: it does not read the same")


def compared(n_hidden, dtype, address, shape, rounds):
    """Seconds of a store and of a read, of slotfree and of NumPy."""
    n_memories, n_pairs = shape
    memory, rival = full(n_hidden, dtype, address, n_memories)
    blocks = [pairs(n_memories, n_pairs, dtype, seed) for seed in range(2, 2 + CALLS)]
    check_rival(memory, rival, blocks[0][0])

    def every(work, n):
        for block in blocks:
            work(*block[:n])

    contestants = {
        (who, what): partial(every, getattr(each, what), n)
        for what, n in (("store", 2), ("read", 1))
        for who, each in (("slotfree", memory), ("NumPy", rival))
    }
    for contestant in contestants.values():
        contestant()  # compiled before it is timed
    return {name: time / CALLS for name, time in measure.take_turns(contestants, rounds).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("bench/key_value.json"), help="where to write JSON")
    parser.add_argument("--rounds", type=int, default=11, help="in which the contestants take turns")
    arguments = parser.parse_args()
    rows, verdicts, seconds = [("µs per call, one thread", "", "slotfree", "NumPy", "ratio")], [], {}
    for n_hidden, dtype, address, shape in product(UNITS, DTYPES, ADDRESSES, SHAPES):
        times = compared(n_hidden, dtype, address, SHAPES[shape], arguments.rounds)
        for what in ("store", "read"):
            ours, theirs = times["slotfree", what], times["NumPy", what]
            name = f"{n_hidden} units, {dtype}, {address}, {shape}"
            rows.append((name, what, f"{ours * 1e6:.0f}", f"{theirs * 1e6:.0f}", f"{theirs / ours:.2f}×"))
            requirement = f"{what}, {name}: times as fast as NumPy"
            verdicts.append(measure.verdict(requirement, f"≥ {FLOOR:g}", theirs / ours, theirs / ours >= FLOOR))
            seconds[f"{what}, {name}"] = {"slotfree": ours, "NumPy": theirs}
    print(measure.table(rows), end="\n\n")
    return measure.conclude(arguments.out, {"seconds per call": seconds}, verdicts)


if __name__ == "__main__":
    sys.exit(main())
