"""SI B.1 and B.2: data, models, training details."""

from slotfree.attention.measures import LEARNT
from slotfree.paper.figures import readings
from slotfree.paper.shared.similarity import KEYS
from slotfree.paper.shared.transformers import FIXED, FIXED_IP, Transformer, training
from slotfree.paper.text.s3_judges import FEWER_OVERWRITTEN, FIXED_IP_PERFECT, NEW_NEURONS
from slotfree.paper.text.si_b_training import CODE, FIXED_ALIGN
from slotfree.study import Judge, Results, defines, follows, less, more, says, section, slip, unjudged

BOTH = (FIXED, FIXED_IP)
LAWS = "tests/attention/test_slot_free_laws.py"
GRADIENTS = "tests/attention/test_gradients.py"
TASKS = "tests/tasks/test_case_sequence.py"
SETTINGS = "tests/paper/figures/test_readings.py::test_settings_are_the_printed_ones"


def lost(model: Transformer) -> Judge:
    """Some attention goes to units without an item."""

    def words(r: Results) -> str:
        before = readings.noise_of(model, readings.LOST, is_trained=False)(r).mean()
        return f"share of attention that goes to units without an item, {model.label} (before training {before:.2f})"

    return more(f"readings.noise-{model.name}", readings.noise_of(model, readings.LOST), 0, words)


NOISY_VERSION = says(
    "The vector x̃ may be viewed as a noisy version of the analogous vector Σ sm(x_qᵀ W_Qᵀ W_K x_i) x_i in a baseline "
    "transformer.",
    *(
        more(
            f"readings.noisy-version-{model.name}",
            readings.noise_of(model, readings.SAME),
            readings.noise_of(model, readings.OTHERS),
            f"correlation of x̃ with the transformer's, same sequence against others, {model.label}",
            paired=True,
        )
        for model in BOTH
    ),
)
AS_PRINTED = [
    less(
        f"readings.values-as-printed-{model.name}",
        readings.ends(experiment),
        readings.ends(training(model)),
        f"ending accuracy of {model.label}, W_VH updated as printed against replaced",
    )
    for model, experiment in readings.VALUES.items()
]
BY_VARIANCE = more(
    "readings.variance-fixed",
    readings.range_by_variance(),
    KEYS.rows[FIXED][3],
    f"off-diagonal range within a run of table S1, Fixed, if s is the variance; printed is {KEYS.rows[FIXED][3]:g}",
)

