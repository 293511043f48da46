"""What was found about the paper: ten findings, with the numbers of the run."""

from slotfree.paper.figures import after, fallback, figS5, small, tableS1, theorem1
from slotfree.paper.shared.transformers import BASELINE, PUBLISHED
from slotfree.paper.text import s2_random, s3_judges, si_a2_random, si_a2_theory
from slotfree.paper.text.si_b5_values_first import CONTRAST, STEPS_2L
from slotfree.paper.text.si_b_training import GRADIENTS_USED, RANGES
from slotfree.study.finding import Finding

FINDINGS = (
    Finding(
        "retention",
        "Spreading a memory over many units keeps older memories better, as the paper says: d' is higher by "
        "{fig4.older-100%} with full cues and by {fig4.older-50%} with half cues, means over the ages from 16 and 10 "
        "on.",
        "For the newest memory it is the other way round: the 1-winner MHN leads by {fig4.newest-100%} in d' at age 1 "
        "with full cues. d' as the paper defines it divides by the spread of the difference of two accuracies.",
        (*s2_random.OLDER.values(), *s2_random.NEWEST.values()),
        small.retention,
        "d' against memory age: the 1-winner MHN begins higher and falls below the K-winner MHN.",
    ),
    Finding(
        "detection",
        "With d' of signal detection, from the area under the ROC curve, the K-winner MHN leads for the newest "
        "memories, too: by {after.auc-newest-100%} at ages 1 to 10.",
        "A memory of the 1-winner MHN is either whole or lost. Where hardly any is lost the spread is small, which "
        "makes d' as the paper defines it large. The area counts how often a stored pattern is recalled better than "
        "one never stored, and each lost memory lowers it. Up to about age 4 both memories reach the most that samples "
        "of 20 runs can show. At ages 30 to 300 the lead is {after.auc-older-100%}.",
        (after.AUC["newest", 1.0], after.AUC["older", 1.0]),
        small.detection,
        "d' from the AUC against memory age: the K-winner MHN is above the 1-winner MHN at nearly all ages.",
    ),
    Finding(
        "near-perfect",
        "What the text calls near-perfect and a slight cost: with f = 0.1 the newest pattern is recalled with an "
        "accuracy of 0.91 with full and 0.88 with half cues, against 0.85 and 0.75 with f = 0.05 and 1 for the "
        "1-winner MHN.",
        "The order is as the paper says: f = 0.1 is higher by {figS2.initial-100%} and {figS2.initial-50%}. The "
        "K-winner MHN of the main text is lower than the 1-winner MHN by {fig4.initial-100%} and {fig4.initial-50%}.",
        (*si_a2_random.HIGHER.values(), *s2_random.INITIAL.values()),
        small.near_perfect,
        "Accuracy at age 1 of the 1-winner MHN, which is 1, and of K-winner MHNs with fan-in 0.1 and 0.05.",
    ),
    Finding(
        "similarities",
        "The similarities of patterns that the text names, 0.49, 0.28 and 0.17, are those of trees of 4,000 nodes. By "
        "SI A.3.1 the memories were trained on trees of 14,000 nodes; in such trees we measured {figS5.trained-5}, "
        "{figS5.trained-10} and {figS5.trained-15}.",
        "The comparison of the memories is not affected. Whoever builds on a level of similarity should take the "
        "measured numbers.",
        tuple(figS5.TRAINED.values()),
        small.similarities,
        "Mean similarity against flipped bits for trees of figure S5, which agree with print, and for trained trees.",
    ),
    Finding(
        "speed",
        "Transformers without slots learn the task, as the paper says. With the query-key rule and input projections "
        "the median run is perfect at iteration {fig7.qk-ip-within-1000}, {fig7.qk-faster-than-baseline-published} "
        "iterations before the baseline with the gradient of the authors' public code.",
        "These are medians; not every run is perfect. The QK model is faster than the baseline with each of the three "
        "gradients that are compared below.",
        (s3_judges.QK_WITHIN_1000, s3_judges.QK_FASTER[PUBLISHED], s3_judges.QK_FASTER[BASELINE]),
        small.speed,
        "Iteration at which each run becomes perfect: QK with projections first, then the baseline, then fixed keys.",
    ),
    Finding(
        "gradients",
        "The baseline's rows in tables S1 to S3 come from another gradient than the printed one, which gives "
        "{readings.gradients-used} where {readings.gradients-used:paper} is printed.",
        "In the authors' public code (ShaunakTheHedgehog/slot_free_neural_computation, commit bfbb614, "
        "slotfree_MHN_transformers/utils.py, lines 504 and 505) the softmax of the gradients is not scaled: softmax "
        "and inner ŷ have β = 1, and the error is that of the output with 1/√N. With the printed gradients the "
        "baseline is slower than fixed keys, not faster.",
        (*tableS1.CLAIMS[1:], GRADIENTS_USED, *s3_judges.FASTER_THAN_FIXED.values()),
        small.gradients,
        "Mean for equal letters in tables S1 to S3 by gradient: printed numbers lie on those with β = 1 in gradients.",
    ),
    Finding(
        "ranges",
        "The ranges in tables S1 to S3 are {tableS1.ranges-of-run-means}, {tableS2.ranges-of-run-means} and "
        "{tableS3.ranges-of-run-means} times the ranges of the means of ten runs, which the text defines.",
        "They are means over runs of the range within a run, as in the authors' public code "
        "(slotfree_MHN_transformers/mhn_tf.py, line 686): of these they are {tableS1.ranges-within-runs}, "
        "{tableS2.ranges-within-runs} and {tableS3.ranges-within-runs} times.",
        RANGES.judges,
        small.ranges,
        "Printed ranges as multiples of ours: far above 1 for ranges of run means, near 1 for ranges within runs.",
    ),
    Finding(
        "falls-back",
        "Why the MHN model falls back after it has learnt, which the paper leaves open: its rule aligns keys of "
        "letters that share a case, until items overwrite each other. From the peak to iteration 1000 the share of "
        "sequences whose queried item is gone rises by {fallback.collisions-after}.",
        "With W_K frozen at the peak, accuracy ends higher by {fallback.frozen-keys-better}.",
        (fallback.COLLISIONS, s3_judges.TENSION),
        small.falls_back,
        "Along training, accuracy of the MHN model rises and falls again while more queried items are overwritten.",
    ),
    Finding(
        "theorem-7",
        "Theorem 7, on W_V, holds for the transformer. Its slot-free model has n_h = C; W_HI as defined needs n_h ≥ "
        "2L. With 2L units right minus wrong output is {theorem2.contrast-2L}, not 1.",
        "Units without an item reinstate noise. At 0.9 of the printed limit of the step size no run converges there. "
        "For the transformer steps may be larger than printed. The theorem needs C < L: at C = L = 4, as in the "
        "experiments, its matrix A is singular.",
        (CONTRAST, STEPS_2L),
        small.theorem_7,
        "Right minus wrong output along training: it goes to 1 for the transformer, and stays below with 2L units.",
    ),
    Finding(
        "baseline-formula",
        "The formula for the baseline of the 1-winner MHN is that of infinitely many units: at the paper's size it "
        "overstates the excess over chance by a share of {theorem1.overstates-100%}.",
        "The exact expectation of the best overlap gives what is simulated, within {theorem1.grid-exact-baseline}. The "
        "stated order of the error does not hold where n_h grows exponentially with n_v.",
        (theorem1.OVERSTATED[1.0], si_a2_theory.ORDER, theorem1.EXACT_BASELINE),
        small.baseline_formula,
        "Baseline of the 1-winner MHN for full and half cues: simulation lies on exact theory, below the formula.",
    ),
)
