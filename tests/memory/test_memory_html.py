"""What notebooks show of memories and patterns."""

import time
from dataclasses import dataclass

import numpy as np
import pytest
from notebook_html import parsed, table_of, text_of

import slotfree as sf
from slotfree.display.glance import SHOWN, some_of
from slotfree.memory import BinaryMemory, CodeLayerSettings, KWinnerSettings, ShardedKWinner, Willshaw, memories
from slotfree.memory.base import keep

SMALL = {"n_visible": 60, "k_visible": 6}
OPTIONS = {
    "KWinnerMHN": {"n_hidden": 40, "k_hidden": 3, "fan_in": 0.3},
    "StackedKWinner": {"layers": [CodeLayerSettings(200, 20, 0.2)], "n_hidden": 40, "k_hidden": 3, "fan_in": 0.3},
    "SparseDistributedMemory": {"n_locations": 20, "k_locations": 2},
}
OURS = [name for name, kind in memories().items() if kind.__module__.startswith("slotfree.memory.")]


def built(name):
    kind = memories()[name]
    seed = {} if name == "ModernHopfield" else {"seed": 0}
    return kind(**SMALL, **OPTIONS.get(name, {}), **seed)


@pytest.mark.parametrize("name", OURS)
def test_every_memory_shows_its_settings_and_what_it_holds(name):
    memory = built(name)
    patterns = sf.random_patterns(5, **SMALL, seed=1)
    for stored in (0, 1, 5):
        memory.store(patterns[memory.n_stored : stored])
        html = memory._repr_html_()
        table, words = table_of(html), text_of(html)
        assert words.startswith(name)
        assert table["n_visible"] == "60"
        assert table["k_visible"] == "6"
        assert f"{stored} {'pattern' if stored == 1 else 'patterns'} stored" in words
        for element in parsed(html).iter("svg"):
            assert element.get("aria-label")


def test_a_memory_shows_all_that_its_text_tells():
    memory = sf.KWinnerMHN(seed=0)
    html = memory._repr_html_()
    assert table_of(html) == {
        "n_visible": "1,000",
        "n_hidden": "2,000",
        "k_visible": "100",
        "k_hidden": "50",
        "fan_in": "0.05",
        "learning_rate": "0.3",
    }
    assert repr(memory).partition(": ")[2] in text_of(html)
    computed = {"weights": "uint8", "connections": "computed"}
    options = sf.KWinnerMHN(**SMALL, **OPTIONS["KWinnerMHN"], **computed, seed=0)
    assert table_of(options._repr_html_())["weights"] == "uint8"


@pytest.mark.parametrize("options", [{}, {"tied": True}, {"weights": "uint8", "connections": "computed"}])
def test_the_histogram_is_of_the_weights(options):
    """Weights of a new memory are spread evenly; those of units that store a pattern at ε = 1 are zeros and ones."""
    memory = sf.KWinnerMHN(**SMALL, n_hidden=40, k_hidden=40, fan_in=0.3, learning_rate=1.0, **options, seed=0)
    shown = np.sort(memory._wiring.some())
    np.testing.assert_allclose(shown, np.sort(memory._wiring.back().ravel()))
    assert len(list(parsed(memory._repr_html_()).iter("rect"))) > 30
    memory.store(sf.random_patterns(1, **SMALL, seed=1))
    bars = list(parsed(memory._repr_html_()).iter("rect"))
    assert len(bars) == 2


def test_a_picture_is_made_of_few_weights_from_all_over():
    weights = np.arange(1_000_003.0).reshape(1, -1)
    some = some_of(weights)
    assert some.size == SHOWN
    assert (np.diff(some) > 0).all()
    assert some[0] < 200
    assert some[-1] > 999_800
    np.testing.assert_array_equal(some_of(weights[:, :50]), weights[0, :50])
    assert some_of(np.empty((0, 3))).size == 0
    np.testing.assert_array_equal(some, some_of(weights))


