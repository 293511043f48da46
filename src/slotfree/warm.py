"""``slotfree warm``, or ``python -m slotfree.warm``: compile all kernels now, so that nothing waits for them later.

Numba compiles a kernel when it is first called, and keeps it on disk. Each function of ``USES`` calls a part of the
public API with small arguments, in another process: what it needs is compiled, unless it is on disk already.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

SIZE: dict[str, Any] = {"n_visible": 60, "k_visible": 6}
NETWORK: dict[str, Any] = {"n_hidden": 20, "k_hidden": 3, "fan_in": 0.5}
RULES: Any = ("fixed", "mhn", "query-key")
SMALLEST: dict[str, Any] = {"runs": 1, "n_stored": 8, "n_tested": 4, "iterations": 30}


def transformers(*models: Any) -> None:
    """Train models, ask them, and look inside."""
    import slotfree as sf
    from slotfree.attention.gradients import gradients

    task = sf.CaseSequenceTask()
    for model in models:
        result = sf.train(model, task, runs=1, iterations=2, batch_size=2, seed=0, jobs=1)
        result.predict(["bADc"], ["d"])
        gradients(model, result.weights[0], task, task.all_sequences())


def winners() -> None:
    """Transformers that store each item in several units."""
    import slotfree as sf

    storage = sf.Winners(k=2, fan_in=0.5)
    models = [sf.SlotFreeTransformer(rule, key_dim=8, storage=storage) for rule in RULES]
    transformers(*models)
    streams(models[-1])


def winner() -> None:
    """Transformers that store each item in one unit."""
    import slotfree as sf
    from slotfree.attention.diagnosis import diagnose

    models = [sf.SlotFreeTransformer(rule, key_dim=8, storage=each) for each in ("winner", "perfect") for rule in RULES]
    transformers(*models)
    streams(models[0])
    diagnose(models[0], trained(models[0], sf.CaseSequenceTask()), sf.CaseSequenceTask(), size=2)


def baselines() -> None:
    """Transformers with slots."""
    import slotfree as sf

    transformers(sf.BaselineTransformer(), sf.BaselineTransformer(gradients="published"))


def streams(model: Any) -> None:
    """A model as a memory without a window."""
    import slotfree as sf
    from slotfree.attention.lag import accuracy_by_lag

    task = sf.LatestCase()
    weights = trained(model, task)
    stream = sf.Stream(model, weights, task)
    stream.store("bADc")
    stream.answer("b")
    accuracy_by_lag(model, weights, task, n_items=20, lags=[0], seed=0)


def trained(model: Any, task: Any) -> Any:
    """The weights of a model after two steps."""
    import slotfree as sf

    return sf.train(model, task, runs=1, iterations=2, batch_size=2, seed=0, jobs=1).weights[0]


def tasks() -> None:
    """The sequences of each task."""
    import numpy as np

    import slotfree as sf
    from slotfree.tasks.lags import lags

    for task in (sf.CaseSequenceTask(), sf.LatestCase(), sf.AssociativeRecall(8, 8, 4)):
        lags(task, task.batch(2, seed=np.random.default_rng(0)))


def keys_and_values() -> None:
    """Attention on given keys and values."""
    import numpy as np

    import slotfree as sf
    from slotfree.attention.key_value_settings import STORAGE

    keys = np.ones((2, 6))
    parts, oldest = sf.Winners(k=2, fan_in=0.5), sf.Winners(k=1, fan_in=1.0, address="oldest")
    for storage in (STORAGE, parts, oldest):
        memory = sf.KeyValueMemory(key_dim=6, value_dim=3, n_hidden=8, storage=storage, seed=0)
        memory.store(keys, np.ones((2, 3)))
        memory.read(keys)
        memory.attention(keys)


def memory(name: str, **settings: Any) -> None:
    """Store, recall, save and load."""
    import slotfree as sf
    from slotfree.memory.base import load_memory, memories

    patterns = sf.random_patterns(4, **SIZE, seed=0)
    made: Any = memories()[name](**SIZE, **settings, seed=0)
    made.store(patterns)
    made.retrieve(patterns)
    with TemporaryDirectory() as folder:
        made.save(Path(folder) / "memory")
        load_memory(Path(folder) / "memory").copy()


def computed() -> None:
    """K-winner MHNs whose connections are computed."""
    for weights in ("uint16", "uint8"):
        for storing in ("best", "random"):
            memory("KWinnerMHN", **NETWORK, weights=weights, connections="computed", storing=storing)


def stored() -> None:
    """K-winner MHNs whose connections are stored, stacks, and curves by age."""
    import slotfree as sf
    from slotfree.memory.code_layer import CodeLayerSettings

    for tied in (False, True):
        for storing in ("best", "random"):
            memory("KWinnerMHN", **NETWORK, tied=tied, storing=storing)
    patterns = sf.random_patterns(4, **SIZE, seed=0)
    for rule in ("reconstruction", "contrastive"):
        layers = (CodeLayerSettings(30, 6, 0.2),)
        stack = sf.StackedKWinner(**SIZE, **NETWORK, layers=layers, slow_rate=0.1, slow_rule=rule, seed=0)
        stack.store(patterns)
        stack.decode(stack.encode(patterns))
        stack.learn(patterns, rule=rule)
        stack.retrieve(patterns)
    sf.retention(SIZE | NETWORK, runs=1, n_stored=6, n_tested=3, seed=0, jobs=1)


def other_memories() -> None:
    """Memories to compare with."""
    import slotfree as sf

    for name in ("Willshaw", "ClassicalHopfield"):
        memory(name, fan_in=0.5)
    memory("SparseDistributedMemory", n_locations=10)
    slots, patterns = sf.ModernHopfield(n_visible=60), sf.random_patterns(4, **SIZE, seed=0)
    slots.store(patterns)
    slots.retrieve(patterns)


def patterns() -> None:
    """Random patterns, trees, clusters, cues and overlaps."""
    import slotfree as sf

    random = sf.random_patterns(4, **SIZE, seed=0)
    sf.similarity(random, sf.partial_cues(random, 0.5, seed=0))
    sf.tree_patterns(4, n_nodes=20, **SIZE, n_flips=2, seed=0)
    sf.PatternClusters.draw(4, n_clusters=2, **SIZE, n_flips=2, seed=0)


def predictions() -> None:
    """Theory, of several winners and of one."""
    import slotfree as sf

    visible = {"n_visible": 400, "k_visible": 40, "n_hidden": 100}
    sf.predict_retention({**visible, "k_hidden": 5, "fan_in": 0.2}, ages=(1, 2, 30))
    sf.predict_retention({**visible, "k_hidden": 1, "fan_in": 1.0}, ages=(1, 2, 30))


def studies(first: int) -> None:
    """One small run of every other experiment of the paper."""
    from slotfree import paper
    from slotfree.study import Scale

    experiments = {each.name: each for item in paper.STUDY.chosen() for each in item.experiments}
    for experiment in list(experiments.values())[first::2]:
        small = experiment.at(Scale("smallest", **SMALLEST))
        small.run(small.seed(0, 0))


# What takes longest comes first. Studies come last: by then, most of what they need is compiled.
USES: Mapping[str, Callable[[], None]] = {
    each.__name__: each
    for each in (winners, winner, computed, predictions, stored, other_memories, baselines, keys_and_values)
} | {"patterns": patterns, "tasks": tasks, "studies": partial(studies, 0), "other studies": partial(studies, 1)}


def use(name: str) -> str:
    """Do one of the uses, without a word; return why it failed, or nothing."""
    with Path(os.devnull).open("w") as null, redirect_stderr(null):
        try:
            USES[name]()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return ""


def compile_all(names: Iterable[str] = tuple(USES)) -> dict[str, str]:
    """Do the uses, one process for each core, and show progress on stderr; return what failed, by name."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from slotfree.runs.executor import default_jobs

    failures = {}
    context, dies_quietly = get_context("spawn"), (signal.SIGINT, signal.SIG_DFL)  # the parent reports Ctrl-C
    with ProcessPoolExecutor(default_jobs(), context, initializer=signal.signal, initargs=dies_quietly) as pool:
        futures = {pool.submit(use, name): name for name in names}
        with click.progressbar(length=len(futures), label="compiling", file=sys.stderr) as bar:
            for future in as_completed(futures):
                if reason := future.result():
                    failures[futures[future]] = reason
                bar.update(1)
    return failures


@click.command()
def warm() -> None:
    """Compile everything now, on all cores.

    Later, nothing waits for it. It takes some minutes on two cores, once per installation, and half a minute if
    everything is compiled.
    """
    begun = time.perf_counter()
    failures = compile_all()
    for name, reason in failures.items():
        click.echo(f"failed: {name}: {reason}", err=True)
    if failures:
        sys.exit(1)
    click.echo(f"all kernels are compiled; it took {time.perf_counter() - begun:.0f} s", err=True)


if __name__ == "__main__":
    warm()
