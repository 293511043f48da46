"""SI A.2.4: theory of the 1-winner MHN."""

from slotfree.study.statement import Statement

WHERE = "SI A.2.4"
PROOF_2, PROOF_5, PROOF_1 = (f"{WHERE}, proof of {name}" for name in ("proposition 2", "proposition 5", "theorem 1"))

THEORY: tuple[Statement, ...] = (
    Statement(
        WHERE,
        "The R.D. metric captures the retention decay in both networks; how it arises and depends on ε, f, k_h "
        "“warrants further theoretical analysis”; “in future work, we seek to theoretically characterize the decay "
        "equation for any K-winner MHN”.",
        reason="the aim of the section, and future work",
    ),
    Statement(
        f"{WHERE}, theorem 1",
        "Suppose that M is a slot-based MHN with n_v, s_v, n_h (sufficiently large), trained on N → ∞ patterns, and "
        "that there is a positive constant c₀ ≪ s_v log(1/s_v) with n_h ≤ exp(c₀ n_v).",
        claims=("theorem1.regime",),
    ),
    Statement(
        f"{WHERE}, theorem 1",
        "x_a is the pattern of age a, x_{a,c} a partial cue, x̃ = f(x_{a,c}); k_v = s_v n_v; the expectation is taken "
        "over all possible runs of the model M.",
        reason="definitions",
    ),
    Statement(f"{WHERE}, theorem 1", "“θ … ≪ 1 for any ε ∈ (0, 1)”.", claims=("theorem1.theta",)),
    Statement(
        f"{WHERE}, theorem 1",
        "If c > θ, R.D.(a) = (1 − s_v − √((2c/n_v)(1 − s_v) log n_h)) (1 − 1/n_h)^(a−1) + O(log log n_h / log n_h).",
        claims=("theorem1.order-raw-difference",),
    ),
    Statement(
        f"{WHERE}, proposition 2",
        "If the slot of x_a has been replaced, or a = ∞, E[x̃ᵀx_a/k_v] = s_v + √((2c/n_v)(1 − s_v) log n_h) + O(log "
        "log n_h / log n_h).",
        claims=("theorem1.order-baseline",),
    ),
    Statement(
        f"{WHERE}, remark 3",
        "“This proposition gives a formula for the baseline retrieval accuracy of the MHN … or equivalently, the "
        "expected retrieval accuracy for any given pseudo-pattern.”",
        reason="says what the formula is about; the formula is judged with proposition 2",
    ),
    Statement(
        PROOF_2,
        "x_{a,c}ᵀp_i is a sum of c k_v random variables; “assuming these variables are approximately i.i.d. "
        "Bernoulli”, it is N(c k_v²/n_v, √(c k_v s_v (1 − s_v))).",
        claims=("theorem1.overlap-mean", "theorem1.overlap-sd"),
    ),
    Statement(
        PROOF_2,
        "“The stored pattern p_i such that x_{a,c}ᵀp_i is maximal … will be retrieved. That is, retrieving p_i is "
        "equivalent to finding the largest value in a sample of n_h Gaussian random variables.”",
        claims=("siA2.replaces-best", "siA2.maximum"),
    ),
    Statement(
        f"{WHERE}, theorem 4",
        "For the maximum S of N standard Gaussian samples, (S − a_N)/b_N converges in distribution to the Gumbel "
        "distribution, a_N = √(2 log N) − log(4π log N)/√(2 log N), b_N = 1/a_N.",
        claims=("theorem1.gumbel",),
    ),
    Statement(
        PROOF_2,
        "“We thus have reason to suspect that (E[S] − a_N)/b_N → E[G] = γ”; “in this case, convergence in expectation "
        "does hold”.",
        claims=("theorem1.gumbel-mean",),
    ),
    Statement(
        PROOF_2,
        "“It is well-known that the expectation of this variable is the Euler-Mascheroni constant, γ.”",
        claims=("theorem1.gumbel-gamma",),
    ),
    Statement(
        PROOF_2,
        "Dasgupta et al. (2014) calculate an expansion which “implies that E[S] = √(2 log N) + O(log log N / √log N)”.",
        claims=("theorem1.maximum-order",),
    ),
    Statement(
        PROOF_2,
        "E[max] = c k_v²/n_v + √(c k_v s_v (1 − s_v)) E[S] “≈ c k_v²/n_v + √(2 c k_v s_v (1 − s_v) log n_h) + …”; the "
        "latter summand “is just (1 − c)k_v · k_v/n_v (again, simplifying by assuming that each bit of p_l is a "
        "Bernoulli variable)”; “therefore” the formula of proposition 2 with O(log log n_h/(√k_v √log n_h)).",
        claims=("theorem1.order-baseline",),
    ),
    Statement(
        PROOF_2,
        "“From the conditions … we know that n_h ≤ e^(c₀ n_v) … Then, √k_v ≥ √(s_v n_v) ≥ √((s_v/c₀) log n_h).”",
        claims=("theorem1.step-root",),
    ),
    Statement(
        f"{WHERE}, proposition 5",
        "If x_a is stored and c > log(1 − (1 − δ)^(1/(n_h−1)))/(k_v log s_v), “it follows that E[x̃ᵀx_a/k_v] > 1 − δ”.",
        claims=("theorem1.near-bound", "theorem1.near-bound-memory"),
    ),
    Statement(
        f"{WHERE}, remark 6",
        "“In practice, the lower bound constraint on c can be further refined by more careful analysis.”",
        claims=("theorem1.refined",),
    ),
    Statement(
        f"{WHERE}, remark 6",
        "With n_h = 100, k_v = 100, s_v = 0.1, δ = 10⁻³, “applying the inequality yields the constraint c > 0.05”.",
        claims=("theorem1.least-cue",),
    ),
    Statement(
        f"{WHERE}, remark 6",
        "For c = 0.5 and c = 1 “we may effectively assume that E[x̃ᵀx_a/k_v] = 1 given that x_a is still stored”.",
        claims=("theorem1.stored",),
    ),
    Statement(
        PROOF_5,
        "“The only way for x̃ to not be x_a is if there exists some other pattern p in M such that x_{a,c} is a "
        "sub-pattern of p and the network retrieves this other pattern.”",
        claims=("theorem1.only-superpatterns",),
    ),
    Statement(
        PROOF_5,
        "P(pᵀx_{a,c} < c k_v) = 1 − (k_v/n_v)((k_v − 1)/(n_v − 1))⋯ ≥ 1 − (k_v/n_v)^(c k_v); thus η ≤ 1 − (1 − "
        "s_v^(c k_v))^(n_h−1).",
        claims=("theorem1.superpattern",),
    ),
    Statement(
        PROOF_5,
        "Given the bound on c, “rearranging gives us … δ > 1 − (1 − s_v^(c k_v))^(n_h−1)”; thus E ≥ 1 − η ≥ 1 − δ.",
        claims=("theorem1.near-bound",),
    ),
    Statement(
        PROOF_1,
        "x_a “is either still in the network or it has been replaced”: E = E[· | in memory] P(in memory) + E[· | not "
        "in memory] P(not in memory); with δ = 10⁻³ the first expectation is between 1 − δ and 1.",
        claims=("theorem1.stored",),
    ),
    Statement(
        PROOF_1,
        "With δ = n_h^−(1+ε), “1/n_h² ≤ δ ≤ 1/n_h, so 1 − (1 − δ)^(1/(n_h−1)) = … ≥ … ≥ … ≥ … = (n_h − 2)/(2n_h²(n_h − "
        "1)²) > 1/(4n_h³)”, where (n_h − 2)/(n_h − 1) > ½.",
        claims=(
            *("theorem1.step-delta-*", "theorem1.step-series", "theorem1.step-first", "theorem1.step-second"),
            *("theorem1.step-third", "theorem1.step-last"),
        ),
    ),
    Statement(
        PROOF_1,
        "“Consequently” θ ≤ log(4n_h³)/(−n_v s_v log s_v) ≤ (log 4/n_v + 3c₀)/(s_v log(1/s_v)).",
        claims=("theorem1.step-theta", "theorem1.step-condition"),
    ),
    Statement(
        PROOF_1,
        "“… = o(1)”, as n_v is sufficiently large and n_h ≤ exp(c₀ n_v) for a constant c₀ ≪ s_v log(1/s_v); θ “is made "
        "to be sufficiently close to 0”.",
        claims=("theorem1.theta-vanishes",),
    ),
    Statement(
        PROOF_1,
        "E[x̃ᵀx_a/k_v | x_a in memory] = 1 + o(1/n_h^(1+ε)) “for any ε ∈ (0, 1)”.",
        claims=("theorem1.stored-order",),
    ),
    Statement(
        PROOF_1,
        "Both E[· | x_a not in memory] and the baseline are “well-approximated by” the formula of proposition 2 "
        "“provided that n_h is sufficiently large”.",
        claims=("theorem1.order-baseline",),
    ),
    Statement(
        PROOF_1,
        "“P(x_a in memory) = (1 − 1/n_h)^(a−1)”.",
        claims=("theorem1.in-memory",),
    ),
    Statement(
        PROOF_1,
        "“Putting all of our above facts together”, R.D.(a) is the formula of theorem 1.",
        claims=("theorem1.order-raw-difference",),
    ),
    Statement(
        WHERE,
        "The curves of figure S1 “are expected to closely follow exponential decay equations of the form R.D.(a) = C "
        "e^(β(a−1))” with C = 1 − s_v − √((2c/n_v)(1 − s_v) log n_h) and β = −log(1 − 1/n_h).",
        claims=("theorem1.decay-1*", "theorem1.decay-5*"),
    ),
)
