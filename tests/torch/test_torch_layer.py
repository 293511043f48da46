"""The layer: what PyTorch users do with one, local rules, adapters, and errors."""

import copy
import io
from inspect import signature

import pytest
from pytorch import skip_without_pytorch

skip_without_pytorch()
import torch

import slotfree as sf
from slotfree.torch import FlashLayer, SlotFreeAttention, SlotFreeState, ZoologyMixer, slot_free_attention
from slotfree.torch.attention import recall
from slotfree.torch.wiring import projected

STORAGES = {
    "oldest": sf.Winners(k=1, fan_in=1.0, address="oldest"),
    "thin": sf.Winners(k=3, fan_in=0.3, rate=0.5, address="oldest"),
    "token": sf.Winners(k=2, fan_in=0.5, address="token"),
    "key": sf.Winners(k=2, fan_in=1.0, address="key"),
    "start": sf.Winners(k=1, fan_in=1.0, address="start"),
    "perfect": "perfect",
}


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(params=STORAGES)
def storage(request):
    return STORAGES[request.param]


def a_layer(storage=STORAGES["oldest"], d_model=8, n_hidden=10, **arguments):
    torch.manual_seed(0)
    return SlotFreeAttention(d_model, n_hidden, key_dim=6, heads=2, storage=storage, **arguments)


def some(*shape, seed=0, **kind):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), **kind)


def same(a, b, atol=0.0):
    for x, y in zip(a, b, strict=True):
        assert (x is None) == (y is None)
        if x is not None:
            torch.testing.assert_close(x, y, atol=atol, rtol=atol)


def test_a_state_goes_in_and_comes_out(storage):
    layer, x = a_layer(storage), some(3, 20, 8)
    y, state = layer(x)
    first, between = layer(x[:, :7])
    second, last = layer(x[:, 7:], between)
    same([torch.cat([first, second], 1), *last], [y, *state], 1e-6)
    same(layer.write(x, None), state)
    same([layer.read(x[:, -1:], state)], [y[:, -1:]], 1e-6)
    assert y.shape == x.shape
    (y.square().sum()).backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in layer.parameters())


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_any_split_of_a_sequence_is_one_call(storage, kind):
    """Projections of other shapes round in other ways, which must not give keys other units."""
    layer, x = a_layer(storage, dtype=kind), some(2, 40, 8, dtype=kind)
    y, _ = layer(x)
    for sizes in ([1, 0, 7, 13, 19], [1] * 40, [39, 1]):
        pieces, state = [], None
        for piece in x.split(sizes, 1):
            found, state = layer(piece, state)
            pieces.append(found)
        same([torch.cat(pieces, 1)], [y], 1e-6)


def test_a_saved_state_goes_on_identically(storage, tmp_path):
    layer, x = a_layer(storage), some(2, 12, 8)
    _, state = layer(x)
    torch.save(state.detach()._asdict(), tmp_path / "state.pt")
    kept = SlotFreeState(**torch.load(tmp_path / "state.pt"))
    (y, after), (again, other) = layer(x, state), layer(x, kept)
    same([y, *after], [again, *other])


def test_a_layer_is_copied_and_saved_with_its_connections(storage):
    layer, x = a_layer(storage), some(2, 12, 8)
    file = io.BytesIO()
    torch.save(layer.state_dict(), file)
    file.seek(0)
    torch.manual_seed(5)
    other = SlotFreeAttention(8, 10, key_dim=6, heads=2, storage=storage)
    other.load_state_dict(torch.load(file))
    for each in (copy.deepcopy(layer), other):
        y, state = each(x)
        same([y, *state], [layer(x)[0], *layer(x)[1]])


def test_padding_is_as_if_it_were_not_there(storage):
    layer, x = a_layer(storage), some(2, 12, 8)
    mask = torch.ones(2, 12, dtype=torch.bool)
    mask[0, :4], mask[1, 9:], mask[1, 3] = False, False, False
    y, state = layer(x, mask=mask)
    for row in range(2):
        alone, own = layer(x[row : row + 1, mask[row]])
        same([y[row, mask[row]], *(each[row] for each in state[:5])], [alone[0], *(each[0] for each in own[:5])], 1e-6)
    assert not y[~mask].any()


