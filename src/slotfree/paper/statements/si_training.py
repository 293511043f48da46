"""SI B.1 to B.5.1: data, models, training, tables, gradients, learning dynamics."""

from slotfree.study.statement import Statement

SEVEN = ("baseline-published", "fixed", "mhn", "qk", "fixed-ip", "mhn-ip", "qk-ip")
FIXED = ("fixed", "fixed-ip")
HOW = "how the models and their data are made"

DATA = (
    Statement(
        "SI B.1",
        "… each input item … is encoded as a one-hot vector of size 3L. The first, middle, and last L indices … "
        "correspond to lowercase, uppercase, and abstract probe versions of the letters …",
        reason=f"{HOW}: CaseSequenceTask has these tokens",
    ),
    Statement(
        "SI B.1",
        "… all networks were trained on a version of the Case Sequence Task in which L = 4 … and the length of the "
        "context window was C = 4. … up to letter case, the four items in the context window were always a permutation "
        "of the first four letters …",
        reason=f"{HOW}; it follows from L = C that all letters occur",
    ),
    Statement(
        "SI B.1",
        "… a batch size of B = 64 was always used. All input sequences … were uniformly generated at random (from the "
        "set of all valid case sequences).",
        reason=HOW,
    ),
)

FIXED_KEYS = (
    Statement(
        "SI B.2.1",
        "… k_t = W_K x_t … v_t = W_V x_t … a(t) = σ(W_HK k_t) … where σ denotes a hard 1-winner-take-all function …",
        reason=HOW,
    ),
    Statement(
        "SI B.2.1",
        'Then, each entry in the three matrices of "fast weights" is updated in a Hebbian fashion: … (W_VH)_li + (a_i '
        "− (W_VH)_li) (v_t)_l … These updates precisely correspond to those used in a 1-winner MHN (where … ε = 1).",
        claims=("readings.update-keys", "readings.update-values", "readings.update-items"),
    ),
    Statement(
        "SI B.2.1",
        "… (W_VH)_li = (W_VH)_li + (a_i − (W_VH)_li) (v_t)_l, as the update of the models whose results are shown",
        claims=tuple(f"readings.printed-values-{name}" for name in ("fixed-ip", "mhn-ip", "qk-ip")),
    ),
    Statement(
        "SI B.2.1",
        "The vector x̃ may be viewed as a noisy version of the analogous vector Σ sm(x_qᵀ W_Qᵀ W_K x_i) x_i in a "
        "baseline transformer.",
        claims=tuple(f"readings.noisy-version-{name}" for name in FIXED),
    ),
    Statement(
        "SI B.2.1",
        "… a_q will be a slightly noisy version of the softmaxed attention vector obtained in a baseline transformer. "
        "… x̃ = W_IH a_q will result in a softmax-weighted sum of previously seen items x_t and n_h − C unfilled "
        "columns of W_IH that effectively constitute noise.",
        claims=tuple(f"readings.noise-{name}" for name in FIXED),
    ),
    Statement(
        "SI B.2.1",
        "(… in the case where n_h = C and memory storage occurs with perfect fidelity, these computations coincide "
        "perfectly with those of the baseline transformer.)",
        claims=("readings.coincide-beta1", "readings.coincide-baseline"),
    ),
    Statement(
        "SI B.2.1",
        "The feedforward process undergone during the query timestep is temporally self-contained, so gradients can be "
        "backpropagated to W_Q and W_V without explicitly utilizing information from item representations at previous "
        "time steps …",
        claims=("readings.gradient-slot-free-v", "readings.gradient-slot-free-q"),
    ),
    Statement(
        "SI B.2.1",
        "We reasoned that such a model could indeed solve the task, given this model's similarity to the baseline "
        "transformer with fixed W_K.",
        claims=("fig7.fixed-ip-largely-perfect",),
    ),
    Statement(
        "SI B.2.1",
        "… W_V W_IH closely mirrors the matrix V of values …; moreover, W_HK W_Q closely mirrors W_Kᵀ W_Q …",
        claims=tuple(f"readings.noisy-version-{name}" for name in FIXED),
    ),
    Statement(
        "SI B.2.1",
        "… it is theoretically possible for W_Qᵀ W_K to develop the same structure regardless of whether W_K is fixed, "
        "because W_Q can learn.",
        claims=tuple(f"tableS{number}.aligned-{name}" for number in (2, 3) for name in FIXED),
    ),
    Statement(
        "SI B.2.1",
        "Similarly, we expected W_V to successfully learn, even when W_K was held fixed.",
        claims=tuple(f"readings.values-learn-{name}" for name in FIXED),
    ),
    Statement(
        "SI B.2.1",
        "… we wished to investigate whether representations of letter case would successfully emerge within W_V (as in "
        "Fig. S9A) and whether the sub-blocks of W_Qᵀ W_K … would develop the same diagonal structure … (Fig. S9D).",
        reason="a question; by the captions, W_V is panel B there and W_Qᵀ W_K is panel C",
    ),
)

