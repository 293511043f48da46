"""SI A.1, the modern Hopfield network; A.2.1, baseline accuracy; A.4, preprocessing."""

from slotfree.study.statement import Statement

BACKGROUND: tuple[Statement, ...] = (
    Statement(
        "SI A.1",
        "The MHN “can be used to retrieve patterns from a fixed collection of patterns that have each been stored in "
        "the weights of an individual memory neuron”.",
        claims=("siA1.retrieves",),
    ),
    Statement(
        "SI A.1",
        "Retrieval is “facilitated by evaluating the similarity of ξ against each of the M patterns … and using them "
        "to retrieve a similarity-weighted vector as output”.",
        claims=("siA1.weighted",),
    ),
    Statement(
        "SI A.1",
        "“Dynamics … are governed by an energy function”, E = −lse(β, Xᵀξ) + ½ξᵀξ “and the corresponding update rule” "
        "ξ_out = X softmax(βXᵀξ).",
        claims=("siA1.update",),
    ),
    Statement("SI A.1", "The update rule “decreases the energy across each application”.", claims=("siA1.energy",)),
    Statement(
        "SI A.1",
        "It “enables exponential storage capacity in the number of features N”.",
        claims=("siA1.capacity",),
    ),
    Statement(
        "SI A.1",
        "“We may visualize the update … as that of an autoencoder” with W := Xᵀ, W′ := X, “with a softmax nonlinearity "
        "being applied at the hidden layer”.",
        claims=("siA1.autoencoder",),
    ),
    Statement(
        "SI A.1",
        "“The MHN is only used to retrieve from a fixed set of patterns; the weights in W and W′ encode these fixed "
        "patterns and are never updated.”",
        claims=("siA1.fixed",),
    ),
    Statement(
        "SI A.2.1",
        "n_v = 1000, n_h = 100; patterns and pseudo-memories are sampled uniformly from the length 1000 binary "
        "patterns with 100 1-bits.",
        reason="the set-up",
    ),
    Statement(
        "SI A.2.1",
        "“When an untrained pattern is presented to an MHN with n_h = 100 other memories …, it will replace the "
        "best-matching memory presently in the system”.",
        claims=("siA2.replaces-best",),
    ),
    Statement(
        "SI A.2.1",
        "“This pattern … is expected to have higher-than-average correlation with the new incoming pattern.”",
        claims=("siA2.higher-than-average",),
    ),
    Statement(
        "SI A.2.1",
        "“This is why the retrieval accuracy baseline for the 1-winner MHN is greater than 0.1”.",
        claims=("fig4.above-chance-*",),
    ),
    Statement(
        "SI A.2.1",
        "0.1 is “the average correlation between random patterns”.",
        reason="follows from k_v/n_v = 0.1",
    ),
    Statement(
        "SI A.2.1",
        "“The accuracy baseline should roughly equal the maximum of n_h = 100 samples from the distribution of "
        "possible pattern overlaps”.",
        claims=("siA2.maximum",),
    ),
    Statement(
        "SI A.2.1",
        "“We do not have a full analysis of the exact baseline retrieval accuracy of the K-winner MHN.”",
        reason="about the paper itself",
    ),
    Statement(
        "SI A.2.1",
        "The K-winner MHN has a “higher baseline accuracy (as compared to the original MHN)”.",
        claims=("fig4.baseline-*",),
    ),
    Statement(
        "SI A.2.1",
        "“Each of the hidden units ‘sees’ only a subset of the bits”; “the distribution of best matches will be based "
        "on a smaller sample size (f n_h = 100 rather than n_h = 2000 elements)”.",
        claims=("siA2.fan-in",),
    ),
    Statement(
        "SI A.2.1",
        "“The standard deviation of a sampled proportion is proportional to 1/√n and the maximum of such a "
        "distribution will be larger than the maximum of a distribution of samples each with a larger n.”",
        claims=("siA2.larger-maximum",),
    ),
    Statement(
        "SI A.2.1",
        "The smaller sample is one of the “factors contributing to its higher baseline accuracy”.",
        claims=(
            "siA2.smaller-sample-1*",
            "siA2.smaller-sample-5*",
        ),
    ),
    Statement(
        "SI A.2.1",
        "“It is possible that having k_h > 1 adds a measure of robustness to retrieval (under uncertainty), enabling "
        "the retrieved output to be averaged over k_h rows.”",
        claims=(
            "siA2.averaging-1*",
            "siA2.averaging-5*",
        ),
    ),
    Statement(
        "SI A.2.1",
        "“Other factors likely influence the actual baseline retrieval accuracy as well.”",
        reason="names no factor",
    ),
)
PREPROCESSING: tuple[Statement, ...] = (
    Statement(
        "SI A.4",
        "“Pre-processing of inputs … could reduce their overlap by using a conjunctive coding scheme”.",
        claims=("siA4.reduces-*",),
    ),
    Statement(
        "SI A.4",
        "“… allowing more patterns to be stored in the memory with less interference.”",
        claims=("siA4.less-interference-*",),
    ),
    Statement(
        "SI A.4",
        "Two patterns of length 6 with 3 active units and 2/3 in common, mapped to a vector of length 15 of “the "
        "possible conjunctions of two active input units”, “will only share 1 of 3 active elements”.",
        claims=("siA4.patterns", "siA4.length", "siA4.codes", "siA4.code-ones"),
    ),
    Statement(
        "SI A.4",
        "“The number of n-wise conjuncts grows exponentially with the number of input elements”.",
        claims=("siA4.grows",),
    ),
    Statement(
        "SI A.4",
        "Marr's codons each respond “when n or more of its f connections are active”. “Because each codon now responds "
        "to many different conjunctions of order n, this ameliorates the combinatorial explosion problem.”",
        claims=("siA4.codon-many", "siA4.ameliorates"),
    ),
    Statement(
        "SI A.4",
        "“Related ideas were subsequently adopted in several proposed architectures.”",
        reason="about the work of others",
    ),
    Statement(
        "SI A.4",
        "“A K-winner-take-all layer with sparse connectivity performed [similarly] to a layer of Marr's codon units.”",
        claims=("siA4.alike",),
    ),
    Statement(
        "SI A.4",
        "A K-winner layer with fixed symmetric binary weights before a K-winner module “would allow input patterns "
        "with a high degree of similarity to be further differentiated prior to storage”.",
        claims=("siA4.differentiated-*",),
    ),
    Statement(
        "SI A.4",
        "“The fixed return connections … would then allow the original highly overlapping patterns to be recovered”.",
        claims=("siA4.recovered-*",),
    ),
    Statement(
        "SI A.4",
        "“A further refinement of this scheme would allow slow learning in the lower layer”, with contrastive Hebbian "
        "learning.",
        reason="a proposal without results; what slow learning does is measured beyond the paper (stackS4)",
    ),
)
