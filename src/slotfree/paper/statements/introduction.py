"""Abstract, introduction and discussion."""

from slotfree.study.statement import Statement

BRAIN = "about the brain"
OTHERS = "about the work of others"
AIM = "says what the paper is about to do"

ABSTRACT = (
    Statement(
        "Abstract",
        'Many models … rely on multi-element patterns stored in "slots" … As biological brains likely lack slots, we '
        "consider how they might achieve similar functional outcomes …",
        reason="motivation, about other models and the brain",
    ),
    Statement(
        "Abstract",
        "… the neurally-inspired modern Hopfield network … stores patterns in the connection weights of an individual "
        "neuron.",
        claims=("fig1.auto-same",),
    ),
    Statement(
        "Abstract",
        "… neuroscience research suggests that the weights of overlapping sparse ensembles of neurons, rather than a "
        "dedicated individual neuron, are used to store a memory.",
        reason=BRAIN,
    ),
    Statement(
        "Abstract",
        "We introduce the K-winner MHN … and find that within a continual learning regime, the ensemble-based MHN "
        "exhibits greater retention of older memories, as measured by the graded sensitivity measure d', than a "
        "standard (one-neuron) MHN.",
        claims=("fig4.older-*",),
    ),
    Statement(
        "Abstract",
        "These models use slots to store long sequences of past inputs and their learned encodings, supporting later "
        "predictions and allowing error signals to be transported backward in time to adjust weights underlying the "
        "learned encodings of these past inputs.",
        claims=("fig2.slots-sum", "fig2.slots-needed"),
    ),
    Statement(
        "Abstract",
        "… we show how the MHN can be extended to capture both of these important functional outcomes.",
        claims=("fig7.qk-ip-approaches", "figS10.values-encode-case*", "figS10.aligned-*", "fig6.outer-products"),
    ),
    Statement(
        "Abstract",
        "… our modeling approaches constitute steps towards understanding how biologically plausible mechanisms can "
        "support computations that have enabled AI systems to capture human-like abilities …",
        reason="an outlook",
    ),
)

SLOTS = (
    Statement(
        "1",
        "It is common to model memory using an individual slot for each item to be stored. … Subsequent retrieval … "
        "often involves retrieving either the contents of the slot that best matches a query or a "
        "goodness-of-match-weighted combination of the contents of all slots.",
        reason=f"defines slots; {OTHERS}",
    ),
    Statement(
        "1",
        "… slot-based computations lie at the heart of the transformer … both in performing query-based retrieval … "
        "and in enabling temporal credit assignment …",
        claims=("fig1.hetero-same", "fig2.slots-sum"),
    ),
    Statement(
        "1",
        "We take as our starting place the proposal that the storage elements used for past activity states are the "
        "connections among neurons … articulated by Donald Hebb …",
        reason=f"a starting point; {OTHERS}",
    ),
    Statement(
        "1",
        "… the modern Hopfield network … stores individual memories in the connection weights that project into and "
        'out of a dedicated individual "memory" neuron. … each memory neuron computes a quantity representing the '
        "similarity of the query to the pattern stored in its incoming connection weights, and the system returns the "
        "best matching item or a similarity-weighted blend of all memory items …",
        claims=("fig1.auto-same",),
    ),
    Statement("1", "… the weightings for most items are typically very small.", claims=("fig1.weightings",)),
    Statement(
        "1",
        "… presentation of a noisy or incomplete memory and subsequent iteration of the network for multiple cycles … "
        "gradually settles to a stable state that closely approximates a single stored pattern or a blend of such "
        "patterns …",
        claims=("fig1.rest", "fig1.cycles"),
    ),
    Statement(
        "1",
        "… for simplicity we simulate this process as a one-step retrieval operation.",
        reason="a choice; the models here do the same",
    ),
)

