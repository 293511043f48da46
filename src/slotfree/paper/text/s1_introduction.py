"""The abstract and section 1, with the captions of Figures 1 and 2."""

from slotfree.forgetting.protocol import CUES
from slotfree.paper.figures import fig1
from slotfree.paper.figures.fig1 import BETA, N_STORED
from slotfree.paper.shared.fading import ONE, K, lost
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.paper.text.s2_discussion import LOW_COST
from slotfree.paper.text.s2_random import RETENTION
from slotfree.paper.text.s3_judges import QK_IP_APPROACHES
from slotfree.paper.text.s3_results import SOLVED
from slotfree.study import defines, follows, less, more, says, section, share_of_runs, unjudged

BRAIN = "About the brain."
OTHERS = "About the work of others."

SLOTS_AND_NEURONS = "tests/paper/figures/test_fig1.py::test_slots_and_neurons_retrieve_the_same"
SETTLES = "tests/paper/figures/test_fig1.py::test_cycles_settle_to_a_blend_of_patterns"
ATTENTION = "tests/paper/figures/test_fig1.py::test_keys_and_values_in_weights_are_attention"
SUM_OF_SLOTS = "tests/paper/figures/test_fig2.py::test_outer_products_of_slots_add_up_to_the_gradient"
EVERY_SLOT = "tests/paper/figures/test_fig2.py::test_every_slot_has_a_part_in_the_gradient"

CYCLES = (
    less(
        "fig1.cycles",
        fig1.distance(-1, BETA),
        fig1.distance(1, BETA),
        f"distance from the best match with β = {BETA:g}, at rest against after one cycle",
        paired=True,
    ),
    share_of_runs("fig1.best-match", fig1.ends_at_best()),
)
WEIGHTINGS = less(
    "fig1.weightings",
    fig1.median_weighting(),
    1 / N_STORED,
    f"median weighting of the {N_STORED} items of a network with β = {BETA:g}, mean of the networks",
)
RECENT = tuple(
    more(
        f"fig4.recent-{model.name}-{cue:.0%}",
        lost(experiment, cue),
        0,
        f"accuracy lost since age 1, mean over older ages, {model.label}, {cue:.0%} cues",
    )
    for model, experiment in ((K_WINNER, K), (ONE_WINNER, ONE))
    for cue in CUES
)

APPROACHES = says(
    "Among these variants, we find one that approaches the performance of a standard decoder-only transformer on a "
    "task that depends on this capability.",
    QK_IP_APPROACHES,
)

