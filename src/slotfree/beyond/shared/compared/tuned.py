"""The memories of the bench, tuned on equal terms, and the search that tuned them.

Every memory has about 100,000 plastic weights. Its free parameters are those with the largest area under R.D. over ages
1 to 1000, summed over whole and half cues, that a search finds: first all settings of a grid (``GRIDS``), then from the
best to its best neighbour (``AROUND``) for as long as that is better by more than 1 %. So no memory is held at an edge
of its grid, but where a parameter can go no further. Those of the K-winner MHN are the better of the two that
``optimise`` finds for that goal with whole and with half cues. It has one winner and a small learning rate: the graded
MHN of the paper, diluted. The classical network and Kanerva's memory were tuned in the item ``baselines``, by the same
measure. Willshaw's memory and the two stores of slots have nothing to tune.

The synapses of ``complex`` have two variables or more: with one they would be those of the K-winner MHN.

    python -m slotfree.beyond.shared.compared.tuned [NAME ...]

searches again, and prints what it finds.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
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
STEP, BETTER = 2**0.5, 0.01  # the ratio of neighbours, and by which share one must be better


MODELS = (
    Model("kwinner", "K-winner MHN, the paper's", KWinnerSettings(), VERMILION),
    Model("tuned", "K-winner MHN, tuned", KWinnerSettings(1000, 177, 100, 1, 0.566, 0.1682), ORANGE),
    Model("slots", "slots, first in first out", FirstInFirstOutSettings(), BLACK),
    Model("reservoir", "slots, a reservoir", ReservoirSettings(), GREY),
    Model("minerva", "MINERVA 2", MinervaSettings(encoding=1.0), PURPLE),
    Model("binary", "binary synapses", StochasticBinarySettings(potentiation=1.0, depression=0.1), BLUE),
    Model("complex", "complex synapses", ComplexSynapsesSettings(1000, 166, 100, 1, 0.3, 0.25, 2, 0.015), GREEN),
    Model("classical", "classical Hopfield", ClassicalHopfieldSettings(decay=0.0014), SKY),
    Model("kanerva", "Kanerva's SDM, decaying", SparseDistributedMemorySettings(decay=0.0014), "#8C564B"),
    Model("sqhn", "SQHN", SQHNSettings(novelty=0.3), "#7F7F00"),
    Model("btsp", "BTSP", BTSPSettings(n_hidden=118, k_hidden=1, fan_in=0.4243, plateau=0.001), "#17A2A2"),
    Model("willshaw", "Willshaw", WillshawSettings(), "#9467BD"),
)


def _kwinners() -> list[Settings]:
    """The best by theory with whole and with half cues."""
    tables = [optimise(weights=WEIGHTS, goal="area", cue=cue, check=0) for cue in (1.0, 0.5)]
    return [settings_in(table, 0) for table in tables]


def complex_synapses(m: int, fan_in: float, k_hidden: int, rate: float, coupling: float) -> ComplexSynapsesSettings:
    """Return the settings of chains of m variables, as many as make up the number of weights."""
    n_hidden = int(WEIGHTS / (m * round(1000 * fan_in)))
    sizes = {"n_hidden": n_hidden, "k_hidden": k_hidden, "fan_in": fan_in, "n_variables": m}
    return ComplexSynapsesSettings(**sizes, learning_rate=rate, coupling=coupling)  # type: ignore[arg-type]


def _complex() -> list[Settings]:
    grid = product((2, 4), (0.05, 0.1, 0.3, 0.566), (1, 2, 5), (0.1, 0.25), (0.03, 0.1))
    return [complex_synapses(*values) for values in grid]


def btsp(fan_in: float, plateau: float, k_hidden: int) -> BTSPSettings:
    """Return the settings of a layer with as many units as make up the number of weights, forth and back."""
    n_hidden = round(WEIGHTS / (2 * round(1000 * fan_in)))
    return BTSPSettings(n_hidden=n_hidden, fan_in=fan_in, plateau=plateau, k_hidden=k_hidden)


def _btsp() -> list[Settings]:
    return [btsp(*values) for values in product((0.1, 0.3, 1.0), (0.001, 0.004, 0.016), (1, 3))]


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


def _scaled(value: float, ratio: float, most: float = 1.0) -> tuple[float, float]:
    """A value smaller and larger by a ratio, with four digits, at most 1."""
    return float(f"{value / ratio:.4g}"), min(float(f"{value * ratio:.4g}"), most)


def _around_complex(one: ComplexSynapsesSettings) -> list[Settings]:
    m, f, k, e, g = one.n_variables, one.fan_in, one.k_hidden, one.learning_rate, one.coupling
    values = (
        *((to, f, k, e, g) for to in (m - 1, m + 1) if to > 1),
        *((m, to, k, e, g) for to in _scaled(f, STEP)),
        *((m, f, to, e, g) for to in (k - 1, k + 1) if to),
        *((m, f, k, to, g) for to in _scaled(e, STEP, 1 - g)),
        *((m, f, k, e, to) for to in _scaled(g, STEP**2, 1 - e)),
    )
    return [complex_synapses(*each) for each in values]


def _around_btsp(one: BTSPSettings) -> list[Settings]:
    f, p, k = one.fan_in, one.plateau, one.k_hidden
    values = (
        *((to, p, k) for to in _scaled(f, STEP)),
        *((f, to, k) for to in _scaled(p, STEP**2)),
        *((f, p, to) for to in (k - 1, k + 1) if to),
    )
    return [btsp(*each) for each in values]


def _around_binary(one: StochasticBinarySettings) -> list[Settings]:
    up, down = one.potentiation, one.depression
    changed = [replace(one, potentiation=to) for to in _scaled(up, STEP)]
    return [*changed, *(replace(one, depression=to) for to in _scaled(down, STEP))]


AROUND: dict[str, Callable[[Any], list[Any]]] = {
    "binary": _around_binary,
    "complex": _around_complex,
    "sqhn": lambda one: [replace(one, novelty=to) for to in _scaled(one.novelty, STEP)],
    "btsp": _around_btsp,
    "minerva": lambda one: [replace(one, encoding=to) for to in _scaled(one.encoding, STEP**0.5)],
}


def merit_of(settings: Any) -> float:
    """Area under R.D. over ages 1 to 1000, summed over both cues, in the runs of the search."""
    curves = retention(settings, runs=RUNS, n_stored=STORED, n_tested=TESTED, seed=0)
    return float(area(curves).sum())


def search(name: str, merit: Callable[[Any], float] = merit_of) -> list[tuple[float, Any]]:
    """Return all settings that are tried for a memory, with their merits, the best first."""
    tried = {one: merit(one) for one in GRIDS[name]()}
    around, best = AROUND.get(name, lambda _: []), None
    while best is None or max(tried.values()) > tried[best] + BETTER * abs(tried[best]):
        best = max(tried, key=tried.__getitem__)
        tried |= {one: merit(one) for one in around(best) if one not in tried}
    return sorted(((value, one) for one, value in tried.items()), key=lambda pair: -pair[0])


if __name__ == "__main__":
    for each in sys.argv[1:] or GRIDS:
        for merit, best in search(each)[:3]:
            print(f"{each:8} {merit:7.1f} {best}", flush=True)
