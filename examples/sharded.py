"""A program: one memory spread over three workers.

    python sharded.py

It needs Dask: ``pip install 'slotfree[cluster]'``. Each worker has a third of the hidden units, and the same
memory is made in this process too. The workers are processes of this machine, so nothing is gained but proof: every bit
is the same. On a cluster, start ``dask scheduler`` on one machine and
``dask worker tcp://HOST:8786 --nthreads 8`` on each of the others, and give that address as ``scheduler``: then the
memory may be as large as all of them together (docs/explained/scale.md).
"""

import logging

import numpy as np
from distributed import LocalCluster

import slotfree as sf
from slotfree.memory import ShardedKWinner

SETTINGS = sf.KWinnerSettings(
    n_visible=2000,
    n_hidden=20_000,
    k_visible=100,
    k_hidden=200,
    fan_in=0.05,
    weights="uint16",
    connections="computed",
)


def main():
    patterns = sf.random_patterns(100, n_visible=2000, k_visible=100, seed=1)
    cues = sf.partial_cues(patterns, 0.5, seed=2)
    memory = sf.KWinnerMHN.from_settings(SETTINGS, seed=0)
    memory.store(patterns)
    with (
        LocalCluster(
            n_workers=3, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.ERROR
        ) as cluster,
        ShardedKWinner(SETTINGS, seed=0, scheduler=cluster.scheduler_address) as sharded,
    ):
        sharded.store(patterns)
        print(sharded)
        recalled, gathered = sharded.retrieve(cues), sharded.gather().arrays()
    accuracy = (recalled & patterns).sum() / patterns.sum()
    print(f"{accuracy:.1%} of the ones are recalled from half of each pattern")
    same_weights = all(np.array_equal(gathered[name], array) for name, array in memory.arrays().items())
    same_recall = np.array_equal(recalled, memory.retrieve(cues))
    print("every bit is the same as in one process" if same_weights and same_recall else "BITS DIFFER")


if __name__ == "__main__":
    main()