SENTENCES = section(
    "Abstract",
    unjudged(
        'Many models … rely on multi-element patterns stored in "slots" … As biological brains likely lack slots, '
        "we consider how they might achieve similar functional outcomes …",
        "Motivation, about other models and the brain.",
    ),
    defines(
        "… the neurally-inspired modern Hopfield network … stores patterns in the connection weights of an "
        "individual neuron.",
        held_by=SLOTS_AND_NEURONS,
    ),
    unjudged(
        "… neuroscience research suggests that the weights of overlapping sparse ensembles of neurons, rather than "
        "a dedicated individual neuron, are used to store a memory.",
        BRAIN,
    ),
    follows(
        "We introduce the K-winner MHN … and find that within a continual learning regime, the ensemble-based MHN "
        "exhibits greater retention of older memories, as measured by the graded sensitivity measure d', than a "
        "standard (one-neuron) MHN.",
        RETENTION,
    ),
    defines(
        "These models use slots to store long sequences of past inputs and their learned encodings, supporting "
        "later predictions and allowing error signals to be transported backward in time to adjust weights "
        "underlying the learned encodings of these past inputs.",
        held_by=SUM_OF_SLOTS,
    ),
    follows(
        "… we show how the MHN can be extended to capture both of these important functional outcomes.", APPROACHES
    ),
    unjudged(
        "… our modeling approaches constitute steps towards understanding how biologically plausible mechanisms "
        "can support computations that have enabled AI systems to capture human-like abilities …",
        "An outlook.",
    ),
    "1",
    unjudged(
        "It is common to model memory using an individual slot for each item to be stored. … Subsequent retrieval "
        "… often involves retrieving either the contents of the slot that best matches a query or a "
        "goodness-of-match-weighted combination of the contents of all slots.",
        "Defines slots, and is about the work of others.",
    ),
    defines(
        "… slot-based computations lie at the heart of the transformer … both in performing query-based retrieval "
        "… and in enabling temporal credit assignment …",
        held_by=SUM_OF_SLOTS,
    ),
    unjudged(
        "We take as our starting place the proposal that the storage elements used for past activity states are "
        "the connections among neurons … articulated by Donald Hebb …",
        "A starting point, and about the work of others.",
    ),
    defines(
        "… the modern Hopfield network … stores individual memories in the connection weights that project into "
        'and out of a dedicated individual "memory" neuron … each memory neuron computes a quantity representing '
        "the similarity of the query to the pattern stored in its incoming connection weights, and the system "
        "returns the best matching item or a similarity-weighted blend of all memory items …",
        held_by=SLOTS_AND_NEURONS,
    ),
    says(
        "… the weightings for most items are typically very small.",
        WEIGHTINGS,
        note="How small follows from β and the number of items, which are not given; equal ones would be 0.2 here.",
    ),
    defines(
        "… presentation of a noisy or incomplete memory and subsequent iteration of the network for multiple "
        "cycles … gradually settles to a stable state that closely approximates a single stored pattern or a blend "
        "of such patterns …",
        held_by=SETTLES,
    ),
    unjudged(
        "… for simplicity we simulate this process as a one-step retrieval operation.",
        "A choice; the models here do the same. Where β is barely large enough one step recalls more than cycles "
        "do: of 64 patterns a share that is larger by {siA1.one-step-better} (SI A.1).",
    ),
    "1, issue 1",
    defines(
        "… the auto-associative MHN … still uses distinct storage elements (the distinct incoming and outgoing "
        "connections of a dedicated neuron) to represent different memories.",
        held_by=SLOTS_AND_NEURONS,
    ),
    unjudged(
        "A more biologically realistic approach … is to model memories as being distributed across the connections "
        "of a small ensemble of neurons … evidence of sparse yet distributed coding of memories has been found in "
        "the hippocampus … we consider whether aspects of their behavior can be captured …",
        "About the brain, and a question.",
    ),
    "1, issue 2",
    unjudged(
        "Biological memory systems have finite capacity. … unlike proposals in which a slot is assumed to be "
        "available for each new item to be learned, we require a learning policy …",
        "About the brain, and a choice.",
    ),
    "1",
    defines(
        "The key features of this model are a fixed, finite capacity; the use of graded updates to connection "
        "weights into and out of a small ensemble of memory neurons …; and sparse network connectivity, so that "
        "each memory neuron's connections only encode a subset of the elements in the pattern …",
        held_by="tests/memory/test_kwinner_twin.py::test_stores_and_retrieves_as_the_twin",
    ),
    unjudged(
        "Our K-winner MHN is more biologically aligned than the MHN since it allows memories to be stored in a "
        "graded and distributed manner …",
        BRAIN,
    ),
    says(
        "… as the capacity of the system is reached, newer memories will compete with older ones, conferring an "
        "advantage to recent memories.",
        *RECENT,
    ),
    follows(
        "… the K-winner MHN has advantages compared to the original MHN in its ability to retrieve older memories, "
        "with only a slight cost to its performance on the most recent memories.",
        LOW_COST,
    ),
    "Figure 1, caption",
    defines(
        "… the equivalence between softmax-weighted associative memory retrieval and MHN-based retrieval … "
        "softmaxed dot products are used to return a weighted combination of these same vectors. Such a "
        "computation may be realized within an autoencoder architecture with bidirectional connection weights …",
        held_by=SLOTS_AND_NEURONS,
    ),
    says(
        "Performing multiple cycles of retrieval enables stable retrieval of the best-matching x_i.",
        *CYCLES,
        note="With a β that is large enough. With β = 1 cycles end in a blend of patterns, which the text allows "
        "for, and are farther from the best match than one cycle, by {fig1.low-beta}.",
    ),
    defines(
        "… keys and values … may be encoded in the incoming and outgoing weights of single neurons … The resulting "
        "network's computation coincides with that of the transformer self-attention mechanism.",
        held_by=ATTENTION,
    ),
    defines(
        "… this network is feedforward, i.e. it cannot be run for multiple cycles.",
        held_by="tests/paper/figures/test_fig1.py::test_values_are_no_queries",
        note="What it returns is a value, here not even of the size of a query.",
    ),
    "1, issue 3",
    unjudged(
        "Biological neural networks are unlikely to actively maintain arbitrary temporal sequences of prior "
        "states, yet must be able to update knowledge of past inputs based on future outcomes …",
        BRAIN,
    ),
    unjudged(
        "In transformer-based language models, prior state information … are maintained for use in prediction and "
        "for propagating learning signals … GPT models … contain stacks of transformer blocks …",
        OTHERS,
    ),
    defines(
        "… a query-based attention computation amounts to directly accessing slots that contain keys and values "
        "from previous time steps, comparing the current query against all of these keys, and using the resulting "
        "attention scores to produce a weighted combination of values.",
        held_by=ATTENTION,
    ),
    unjudged(
        "… it requires explicit physical storage and maintenance of activity states corresponding to keys and "
        "values from as many as thousands or even millions of past timesteps.",
        "About how transformers are built.",
    ),
    defines(
        "This requires propagating gradient signals backward through the slot aggregation operation to each item "
        "in each slot in the context window; the full gradient update for a given trainable weight matrix is the "
        "sum of the corresponding gradient updates for each item in the temporal sequence …",
        held_by=EVERY_SLOT,
    ),
    follows(
        "… gradient updates for items occurring in previous time steps allow weights … to become useful for "
        "predictions at much later points in time, so that later encounters with similar sequences will result in "
        "enhanced predictions.",
        SOLVED,
    ),
    defines(
        "… retention of long sequences of prior state information is also required for the backpropagation through "
        "time algorithm …",
        held_by="tests/paper/figures/test_fig2.py::test_every_state_is_needed_for_the_gradient",
    ),
    unjudged(
        "Long sequences of past activation states are unlikely to be maintained as neural activity patterns in the "
        "brain. … effective maximum capacity of 4-5 unrelated items … 4-5 orders of magnitude more connection "
        "weights than neurons … others have also explored weight-based maintenance of past state information …",
        "About the brain and the work of others.",
    ),
    unjudged(
        "The question then arises: can a functional approximation of the transport of error gradient information … "
        "be implemented in a system that stores the relevant key and value information in connection weights?",
        "A question.",
    ),
    "Figure 2, caption",
    defines(
        "Backpropagation of gradients through an aggregation of slots effectively constitutes backpropagation "
        "through time … gradient updates … consist of an outer product between the gradient of a given key k_t or "
        "value v_t with the current context item x_t … These updates are then summed over the entire context "
        "window to produce the total gradient update for a given learnable weight matrix …",
        held_by=SUM_OF_SLOTS,
    ),
    defines(
        "For any learnable weight matrix, gradient updates for that matrix are iteratively computed for earlier "
        "time steps (again, as outer products between gradients of receiving units and activity patterns of "
        "sending units), and these updates are summed to produce the total weight update.",
        held_by="tests/paper/figures/test_fig2.py::test_outer_products_of_steps_add_up_to_the_gradient",
    ),
    "1",
    unjudged(
        "We address this third issue in Section 3, where we explore several candidate connection weight-based "
        "instantiations of a minimal decoder-only transformer … we chose to work towards a slot-free instantiation …",
        "Says what the paper is about to do.",
    ),
    defines(
        "… keys and values are sequentially stored in the connection weights of a hetero-associative MHN. … the "
        "stored keys are used to evaluate similarity to the query; the resulting similarity scores are used to "
        "retrieve a weighted combination of the corresponding values.",
        held_by="tests/memory/test_modern_hopfield.py::test_is_softmax_attention",
    ),
    APPROACHES,
    unjudged(
        "… both of which approach the functionality and efficiency of slot-based systems while retaining greater "
        "biological plausibility.",
        "Sums up.",
    ),
)
