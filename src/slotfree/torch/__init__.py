"""Slot-free attention as PyTorch layers: an extra, ``pip install 'slotfree[torch]'``.

- ``SlotFreeAttention``: a layer with a memory of fixed size in the place of attention over a window.
- ``slot_free_attention``: the function under it, on queries, keys and values.
- ``SlotFreeState``: what a layer remembers; it goes in with a call, and comes out of it.
- ``FlashLayer``, ``ZoologyMixer``: the layer with the signatures that two libraries of such layers ask for.
"""

from typing import TYPE_CHECKING

from slotfree import rooms

if not rooms.is_installed("torch"):
    raise ModuleNotFoundError("slotfree.torch requires PyTorch: pip install 'slotfree[torch]'", name="torch")

if TYPE_CHECKING:
    from slotfree.torch.adapters import FlashLayer as FlashLayer
    from slotfree.torch.adapters import ZoologyMixer as ZoologyMixer
    from slotfree.torch.attention import slot_free_attention as slot_free_attention
    from slotfree.torch.layer import SlotFreeAttention as SlotFreeAttention
    from slotfree.torch.state import SlotFreeState as SlotFreeState

_HOMES = {
    "FlashLayer": "adapters",
    "SlotFreeAttention": "layer",
    "SlotFreeState": "state",
    "ZoologyMixer": "adapters",
    "slot_free_attention": "attention",
}

__all__ = list(_HOMES)
__getattr__, __dir__ = rooms.lazy(__name__, _HOMES)
