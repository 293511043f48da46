"""Section 2: the sparse, distributed, slot-free memory."""

from slotfree.study.statement import Statement

DESIGN = (
    Statement(
        "2",
        "“Biological memory systems likely rely on representing items via the connection weights going into and out of "
        "a sparse, distributed ensemble of neurons … Memory systems have limited capacity …”",
        reason="what motivates the model, about the brain",
    ),
    Statement(
        "2",
        "“Moreover, any one neuron may participate in representing multiple memories.”",
        claims=("fig3.many-kwinner",),
    ),
    Statement(
        "2.1",
        "“We see the visible layer as a proxy for … the entorhinal cortex while the hidden layer is a simplified proxy "
        "for the hippocampus. The visible layer receives binary patterns with fixed sparsity s_v … The hidden layer "
        "forms a binary representation of the input with sparsity s_h, less than s_v.”",
        reason="an interpretation, and how the model is built",
    ),
    Statement(
        "2.1, equations 1 and 2",
        "“Each entry in each matrix is initialized uniformly to a number in (0, 1). … W = M ⊙ F and W' = M' ⊙ Fᵀ, "
        "enforcing symmetry as in the MHN. … We apply the same update to the jith entry in the return matrix W', "
        "imposing symmetry.”",
        reason="how the model is built; both matrices start apart, and units that win make them equal",
    ),
    Statement(
        "2.1",
        "“The model becomes a binary, fixed-capacity version of the original MHN when s_h = 1/n_h, f = 1, and ε = 1, "
        "storing each new memory … in the incoming and outgoing connections of one of its n_h neurons, completely "
        "replacing one old memory.”",
        claims=("fig3.replaced", "fig4.erased"),
    ),
    Statement(
        "2.1",
        "“We equate the total number of weights (learnable parameters) between the models by setting n_h for the "
        "K-winner case to 1/f times the n_h of the localist case.”",
        claims=("fig4.same-weights",),
    ),
    Statement(
        "2.1",
        "“k_h must be considerably larger than 1/f to ensure that all elements of an input are encoded in one or more "
        "connection weights, and … in this case knowledge of each feature tends to be stored in several connection "
        "weights, so that ε can be considerably less that 1.”",
        claims=("siA2.needed", "siA2.covered-*", "siA2.several-copies-*", "siA2.small-rate-*"),
    ),
    Statement(
        "2.1",
        "“We chose specific values of k_h and ε through exploratory simulations, reporting … on parameter settings "
        "that bring out interesting comparisons.”",
        reason="a choice",
    ),
)
RANDOM = (
    Statement(
        "2.2.1 and Figure 4, caption",
        "“ε = 0.3, f = 0.05, n_h = 2000, s_h = 0.025 … a single pass through a 4000-pattern sequence of random binary "
        "patterns of dimension n_v = 1000 and sparsity s_v = 0.1 … Results were averaged over 100 independent runs.”",
        reason="how the experiment is done",
    ),
    Statement(
        "2.2.1",
        "“Preliminary analyses showed that no detectable trace of the first 3000 patterns remained in either model.”",
        claims=("fig4.no-trace-*",),
    ),
    Statement("2.2.1", "“The MHN perfectly retrieves the most recent pattern …”", claims=("fig4.perfect-100%",)),
    Statement(
        "2.2.1",
        "“… but its performance rapidly degrades; a given memory is erased once its corresponding hidden neuron is "
        "assigned a new memory, leading to a simple exponential decay to the pseudo-memory baseline …”",
        claims=("fig4.erased", "figS1.beta-onewinner-*", "figS1.r2-onewinner-*", "fig4.no-trace-onewinner"),
    ),
    Statement(
        "2.2.1",
        "“In contrast … the K-winner MHN's performance is slightly worse initially, because the distributed weight "
        "update is not large enough to ensure that the winning units' outgoing weights can reproduce the stored item "
        "perfectly.”",
        claims=("fig4.initial-100%", "fig4.update"),
    ),
    Statement(
        "2.2.1",
        "“However, its retrieval accuracy degrades more slowly and the precise rate of decay is smaller than that of "
        "the MHN.”",
        claims=("fig4.degrades-100%", "figS1.slower-*"),
    ),
    Statement(
        "2.2.1",
        "“See Appendix … for discussion of the difference in baseline retrieval between the two models.”",
        claims=("fig4.baseline-*", "fig4.above-chance-*"),
    ),
    Statement(
        "2.2.1",
        "“The K-winner MHN's advantage is reliable from age 16” (100% cues).",
        claims=("fig4.reliable-from-100%",),
    ),
    Statement(
        "2.2.1",
        "“Again, the K-winner MHN's performance is slightly worse than that of the original MHN at first, but degrades "
        "more slowly, as is confirmed by d'” (50% cues).",
        claims=("fig4.initial-50%", "fig4.degrades-50%", "fig4.newest-*", "fig4.older-50%"),
    ),
    Statement(
        "2.2.1",
        "“The K-winner MHN's advantage is reliable from age 10” (50% cues).",
        claims=("fig4.reliable-from-50%",),
    ),
    Statement(
        "2.2.1",
        "“The K-winner MHN … exhibits superior retention of older memories, its initial retrieval accuracy … falls "
        "below that of the MHN – notably within the case of 50% cues.”",
        claims=("fig4.older-*", "fig4.initial-*", "fig4.initial-notably"),
    ),
    Statement(
        "2.2.1",
        "“Increased network connectivity would provide fuller coverage of the input units by the k_h selected hidden "
        "units, potentially allowing for enhanced retrieval.”",
        claims=("siA2.fuller", "figS2.initial-100%", "figS2.initial-50%"),
    ),
    Statement(
        "2.2.1",
        "“This modified K-winner MHN does indeed exhibit higher (and, in fact, near-perfect) initial retrieval "
        "accuracy, both in the full pattern retrieval and pattern completion cases.”",
        claims=("figS2.initial-100%", "figS2.initial-50%"),
    ),
    Statement(
        "2.2.1",
        "“This K-winner MHN does possess a memory retention advantage over the original MHN for a large class of "
        "‘intermediate-age’ memories (i.e. ages ∼ 20 – 250).”",
        claims=("figS2.middle-*",),
    ),
    Statement(
        "2.2.1",
        "“Increasing f also appears to cause faster decay in raw retrieval accuracy, and the K-winner MHN no longer "
        "maintains a d' recognition sensitivity advantage for very old memories (i.e. ages ≥ 300).”",
        claims=("figS2.faster-*", "figS2.old-*"),
    ),
    Statement(
        "2.2.1",
        "“The K-winner MHN with f = 0.05 compromises somewhat on initial retrieval accuracy while maintaining a "
        "significant retention advantage over the MHN for a large range of older memories …”",
        claims=("fig4.initial-*", "fig4.large-range-*"),
    ),
    Statement(
        "2.2.1",
        "“… when f is raised to 0.1, the resulting K-winner MHN exhibits near-perfect initial retrieval accuracy while "
        "compromising somewhat on longer-timescale retention of (older) memories. … Across the entire family … there "
        "exists a trade-off between high initial retrieval accuracy and retention of older memories.”",
        claims=("figS2.initial-100%", "figS2.initial-50%", "figS2.trade-off-*"),
    ),
)
STRUCTURED = (
    Statement(
        "2.2.2",
        "“Each child node's pattern is the same as its parent node's pattern, except that b of its 1's are switched to "
        "0's and b of its 0's are switched to 1's.”",
        claims=("figS4.flips",),
    ),
    Statement(
        "2.2.2",
        "“The parameter b has a nonlinear effect on the similarity structure …”",
        claims=("figS5.nonlinear",),
    ),
    Statement(
        "2.2.2",
        "“… b = 5 … corresponds to patterns with ∼ 50% similarity and b = 30 … corresponds to patterns with close to "
        "10% similarity – the baseline similarity for random, non-structured patterns.”",
        claims=("figS5.about-*",),
    ),
    Statement(
        "2.2.2",
        "“Items reflective of natural experience often possess similarity structure … For each of 5 values of b, we "
        "generated large pattern trees …; we also sampled 1000 untrained ‘pseudo-memory’ patterns from the leaf nodes "
        "of the same tree. … d' measurements averaged over 10 independent d' samples.”",
        reason="what motivates the experiment, and how it is done",
    ),
    Statement(
        "2.2.2",
        "“Notably, the original MHN is largely insensitive to this parameter, while the K-winner MHN is strongly "
        "affected.”",
        claims=("figS6.insensitive",),
    ),
    Statement(
        "2.2.2",
        "“The K-winner model performs worse than the original MHN when the mean pattern similarity is 0.49, and "
        "approximately matches the original MHN when the mean similarity is 0.28.”",
        claims=("figS6.lead-5", "figS6.lead-10", "figS5.mean-5", "figS5.mean-10"),
    ),
    Statement(
        "2.2.2",
        "“The advantage of the K-winner model begins to emerge when mean pattern similarity is reduced below this "
        "level. When the mean pattern similarity is 0.17 … the advantage is quite clear, growing further as similarity "
        "is further reduced toward that in the unstructured case.”",
        claims=("figS6.lead-15", "figS6.grows", "figS5.mean-15"),
    ),
    Statement(
        "2.2.2",
        "“For structured patterns that possess nontrivial (but not excessive) similarity, the K-winner MHN exhibits a "
        "strong advantage for retaining older memories.”",
        claims=("figS6.lead-15",),
    ),
    Statement(
        "2.2.2",
        "“For higher levels of similarity, each such structured pseudo-pattern is likely to be similar to a pattern "
        "already stored in the memory …”",
        claims=("figS5.similar-stored-*",),
    ),
    Statement(
        "2.2.2",
        "“… with the consequence that the retrieved pattern when the model is probed with a pseudo-pattern tends to be "
        "more similar to the probed pattern than it is to a random pattern stored in the memory.”",
        claims=("figS7.nearer-*",),
    ),
    Statement(
        "2.2.2",
        "“Both the original and the K-Winner models exhibit this form of generalization, performing better on "
        "untrained pseudo-patterns than completely unstructured pseudo-patterns.”",
        claims=("figS7.generalises-*",),
    ),
    Statement(
        "2.2.2",
        "“Delineating the relative advantages of the two model variants with respect to this form of generalization "
        "remains to be explored.”",
        reason="left to the future",
    ),
)
FAMILY = (
    Statement(
        "2.3",
        "“Our goal in this section has been to begin to achieve convergence between conceptions of memory retrieval … "
        "This version of the MHN has similarities to earlier biologically inspired distributed memory models …”",
        reason="an aim, and the work of others",
    ),
    Statement(
        "2.3",
        "“A K-winner MHN can have superior retention of older memories at a relatively low cost in its initial "
        "retrieval accuracy. With completely unstructured patterns, initial accuracy can be high enough that the "
        "initial cost is not a serious consideration.”",
        claims=("fig4.older-*", "fig4.initial-*", "figS2.middle-*", "figS2.initial-100%", "figS2.initial-50%"),
    ),
    Statement(
        "2.3",
        "“This advantage reflects, in part, the fact that the learning that occurs … is only a partial update. … Some "
        "of the retention advantage of the K-winner model can be captured in the 1-winner MHN by setting the learning "
        "rate ε to a value less than 1.”",
        claims=("figS3.slower-*", "figS3.robust"),
    ),
    Statement(
        "2.3",
        "“… so that each ‘memory neuron’ now stores traces of many memories, as in the K-winner model.”",
        claims=("fig3.many-graded", "fig3.many-kwinner"),
    ),
    Statement(
        "2.3",
        "“The advantage of the K-winner MHN over the original holds not only for random patterns but also for patterns "
        "with hierarchically structured similarity relationships, as long as the mean pattern overlap is not too high. "
        "At higher levels of similarity, the K-winner model's ability … falls below that of the original MHN.”",
        claims=("figS6.lead-15", "figS6.lead-5"),
    ),
    Statement(
        "2.3",
        "“As similarity grows both models exhibit sensitivity to the shared structure.”",
        claims=("figS7.similarity-*",),
    ),
    Statement(
        "2.3",
        "“Our models could be extended by incorporating a preprocessing step that reduces input similarity … These "
        "initial explorations … open up a vast model space for future explorations.”",
        reason="left to the future; the preprocessing step is judged with SI A.4",
    ),
)
MEMORY: tuple[Statement, ...] = (*DESIGN, *RANDOM, *STRUCTURED, *FAMILY)