def test_an_empty_memory_reads_zero_and_one_token_is_read_back(storage):
    layer = a_layer(storage)
    x = some(1, 1, 8)
    empty = layer.write(x[:, :0], None)
    assert not layer.read(some(1, 3, 8), empty).any()
    expected = layer.o_proj(layer.v_proj(x))
    same([layer(x)[0], layer.read(some(1, 1, 8, seed=3), layer.write(x, None))], [expected, expected], 1e-6)


def test_compiled_it_computes_the_same(storage):
    layer, x = a_layer(storage), some(2, 9, 8)
    compiled = torch.compile(layer, backend="aot_eager")
    (y, state), (expected, other) = compiled(x), layer(x)
    same([y, *state], [expected, *other], 1e-6)
    y.sum().backward()
    found = [p.grad.clone() for p in layer.parameters()]
    layer.zero_grad()
    expected.sum().backward()
    same(found, [p.grad for p in layer.parameters()], 1e-5)


def test_half_precision_and_autocast():
    layer, x = a_layer(), some(2, 9, 8)
    expected, _ = layer(x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, state = layer(x)
    assert y.dtype == torch.bfloat16
    assert state.keys.dtype == torch.float32
    torch.testing.assert_close(y.float(), expected, atol=0.1, rtol=0.1)
    y, state = layer.bfloat16()(x.bfloat16())
    assert (y.dtype, state.keys.dtype) == (torch.bfloat16, torch.float32)
    y.sum().backward()


def test_local_rules_keep_no_graph_through_time():
    layer, x = a_layer(local=True), some(1, 6, 8).requires_grad_()
    y, state = layer(x)
    assert not any(part.requires_grad for part in state)
    (slope,) = torch.autograd.grad(y[:, 4].sum(), x, retain_graph=True)
    assert slope[:, 4].any()
    assert not slope[:, :4].any()
    y.sum().backward()
    reinstated = recall(layer._split(layer.q_proj(x[:, -1:])), layer._packed(state), layer.memory)[..., 4:]
    torch.testing.assert_close(layer.read(x[:, -1:], state), y[:, -1:])
    assert reinstated.shape == (1, 1, 2, 8)
    with torch.no_grad():
        layer.k_proj.weight.grad = None
        keys = layer.k_proj.weight.unflatten(0, (2, 6))
    layer.read(x[:, -1:], state).sum().mul(0).backward()
    off = torch.einsum("btha,hna->bthn", reinstated, keys) - layer._split(layer.q_proj(x[:, -1:]))
    rule = 2 * torch.einsum("bthn,btha->hna", off, reinstated).flatten(0, 1)
    torch.testing.assert_close(layer.k_proj.weight.grad, rule.detach())


def test_local_rules_learn_what_backpropagation_learns():
    """Pairs whose halves are named by tokens: the loss on the second half falls to under a tenth."""
    losses = {}
    for local in (False, True):
        torch.manual_seed(1)
        layer = SlotFreeAttention(24, 16, 16, 8, local=local, project_out=False)
        optimiser = torch.optim.Adam(layer.parameters(), 0.01)
        for _ in range(150):
            names = torch.stack([torch.randperm(16)[:8] for _ in range(16)])
            values = torch.randint(8, (16, 8))
            hot = torch.nn.functional.one_hot
            items = torch.cat([hot(names, 16), hot(values, 8)], 2).float()
            queries = torch.cat([hot(names, 16), torch.zeros(16, 8, 8)], 2).float()
            y = layer.read(queries, layer.write(items, None))
            loss = (y - hot(values, 8)).square().sum(2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        losses[local] = float(loss.detach())
    assert max(losses.values()) < 0.1, losses


@pytest.mark.parametrize("local", [False, True])
def test_state_size_is_what_a_state_holds(storage, local):
    layer = a_layer(storage, local=local)
    state = layer.write(some(1, 5, 8), None)
    assert layer.state_size == sum(part.numel() for part in state if part is not None)


def local_gradients(pieces, weight, scale):
    """Of a sum of squares that is scaled, accumulated over pieces of a batch."""
    layer, x = a_layer(local=True, local_weight=weight), some(6, 7, 8)
    for piece in x.split(6 // pieces):
        (scale * layer(piece)[0].square().sum()).backward()
    return [p.grad for p in layer.parameters()]


def test_local_rules_follow_the_scale_of_a_loss_if_they_are_told():
    whole = local_gradients(1, 1.0, 1.0)
    same(local_gradients(3, 1.0, 1.0), whole, 1e-4)
    same([4 * grad for grad in local_gradients(1, 0.25, 0.25)], whole, 1e-4)
    with pytest.raises(ValueError, match=r"local_weight must be .*, not 0"):
        a_layer(local=True, local_weight=0)
    with pytest.raises(ValueError, match="local_weight=2 requires local=True"):
        a_layer(local_weight=2)


@pytest.mark.parametrize("part", ["keys", "values", "g", "items"])
@pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf])
def test_a_state_that_is_not_finite_is_named(part, number):
    layer, x = a_layer(local=True), some(2, 5, 8)
    _, state = layer(x)
    getattr(state, part)[0, 1, 2] = number
    for use in (layer, layer.write, layer.read):
        with pytest.raises(FloatingPointError, match=rf"state.{part} must hold finite numbers .*, not -?(nan|inf)"):
            use(x, state)


def test_without_a_state_an_empty_memory_is_read(storage):
    layer, x = a_layer(storage), some(2, 5, 8)
    assert torch.equal(layer.read(x), layer.read(x, layer.write(x[:, :0])))
    assert not layer.read(x).any()


def test_straight_through_with_several_winners_warns():
    with pytest.warns(UserWarning, match="straight-through' with k = 3 winners"):
        a_layer(STORAGES["thin"], select="straight-through")
    pairs, several = torch.randn(3, 1, 4, 1, 6), sf.Winners(k=2, fan_in=1.0, address="oldest")
    with pytest.warns(UserWarning, match="straight-through' with k = 2 winners"):
        slot_free_attention(*pairs, storage=several, n_hidden=4, select="straight-through")


class Cache(dict):
    """As caches of flash-linear-attention are, as far as a layer sees them."""

    def update(self, recurrent_state=None, layer_idx=0, offset=1, **_):
        self[layer_idx] = {"recurrent_state": tuple(recurrent_state), "seen": offset}


def test_the_flash_layer_goes_on_from_its_cache():
    torch.manual_seed(0)
    layer, x = FlashLayer(8, num_heads=2, n_hidden=6, head_k_dim=4, layer_idx=0), some(2, 10, 8)
    attention_mask = torch.ones(2, 10, dtype=torch.int64)
    attention_mask[0, :3] = 0
    whole, none, nothing = layer(x, attention_mask)
    assert none is nothing is None
    cache, pieces = Cache(), []
    for t in (slice(0, 4), slice(4, 5), slice(5, 10)):
        o, _, found = layer(x[:, t], attention_mask[:, : t.stop], past_key_values=cache, use_cache=True)
        assert found is cache
        pieces.append(o)
    same([torch.cat(pieces, 1)], [whole], 1e-6)
    layer(x, past_key_values=cache, use_cache=False)
    assert cache[0]["seen"] == 5
    with pytest.raises(ValueError, match="past_key_values requires layer_idx"):
        FlashLayer(8)(x, past_key_values=cache)
    with pytest.raises(ValueError, match="output_attentions must be False"):
        layer(x, output_attentions=True)


def test_the_zoology_mixer():
    mixer = ZoologyMixer(8, n_hidden=6, layer_idx=3, key_dim=4)
    assert mixer(some(2, 5, 8)).shape == (2, 5, 8)
    assert mixer.state_size(sequence_length=99) == mixer.attention.state_size == 6 * (4 + 8 + 2) + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"d_model": 7}, "d_model must be a multiple of heads=2 where value_dim is None, not 7"),
        ({"n_hidden": 0}, "n_hidden must be an integer ≥ 1, not 0"),
        ({"select": "soft"}, "select must be 'hard' or 'straight-through', not 'soft'"),
        ({"select": "straight-through", "local": True}, "select='straight-through' requires local=False"),
        ({"storage": sf.Winners(item_fan_out=0.5), "local": True}, "local requires storage.item_fan_out=1.0, not 0.5"),
        ({"storage": sf.Winners(k=1, address="letter")}, "storage.address must be .* not 'letter'"),
        ({"storage": sf.Winners(k=1, start="random")}, "storage.start must be 'zero' for tensors, not 'random'"),
    ],
)
def test_wrong_settings_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        a_layer(**arguments)


