"""Arrays that a user gives: kernels index with them, so each is checked, and none can be exchanged later."""

import numpy as np
import pytest
from every_memory import EVERY, NAMES, patterns, small

import slotfree as sf
from slotfree.memory import CodeLayer, CodeLayerSettings, Connections, memories
from slotfree.memory.code_layer import LARGEST

LAYER = CodeLayerSettings(n_units=3, k_units=1, fan_in=1 / 3)
INPUTS = np.array([[0, 1], [2, 5], [0, 3]], np.uint16)
WEIGHTS = np.ones((3, 2), np.float32)


def with_number(array, index, value):
    array = array.copy()
    array[index] = value
    return array


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"inputs": INPUTS[:2]}, r"inputs must be an array of uint16 of the shape \(3, 2\), not uint16 \(2, 2\)"),
        ({"inputs": INPUTS.T}, r"inputs must be an array of uint16 of the shape \(3, 2\), not uint16 \(2, 3\)"),
        ({"inputs": INPUTS.ravel()}, r"inputs must be an array .* not uint16 \(6,\)"),
        ({"inputs": INPUTS.astype(int)}, r"inputs must be an array of uint16 .* not int64 \(3, 2\)"),
        ({"inputs": INPUTS.tolist()}, r"inputs must be an array of uint16 .* not \[\[0, 1\], \[2, 5\], \[0, 3\]\]"),
        ({"inputs": with_number(INPUTS, (1, 1), 6)}, r"inputs\[1\] are not ascending units below 6: \[2, 6\]"),
        ({"inputs": with_number(INPUTS, (2, 1), 60_000)}, r"inputs\[2\] are not ascending units below 6"),
        ({"inputs": INPUTS[:, ::-1]}, r"inputs\[0\] are not ascending units below 6: \[1, 0\]"),
        (
            {"weights": WEIGHTS[:, :1]},
            r"weights must be an array .* of the shape \(3, 2\), not float32 \(3, 1\)",
        ),
        ({"weights": WEIGHTS.astype(float)}, r"weights must be an array of float32 .* not float64"),
        ({"weights": with_number(WEIGHTS, 0, np.nan)}, "weights are not all from 0 to 1e"),
        ({"weights": with_number(WEIGHTS, 2, -1)}, "weights are not all from 0 to 1e"),
        ({"weights": with_number(WEIGHTS, 2, 2 * LARGEST)}, "weights are not all from 0 to 1e"),
        ({"n_inputs": 5}, r"inputs\[1\] are not ascending units below 5"),
        ({"n_inputs": 0}, "n_inputs must be an integer from 1"),
        ({"k_inputs": 7}, "k_inputs must be an integer from 1 to n_inputs = 6, not 7"),
        ({"settings": {"n_units": 3}}, "settings must be CodeLayerSettings, not"),
    ],
)
def test_a_layer_of_wrong_parts_is_refused(changes, message):
    right = {"n_inputs": 6, "k_inputs": 3, "settings": LAYER, "inputs": INPUTS, "weights": WEIGHTS}
    assert CodeLayer.from_weights(**right).encode(np.ones(6)).sum() == 1
    with pytest.raises((TypeError, ValueError), match=message):
        CodeLayer.from_weights(**right | changes)


def test_a_layer_has_copies_of_its_parts():
    inputs, weights = INPUTS.copy(), np.asfortranarray(WEIGHTS)
    layer = CodeLayer.from_weights(6, 3, LAYER, inputs, weights)
    before = layer.decode(np.eye(3))
    inputs[:], weights[:] = 60_000, np.nan
    np.testing.assert_array_equal(layer.decode(np.eye(3)), before)


@pytest.mark.parametrize("name", EVERY)
def test_a_memory_is_restored_from_its_arrays(name):
    memory = small(name)
    memory.store(patterns(5))
    arrays = {key: array.copy() for key, array in memory.arrays().items()}
    again = type(memory).restored(memory.settings, 5, arrays)
    for array in arrays.values():
        array[:] = 255 if array.dtype.kind == "u" else np.nan
    for each in (memory, again):
        each.store(patterns(5, seed=2))
    np.testing.assert_array_equal(again.retrieve(patterns(9)), memory.retrieve(patterns(9)))


