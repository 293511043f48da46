"""SI A.4: preprocessing that makes patterns less similar."""

from itertools import product

from slotfree.forgetting.protocol import CUES
from slotfree.paper.figures import siA4
from slotfree.paper.figures.siA4 import FLIPS, PLAIN, STACKED
from slotfree.paper.shared.codes import ALIKE
from slotfree.study import at_least, defines, judged, more, says, section, slip, unjudged

CONJUNCTIONS = "tests/paper/figures/test_siA4.py::test_conjunctions"
LAYER = "20,000 units, 2000 active"
LESS_INTERFERENCE = {
    (b, cue): more(
        f"siA4.less-interference-{b}-{cue:.0%}",
        siA4.discrimination(STACKED[b], cue),
        siA4.discrimination(PLAIN[b], cue),
        "chance that a stored leaf of age 1 to 300 is recalled better than one never stored, with and without a code "
        f"layer, b = {b}, {cue:.0%} cues",
        paired=True,
    )
    for b, cue in product(FLIPS, CUES)
}

SENTENCES = section(
    "SI A.4",
    says(
        "Pre-processing of inputs to a memory system could reduce their overlap by using a conjunctive coding scheme …",
        *(
            more(f"siA4.reduces-{name}", siA4.smallest_reduction(code), 0)
            for name, code in zip(("winners", "codons"), ALIKE, strict=True)
        ),
    ),
    says(
        "… allowing more patterns to be stored in the memory with less interference.",
        *LESS_INTERFERENCE.values(),
        note="With full cues it does so, by {siA4.less-interference-5-100%} and {siA4.less-interference-10-100%} for b "
        "= 5 and 10. With half cues it does not: half of a pattern has another code. For b = 10 the layer changes "
        "the chance by {siA4.less-interference-10-50%}; for b = 5 no difference is found.",
    ),
    defines(
        "Consider two pattern vectors o[f] length 6 with 3 active units each, but with 2/3 active elements in common. "
        "These patterns can be mapped to [a] new vector of length 15, where each unit represents each of the possible "
        "conjunctions of two active input units. In this representation, the patterns will only share 1 of 3 active "
        "elements in common.",
        held_by="tests/memory/test_stacked.py::test_conjunctions_of_the_worked_example",
    ),
    slip(
        "The number of n-wise conjuncts grows exponentially with the number of input elements",
        "as the n-th power of the number of input elements",
        "It is a binomial coefficient; conjunctions of all orders together would grow exponentially.",
        held_by=CONJUNCTIONS,
    ),
    defines(
        "Marr proposed a coding scheme in which the units (called ‘codons’) … each responds when n or more of its f "
        "connections are active. Because each codon now responds to many different conjunctions of order n, this "
        "ameliorates the combinatorial explosion problem.",
        held_by=CONJUNCTIONS,
    ),
    unjudged("Related ideas were subsequently adopted in several proposed architectures.", "The work of others."),
    says(
        "A K-winner-take-all layer with sparse connectivity performed [similarly] to a layer of Marr's codon units.",
        more(
            "siA4.alike",
            siA4.reduced_more_than_different(),
            0,
            lambda r: (
                f"codes of k winners and of codons, both 4.3% active, differ in similarity by up to "
                f"{siA4.largest_difference(r):.3f}: by how much more either reduces it, smallest at 10% to 90% shared "
                "ones"
            ),
        ),
    ),
    says(
        "If one such K-winner layer with fixed [symmetric] binary-valued bi-directional connection weights … provides "
        "the input to a second, K-winner module …, this would allow input patterns with a high degree of similarity to "
        "be further differentiated prior to storage.",
        *(
            more(
                f"siA4.differentiated-{b}",
                siA4.of_leaves(b, "before"),
                siA4.of_leaves(b, "after"),
                f"mean similarity of leaves, b = {b}, and of their codes, {LAYER}",
                paired=True,
            )
            for b in FLIPS
        ),
    ),
    says(
        "The fixed return connections … would then allow the original highly overlapping patterns to be recovered …",
        *(
            judged(
                f"siA4.recovered-{b}",
                siA4.of_leaves(b, "recovered"),
                at_least(0.995),
                f"share of the ones of leaves, b = {b}, that codes restore, {LAYER}",
            )
            for b in FLIPS
        ),
    ),
    unjudged(
        "A further refinement of this scheme would allow slow learning in the lower layer …",
        "A proposal without results; what slow learning does is measured beyond the paper (stackS4).",
    ),
)
