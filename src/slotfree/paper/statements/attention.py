"""Section 3: connection weight-based transformers."""

from slotfree.study.statement import Statement

HOW = "how the models and their data are made"

TASK = (
    Statement(
        "3",
        "We now extend our study to modify a more complex neural architecture: the transformer. … use connection "
        "weights to store information about previous item representations, rather than explicitly maintaining distinct "
        "neural activity states … reframing the transformer architecture using a hetero-associative 1-winner MHN model "
        'endowed with additional "item reinstatement" weights …',
        reason="what the section is about",
    ),
    Statement(
        "3.1",
        "… we construct a canonical in-context task which we call the Case Sequence Task … The instance of the letter "
        "type … is chosen independently with equal probability …",
        reason=f"{HOW}; figure 5 draws it",
    ),
    Statement(
        "3.1",
        "… such a task encourages a model to keep track of letter identities as keys and queries and cases as values "
        "so that when the query probe is introduced, it is able to recall the case corresponding to the queried letter "
        "…",
        claims=("figS9.values-encode-case", "figS9.aligned-*", "figS10.values-encode-case", "figS10.aligned-*"),
    ),
    Statement(
        "3.1",
        "… any model that solves this task must learn not only to accurately represent the class membership of both "
        "the context letters and letter identity probes, but also to learn how to map tokens to their arbitrarily "
        "assigned cases.",
        reason="follows from the task: tokens are one-hot and carry nothing else",
    ),
    Statement(
        "3.1",
        "Unless otherwise stated, each of the results … describes model performance on the Case Sequence Task with "
        "L = C = 4.",
        reason=HOW,
    ),
)

BASELINE = (
    Statement(
        "3.2",
        'We first demonstrate that a "minimal" transformer model can solve the Case Sequence Task.',
        claims=("fig7.perfect-baseline-published",),
    ),
    Statement(
        "3.2",
        "ŷ = Σ_t softmax(q^T k_t / √N) v_t … W_Q, W_K, and W_V are updated by minibatch gradient descent (with "
        "replacement) on the Sum-Squared Error (SSE) loss function …",
        reason=f"{HOW}; what the published gradients are is judged with SI B.4",
    ),
    Statement(
        "3.2, values",
        "Values encode case type. … we expect (after training) the column of W_V containing the vector W_V x_t to "
        "match either [1, 0] (lowercase) or [0, 1] (uppercase) …",
        claims=("figS9.values-encode-case", "figS10.values-encode-case"),
    ),
    Statement(
        "3.2, queries and keys",
        "Alignment between query and keys. … each entry (W_QᵀW_K)_ij for which row i and column j correspond to the "
        "same letter type would reasonably be expected to be higher than other non-letter-aligned entries.",
        claims=("figS9.aligned-query-*", "figS10.aligned-query-*"),
    ),
    Statement(
        "3.2, keys",
        "Keys encode case-agnostic letter identity. … We expect a positive alignment between keys corresponding to the "
        "same letter type and non-alignment between keys for different letter types.",
        claims=(
            *("figS9.aligned-key-key", "figS10.aligned-key-key"),
            *("figS9.largely-anti-correlated-keys", "figS10.largely-anti-correlated-keys"),
        ),
    ),
    Statement(
        "3.2",
        "Importantly, we find that the model attains perfect task accuracy and exhibits the query-key-value structure "
        "listed above.",
        claims=("fig7.perfect-baseline-published", "figS9.values-encode-case", "figS9.aligned-*"),
    ),
)

