"""SI B.3 and B.4: what models learn, tables S1 to S3, gradients."""

import numpy as np

from slotfree.paper.figures import figS11, readings
from slotfree.paper.shared.emergence import periods
from slotfree.paper.shared.performance import SLOT_FREE, nearer
from slotfree.paper.shared.similarity import (
    KEYS,
    LOWER,
    TABLES,
    UPPER,
    Table,
    column,
    contrast,
    judge_ranges,
    mean_of,
    rounding,
)
from slotfree.paper.shared.structure import (
    QUERIES,
    encodes_case,
    keys_align,
    negative_keys,
    of_different_letters,
    queries_align,
    same_side,
)
from slotfree.paper.shared.transformers import (
    BASELINE,
    FIXED,
    FIXED_IP,
    MHN_IP,
    MORE,
    PUBLISHED,
    QK,
    QK_IP,
    RUNS,
    SEVEN,
    SHOWN,
    Transformer,
    training,
)
from slotfree.paper.text.s3_judges import PERFECT_BASELINE, QK_IP_PERFECT, TENSION
from slotfree.study import Judge, Results, below, less, more, printed, share_of_runs
from slotfree.study.sentence import Sentence, defines, follows, says, section, slip, unjudged

CODE = "ShaunakTheHedgehog/slot_free_neural_computation, commit bfbb614, slotfree_MHN_transformers"
BOTH = {"figS9": PUBLISHED, "figS10": QK_IP}  # the figures, and the models whose weights they show
STRONG, WITHOUT = (PUBLISHED, QK, QK_IP), (FIXED, FIXED_IP)

ENCODES_CASE = {model: share_of_runs(f"{item}.values-encode-case", encodes_case(model)) for item, model in BOTH.items()}
QUERIES_ALIGN = {
    (model, block): share_of_runs(
        f"{item}.aligned-{block}",
        queries_align(model, block),
        f"dot products of queries and {case} keys of equal letters exceed all others, {model.label}",
    )
    for item, model in BOTH.items()
    for block, case in QUERIES.items()
}
KEYS_ALIGN = {model: share_of_runs(f"{item}.aligned-key-key", keys_align(model)) for item, model in BOTH.items()}


def anti_aligned(item: str, model: Transformer, block: str, words: str) -> Judge:
    """Dot products of different letters are negative, mean of a run."""
    entries = of_different_letters(model, block)

    def what(r: Results) -> str:
        negative = entries(r) < 0
        every = f"all in {negative.all(axis=1).sum()} of {len(negative)} runs"
        return f"mean dot product of {words} of different letters, {model.label} ({negative.mean():.0%} < 0, {every})"

    return less(f"{item}.anti-aligned-{block}", lambda r: entries(r).mean(axis=1), 0, what)


QUERIES_APART = {
    (model, block): anti_aligned(item, model, block, f"queries and {case} keys")
    for item, model in BOTH.items()
    for block, case in QUERIES.items()
}
KEYS_APART = {model: anti_aligned(item, model, "key-key", "keys") for item, model in BOTH.items()}
LARGELY_APART = {
    model: more(f"{item}.largely-anti-correlated-keys", negative_keys(model), 0.5) for item, model in BOTH.items()
}
MATCHES_BASELINE = more("figS10.matches-baseline", same_side(QK_IP, PUBLISHED), 0.5)


def stages(name: str, model: Transformer, n: int) -> Judge:
    """The loss falls in n separate periods, in most runs."""

    def words(r: Results) -> str:
        pause = periods(model, n)(r).pause
        slowest = f"{np.nanmedian(pause):.0%} of their rate" if np.isfinite(pause).any() else "not there"
        return f"{n} periods in which the loss falls faster than between them ({slowest}, median), {model.label}"

    return share_of_runs(name, lambda r: periods(model, n)(r).are_separate, words)


def decreases(r: Results) -> str:
    """The decreases in loss that are called on par, in words."""
    mhn, qk = (np.median(figS11.decrease(model)(r)) for model in (MHN_IP, QK_IP))
    return (
        f"median decrease in loss until that of MHN, i.p. rises again ({mhn:.2f}; QK, i.p.: {qk:.2f}): how much nearer "
        "to QK, i.p. it is than the next model"
    )


TWO_DESCENTS = {
    PUBLISHED: stages("figS12.two-descents-baseline-published", PUBLISHED, 2),
    QK_IP: stages("figS13.two-descents", QK_IP, 2),
}


