"""PyTorch and compiled models: the same state, reads, winners and local updates."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from pytorch import skip_without_pytorch

skip_without_pytorch()
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights
from slotfree.files.safetensors import ArrayFile
from slotfree.torch import SlotFreeAttention, slot_free_attention
from slotfree.torch.ties import signed
from slotfree.torch.wiring import connected

N, V, UNITS = 6, 3, 12
TASK = sf.CaseSequenceTask(n_letters=5, context_length=4)


def storages(addresses, betas):
    return st.builds(
        sf.Winners,
        k=st.integers(1, 4),
        fan_in=st.sampled_from([0.34, 1.0]),
        rate=st.sampled_from([1.0, 0.5, 0.1]),
        normalise=st.booleans(),
        projection_gain=st.sampled_from([None, 0.5, 0.9, 3.0]),
        beta=st.sampled_from(betas),
        reading=st.sampled_from(["all", "winners"]),
        masks=st.sampled_from(["own", "shared"]),
        address=st.sampled_from(addresses),
    )


@settings(max_examples=60)
@given(storages(["key", "oldest"], [0.5, 4.0]), st.integers(1, 30), st.integers(0, 2**32))
def test_a_key_value_memory(storage, n_pairs, seed):
    memory = sf.KeyValueMemory(N, V, UNITS, storage, seed=seed)
    rng = np.random.default_rng(seed)
    keys, values = rng.normal(size=(n_pairs, N)), rng.normal(size=(n_pairs, V))
    keys[::4] = keys[0]
    number = number_of(memory)
    k, v = (torch.from_numpy(each)[None, :, None] for each in (keys, values))
    y, state = slot_free_attention(
        k,
        k,
        v,
        storage=storage,
        n_hidden=UNITS,
        connections=connected(storage, [number], UNITS, N) if storage.fan_in < 1 else None,
        seeds=torch.tensor([signed(number)]),
    )
    for t in range(n_pairs):
        before = memory.values
        memory.store(keys[t], values[t])
        np.testing.assert_allclose(y[0, t, 0], memory.read(keys[t]), rtol=1e-12, atol=1e-12)
    winners = (memory.values != before).any(axis=0)
    assert ((state.written[0, 0] == n_pairs).numpy() == winners).all()
    for found, expected in ((state.keys, memory.keys), (state.values, memory.values.T), (state.g, memory.strength)):
        np.testing.assert_allclose(found[0, 0], expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=30)
@given(
    st.integers(1, 3),
    st.sampled_from([(1.0, 1.0), (0.5, 1.0), (0.5, 1.5), (0.1, 1.9)]),
    st.sampled_from(["float32", "float64"]),
    st.integers(0, 2**32),
)
def test_a_match_at_the_threshold_itself_is_none_in_both(k, rate_and_gain, dtype, seed):
    """An equal key has a drive of ε |k|², or of (2 − ε) ε |k|² if it won twice: rounding does not decide."""
    rate, gain = rate_and_gain
    storage = sf.Winners(k=k, fan_in=1.0, rate=rate, address="oldest", projection_gain=gain)
    rng = np.random.default_rng(seed)
    keys = rng.normal(size=(8, 30)).astype(dtype)[rng.integers(8, size=50)]
    memory = sf.KeyValueMemory(30, 30, UNITS, storage, seed=0, dtype=dtype)
    memory.store(keys, keys)
    rows = torch.from_numpy(keys)[None, :, None]
    _, state = slot_free_attention(rows, rows, rows, storage=storage, n_hidden=UNITS)
    np.testing.assert_array_equal(state.written[0, 0], memory.state()["when"])


def number_of(memory):
    """The number under which a memory draws connections and ties, out of its file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.safetensors"
        memory.save(path)
        with ArrayFile(path) as file:
            return int(file.read("key")[0])


def untrained(model, seed):
    """A result of no steps: random weights."""
    result = sf.train(model, TASK, runs=1, iterations=1, batch_size=1, seed=seed, jobs=1)
    rng = np.random.default_rng(seed)
    weights = Weights(*(rng.normal(size=w.shape) for w in (result.W_Q, result.W_K, result.W_V)), result.weights.wiring)
    return type(result)(model, TASK, result.accuracy, result.loss, weights, {}, result.attrs)


def one_hot(tokens):
    return torch.nn.functional.one_hot(torch.as_tensor(tokens), TASK.n_tokens).double()


@settings(max_examples=20)
@given(
    storages([None, "token", "own", "letter", "oldest", "start"], [None, 0.5]),
    st.sampled_from(["query-key", "fixed"]),
    st.integers(0, 2**32),
)
def test_a_trained_model_and_its_local_updates(storage, key_rule, seed):
    projections = storage.address != "start"
    model = sf.SlotFreeTransformer(key_rule, projections, key_dim=N, n_hidden=40, storage=storage)
    result = untrained(model, seed)
    layer = SlotFreeAttention.from_trained(result, seed=seed)
    weights = layer.trained_weights()
    for name in ("W_Q", "W_K", "W_V"):
        np.testing.assert_array_equal(getattr(weights, name), getattr(result.weights[0], name))
    rates = torch.tensor([0.01, 0.001, 0.02])
    for step in range(3):
        batch = TASK.batch(1, seed=seed + step)
        context, query, target = batch.items[0, :, 0], batch.queries[0], batch.targets[0]
        trace = model.inspect(weights, TASK, context, query[0], seed=seed)
        _, state, info = layer(one_hot(context)[None], info=True)
        assert [set(w) for w in info.winners[0, :, 0].tolist()] == [set(w) for w in trace.winners.tolist()]
        y = layer.read(one_hot(query)[None], state)
        found = (state.keys, state.values.mT, state.items.mT, state.g, y)
        expected = (trace.W_HK[-1], trace.W_VH[-1], trace.W_IH[-1], trace.g[-1], trace.output)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a[0, 0].detach(), b, rtol=1e-12, atol=1e-12)
        layer.zero_grad()
        (y[0] - torch.nn.functional.one_hot(torch.as_tensor(target), TASK.n_outputs)).square().sum().backward()
        slopes, *_ = gradients(model, weights, TASK, batch, seed=seed)
        learnt = [layer.q_proj.weight, layer.k_proj.weight, layer.v_proj.weight]
        for rate, weight, name in zip(rates, learnt, ("W_Q", "W_K", "W_V"), strict=True):
            slope = torch.zeros_like(weight) if weight.grad is None else weight.grad
            np.testing.assert_allclose(slope, getattr(slopes, name), rtol=1e-11, atol=1e-11)
            with torch.no_grad():
                weight -= rate * slope
        weights = layer.trained_weights()
