"""Auto-associative memories, one module each.

``KWinnerMHN``, ``ModernHopfield`` and ``StackedKWinner`` are the paper's; ``ClassicalHopfield``, ``Willshaw`` and
``SparseDistributedMemory`` are there to compare with. All have ``store``, ``retrieve``, ``save`` and ``load``, and the
settings of each (``WillshawSettings`` of ``Willshaw``) are what ``sf.retention`` takes. A memory of your own is a
``BinaryMemory``; ``memories`` lists all, and ``load_memory`` opens the file of any. Names are imported when they are
first used.
"""

from importlib import import_module

_HOMES = {
    "BinaryMemory": "base",
    "CodeLayer": "code_layer",
    "CodeLayerSettings": "code_layer",
    "Connections": "saved",
    "Memory": "base",
    "Numbers": "saved",
    "SavedMemory": "base",
    "Settings": "base",
    "load_memory": "base",
    "memories": "base",
}


def _declared() -> dict[str, object]:
    """Return the memories of this package, and their settings, by name."""
    base = import_module("slotfree.memory.base")
    own = [kind for kind in base.memories().values() if kind.__module__.startswith(f"{__name__}.")]
    return {kind.__name__: kind for each in own for kind in (each, each.settings_class)}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"slotfree.memory.{_HOMES[name]}"), name)
    if name[0].isupper() and name in (declared := _declared()):
        return declared[name]
    raise AttributeError(f"module 'slotfree.memory' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, *_declared()])
