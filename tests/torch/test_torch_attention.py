"""The function under the layer: against a plain scan, softmax attention and itself in pieces; long and odd input."""

import re
from itertools import pairwise

import numpy as np
import pytest
from pytorch import skip_without_pytorch

skip_without_pytorch()
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_scan import plain_scan

import slotfree as sf
from slotfree.torch import SlotFreeAttention, slot_free_attention
from slotfree.torch import attention as room
from slotfree.torch.wiring import connected, start_keys

N, V, UNITS, HEADS = 6, 3, 8, 2


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def storages(addresses=("oldest", "key", "token", "start")):
    return st.builds(
        sf.Winners,
        k=st.integers(1, 3),
        fan_in=st.sampled_from([0.5, 1.0]),
        rate=st.sampled_from([1.0, 0.5, 0.1]),
        normalise=st.booleans(),
        projection_gain=st.sampled_from([None, 0.5, 1.0, 3.0]),
        beta=st.sampled_from([None, 0.5, 4.0]),
        reading=st.sampled_from(["all", "all", "winners"]),
        masks=st.sampled_from(["own", "shared"]),
        address=st.sampled_from(addresses),
    )


def tensors(seed, B=2, T=12, H=HEADS, **kind):
    """Queries, keys, some of which come back, and values, with gradients."""
    made = torch.Generator().manual_seed(seed)
    kind = {"dtype": torch.float64, **kind}
    q, k, v = (torch.randn(B, T, H, size, generator=made, dtype=kind["dtype"]) for size in (N, N, V))
    k[:, 3::4] = k[:, :1]
    return [each.requires_grad_() for each in (q, k, v)]


def parts_for(storage, seed, B=2, T=12, H=HEADS):
    """What a storage asks for besides."""
    made, parts = torch.Generator().manual_seed(seed + 1), {}
    if storage.fan_in < 1:
        parts["connections"] = connected(storage, list(range(H)), UNITS, N)
    if storage.address == "token":
        parts["drive"] = 3 * torch.rand(B, T, H, UNITS, generator=made, dtype=torch.float64).round(decimals=1)
    if storage.address == "start":
        parts["first_keys"] = start_keys(list(range(H)), UNITS, N)
    return parts


def gradients(y, inputs):
    """Of a sum with different weights."""
    weights = torch.linspace(-1, 1, y.numel(), dtype=y.dtype).reshape(y.shape)
    found = torch.autograd.grad((y * weights).sum(), inputs, allow_unused=True, retain_graph=True)
    return [torch.zeros_like(x) if grad is None else grad for x, grad in zip(inputs, found, strict=True)]


def close(found, expected, atol=1e-11):
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b, atol=atol, rtol=atol)


@settings(max_examples=80)
@given(storages(), st.integers(0, 2**32), st.booleans())
def test_it_is_the_plain_scan_in_values_gradients_state_and_winners(storage, seed, padded):
    inputs, parts = tensors(seed), parts_for(storage, seed)
    mask = torch.rand(2, 12, generator=torch.Generator().manual_seed(seed)) > 0.3 if padded else None
    y, state = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS, mask=mask, **parts)
    expected, heads, _ = plain_scan(*inputs, storage, UNITS, mask=mask, **parts)
    close([y], [expected])
    close(gradients(y, inputs), gradients(expected, inputs))
    for found, name in ((state.keys, "W"), (state.values, "V"), (state.g, "g")):
        close(found.flatten(0, 1), [getattr(head, name) for head in heads])
    assert state.written.flatten(0, 1).tolist() == [head.written for head in heads]
    assert state.stored.tolist() == [head.stored for head in heads[::HEADS]]


@settings(max_examples=40)
@given(storages(), st.lists(st.integers(0, 12), max_size=3), st.integers(0, 2**32))
def test_any_split_into_calls_is_one_call(storage, cuts, seed):
    inputs, parts = tensors(seed), parts_for(storage, seed)
    whole, last = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS, **parts)
    edges, state, pieces = [0, *sorted(cuts), 12], None, []
    drive = parts.pop("drive", None)
    for a, b in pairwise(edges):
        extra = {} if drive is None else {"drive": drive[:, a:b]}
        args = [x[:, a:b] for x in inputs]
        y, state = slot_free_attention(*args, state, storage=storage, n_hidden=UNITS, **parts, **extra)
        pieces.append(y)
    close([torch.cat(pieces, 1), *state], [whole, *last])
    close(gradients(torch.cat(pieces, 1), inputs), gradients(whole, inputs))
    close(gradients(state.values, inputs), gradients(last.values, inputs))


