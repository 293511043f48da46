"""The layer with the signatures that libraries of such layers ask for; nothing of these libraries is needed."""

from typing import Any

from torch import Tensor, nn

from slotfree.torch.checking import check_tensor
from slotfree.torch.layer import SlotFreeAttention
from slotfree.torch.rule import OLDEST, Storage
from slotfree.torch.state import SlotFreeState


class FlashLayer(nn.Module):
    """The signature of layers of flash-linear-attention: a cache goes in and comes out.

    Parameters
    ----------
    hidden_size : d_model.
    num_heads, n_hidden, storage : heads, hidden units of each, and how items are stored.
    head_k_dim, head_v_dim : N and V; V None is hidden_size / num_heads.
    layer_idx : the number of the layer, by which a cache knows its state.
    arguments : others of ``SlotFreeAttention``.

    Examples
    --------
    >>> import torch
    >>> from slotfree.torch import FlashLayer
    >>> layer = FlashLayer(hidden_size=16, num_heads=2, n_hidden=8, layer_idx=0)
    >>> o, attentions, cache = layer(torch.randn(1, 5, 16))
    >>> o.shape, attentions, cache
    (torch.Size([1, 5, 16]), None, None)
    """

    def __init__(
        self,
        hidden_size: int,
        num_heads: int = 1,
        n_hidden: int = 64,
        storage: Storage = OLDEST,
        head_k_dim: int = 64,
        head_v_dim: int | None = None,
        layer_idx: int | None = None,
        **arguments: Any,
    ) -> None:
        super().__init__()
        self.layer_idx = layer_idx
        self.attention = SlotFreeAttention(
            hidden_size, n_hidden, head_k_dim, head_v_dim, num_heads, storage, **arguments
        )

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        past_key_values: Any = None,
        use_cache: bool | None = False,
        output_attentions: bool | None = False,
        **kwargs: Any,
    ) -> tuple[Tensor, None, Any]:
        """Return o, None and the cache.

        Parameters
        ----------
        hidden_states : (B, T, hidden_size).
        attention_mask : (B, ≥ T) 0 for padding; the last T columns count.
        past_key_values : a cache: ``len``, ``[layer_idx]["recurrent_state"]`` and ``update``. It is read and updated.
        use_cache : whether the cache is updated; None: if there is one.
        output_attentions : must be false, as there are no attentions over items.
        """
        if output_attentions:
            raise ValueError("output_attentions must be False, not True: no attention over items is kept")
        if kwargs.get("cu_seqlens") is not None:
            raise ValueError("cu_seqlens must be None: give sequences of several lengths an attention_mask")
        if past_key_values is not None and self.layer_idx is None:
            raise ValueError("past_key_values requires layer_idx")
        state = None
        if past_key_values is not None and len(past_key_values) > (self.layer_idx or 0):
            kept = past_key_values[self.layer_idx]
            recurrent = None if kept is None else kept["recurrent_state"]
            state = recurrent if recurrent is None else SlotFreeState(*recurrent)
        if attention_mask is not None:
            check_tensor("hidden_states", hidden_states, "(B, T, hidden_size)", (None,) * 3)
            check_columns(attention_mask, hidden_states)
        T = hidden_states.shape[1]
        mask = None if attention_mask is None else attention_mask[:, attention_mask.shape[1] - T :].bool()
        o, state = self.attention(hidden_states, state, mask)
        if past_key_values is not None and use_cache is not False:
            past_key_values.update(recurrent_state=state, layer_idx=self.layer_idx, offset=T)
        return o, None, past_key_values


def check_columns(attention_mask: object, x: Tensor) -> None:
    """Raise an error if a mask is not (B, ≥ T), where x is (B, T, …)."""
    shape = tuple(attention_mask.shape) if isinstance(attention_mask, Tensor) else None
    if shape is None or len(shape) != 2 or shape[0] != x.shape[0] or shape[1] < x.shape[1]:
        found = type(attention_mask).__name__ if shape is None else shape
        raise ValueError(
            f"attention_mask must be a tensor of the shape ({x.shape[0]}, ≥ {x.shape[1]}), 0 for padding, not {found}"
        )


class ZoologyMixer(nn.Module):
    """The signature of sequence mixers of zoology: u in, y out, and the size of a state.

    Parameters
    ----------
    d_model, n_hidden, layer_idx : as mixers have them; hidden units of each head.
    arguments : others of ``SlotFreeAttention``.

    Examples
    --------
    >>> import torch
    >>> from slotfree.torch import ZoologyMixer
    >>> mixer = ZoologyMixer(d_model=16, n_hidden=8, key_dim=4)
    >>> mixer(torch.randn(1, 5, 16)).shape, mixer.state_size(sequence_length=1024)
    (torch.Size([1, 5, 16]), 177)
    """

    def __init__(self, d_model: int, n_hidden: int = 64, layer_idx: int | None = None, **arguments: Any) -> None:
        super().__init__()
        self.d_model, self.layer_idx = d_model, layer_idx
        self.attention = SlotFreeAttention(d_model, n_hidden, **arguments)

    def forward(self, u: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return y, (B, T, d_model)."""
        y: Tensor = self.attention(u)[0]
        return y

    def state_size(self, sequence_length: int = 2048, **kwargs: Any) -> int:
        """Numbers in a state, whatever the length of a sequence is."""
        return self.attention.state_size
