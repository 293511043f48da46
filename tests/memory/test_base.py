"""What every memory has: it is built from its settings, goes through the retention protocol, and is listed."""

import inspect
from dataclasses import dataclass

import every_memory
import numpy as np
import pytest
from small import Echo, same

import slotfree as sf
import slotfree.memory
from slotfree.memory import BinaryMemory, ModernHopfieldSettings, Numbers, load_memory, memories
from slotfree.memory.base import build

SIZE = {"n_visible": 40, "k_visible": 8}


@pytest.mark.parametrize("name", every_memory.NAMES)
def test_every_memory(name):
    kind = memories()[name].settings_class
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


@pytest.mark.parametrize("name", sorted(set(every_memory.EVERY) - {"ModernHopfield"}))
def test_threads_share_the_cues_and_change_nothing(name):
    memory = every_memory.small(name)
    memory.store(every_memory.patterns(9))
    cues = every_memory.patterns(7, seed=2)
    np.testing.assert_array_equal(memory.retrieve(cues, threads=3), memory.retrieve(cues))
    np.testing.assert_array_equal(memory.retrieve(cues[0]), memory.retrieve(cues)[0])


@pytest.mark.parametrize("name", every_memory.EVERY)
def test_wrong_patterns_are_refused_and_nothing_is_stored(name):
    memory = every_memory.small(name)
    memory.store(every_memory.patterns(1))
    before = memory.copy()
    for method, argument in ((memory.store, "patterns"), (memory.retrieve, "cues")):
        with pytest.raises(ValueError, match=rf"{argument} must have the shape \(8,\) or \(T, 8\), not \(3, 9\)"):
            method(np.ones((3, 9)))
        with pytest.raises(ValueError, match=rf"{argument} must hold only 0 and 1, not {argument}\[1, 0\] = 2"):
            method(np.repeat([[1], [2]], 8, axis=1))
    assert same(memory, before)


def test_all_six_are_listed_and_can_be_imported_from_the_room():
    assert sorted(every_memory.MORE) == every_memory.NAMES
    for name, kind in memories().items():
        if name in every_memory.NAMES:
            assert getattr(slotfree.memory, name) is kind
            assert getattr(slotfree.memory, kind.settings_class.__name__) is kind.settings_class
            assert {name, kind.settings_class.__name__} <= set(dir(slotfree.memory))
    with pytest.raises(AttributeError, match=r"module 'slotfree\.memory' has no attribute 'Slots'"):
        slotfree.memory.Slots  # noqa: B018


def test_the_signature_shows_the_settings():
    assert str(inspect.signature(sf.KWinnerMHN)).startswith("(n_visible: int = 1000, n_hidden: int = 2000, k_visible:")
    assert list(inspect.signature(sf.KWinnerMHN).parameters)[-1] == "seed"
    assert "seed" not in inspect.signature(sf.ModernHopfield).parameters


@pytest.mark.parametrize("more", [{"k_visible": None}, {"k_visible": 8, "n_values": 40}])
def test_the_protocol_needs_binary_patterns(more):
    with pytest.raises(ValueError, match="ModernHopfieldSettings must have k_visible, and no n_values"):
        build(ModernHopfieldSettings(40, **more), np.random.SeedSequence(0))


@dataclass(frozen=True)
class LeakySettings:
    n_visible: int = 40
    k_visible: int = 8
    leak: float = 0.02

    @property
    def n_weights(self):
        return self.n_visible * (self.n_visible + 1) // 2


class Leaky(BinaryMemory[LeakySettings]):
    """W ← (1 − λ) W + x xᵀ."""

    def _begin(self, rng):
        self.weights = np.zeros((self.settings.n_visible, self.settings.n_visible))

    def _store(self, patterns):
        for x in patterns:
            self.weights *= 1 - self.settings.leak
            self.weights += np.outer(x, x)

    def _retrieve(self, cues, out):
        best = np.argsort(-(cues @ self.weights), axis=1, kind="stable")[:, : self.settings.k_visible]
        np.put_along_axis(out, best, 1, axis=1)

    @classmethod
    def saved(cls, settings, n_stored):
        return [Numbers("weights", (settings.n_visible, settings.n_visible), 0, n_stored)]


def test_a_memory_of_your_own_is_listed_measured_and_saved(tmp_path):
    assert memories()["Leaky"] is Leaky
    data = sf.retention(LeakySettings(), runs=5, n_stored=60, n_tested=40, seed=0)["accuracy"].mean("run")
    real = data.sel(cue=1.0, kind="real")
    assert real.sel(age=slice(1, 3)).mean() > real.sel(age=slice(30, 40)).mean()
    memory = Leaky(leak=0.1, seed=0)
    patterns = sf.random_patterns(30, **SIZE, seed=1)
    memory.store(patterns[:20])
    assert repr(memory) == "Leaky(n_visible=40, k_visible=8, leak=0.1): 820 weights, 20 patterns stored"
    memory.save(tmp_path / "leaky")
    loaded = load_memory(tmp_path / "leaky")
    assert type(loaded) is Leaky
    for each in (memory, loaded):
        each.store(patterns[20:])
    np.testing.assert_array_equal(loaded.weights, memory.weights)
    np.testing.assert_array_equal(loaded.retrieve(patterns), memory.retrieve(patterns))


def test_any_class_with_store_and_retrieve_is_measured():
    pool = sf.random_patterns(60, **SIZE, seed=0)
    data = sf.retention(Echo, pool, runs=2, n_stored=20, n_tested=10, seed=0)
    assert (data["accuracy"].sel(cue=1.0) == 1).all()
    assert (data["accuracy"].sel(cue=0.5) == 0.5).all()


def test_settings_of_no_memory_are_refused():
    with pytest.raises(TypeError, match=r"other settings .*WillshawSettings.*, or a function of a seed"):
        sf.retention(every_memory, seed=0)