ISSUES = (
    Statement(
        "1, issue 1",
        "… the auto-associative MHN … still uses distinct storage elements (the distinct incoming and outgoing "
        "connections of a dedicated neuron) to represent different memories.",
        claims=("fig3.only-winners", "fig3.replaced"),
    ),
    Statement(
        "1, issue 1",
        "A more biologically realistic approach … is to model memories as being distributed across the connections of "
        "a small ensemble of neurons … evidence of sparse yet distributed coding of memories has been found in the "
        "hippocampus … we consider whether aspects of their behavior can be captured …",
        reason=f"{BRAIN}, and a question",
    ),
    Statement(
        "1, issue 2",
        "Biological memory systems have finite capacity. … unlike proposals in which a slot is assumed to be available "
        "for each new item to be learned, we require a learning policy …",
        reason=f"{BRAIN}, and a choice",
    ),
    Statement(
        "1",
        "The key features of this model are a fixed, finite capacity; the use of graded updates to connection weights "
        "into and out of a small ensemble of memory neurons …; and sparse network connectivity, so that each memory "
        "neuron's connections only encode a subset of the elements in the pattern …",
        claims=("fig3.graded", "fig3.distributed", "fig3.sparse"),
    ),
    Statement(
        "1",
        "Our K-winner MHN is more biologically aligned than the MHN since it allows memories to be stored in a graded "
        "and distributed manner …",
        reason=f"{BRAIN}; that it is graded and distributed is judged above",
    ),
    Statement(
        "1",
        "… as the capacity of the system is reached, newer memories will compete with older ones, conferring an "
        "advantage to recent memories.",
        claims=("fig4.degrades-*",),
    ),
    Statement(
        "1",
        "… the K-winner MHN has advantages compared to the original MHN in its ability to retrieve older memories, "
        "with only a slight cost to its performance on the most recent memories.",
        claims=("fig4.older-*", "fig4.newest-*"),
    ),
)

FIGURE_1 = (
    Statement(
        "Figure 1, caption",
        "… the equivalence between softmax-weighted associative memory retrieval and MHN-based retrieval … softmaxed "
        "dot products are used to return a weighted combination of these same vectors. Such a computation may be "
        "realized within an autoencoder architecture with bidirectional connection weights …",
        claims=("fig1.auto-same",),
    ),
    Statement(
        "Figure 1, caption",
        "Performing multiple cycles of retrieval enables stable retrieval of the best-matching x_i.",
        claims=("fig1.cycles", "fig1.best-match", "fig1.rest"),
    ),
    Statement(
        "Figure 1, caption",
        "… keys and values … may be encoded in the incoming and outgoing weights of single neurons … The resulting "
        "network's computation coincides with that of the transformer self-attention mechanism.",
        claims=("fig1.hetero-same",),
    ),
    Statement(
        "Figure 1, caption",
        "… this network is feedforward, i.e. it cannot be run for multiple cycles.",
        reason="by its making: values are not keys, and here not even of their size",
    ),
)

CREDIT = (
    Statement(
        "1, issue 3",
        "Biological neural networks are unlikely to actively maintain arbitrary temporal sequences of prior states, "
        "yet must be able to update knowledge of past inputs based on future outcomes …",
        reason=BRAIN,
    ),
    Statement(
        "1, issue 3",
        "In transformer-based language models, prior state information … are maintained for use in prediction and for "
        "propagating learning signals … GPT models … contain stacks of transformer blocks …",
        reason=OTHERS,
    ),
    Statement(
        "1, issue 3",
        "… a query-based attention computation amounts to directly accessing slots that contain keys and values from "
        "previous time steps, comparing the current query against all of these keys, and using the resulting attention "
        "scores to produce a weighted combination of values.",
        claims=("fig1.hetero-same", "fig5.softmax"),
    ),
    Statement(
        "1, issue 3",
        "… it requires explicit physical storage and maintenance of activity states corresponding to keys and values "
        "from as many as thousands or even millions of past timesteps.",
        reason="about how transformers are built; that every slot is needed is judged below",
    ),
    Statement(
        "1, issue 3",
        "This requires propagating gradient signals backward through the slot aggregation operation to each item in "
        "each slot in the context window; the full gradient update for a given trainable weight matrix is the sum of "
        "the corresponding gradient updates for each item in the temporal sequence …",
        claims=("fig2.slots-sum", "fig2.slots-needed"),
    ),
    Statement(
        "1, issue 3",
        "… gradient updates for items occurring in previous time steps allow weights … to become useful for "
        "predictions at much later points in time, so that later encounters with similar sequences will result in "
        "enhanced predictions.",
        claims=("fig7.perfect-baseline-published",),
    ),
    Statement(
        "1, issue 3",
        "… retention of long sequences of prior state information is also required for the backpropagation through "
        "time algorithm …",
        claims=("fig2.states-needed",),
    ),
    Statement(
        "1, issue 3",
        "Long sequences of past activation states are unlikely to be maintained as neural activity patterns in the "
        "brain. … effective maximum capacity of 4-5 unrelated items … 4-5 orders of magnitude more connection weights "
        "than neurons … others have also explored weight-based maintenance of past state information …",
        reason=f"{BRAIN}, and {OTHERS}",
    ),
    Statement(
        "1, issue 3",
        "The question then arises: can a functional approximation of the transport of error gradient information … be "
        "implemented in a system that stores the relevant key and value information in connection weights?",
        reason="a question",
    ),
)

