"""What a layer remembers: fast weights, which go into a call and come out of it."""

from typing import NamedTuple

import torch
from torch import Tensor

from slotfree.torch.checking import LARGEST, check_finite

ROUNDED = 1 + 1e-6  # weights are means of what was stored, up to rounding


class SlotFreeState(NamedTuple):
    """The fast weights of B sequences and H heads, with n hidden units each.

    A tuple of tensors: ``torch.save(state._asdict(), path)`` keeps it, and ``SlotFreeState(**torch.load(path))`` is it
    again. It does not grow with what is stored. Gradients go through it from one call to the next until ``detach``.

    Attributes
    ----------
    keys, values : W_HK, (B, H, n, N), with 0 where there is no connection, and W_VH transposed, (B, H, n, V).
    g : how much each unit has stored, from 0 to 1, (B, H, n).
    written : one more than the number of the last item that each unit stored, 0 for none, (B, H, n).
    stored : items stored, (B,); padding is none.
    items : W_IH transposed, (B, H, n, d_model), for local rules; else None.

    Examples
    --------
    >>> import torch
    >>> from slotfree.torch import SlotFreeAttention
    >>> layer = SlotFreeAttention(d_model=8, n_hidden=4, key_dim=5)
    >>> state = layer.write(torch.randn(2, 3, 8), None)
    >>> state.keys.shape, state.written[0].tolist()
    (torch.Size([2, 1, 4, 5]), [[1, 2, 3, 0]])
    """

    keys: Tensor
    values: Tensor
    g: Tensor
    written: Tensor
    stored: Tensor
    items: Tensor | None = None

    def detach(self) -> "SlotFreeState":
        """The same numbers, without the graph that they came from."""
        return SlotFreeState(*(None if part is None else part.detach() for part in self))

    def to(self, device: torch.device | str) -> "SlotFreeState":
        """The same on another device."""
        return SlotFreeState(*(None if part is None else part.to(device) for part in self))

    def rows(self, index: Tensor) -> "SlotFreeState":
        """Those of some sequences, in a given order: what a beam search asks for."""
        return SlotFreeState(*(None if part is None else part[index] for part in self))


def empty_state(
    like: Tensor, sizes: tuple[int, int, int, int, int], first_keys: Tensor | None, item_dim: int = 0
) -> SlotFreeState:
    """Nothing stored; W_HK begins with ``first_keys``, (H, n, N), or 0. Sizes are B, H, n, N and V."""
    B, H, n, N, V = sizes
    keys = like.new_zeros(B, H, n, N) if first_keys is None else first_keys.to(like).expand(B, H, n, N).clone()
    whole = {"dtype": torch.int64, "device": like.device}
    return SlotFreeState(
        keys,
        like.new_zeros(B, H, n, V),
        like.new_zeros(B, H, n),
        torch.zeros(B, H, n, **whole),
        torch.zeros(B, **whole),
        like.new_zeros(B, H, n, item_dim) if item_dim else None,
    )


def check_state(state: object, like: Tensor, sizes: tuple[int, int, int, int, int], item_dim: int = 0) -> SlotFreeState:
    """Raise an error if a state is not one of these sizes, this type of numbers and this device."""
    if not isinstance(state, SlotFreeState):
        raise TypeError(f"state must be a SlotFreeState, as a call returns it, or None, not {type(state).__name__}")
    B, H, n, N, V = sizes
    shapes = {"keys": (B, H, n, N), "values": (B, H, n, V), "g": (B, H, n), "written": (B, H, n), "stored": (B,)}
    if item_dim:
        shapes["items"] = (B, H, n, item_dim)
    for name, shape in shapes.items():
        part = getattr(state, name)
        if not isinstance(part, Tensor) or tuple(part.shape) != shape:
            found = tuple(part.shape) if isinstance(part, Tensor) else type(part).__name__
            raise ValueError(
                f"state.{name} must have the shape {shape}, not {found}: is it the state of another layer?"
            )
        kind = torch.int64 if name in ("written", "stored") else like.dtype
        if part.dtype != kind:
            raise TypeError(f"state.{name} must be {kind}, not {part.dtype}: is it the state of another layer?")
        if part.device != like.device:
            raise ValueError(f"state.{name} must be on {like.device}, not on {part.device}; use state.to(device)")
    return state._replace(stored=state.stored + check_parts(state))  # or torch.compile leaves the check out


def check_parts(state: SlotFreeState) -> Tensor:
    """Raise an error if a part of a state is not finite; return 0."""
    most = ROUNDED * LARGEST[state.keys.dtype]
    named = {"keys": most, "values": most, "g": ROUNDED, "items": most}
    parts = {name: getattr(state, name) for name in named}
    found = [check_finite(p.detach(), f"state.{name}", named[name]) for name, p in parts.items() if p is not None]
    return torch.stack(found).sum()