LEARNT_KEYS = (
    Statement(
        "SI B.2.2",
        "… ŷ_K = W_VH softmax(W_HK W_K x̃) … we use the Sum-Squared-Error (SSE) loss between ŷ_K and the ground truth "
        "label y … to compute the necessary gradient for W_K. … gradients are only backpropagated from the output ŷ to "
        "the reinstated input x̃ …",
        claims=("readings.gradient-mhn-k",),
    ),
    Statement(
        "SI B.2.3",
        "ΔW_K ∝ (W_K x̃ − q) x̃ᵀ … This update precisely corresponds to the gradient arising from the squared-error "
        "loss between W_K x̃ and q.",
        claims=("readings.gradient-qk-k", "figS8.alignment-gradient"),
    ),
    Statement(
        "SI B.2.3",
        "It also constitutes a biologically relevant learning rule, similar to Hebbian learning in that the update to "
        'each weight is local … suitable for "cue-based recall" task settings … For tasks that do not possess this '
        "structure, other learning rules may need to be considered.",
        reason="about the brain and about other tasks; locality is seen in the rule",
    ),
    Statement(
        "SI B.2.4",
        "W_HI … contains all possible one-hot item vectors … a(t) = σ(W_HK k_t + W_HI x_t) … W_HI x_t is a one-hot "
        "vector …",
        reason=HOW,
    ),
    Statement(
        "SI B.2.4",
        "Because the context items … are pairwise distinct, having input projections makes it more likely for the "
        '"winning" hidden neuron … to be different from those hidden neurons that "won" at previous timesteps …',
        claims=("fig7.fewer-overwritten-*", "fig6.projections"),
    ),
    Statement(
        "SI B.2.4",
        "… thus preventing overwriting of existing memories.",
        claims=("fig7.kept-*",),
    ),
)

TRAINING_DETAILS = (
    Statement(
        "SI B.2.5",
        "All models … were trained using vanilla batch gradient descent for 5000 iterations with B = 64 … a fixed "
        "learning rate … output O = 2 … newly generated batches … a separate set of fast weights … for each training "
        "sequence in each batch.",
        reason=f"{HOW}; with these settings the printed numbers come out (tables S1 to S3)",
    ),
    Statement(
        "SI B.2.5",
        "For the baseline transformer, we initialized each entry in W_Q and W_K to be sampled iid from N(0, 1/(4√N)) … "
        "For each of our proposed transformer variants, … from N(0, 1/√N) …",
        claims=("readings.variance-baseline", "readings.variance-fixed", "readings.variance-fixed-ip"),
    ),
    Statement(
        "SI B.2.5",
        "W_V … Unif([0, 0.1)) … W_VH and W_IH … Unif([0, 1)) … W_HK … Unif([0, 0.5)) … with input projections … 0 … "
        "W_HI[0:2L, 0:2L] = I …",
        reason=HOW,
    ),
    Statement(
        "SI B.2.5",
        "… batch-averaged gradients for W_Q, W_K, and W_V were (manually) computed … and were subsequently used to "
        "perform one step of gradient descent.",
        claims=tuple(f"readings.averaged-{name}" for name in SEVEN),
    ),
    Statement(
        "SI B.2.5",
        "The resulting accuracies (resp. losses) for these outputs were averaged to produce a measurement of batch "
        "accuracy (resp. batch loss) … the batch loss … is given by Σ_b |ŷ(b) − y(b)|² …",
        reason="two definitions of the reported loss, a mean and a sum, and no printed loss that would tell them "
        "apart; ours is the mean",
    ),
    Statement(
        "SI B.2.5",
        "… the loss used for training W_Q and W_V is computed over the outputs ŷ_train … the loss and accuracy "
        "measures … that we report … are computed using the MHN outputs ŷ_val … accuracy … (1/B) Σ_b α_b.",
        reason=HOW,
    ),
    Statement(
        "SI B.2.5",
        "Training was performed with a fixed learning rate of 1e-3 and using N = 10 … 1e-3, N = 50, and n_h = 10 … "
        "5e-3 (for all three weight matrices), N = 50, and n_h = 16 … 5e-3 for W_Q and W_V, … 1e-4 for W_K, N = 50, "
        "and n_h = 16.",
        claims=tuple(f"tableS{number}.{column}-mean-*" for number in (1, 2, 3) for column in ("on", "off")),
    ),
    Statement(
        "SI B.2.5",
        "Hyperparameters … were selected as a result of preliminary experiments …",
        reason="how the settings were chosen",
    ),
)

