"""What we found out about the paper itself; numbers are those of its own scale."""

from slotfree.study.finding import Finding

FINDINGS = {
    "What changes a conclusion": (
        Finding(
            "The baseline's published rows need gradients that its equations do not give",
            "The transformer rows of tables S1–S3 come out only if gradients are taken with β = 1 while the output has "
            "β = 1/√N. The printed equations, which agree with automatic differentiation, give other numbers and a "
            "slower model. slotfree uses the exact gradients unless asked for the published ones, and shows all three.",
            ("tableS1", "tableS2", "tableS3", "fig7"),
            (
                (
                    "means for equal / different letters (ours: 20 runs, seed 0)",
                    "table S1",
                    "table S2",
                    "table S3",
                ),
                ("printed", "3.34 / −1.11", "4.73 / −1.57", "4.78 / −1.59"),
                ("gradients with β = 1, output with 1/√N", "3.34 / −1.11", "4.73 / −1.57", "4.76 / −1.59"),
                ("exact gradients, β = 1/√N", "4.56 / −1.52", "6.51 / −2.17", "6.47 / −2.16"),
                ("exact gradients, β = 1", "2.04 / −0.68", "2.93 / −0.97", "2.90 / −0.97"),
            ),
        ),
        Finding(
            "Which model learns faster depends on β",
            "With the published gradients the baseline learns faster than fixed keys with input projections, as the "
            "paper says. With the exact gradients it takes almost three times as long, and is slower than them; with "
            "β = 1 throughout it is faster than published. The QK model is faster than all three.",
            ("fig7", "figS11"),
        ),
        Finding(
            "Why the MHN model falls back",
            "The paper notes a tension between training W_K and the pair (W_Q, W_V), and leaves it open. The MHN rule "
            "asks only for the right case, so it aligns the keys of letters that share a case until items overwrite "
            "each other in storage; perfect storage, or freezing W_K at the peak, keeps accuracy at 100%. The "
            "measurements are in the item on why it falls back.",
            ("fallback",),
        ),
    ),
    "What words and numbers mean": (
        Finding(
            "“Range” in tables S1–S3",
            "The text describes it as the range of the means of the runs. The printed numbers are the mean over runs "
            "of largest minus smallest entry within a run.",
            ("tableS1", "tableS2", "tableS3"),
        ),
        Finding(
            "Gradients are summed over the batch",
            "One sentence says batch-averaged, the losses say summed. Averaged gradients do not learn the task within "
            "5000 steps at the printed learning rates; summed ones give the printed results.",
            ("fig7",),
        ),
        Finding(
            "N(0, s) gives a standard deviation",
            "The initial weights of the trained models, N(0, 1/√N) and N(0, 1/(4√N)), name the standard deviation. In "
            "the theorem on W_V, N(0, 1/N) is the variance, as its proof uses it.",
        ),
        Finding(
            "“Near-perfect” is about 0.9",
            "The initial accuracy of the K-winner MHN with fan-in 0.1 is called near-perfect. It is about 0.9, not 1.",
            ("figS2",),
        ),
        Finding(
            "The asymptotic baseline is too high at the paper's size",
            "With 100 units and full cues the printed formula gives 0.191 for a pattern never stored, and simulation "
            "0.176. The exact expectation of the best of 100 overlaps gives 0.1764.",
            ("theorem1", "figS1"),
        ),
        Finding(
            "Two weight matrices, not one",
            "Forward and return weights get the same updates but must start from independent values. Sharing one "
            "matrix looks harmless on random patterns and gives wrong results on structured ones, where some units "
            "never win.",
            ("figS6", "figS7"),
        ),
    ),
    "Misprints and slips": (
        Finding(
            "The update of W_VH swaps activity and value",
            "The equation moves a column towards a in proportion to v. The sentence above it, which says that the "
            "winner's column is replaced by the value, is right, and only that reproduces the results.",
        ),
        Finding(
            "W_Q for W_K in one equation",
            "Where the gradient of the MHN rule is given, ŷ_K is printed with W_Q x̃. It is W_K x̃, as in the equation "
            "that introduces the rule.",
        ),
        Finding(
            "A minus sign is missing",
            "The last equation of the theory of the 1-winner MHN says R.D.(a) = C exp(β(a − 1)) with a positive β. It "
            "must be C exp(−β(a − 1)).",
            ("figS1", "theorem1"),
        ),
        Finding(
            "The step limit of the theorem on W_V is far from tight",
            "C²/(2γd) is C/3, whatever the alphabet. Gradient descent on the theorem's loss converges up to 4L.",
            ("theorem2",),
        ),
        Finding(
            "Slips in its proof",
            "The mean square of a uniform variable on [0, a] is a²/3, not a²/12; one sum has a term too many, one "
            "constant is wrong, and the number of steps must be rounded up. None of it touches the conclusion.",
            ("theorem2",),
        ),
        Finding(
            "C hidden units cannot hold every context",
            "The theorem gives its slot-free model as many units as a context has items, each item with a unit of its "
            "own. With fewer units than letters no projection does that for all contexts, so equality with the "
            "transformer is an assumption there.",
            ("theorem2",),
        ),
    ),
}
