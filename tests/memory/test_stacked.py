"""The stacked K-winner memory: equality with its plain twin, the SI's worked example, laws, arguments, files."""

from itertools import combinations

import numpy as np
import plain_stack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf
from slotfree.forgetting.protocol import retention
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings

TWO_LAYERS = [{"n_units": 60, "k_units": 9, "fan_in": 0.25}, {"n_units": 80, "k_units": 8, "fan_in": 0.1}]
CODONS = [{"n_units": 70, "k_units": 10, "fan_in": 0.2, "threshold": 2}]


def small(layers=TWO_LAYERS, **changes):
    arguments = {"n_visible": 40, "k_visible": 8, "n_hidden": 50, "k_hidden": 5, "fan_in": 0.3, "seed": 0}
    return sf.StackedKWinner(layers=layers, **{**arguments, **changes})


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([[], TWO_LAYERS, CODONS]),
    st.sampled_from([0.0, 0.05, 0.7]),
    st.sampled_from(["reconstruction", "contrastive"]),
)
def test_equals_the_plain_twin(seed, layers, slow_rate, slow_rule):
    patterns = sf.random_patterns(25, n_visible=40, k_visible=8, seed=seed)
    if layers is CODONS:
        slow_rule = "reconstruction"
    stack = small(layers, slow_rate=slow_rate, slow_rule=slow_rule, seed=seed)
    plain = plain_stack.DenseStack(stack)
    stack.store(patterns)
    for x in patterns:
        plain.store(x)
    for layer, dense in zip(stack.layers, plain.layers, strict=True):
        np.testing.assert_array_equal(
            layer.weights, np.take_along_axis(dense.W, layer.connections.astype(int), axis=1), strict=True
        )
    cues = sf.partial_cues(patterns, 0.5, seed=seed)
    np.testing.assert_array_equal(stack.retrieve(cues), [plain.retrieve(x) for x in cues])
    assert (stack.retrieve(cues).sum(axis=1) == 8).all()


def test_conjunctions_of_the_worked_example():
    """SI: length 6, three active, 2 of 3 shared; coded by all 15 pairs they share 1 of 3 (a codon of 2 of 2 inputs)."""
    pairs = np.array(list(combinations(range(6), 2)), np.uint16)
    codons = CodeLayerSettings(n_units=15, k_units=3, fan_in=1 / 3, threshold=2)
    layer = CodeLayer.from_weights(6, 3, codons, pairs, np.ones(pairs.shape, np.float32))
    x = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 0, 0]], np.uint8)
    z = layer.encode(x)
    assert z.sum(axis=1).tolist() == [3, 3]
    assert (x[0] & x[1]).sum() == 2
    assert (z[0] & z[1]).sum() == 1
    np.testing.assert_array_equal(layer.decode(z), x)


def test_without_layers_it_is_a_kwinner_mhn():
    patterns = sf.random_patterns(300, seed=1)
    rng = np.random.default_rng(5)
    stack = sf.StackedKWinner(layers=[], fan_in=0.05, seed=rng)
    plain = sf.KWinnerMHN(seed=np.random.default_rng(5))
    stack.store(patterns)
    plain.store(patterns)
    np.testing.assert_array_equal(stack.retrieve(patterns), plain.retrieve(patterns))


def test_one_by_one_all_at_once_and_over_threads_is_the_same():
    patterns = sf.random_patterns(30, n_visible=40, k_visible=8, seed=1)
    for slow_rate in (0.0, 0.1):
        one, all_at_once = small(slow_rate=slow_rate), small(slow_rate=slow_rate)
        for x in patterns:
            one.store(x)
        all_at_once.store(patterns)
        assert one.n_stored == all_at_once.n_stored == 30
        np.testing.assert_array_equal(one.retrieve(patterns), all_at_once.retrieve(patterns, threads=3))
        np.testing.assert_array_equal(one.retrieve(patterns[0]), one.retrieve(patterns)[0])


@pytest.mark.parametrize("b", [5, 15])
def test_codes_are_less_similar_than_patterns_and_restore_them(b):
    patterns = sf.tree_patterns(150, n_nodes=600, n_flips=b, seed=0)
    stack = sf.StackedKWinner(seed=0)
    codes = stack.encode(patterns)
    assert sf.similarity(codes).mean() < 0.7 * sf.similarity(patterns).mean()
    restored = (stack.decode(codes) & patterns).sum() / patterns.sum()
    assert 0.85 < restored <= 1


@pytest.mark.parametrize("rule", ["reconstruction", "contrastive"])
def test_slow_learning_improves_what_it_is_for(rule):
    """Patterns it never saw, of the same tree, are restored better from their codes after learning."""
    patterns = sf.tree_patterns(1100, n_nodes=4000, n_flips=5, seed=0)
    layer = CodeLayer(1000, 100, CodeLayerSettings(2000, 100, 0.03), seed=1)

    def restored():
        unseen = patterns[1000:]
        return (layer.decode(layer.encode(unseen)) & unseen).sum() / unseen.sum()

    before = restored()
    layer.learn(patterns[:1000], rule=rule)
    assert restored() > before + 0.1


