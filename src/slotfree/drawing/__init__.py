"""How figures look: pictures for notebooks, and the style and panels that studies, sweeps and the command line share.

``show_recall``, ``show_retention``, ``show_training`` and ``show_attention`` each return a ``Picture``, which shows
itself in a notebook and can be saved. Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from slotfree import rooms

if TYPE_CHECKING:
    from slotfree.drawing.attention import show_attention as show_attention
    from slotfree.drawing.picture import Picture as Picture
    from slotfree.drawing.recall import show_recall as show_recall
    from slotfree.drawing.retention import show_retention as show_retention
    from slotfree.drawing.training import show_training as show_training

_HOMES = {
    "Picture": "picture",
    "show_attention": "attention",
    "show_recall": "recall",
    "show_retention": "retention",
    "show_training": "training",
}

__all__ = list(_HOMES)
__getattr__, __dir__ = rooms.lazy(__name__, _HOMES)