def test_a_long_call_is_one_of_many_chunks(monkeypatch):
    storage = sf.Winners(k=2, fan_in=1.0, address="oldest")
    inputs = tensors(0, T=40)
    whole = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS)
    monkeypatch.setattr(room, "CHUNK", 7)
    chunks = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS)
    close([whole[0], *whole[1]], [chunks[0], *chunks[1]])
    close(gradients(whole[0], inputs), gradients(chunks[0], inputs))


@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_with_room_for_all_it_is_softmax_attention(rate):
    """Units take turns; with ε < 1, each holds ε k and ε v, and Z makes up for it."""
    q, k, v = tensors(0, T=30)
    storage = sf.Winners(k=1, fan_in=1.0, rate=rate, address="oldest", projection_gain=1e9, beta=0.3 / rate)
    y, _ = slot_free_attention(q, k, v, storage=storage, n_hidden=30)
    args = [x.transpose(1, 2) for x in (q, k, v)]
    expected = torch.nn.functional.scaled_dot_product_attention(*args, is_causal=True, scale=0.3).transpose(1, 2)
    close([y, *gradients(y, (q, k, v))], [expected, *gradients(expected, (q, k, v))], 1e-9)
    perfect = slot_free_attention(q, k, v, storage="perfect", n_hidden=30)[0]
    scaled = torch.nn.functional.scaled_dot_product_attention(*args, is_causal=True, scale=1.0).transpose(1, 2)
    close([perfect], [scaled])


def test_units_that_take_turns_are_a_window():
    q, k, v = tensors(1, T=20)
    y, _ = slot_free_attention(q, k, v, storage="perfect", n_hidden=5)
    time = torch.arange(20)
    window = (time[:, None] >= time) & (time[:, None] < time + 5)
    args = [x.transpose(1, 2) for x in (q, k, v)]
    expected = torch.nn.functional.scaled_dot_product_attention(*args, attn_mask=window, scale=1.0)
    close([y], [expected.transpose(1, 2)])


@pytest.mark.parametrize("rate", [1.0, 0.5])
@pytest.mark.parametrize("fan_in", [0.5, 1.0])
def test_gradients_are_those_of_differences_where_winners_stay(rate, fan_in):
    storage = sf.Winners(k=2, fan_in=fan_in, rate=rate, address="oldest", beta=0.5)
    inputs, parts = tensors(3, B=1, T=6, H=1), parts_for(storage, 3, H=1)
    assert torch.autograd.gradcheck(
        lambda *args: slot_free_attention(*args, storage=storage, n_hidden=UNITS, **parts)[0], inputs
    )


@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_straight_through_is_the_same_forward_and_learns_addresses(rate):
    storage = sf.Winners(k=1, fan_in=1.0, rate=rate, address="oldest")
    inputs = tensors(4)
    hard, state = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS)
    soft, other = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS, select="straight-through")
    close([hard, *state], [soft, *other])
    q_hard, k_hard, v_hard = gradients(hard, inputs)
    q_soft, k_soft, v_soft = gradients(soft, inputs)
    close([q_hard, v_hard], [q_soft, v_soft])
    assert not torch.allclose(k_hard, k_soft)


