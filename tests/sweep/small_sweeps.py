"""Sweeps that take no time."""

from slotfree.runs.directory import opened
from slotfree.sweep.grid import sweep_from
from slotfree.sweep.run import run_sweep, settings_of

MEMORY = {
    "kind": "memory", "n_visible": 40, "n_hidden": 30, "k_visible": 6, "k_hidden": [3, 6], "fan_in": 0.5,
    "learning_rate": [0.3, 1], "n_stored": 30, "n_tested": 12, "runs": 3,
}  # fmt: skip
TRANSFORMER = {
    "kind": "transformer", "key_rule": ["fixed", "query-key"], "key_dim": 8, "batch_size": 8, "iterations": 60,
    "runs": 2,
}  # fmt: skip


class Silent:
    """Progress for nobody; it counts the steps, and remembers what is begun."""

    def __init__(self):
        self.steps = self.done = 0
        self.begun = []

    def begin(self, steps):
        self.steps = steps

    def now(self, what):
        self.begun.append(what)

    def step(self, seconds_left):
        self.done += 1
        assert seconds_left is None or seconds_left >= 0


def run(out, entries, jobs=2):
    """Run a sweep and return its outcome."""
    sweep, progress = sweep_from(entries), Silent()
    with opened(out, settings_of(sweep), {}) as directory:
        outcome = run_sweep(sweep, directory=directory, jobs=jobs, progress=progress)
    assert progress.done == progress.steps, "progress ends at its end"
    return outcome
