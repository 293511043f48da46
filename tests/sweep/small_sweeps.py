"""Sweeps that take no time."""

from small_studies import Silent

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


def run(out, entries, jobs=2):
    """Run a sweep and return its outcome."""
    sweep, progress = sweep_from(entries), Silent()
    with opened(out, settings_of(sweep), {}) as directory:
        outcome = run_sweep(sweep, directory=directory, jobs=jobs, progress=progress)
    assert progress.done == progress.steps, "progress ends at its end"
    return outcome
