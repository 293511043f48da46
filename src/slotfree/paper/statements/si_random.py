"""SI A.2.2, A.2.3, A.2.5 and A.2.6: memories of random patterns."""

from slotfree.study.statement import Statement

METRICS = (
    Statement(
        "SI A.2.2",
        "“The sensitivity metric d' characterizes the distance between two probability distributions in units of a "
        "composite measure of their variability. … d' = μ_δ / σ_δ …”",
        reason="a definition; “Fig. 4C” is Figure 4B, which has no panel C",
    ),
    Statement(
        "SI A.2.3 and Figure S1, caption",
        "“We chose to study a raw difference (R.D.) metric … It should be noted that, unlike the d' measure, this "
        "metric does not clearly map on to measures of signal detection … and is rather considered here because of its "
        "simplicity.” “Standard error is shown in cyan, and horizontal segments show ages where …”",
        reason="a definition and a choice",
    ),
    Statement(
        "SI A.2.3",
        "“For the original MHN, the retention for a given memory decays by a factor of (1 − 1/n_h) at each timestep.”",
        claims=("figS1.beta-onewinner-*", "figS1.theory-beta-*"),
    ),
    Statement(
        "SI A.2.3",
        "“For the networks with 50% cues, we obtain (C, β) = (0.363, 0.007) and (0.858, 0.010) …; for the networks "
        "with 100% cues, we obtain (0.336, 0.005) and (0.833, 0.010).”",
        claims=("figS1.C-*", "figS1.beta-*"),
    ),
    Statement(
        "Figure S1, caption",
        "“Plotting R.D. on a log scale reveals precise exponential decay regression curves …; all r² values ≥ 0.96.”",
        claims=("figS1.r2-*",),
    ),
    Statement(
        "SI A.2.3",
        "“For the case of 50% cues, we obtain (C_MHN-theory, β_MHN-theory) = (0.836, 0.010); for the case of 100% "
        "cues, we obtain (0.809, 0.010).”",
        claims=("figS1.theory-C-*", "figS1.theory-beta-*"),
    ),
    Statement(
        "SI A.2.3",
        "“Each MHN theory curve matches its empirical counterpart.”",
        claims=("figS1.theory-matches-*",),
    ),
    Statement(
        "SI A.2.3",
        "“Comparing the empirical constants C_k-win and C_MHN shows that the original MHN yields higher R.D.'s for "
        "small ages; comparing decay rates (β) shows that the K-winner MHN's retrieval performance degrades more "
        "slowly, supporting its superior retention of older memories.”",
        claims=("figS1.young-*", "figS1.slower-*"),
    ),
)
WIDER = (
    Statement(
        "SI A.2.5 and Figure S2, caption",
        "“ε = 0.3, k_h = 50, f = 0.1, n_h = 1000, n_i = 1000. … Raw retrieval accuracy curves … are averaged over 100 "
        "independent runs of either model.”",
        reason="how the experiment is done",
    ),
    Statement(
        "SI A.2.5",
        "“The raw retrieval accuracy of the K-winner MHN becomes almost perfect for the most recent memory, while also "
        "lowering the retrieval baseline for untrained pseudo-patterns.”",
        claims=("figS2.initial-100%", "figS2.initial-50%", "figS2.baseline-*"),
    ),
    Statement(
        "SI A.2.5",
        "“This also contributes to a larger initial raw difference (R.D.) measure.”",
        claims=("figS2.initial-rd-*",),
    ),
    Statement(
        "SI A.2.5",
        "“The raw difference curves for this K-winner MHN consistently remain below those of the original MHN, "
        "indicating that the raw decay rate of information in this K-winner MHN is now larger than that of the "
        "K-winner MHN with f = 0.05.”",
        claims=("figS2.below-one-winner-*", "figS2.faster-*"),
    ),
    Statement(
        "SI A.2.5",
        "“This new K-winner MHN still maintains a prominent advantage over the original MHN … for a large swath of "
        "‘intermediate-age’ memories. … It no longer has a prominent advantage for especially old memories (e.g. of "
        "age ∼ 500).”",
        claims=("figS2.middle-*", "figS2.very-old-*"),
    ),
    Statement(
        "SI A.2.5",
        "“While this new K-winner MHN demonstrates near-perfect initial retrieval accuracy, it exhibits a "
        "shorter-timescale advantage over the original MHN for older memories.”",
        claims=("figS2.initial-100%", "figS2.initial-50%", "figS2.trade-off-*"),
    ),
    Statement(
        "SI A.2.5",
        "“Our combined set of results suggest that it is possible to design various K-winner MHNs that optimize one of "
        "these two objectives (maximizing small-age memory retrieval vs. better retaining older memories) …”",
        claims=("figS2.initial-100%", "figS2.initial-50%", "figS2.trade-off-*"),
    ),
    Statement(
        "SI A.2.5",
        "“… but that it may be tricky (or otherwise infeasible) to simultaneously optimize both.”",
        reason="a conjecture; the best members of the family are sought in what goes beyond the paper",
    ),
)
GRADED = (
    Statement(
        "SI A.2.6",
        "“The theoretical analysis … fully characterizes retrieval accuracy (and raw difference) for a special case of "
        "the K-winner network where ε = 1, f = 1, k_h = 1.”",
        claims=("figS1.theory-matches-*",),
    ),
    Statement(
        "SI A.2.6",
        "“One might ask how the original one-winner MHN performs when the weight updates … correspond to … graded "
        "adjustments (i.e., ε < 1). … Each of their respective retrieval accuracies … is averaged over 10 samples.”",
        reason="a question, and how the experiment is done",
    ),
    Statement(
        "SI A.2.6",
        "“The graded MHN (ε = 0.3) appears to possess lower initial retrieval accuracy but more graceful retention "
        "decay compared to the slot-based MHN (ε = 1).”",
        claims=("figS3.initial-graded", "figS3.slower-graded"),
    ),
    Statement(
        "SI A.2.6",
        "“The graded MHN also demonstrates robust d' sensitivity for older memories.”",
        claims=("figS3.robust",),
    ),
    Statement(
        "SI A.2.6",
        "“It appears to maintain a higher d' than the corresponding large-scale K-winner MHN (with ε = 0.3) from "
        "roughly age 400 onwards.”",
        claims=("figS3.overtakes", "figS3.stays-ahead"),
    ),
    Statement(
        "SI A.2.6 and Figure S3, caption",
        "“When the distributed K-winner MHN's learning rate is reduced from ε = 0.3 to ε = 0.2, its resulting d' "
        "values appear to be higher than those of the graded MHN.”",
        claims=("figS3.slow-above",),
    ),
    Statement(
        "SI A.2.6",
        "“For any given graded MHN with learning rate ε < 1, we may be able to find a distributed K-winner MHN with "
        "learning rate ε' < 1 that maintains a learning advantage over the graded MHN.”",
        reason="a conjecture about any ε; one case is judged above",
    ),
    Statement(
        "SI A.2.6",
        "“Decreasing ε reduces initial retrieval accuracy while also slowing down retention decay for older memories.”",
        claims=("figS3.initial-*", "figS3.slower-*"),
    ),
    Statement(
        "SI A.2.6",
        "“It highlights the need to theoretically characterize the (ε, f, k_h) parameter space.”",
        reason="left to the future",
    ),
)
RANDOM: tuple[Statement, ...] = (*METRICS, *WIDER, *GRADED)
