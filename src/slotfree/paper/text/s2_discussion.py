"""Section 2.3: the family of K-winner MHNs."""

from slotfree.paper.text.s2_random import INITIAL, NEWEST, OLDER
from slotfree.paper.text.s2_structured import CLEAR, WORSE
from slotfree.paper.text.si_a2_random import HIGHER, INTERMEDIATE, ROBUST, SLOWER
from slotfree.paper.text.si_a3_trees import MORE_SIMILAR_MORE_GAIN
from slotfree.study.sentence import defines, says, section, unjudged

LOW_COST = says(
    "A K-winner MHN can have superior retention of older memories at a relatively low cost in its initial "
    "retrieval accuracy. With completely [unstructured] patterns, initial accuracy can be high enough that the "
    "initial cost is not a serious consideration.",
    *OLDER.values(),
    *INITIAL.values(),
    *NEWEST.values(),
    *INTERMEDIATE.values(),
    *HIGHER.values(),
    note="Judged is that there are this retention and this cost. The cost is {fig4.initial-100%} and "
    "{fig4.initial-50%} of accuracy with 100% and 50% cues, of which f = 0.1 saves {figS2.initial-100%} and "
    "{figS2.initial-50%}, and {fig4.newest-100%} and {fig4.newest-50%} in d' at age 1.",
)

SENTENCES = section(
    "2.3",
    unjudged(
        "Our goal in this section has been to begin to achieve convergence between conceptions of memory retrieval … "
        "This version of the MHN has similarities to earlier biologically inspired distributed memory models …",
        "An aim, and the work of others.",
    ),
    LOW_COST,
    says(
        "This advantage reflects, in part, the fact that the learning that occurs … is only a partial update. … Some "
        "of the retention advantage of the K-winner model can be captured in the 1-winner MHN by setting the learning "
        "rate ε to a value less than 1.",
        *SLOWER.values(),
        ROBUST,
    ),
    defines(
        "… so that each ‘memory neuron’ now stores traces of many memories, as in the K-winner model.",
        held_by="tests/paper/figures/test_fig3.py::test_units_hold_several_memories_unless_they_replace_them",
    ),
    says(
        "The advantage of the K-winner MHN over the original holds not only for random patterns but also for patterns "
        "with hierarchically structured similarity relationships, as long as the mean pattern overlap is not too high. "
        "At higher levels of similarity, the K-winner model's ability … falls below that of the original MHN.",
        CLEAR,
        WORSE,
    ),
    says("As similarity grows both models exhibit sensitivity to the shared structure.", *MORE_SIMILAR_MORE_GAIN),
    unjudged(
        "Our models could be extended by incorporating a preprocessing step that reduces input similarity … These "
        "initial explorations … open up a vast model space for future explorations.",
        "Left to the future; the preprocessing step is judged with SI A.4.",
    ),
)
