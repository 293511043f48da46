"""Theorem 2, "W_V learns first": values learn the case code while keys and queries stay as they were drawn."""

from slotfree.paper.attention.theorem2.claims import claims
from slotfree.paper.attention.theorem2.experiments import EXPERIMENTS
from slotfree.paper.attention.theorem2.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="theorem2",
    number="Theorem 2",
    title="Values learn first",
    text="With queries and keys left as they were drawn, the values alone move to the case code, and come the nearer "
    "the larger keys, queries and batches are, as the theorem says. Its conditions are checked one by one; the step "
    "size may be far larger than it allows, and the slot-free model must be given storage without collisions.",
    alt="Six panels: distance of the values from the case code along training and for larger keys, with theory and the "
    "proof's bound; the columns of the values after training; the least eigenvalue of the proof's matrix; distance "
    "against step size, with the limits; and distance for several sizes of alphabet and context.",
    experiments=EXPERIMENTS,
    draw=draw,
    claims=claims,
)
