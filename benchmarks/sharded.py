"""What it costs to spread one memory over workers: time and bytes per pattern, and per round trip.

    python benchmarks/sharded.py [--synapses 1e6 1e7] [--out bench/sharded.json]

The workers are processes of this machine with one thread each, so they share its cores with each other and with who
asks: what is measured is the overhead, not what a cluster gains. Times are the least of rounds in which the contestants
take turns, as other work on the machine only adds to them. Bytes are counted where Dask writes to sockets, in all
processes, and so hold its own (a heartbeat now and then). Exit code 1 if a weight differs from that of one process.
"""

import argparse
import logging
import sys
from functools import partial
from pathlib import Path

import measure  # before NumPy
import numpy as np
from distributed import Client, LocalCluster
from traffic import count_writes, written

import slotfree as sf
from slotfree.memory import ShardedKWinner

ALONE = "one process"
WORKERS = (1, 2, 3)
N_PATTERNS = 10
ROUNDS = 20
TRIPS = 200


def settings_of(n_synapses):
    """24,576 hidden units, which can be shared evenly, and as many visible ones as it takes."""
    n_hidden = 6 * 4096
    n_connections = max(1, round(n_synapses / n_hidden))
    return sf.KWinnerSettings(
        n_visible=10 * n_connections,
        n_hidden=n_hidden,
        k_visible=n_connections,
        k_hidden=n_hidden // 100,
        fan_in=0.1,
        weights="uint16",
        connections="computed",
    )


def bytes_per(work, client, count):
    """Bytes that this process, and all workers, write in one of so many repetitions."""
    begin = written(), sum(client.run(written).values())
    work()
    end = written(), sum(client.run(written).values())
    return {"sent": (end[0] - begin[0]) / count, "returned": (end[1] - begin[1]) / count}


def measured(settings, cluster, client):
    """Seconds and bytes per pattern, by contestant; and whether all weights are the same in the end."""
    s = settings
    patterns = sf.random_patterns(N_PATTERNS, n_visible=s.n_visible, k_visible=s.k_visible, seed=1)
    contestants = {ALONE: sf.KWinnerMHN.from_settings(s, seed=0)}
    for n in WORKERS:
        contestants[f"workers: {n}"] = ShardedKWinner(s, seed=0, scheduler=cluster.scheduler_address, shards=n)
    result = {}
    for action in ("store", "retrieve"):
        work = {name: partial(getattr(memory, action), patterns) for name, memory in contestants.items()}
        measure.take_turns(work, 1)  # which compiles
        times = measure.take_turns(work, ROUNDS, of=min)
        result[action] = {name: {"seconds": value / N_PATTERNS} for name, value in times.items()}
        for name in contestants:
            if name != ALONE:
                result[action][name] |= bytes_per(work[name], client, N_PATTERNS)
            else:
                work[name]()
    trips = {name: lambda memory=memory: memory.nbytes for name, memory in contestants.items() if name != ALONE}
    times = measure.take_turns(trips, TRIPS, of=min)
    result["round trip"] = {name: {"seconds": value} for name, value in times.items()}
    one = contestants.pop(ALONE).arrays()
    same = []
    for memory in contestants.values():
        found = memory.gather().arrays()
        same += [np.array_equal(found[name], array) for name, array in one.items()]
        memory.close()
    return result, all(same)


def row(size, action, name, found):
    counted = [f"{found[key]:,.0f}" if key in found else "" for key in ("sent", "returned")]
    return (size, action, name, f"{found['seconds'] * 1e3:.2f}", *counted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--synapses", type=float, nargs="+", default=[1e6, 1e7], help="sizes of the memory")
    parser.add_argument("--out", type=Path, default=Path("bench/sharded.json"), help="where to write JSON")
    arguments = parser.parse_args()
    count_writes()
    results, verdicts = {}, []
    rows = [("synapses", "", "", "ms per pattern", "bytes sent", "bytes returned")]
    options = {
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": logging.ERROR,
        "memory_limit": 0,
    }
    with LocalCluster(n_workers=max(WORKERS), **options) as cluster, Client(cluster) as client:
        client.run(count_writes)
        for n_synapses in arguments.synapses:
            size = f"{n_synapses:.0e}"
            results[size], same = measured(settings_of(n_synapses), cluster, client)
            verdicts.append(
                measure.verdict(f"{size} synapses: the same bits for any number of workers", "1", same, same)
            )
            for action, names in results[size].items():
                rows += [row(size, action, name, found) for name, found in names.items()]
    print(measure.table(rows), end="\n\n")
    return measure.conclude(arguments.out, {"per pattern": results}, verdicts)


if __name__ == "__main__":
    sys.exit(main())
