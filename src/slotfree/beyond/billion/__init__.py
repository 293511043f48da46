"""Theory and simulation at scale: a memory of 10⁵ to 10⁹ synapses in its steady state, and what it costs."""

from slotfree.beyond import SCALE
from slotfree.beyond.billion.claims import claims
from slotfree.beyond.billion.experiments import SIZES
from slotfree.beyond.billion.panels import draw
from slotfree.study.item import Item

STUDY = SCALE
ITEM = Item(
    name="billion",
    number="Theory and simulation at scale",
    title="A memory of a billion synapses",
    text="The same memory at five sizes, 10% of the units connected and 1% winning, with computed connections and "
    "weights of 16 bits. Lines are computed from the settings alone, dots are simulated in the steady state. The "
    "larger the memory, the better it keeps patterns, and the theory follows up to a billion synapses. The time per "
    "synapse that a store touches hardly depends on the size, and a synapse takes 4 bytes.",
    alt="Six panels. A and B: accuracy against memory age for five sizes, for full and half cues, theory as lines and "
    "simulation as dots, with the accuracy for patterns never stored at the right. D and E: simulation minus theory "
    "against the number of synapses for each age, with a band of plus or minus 0.02. C: nanoseconds per touched "
    "synapse against the number of synapses. F: bytes against the number of synapses.",
    experiments=tuple(reversed(SIZES.values())),  # the largest takes longest: it comes first
    draw=draw,
    claims=claims,
)
