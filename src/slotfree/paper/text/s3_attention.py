"""Sections 3 to 3.3.2: the task, the baseline transformer, and the transformers without slots; figures 5, 6 and S8."""

from slotfree.paper.shared.structure import QUERIES
from slotfree.paper.shared.transformers import PUBLISHED
from slotfree.paper.text.s3_judges import FEWER_OVERWRITTEN, NEW_NEURONS, OVERWRITTEN, PERFECT_BASELINE
from slotfree.paper.text.s3_results import SOLVED
from slotfree.paper.text.si_b_training import ENCODES_CASE, FIXED_ALIGN, KEYS_ALIGN, KEYS_APART, QUERIES_ALIGN
from slotfree.study.sentence import defines, follows, says, section, unjudged

TASK = "tests/tasks/test_case_sequence.py::"
GRADIENTS = "tests/attention/test_gradients.py::"
LAWS = "tests/attention/test_slot_free_laws.py::"
OWN = "tests/paper/test_diagrams.py::"
FAST_WEIGHTS_STAY = f"{OWN}test_slow_weights_stay_while_items_are_stored_and_fast_ones_at_the_query"

EXHIBITS = says(
    "Importantly, we find that the model attains perfect task accuracy and exhibits the query-key-value structure "
    "listed above.",
    PERFECT_BASELINE,
    ENCODES_CASE[PUBLISHED],
    *(QUERIES_ALIGN[PUBLISHED, block] for block in QUERIES),
    KEYS_ALIGN[PUBLISHED],
    KEYS_APART[PUBLISHED],
)
DISTINCT = says(
    "To prevent such interference, … preexisting connection weights that go directly from the input token layer to the "
    "hidden layer …; this helps in allocating distinct hidden neurons to represent distinct context items.",
    NEW_NEURONS,
    *FEWER_OVERWRITTEN.values(),
)

