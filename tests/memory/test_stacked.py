"""The stacked K-winner memory: equality with its plain twin, the SI's worked example, laws, arguments."""

from itertools import combinations

import numpy as np
import plain_stack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf
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


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"layers": 3}, "layers must be a sequence of code layers, not 3"),
        ({"layers": [{"units": 3}]}, "keys out of n_units, k_units, fan_in, threshold, not {'units': 3}"),
        ({"layers": [{"n_units": 10, "k_units": 11}]}, "k_units must be an integer from 1 to n_units = 10, not 11"),
        (
            {"layers": [{"n_units": 10, "k_units": 1, "fan_in": 0.001}]},
            "layers[0]: fan_in=0.001 leaves units no connections (40 inputs); use ≥ 0.013",
        ),
        (
            {"layers": [{"n_units": 10, "k_units": 1, "fan_in": 0.1, "threshold": 5}]},
            "threshold must be at most the 4 connections of a unit",
        ),
        ({"k_visible": 41}, "k_visible must be an integer from 1 to n_visible = 40, not 41"),
        ({"n_visible": 0}, "n_visible must be an integer from 1"),
        ({"k_visible": 0}, "k_visible must be an integer from 1"),
        ({"slow_rate": -1}, "slow_rate must be a number in [0, 1], not -1"),
        ({"slow_rate": 1e-50}, "slow_rate must be 0 or large enough for float32 weights, not 1e-50"),
        (
            {"layers": [{"n_units": 300}]},
            "layers[0]: k_units must be an integer from 1 to n_units = 300, not 500 (left",
        ),
        ({"fan_in": 0.001}, "(n_visible is here the last code's 80 units)"),
        ({"slow_rule": "hebb"}, "slow_rule must be"),
        ({"k_hidden": 0}, "k_hidden must be an integer"),
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


def two_codons(*above):
    """A stack whose first layer has two units, active for the units 0 and 1, and 2 and 3; k winners may be above it."""
    codons = {"n_units": 2, "k_units": 1, "fan_in": 0.5, "threshold": 2}
    stack = sf.StackedKWinner(
        n_visible=4, k_visible=2, layers=[codons, *above], n_hidden=5, k_hidden=1, fan_in=1, seed=0
    )
    arrays = stack.arrays() | {"layer_1.connections": np.array([[0, 1], [2, 3]], np.uint16)}
    return sf.StackedKWinner.restored(stack.settings, 0, arrays)


@pytest.mark.parametrize("above", [[], [{"n_units": 3, "k_units": 1, "fan_in": 1}]])
def test_patterns_with_an_empty_code_are_named_and_nothing_is_stored(above):
    """Winners above an empty code do not hide it: all patterns with one would have the same winners."""
    stack = two_codons(*above)
    coded, empty = [1, 1, 0, 0], [1, 0, 1, 0]
    before = {name: array.copy() for name, array in stack.arrays().items()}
    with pytest.raises(ValueError, match=r"but 2 of 4 have an empty code, first patterns\[1\]; nothing was stored"):
        stack.store([coded, empty, coded, empty])
    assert stack.n_stored == stack.memory.n_stored == 0
    for name, array in stack.arrays().items():
        np.testing.assert_array_equal(array, before[name])


def test_an_empty_pattern_may_have_an_empty_code():
    stack = two_codons()
    stack.store([[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]])
    stack.store(np.zeros(4))
    assert stack.n_stored == stack.memory.n_stored == 4
    np.testing.assert_array_equal(stack.retrieve([[0, 0, 1, 1]]), [[0, 0, 1, 1]])


def test_parts_of_a_layer_cannot_be_spoiled():
    layer = small().layers[0]
    for array in (layer.connections, layer.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0