def means(table: Table) -> list[Judge]:
    """The printed means of a table, which agree with ours by the sampling error of all of them together."""
    found = []
    for model in SEVEN:
        row = table.rows[model]
        for name, value in (("on-mean", row[0]), ("off-mean", row[2])):
            found.append(
                printed(
                    f"{table.name}.{name}-{model.name}",
                    mean_of(table, model, name),
                    value,
                    f"{name.removesuffix('-mean')}-diagonal mean, {model.label}",
                    rounding=rounding(value),
                    spread=float(np.sqrt(MORE.get(model, RUNS) / SHOWN)),
                )
            )
    return found


def apart(table: Table, model: Transformer, word: str) -> Judge:
    """Entries of equal letters exceed those of different ones."""
    return more(
        f"{table.name}.{word}-{model.name}",
        column(table, model, "on-mean"),
        column(table, model, "off-mean"),
        f"mean dot product, equal letters against different ones, {model.label}",
        paired=True,
    )


RANGES = says(
    "… suppose that M_1, …, M_10 … are the similarity matrices produced across the 10 separate runs … We first compute "
    "the mean μ_i of the diagonal elements for each M_i. … the first two columns of each table … [illustrate] the mean "
    "and the range of the μ_i's … the third and fourth columns … the mean and the range of the ν_i's …",
    *(judge_ranges(table, "of run means", "ranges-of-run-means") for table in TABLES),
    note="Printed ranges are {measured} times those of the means of ten runs. They are the mean over runs of the range "
    "of the entries within a run, of which they are {tableS1.ranges-within-runs}, {tableS2.ranges-within-runs} and "
    f"{{tableS3.ranges-within-runs}} times, as in the authors' public code ({CODE}, mhn_tf.py, line 686).",
)
ENCODED = says(
    "First, for either model, W_V learns to represent the case types corresponding to the one-hot vectors for each "
    "specific letter …",
    *ENCODES_CASE.values(),
)
STRONGLY = says(
    "… each of the similarity matrices for both the baseline transformer and the Q-K transformer (both with and "
    "without input projections) show strongly positive on-diagonal activity relative to off-diagonal activity …",
    *(apart(table, model, "strong") for table in TABLES for model in STRONG),
)
FIXED_ALIGN = says(
    "While the Fixed W_K models (with and without input projections) show alignment of queries with both lowercase and "
    "uppercase keys …",
    *(apart(table, model, "aligned") for table in (LOWER, UPPER) for model in WITHOUT),
)
GRADIENTS_USED = printed(
    "readings.gradients-used",
    column(KEYS, BASELINE, "on-mean"),
    KEYS.rows[PUBLISHED][0],
    "on-diagonal mean of table S1, baseline trained with the printed gradients",
    rounding=rounding(KEYS.rows[PUBLISHED][0]),
    spread=float(np.sqrt(RUNS / SHOWN)),
)
SWAPPED_WORSE = more(
    "readings.swapped-worse",
    readings.ends(training(MHN_IP)),
    readings.ends(readings.SWAPPED),
    "ending accuracy of MHN, i.p., ŷ_K of W_K x̃ against ŷ_K of W_Q x̃",
)
EXACT = "tests/attention/test_gradients.py::test_exact_gradients_of_the_baseline_are_those_of_the_whole_loss"
SLOT_FREE_RULES = "tests/attention/test_gradients.py::test_values_and_queries_of_slot_free_models"


def captions(table: Table, what: str) -> tuple[Sentence, Sentence]:
    """The two sentences of a table: its means, and its ranges."""
    return (
        says(
            f"Mean … taken across 10 separate runs of each model type … of averaged on-diagonal and averaged "
            f"off-diagonal entries in the {what} similarity matrix … [seven numbers each]",
            *means(table),
            note="The row of the transformer is that of the gradient in the authors' public code (see SI B.4), not of "
            "the printed one.",
        ),
        follows(f"[The] range … of averaged … entries in the {what} similarity matrix … [seven numbers each]", RANGES),
    )


