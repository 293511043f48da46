"""Small memories of every class and option, so that what holds for all is tested for all."""

import numpy as np

import slotfree as sf
from slotfree.memory.base import build, memories

NAMES = sorted(name for name, kind in memories().items() if kind.__module__.startswith("slotfree."))

SIZE = {"n_visible": 8, "k_visible": 3}
LAYERS = [{"n_units": 10, "k_units": 4, "fan_in": 0.25}]
MORE = {
    "BTSP": {"n_hidden": 6, "k_hidden": 2, "fan_in": 0.5, "plateau": 0.5},
    "ClassicalHopfield": {"fan_in": 0.5, "decay": 0.1, "steps": 2},
    "ComplexSynapses": {"n_hidden": 6, "k_hidden": 2, "fan_in": 0.5, "n_variables": 3},
    "FirstInFirstOut": {"n_slots": 4},
    "KWinnerMHN": {"n_hidden": 6, "k_hidden": 2, "fan_in": 0.5},
    "Minerva": {"n_slots": 4},
    "ModernHopfield": {"capacity": 4},
    "Reservoir": {"n_slots": 4},
    "SQHN": {"n_hidden": 4},
    "SparseDistributedMemory": {"n_locations": 5, "k_locations": 2, "decay": 0.1},
    "StackedKWinner": {"layers": LAYERS, "n_hidden": 6, "k_hidden": 2, "fan_in": 0.5, "slow_rate": 0.05},
    "StochasticBinary": {"fan_in": 0.5},
    "Willshaw": {"fan_in": 0.5},
}
OPTIONS = {
    "KWinnerMHN tied": {"tied": True},
    "KWinnerMHN at random": {"storing": "random"},
    "KWinnerMHN computed": {"weights": "uint16", "connections": "computed"},
}
EVERY = [*NAMES, *OPTIONS]  # classes, and options of a class, whose name comes first


def kind_of(name):
    """The class of a memory of that name."""
    return memories()[name.partition(" ")[0]]


def small(name, seed=0, **changes):
    """A new memory of the class or option of that name; a class that is not listed above has its defaults."""
    kind = kind_of(name)
    settings = kind.settings_class(**SIZE | MORE.get(kind.__name__, {}) | OPTIONS.get(name, {}) | changes)
    return build(settings, np.random.SeedSequence(seed))


def patterns(n_patterns, seed=1):
    """Random patterns that fit."""
    return sf.random_patterns(n_patterns, **SIZE, seed=seed)
