"""SI A.1: background on the modern Hopfield network."""

from slotfree.paper.figures import siA1
from slotfree.paper.figures.siA1 import ERROR, FEATURES
from slotfree.study import defines, less, says, section

CAPACITY = less(
    "siA1.capacity",
    siA1.exponential_misfit(),
    1,
    lambda r: (
        f"random ±1 patterns retrieved with an error of {ERROR:.0%}, N from {FEATURES[0]} to {FEATURES[-1]}, β = 1: "
        f"squared misfit of an exponential, a factor of {siA1.factor()(r):.2f} for each feature, divided by that of a "
        "power law"
    ),
)

SENTENCES = section(
    "SI A.1",
    defines(
        "The modern Hopfield network (MHN) … can be used to retrieve patterns from a fixed collection of patterns that "
        "have each been stored in the weights of an individual memory neuron.",
        held_by="tests/paper/figures/test_siA1.py::test_noisy_patterns_are_retrieved_and_weights_stay",
    ),
    defines(
        "… retrieval is facilitated by evaluating the similarity of ξ against each of the M patterns … and using them "
        "to retrieve a similarity-weighted vector as output.",
        held_by="tests/paper/figures/test_siA1.py::test_what_is_more_similar_has_the_larger_weight",
    ),
    defines(
        "Dynamics … are governed by an energy function … E = −lse(β, Xᵀξ) + ½ξᵀξ and the corresponding update rule "
        "ξ_out = X softmax(βXᵀξ)",
        held_by="tests/paper/figures/test_siA1.py::test_the_update_is_a_step_down_the_gradient_of_the_energy",
    ),
    defines(
        "… which decreases the energy across each application …",
        held_by="tests/memory/test_modern_hopfield.py::test_the_energy_is_the_printed_one_and_never_rises",
        note="For any β, patterns and query; at a fixed point it stays.",
    ),
    says(
        "… and enables exponential storage capacity in the number of features N.",
        CAPACITY,
        note="With a β that is large enough: of 512 patterns of 32 features, from cues with an eighth of the signs "
        "flipped, the share lost in one update is larger by {siA1.blends} with β = 0.1 than with β = 1.6.",
    ),
    defines(
        "We may visualize the update … as that of an autoencoder … The stored memories … are stored in the rows of the "
        "visible-to-hidden-layer weights W := Xᵀ as well as in the hidden-to-visible-layer weights W′ := X, with a "
        "softmax nonlinearity being applied at the hidden layer.",
        held_by="tests/paper/figures/test_fig1.py::test_slots_and_neurons_retrieve_the_same",
    ),
    defines(
        "… the MHN is only used to retrieve from a fixed set of patterns; the weights in W and W′ encode these fixed "
        "patterns and are never updated.",
        held_by="tests/paper/figures/test_siA1.py::test_noisy_patterns_are_retrieved_and_weights_stay",
    ),
)