def test_straight_through_has_the_gradient_of_a_softmax():
    """One item, after one: the second address' gradient by hand, with W_VH of the loss alone."""
    storage = sf.Winners(k=1, fan_in=1.0, address="oldest")
    q, k, v = tensors(5, B=1, T=2, H=1)
    _, state = slot_free_attention(q, k, v, storage=storage, n_hidden=3, select="straight-through", temperature=0.5)
    weights = torch.randn(3, V, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    (found,) = torch.autograd.grad((state.values[0, 0] * weights).sum(), k)
    a, b, W_VH = k[0, 0, 0].detach(), k[0, 1, 0].detach(), torch.zeros(3, V, dtype=torch.float64)
    W_VH[0] = v[0, 0, 0].detach()
    assert state.written[0, 0].tolist() == [1, 2, 0]
    key, first = b.clone().requires_grad_(), a.clone().requires_grad_()
    drives = torch.stack([first @ key, 0 * key.sum(), 0 * key.sum()])
    soft = torch.softmax(drives / (0.5 * (b @ b)), 0)
    (soft @ ((v[0, 1, 0].detach() - W_VH) * weights).sum(1)).backward()
    torch.testing.assert_close(found[0, 1, 0], key.grad)


def test_info_says_who_stored_what_and_what_was_evicted():
    storage = sf.Winners(k=1, fan_in=1.0, address="oldest", projection_gain=0.9)
    keys = torch.eye(4)[[0, 1, 0, 2, 3, 1]].reshape(1, 6, 1, 4)
    _, state = slot_free_attention(keys, keys, keys, storage=storage, n_hidden=3)
    assert state.written.tolist() == [[[6, 5, 4]]]
    memory = room.Memory(room.rule_of(storage, 3, 4), 3, None, None, torch.zeros(1, dtype=torch.int64))
    _, _, info = room.attend(keys, keys, keys, None, memory, with_info=True)
    assert info.winners.flatten().tolist() == [0, 1, 0, 2, 1, 0]
    assert info.evicted.flatten().tolist() == [-1, -1, 0, -1, 1, 2]


@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_nothing_is_nan(rate):
    storage = sf.Winners(k=2, fan_in=1.0, rate=rate, address="oldest")
    for kind in (torch.float32, torch.float64):
        for scale in (0.0, 1e-30, 1.0, 1e14):
            inputs = [scale * x.detach() for x in tensors(6, T=9, dtype=kind)]
            inputs[1][:, 4:] = inputs[1][:, :1]
            inputs = [x.requires_grad_() for x in inputs]
            mask = torch.ones(2, 9, dtype=torch.bool)
            mask[0], mask[1, :3] = False, False
            y, state = slot_free_attention(*inputs, storage=storage, n_hidden=UNITS, mask=mask)
            every = [y, *state[:5], *gradients(y, inputs)]
            assert all(x.isfinite().all() for x in every)
            assert not y[0].any()
            assert not y[1, :3].any()
            again, _ = slot_free_attention(*[x[:, :0] for x in inputs], state, storage=storage, n_hidden=UNITS)
            assert again.shape == (2, 0, HEADS, V)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
@pytest.mark.parametrize(("rate", "k", "select"), [(1.0, 1, "hard"), (1.0, 2, "hard"), (0.5, 1, "straight-through")])
@pytest.mark.parametrize("beta", [1e6, 1e20, 1e30, 1e36, 1e60, 1e300])
def test_a_huge_beta_reads_the_nearest_or_is_named(kind, rate, k, select, beta):
    storage = sf.Winners(k=k, fan_in=1.0, rate=rate, address="oldest", beta=beta)
    inputs = [torch.nn.functional.normalize(x.detach(), dim=3).to(kind).requires_grad_() for x in tensors(8)]

    def work():
        return slot_free_attention(*inputs, storage=storage, n_hidden=UNITS, select=select)

    if kind == torch.float32 and beta > 1e33:
        with pytest.raises(ValueError, match=rf"storage.beta times .* which storage.beta={re.escape(f'{beta:g}')} is"):
            work()
        return
    y, state = work()
    assert all(x.isfinite().all() for x in (y, *state[:5], *gradients(y, inputs)))
    h = (inputs[0][:, -1].unsqueeze(2) * state.keys).sum(3)
    nearest = torch.where(state.written > 0, h, -torch.inf).argmax(2)
    held = (state.values / state.g.clamp(min=1e-9)[..., None]).gather(2, nearest[..., None, None].expand(-1, -1, 1, V))
    torch.testing.assert_close(y[:, -1], held[:, :, 0], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("address", ["key", "token"])
def test_a_huge_gain_is_named(address):
    storage = sf.Winners(k=1, fan_in=1.0, address=address, projection_gain=1e300)
    layer = SlotFreeAttention(4, 5, key_dim=6, storage=storage)
    with pytest.raises(ValueError, match=r"storage.projection_gain times .* storage.projection_gain=1e\+300 is not"):
        layer(torch.randn(2, 7, 4))


def test_a_hundred_thousand_tokens():
    made = torch.Generator().manual_seed(0)
    q, k, v = torch.randn(3, 1, 100_000, 1, 4, generator=made)
    storage = sf.Winners(k=1, fan_in=1.0, address="oldest", beta=1.0)
    y, state = slot_free_attention(q, k, v, storage=storage, n_hidden=8)
    assert y.isfinite().all()
    assert int(state.stored) == 100_000
    assert int(state.written.max()) == 100_000
    held = (state.written[0, 0] - 1).tolist()
    close([state.keys[0, 0], state.values[0, 0]], [k[0, held, 0], v[0, held, 0]], 0)


def test_half_precision_has_the_winners_of_float32():
    q, k, v = (x.detach().bfloat16() for x in tensors(7, dtype=torch.float32, T=20))
    storage = sf.Winners(k=1, fan_in=1.0, address="oldest")
    y, state = slot_free_attention(q, k, v, storage=storage, n_hidden=UNITS)
    assert y.dtype == torch.bfloat16
    expected, other = slot_free_attention(q.float(), k.float(), v.float(), storage=storage, n_hidden=UNITS)
    close([*state, y], [*other, expected.bfloat16()], 0)


def call(**changed):
    """A call that is right but for what is changed."""
    q, k, v = (x.detach() for x in tensors(0))
    arguments = {"q": q, "k": k, "v": v, "storage": sf.Winners(k=1, fan_in=1.0, address="oldest"), "n_hidden": UNITS}
    arguments |= changed
    return slot_free_attention(**arguments)


def wrong_state(**changed):
    return call()[1]._replace(**changed)


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"q": torch.zeros(2, 12, 2, 5)}, ValueError, r"q must have the shape \(2, 12, 2, 6\), .* not \(2, 12, 2, 5\)"),
        ({"v": torch.zeros(2, 12, 2)}, ValueError, r"v must have the shape \(2, 12, 2, …\)"),
        ({"v": torch.zeros(2, 12, 2, 3)}, TypeError, "v must be torch.float64 as k is, not torch.float32"),
        ({"k": torch.zeros(2, 12, 2, 6, dtype=torch.int64)}, TypeError, "k must be float32, .* not torch.int64"),
        ({"k": np.zeros((2, 12, 2, 6))}, TypeError, "k must be a tensor, not 'ndarray'"),
        ({"mask": torch.ones(2, 12)}, ValueError, "mask must be torch.bool .* not torch.float32"),
        ({"n_hidden": None}, ValueError, "n_hidden must be an integer ≥ 1 where there is no state, not None"),
        ({"n_hidden": 0}, ValueError, "n_hidden must be an integer from 1"),
        ({"storage": "ring"}, ValueError, "storage must be a Winners or 'perfect', not 'ring'"),
        ({"storage": sf.Winners(k=9, fan_in=1.0, address="oldest")}, ValueError, "n_hidden must be at least k = 9"),
        ({"storage": sf.Winners(k=1, fan_in=0.5, address="oldest")}, ValueError, "fan_in < 1 requires connections"),
        ({"storage": sf.Winners(k=1, fan_in=1.0, address="token")}, ValueError, "'token' requires drive"),
        ({"drive": torch.zeros(2, 12, 2, 8)}, ValueError, "drive requires storage.address='token'"),
        ({"select": "soft"}, ValueError, "select must be 'hard' or 'straight-through', not 'soft'"),
        ({"state": (1, 2)}, TypeError, "state must be a SlotFreeState"),
        ({"state": wrong_state(g=torch.zeros(2, 2, 7))}, ValueError, r"state.g must have the shape \(2, 2, 8\), not"),
        ({"state": wrong_state(g=torch.zeros(2, 2, 8))}, TypeError, "state.g must be torch.float64, not torch.float32"),
        ({"k": torch.full((2, 12, 2, 6), torch.nan).double()}, FloatingPointError, "k must hold finite .* not nan"),
        ({"v": torch.full((2, 12, 2, 3), torch.inf).double()}, FloatingPointError, r"v must .* at most 1e\+100 .* inf"),
    ],
)
def test_errors_name_what_is_wrong(changed, error, message):
    with pytest.raises(error, match=message):
        call(**changed)


