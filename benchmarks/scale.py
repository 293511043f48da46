"""Speed and memory of the K-winner MHN with computed connections, from 10⁵ to 10⁹ synapses.

    python benchmarks/scale.py [--large] [--out bench/scale.json]

n visible and n hidden units, n/10 inputs each, n/10 active visible units, n/100 winners. Each size has a process of its
own, so that its memory can be told. Times are medians over rounds in which the contestants take turns. With --large
also 10⁸ and 10⁹ synapses, which take 9 GB of memory, 4 GB on disk for a while, and some minutes. Exit code 1 if a
stated floor is missed.

The memory's traffic is compared with a plain loop that adds up as many bytes, one after another: those of the weights
that a store must read and write, as if they lay together. They do not: a winner's forward weights are scattered, and
each brings a line of 64 bytes.
"""

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import measure  # before NumPy
import numpy as np

import slotfree as sf
from slotfree.kernels.compile import kernel

UNITS = {"10⁵": 1000, "10⁶": 3160, "10⁷": 10_000, "10⁸": 31_620, "10⁹": 100_000}
SHORT, LARGE = ("10⁵", "10⁶", "10⁷"), ("10⁸", "10⁹")
WEIGHTS = ("uint16", "uint8")


@kernel
def _streamed(words):
    total = np.uint64(0)
    for word in words:
        total += word
    return total


def arguments_of(size, weights):
    n = UNITS[size]
    layers = {"n_visible": n, "n_hidden": n, "k_visible": n // 10, "k_hidden": n // 100}
    return {**layers, "fan_in": 0.1, "learning_rate": 0.3, "weights": weights, "connections": "computed"}


def one_size(size, weights):
    """Build one memory in this process, and measure it."""
    small = sf.KWinnerMHN(**arguments_of("10⁵", weights), seed=0)  # compile first
    pattern = sf.random_patterns(1, n_visible=1000, k_visible=100, seed=1)
    for threads in (1, 2):
        small.store(pattern, threads=threads)
        small.retrieve(pattern, threads=threads)
    begin = time.perf_counter()
    memory = sf.KWinnerMHN(**arguments_of(size, weights), seed=0)
    build = time.perf_counter() - begin
    s = memory.settings
    summed, learned = s.k_visible * s.n_synapses / s.n_visible, s.k_hidden * s.n_connections
    count = max(1, int(2e7 / summed))
    patterns = sf.random_patterns(count, n_visible=s.n_visible, k_visible=s.k_visible, seed=1)
    item = np.dtype(weights).itemsize
    n_bytes = int(summed + 4 * learned) * item  # one of two weights is read for the sums; both are read and written
    words = memory.arrays()["weights"].view(np.uint8)[: n_bytes // 8 * 8].view(np.uint64)
    _streamed(words)
    times = measure.take_turns(
        {
            "store": lambda: memory.store(patterns),
            "store, 2 threads": lambda: memory.store(patterns, threads=2),
            "retrieve": lambda: memory.retrieve(patterns),
            "streamed": lambda: [_streamed(words) for _ in range(count)],
        },
        7,
    )
    per_pattern = {name: value / count for name, value in times.items()}
    return {
        "synapses": s.n_synapses,
        "build seconds": build,
        "bytes per synapse": memory.nbytes / s.n_synapses,
        **{f"{name} ms": value * 1e3 for name, value in per_pattern.items()},
        "store ns per touched synapse": per_pattern["store"] / (summed + learned) * 1e9,
        "retrieve ns per touched synapse": per_pattern["retrieve"] / (summed + learned) * 1e9,
        "store, times the streamed bytes": per_pattern["store"] / per_pattern["streamed"],
        "2 threads, times as fast": per_pattern["store"] / per_pattern["store, 2 threads"],
        **(saved_and_loaded(memory) if size in LARGE else {}),
        "peak GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def saved_and_loaded(memory):
    """Seconds to save a memory, and to load it once more, beside the first: the peak has both."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memory")
        return {
            "save seconds": measure.seconds(memory.save, path),
            "load seconds": measure.seconds(sf.KWinnerMHN.load, path),
        }


def judge(found, largest):
    """Each requirement, what was measured, and whether it holds."""
    rows = []
    for weights, sizes in found.items():
        small, large = sizes["10⁵"], sizes[largest]
        for action in ("store", "retrieve"):
            growth = large[f"{action} ns per touched synapse"] / small[f"{action} ns per touched synapse"]
            rows.append(
                (f"{weights}, {action}: growth of ns per touched synapse, 10⁵ to {largest}", "< 4", growth, growth < 4)
            )
        rows.append(
            (f"{weights}: bytes per synapse", "≤ 10", large["bytes per synapse"], large["bytes per synapse"] <= 10)
        )
        if largest == "10⁹":
            for name, floor in {"build seconds": 120, "store ms": 250, "peak GB": 12}.items():
                rows.append((f"{weights}: {name}", f"≤ {floor}", large[name], large[name] <= floor))
        if (os.cpu_count() or 1) > 1:
            faster = large["2 threads, times as fast"]
            rows.append((f"{weights}: store on 2 threads, times as fast", "≥ 1.5", faster, faster >= 1.5))
    return [measure.verdict(*row) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("bench/scale.json"), help="where to write JSON")
    parser.add_argument("--large", action="store_true", help="also 10⁸ and 10⁹ synapses")
    parser.add_argument("--one-size", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_size:
        print(json.dumps(one_size(*arguments.one_size)))
        return 0
    sizes = (*SHORT, *LARGE) if arguments.large else SHORT
    found = {
        weights: {size: measure.in_own_process(__file__, "--one-size", size, weights) for size in sizes}
        for weights in WEIGHTS
    }
    for weights, results in found.items():
        columns = list(results[sizes[-1]])
        rows = [(weights, *sizes)]
        for column in columns:
            rows.append((column, *(f"{result[column]:.3g}" if column in result else "" for result in results.values())))
        print(measure.table(rows), end="\n\n")
    return measure.conclude(arguments.out, {"sizes": found}, judge(found, sizes[-1]))


if __name__ == "__main__":
    sys.exit(main())