MODELS = (*FIXED_KEYS, *LEARNT_KEYS, *TRAINING_DETAILS)

TABLES = (
    Statement(
        "SI B.3.2",
        "… the uppercase-lowercase submatrix of W_Kᵀ W_K (i.e. the kind of matrix presented in Figs. S9C and S10C), as "
        "well as the submatrices of W_Qᵀ W_K … (… in the lower left of Figs. S9D and S10D).",
        reason="what is tabulated; panels are exchanged: by the captions, C is W_Qᵀ W_K and D is W_Kᵀ W_K",
    ),
    Statement(
        "SI B.3.2 and tables S1 to S3, captions",
        "… suppose that M_1, …, M_10 … are the similarity matrices produced across the 10 separate runs … We first "
        "compute the mean μ_i of the diagonal elements for each M_i. … the first two columns of each table … "
        "[illustrate] the mean and the range of the μ_i's … the third and fourth columns … the mean and the range of "
        "the ν_i's …",
        claims=tuple(f"tableS{number}.ranges-of-run-means" for number in (1, 2, 3)),
    ),
    *(
        Statement(
            f"Table S{number}",
            f"{words} across 10 separate runs: the seven numbers of each column",
            claims=(f"tableS{number}.on-{words.lower()}-*", f"tableS{number}.off-{words.lower()}-*"),
        )
        for number in (1, 2, 3)
        for words in ("Mean", "Range")
    ),
    Statement(
        "SI B.3.2",
        "Given each of these three matrices is expected to show a clear diagonal structure for a model that "
        "successfully represents queries, keys, and values …, the tables … provide a trial-averaged summary …",
        reason="why the tables are made",
    ),
    Statement(
        "SI B.3.2",
        "… each of the similarity matrices for both the baseline transformer and the Q-K transformer (both with and "
        "without input projections) show strongly positive on-diagonal activity relative to off-diagonal activity …",
        claims=tuple(f"tableS{number}.strong-*" for number in (1, 2, 3)),
    ),
    Statement(
        "SI B.3.2",
        "… illustrating that these models have successfully learned to represent keys and queries.",
        claims=tuple(f"tableS{number}.strong-*" for number in (1, 2, 3)),
    ),
    Statement(
        "SI B.3.2",
        "While the Fixed W_K models (with and without input projections) show alignment of queries with both lowercase "
        "and uppercase keys …",
        claims=("tableS2.aligned-*", "tableS3.aligned-*"),
    ),
    Statement(
        "SI B.3.2",
        "… we (predictably) observe that the uppercase key-lowercase key covariance shows no strong differences "
        "between on- and off-diagonal activity, consistent with the fact that W_K is randomly initialized in this "
        "case.",
        claims=("tableS1.none-*",),
    ),
)

