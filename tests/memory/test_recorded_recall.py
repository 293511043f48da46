"""What a seed gives stays the same, bit by bit: what memories of every class recall, as a hash.

A saved result names only its settings and its seed. If a memory is meant to recall something else, the hash is written
anew, and all that was saved with it is to be made again.
"""

import hashlib

import numpy as np
import pytest

import slotfree as sf
from slotfree.memory.base import build, memories

SIZE = {"n_visible": 80, "k_visible": 12}
LAYERS = [{"n_units": 120, "k_units": 15, "fan_in": 0.2}, {"n_units": 100, "k_units": 10, "fan_in": 0.1}]
CODONS = [{"n_units": 150, "k_units": 15, "fan_in": 0.2, "threshold": 3}]
HIDDEN = {"n_hidden": 90, "k_hidden": 9}

RECORDED = [
    ("ClassicalHopfield", {"fan_in": 0.6, "decay": 0.03, "steps": 1}, "ba35cb708f36f7e5"),
    ("ClassicalHopfield", {"fan_in": 1.0, "decay": 0.7, "steps": 5}, "7399ae259f662a74"),
    ("KWinnerMHN", HIDDEN | {"fan_in": 0.3, "learning_rate": 0.2}, "e2b1e2084c249575"),
    ("KWinnerMHN", HIDDEN | {"fan_in": 1.0, "learning_rate": 1.0}, "e4fbafbc1f642292"),
    ("KWinnerMHN", HIDDEN | {"fan_in": 0.3, "learning_rate": 0.2, "tied": True}, "14330832075c7534"),
    ("KWinnerMHN", HIDDEN | {"fan_in": 0.3, "learning_rate": 0.2, "storing": "random"}, "84b2ec6fff8c5605"),
    ("ModernHopfield", {"capacity": 40}, "8ae5b0f7711ead7d"),
    ("SparseDistributedMemory", {"n_locations": 60, "k_locations": 7, "decay": 0.02}, "95a638e9c049dc58"),
    ("StackedKWinner", HIDDEN | {"layers": LAYERS, "fan_in": 0.4, "slow_rate": 0.05}, "6dbb5d9f8670622d"),
    (
        "StackedKWinner",
        HIDDEN | {"layers": LAYERS, "fan_in": 0.4, "slow_rate": 0.1, "slow_rule": "contrastive"},
        "e101d20cb99b7164",
    ),
    ("StackedKWinner", HIDDEN | {"layers": CODONS, "fan_in": 0.4}, "a63298a479e36bbf"),
    ("Willshaw", {"fan_in": 0.4}, "834cea5558505f91"),
    ("BTSP", {"n_hidden": 90, "k_hidden": 9, "fan_in": 0.3, "plateau": 0.1}, "ab1c838484657a9f"),
    (
        "ComplexSynapses",
        {"n_hidden": 90, "k_hidden": 9, "fan_in": 0.3, "learning_rate": 0.4, "n_variables": 3},
        "0762b97453cc042f",
    ),
    ("FirstInFirstOut", {"n_slots": 40}, "323bc3d3063e9d4a"),
    ("Minerva", {"n_slots": 40}, "3bb0af362831b72d"),
    ("Reservoir", {"n_slots": 40}, "3f8df0ac46c3e7b0"),
    ("SQHN", {"n_hidden": 40}, "4e903fc99d547244"),
    ("StochasticBinary", {"fan_in": 0.4}, "cac8238531cbc241"),
]


def hashed(*arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("name", "settings", "expected"), RECORDED)
def test_recalled_patterns_are_those_recorded(name, settings, expected):
    memory = build(memories()[name].settings_class(**SIZE | settings), np.random.SeedSequence(3))
    patterns = sf.random_patterns(150, **SIZE, seed=4)
    memory.store(patterns)
    cues = np.concatenate([sf.partial_cues(patterns, level, seed=5) for level in (1.0, 0.5, 0.2)])
    assert hashed(memory.retrieve(cues)) == expected


def test_patterns_are_those_recorded():
    tree = sf.PatternTree.grow(n_nodes=60, n_visible=40, k_visible=8, n_flips=3, seed=6)
    found = {
        "random": hashed(sf.random_patterns(30, n_visible=70, k_visible=9, seed=1)),
        "cues": hashed(sf.partial_cues(sf.random_patterns(30, n_visible=70, k_visible=9, seed=1), 0.4, seed=2)),
        "tree": hashed(tree.patterns, tree.parent),
    }
    assert found == {
        "random": "f62d2171f9848625",
        "cues": "e870aab61fd88f3d",
        "tree": "ec0cc6e2d1b29357",
    }
