"""The memories of the paper's first part, with the names and colours they have in every figure."""

from dataclasses import dataclass

from slotfree.memory.base import Settings
from slotfree.memory.kwinner import KWinnerSettings


@dataclass(frozen=True)
class Model:
    """A memory of the paper; the colours can be told apart by colour-blind readers (Okabe and Ito's palette)."""

    name: str
    label: str
    settings: Settings
    colour: str


@dataclass(frozen=True)
class KWinnerModel(Model):
    """A member of the K-winner family."""

    settings: KWinnerSettings


K_WINNER = KWinnerModel("kwinner", "K-winner MHN", KWinnerSettings(), "#D55E00")
ONE_WINNER = KWinnerModel("onewinner", "1-winner MHN", KWinnerSettings(1000, 100, 100, 1, 1.0, 1.0), "#333333")
WIDE = KWinnerModel("wide", "K-winner MHN, f = 0.1", KWinnerSettings(1000, 1000, 100, 50, 0.1, 0.3), "#CC79A7")
GRADED = KWinnerModel("graded", "graded MHN, ε = 0.3", KWinnerSettings(1000, 100, 100, 1, 1.0, 0.3), "#E69F00")
SLOW = KWinnerModel("slow", "K-winner MHN, ε = 0.2", KWinnerSettings(learning_rate=0.2), "#009E73")