SENTENCES = section(
    "SI B.1",
    defines(
        "… each input item … is encoded as a one-hot vector of size 3L. The first, middle, and last L indices … "
        "correspond to lowercase, uppercase, and abstract probe versions of the letters …",
        f"{TASKS}::test_token_names",
    ),
    defines(
        "… all networks were trained on a version of the Case Sequence Task in which L = 4 … and the length of the "
        "context window was C = 4. … up to letter case, the four items in the context window were always a "
        "permutation of the first four letters …",
        SETTINGS,
    ),
    defines(
        "… a batch size of B = 64 was always used. All input sequences … were uniformly generated at random (from "
        "the set of all valid case sequences).",
        f"{TASKS}::test_every_sequence_is_equally_likely",
    ),
    "SI B.2.1",
    defines(
        "… k_t = W_K x_t … v_t = W_V x_t … a(t) = σ(W_HK k_t) … where σ denotes a hard 1-winner-take-all function …",
        f"{LAWS}::test_the_winner_takes_key_value_and_item_and_the_others_keep_theirs",
    ),
    defines(
        'Then, each entry in the three matrices of "fast weights" is updated in a Hebbian fashion: … These updates '
        "precisely correspond to those used in a 1-winner MHN (where … ε = 1).",
        f"{LAWS}::test_the_winner_takes_key_value_and_item_and_the_others_keep_theirs",
        note="As printed, those of W_HK and W_IH do; that of W_VH is the next entry.",
    ),
    slip(
        "… (W_VH)_li = (W_VH)_li + (a_i − (W_VH)_li) (v_t)_l …",
        "(W_VH)_li + ((v_t)_l − (W_VH)_li) a_i",
        "The equation exchanges a and v: as printed, each item moves all units' weights, and trained so the models "
        "end far below the printed accuracies. The main text says that the winner's column is replaced by the "
        f"value, and so does the authors' public code ({CODE}, mhn_tf.py, line 94).",
        *AS_PRINTED,
        held_by="tests/paper/figures/test_readings.py::test_the_printed_update_of_values_is_not_replacing",
    ),
    slip(
        "… at the query timestep …, the query probe x_t is linearly transformed to produce an embedded query "
        "vector q = W_Q x_q.",
        "the query probe x_q",
        "It is x_q in the equation of the same sentence.",
    ),
    NOISY_VERSION,
    says(
        "… a_q will be a slightly noisy version of the softmaxed attention vector obtained in a baseline "
        "transformer. … x̃ = W_IH a_q will result in a softmax-weighted sum of previously seen items x_t and n_h − "
        "C unfilled columns of W_IH that effectively constitute noise.",
        *map(lost, BOTH),
        note="“Slightly” is a share of {measured} after training, and more than half of the attention before it.",
    ),
    defines(
        "(… in the case where n_h = C and memory storage occurs with perfect fidelity, these computations coincide "
        "perfectly with those of the baseline transformer.)",
        f"{LAWS}::test_perfect_storage_is_softmax_attention",
        note="With those of a transformer with β = 1, as it is written there; the baseline of the results has β = "
        "1/√N.",
    ),
    defines(
        "The feedforward process undergone during the query timestep is temporally self-contained, so gradients "
        "can be backpropagated to W_Q and W_V without explicitly utilizing information from item representations "
        "at previous time steps …",
        f"{LAWS}::test_gradients_need_the_fast_weights_and_nothing_else_of_the_past",
    ),
    says(
        "We reasoned that such a model could indeed solve the task, given this model's similarity to the baseline "
        "transformer with fixed W_K.",
        FIXED_IP_PERFECT,
        note="With input projections.",
    ),
    follows(
        "… W_V W_IH closely mirrors the matrix V of values …; moreover, W_HK W_Q closely mirrors W_Kᵀ W_Q …",
        NOISY_VERSION,
    ),
    follows(
        "… it is theoretically possible for W_Qᵀ W_K to develop the same structure regardless of whether W_K is "
        "fixed, because W_Q can learn.",
        FIXED_ALIGN,
    ),
    says(
        "Similarly, we expected W_V to successfully learn, even when W_K was held fixed.",
        *(more(f"readings.values-learn-{model.name}", readings.values_learnt(model), 0) for model in BOTH),
    ),
    slip(
        "… we wished to investigate whether representations of letter case would successfully emerge within W_V (as in "
        "Fig. S9A) and whether the sub-blocks of W_Qᵀ W_K … would develop the same diagonal structure … (Fig. S9D).",
        "Fig. S9B and Fig. S9C",
        "By the captions, W_V is panel B and W_Qᵀ W_K is panel C. The sentence itself is a question.",
    ),
    "SI B.2.2",
    defines(
        "… ŷ_K = W_VH softmax(W_HK W_K x̃) … we use the Sum-Squared-Error (SSE) loss between ŷ_K and the ground "
        "truth label y … to compute the necessary gradient for W_K.",
        f"{GRADIENTS}::test_keys",
    ),
    slip(
        "… gradients are only backpropagated from the output ŷ to the reinstated input x̃ in order to update W_K.",
        "from the output ŷ_K",
        "The loss in the sentence before is that of ŷ_K.",
        held_by=f"{GRADIENTS}::test_keys",
    ),
    "SI B.2.3",
    defines(
        "ΔW_K ∝ (W_K x̃ − q) x̃ᵀ … This update precisely corresponds to the gradient arising from the "
        "squared-error loss between W_K x̃ and q.",
        f"{GRADIENTS}::test_keys",
    ),
    unjudged(
        "It also constitutes a biologically relevant learning rule, similar to Hebbian learning in that the update "
        'to each weight is local … suitable for "cue-based recall" task settings … For tasks that do not possess '
        "this structure, other learning rules may need to be considered.",
        "About the brain and about other tasks; locality is seen in the rule.",
    ),
    "SI B.2.4",
    defines(
        "W_HI … contains all possible one-hot item vectors … a(t) = σ(W_HK k_t + W_HI x_t) … W_HI x_t is a one-hot "
        "vector …",
        f"{LAWS}::test_with_projections_and_small_keys_each_letter_has_a_unit_of_its_own",
    ),
    says(
        "Because the context items … are pairwise distinct, having input projections makes it more likely for the "
        '"winning" hidden neuron … to be different from those hidden neurons that "won" at previous timesteps, '
        "thus preventing overwriting of existing memories.",
        NEW_NEURONS,
        *FEWER_OVERWRITTEN.values(),
        note="More likely, as it says, not certain: where keys of different letters become alike, items are "
        "overwritten in spite of projections.",
    ),
    "SI B.2.5",
    defines(
        "All models … were trained using vanilla batch gradient descent for 5000 iterations with B = 64 … a fixed "
        "learning rate … output O = 2 … newly generated batches … a separate set of fast weights … for each "
        "training sequence in each batch.",
        SETTINGS,
    ),
    slip(
        "For the baseline transformer, we initialized each entry in W_Q and W_K to be sampled iid from N(0, "
        "1/(4√N)) … For each of our proposed transformer variants, … from N(0, 1/√N) …",
        "standard deviations 1/(4√N) and 1/√N",
        "N(0, s) usually gives the variance. As a variance, s gives a wider range in table S1 than printed; and "
        f"the authors' public code multiplies standard normal numbers by s ({CODE}, baseline_tf.py, line 90, and "
        f"mhn_tf.py, line 229).",
        BY_VARIANCE,
        held_by="tests/attention/test_training.py::test_weights_before_training",
    ),
    defines(
        "W_V … Unif([0, 0.1)) … W_VH and W_IH … Unif([0, 1)) … W_HK … Unif([0, 0.5)) … with input projections … 0 "
        "… W_HI[0:2L, 0:2L] = I …",
        f"{LAWS}::test_fast_weights_before_a_sequence",
    ),
    slip(
        "… batch-averaged gradients for W_Q, W_K, and W_V were (manually) computed … and were subsequently used to "
        "perform one step of gradient descent.",
        "summed gradients, as in SI B.4",
        "Averaged, the steps are 64 times as small, and no model learns the task in 5000 of them: accuracies end "
        "at {measured}, mean over models. The authors' public code adds the gradients of the sequences up "
        f"({CODE}, utils.py, line 494).",
        less("readings.averaged-do-not-learn", readings.averaged_ends(), LEARNT),
    ),
    slip(
        "The resulting accuracies (resp. losses) for these outputs were averaged to produce a measurement of batch "
        "accuracy (resp. batch loss) … the batch loss … is given by Σ_b |ŷ(b) − y(b)|² …",
        "the loss that is reported is the mean over the batch; the sum is what is trained with",
        "The two sentences differ by a factor B; the authors' public code divides the loss that it records by the "
        f"batch size ({CODE}, baseline_tf.py, line 380).",
    ),
    defines(
        "… the … loss used for training W_Q and W_V is computed over the outputs ŷ_train … the loss and accuracy "
        "measures … that we report … are computed using the MHN outputs ŷ_val … accuracy … (1/B) Σ_b α_b.",
        "tests/attention/test_twin.py::test_gradients_of_slot_free_models",
    ),
    defines(
        "Training was performed with a fixed learning rate of 1e-3 and using N = 10 … 1e-3, N = 50, and n_h = 10 … "
        "5e-3 (for all three weight matrices), N = 50, and n_h = 16 … 5e-3 for W_Q and W_V, … 1e-4 for W_K, N = "
        "50, and n_h = 16.",
        SETTINGS,
    ),
    unjudged(
        "Hyperparameters … were selected as a result of preliminary experiments …",
        "How the settings were chosen.",
    ),
)
