"""Section 4: discussion."""

from slotfree.paper.text.s1_introduction import APPROACHES, SLOTS_AND_NEURONS
from slotfree.paper.text.s2_random import RETENTION
from slotfree.study.sentence import defines, follows, section, unjudged

SENTENCES = section(
    "4",
    unjudged(
        "… we have considered two central paradigms in artificial intelligence and cognitive science that utilize "
        "slot-based computation … copies of previous experience, stored as distinct vectors in slots …",
        "Sums up what was done.",
    ),
    defines(
        "… the auto-associative modern Hopfield network … replaces each slot with the input and output weights of a "
        "neuron-like processing unit …",
        held_by=SLOTS_AND_NEURONS,
    ),
    follows(
        "… memories can be encoded in connection weights distributed across a population of neurons; our findings show "
        "that these connection weights can have advantages over the one-winner MHN …",
        RETENTION,
    ),
    follows(
        "Here, we use the hetero-associative modern Hopfield network to store the relevant context information, and "
        "show how this architecture can be used to implement an approximation to the backward transport of prediction "
        "error information as implemented in transformers.",
        APPROACHES,
    ),
    unjudged(
        "For simplicity, we did not use a K-winner variant … we rely on our findings … to propose that the encodings "
        "of context information … might be stored in connection weights distributed across neuronal populations within "
        "the brain.",
        "A proposal about the brain.",
    ),
    unjudged(
        "… we have pointed the way toward understanding how the biological hardware of the brain could implement key "
        "aspects of the computations … This research is just a first step … There is also an emerging body of work by "
        "others …",
        "An outlook.",
    ),
    unjudged(
        "Thus far, we have treated the paradigms of slot-based memory and slot-based attention as separate. … only a "
        "very limited number of distinct items can be maintained in active form … A hippocampus-like structure could "
        "be the structure that the biological brain uses …",
        "About the brain, and an outlook.",
    ),
)
