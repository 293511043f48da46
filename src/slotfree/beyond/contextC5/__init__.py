"""Recency of a distributed context: accuracy by lag in simulation, in theory, and by the theory of part one."""

from slotfree.beyond.contextC5.claims import claims
from slotfree.beyond.contextC5.experiments import RECENCY
from slotfree.beyond.contextC5.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="contextC5",
    title="How long a distributed context remembers, predicted",
    text="Lines are computed from the settings alone, dots are simulated with ideal slow weights: the accuracy with "
    "which an item is recalled, by how many came after it. Where projections choose the winners, the theory is "
    "right within 0.02. Where keys choose them it is less exact, and fails in places: units that see five "
    "components recall the newest items better than predicted, and several winners that see the whole key are won "
    "again together, and forget faster. The retention theory of part one has the same curve for one winner with ε = 1 "
    "that sees the whole key, and not otherwise. There a pattern is to be completed; here one of two values is read.",
    alt="Six panels. A to D: accuracy against lag, theory as lines and simulation as dots with error bars, for one "
    "winner, for thin units and several winners, and where keys choose the winners. E: the same dots with the rescaled "
    "theory of part one. F: mean absolute error of each setting by both theories, and by chance.",
    experiments=(RECENCY,),
    draw=draw,
    claims=claims,
)
