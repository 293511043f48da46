"""Sections 2 and 2.1: what the memory is, and Figure 3."""

from slotfree.paper.figures import siA2
from slotfree.paper.shared.fading import each_cue
from slotfree.paper.shared.of_runs import of_runs
from slotfree.study import at_least, defines, judged, less, more, says, section, slip, unjudged

TESTS = "tests/paper/figures/test_fig3.py"
ALL = 0.995  # of 100%, as it would be printed
SEVERAL = "share of them that are connected to two winners or more"
COVERED = "share of a pattern's ones that are connected to a winner"

SENTENCES = section(
    "2",
    unjudged(
        "Biological memory systems likely rely on representing items via the connection weights going into and out "
        "of a sparse, distributed ensemble of neurons … Memory systems have limited capacity …",
        "What motivates the model, about the brain.",
    ),
    defines(
        "Moreover, any one neuron may participate in representing multiple memories.",
        held_by=f"{TESTS}::test_units_hold_several_memories_unless_they_replace_them",
    ),
    "Figure 3, caption",
    defines(
        "In contrast to the original MHN (left), K-winner MHNs (middle and right) are able to learn through weight "
        "updates as each input pattern is observed.",
        held_by=f"{TESTS}::test_kwinner_memories_learn_and_the_original_does_not",
    ),
    defines(
        "… in the K-winner MHN, only weights projecting into and out of the k hidden units with the largest values "
        "are updated (shown in green).",
        held_by=f"{TESTS}::test_only_winners_learn",
    ),
    defines(
        "In contrast to the 1-winner MHN (middle), general K-winner MHNs (right) allow for distributed hidden "
        "state representations, graded weight updates, and sparse network connectivity.",
        held_by=f"{TESTS}::test_a_kwinner_memory_is_distributed_graded_and_sparse",
    ),
    "2.1",
    unjudged(
        "We see the visible layer as a proxy for … the entorhinal cortex while the hidden layer is a simplified "
        "proxy for the hippocampus. The visible layer receives binary patterns with fixed sparsity s_v … The "
        "hidden layer forms a binary representation of the input with sparsity s_h, less than s_v.",
        "An interpretation, and how the model is built.",
    ),
    slip(
        "Each entry in each matrix is initialized uniformly to a number in (0, 1). … W = M ⊙ F and W' = M' ⊙ Fᵀ, "
        "enforcing symmetry as in the MHN. … We apply the same update to the jith entry in the return matrix W', "
        "imposing symmetry.",
        "the same connections exist both ways, and the same update brings W' towards Wᵀ",
        "M and M' are drawn independently, so that W' is not Wᵀ at first. Each win of a unit leaves 1 − ε of the "
        "difference; a unit that never wins keeps it.",
        held_by="tests/memory/test_kwinner_laws.py::test_winning_units_converge_to_one_weight_per_synapse",
    ),
    defines(
        "W_ij ← W_ij + ε (x_j − W_ij) z_i F_ij",
        held_by=f"{TESTS}::test_a_kwinner_memory_is_distributed_graded_and_sparse",
    ),
    slip(
        "… where ε ∈ (0, 1) is the learning rate.",
        "ε ∈ (0, 1]",
        "The 1-winner MHN has ε = 1, two sentences later.",
    ),
    defines(
        "The model becomes a binary, fixed-capacity version of the original MHN when s_h = 1/n_h, f = 1, and "
        "ε = 1, storing each new memory … in the incoming and outgoing connections of one of its n_h neurons, "
        "completely replacing one old memory.",
        held_by=f"{TESTS}::test_a_one_winner_memory_is_replaced_completely",
    ),
    defines(
        "We equate the total number of weights (learnable parameters) between the models by setting n_h for the "
        "K-winner case to 1/f times the n_h of the localist case.",
        held_by="tests/paper/figures/test_fig4.py::test_settings_are_the_printed_ones",
    ),
    says(
        "k_h must be considerably larger than 1/f to ensure that all elements of an input are encoded in one or "
        "more connection weights, and … in this case knowledge of each feature tends to be stored in several "
        "connection weights, so that ε can be considerably less that 1.",
        less("siA2.needed", siA2.covered_by_few(), ALL, f"largest {COVERED}, f = 0.05, k_h ≤ 1/f"),
        more("siA2.rises", siA2.rise_of_coverage(), 0, f"smallest rise of the {COVERED}, k_h from 1 to 50"),
        judged("siA2.enough", of_runs(siA2.BY_WINNERS[500], "covered"), at_least(ALL), f"{COVERED}, k_h = 25/f"),
        *(
            more(f"siA2.several-copies-{model.name}", of_runs(e, "several"), 0.5, f"{SEVERAL}, {model.label}")
            for model, e in siA2.SETTINGS.items()
        ),
        *each_cue(
            "siA2.small-rate", "accuracy at age 1 minus that of patterns never stored, ε = 0.3", siA2.recalled_more
        ).values(),
        note="The paper's memories have k_h = 2.5/f and 5/f, and leave a few ones of a pattern without a winner.",
    ),
    unjudged(
        "We chose specific values of k_h and ε through exploratory simulations, reporting … on parameter settings "
        "that bring out interesting comparisons.",
        "A choice.",
    ),
)
