"""Captions of the diagrams of sections 2 and 3, and what the text says of what they show."""

from slotfree.study.statement import Statement

DIAGRAMS: tuple[Statement, ...] = (
    Statement(
        "Figure 3, caption",
        "In contrast to the original MHN (left), K-winner MHNs (middle and right) are able to learn through weight "
        "updates as each input pattern is observed.",
        claims=("fig3.original-fixed", "fig3.learn"),
    ),
    Statement(
        "Figure 3, caption",
        "… in the K-winner MHN, only weights projecting into and out of the k hidden units with the largest values are "
        "updated (shown in green).",
        claims=("fig3.only-winners",),
    ),
    Statement(
        "Figure 3, caption",
        "In contrast to the 1-winner MHN (middle), general K-winner MHNs (right) allow for distributed hidden state "
        "representations, graded weight updates, and sparse network connectivity.",
        claims=("fig3.distributed", "fig3.graded", "fig3.sparse"),
    ),
    Statement("2.1", "W_ij ← W_ij + ε (x_j − W_ij) z_i F_ij", claims=("fig3.learning-rate", "fig3.only-winners")),
    Statement(
        "3.1 and SI B.1",
        "… each token in the context window of length C is of a different abstract letter type … repeated occurrences "
        "of a letter (in either case) within the context window were not allowed.",
        claims=("fig5.no-repeats",),
    ),
    Statement(
        "3.1 and SI B.1",
        "The goal of the task is to output the case type of this particular letter. … the target output for "
        "'lowercase' and 'uppercase' were [1, 0] and [0, 1] …",
        claims=("fig5.target",),
    ),
    Statement(
        "Figure 5, caption",
        "The dot products between the embedded query q and the contextual keys k_t are computed, and the softmax of "
        "these values is computed by applying an exponential nonlinearity … and subsequently normalizing … The "
        "resulting attention scores are used to modulate the linear combination of the values v_t …",
        claims=("fig5.softmax",),
    ),
    Statement(
        "Figure 5, caption",
        "The supervisory training signal for gradient descent only arrives at this final output.",
        claims=("fig5.signal",),
    ),
    Statement(
        "Figure 6, caption",
        'For some of our models, we incorporate an "input projection" matrix W_HI … that helps ensure a new hidden '
        "neuron is recruited to represent each new context item.",
        claims=("fig6.projections",),
    ),
    Statement(
        "Figure 6, caption",
        "Throughout the context window, W_Q, W_K, and W_V remain fixed.",
        claims=("fig6.slow-fixed",),
    ),
    Statement(
        "Figure 6, caption",
        "The buffer weights W_HK, W_VH, and W_IH are now held fixed, and a reinstated input x̃ is produced.",
        claims=("fig6.fast-fixed",),
    ),
    Statement(
        "Figure 6, caption",
        "The output ŷ = W_V x̃ is used to backpropagate a signal … that is used to update W_Q and W_V; gradient outer "
        "products used to update W_V and W_Q are also shown in red …",
        claims=("fig6.outer-products",),
    ),
    Statement(
        "Figure 6, caption",
        'The item, key, and value representations are encoded into three separate sets of "fast" weights. … the '
        "yellow shaded rectangle depicts the 1-winner MHN module …",
        reason="describes the model",
    ),
    Statement(
        "Figure S8, caption",
        "… it is projected through W_K to obtain a reinstated key. This key is then passed through the 1-winner MHN to "
        "produce an output, which is compared against the true target y to produce a gradient signal used to train "
        "W_K.",
        claims=("figS8.mhn-gradient",),
    ),
    Statement(
        "Figure S8, caption",
        "The reinstated vector x̃ is projected through W_K to obtain the output k̃, which is compared against the target "
        "q = W_Q x_q to produce a gradient signal used to update W_K.",
        claims=("figS8.alignment-gradient",),
    ),
)