def test_saved_and_loaded_it_goes_on_the_same(tmp_path):
    patterns = sf.random_patterns(40, n_visible=40, k_visible=8, seed=1)
    for layers in ([], TWO_LAYERS, CODONS):
        stack = small(layers, slow_rate=0.05)
        stack.store(patterns[:20])
        stack.save(tmp_path / "s")
        again = sf.StackedKWinner.load(tmp_path / "s")
        assert again.settings == stack.settings
        assert again.n_stored == 20
        for memory in (stack, again):
            memory.store(patterns[20:])
        np.testing.assert_array_equal(again.retrieve(patterns), stack.retrieve(patterns))
        assert repr(again) == repr(stack)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"layers": 3}, "layers must be a sequence of code layers, not 3"),
        ({"layers": [{"units": 3}]}, "keys out of n_units, k_units, fan_in, threshold, not {'units': 3}"),
        ({"layers": [{"n_units": 10, "k_units": 11}]}, "k_units must be a whole number from 1 to n_units = 10, not 11"),
        ({"layers": [{"n_units": 10, "k_units": 1, "fan_in": 0.001}]}, "at least 0.013 for 40 inputs, not 0.001"),
        (
            {"layers": [{"n_units": 10, "k_units": 1, "fan_in": 0.1, "threshold": 5}]},
            "threshold must be at most the 4 connections of a unit",
        ),
        ({"k_visible": 41}, "k_visible must be a whole number from 1 to n_visible = 40, not 41"),
        ({"slow_rate": -1}, "slow_rate must be a number from 0 to 1, not -1"),
        ({"slow_rate": 1e-50}, "slow_rate must be 0 or large enough for float32 weights, not 1e-50"),
        (
            {"layers": [{"n_units": 300}]},
            "layers[0]: k_units must be a whole number from 1 to n_units = 300, not 500 (left",
        ),
        ({"fan_in": 0.001}, "(n_visible is here the last code's 80 units)"),
        ({"slow_rule": "hebb"}, "slow_rule must be"),
        ({"k_hidden": 0}, "k_hidden must be a whole number"),
    ],
)
def test_bad_arguments_name_what_would_be_right(arguments, error):
    with pytest.raises((TypeError, ValueError)) as raised:
        small(**arguments)
    assert error in str(raised.value)


def test_codons_that_nothing_reaches_are_refused():
    stack = small([{"n_units": 70, "k_units": 10, "fan_in": 0.1, "threshold": 4}])
    with pytest.raises(ValueError, match=r"\d+ of 20 have an empty code, first patterns\[\d+\]; nothing was stored"):
        stack.store(sf.random_patterns(20, n_visible=40, k_visible=8, seed=1))
    assert stack.n_stored == 0
    with pytest.raises(
        ValueError, match=r"layers\[0\]: slow_rule must be 'reconstruction' for a code layer with a thr"
    ):
        small(CODONS, slow_rate=0.1, slow_rule="contrastive")


@pytest.mark.parametrize("threshold", [3, 4])
def test_the_patterns_with_empty_codes_are_counted_and_the_first_is_named(threshold):
    stack = small([{"n_units": 70, "k_units": 10, "fan_in": 0.1, "threshold": threshold}])
    patterns = sf.random_patterns(20, n_visible=40, k_visible=8, seed=3)
    empty = np.flatnonzero(~stack.encode(patterns).any(axis=1))
    assert 0 < empty.size < 20
    with pytest.raises(ValueError, match=rf"but {empty.size} of 20 have an empty code, first patterns\[{empty[0]}\];"):
        stack.store(patterns)
    stack.store(np.delete(patterns, empty, axis=0))
    assert stack.n_stored == 20 - empty.size


def test_a_pattern_without_ones_reaches_nothing_and_may_be_stored():
    stack = small(CODONS)
    stack.store(np.zeros(40, np.uint8))
    assert stack.n_stored == 1


def test_parts_of_a_layer_cannot_be_spoiled():
    layer = small().layers[0]
    for array in (layer.connections, layer.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0
    unsorted = np.array([[2, 0]], np.uint16)
    with pytest.raises(ValueError, match=r"inputs must be ascending and below 6, not inputs\[0\] = \[2, 0\]"):
        CodeLayer.from_weights(6, 3, CodeLayerSettings(1, 1, 1 / 3), unsorted, np.ones((1, 2), np.float32))


def test_bad_patterns_change_nothing():
    stack = small()
    with pytest.raises(ValueError, match=r"patterns must have the shape \(40,\) or \(T, 40\), not \(41,\)"):
        stack.store(np.zeros(41))
    with pytest.raises(ValueError, match="cues must hold only 0 and 1"):
        stack.retrieve(np.full(40, 2))
    assert stack.n_stored == 0


def test_the_retention_protocol_takes_it():
    data = retention(small().settings, runs=2, n_stored=30, n_tested=10, seed=0)
    assert data["accuracy"].shape == (2, 2, 2, 10)
    accuracy = data["accuracy"].sel(cue=1.0).mean(("run", "age"))
    assert accuracy.sel(kind="real") > accuracy.sel(kind="pseudo")