@pytest.mark.parametrize("columns", [2, 10, 50, 100])
def test_every_column_is_seen_even_if_rows_and_the_sample_have_a_common_step(columns):
    """A hundred times as many weights as are shown: each hundredth of them would be of one column."""
    weights = np.tile(np.linspace(0, 1, columns), (100 * SHOWN // columns, 1))
    some = some_of(weights)
    assert len(np.unique(some)) == columns
    assert some.mean() == pytest.approx(0.5, abs=0.02)


def test_the_share_of_weights_that_are_1_is_exact():
    memory = Willshaw(n_visible=1000, k_visible=100, fan_in=0.5, seed=0)
    memory.store(sf.random_patterns(20, n_visible=1000, k_visible=100, seed=1))
    (part, whole) = list(parsed(memory._repr_html_()).iter("rect"))
    assert float(part.get("width")) / float(whole.get("width")) == pytest.approx(memory.filled, abs=5e-4)
    assert f"{100 * memory.filled:.0f} % of the weights are 1" in text_of(memory._repr_html_())


def test_a_large_memory_is_shown_at_once():
    memory = sf.KWinnerMHN(n_visible=2000, n_hidden=10_000, k_visible=100, k_hidden=50, fan_in=0.2, seed=0)
    begun = time.perf_counter()
    memory._repr_html_()
    assert time.perf_counter() - begun < 0.5


def test_a_memory_on_a_cluster_is_shown_without_asking_its_workers():
    sharded = ShardedKWinner.__new__(ShardedKWinner)  # without any
    sharded.settings = KWinnerSettings(weights="uint8", connections="computed")
    sharded.n_stored, sharded._lost, sharded._first = 7, None, [None, None]
    html = sharded._repr_html_()
    assert table_of(html)["connections"] == "computed"
    assert "100,000 synapses in 2 shards, 7 patterns stored" in text_of(html)
    whole = sf.KWinnerMHN(weights="uint8", connections="computed", seed=0)
    assert table_of(html) == table_of(whole._repr_html_())
    sharded._lost = "lost <a> shard"
    assert "lost <a> shard" in text_of(sharded._repr_html_())


def test_shares_are_those_of_the_memory():
    patterns = sf.random_patterns(5, **SMALL, seed=1)
    willshaw = built("Willshaw")
    willshaw.store(patterns)
    assert f"{100 * willshaw.filled:.0f} % of the weights are 1" in text_of(willshaw._repr_html_())
    slots = sf.ModernHopfield(**SMALL, capacity=20)
    slots.store(patterns)
    assert "25 % of 20 slots are filled" in text_of(slots._repr_html_())
    kanerva = built("SparseDistributedMemory")
    assert "0 % of the locations" in text_of(kanerva._repr_html_())


def test_a_memory_of_ones_own_is_shown_too_and_nothing_in_it_becomes_markup(monkeypatch):
    monkeypatch.setattr("slotfree.memory.base._MEMORIES", dict(memories_by_settings()))

    @dataclass(frozen=True)
    class OwnSettings:
        n_visible: int = 6
        k_visible: int = 2
        label: str = "<script>alert(1)</script>"
        n_weights: int = 0

        def __post_init__(self):
            keep(self)

    class Own(BinaryMemory[OwnSettings]):
        def _begin(self, rng):
            pass

        def _store(self, patterns):
            pass

        def _retrieve(self, cues, out):
            out[:, :2] = 1

        @classmethod
        def saved(cls, settings, n_stored):
            return []

    html = Own(seed=0)._repr_html_()
    assert "<script" not in html
    assert table_of(html)["label"] == "<script>alert(1)</script>"


def memories_by_settings():
    return {kind.settings_class: kind for kind in memories().values()}


def test_patterns_with_structure_show_their_sizes():
    tree = sf.PatternTree.grow(n_nodes=50, **SMALL, n_flips=2, seed=0)
    assert table_of(tree._repr_html_()) == {
        "nodes": "50",
        "leaves": str(len(tree.leaves)),
        "n_visible": "60",
        "k_visible": "6",
        "n_flips": "2",
    }
    clusters = sf.PatternClusters.draw(7, n_clusters=3, **SMALL, n_flips=2, seed=0)
    assert table_of(clusters._repr_html_())["clusters"] == "3"