SENTENCES = section(
    "3",
    unjudged(
        "We now extend our study to modify a more complex neural architecture: the transformer. … use connection "
        "weights to store information about previous item representations, rather than explicitly maintaining "
        "distinct neural activity states … reframing the transformer architecture using a hetero-associative "
        '1-winner MHN model endowed with additional "item reinstatement" weights …',
        "What the section is about.",
    ),
    "3.1",
    defines(
        "… we construct a canonical in-context task which we call the Case Sequence Task … The instance of the "
        "letter type … is chosen independently with equal probability …",
        held_by=f"{TASK}test_every_sequence_is_equally_likely",
    ),
    defines(
        "… each token in the context window of length C is of a different abstract letter type … repeated "
        "occurrences of a letter (in either case) within the context window were not allowed.",
        held_by=f"{TASK}test_every_drawn_sequence_is_valid",
    ),
    defines(
        "The goal of the task is to output the case type of this particular letter. … the target output for "
        "'lowercase' and 'uppercase' were [1, 0] and [0, 1] …",
        held_by=f"{TASK}test_the_case_code_solves_the_task",
    ),
    follows(
        "… such a task encourages a model to keep track of letter identities as keys and queries and cases as "
        "values so that when the query probe is introduced, it is able to recall the case corresponding to the "
        "queried letter …",
        EXHIBITS,
    ),
    unjudged(
        "… any model that solves this task must learn not only to accurately represent the class membership of "
        "both the context letters and letter identity probes, but also to learn how to map tokens to their "
        "arbitrarily assigned cases.",
        "Follows from the task: tokens are one-hot and carry nothing else.",
    ),
    defines(
        "Unless otherwise stated, each of the results … describes model performance on the Case Sequence Task with "
        "L = C = 4.",
        held_by=f"{OWN}test_models_are_trained_as_printed",
    ),
    "3.2",
    follows('We first demonstrate that a "minimal" transformer model can solve the Case Sequence Task.', SOLVED),
    defines(
        "ŷ = Σ_t softmax(q^T k_t / √N) v_t … W_Q, W_K, and W_V are updated by minibatch gradient descent (with "
        "replacement) on the Sum-Squared Error (SSE) loss function …",
        held_by="tests/attention/test_twin.py::test_training_step_by_step",
        note="The baseline's rows of tables S1 to S3 come from another gradient (SI B.4).",
    ),
    "Figure 5, caption",
    defines(
        "The dot products between the embedded query q and the contextual keys k_t are computed, and the softmax "
        "of these values is computed by applying an exponential nonlinearity … and subsequently normalizing … The "
        "resulting attention scores are used to modulate the linear combination of the values v_t …",
        held_by=f"{OWN}test_attention_as_drawn_is_that_of_the_model",
    ),
    defines(
        "The supervisory training signal for gradient descent only arrives at this final output.",
        held_by=f"{GRADIENTS}test_exact_gradients_of_the_baseline_are_those_of_the_whole_loss",
    ),
    "3.2",
    follows(
        "Values encode case type. … we expect (after training) the column of W_V containing the vector W_V x_t to "
        "match either [1, 0] (lowercase) or [0, 1] (uppercase) …",
        EXHIBITS,
    ),
    follows(
        "Alignment between query and keys. … each entry (W_QᵀW_K)_ij for which row i and column j correspond to "
        "the same letter type would reasonably be expected to be higher than other non-letter-aligned entries.",
        EXHIBITS,
    ),
    follows(
        "Keys encode case-agnostic letter identity. … We expect a positive alignment between keys corresponding to "
        "the same letter type and non-alignment between keys for different letter types.",
        EXHIBITS,
    ),
    EXHIBITS,
    "3.3",
    defines(
        'Like the baseline transformer, our proposed MHN-based variants utilize the "slow-learning" weights W_Q, '
        "W_K, and W_V. … An MHN Module with Fast Weights. … Fast Weights for Item Reinstatement. … a "
        '"fast" Hebbian learning rule that has the effect of replacing a specific row of W_HK and the '
        "corresponding columns of W_VH, and W_IH by the current key, value, and item vector …",
        held_by=f"{LAWS}test_the_winner_takes_key_value_and_item_and_the_others_keep_theirs",
    ),
    unjudged(
        "We used Hebbian learning because it constitutes a biologically plausible learning mechanism … in "
        "accordance with the Complementary Learning Systems Theory …",
        "About the brain and the work of others.",
    ),
    defines(
        "Gradients propagate backward through the fast weights, but do not actually update these weights.",
        held_by=FAST_WEIGHTS_STAY,
    ),
    "Figure 6, caption",
    unjudged(
        'The item, key, and value representations are encoded into three separate sets of "fast" weights. … the '
        "yellow shaded rectangle depicts the 1-winner MHN module …",
        "Describes the model.",
    ),
    follows(
        'For some of our models, we incorporate an "input projection" matrix W_HI … that helps ensure a new hidden '
        "neuron is recruited to represent each new context item.",
        DISTINCT,
    ),
    defines("Throughout the context window, W_Q, W_K, and W_V remain fixed.", held_by=FAST_WEIGHTS_STAY),
    defines(
        "The buffer weights W_HK, W_VH, and W_IH are now held fixed, and a reinstated input x̃ is produced.",
        held_by=FAST_WEIGHTS_STAY,
    ),
    defines(
        "The output ŷ = W_V x̃ is used to backpropagate a signal … that is used to update W_Q and W_V; gradient "
        "outer products used to update W_V and W_Q are also shown in red …",
        held_by=f"{GRADIENTS}test_values_and_queries_of_slot_free_models",
    ),
    "3.3.1",
    follows(
        "… we chose to fix W_K at initialization …; we reasoned that W_QᵀW_K would still develop the same "
        "query-key similarity structure, because W_Q can learn.",
        FIXED_ALIGN,
    ),
    defines(
        "Training W_K via the MHN. … project the reinstated item vector x̃ through W_K and subsequently the "
        "hetero-associative MHN … Training W_K by query-key alignment. … a supervised delta rule … Applying one "
        "step of backpropagation, not through slots but rather layers of weights within just this time step, "
        "updates W_Q and W_V.",
        held_by=f"{LAWS}test_gradients_need_the_fast_weights_and_nothing_else_of_the_past",
    ),
    unjudged(
        '… such a learning rule is suitable for "cue-based recall" task settings … For tasks that do not possess '
        "this structure, other learning rules must be considered.",
        "About other tasks.",
    ),
    "Figure S8, caption",
    defines(
        "… it is projected through W_K to obtain a reinstated key. This key is then passed through the 1-winner "
        "MHN to produce an output, which is compared against the true target y to produce a gradient signal used "
        "to train W_K.",
        held_by=f"{GRADIENTS}test_keys",
    ),
    defines(
        "The reinstated vector x̃ is projected through W_K to obtain the output k̃, which is compared against the "
        "target q = W_Q x_q to produce a gradient signal used to update W_K.",
        held_by=f"{GRADIENTS}test_keys",
    ),
    "3.3.2",
    says(
        "One limitation of MHN-based storage is that the 1-winner-take-all mechanism may, on occasion, replace an "
        "existing key and value with those of a new item rather than recruiting a new hidden neuron …",
        *OVERWRITTEN.values(),
        note="“On occasion” is a share of {measured} of the items.",
    ),
    DISTINCT,
    unjudged(
        "We also remark that the role of these auxiliary weights may parallel certain biological mechanisms "
        "underlying memory storage. …",
        "About the brain.",
    ),
)
