"""Slot-free attention on queries, keys and values: the function under the layer."""

from typing import Literal, NamedTuple, TypeAlias

import torch
from torch import Tensor

from slotfree import checks
from slotfree.kernels.attention.match_or_oldest import ABOVE
from slotfree.torch.checking import check_memory, check_numbers, check_pairs, check_tensor, warn_of_several
from slotfree.torch.parallel import (
    Fast,
    after_last,
    drives,
    outputs,
    parts_of,
    read_parts,
    read_softmax,
    read_units,
)
from slotfree.torch.rule import OLDEST, Rule, Storage, rule_of
from slotfree.torch.scan import scan
from slotfree.torch.state import SlotFreeState, check_parts, check_state, empty_state
from slotfree.torch.ties import turns, units_of_keys
from slotfree.torch.winners import find_winners

CHUNK = 256  # items of a call whose products are held at a time
TEMPERATURE = 0.25

Select: TypeAlias = Literal["hard", "straight-through"]


class Memory(NamedTuple):
    """A memory of n units for each of H heads, before anything is stored; see ``slot_free_attention``."""

    rule: Rule
    n: int
    connections: Tensor | None
    first_keys: Tensor | None
    seeds: Tensor
    select: Select = "hard"
    temperature: float = TEMPERATURE


class Info(NamedTuple):
    """What happened in a call.

    Attributes
    ----------
    winners : the units that stored each item, (B, T, H, k); −1 for padding.
    evicted : the number of the item that each of them held last, counted from 0 since the memory was empty,
        (B, T, H, k); −1 if it held nothing. An item that matches a stored one replaces it: then it is that one.
    crowding : n Σ_m p_m² with p the mean over items of the softmax of their drives, (B, H): 1 if items spread over all
        units, n if all go to one. Its gradient pushes keys apart; add a small part of its mean to a loss.
    """

    winners: Tensor
    evicted: Tensor
    crowding: Tensor


def slot_free_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    state: SlotFreeState | None = None,
    *,
    storage: Storage = OLDEST,
    n_hidden: int | None = None,
    connections: Tensor | None = None,
    drive: Tensor | None = None,
    first_keys: Tensor | None = None,
    seeds: Tensor | None = None,
    mask: Tensor | None = None,
    select: Select = "hard",
    temperature: float = TEMPERATURE,
) -> tuple[Tensor, SlotFreeState]:
    """Attend to a memory of fixed size: pair t is stored in fast weights, then query t reads.

    With ε = 1 that is softmax attention over the past, in which a learnt mask hides what was overwritten. Gradients are
    exact wherever winners do not change, which is almost everywhere.

    Parameters
    ----------
    q, k, v : (B, T, H, N), (B, T, H, N) and (B, T, H, V), of float32, float64 or half precision, of which winners are
        found in float32.
    state : what an earlier call returned; None: nothing is stored. Any split of a sequence into calls is one call.
    storage : a ``Winners`` with the address "oldest" (which None means here), "key", "token" or "start"; or "perfect":
        unit after unit takes an item, β is 1. β None is 1/(f ε).
    n_hidden : n, units of each head; may be left out if there is a state.
    connections : (H, n, N) 1 where a unit sees a component of a key; needed if ``storage.fan_in`` means fewer than all.
    drive : (B, T, H, n) what tokens add to the drives of units, for the address "token".
    first_keys : (H, n, N) W_HK of an empty memory, for the address "start".
    seeds : (H,) integers under which ties, and the units of keys, are drawn; None: 0, 1, ….
    mask : (B, T) False for padding, which stores nothing and reads 0.
    select : "hard", or "straight-through": addresses learn too, by the gradient of a softmax in the place of the
        winners; one item after the other, and so slowly.
    temperature : of that softmax, in units of the drive of a key that is stored.

    Returns
    -------
    y : (B, T, H, V), of the type of q.
    state : a ``SlotFreeState``, of float32 or float64.

    Examples
    --------
    >>> import torch, slotfree as sf
    >>> from slotfree.torch import slot_free_attention
    >>> q, k, v = torch.randn(3, 2, 5, 1, 8)
    >>> storage = sf.Winners(k=1, fan_in=1.0, address="oldest", beta=8**-0.5)
    >>> y, state = slot_free_attention(q, k, v, storage=storage, n_hidden=4)
    >>> y.shape, state.values.shape, int(state.written.max())
    (torch.Size([2, 5, 1, 8]), torch.Size([2, 1, 4, 8]), 5)
    """
    if state is None and n_hidden is None:
        raise ValueError("n_hidden must be an integer ≥ 1 where there is no state, not None")
    check_pairs(q, k, v, mask)
    heads, N = k.shape[2:]
    if state is not None and not isinstance(state, SlotFreeState):
        raise TypeError(f"state must be a SlotFreeState, as a call returns it, or None, not {checks.shown(state)}")
    if n_hidden is None and state is not None:
        check_tensor("state.keys", state.keys, "(batch, heads, n, N)", (None,) * 4)
        n_hidden = state.keys.shape[2]
    n = checks.integer("n_hidden", n_hidden, 1, checks.MANY)
    seeds = torch.arange(heads, device=k.device) if seeds is None else seeds
    memory = Memory(rule_of(storage, n, N), n, connections, first_keys, seeds, select, temperature)
    check_memory(memory, k, drive)
    warn_of_several(select, memory.rule, 3)
    y, state, _ = attend(q, k, v, state, memory, drive, mask)
    return y, state


