"""What was found about the paper, in about ten lines; numbers are those of the run, by the ids of their claims."""

from slotfree.study.finding import Finding

TABLES = ("tableS1", "tableS2", "tableS3")

FINDINGS = (
    Finding(
        "Spreading a memory over many units keeps all but the newest memories better, as the paper says: d' is higher "
        "by {fig4.older-100%} with full cues and by {fig4.older-50%} with half cues, mean over ages 30 to 300.",
        "For the newest memories it is the other way round, and where patterns are much alike (b = 5) the 1-winner MHN "
        "is better at these ages too, by {figS6.lead-5} in the same measure.",
        ("fig4.older-*", "fig4.newest-*", "figS6.lead-5"),
    ),
    Finding(
        "Transformers without slots learn the task, as the paper says: QK with input projections reaches an accuracy "
        "of 0.99 by iteration {fig7.qk-ip-within-1000}, {fig7.qk-faster-than-baseline-published} before the baseline.",
        "This is the baseline with the published gradients. With exact ones QK leads by "
        "{fig7.qk-faster-than-baseline} iterations, with β = 1 throughout by {fig7.qk-faster-than-baseline-beta1}.",
        ("fig7.qk-ip-within-1000", "fig7.qk-faster-than-baseline*"),
    ),
    Finding(
        "The baseline's printed rows in tables S1–S3 need gradients that its equations do not give: β = 1 in the "
        "gradients and 1/√N in the output.",
        "The printed equations, which agree with automatic differentiation, give other numbers. slotfree uses the "
        "exact gradients unless asked for the published ones, and shows all three. The table has the largest distance "
        "of any number in a printed row from ours, in standard errors of the difference.",
        tuple(f"{table}.{row}" for table in TABLES for row in ("row-baseline-published", "not-baseline*")),
        (
            ("distance from the printed row", "table S1", "table S2", "table S3"),
            *(
                (words, *(f"{{{table}.{row}}}" for table in TABLES))
                for words, row in (
                    ("gradients with β = 1, output with 1/√N", "row-baseline-published"),
                    ("exact gradients, β = 1/√N", "not-baseline"),
                    ("exact gradients, β = 1", "not-baseline-beta1"),
                )
            ),
        ),
    ),
    Finding(
        "Which model learns faster depends on β: the baseline is {fig7.baseline-faster-than-fixed} iterations ahead "
        "of fixed keys with the published gradients, and {fig7.exact-slower-than-fixed} behind with exact ones.",
        "Both are compared with Fixed W_K with input projections, by the iteration at which the median run reaches an "
        "accuracy of 0.99. The QK model is faster than the baseline with either, and with β = 1 throughout.",
        ("fig7.baseline-faster-than-fixed", "fig7.exact-slower-than-fixed", "fig7.qk-faster-than-baseline*"),
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
        "The theorem on W_V assumes a model that cannot be built. In one that can (n_h = 2L), W_V is not the case "
        "code: right less wrong output is {theorem2.built-contrast}, not 1, and the printed step diverges.",
        "C units cannot hold every context with a unit for each item. Units without an item reinstate noise, and the "
        "largest step that converges is {theorem2.built-step-limit} of the printed limit. For the theorem's own model "
        "that limit is far from tight: descent converges up to 4L.",
        ("theorem2.built-contrast", "theorem2.built-step*", "theorem2.descent-between"),
    ),
    Finding(
        "The asymptotic formula is too high at the paper's size: a pattern never stored has an accuracy of "
        "{theorem1.asymptotic-baseline-100%}, where it gives {theorem1.asymptotic-baseline-100%:paper}.",
        "With 50% cues it is {theorem1.asymptotic-baseline-50%} and {theorem1.asymptotic-baseline-50%:paper}. The "
        "exact expectation of the best of 100 overlaps gives what is simulated.",
        ("theorem1.asymptotic-baseline-*", "theorem1.exact-baseline-*"),
    ),
    Finding(
        "“Near-perfect” is {figS2.near-perfect-100%}: the initial accuracy of the K-winner MHN with fan-in 0.1.",
        "With 50% cues it is {figS2.near-perfect-50%}.",
        ("figS2.near-perfect-*",),
    ),
)
