"""Auto-associative memories, one module each.

``KWinnerMHN``, ``ModernHopfield`` and ``StackedKWinner`` are the paper's; to compare with, there are the classics
``ClassicalHopfield``, ``Willshaw``, ``SparseDistributedMemory`` and ``Minerva``, the recent ``StochasticBinary``,
``ComplexSynapses``, ``SQHN`` and ``BTSP``, and two stores of slots, ``FirstInFirstOut`` and ``Reservoir``. All have
``store``, ``retrieve``, ``save`` and ``load``, and the settings of each (``WillshawSettings`` of ``Willshaw``) are what
``sf.retention`` takes. A memory of your own is a ``BinaryMemory``; ``memories`` lists all, and ``load_memory`` opens
the file of any. ``store_many`` lets many memories store at a time; ``ShardedKWinner`` is a ``KWinnerMHN`` spread over
the workers of a cluster. Names are imported when they are first used.
"""

from slotfree import rooms

_HOMES = {
    "BinaryMemory": "base",
    "CodeLayer": "code_layer",
    "CodeLayerSettings": "code_layer",
    "Connections": ".files.saved_arrays",
    "Memory": "base",
    "Numbers": ".files.saved_arrays",
    "SavedMemory": "base",
    "Settings": "base",
    "ShardedKWinner": "sharded",
    "load_memory": "base",
    "memories": "base",
    "store_many": "many",
}


def _declared() -> dict[str, object]:
    """Return the memories of this package, and their settings, by name."""
    from slotfree.memory.base import memories

    own = [kind for kind in memories().values() if kind.__module__.startswith(f"{__name__}.")]
    return {kind.__name__: kind for each in own for kind in (each, each.settings_class)}


__getattr__, __dir__ = rooms.lazy(__name__, _HOMES, _declared)