GRADIENTS = (
    Statement(
        "SI B.4",
        "… we present the (manually computed) gradients for W_Q, W_K, and W_V that are used to update these weights in "
        "each model presented in the main text.",
        claims=("readings.gradients-used",),
    ),
    Statement(
        "SI B.4",
        "… when training our models, gradients are summed for the training sequences across an entire mini-batch …",
        claims=tuple(f"tableS{number}.{column}-mean-*" for number in (1, 2, 3) for column in ("on", "off")),
    ),
    Statement(
        "SI B.4, baseline transformer",
        "∂L/∂W_V = 2 Σ_i s_i (ŷ − y) x_iᵀ = 2 Σ_{b=1}^B (ŷ − y) x̃ᵀ",
        claims=("readings.gradient-baseline-v", "readings.gradient-baseline-v-batch"),
    ),
    Statement(
        "SI B.4, baseline transformer",
        "∂L/∂W_K = Σ_i δ_K,i x_iᵀ … ∂L/∂W_Q = δ_Q x_qᵀ = Σ_i θ_Q,i W_K x_i x_qᵀ",
        claims=("readings.gradient-baseline-k", "readings.gradient-baseline-q"),
    ),
    Statement(
        "SI B.4, fixed W_K",
        "∂L/∂W_V = 2 (ŷ − y) x̃ᵀ … ∂L/∂W_Q = δ_Q x_qᵀ … δ_Q = 2 (ŷ − y)ᵀ Σ_m s_m (−ŷ + W_V (W_IH)_·,m) (W_HK)_m",
        claims=("readings.gradient-slot-free-v", "readings.gradient-slot-free-q"),
    ),
    Statement(
        "SI B.4, fixed W_K",
        "Using the squared error loss … (where ŷ is given by Eq. [of the baseline transformer]) …",
        claims=("readings.gradient-slot-free-q-eq",),
    ),
    Statement(
        "SI B.4, MHN-Transformer",
        "∂L_K/∂W_K = δ_K x̃ᵀ … δ_K = 2 (ŷ_K − y)ᵀ Σ_m s_K,m (−ŷ_K + (W_VH)_·,m) (W_HK)_m … s_K := softmax(W_HK W_K x̃)",
        claims=("readings.gradient-mhn-k",),
    ),
    Statement(
        "SI B.4, MHN-Transformer",
        "… W_K is trained using the loss L_K := |ŷ_K − y|², where ŷ_K = W_VH softmax(W_HK W_Q x̃) …",
        claims=("readings.gradient-mhn-k-printed", "readings.swapped-mhn-ip"),
    ),
    Statement(
        "SI B.4, QK-MHN-Transformer",
        "∂L_K/∂W_K = 2 (W_K x̃ − W_Q x_q) x̃ᵀ",
        claims=("readings.gradient-qk-k",),
    ),
)

