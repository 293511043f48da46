"""The memories of the bench, tuned on equal terms, and the search that tuned them.

Every memory has about 100,000 plastic weights. Its free parameters are those with the largest area under R.D. over ages
1 to 1000, summed over whole and half cues, of all in ``GRIDS``; those of the K-winner MHN are the better of the two
that ``optimise`` finds for that goal with whole and with half cues. It has one winner and a small learning rate: the
graded MHN of the paper, diluted. The classical network and Kanerva's memory were tuned in the item ``baselines``, by
the same measure. Willshaw's memory and the two stores of slots have nothing to tune.

    python -m slotfree.beyond.shared.compared.tuned [NAME ...]

searches again, and prints what it finds.
"""

import sys
from collections.abc import Callable
from itertools import product
from typing import Any

from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.forgetting.family import settings_in
from slotfree.forgetting.merit import area
from slotfree.forgetting.protocol import retention
from slotfree.forgetting.search import optimise
from slotfree.memory.base import Settings
from slotfree.memory.btsp import BTSPSettings
from slotfree.memory.classical_hopfield import ClassicalHopfieldSettings
from slotfree.memory.complex_synapses import ComplexSynapsesSettings
from slotfree.memory.first_in_first_out import FirstInFirstOutSettings
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.memory.minerva import MinervaSettings
from slotfree.memory.reservoir import ReservoirSettings
from slotfree.memory.sparse_distributed import SparseDistributedMemorySettings
from slotfree.memory.sqhn import SQHNSettings
from slotfree.memory.stochastic_binary import StochasticBinarySettings
from slotfree.memory.willshaw import WillshawSettings
from slotfree.paper.shared.memories import Model

WEIGHTS = 100_000
RUNS, STORED, TESTED = 2, 2000, 1000  # of the search


MODELS = (
    Model("kwinner", "K-winner MHN, the paper's", KWinnerSettings(), VERMILION),
    Model("tuned", "K-winner MHN, tuned", KWinnerSettings(1000, 177, 100, 1, 0.566, 0.1682), ORANGE),
    Model("slots", "slots, first in first out", FirstInFirstOutSettings(), BLACK),
    Model("reservoir", "slots, a reservoir", ReservoirSettings(), GREY),
    Model("minerva", "MINERVA 2", MinervaSettings(encoding=1.0), PURPLE),
    Model("binary", "binary synapses", StochasticBinarySettings(potentiation=1.0, depression=0.1), BLUE),
    Model("complex", "complex synapses", ComplexSynapsesSettings(1000, 1000, 100, 5, 0.05, 0.25, 2, 0.1), GREEN),
    Model("classical", "classical Hopfield", ClassicalHopfieldSettings(decay=0.0014), SKY),
    Model("kanerva", "Kanerva's SDM, decaying", SparseDistributedMemorySettings(decay=0.0014), "#8C564B"),
    Model("sqhn", "SQHN", SQHNSettings(novelty=0.3), "#7F7F00"),
    Model("btsp", "BTSP", BTSPSettings(n_hidden=167, k_hidden=1, fan_in=0.3, plateau=0.001), "#17A2A2"),
    Model("willshaw", "Willshaw", WillshawSettings(), "#9467BD"),
)


def _kwinners() -> list[Settings]:
    """The best by theory with whole and with half cues."""
    tables = [optimise(weights=WEIGHTS, goal="area", cue=cue, check=0) for cue in (1.0, 0.5)]
    return [settings_in(table, 0) for table in tables]


def _complex() -> list[Settings]:
    grid = product((2, 4), (0.25, 0.5), (0.1, 0.3), (5, 10, 20))
    size = {m: {"n_variables": m, "n_hidden": 2000 // m} for m in (2, 4)}
    return [ComplexSynapsesSettings(**size[m], learning_rate=e, coupling=g, k_hidden=k) for m, e, g, k in grid]


def _btsp() -> list[Settings]:
    grid = product(((500, 0.1), (167, 0.3), (50, 1.0)), (0.001, 0.004, 0.016), (1, 3))
    return [BTSPSettings(n_hidden=n, fan_in=f, plateau=p, k_hidden=k) for (n, f), p, k in grid]


def _binary() -> list[Settings]:
    grid = product((0.25, 0.5, 1.0), (0.05, 0.1, 0.2))
    return [StochasticBinarySettings(potentiation=q, depression=q * ratio) for q, ratio in grid]


GRIDS: dict[str, Callable[[], list[Any]]] = {
    "kwinner": _kwinners,
    "binary": _binary,
    "complex": _complex,
    "sqhn": lambda: [SQHNSettings(novelty=novelty) for novelty in (0.15, 0.3, 0.6)],
    "btsp": _btsp,
    "minerva": lambda: [MinervaSettings(encoding=share) for share in (0.6, 0.8, 1.0)],
}


def merit_of(settings: Any) -> float:
    """Area under R.D. over ages 1 to 1000, summed over both cues, in the runs of the search."""
    curves = retention(settings, runs=RUNS, n_stored=STORED, n_tested=TESTED, seed=0)
    return float(area(curves).sum())


def search(name: str) -> list[tuple[float, Any]]:
    """Return all members of a grid with their merits, the best first."""
    found = [(merit_of(one), one) for one in GRIDS[name]()]
    return sorted(found, key=lambda pair: -pair[0])


if __name__ == "__main__":
    for each in sys.argv[1:] or GRIDS:
        for merit, best in search(each)[:3]:
            print(f"{each:8} {merit:7.1f} {best}", flush=True)
