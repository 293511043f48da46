"""Neural computation without slots: memory and attention kept in connection weights.

The public names are imported when they are first used, so that ``import slotfree`` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slotfree.attention.baseline import BaselineTransformer as BaselineTransformer
    from slotfree.attention.slot_free import SlotFreeTransformer as SlotFreeTransformer
    from slotfree.attention.training import train as train
    from slotfree.files.errors import FormatError as FormatError
    from slotfree.forgetting.protocol import retention as retention
    from slotfree.forgetting.theory.k_winner import predict_retention as predict_retention
    from slotfree.memory.kwinner import KWinnerMHN as KWinnerMHN
    from slotfree.memory.kwinner import KWinnerSettings as KWinnerSettings
    from slotfree.memory.modern_hopfield import ModernHopfield as ModernHopfield
    from slotfree.memory.stacked import StackedKWinner as StackedKWinner
    from slotfree.patterns.clusters import PatternClusters as PatternClusters
    from slotfree.patterns.cues import partial_cues as partial_cues
    from slotfree.patterns.random import random_patterns as random_patterns
    from slotfree.patterns.similarity import similarity as similarity
    from slotfree.patterns.tree import PatternTree as PatternTree
    from slotfree.patterns.tree import tree_patterns as tree_patterns
    from slotfree.tasks.case_sequence import CaseSequenceTask as CaseSequenceTask

_HOMES = {
    "BaselineTransformer": "slotfree.attention.baseline",
    "CaseSequenceTask": "slotfree.tasks.case_sequence",
    "FormatError": "slotfree.files.errors",
    "KWinnerMHN": "slotfree.memory.kwinner",
    "KWinnerSettings": "slotfree.memory.kwinner",
    "ModernHopfield": "slotfree.memory.modern_hopfield",
    "PatternClusters": "slotfree.patterns.clusters",
    "PatternTree": "slotfree.patterns.tree",
    "SlotFreeTransformer": "slotfree.attention.slot_free",
    "StackedKWinner": "slotfree.memory.stacked",
    "partial_cues": "slotfree.patterns.cues",
    "predict_retention": "slotfree.forgetting.theory.k_winner",
    "random_patterns": "slotfree.patterns.random",
    "retention": "slotfree.forgetting.protocol",
    "similarity": "slotfree.patterns.similarity",
    "train": "slotfree.attention.training",
    "tree_patterns": "slotfree.patterns.tree",
}

_ROOMS = ("forgetting",)

__all__ = list(_HOMES)
__version__ = "0.7.0"


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"slotfree.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'slotfree' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, *_ROOMS])