@pytest.mark.parametrize("name", EVERY)
def test_a_memory_of_wrong_arrays_is_refused(name):
    memory = small(name)
    memory.store(patterns(5))
    kind, settings, right = type(memory), memory.settings, dict(memory.arrays())
    other = next(each for each in memories().values() if each is not kind)
    with pytest.raises(TypeError, match=f"settings must be {kind.settings_class.__name__}, not"):
        kind.restored(other.settings_class(), 5, right)
    with pytest.raises(ValueError, match="n_stored must be an integer from 0"):
        kind.restored(settings, -1, right)
    with pytest.raises(ValueError, match="arrays must be a mapping with the keys"):
        kind.restored(settings, 5, list(right.values()))
    for each in kind.saved(settings, 5):
        with pytest.raises(ValueError, match="arrays must be a mapping with the keys"):
            kind.restored(settings, 5, {key: array for key, array in right.items() if key != each.name})
        shorter, wider = right[each.name][1:], (right[each.name] > 0).astype("f2")
        for wrong in (shorter, wider, right[each.name].tolist(), None):
            with pytest.raises(ValueError, match=f"{each.name} must be an array of"):
                kind.restored(settings, 5, right | {each.name: wrong})
        if np.dtype(each.dtype).kind == "u" and not isinstance(each, Connections):  # any number is right
            continue
        odd = each.n_inputs if isinstance(each, Connections) else each.high + 1 if each.high < 1e9 else np.nan
        with pytest.raises(ValueError, match=f"{each.name}.* are not "):
            kind.restored(settings, 5, right | {each.name: with_number(right[each.name], (-1,) * len(each.shape), odd)})


@pytest.mark.parametrize("name", NAMES)
def test_the_settings_of_a_memory_cannot_be_exchanged(name):
    """Kernels take sizes from the settings, and find arrays of these sizes."""
    memory = small(name)
    with pytest.raises(AttributeError):
        memory.settings = small(name, n_visible=9).settings


def test_the_parts_of_a_stack_cannot_be_exchanged():
    stack = small("StackedKWinner")
    for thing, attribute in [
        (stack, "layers"),
        (stack, "memory"),
        (stack.layers[0], "n_inputs"),
        (stack.layers[0], "k_inputs"),
        (stack.layers[0], "settings"),
    ]:
        with pytest.raises(AttributeError):
            setattr(thing, attribute, getattr(thing, attribute))


def test_sums_too_small_for_any_decay_are_refused():
    """Differences of 5e-324 overflow when they are divided by; no decay leaves sums below 2**-200."""
    for name, sums in (("SparseDistributedMemory", "ones"), ("ClassicalHopfield", "both")):
        memory = small(name)
        memory.store(patterns(5))
        arrays = dict(memory.arrays())
        arrays[sums] = np.where(np.arange(arrays[sums].shape[1]) % 2, 5e-324, np.zeros(arrays[sums].shape))
        with pytest.raises(ValueError, match=f"{sums} are not all 0 or at least 6.22302e-61"):
            type(memory).restored(memory.settings, 5, arrays)


def test_a_memory_whose_sums_have_decayed_to_nothing_can_be_saved(tmp_path):
    for name in ("SparseDistributedMemory", "ClassicalHopfield"):
        memory = small(name, decay=0.9)
        memory.store(patterns(500))
        memory.save(tmp_path / "m")
        cues = patterns(9, seed=3)
        np.testing.assert_array_equal(type(memory).load(tmp_path / "m").retrieve(cues), memory.retrieve(cues))


def test_patterns_of_trees_and_clusters_are_indexed_with_checks():
    tree = sf.PatternTree(patterns(3), np.array([-1, 0, 70]), 1)
    with pytest.raises(IndexError):
        tree.leaves  # noqa: B018