MODELS = (
    Statement(
        "3.3",
        'Like the baseline transformer, our proposed MHN-based variants utilize the "slow-learning" weights W_Q, W_K, '
        'and W_V. … An MHN Module with Fast Weights. … Fast Weights for Item Reinstatement. … a "fast" Hebbian '
        "learning rule that has the effect of replacing a specific row of W_HK and the corresponding columns of W_VH, "
        "and W_IH by the current key, value, and item vector …",
        reason=f"{HOW}; the equations of the rule are judged with SI B.2",
    ),
    Statement(
        "3.3",
        "Gradients propagate backward through the fast weights, but do not actually update these weights.",
        claims=("fig6.fast-fixed",),
    ),
    Statement(
        "3.3",
        "We used Hebbian learning because it constitutes a biologically plausible learning mechanism … in accordance "
        "with the Complementary Learning Systems Theory …",
        reason="about the brain and the work of others",
    ),
    Statement(
        "3.3.1",
        "… we chose to fix W_K at initialization …; we reasoned that W_QᵀW_K would still develop the same query-key "
        "similarity structure, because W_Q can learn.",
        claims=("tableS2.aligned-*", "tableS3.aligned-*"),
    ),
    Statement(
        "3.3.1",
        "Training W_K via the MHN. … project the reinstated item vector x̃ through W_K and subsequently the "
        "hetero-associative MHN … Training W_K by query-key alignment. … a supervised delta rule … Applying one step "
        "of backpropagation, not through slots but rather layers of weights within just this time step, updates W_Q "
        "and W_V.",
        reason=f"{HOW}; figures 6 and S8 draw it",
    ),
    Statement(
        "3.3.1",
        '… such a learning rule is suitable for "cue-based recall" task settings … For tasks that do not possess this '
        "structure, other learning rules must be considered.",
        reason="about other tasks",
    ),
    Statement(
        "3.3.2",
        "One limitation of MHN-based storage is that the 1-winner-take-all mechanism may, on occasion, replace an "
        "existing key and value with those of a new item rather than recruiting a new hidden neuron …",
        claims=("fig7.overwritten-*",),
    ),
    Statement(
        "3.3.2",
        "To prevent such interference, … preexisting connection weights that go directly from the input token layer to "
        "the hidden layer …; this helps in allocating distinct hidden neurons to represent distinct context items.",
        claims=("fig7.fewer-overwritten-*",),
    ),
    Statement(
        "3.3.2",
        "We also remark that the role of these auxiliary weights may parallel certain biological mechanisms underlying "
        "memory storage. …",
        reason="about the brain",
    ),
)

