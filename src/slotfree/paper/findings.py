"""What was found about the paper, in about ten lines; numbers are those of the run, by the ids of their claims."""

from slotfree.study.finding import Finding

TABLES = ("tableS1", "tableS2", "tableS3")


def in_tables(words: str, cell: str) -> tuple[str, ...]:
    """A row of a table with a column for each of the tables S1 to S3."""
    return (words, *(cell.replace("table.", f"{table}.") for table in TABLES))


FINDINGS = (
    Finding(
        "Spreading a memory over many units keeps older memories better, as the paper says: d' is higher by "
        "{fig4.older-100%} with full cues and by {fig4.older-50%} with half cues, mean over ages.",
        "For the newest memory it is the other way round, and where patterns are much alike (b = 5) the 1-winner MHN "
        "has the higher d', mean over all ages. Where “no detectable trace” should remain, the K-winner MHN has one: a "
        "raw difference of {fig4.no-trace-kwinner}.",
        ("fig4.older-*", "fig4.newest-*", "fig4.no-trace-kwinner", "figS6.lead-5"),
    ),
    Finding(
        "Transformers without slots learn the task, as the paper says: QK with input projections is at perfect "
        "accuracy by iteration {fig7.qk-ip-within-1000}, {fig7.qk-faster-than-baseline-published} before the baseline "
        "as published.",
        "These are medians. Not every run is perfect: the worst ends at {fig7.qk-ip-not-always}, as keys of two "
        "letters become so alike that one item overwrites the other, which input projections do not always prevent.",
        (
            "fig7.qk-ip-within-1000",
            "fig7.qk-faster-than-baseline-published",
            "fig7.qk-ip-not-always",
            "fig7.kept-qk-ip",
        ),
    ),
    Finding(
        "The baseline's printed rows need gradients that its equations do not give. With exact ones it is slower than "
        "fixed keys by {fig7.exact-slower-than-fixed} iterations, not faster by {fig7.baseline-faster-than-fixed}.",
        "The printed rows of tables S1–S3 come out with β = 1 in the gradients and 1/√N in the output. The printed "
        "equations, which agree with finite differences, give other numbers. slotfree uses the exact gradients unless "
        "asked for the published ones, and shows all three. The QK model is faster than each of them.",
        (
            "fig7.exact-slower-than-fixed",
            "fig7.baseline-faster-than-fixed",
            "fig7.qk-faster-than-baseline*",
            "readings.gradient-baseline-?",
            "readings.gradients-used",
        ),
        (
            ("mean for equal letters", "table S1", "table S2", "table S3"),
            in_tables("printed", "{table.on-mean-baseline-published:paper}"),
            in_tables("β = 1 in the gradients", "{table.on-mean-baseline-published}"),
            in_tables("exact gradients", "{table.not-baseline}"),
            in_tables("β = 1 throughout", "{table.not-baseline-beta1}"),
        ),
    ),
    Finding(
        "Why the MHN model falls back, which the paper leaves open: its rule aligns the keys of letters that share a "
        "case, until items overwrite each other in storage.",
        "At iteration 1000 the queried item is overwritten in a share of {fallback.collisions-after} of the sequences, "
        "at the peak in {fallback.no-collisions-at-peak}. Perfect storage, or freezing W_K at the peak, keeps accuracy "
        "at {fallback.perfect-storage-perfect} and {fallback.frozen-keys-perfect}.",
        ("fallback.*",),
    ),
    Finding(
        "The theorem on W_V is about a slot-free model that cannot be built. In one that can (n_h = 2L) the limit is "
        "not the case code: right minus wrong output is {theorem2.contrast-2L}, not 1, and the printed step diverges.",
        "In C units two items collide in a share of {theorem2.storage-C} of the contexts at least, for L = 7 and C = "
        "3. With 2L units those without an item reinstate noise, and the largest step that converges is "
        "{theorem2.step-limit-2L} of the printed limit. Columns of opposite case are orthogonal, not anti-aligned. For "
        "the transformer the theorem holds, with steps up to 4L.",
        (
            *("theorem2.case-code-2L", "theorem2.contrast-2L", "theorem2.step*-2L", "theorem2.storage-C"),
            *("theorem2.anti-aligned", "theorem2.orthogonal", "theorem2.case-code-transformer"),
            "theorem2.descent-beyond",
        ),
    ),
    Finding(
        "The formula for the 1-winner MHN overstates the baseline's excess over chance by a share of "
        "{theorem1.overstates-100%} at the paper's size, and its error does not have the stated order.",
        "Where n_h = exp(c₀ n_v), as its condition allows, the error tends to a constant. The exact expectation of the "
        "best overlap gives what is simulated at every size.",
        ("theorem1.overstates-*", "theorem1.order-*", "theorem1.exact-baseline-*", "theorem1.grid-exact-*"),
    ),
    Finding(
        "Three sentences on training cannot be meant as they are printed: averaged gradients, the update of W_VH, and "
        "W_Q in the gradient of the MHN rule. Taken at their word, they do not give the printed results.",
        "SI B.4 says that gradients are summed, the main text that the winner's column is replaced by the value, and "
        "SI B.2.2 that the MHN rule has W_K. N(0, s) names the standard deviation where weights of trained models are "
        "drawn.",
        ("readings.averaged-*", "readings.printed-values-*", "readings.swapped-*", "readings.variance-*"),
        (
            ("as printed", "model", "accuracy in the paper", "accuracy at the end"),
            ("averaged gradients", "QK, i.p.", "{readings.averaged-qk-ip:paper}", "{readings.averaged-qk-ip}"),
            ("update of W_VH", "QK, i.p.", "{readings.printed-values-qk-ip:paper}", "{readings.printed-values-qk-ip}"),
            ("W_Q for W_K", "MHN, i.p.", "{readings.swapped-mhn-ip:paper}", "{readings.swapped-mhn-ip}"),
        ),
    ),
    Finding(
        "“Range” in tables S1–S3 is not what the text says, the range of the means of the runs, but the mean over runs "
        "of the range within a run.",
        "Printed ranges are {tableS1.ranges-of-run-means}, {tableS2.ranges-of-run-means} and "
        "{tableS3.ranges-of-run-means} times those of the means of ten runs, and {tableS1.ranges-within-runs}, "
        "{tableS2.ranges-within-runs} and {tableS3.ranges-within-runs} times those within runs.",
        ("tableS?.ranges-*",),
    ),
    Finding(
        "The K-winner MHN needs two weight matrices that start apart: with one for both ways, random patterns are "
        "recalled too well after trees, by {after.tied-uniform-100%}.",
        "Forward and return weights get the same updates, and on random patterns they soon are the same. After trees a "
        "share of {after.never-won} of the units has never won, and with one matrix these return what drove them.",
        ("after.tied-*", "after.never-won", "after.asymmetry-*"),
    ),
    Finding(
        "Misprints: a factor ½ in the extreme-value theorem, a minus sign in the decay of the 1-winner MHN, f n_h for "
        "f n_v = {siA2.fan-in}, a²/12 for a²/3, and slips in the proof on W_V.",
        "With a_N as printed the maximum does not converge to Gumbel's distribution; with the factor it does. R.D. "
        "falls by e^(−β(a − 1)) with the printed β. The mean square of a uniform number on [0, a] is a²/3.",
        (
            *("theorem1.gumbel", "theorem1.gumbel-half", "theorem1.decay-*", "siA2.fan-in", "siA2.fan-in-visible"),
            *("theorem2.uniform-square", "theorem2.loss-forms", "theorem2.minimum-condition"),
        ),
    ),
)