SENTENCES = section(
    "SI B.3.1",
    unjudged(
        "[Figures S9 and S10] Batch training accuracy over 5,000 gradient steps. … A heatmap across the columns of "
        "W_V … of query-key alignment in W_QᵀW_K … of key-key alignment in W_KᵀW_K.",
        "Describes the figures, which are drawn in the same way.",
    ),
    says(
        "As highlighted in the main text, both models attain perfect accuracy during training.",
        PERFECT_BASELINE,
        QK_IP_PERFECT,
    ),
    ENCODED,
    says(
        "… the query vector for a given letter type aligns with both the lowercase and uppercase keys for that "
        "letter type …",
        *QUERIES_ALIGN.values(),
    ),
    says(
        "… and is anti-correlated with keys for other letter types …",
        *QUERIES_APART.values(),
        note="In the mean; in the QK model some of these dot products are positive in most runs.",
    ),
    says(
        "… the keys for lowercase and uppercase versions of any particular letter are aligned …",
        *KEYS_ALIGN.values(),
    ),
    says(
        "… whereas keys corresponding to different letter types are largely anti-correlated …",
        *LARGELY_APART.values(),
    ),
    follows(
        "Overall, this set of figures confirms that both the baseline transformer and the QK-MHN-Transformer "
        "exhibit the requisite query-key-value structure.",
        ENCODED,
        "And from the sentences after it.",
    ),
    "SI B.3.2",
    unjudged(
        "… performing 10 independent training runs for each model type … we also kept track of the mean-squared "
        "error loss as well as certain key statistics …",
        "How the experiment was done.",
    ),
    slip(
        "… the uppercase-lowercase submatrix of W_Kᵀ W_K (i.e. the kind of matrix presented in Figs. S9C and "
        "S10C), as well as the submatrices of W_Qᵀ W_K … (… in the lower left of Figs. S9D and S10D).",
        "Figs. S9D and S10D, and S9C and S10C",
        "By the captions, panel C is W_Qᵀ W_K and panel D is W_Kᵀ W_K.",
    ),
    unjudged(
        "[Figure S11] … each measurement of final loss … is averaged over the last 1,000 batches of training. "
        "Median losses for each model are shown via horizontal black bars. …",
        "Describes the figure, which is drawn in the same way.",
    ),
    says(
        "… the baseline transformer, Fixed W_K model (with input projections), and Q-K transformer (with input "
        "projections) show the best training performance …",
        more("figS11.best-three", figS11.lead_of_best(), 0),
        note="The baseline and QK are best, but the losses of Fixed and of MHN, both with projections, cannot be "
        "told apart: their medians differ by {measured}, {low} to {high}.",
    ),
    says(
        "… with the Q-K model consistently attaining the lowest loss.",
        share_of_runs("figS11.qk-consistently", figS11.qk_lowest()),
    ),
    says(
        "… the Q-K transformer demonstrates an ability to more quickly learn than the other models.",
        more(
            "figS11.qk-quickest",
            figS11.lead_of_qk(),
            0,
            "median loss over the whole training, smallest of the six other models minus that of QK, i.p.",
        ),
    ),
    says(
        "… the loss curves for both the Q-K model as well as the baseline transformer exhibit multiple separate "
        "periods of descent …",
        *TWO_DESCENTS.values(),
    ),
    says(
        "… while model in which W_K is trained via the MHN (with input projections) initially exhibits a decrease "
        "in loss on par with that of the Q-K transformer …",
        more(
            "figS11.mhn-on-par-with-qk",
            nearer(figS11.decrease, MHN_IP, QK_IP, tuple(t for t in SLOT_FREE if t not in (MHN_IP, QK_IP))),
            0,
            decreases,
        ),
    ),
    says(
        '… it subsequently shows a "U-shaped" profile.',
        more("figS11.mhn-u-shape", figS11.rise_of_mhn(), 0),
    ),
    says(
        "Given that the Fixed W_K model (with input projections) demonstrates a smoothly decreasing loss curve …",
        less("figS11.fixed-decreasing", figS11.largest_change_of_fixed(), 0),
        share_of_runs("figS11.fixed-smooth", figS11.steps_of_fixed(), limits=below(0.5)),
    ),
    says(
        "… this suggests that the procedures for training W_K and for training W_Q and W_V may be hampering one "
        "another. This phenomenon remains to be explored in future work.",
        TENSION,
    ),
    RANGES,
    unjudged(
        "Given each of these three matrices is expected to show a clear diagonal structure for a model that "
        "successfully represents queries, keys, and values …, the tables … provide a trial-averaged summary …",
        "Why the tables are made.",
    ),
    STRONGLY,
    follows("… illustrating that these models have successfully learned to represent keys and queries.", STRONGLY),
    FIXED_ALIGN,
    says(
        "… we (predictably) observe that the uppercase key-lowercase key covariance shows no strong differences "
        "[between] on- and off-diagonal activity, consistent with the fact that W_K is randomly initialized in "
        "this case.",
        *(
            less(
                f"tableS1.none-{model.name}",
                contrast(KEYS, model),
                contrast(KEYS, PUBLISHED),
                f"on-diagonal minus off-diagonal mean, magnitude, {model.label} against the baseline",
            )
            for model in WITHOUT
        ),
    ),
    "Table S1",
    *captions(KEYS, "lowercase-uppercase key"),
    "Table S2",
    *captions(LOWER, "lowercase key-query"),
    "Table S3",
    *captions(UPPER, "uppercase key-query"),
    "SI B.4",
    says(
        "… we present the (manually computed) gradients for W_Q, W_K, and W_V that are used to update these "
        "weights in each model presented in the main text.",
        GRADIENTS_USED,
        note="Not for the baseline: the printed equations, which are exact, give {measured}, not {paper}. Its row "
        f"comes out ({{tableS1.on-mean-baseline-published}}) with the gradient of the authors' public code "
        f"({CODE}, utils.py, lines 504–505), which takes the unscaled softmax. With s = softmax(x_qᵀ W_Qᵀ W_K X) "
        "and ỹ = W_V X s, both at β = 1, and e = ŷ − y, where ŷ is the output at β = 1/√N: "
        "∂L/∂W_V = 2 e (X s)ᵀ, ∂L/∂W_K = Σ_i θ_i W_Q x_q x_iᵀ, ∂L/∂W_Q = Σ_i θ_i W_K x_i x_qᵀ, "
        "θ_i = 2 s_i eᵀ (W_V x_i − ỹ). Here ỹ is not ŷ: with ŷ in its place other numbers come out. slotfree has "
        'the exact gradient by default and this one as gradients="published".',
    ),
    defines(
        "… when training our models, gradients are summed for the training sequences across an entire mini-batch …",
        "tests/attention/test_training.py::test_averaged_gradients_are_summed_ones_with_rates_divided_by_the_batch_size",
    ),
    defines("[Baseline transformer] ∂L/∂W_V = 2 Σ_i s_i (ŷ − y) x_iᵀ", EXACT),
    slip(
        "[Baseline transformer] … = 2 Σ_{b=1}^B (ŷ − y) x̃ᵀ",
        "2 (ŷ − y) x̃ᵀ",
        "The equation is for a single sequence, and nothing in the sum depends on b: it is B = 64 times the gradient.",
    ),
    defines("∂L/∂W_K = Σ_i δ_K,i x_iᵀ … ∂L/∂W_Q = δ_Q x_qᵀ = Σ_i θ_Q,i W_K x_i x_qᵀ", EXACT),
    defines(
        "[Fixed W_K] ∂L/∂W_V = 2 (ŷ − y) x̃ᵀ … ∂L/∂W_Q = δ_Q x_qᵀ … δ_Q = 2 (ŷ − y)ᵀ Σ_m s_m (−ŷ + W_V (W_IH)_·,m) "
        "(W_HK)_m",
        SLOT_FREE_RULES,
    ),
    slip(
        "[Fixed W_K] Using the squared error loss … (where ŷ is given by Eq. [of the baseline transformer]) …",
        "ŷ = W_V W_IH softmax(W_HK W_Q x_q)",
        "The equations below it are the gradients of this output, not of the transformer's.",
        held_by=SLOT_FREE_RULES,
    ),
    defines(
        "[MHN-Transformer] ∂L_K/∂W_K = δ_K x̃ᵀ … δ_K = 2 (ŷ_K − y)ᵀ Σ_m s_K,m (−ŷ_K + (W_VH)_·,m) (W_HK)_m … "
        "s_K := softmax(W_HK W_K x̃)",
        "tests/attention/test_gradients.py::test_keys",
    ),
    slip(
        "[MHN-Transformer] … W_K is trained using the loss L_K := |ŷ_K − y|², where ŷ_K = W_VH softmax(W_HK W_Q x̃) …",
        "ŷ_K = W_VH softmax(W_HK W_K x̃), as in SI B.2.2",
        "As printed, the loss does not depend on W_K; trained so, the model ends at a lower accuracy; and the "
        f"authors' public code has W_K x̃ ({CODE}, utils.py, line 666).",
        SWAPPED_WORSE,
        held_by="tests/attention/test_gradients.py::test_keys",
    ),
    defines(
        "[QK-MHN-Transformer] ∂L_K/∂W_K = 2 (W_K x̃ − W_Q x_q) x̃ᵀ",
        "tests/attention/test_gradients.py::test_keys",
    ),
)
