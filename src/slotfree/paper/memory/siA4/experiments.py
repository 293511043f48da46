"""What is run for preprocessing: codes of pairs of patterns, large codes, memories with and without a code layer."""

from slotfree.memory.base import Settings
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.memory.stacked import StackedSettings
from slotfree.paper.memory.siA4.codes import PAIRWISE, Coding, trees
from slotfree.paper.shared.memories import K_WINNER
from slotfree.patterns.tree import TreePatterns
from slotfree.study.experiment import Experiment
from slotfree.study.retention import Retention

FLIPS = (5, 10)  # b of trees whose leaves are very similar
LARGE = CodeLayerSettings(20_000, 2000, 0.02)
RECOVERY = Experiment("siA4-recovery", Coding(trees(*FLIPS), (LARGE,)), 10, few=2)


def on_leaves(name: str, memory: Settings, b: int) -> Experiment:
    """A memory of leaves; equal seeds, so that both memories store the same."""
    run = Retention(memory, TreePatterns(b, 4000), n_stored=1500, n_tested=300)
    return Experiment(f"siA4-{name}-{b}", run, 12, few=2, key=("siA4", str(b)))


PLAIN = {b: on_leaves("plain", K_WINNER.settings, b) for b in FLIPS}
STACKED = {b: on_leaves("stacked", StackedSettings(), b) for b in FLIPS}
EXPERIMENTS = (PAIRWISE, RECOVERY, *PLAIN.values(), *STACKED.values())