def test_wrong_input_is_named():
    layer, x = a_layer(), some(2, 5, 8)
    _, state = layer(x)
    with pytest.raises(ValueError, match=r"x must have the shape \(…, …, 8\), .* not \(2, 5, 7\)"):
        layer(x[..., :7])
    with pytest.raises(TypeError, match=r"x must be torch.float32 as the layer is, not torch.float64"):
        layer(x.double())
    with pytest.raises(ValueError, match=r"state.keys must have the shape \(1, 2, 10, 6\).*another layer"):
        layer(x[:1], state)
    with pytest.raises(ValueError, match=r"state.keys must have the shape \(2, 2, 10, 6\).*another layer"):
        layer(x, SlotFreeAttention(8, 9, key_dim=6, heads=2)(x)[1])
    with pytest.raises(ValueError, match=r"state.keys must have the shape \(2, 2, 10, 6\), not list"):
        layer(x, state._replace(keys=[1.0]))
    with pytest.raises(FloatingPointError, match=r"x must hold finite numbers .*, not nan"):
        layer(torch.full_like(x, torch.nan))
    with pytest.raises(ValueError, match=r"state.items must have the shape \(2, 2, 10, 8\), not NoneType"):
        a_layer(local=True)(x, state)


def test_a_diverging_training_raises():
    layer, x = a_layer(), some(2, 9, 8)
    optimiser = torch.optim.SGD(layer.parameters(), 1e6)

    def train():
        for _ in range(50):
            optimiser.zero_grad()
            layer(x)[0].pow(4).sum().backward()
            optimiser.step()

    with pytest.raises(FloatingPointError, match="it diverges; use a lower learning rate"):
        train()


