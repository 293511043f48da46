"""Theorem 1 and what its proof needs: the baseline, extreme values, small cues, slots, step by step (SI A.2.4)."""

from slotfree.paper.memory.fig4 import ONE
from slotfree.paper.memory.theorem1.claims import claims
from slotfree.paper.memory.theorem1.experiments import GRID, SLOTS
from slotfree.paper.memory.theorem1.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="theorem1",
    number="Theorem 1",
    title="Theory of the 1-winner memory",
    text="Formulas for the accuracy of patterns no longer stored, for the raw difference, and for the smallest cue "
    "that still finds its pattern are set against simulations and against the exact expectation, which is as easy to "
    "compute. The printed formulas overstate the baseline at the paper's size. Their error does not vanish as stated "
    "where the hidden layer grows as fast as the theorem allows; it does where the visible layer grows faster. The "
    "extreme-value theorem holds once its missing factor ½ is put back, the bound for small cues holds and is "
    "stricter than needed, and patterns leave memory as the theorem says.",
    alt="Six panels. A: accuracy of patterns that are not stored, simulated and from theory, for three memory sizes, "
    "cue levels and sparsities. B: the same for the mean raw difference. C: deviation of the printed baseline, divided "
    "by its stated order against memory size, for three ways to grow. D: distance from Gumbel's distribution with the "
    "printed and the corrected constant. E: loss of accuracy of small cues below the proposition's bound. F: share of "
    "patterns still stored by age, on the theorem's curve.",
    experiments=(ONE, *GRID.values(), *SLOTS.values()),
    draw=draw,
    claims=claims,
)
