"""Every memory is built from its settings, and goes through the retention protocol."""

import numpy as np
import pytest

import slotfree as sf
from slotfree.memory.base import build, memories
from slotfree.memory.modern_hopfield import ModernHopfieldSettings

SIZE = {"n_visible": 40, "k_visible": 8}


@pytest.mark.parametrize("kind", [each.settings_class for each in memories().values()])
def test_every_memory(kind):
    small = kind(**SIZE, **({"fan_in": 0.5} if hasattr(kind, "fan_in") else {}))
    memory = build(small, np.random.SeedSequence(0))
    assert memory.settings == small
    patterns = sf.random_patterns(30, **SIZE, seed=1)
    memory.store(patterns)
    assert memory.n_stored == 30
    recalled = memory.retrieve(patterns)
    assert recalled.dtype == np.uint8
    assert recalled.shape == patterns.shape
    assert (recalled.sum(axis=1) == 8).all()
    data = sf.retention(small, runs=2, n_stored=20, n_tested=10, seed=0)
    assert data["accuracy"].shape == (2, 2, 2, 10)
    assert data["accuracy"].sel(kind="real", age=1, cue=1.0).mean() > 0.2


@pytest.mark.parametrize("more", [{"k_visible": None}, {"k_visible": 8, "n_values": 40}])
def test_the_protocol_needs_binary_patterns(more):
    with pytest.raises(ValueError, match="ModernHopfieldSettings must have k_visible, and no n_values"):
        build(ModernHopfieldSettings(40, **more), np.random.SeedSequence(0))