def attend(
    q: Tensor | None,
    k: Tensor,
    v: Tensor,
    state: SlotFreeState | None,
    memory: Memory,
    drive: Tensor | None = None,
    mask: Tensor | None = None,
    with_info: bool = False,
) -> tuple[Tensor, SlotFreeState, Info | None]:
    """The same for arguments that are checked, with what happened; without queries, nothing is read."""
    kind = v.dtype if q is None else q.dtype
    with torch.autocast(k.device.type, enabled=False):
        whole = Chunk._make([*(None if part is None else inner(part) for part in (q, k, v, drive)), mask])
        state, is_new = started(state, whole.k, whole.v, memory)
        fine = check_numbers(memory.rule, state, whole.q, whole.k, whole.v)
        state = state._replace(stored=state.stored + fine)
        y, infos = [whole.v[:, :, :0]], [nothing(state, memory.rule.k)]
        for start in range(0, k.shape[1], CHUNK):
            out, state, info = one_chunk(whole.part(start), state, memory, is_new, with_info)
            is_new = False
            y.append(out)
            infos += [info] if info is not None else []
        read = torch.cat(y, 2).transpose(1, 2).to(kind)
        read = read if mask is None or q is None else read * mask[:, :, None, None]
        return read, state, joined(infos) if with_info else None


class Chunk(NamedTuple):
    """Some queries, keys and values, (B, H, T, …), what drives units besides, and which of them are no padding."""

    q: Tensor | None
    k: Tensor
    v: Tensor
    drive: Tensor | None
    valid: Tensor | None

    def part(self, start: int) -> "Chunk":
        """Some of them, from a time on."""
        piece = slice(start, start + CHUNK)
        parts = (None if part is None else part[:, :, piece] for part in self[:4])
        return Chunk._make([*parts, None if self.valid is None else self.valid[:, piece]])


def one_chunk(
    chunk: Chunk, state: SlotFreeState, memory: Memory, is_new: bool, with_info: bool
) -> tuple[Tensor, SlotFreeState, Info | None]:
    """Both passes, for items few enough that their products can be held."""
    rule, n = memory.rule, memory.n
    q, k, v, drive, valid = chunk
    if rule.address == "key" and drive is None:
        drive = drive_of_keys(k, k, memory)
    threshold = ABOVE * rule.gain * rule.f * rule.rate * k.square().sum(3)
    full = rule.f * rule.rate * k.square().sum(3, keepdim=True).detach()
    k, connections = seen_alike(k, memory)
    winners, held, keys, written = pass_1(k, threshold, drive, valid, state, memory, connections)
    fast = Fast(state.keys, state.values, state.g)
    y = v[:, :, :0]
    if memory.select == "straight-through":
        soft = nonzero(memory.temperature * full)
        y, after = scan(k if q is None else q, k, v, winners, fast, drive, connections, rule, soft)
    else:
        if q is not None and rule.is_softmax:
            y = read_softmax(q, k, v, winners, None if is_new else fast, connections, rule, n)
        elif q is not None:
            parts = parts_of(winners, n, rule.rate, k)
            y = outputs(v, fast.values, *read_parts(q, k, fast, parts, connections, rule))
        after = after_last(k, v, winners, fast, connections, rule.rate)
    exact = after.keys + (keys - after.keys).detach()  # to the bit what pass 1 has: no split of a sequence shows
    count = state.stored + (k.shape[2] if valid is None else valid.sum(1))
    new = SlotFreeState(exact, after.values, after.g, written, count)
    if not with_info:
        return y, new, None
    h = drives(k, k, fast.keys, parts_of(winners, n, rule.rate, k, before=True), connections)
    load = loads((h if drive is None else h + drive) / nonzero(memory.temperature * full), valid)
    return y, new, Info(torch.where(winners < n, winners, -1), held, load)