FIGURES = (
    Statement(
        "Figures S9 and S10, captions",
        "Batch training accuracy over 5,000 gradient steps. … A heatmap across the columns of W_V … of query-key "
        "alignment in W_QᵀW_K … of key-key alignment in W_KᵀW_K.",
        reason="describes the figures, which are drawn in the same way",
    ),
    Statement(
        "SI B.3.1",
        "As highlighted in the main text, both models attain perfect accuracy during training.",
        claims=("fig7.perfect-baseline-published", "fig7.qk-ip-perfect"),
    ),
    Statement(
        "SI B.3.1",
        "First, for either model, W_V learns to represent the case types corresponding to the one-hot vectors for each "
        "specific letter …",
        claims=("figS9.values-encode-case", "figS10.values-encode-case"),
    ),
    Statement(
        "SI B.3.1",
        "… the query vector for a given letter type aligns with both the lowercase and uppercase keys for that letter "
        "type …",
        claims=("figS9.aligned-query-*", "figS10.aligned-query-*"),
    ),
    Statement(
        "SI B.3.1",
        "… and is anti-correlated with keys for other letter types …",
        claims=("figS9.anti-aligned-query-*", "figS10.anti-aligned-query-*"),
    ),
    Statement(
        "SI B.3.1",
        "… the keys for lowercase and uppercase versions of any particular letter are aligned …",
        claims=("figS9.aligned-key-key", "figS10.aligned-key-key"),
    ),
    Statement(
        "SI B.3.1",
        "… whereas keys corresponding to different letter types are largely anti-correlated …",
        claims=("figS9.largely-anti-correlated-keys", "figS10.largely-anti-correlated-keys"),
    ),
    Statement(
        "SI B.3.1",
        "Overall, this set of figures confirms that both the baseline transformer and the QK-MHN-Transformer exhibit "
        "the requisite query-key-value structure.",
        claims=("figS9.values-encode-case", "figS9.aligned-*", "figS9.anti-aligned-key-key", "figS10.matches-baseline"),
    ),
    Statement(
        "SI B.3.2",
        "… performing 10 independent training runs for each model type … we also kept track of the mean-squared error "
        "loss as well as certain key statistics …",
        reason="how the experiment was done",
    ),
    Statement(
        "Figure S11, caption",
        "… each measurement of final loss … is averaged over the last 1,000 batches of training. Median losses for "
        "each model are shown via horizontal black bars. …",
        reason="describes the figure, which is drawn in the same way",
    ),
    Statement(
        "SI B.3.2",
        "… the baseline transformer, Fixed W_K model (with input projections), and Q-K transformer (with input "
        "projections) show the best training performance …",
        claims=("figS11.best-three",),
    ),
    Statement(
        "SI B.3.2",
        "… with the Q-K model consistently attaining the lowest loss.",
        claims=(
            "figS11.qk-consistently",
            *(
                f"figS11.qk-lowest-{name}"
                for name in ("baseline-published", "fixed", "mhn", "qk", "fixed-ip", "mhn-ip")
            ),
        ),
    ),
    Statement(
        "SI B.3.2",
        "… the Q-K transformer demonstrates an ability to more quickly learn than the other models.",
        claims=("figS11.qk-quickest",),
    ),
    Statement(
        "SI B.3.2",
        "… the loss curves for both the Q-K model as well as the baseline transformer exhibit multiple separate "
        "periods of descent …",
        claims=("figS12.two-descents-baseline-published", "figS13.two-descents"),
    ),
    Statement(
        "SI B.3.2",
        "… while model in which W_K is trained via the MHN (with input projections) initially exhibits a decrease in "
        "loss on par with that of the Q-K transformer …",
        claims=("figS11.mhn-on-par-with-qk",),
    ),
    Statement(
        "SI B.3.2",
        '… it subsequently shows a "U-shaped" profile.',
        claims=("figS11.mhn-u-shape",),
    ),
    Statement(
        "SI B.3.2",
        "Given that the Fixed W_K model (with input projections) demonstrates a smoothly decreasing loss curve …",
        claims=("figS11.fixed-decreasing", "figS11.fixed-smooth"),
    ),
    Statement(
        "SI B.3.2",
        "… this suggests that the procedures for training W_K and for training W_Q and W_V may be hampering one "
        "another. This phenomenon remains to be explored in future work.",
        claims=("fallback.frozen-keys-better",),
    ),
)