RESULTS = (
    Statement(
        "Figure 7, caption",
        "Average accuracies for 10 independent runs of each model over the last 1,000 training steps. Median "
        "accuracies … are shown as black bars. … with shading to indicate the minimum and maximum accuracies …",
        reason="describes the figure, which is drawn in the same way",
    ),
    Statement(
        "3.4",
        "The baseline model successfully solved the Case Sequence Task with 100% accuracy across all runs.",
        claims=("fig7.perfect-baseline-published",),
    ),
    Statement(
        "3.4",
        "… the addition of input projections boosts accuracy across each model type …",
        claims=("fig7.projections-*",),
    ),
    Statement(
        "3.4",
        "… meaning that it successfully allows new memories to be encoded in the MHN module without overwriting "
        "existing ones.",
        claims=("fig7.kept-fixed-ip", "fig7.kept-mhn-ip", "fig7.kept-qk-ip"),
    ),
    Statement(
        "3.4",
        "… the models without input projection, which attain accuracies of around 90% on the task …",
        claims=("fig7.around-90-*",),
    ),
    Statement(
        "3.4",
        "… the Fixed W_K-MHN-Transformer appears to more consistently attain higher ending accuracy.",
        claims=("fig7.fixed-higher-without", "fig7.fixed-consistent-without"),
    ),
    Statement(
        "3.4",
        "This indicates that the Fixed W_K-MHN-Transformer is already expressive enough to attain high task accuracy …",
        claims=("fig7.around-90-fixed", "fig7.fixed-ip-largely-perfect"),
    ),
    Statement(
        "3.4",
        "… however, fixing W_K comes at the cost of relevant semantic structure learned by the model.",
        claims=("tableS1.none-fixed", "tableS1.none-fixed-ip"),
    ),
    Statement(
        "3.4",
        "… fixing W_K to be a random matrix prevents the uppercase and lowercase key for any given letter type from "
        "developing meaningful correlations (as W_KᵀW_K is static).",
        claims=("fig7.unrelated-keys-*",),
    ),
    Statement(
        "3.4",
        "… the Fixed W_K-MHN-Transformer—when endowed with input projections—largely attains perfect accuracy at the "
        "end of training.",
        claims=("fig7.fixed-ip-largely-perfect",),
    ),
    Statement(
        "3.4",
        "Moreover, the QK-MHN-Transformer also attains perfect task accuracy, indicating that this model's approach "
        "for training W_K (in addition to W_Q and W_V) has not compromised on accuracy.",
        claims=("fig7.qk-ip-perfect",),
    ),
    Statement(
        "3.4",
        "… the QK-MHN-Transformer even realizes the desiderata listed in Section 3.2: the W_V matrix has learned to "
        "represent case, keys and queries corresponding to the same … letter type are aligned …, and keys "
        "corresponding to the same … letter type possess aligned … representations …",
        claims=("figS10.values-encode-case", "figS10.aligned-*"),
    ),
    Statement(
        "3.4",
        "… keys and queries corresponding to … different letter type are … anti-aligned, and keys corresponding to … "
        "different letter type possess … anti-aligned representations …",
        claims=("figS10.anti-aligned-*",),
    ),
    Statement(
        "3.4",
        "This largely matches with the structure learned by the baseline transformer …",
        claims=("figS10.matches-baseline",),
    ),
    Statement(
        "3.4",
        "Notably, the baseline transformer (shown in black) learns quickly compared to the Fixed W_K-MHN-Transformer "
        "and input projections …, illustrating that having a learnable W_K matrix can speed up learning.",
        claims=("fig7.baseline-faster-than-fixed",),
    ),
    Statement(
        "3.4",
        "However, the given QK-MHN-Transformer with input projections … learns more rapidly than the given baseline "
        "transformer …",
        claims=("fig7.qk-faster-than-baseline-published",),
    ),
    Statement(
        "3.4",
        "… sharply rising to perfect accuracy within 1,000 training iterations.",
        claims=("fig7.qk-ip-within-1000",),
    ),
    Statement(
        "3.4",
        "This suggests that training W_K by simply aligning the reinstated key vector … with the query representation "
        '… is an efficient "training bias" …',
        claims=("fig7.qk-ip-within-1000", "figS11.qk-quickest"),
    ),
    Statement(
        "3.4",
        "… the standard MHN-Transformer (i.e. with W_K learnable) and with input projections … results in a median "
        "accuracy that steeply rises to nearly 100% at the start of training …",
        claims=("fig7.mhn-rises",),
    ),
    Statement(
        "3.4",
        "… and appears to match the initial accuracy trajectory for the QK-MHN-Transformer with input projections …",
        claims=("fig7.mhn-matches-qk",),
    ),
    Statement(
        "3.4",
        "… but subsequently decreases and settles around 90%.",
        claims=("fig7.mhn-falls", "fig7.mhn-settles"),
    ),
    Statement(
        "3.4",
        "This trend appears to indicate a tension between training W_K and the pair of weights (W_Q, W_V) for this "
        "particular model, and remains to be further explored in future work.",
        claims=("fallback.frozen-keys-better",),
    ),
    Statement(
        "3.4",
        "Crucially, we find that in both models, W_V successfully learns representations of case before the expected "
        "structure begins to emerge for keys and queries …",
        claims=("figS12.values-before-*-baseline-published", "figS13.values-first"),
    ),
    Statement(
        "3.4",
        "… for the baseline transformer, the expected structure in W_KᵀW_K and W_QᵀW_K emerge in parallel once values "
        "have been learned …",
        claims=("figS12.together-baseline-published",),
    ),
    Statement(
        "3.4",
        "This indicates that once the values are learned, structure pertaining to keys and queries emerges through the "
        "same process.",
        reason="an interpretation of the statement before",
    ),
    Statement(
        "3.4",
        "In contrast, for the QK model, alignment between queries and corresponding keys in W_QᵀW_K emerges before "
        "uppercase-lowercase alignment of keys occurs in W_KᵀW_K …",
        claims=("figS13.keys-last",),
    ),
    Statement(
        "3.4",
        "… the learning dynamics for the QK model constitutes a staged process, with values first learning to encode "
        "case, then queries learning to align with keys, followed by uppercase and lowercase keys learning to align "
        "with one another.",
        claims=("figS13.values-first", "figS13.keys-last"),
    ),
)

ATTENTION: tuple[Statement, ...] = (*TASK, *BASELINE, *MODELS, *RESULTS)
