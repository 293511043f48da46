"""Neural computation without slots: memory and attention kept in connection weights.

Memories, which store patterns and recall them from cues:

- ``KWinnerMHN``: a sparse distributed memory of fixed capacity, whose patterns share connection weights.
- ``KWinnerSettings``: its arguments, except the seed.
- ``ModernHopfield``: a memory with a slot for each pattern, read by a softmax.
- ``StackedKWinner``: a K-winner MHN behind layers that make its inputs less similar.
- ``KeyValueMemory``: slot-free attention on your own keys and values.

Patterns:

- ``random_patterns``: patterns drawn uniformly, with a given number of ones.
- ``PatternTree``, ``tree_patterns``: similar patterns, with the structure of a tree.
- ``PatternClusters``: similar patterns, around prototypes.
- ``partial_cues``, ``noisy_cues``, ``occluded_cues``: patterns with some of their ones left out, moved or hidden.
- ``encode``: images, embeddings or time series as sparse binary patterns.
- ``similarity``: the overlaps of patterns.

How memories forget:

- ``retention``: measures how well a memory recalls patterns of every age.
- ``predict_retention``: computes the same from the settings alone.
- ``experiment``: runs any schedule of storing and testing.

Attention:

- ``SlotFreeTransformer``: stores its context in fast weights, and learns by local rules.
- ``BaselineTransformer``: softmax attention over a context that is kept in slots.
- ``Winners``: how items are stored by several units each.
- ``CaseSequenceTask``, ``LatestCase``, ``AssociativeRecall``: what models are trained on.
- ``train``: trains a model on a task, in independent runs.
- ``TrainingResult``: what that gave: curves, and trained weights that can be used and saved.
- ``Stream``: a trained model as a memory without a window.

Files:

- ``FormatError``: raised for a file that is damaged or not of the kind asked for.

More is in ``slotfree.memory`` (memories to compare with, and what one of your own needs), ``slotfree.forgetting``
(metrics, fits, merits, theory, search), ``slotfree.drawing`` (pictures for notebooks) and ``slotfree.study`` (studies
with claims). Names and modules are imported when they are first used, so that ``import slotfree`` is quick.
"""

from typing import TYPE_CHECKING

from slotfree import rooms

if TYPE_CHECKING:
    from slotfree.attention.baseline import BaselineTransformer as BaselineTransformer
    from slotfree.attention.key_value import KeyValueMemory as KeyValueMemory
    from slotfree.attention.result import TrainingResult as TrainingResult
    from slotfree.attention.slot_free import SlotFreeTransformer as SlotFreeTransformer
    from slotfree.attention.storages.winners import Winners as Winners
    from slotfree.attention.stream import Stream as Stream
    from slotfree.attention.training import train as train
    from slotfree.files.errors import FormatError as FormatError
    from slotfree.forgetting.experiment import experiment as experiment
    from slotfree.forgetting.protocol import retention as retention
    from slotfree.forgetting.theory.k_winner import predict_retention as predict_retention
    from slotfree.memory.kwinner import KWinnerMHN as KWinnerMHN
    from slotfree.memory.kwinner import KWinnerSettings as KWinnerSettings
    from slotfree.memory.modern_hopfield import ModernHopfield as ModernHopfield
    from slotfree.memory.stacked import StackedKWinner as StackedKWinner
    from slotfree.patterns.clusters import PatternClusters as PatternClusters
    from slotfree.patterns.cues import noisy_cues as noisy_cues
    from slotfree.patterns.cues import occluded_cues as occluded_cues
    from slotfree.patterns.cues import partial_cues as partial_cues
    from slotfree.patterns.encoding import encode as encode
    from slotfree.patterns.random import random_patterns as random_patterns
    from slotfree.patterns.similarity import similarity as similarity
    from slotfree.patterns.tree import PatternTree as PatternTree
    from slotfree.patterns.tree import tree_patterns as tree_patterns
    from slotfree.tasks.associative_recall import AssociativeRecall as AssociativeRecall
    from slotfree.tasks.case_sequence import CaseSequenceTask as CaseSequenceTask
    from slotfree.tasks.latest_case import LatestCase as LatestCase

_HOMES = {
    "AssociativeRecall": "tasks.associative_recall",
    "BaselineTransformer": "attention.baseline",
    "CaseSequenceTask": "tasks.case_sequence",
    "FormatError": "files.errors",
    "KWinnerMHN": "memory.kwinner",
    "KWinnerSettings": "memory.kwinner",
    "KeyValueMemory": "attention.key_value",
    "LatestCase": "tasks.latest_case",
    "ModernHopfield": "memory.modern_hopfield",
    "PatternClusters": "patterns.clusters",
    "PatternTree": "patterns.tree",
    "SlotFreeTransformer": "attention.slot_free",
    "StackedKWinner": "memory.stacked",
    "Stream": "attention.stream",
    "TrainingResult": "attention.result",
    "Winners": "attention.storages.winners",
    "encode": "patterns.encoding",
    "experiment": "forgetting.experiment",
    "noisy_cues": "patterns.cues",
    "occluded_cues": "patterns.cues",
    "partial_cues": "patterns.cues",
    "predict_retention": "forgetting.theory.k_winner",
    "random_patterns": "patterns.random",
    "retention": "forgetting.protocol",
    "similarity": "patterns.similarity",
    "train": "attention.training",
    "tree_patterns": "patterns.tree",
}

__all__ = list(_HOMES)
__version__ = "0.18.0"
__getattr__, __dir__ = rooms.lazy(__name__, _HOMES)