DYNAMICS = (
    Statement(
        "SI B.5.1",
        "… both models' accuracy steadily climb to 100% …",
        claims=("figS12.steady", "figS13.steady", "fig7.perfect-baseline-published", "fig7.qk-ip-perfect"),
    ),
    Statement(
        "SI B.5.1",
        "… although the QK-MHN-Transformer achieves perfect accuracy sooner in training …",
        claims=("fig7.qk-faster-than-baseline-published",),
    ),
    Statement(
        "SI B.5.1",
        "… the batch MSE loss for baseline transformer exhibits a two periods of descent with a period of stagnation "
        "in between …",
        claims=("figS12.two-descents-baseline-published",),
    ),
    Statement(
        "SI B.5.1",
        "… whereas the QK-MHN-Transformer appears to show multiple stages of descent in succession …",
        claims=("figS13.two-descents",),
    ),
    Statement(
        "SI B.5.1",
        "Across both models, we find that representation of case robustly emerges … before representations of letter "
        "identity and alignment of queries and keys are learned.",
        claims=("figS12.values-before-*-baseline-published", "figS13.values-first"),
    ),
    Statement(
        "SI B.5.1",
        "The learning of the entries in W_V appear to loosely correspond to the first descent periods of either "
        "model's loss curve.",
        claims=("figS12.values-in-first-descent", "figS13.values-in-first-descent"),
    ),
    Statement(
        "SI B.5.1",
        "The baseline transformer subsequently undergoes a period … in which the loss appears to stagnate, during "
        "which case representations in W_V grow stronger (and more differentiated) …",
        claims=("figS12.values-grow-meanwhile",),
    ),
    Statement(
        "SI B.5.1",
        "… while entries in W_KᵀW_K and W_QᵀW_K exhibit no discernible structure.",
        claims=("figS12.nothing-else-*",),
    ),
    Statement(
        "SI B.5.1",
        "Eventually, however, the requisite structure in these matrices begins to appear in parallel … (see … "
        "Iteration 900 …).",
        claims=("figS12.together-baseline-published", "figS12.present-at-900"),
    ),
    Statement(
        "SI B.5.1",
        "… which appears to correlate with the loss decreasing for a second time …",
        claims=("figS12.structure-with-second-descent",),
    ),
    Statement(
        "SI B.5.1",
        "By Iteration 1200 of this run, representations of letter identity and alignment between queries and keys have "
        "grown strong.",
        claims=("figS12.strong-at-1200",),
    ),
    Statement(
        "SI B.5.1",
        "… while case representations emerge early in training, it takes much longer (relatively) for representations "
        "of letter and query-key alignment to occur.",
        claims=("figS12.values-before-*-baseline-published",),
    ),
    Statement(
        "SI B.5.1",
        "In the QK-MHN-Transformer, after W_V learns representations of case, the model successfully learns to align "
        "queries with their respective keys … (see Iteration 600 …).",
        claims=("figS13.values-first", "figS13.present-at-600"),
    ),
    Statement(
        "SI B.5.1",
        "… even before uppercase-lowercase key alignment occurs (see Iteration 600 …). During this period in which "
        "only structure in W_QᵀW_K emerges …",
        claims=("figS13.keys-last", "figS13.nothing-else-at-600"),
    ),
    Statement(
        "SI B.5.1",
        "… the model loss appears to exhibit a second period of descent (see Iterations ~300-600 …). … matched by a "
        "third period of descent in the model loss (see Iterations ~600-1000 …).",
        claims=("figS13.descent-300-600", "figS13.descent-600-1000", "figS13.three-descents"),
    ),
    Statement(
        "SI B.5.1",
        "Following the learning of query-key alignment, the model then begins to learn representations of letter "
        "identity … (see … Iteration 1000 …).",
        claims=("figS13.keys-last", "figS13.present-at-1000"),
    ),
    Statement(
        "SI B.5.1",
        "Finally, by Iteration 1600 of this run, the requisite structure across all three matrices has grown strong.",
        claims=("figS13.present-at-1600", "figS13.strong-at-1600"),
    ),
    Statement(
        "SI B.5.1",
        "Thus, we find that the QK-MHN-Transformer undergoes a stage-like learning process in which representations of "
        "case are learned first, followed by alignment between queries and their respective keys, which is finally "
        "followed by the learning of case-agnostic letter identity.",
        claims=("figS13.values-first", "figS13.keys-last"),
    ),
    Statement(
        "SI B.5.1",
        "… both models ultimately achieve the same computational goals—in the sense that they both solve the Case "
        "Sequence task and learn to exhibit the same structure in the matrices …",
        claims=("fig7.perfect-baseline-published", "fig7.qk-ip-perfect", "figS10.matches-baseline"),
    ),
    Statement(
        "SI B.5.1",
        "It is certainly true that the entries of W_V are learned in a similar manner across both models. However, "
        "learning of the information in the other two matrices occurs in a different manner for either model.",
        claims=(
            *("figS12.values-before-*-baseline-published", "figS13.values-first"),
            *("figS12.together-baseline-published", "figS13.keys-last"),
        ),
    ),
    Statement(
        "SI B.5.1",
        "This warrants further theoretical analysis into how either model learns the given task structure.",
        reason="left to the future",
    ),
)

TRAINING: tuple[Statement, ...] = (*DATA, *MODELS, *FIGURES, *TABLES, *GRADIENTS, *DYNAMICS)