def test_a_state_of_other_connections_is_noticed():
    layer, x = a_layer(STORAGES["thin"], seed=1), some(2, 5, 8)
    with pytest.raises(ValueError, match=r"state.keys must be 0 where units see nothing"):
        layer(x, a_layer(STORAGES["thin"], seed=2)(x)[1])
    assert not layer.read(x, None).any()


@pytest.mark.parametrize("shape", [(2, 4), (3, 9), (2, 1, 9, 9), None])
def test_an_attention_mask_that_does_not_fit_is_named(shape):
    layer, x = FlashLayer(16, num_heads=2, n_hidden=8), torch.randn(2, 9, 16)
    mask = [[1] * 9] * 2 if shape is None else torch.ones(shape)
    with pytest.raises(ValueError, match="attention_mask must be a tensor of the shape"):
        layer(x, attention_mask=mask)


def test_what_is_no_result_is_named():
    with pytest.raises(TypeError, match=r"result must be a TrainingResult, .*, not 5"):
        SlotFreeAttention.from_trained(5)


def test_a_compiled_layer_refuses_what_is_not_finite():
    layer, x = SlotFreeAttention(8, 4, key_dim=3), torch.randn(1, 4, 8)
    compiled, state = torch.compile(lambda x: layer(x)[0], backend="aot_eager"), layer.write(x).detach()
    read = torch.compile(layer.read, backend="aot_eager")
    assert torch.allclose(compiled(x), layer(x)[0])
    x[0, 1, 0] = torch.nan
    for call in (lambda: compiled(x), lambda: read(x, state)):
        with pytest.raises(FloatingPointError, match="q must hold finite numbers"):
            call()


def test_each_component_of_an_item_drives_k_units():
    drives = projected(3, [5, 6], 40, 7)
    assert set(drives.unique().tolist()) == {0.0, 1.0}
    assert (drives.sum(dim=1) == 3).all()
    assert not torch.equal(drives[0], drives[1]), "heads have projections of their own"


def test_a_compiled_read_refuses_a_state_that_is_not_finite():
    layer, x = SlotFreeAttention(8, 4, key_dim=3), torch.randn(1, 4, 8)
    read, state = torch.compile(layer.read, backend="aot_eager"), layer.write(x).detach()
    assert torch.allclose(read(x, state), layer.read(x, state))
    with pytest.raises(FloatingPointError, match=r"state\.values must hold finite numbers"):
        read(x, state._replace(values=state.values * torch.nan))


def test_defaults():
    given = signature(slot_free_attention).parameters
    layer = signature(SlotFreeAttention).parameters
    assert (given["select"].default, given["temperature"].default) == ("hard", 0.25)
    assert (layer["key_dim"].default, layer["heads"].default, layer["temperature"].default) == (64, 1, 0.25)
