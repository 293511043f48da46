"""SI A.4: preprocessing that makes patterns less similar: conjunctions, Marr's codons, K-winner layers."""

from slotfree.paper.memory.siA4.claims import claims
from slotfree.paper.memory.siA4.experiments import EXPERIMENTS
from slotfree.paper.memory.siA4.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="siA4",
    number="SI A.4",
    title="Preprocessing that makes patterns less similar",
    text="Two patterns that share two of their three ones share one of three when each pair of inputs has a unit of "
    "its own, as the SI says. A layer of k winners and a layer of Marr's codons make similar patterns less similar in "
    "much the same way; in front of a K-winner MHN such a layer helps to tell stored leaves of a tree from others "
    "if cues are whole, not if they are halves, and a large one gives every pattern back. The number of conjunctions "
    "grows as a power of the number of inputs, not exponentially.",
    alt="Four panels. A: two patterns of six units, of which two active units coincide. B: their codes over fifteen "
    "pairs of units, of which one active unit coincides. C: similarity of codes against similarity of patterns, for k "
    "winners and codons, both below the diagonal. D: how well a K-winner MHN tells stored leaves from others, with and "
    "without a code layer, for two kinds of trees and cue levels; with it is better for full cues only.",
    experiments=EXPERIMENTS,
    draw=draw,
    claims=claims,
)
