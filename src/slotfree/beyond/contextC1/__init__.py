"""Context 1: a distributed context is learnt by the local rules, and why thin units need no input projections."""

from slotfree.beyond.contextC1.claims import claims
from slotfree.beyond.contextC1.experiments import EXPERIMENTS
from slotfree.beyond.contextC1.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="contextC1",
    title="A distributed context is learnt by the same local rules",
    text="The paper's local rules learn a context that is spread over several units, each of which sees a tenth or a "
    "third of the key, in about 100 to 150 steps, where the paper's model takes about 540: a start at zero and the "
    "normalisation by what was stored, which fails without it, make up most of the difference. Without projections "
    "units that see whole keys fail in some runs, and thin units do not, whether one wins or many. The reason is what "
    "initial weights, all positive, have in common: a key whose components add up to less than 0 drives every free "
    "unit below 0, and is stored in a unit that holds another item. Thin units see different parts of it. Several "
    "winners do not replace projections.",
    alt="Seven panels. A: accuracy along training for the paper's model, with zero start, with Z, with both, with and "
    "without projections, and for thin units. B, C: accuracy at the end against the fan-in without and with "
    "projections, for 1 to 30 winners and 40 to 640 units; without, it falls at f = 1; 30 winners of 40 units fail. "
    "D: steps to 0.99 against the fan-in. E: share of winners that held another item, along training: high for f = 1 "
    "and for one mask, low for keys that add up to 0, and about none for f = 0.1. F: the same before training against "
    "the sum of the key, from 1 down to 0 for f = 1, and flat at 0 for f = 0.1. G: accuracy at the end for three key "
    "rules and six changes.",
    experiments=EXPERIMENTS,
    draw=draw,
    claims=claims,
)