def pass_1(
    k: Tensor,
    threshold: Tensor,
    drive: Tensor | None,
    valid: Tensor | None,
    state: SlotFreeState,
    memory: Memory,
    connections: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Find winners."""
    rule, matches = memory.rule, memory.rule.address == "oldest"
    with torch.no_grad():
        stored = torch.arange(k.shape[2], device=k.device)[None] if valid is None else valid.cumsum(1) - 1
        order = None if matches else turns(memory.seeds, state.stored[:, None] + stored, memory.n)
        held = state.keys.detach(), state.written, state.stored
        limit = threshold.detach() if matches else None
        extra = None if drive is None else drive.detach()
        return find_winners(k.detach(), limit, extra, order, valid, *held, connections, rule.k, rule.rate)


def recall(q: Tensor, state: SlotFreeState, memory: Memory) -> Tensor:
    """What queries, (B, T, H, N), read of a state that stays as it is: (B, T, H, V)."""
    with torch.autocast(q.device.type, enabled=False):
        fine = check_numbers(memory.rule, state, inner(q)) + check_parts(state)
        y = read_units(inner(q), Fast(state.keys, state.values, state.g), memory.rule) + fine
        return y.transpose(1, 2).to(q.dtype)


def started(state: SlotFreeState | None, k: Tensor, v: Tensor, memory: Memory) -> tuple[SlotFreeState, bool]:
    """A state that fits, and whether it is new and of zeros."""
    (B, H, _, N), V = k.shape, v.shape[3]
    sizes = B, H, memory.n, N, V
    if state is None:
        first = memory.first_keys
        if first is not None and memory.connections is not None:
            first = first * memory.connections
        return empty_state(k, sizes, first), first is None
    return check_state(state, k, sizes), False


def inner(x: Tensor) -> Tensor:
    """(B, T, H, D) → (B, H, T, D), in float32 at least."""
    return x.transpose(1, 2).to(torch.promote_types(x.dtype, torch.float32))


def seen_alike(k: Tensor, memory: Memory) -> tuple[Tensor, Tensor | None]:
    """If all units see the same part of a key: this part, and no connections; else the key, and the connections."""
    if memory.connections is None or not memory.rule.shared:
        return k, memory.connections
    return k * memory.connections[None, :, :1].to(k.dtype), None


def drive_of_keys(k: Tensor, named: Tensor, memory: Memory) -> Tensor:
    """γ f |k|² P k, (B, H, T, n): each key drives units that belong to the bits that name it, (B, H, T, N)."""
    units = units_of_keys(named.detach(), memory.seeds, memory.n, memory.rule.k)
    gain = nonzero(memory.rule.gain * memory.rule.f * k.square().sum(3))
    return k.new_zeros(*k.shape[:3], memory.n).scatter_add(3, units, gain[..., None].expand(units.shape))


def nonzero(x: Tensor) -> Tensor:
    """What can be divided by."""
    return x.clamp(min=torch.finfo(x.dtype).tiny)


def loads(h: Tensor, valid: Tensor | None) -> Tensor:
    """The sum over items of softmax(h), (B, H, T, n) → (B, H, n)."""
    shares = h.softmax(3)
    return (shares if valid is None else shares * valid[:, None, :, None]).sum(2)


def nothing(state: SlotFreeState, k: int) -> Info:
    """What happens when there are no items."""
    none = state.written.new_zeros(*state.written.shape[:2], 0, k)
    return Info(none, none, torch.zeros_like(state.g))


def joined(infos: list[Info]) -> Info:
    """What happened in all chunks; what each has for crowding is the load of units."""
    winners, held = (torch.cat([info[i] for info in infos], 2).transpose(1, 2) for i in range(2))
    load = torch.stack([info.crowding for info in infos]).sum(0)
    p = load / load.sum(2, keepdim=True).clamp(min=1)
    return Info(winners, held, p.shape[2] * p.square().sum(2))
