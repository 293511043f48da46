"""Auto-associative memories.

``KWinnerMHN``, ``ModernHopfield`` and ``StackedKWinner`` are the paper's; ``ClassicalHopfield``, ``Willshaw`` and
``SparseDistributedMemory`` are there to compare with. All have ``store`` and ``retrieve``, and the name of a class with
``Settings`` (``WillshawSettings``) is what ``sf.retention`` takes. They are imported when they are first used.
"""

from importlib import import_module

_HOMES = {
    "ClassicalHopfield": "classical_hopfield",
    "ClassicalHopfieldSettings": "classical_hopfield",
    "CodeLayer": "code_layer",
    "CodeLayerSettings": "code_layer",
    "KWinnerMHN": "kwinner",
    "KWinnerSettings": "settings",
    "ModernHopfield": "modern_hopfield",
    "ModernHopfieldSettings": "modern_hopfield_settings",
    "SparseDistributedMemory": "sparse_distributed",
    "SparseDistributedMemorySettings": "sparse_distributed",
    "StackedKWinner": "stacked",
    "StackedSettings": "stacked_settings",
    "Willshaw": "willshaw",
    "WillshawSettings": "willshaw",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'slotfree.memory' has no attribute {name!r}")
    return getattr(import_module(f"slotfree.memory.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
