"""A key-value memory as a component: its type of numbers, a batch, its state, and tensors."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytorch import skip_without_pytorch

import slotfree as sf

N, V = 6, 3
STORAGES = [
    sf.Winners(k=3, fan_in=1.0),
    sf.Winners(k=2, fan_in=1.0, rate=0.4, address="oldest"),
    sf.Winners(k=2, fan_in=0.5, rate=0.5, normalise=False),
    sf.Winners(k=3, fan_in=0.5, address="oldest", beta=4.0),
    sf.Winners(k=2, fan_in=1.0, reading="winners"),
]
WHOLE = STORAGES[:2]


def pairs(*front, seed=0):
    rng = np.random.default_rng(seed)
    keys = rng.normal(size=(*front, N))
    return 2 * keys / np.linalg.norm(keys, axis=-1, keepdims=True), rng.normal(size=(*front, V))


def assert_same(one, other):
    assert one.n_stored == other.n_stored
    for name, part in one.state().items():
        np.testing.assert_array_equal(part, other.state()[name], err_msg=name)


@settings(max_examples=40)
@given(st.sampled_from(STORAGES), st.sampled_from(["float32", "float64"]), st.integers(1, 90), st.integers(0, 2**32))
def test_each_memory_of_a_batch_is_what_it_would_be_alone(storage, dtype, n_pairs, seed):
    """However the pairs are split into calls."""
    keys, values = pairs(3, n_pairs, seed=seed)
    keys[:, ::5] = keys[:, :1]
    batch = sf.KeyValueMemory(N, V, 12, storage, seed=seed, dtype=dtype, batch=3)
    batch.store(keys[:, :4], values[:, :4])
    batch.store(keys[:, 4:], values[:, 4:])
    read, s = batch.read(keys), batch.attention(keys[:, 0])
    assert (read.shape, read.dtype, s.shape) == ((3, n_pairs, V), np.dtype(dtype), (3, 12))
    rounding = 1e-4 if dtype == "float32" else 1e-11
    for b in range(3):
        alone = sf.KeyValueMemory(N, V, 12, storage, seed=seed, dtype=dtype)
        for key, value in zip(keys[b], values[b], strict=True):
            alone.store(key, value)
        for name in ("keys", "values", "strength"):
            np.testing.assert_array_equal(getattr(batch, name)[b], getattr(alone, name))
        np.testing.assert_allclose(read[b], alone.read(keys[b]), rtol=rounding, atol=rounding)
        np.testing.assert_allclose(s[b], alone.attention(keys[b, 0]), rtol=rounding, atol=rounding)


@pytest.mark.parametrize("storage", WHOLE)
def test_single_precision_chooses_the_same_units(storage):
    keys, values = (part.astype(np.float32) for part in pairs(300))
    single, double = (sf.KeyValueMemory(N, V, 40, storage, seed=0, dtype=dtype) for dtype in (np.float32, "float64"))
    for memory in (single, double):
        memory.store(keys, values)
    assert single.keys.dtype == single.read(keys).dtype == np.float32
    np.testing.assert_allclose(single.keys, double.keys, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(single.read(keys), double.read(keys), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("batch", [None, 2])
def test_a_state_goes_on_to_the_same_bits(storage, batch):
    front = () if batch is None else (batch,)
    keys, values = pairs(*front, 60)
    first, then = np.s_[..., :30, :], np.s_[..., 30:, :]
    memory, other, fresh = (sf.KeyValueMemory(N, V, 12, storage, seed=s, batch=batch) for s in (0, 1, 0))
    memory.store(keys[first], values[first])
    state = memory.state()
    memory.store(keys[then], values[then])
    other.store(keys[then], values[then])
    other.load_state(state)
    other.store(keys[then], values[then])
    assert_same(memory, other)
    np.testing.assert_array_equal(memory.read(keys), other.read(keys))
    memory.reset()
    assert_same(memory, fresh)
    assert not memory.read(keys).any()
    for each in (memory, fresh):
        each.store(keys[first], values[first])
    assert_same(memory, fresh)


def test_a_batch_has_a_file_and_copies(tmp_path):
    keys, values = pairs(2, 20)
    memory = sf.KeyValueMemory(N, V, 12, WHOLE[1], seed=0, dtype="float32", batch=2)
    memory.store(keys, values)
    memory.save(tmp_path / "m")
    for other in (sf.KeyValueMemory.load(tmp_path / "m"), memory.copy()):
        assert other.settings == memory.settings
        other.store(keys, values)
        assert other.n_stored == 40
    assert repr(memory).startswith("KeyValueMemory(key_dim=6, value_dim=3, n_hidden=12, ")
    assert "dtype='float32', batch=2): 240 weights, 20 pairs stored" in repr(memory)
    assert memory.beta == pytest.approx(16 / 0.4 / 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("g"), "arrays must be a mapping with the keys keys, values, g, key"),
        (lambda state: state.update(g=state["g"][:5]), r"g must be an array of float64 of the shape \(12,\)"),
        (lambda state: state.update(n_stored=0), "units hold something, which 0 pairs cannot have made"),
        (lambda state: state.update(n_stored=-1), "n_stored must be an integer from 0"),
        (lambda state: state.clear(), "state must be what state"),
    ],
)
def test_a_state_of_another_memory_changes_nothing(change, message):
    memory = sf.KeyValueMemory(N, V, 12, seed=0)
    memory.store(*pairs(3))
    wrong = memory.state()
    change(wrong)
    before = memory.state()
    with pytest.raises(ValueError, match=message):
        memory.load_state(wrong)
    assert all((before[name] == part).all() for name, part in memory.state().items())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dtype": "float16"}, "dtype must be 'float64' or 'float32', not 'float16'"),
        ({"dtype": None}, "dtype must be 'float64' or 'float32', not None"),
        ({"batch": 0}, "batch must be an integer from 1 to"),
    ],
)
def test_wrong_arguments(changes, message):
    with pytest.raises(ValueError, match=message):
        sf.KeyValueMemory(N, V, seed=0, **changes)


@pytest.mark.parametrize("shape", [(N,), (3, N), (2, 5), (2, 4, 5), (1, 2, 3, N)])
def test_shapes_of_a_batch(shape):
    memory = sf.KeyValueMemory(N, V, seed=0, batch=2)
    with pytest.raises(ValueError, match=r"queries must have the shape \(2, 6\) or \(2, T, 6\) in a batch of 2, not"):
        memory.read(np.ones(shape))
    with pytest.raises(ValueError, match=r"values must be one for each key, of the shape \(2, 4, 3\), not \(2, 3\)"):
        memory.store(np.ones((2, 4, N)), np.ones((2, V)))


def test_numbers_too_large_for_single_precision():
    memory = sf.KeyValueMemory(N, V, seed=0, dtype="float32")
    with pytest.raises(ValueError, match=r"at most 1e\+15 in magnitude, not keys\[0\] = 1e\+20"):
        memory.store(np.full(N, 1e20), np.ones(V))


def test_tensors_give_tensors():
    skip_without_pytorch()
    import torch

    keys, values = (torch.from_numpy(part) for part in pairs(9))
    memory, plain = (sf.KeyValueMemory(N, V, 40, seed=0, dtype="float32") for _ in range(2))
    memory.store(keys, values)
    plain.store(keys.numpy(), values.numpy())
    read = memory.read(keys)
    assert (type(read), read.dtype, read.device) == (torch.Tensor, keys.dtype, keys.device)
    np.testing.assert_allclose(read.numpy(), plain.read(keys.numpy()), rtol=1e-6)
    assert memory.attention(keys.to(torch.bfloat16)).dtype == torch.bfloat16
    memory.load_state(
        {name: torch.as_tensor(part) for name, part in plain.state().items() if part.dtype != np.uint64}
        | {"key": plain.state()["key"]}
    )
    with pytest.raises(ValueError, match=r"queries must not require gradients, .* use queries\.detach\(\)"):
        memory.read(keys.requires_grad_())


def test_torch_is_not_imported_for_arrays():
    if "torch" not in sys.modules:
        memory = sf.KeyValueMemory(N, V, seed=0)
        memory.store(*pairs(3))
        memory.read(pairs(3)[0])
        assert "torch" not in sys.modules
