"""Contexts longer than units: what helps at equal numbers of fast weights, and why."""

from slotfree.beyond.contextC2.claims import claims
from slotfree.beyond.contextC2.experiments import EXPERIMENTS
from slotfree.beyond.contextC2.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="contextC2",
    title="Contexts longer than units",
    text="At equal numbers of fast weights, thin units help because there are more of them. With ideal slow weights "
    "and 64 items in about 50 units, K > 1 is worse than one winner in thin units (A); with 130 units and more, which "
    "thin items pay for (at no cost here, as answers are read from values), k = 2 adds a third to what thinning gives, "
    "but a smaller key that all units share gives nearly as much (B). Graded updates let a unit vote for the items "
    "that met in it, instead of answering for the "
    "newest: 0.76 becomes 0.80, as two formulas say. Trained in situ they do far more, 0.96 instead of 0.76 (D, E, F): "
    "not because keys of the same case are alike, which they are not, but because units keep their wiring. Training "
    "makes a value the answer of a unit, and lets keys say whether an item calls for it; a third of all values then "
    "says the other case. Where projections are redrawn for each sequence, no more than the vote is left (C).",
    alt="Six panels. A and B: accuracy against lag with ideal slow weights for one winner, graded updates, thin units, "
    "a shared mask and several winners; in A on dashed lines of two formulas. C: accuracy of trained models, with one "
    "key for both cases, and wired anew, for three kinds of input projections, with a line for a vote in each unit. "
    "D: accuracy against lag of trained models; those with graded updates stay above 0.94. E: accuracy against steps "
    "of training. F: accuracy over all lags of eleven trained conditions, with projections that stay and redrawn ones.",
    experiments=EXPERIMENTS,
    draw=draw,
    claims=claims,
)
