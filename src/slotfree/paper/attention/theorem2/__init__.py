"""The second theorem, numbered 7, "W_V learns first": values learn the case code; keys and queries stay as drawn."""

from slotfree.paper.attention.theorem2.claims import claims
from slotfree.paper.attention.theorem2.experiments import TRAININGS
from slotfree.paper.attention.theorem2.panels import draw
from slotfree.paper.attention.theorem2.storage import STORAGE
from slotfree.study.item import Item

ITEM = Item(
    name="theorem2",
    number="Theorem 2 (numbered 7 in the SI)",
    title="Values learn first",
    text="With queries and keys left as they were drawn, the values of the transformer alone move to the case code, "
    "and come the nearer the larger keys, queries and batches are, as the theorem says. It does not hold for its "
    "slot-free model: C units cannot hold all contexts, and with the 2L units that input projections need, units "
    "without an item are attended to as well. Values still learn the case of each letter there, but not the case code, "
    "and the step size must be smaller. The proof is checked equation by equation.",
    alt="Nine panels: distance of the values from the case code along training, for larger keys and for larger "
    "batches, with theory and the proof's bound; the columns of the values after training; distance against step size; "
    "distance for several alphabets and contexts; share of sequences that lose an item against the size of keys; how "
    "far the slot-free model's output is from the transformer's; and the least eigenvalue of the proof's matrix.",
    experiments=(*TRAININGS, STORAGE),
    draw=draw,
    claims=claims,
)