FIGURE_2 = (
    Statement(
        "Figure 2, caption",
        "Backpropagation of gradients through an aggregation of slots effectively constitutes backpropagation through "
        "time … gradient updates … consist of an outer product between the gradient of a given key k_t or value v_t "
        "with the current context item x_t … These updates are then summed over the entire context window to produce "
        "the total gradient update for a given learnable weight matrix …",
        claims=("fig2.slots-sum",),
    ),
    Statement(
        "Figure 2, caption",
        "For any learnable weight matrix, gradient updates for that matrix are iteratively computed for earlier time "
        "steps (again, as outer products between gradients of receiving units and activity patterns of sending units), "
        "and these updates are summed to produce the total weight update.",
        claims=("fig2.states-sum",),
    ),
)

CONTRIBUTIONS = (
    Statement(
        "1",
        "We address this third issue in Section 3, where we explore several candidate connection weight-based "
        "instantiations of a minimal decoder-only transformer … we chose to work towards a slot-free instantiation …",
        reason=AIM,
    ),
    Statement(
        "1",
        "… keys and values are sequentially stored in the connection weights of a hetero-associative MHN. … the stored "
        "keys are used to evaluate similarity to the query; the resulting similarity scores are used to retrieve a "
        "weighted combination of the corresponding values.",
        claims=("fig1.hetero-same",),
    ),
    Statement(
        "1",
        "Among these variants, we find one that approaches the performance of a standard decoder-only transformer on a "
        "task that depends on this capability.",
        claims=("fig7.qk-ip-approaches",),
    ),
    Statement(
        "1",
        "… both of which approach the functionality and efficiency of slot-based systems while retaining greater "
        "biological plausibility.",
        reason="sums up; what can be measured of it is judged above",
    ),
)

INTRODUCTION: tuple[Statement, ...] = (
    *ABSTRACT,
    *SLOTS,
    *ISSUES,
    *FIGURE_1,
    *CREDIT,
    *FIGURE_2,
    *CONTRIBUTIONS,
)

DISCUSSION: tuple[Statement, ...] = (
    Statement(
        "4",
        "… we have considered two central paradigms in artificial intelligence and cognitive science that utilize "
        "slot-based computation … copies of previous experience, stored as distinct vectors in slots …",
        reason="sums up what was done",
    ),
    Statement(
        "4",
        "… the auto-associative modern Hopfield network … replaces each slot with the input and output weights of a "
        "neuron-like processing unit …",
        claims=("fig1.auto-same",),
    ),
    Statement(
        "4",
        "… memories can be encoded in connection weights distributed across a population of neurons; our findings show "
        "that these connection weights can have advantages over the one-winner MHN …",
        claims=("fig3.distributed", "fig4.older-*"),
    ),
    Statement(
        "4",
        "Here, we use the hetero-associative modern Hopfield network to store the relevant context information, and "
        "show how this architecture can be used to implement an approximation to the backward transport of prediction "
        "error information as implemented in transformers.",
        claims=("fig6.outer-products", "fig7.qk-ip-approaches"),
    ),
    Statement(
        "4",
        "For simplicity, we did not use a K-winner variant … we rely on our findings … to propose that the encodings "
        "of context information … might be stored in connection weights distributed across neuronal populations within "
        "the brain.",
        reason=f"a proposal {BRAIN}",
    ),
    Statement(
        "4",
        "… we have pointed the way toward understanding how the biological hardware of the brain could implement key "
        "aspects of the computations … This research is just a first step … There is also an emerging body of work by "
        "others …",
        reason="an outlook",
    ),
    Statement(
        "4",
        "Thus far, we have treated the paradigms of slot-based memory and slot-based attention as separate. … only a "
        "very limited number of distinct items can be maintained in active form … A hippocampus-like structure could "
        "be the structure that the biological brain uses …",
        reason=f"{BRAIN}, and an outlook",
    ),
)