def test_a_tensor_elsewhere_is_named():
    with pytest.raises(ValueError, match=r"v must be on cpu as k is, not on meta"):
        call(v=torch.zeros(2, 12, 2, 3, device="meta", dtype=torch.float64))
    with pytest.raises(ValueError, match=r"state.keys must be on cpu, not on meta"):
        call(state=wrong_state(keys=torch.zeros(2, 2, 8, 6, device="meta", dtype=torch.float64)))


def test_small_rates_are_exact_in_single_precision() -> None:
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 10, 1, 8)
    for rate in (1e-3, 1e-6):
        storage = sf.Winners(k=1, fan_in=1.0, rate=rate, address="oldest", beta=1.0)
        y, state = slot_free_attention(q, k, v, storage=storage, n_hidden=16)
        exact, double = slot_free_attention(q.double(), k.double(), v.double(), storage=storage, n_hidden=16)
        assert torch.allclose(y.double(), exact, rtol=1e-4, atol=1e-5)
        assert torch.allclose(state.g.double(), double.g, rtol=1e-5)


def test_crowding_is_that_of_all_items_however_long_the_call_is(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    layer = SlotFreeAttention(d_model=8, n_hidden=4, key_dim=3)
    x, mask = torch.randn(2, 50, 8), torch.rand(2, 50) < 0.7
    whole = layer(x, mask=mask, info=True)[2]
    monkeypatch.setattr("slotfree.torch.attention.CHUNK", 16)
    assert torch.allclose(layer(x, mask=mask, info=True)[2].crowding, whole.crowding)


def test_a_call_without_items_has_info_too() -> None:
    layer = SlotFreeAttention(d_model=8, n_hidden=4, key_dim=3)
    y, state, info = layer(torch.randn(2, 0, 8), info=True)
    assert y.shape == (2, 0, 8)
    assert info.winners.shape == info.evicted.shape == (2, 0, 1, 1)
    assert info.crowding.tolist() == [[0.0], [0.0]]
    assert state.stored.tolist() == [0, 0]


@pytest.mark.parametrize("address", ["oldest", "start"])
def test_equal_keys_tie_wherever_they_are(address: str) -> None:
    """A product of matrices may round equal columns apart: ties are not left to it."""
    rng = torch.Generator().manual_seed(0)
    for n, size in ((9, 3), (22, 5), (13, 7), (30, 4)):
        for _ in range(10):
            k = torch.randn(20, size, dtype=torch.float64, generator=rng)[torch.randint(20, (60,), generator=rng)]
            k = k[None, :, None]
            storage = sf.Winners(k=2, fan_in=1.0, address=address, projection_gain=0.3)
            first = torch.rand(1, n, size, dtype=torch.float64, generator=rng) if address == "start" else None
            given = {"storage": storage, "n_hidden": n, "first_keys": first}
            whole = slot_free_attention(k, k, k, **given)[1]
            state = None
            for piece in k.split(7, dim=1):
                state = slot_free_attention(piece, piece, piece, state, **given)[1]
            assert torch.equal(state.keys, whole.keys)
            assert torch.equal(state.written, whole.written)


def wrong_parts():
    token, start = (sf.Winners(k=1, fan_in=1.0, address=address) for address in ("token", "start"))
    half = sf.Winners(k=1, fan_in=0.5, address="oldest")
    yield {"seeds": [0]}, TypeError, r"seeds must be a tensor, not \[0\]"
    yield {"seeds": torch.tensor([0.5])}, TypeError, "seeds must be torch.int64, not torch.float32"
    nan = torch.full((2, 5, 1, 4), torch.nan)
    yield {"storage": token, "drive": nan}, FloatingPointError, "drive must hold finite numbers .*, not nan"
    yield {"storage": token, "drive": nan.long()}, TypeError, "drive must be float32, .*, not torch.int64"
    keys = torch.full((1, 4, 8), torch.inf)
    yield {"storage": start, "first_keys": keys}, FloatingPointError, "first_keys must hold finite numbers .*, not inf"
    yield {"storage": half, "connections": torch.full((1, 4, 8), 0.3)}, ValueError, "connections must be 1 where"
    yield {"state": "none", "n_hidden": None}, TypeError, "state must be a SlotFreeState, .*, not 'none'"


@pytest.mark.parametrize(("given", "error", "says"), list(wrong_parts()))
def test_parts_that_cannot_be_are_named(given: dict, error: type, says: str) -> None:
    pairs = torch.randn(3, 2, 5, 1, 8)
    with pytest.raises(error, match=says):
        slot_free_attention(*pairs, **({"n_hidden": 4} | given))


@pytest.mark.parametrize(("keys", "error"), [(None, TypeError), (torch.zeros(2, 3), ValueError)])
def test_keys_of_a_state_that_are_none_are_named_without_n_hidden_too(keys, error):
    q, k, v = torch.randn(3, 2, 5, 1, 8)
    _, state = slot_free_attention(q, k, v, n_hidden=4)
    with pytest.raises(error, match=r"state\.keys must"):
        slot_free_attention(q, k, v, state._replace(keys=keys))


def test_a_huge_beta_is_named_though_keys_are_zeros():
    """β q overflows, and times 0 it is no number."""
    storage = sf.Winners(k=1, fan_in=1.0, address="oldest", beta=1e34)
    q, k, v = torch.randn(3, 2, 5, 1, 8)
    with pytest.raises(
        ValueError, match=r"storage\.beta times \|q\| max\(\|k\|, 1\), .*e\+10, must be at most 3.4e\+34"
    ):
        slot_free_attention(1e10 * q, 0 * k, v, n_hidden=4, storage=storage)
