"""SI B.5.2: why values are learnt first. Theorem 7, lemma 8, lemma 9 and their proofs."""

from slotfree.study.statement import Statement

INTRODUCTION, THEOREM, OUTLINE = "SI B.5.2", "SI B.5.2, Theorem 7", "SI B.5.2, outline of the proof"
LEMMA_8, PROOF_8 = "SI B.5.2, Lemma 8", "SI B.5.2, proof of Lemma 8"
PROOF_7, LEMMA_9 = "SI B.5.2, proof of Theorem 7", "SI B.5.2, Lemma 9"

VALUES_FIRST: tuple[Statement, ...] = (
    Statement(
        INTRODUCTION,
        "Section B.5.1 illustrates important differences in how the baseline transformer and an MHN-based variant … "
        "learn … To that end, we carry out a deeper theoretical analysis … In future work, we seek to illustrate how "
        "structure in the matrices W_KᵀW_K and W_QᵀW_K emerges …",
        reason="a summary of B.5.1, which is judged there, and plans",
    ),
    Statement(
        INTRODUCTION,
        "Presently, we illustrate how both models first robustly learn representations of case … Our central result is "
        "that W_V can successfully learn to exhibit case structure, even in the absence of any learning for W_K and W_Q"
        "",
        ("theorem2.case-transformer", "theorem2.case-2L"),
    ),
    Statement(
        THEOREM,
        "Fix the input dimension d = 3L … and a context window length C < L … define the MSE loss … Consider the "
        "following two models … W_K, W_Q are held fixed at initialization … β = 1 … n_h = C … W_HK ~ Unif([0, a]), "
        "where a is chosen to satisfy a ≪ 1 … the initial weights of W_V are bounded",
        reason="the conditions of the theorem",
    ),
    Statement(
        THEOREM,
        "in the limit of large N and batch size B, training W_V with stochastic minibatch gradient descent … will "
        "cause each column of W_V … to converge to [1, 0] [or] to [0, 1] with high probability [the baseline "
        "transformer]",
        ("theorem2.case-code-transformer", "theorem2.large-N", "theorem2.large-B", "theorem2.grid"),
    ),
    Statement(
        THEOREM,
        "… in either model … [the MHN-based transformer]",
        ("theorem2.case-code-C", "theorem2.case-code-2L", "theorem2.contrast-2L"),
    ),
    Statement(
        THEOREM,
        "with step size η = Θ(1) (and with η < C²/(2γd) …) [the baseline transformer]",
        ("theorem2.steps-transformer", "theorem2.descent-at-limit"),
    ),
    Statement(
        THEOREM,
        "with step size η = Θ(1) (and with η < C²/(2γd) …) in either model [the MHN-based transformer]",
        ("theorem2.step-limit-2L", "theorem2.steps-2L"),
    ),
    Statement(
        THEOREM,
        "γ is the fraction of all input sequences in which any one given letter appears [each of the 2L letters]",
        reason="a definition; γ is C/(2L) (theorem2.gamma)",
    ),
    Statement(
        THEOREM,
        "W_V will learn case-sensitive representations, in which columns corresponding to like … cases will be aligned",
        ("theorem2.aligned",),
    ),
    Statement(
        THEOREM,
        "columns corresponding to … opposite cases will be … anti-aligned",
        ("theorem2.anti-aligned",),
    ),
    Statement(
        OUTLINE,
        "both of the above models are essentially the same … with high probability the 1-winner MHN … is able to "
        "perfectly store all the key value pairs … so that the output of the slot free model becomes … precisely the "
        "output of the baseline transformer. Consequently, it suffices to prove the stated result for the baseline …",
        ("theorem2.storage-C", "theorem2.storage-2L", "theorem2.same-output"),
    ),
    Statement(
        OUTLINE,
        "fixing the matrices W_K and W_Q causes the attention to become uniform over all items in the context window, "
        "yielding noisy gradient updates for W_V",
        ("theorem2.attention-uniform",),
    ),
    Statement(
        OUTLINE,
        "when the batch size B is sufficiently large, W_V is effectively being optimized via gradient descent on a "
        "fixed convex objective that attains its minimum at the matrix W_V* whose columns are [1, 0] and [0, 1]",
        ("theorem2.large-B", "theorem2.minimiser"),
    ),
    Statement(
        LEMMA_8,
        "In the limit of large N, the MHN-based transformer … is computationally equivalent to the baseline "
        "transformer with high probability, in the sense that they compute the same function …",
        ("theorem2.same-output", "theorem2.case-code-C"),
    ),
    Statement(
        PROOF_8,
        "each k_t = W_K x_t ~ N(0, I/N) … The row of W_HK that will be used to store k_t precisely corresponds to the "
        "row that yields the largest dot product with k_t",
        reason="the model, without W_HI, which is added below",
    ),
    Statement(
        PROOF_8,
        "for any row … that stores some key k_t' … E[k_tᵀk_t'] = 0 and Var[k_tᵀk_t'] = 1/N, where we have used the "
        "fact that … k_t and k_t' are independent",
        ("theorem2.products-mean", "theorem2.variance-keys"),
    ),
    Statement(PROOF_8, "E[k_tᵀl] = 0 [l, a row that has not yet been allocated]", ("theorem2.products-mean",)),
    Statement(
        PROOF_8,
        "Var[k_tᵀl] = Σ 1/N · a²/12 = a²/12 … Var[(W_HK k_t + W_HI x_t)_r] = a²/12",
        ("theorem2.variance-fresh",),
    ),
    Statement(PROOF_8, "E[l_i²] = ∫ t²/a dt = a²/12", ("theorem2.uniform-square",)),
    Statement(
        PROOF_8,
        "based on the initialization of W_HI defined in Section B.2.5, W_HI x_t ∈ R^C is a unique one-hot vector that "
        "is distinct from any of the one-hot vectors W_HI x_t' for any t' < t",
        ("theorem2.storage-C",),
    ),
    Statement(
        PROOF_8,
        "E[(W_HK k_t + W_HI x_t)_r] = E[l_rᵀk_t + 1] = 1",
        ("theorem2.products-mean",),
    ),
    Statement(
        PROOF_8,
        "since a = o_N(1), (W_HK k_t + W_HI x_t)_r concentrates to 1 while for any r' … (W_HK k_t + W_HI x_t)_r' "
        "concentrates to 0 in the large N limit",
        ("theorem2.drive-own", "theorem2.drive-others"),
    ),
    Statement(
        PROOF_8,
        "with high probability, the rth hidden neuron in the 1-winner MHN will be allocated to represent k_t and v_t",
        ("theorem2.allocated",),
    ),
    Statement(
        PROOF_8,
        "Because r ranges from 1 to n_h = C over the time steps of the context window, the 1-winner MHN will be loaded "
        "with all the pairs (k_t, v_t) … because a distinct hidden neuron in the MHN is allocated at each time step, "
        "the matrix W_IH will also be loaded with each of x_1, …, x_C",
        ("theorem2.storage-C",),
    ),
    Statement(
        PROOF_8,
        "Thus, the MHN-based model's functionality perfectly coincides with that of the transformer",
        ("theorem2.same-output",),
    ),
    Statement(
        PROOF_8,
        "the gradients obtained for W_V will coincide with either model (with high probability)",
        ("theorem2.same-gradient",),
    ),
    Statement(
        INTRODUCTION,
        "Having shown an equivalence between the two models …, it now suffices to prove the theorem for the baseline "
        "transformer",
        ("theorem2.same-output", "theorem2.case-code-2L"),
    ),
    Statement(
        PROOF_7,
        "∂L/∂W_V = (1/B) Σ (ŷ − y) x̃ᵀ where x̃ = Σ softmax(x_q W_QᵀW_K x_i) x_i … simply recovers the entry of the "
        "matrix W_QᵀW_K",
        ("theorem2.batch-gradient",),
    ),
    Statement(PROOF_7, "E[(W_QᵀW_K)_αβ] = 0", ("theorem2.products-mean",)),
    Statement(PROOF_7, "Var[(W_QᵀW_K)_αβ] = N · 1/N · 1/N = 1/N", ("theorem2.variance-queries",)),
    Statement(
        PROOF_7,
        "in the large-N limit, each entry in W_QᵀW_K concentrates about 0. Consequently, with high probability the "
        "attention mechanism becomes uniform, i.e. softmax = 1/C … In turn, x̃ = (1/C) Σ x_i … Thus, the calculated "
        "gradient simplifies",
        ("theorem2.attention-uniform",),
    ),
    Statement(
        PROOF_7,
        "column j of W_V … is provided a nonzero update if and only if x_J appears in the context window",
        ("theorem2.updated-columns",),
    ),
    Statement(
        PROOF_7,
        "since we have indexed over input sequences that already contain x_J, none of these input sequences can "
        "contain x_J'",
        ("theorem2.other-case",),
    ),
    Statement(
        PROOF_7,
        "in the large-B limit, R also grows large because R/B converges to the fraction γ ∈ (0, 1) of all case "
        "sequences that contain x_J in the context window",
        reason="the law of large numbers; γ is C/(2L) (theorem2.gamma)",
    ),
    Statement(
        PROOF_7,
        "(1/R) Σ y → E[y] by the law of large numbers … y = y_J with probability 1/C … E[y] = (1/C) y_J + (1 − 1/C)[½, "
        "½]",
        ("theorem2.expected-target",),
    ),
    Statement(
        PROOF_7,
        "E[(1/C) Σ W_V x_i] = (1 − 1/C) W_V E[x] where x … is sampled from … one-hot encodings of letters excluding "
        "x_J and x_J'. This distribution is uniform over the remaining 2L − 2 letters … (W_V E[x])_o = 1/(2L−2) Σ "
        "(W_V)_ol",
        ("theorem2.other-letters",),
    ),
    Statement(
        PROOF_7,
        "in the large-B limit, ∂L/∂(W_V)_oj concentrates to (γ/C)((1/C)((W_V)_oj − (y_J)_o) + (1 − 1/C)(…))",
        ("theorem2.effective-gradient", "theorem2.large-B"),
    ),
    Statement(
        PROOF_7,
        "the gradient is a sum of two terms: one that drives (W_V)_oj towards (y_J)_o and another term that drives the "
        "sum of the elements corresponding to other letters in the same row of W_V towards ½",
        ("theorem2.sum-half",),
    ),
    Statement(
        PROOF_7,
        "Intuitively, gradient descent should result in a matrix W_V* whose columns are near [1, 0] or [0, 1] … when "
        "the above gradient is zero, we expect (W_V)_oj ≈ (y_J)_o",
        ("theorem2.minimiser",),
    ),
    Statement(
        PROOF_7,
        "the above gradient precisely arises from the loss function L̃ [first form]",
        ("theorem2.loss-gradient",),
    ),
    Statement(PROOF_7, "[first form of L̃] = [second form of L̃]", ("theorem2.loss-forms",)),
    Statement(
        PROOF_7,
        "which is convex in W_V, where we have noted that 1/(2C) − (1 − 1/C) 1/(2L − 2) > 0 since C < L",
        ("theorem2.convex-constant", "theorem2.positive-definite"),
    ),
    Statement(
        PROOF_7,
        "gradient descent with a suitably small step size will result in convergence to a global minimizer of the loss",
        ("theorem2.descent-at-limit",),
    ),
    Statement(LEMMA_9, "f(x(T)) − f(x*) ≤ ‖x(0) − x*‖²/(2ηT)", ("theorem2.bound-loss",)),
    Statement(
        LEMMA_9,
        "for f(x(T)) to be within some fixed ε > 0 of the optimal value f(x*), it suffices to perform at most "
        "⌊‖x(0) − x*‖²/(2ηε)⌋ gradient descent steps",
        ("theorem2.floor",),
    ),
    Statement(
        PROOF_7,
        "∇L̃ is Lipschitz-continuous … each entry … is linear in the entries of W_V … with Lipschitz constant at most "
        "2γd/C²",
        ("theorem2.lipschitz", "theorem2.hessian"),
    ),
    Statement(
        PROOF_7,
        "performing T_ε := ⌊‖W_V(0) − W_V*‖²/(2ηε)⌋ (which is O(1) and independent of N) gradient descent steps will "
        "cause L̃(W_V(T_ε)) to be within ε of the global minimum",
        ("theorem2.floor",),
    ),
    Statement(
        PROOF_7,
        "there is a unique minimizer W_V* of L̃ and … lim W_V(t) → W_V* under gradient descent … any global minimizer "
        "is precisely characterized by the condition that ∂L/∂W_V = 0",
        ("theorem2.minimiser", "theorem2.descent-at-limit"),
    ),
    Statement(
        PROOF_7,
        "We then define α_oj := (W_V)_oj − (y_J)_o, so that … ⟹ (1/C) α_oj + (1 − 1/C)(1/(2L−1) Σ_{l≠j} α_ol) = …",
        ("theorem2.minimum-condition",),
    ),
    Statement(
        PROOF_7,
        "exactly half of the 2L−2 letters aside from x_J and x_J' are uppercase and half are lowercase; thus, "
        "Σ (y_L)_o = L − 1 … ½ − (L−1)/(2L−2) = 0",
        ("theorem2.half-of-others",),
    ),
    Statement(
        PROOF_7,
        "We may succinctly write the above equation as A α_o = 0 where … A ∈ R^{2L×2L} is given in block-matrix form",
        ("theorem2.hessian",),
    ),
    Statement(
        PROOF_7,
        "B is positive definite; in particular, it has one eigenvalue of ½(1 + 1/C) … and L−1 repeated eigenvalues of "
        "1/C − (1 − 1/C) 1/(2L−2)",
        ("theorem2.eigenvalues-B", "theorem2.B-positive"),
    ),
    Statement(
        PROOF_7,
        "[D] has one eigenvalue of ½(1 − 1/C) … and L−1 repeated eigenvalues of −(1 − 1/C) 1/(2L−2)",
        ("theorem2.eigenvalues-D",),
    ),
    Statement(
        PROOF_7,
        "A is positive definite if and only if B is positive definite (which it is) and the Schur complement B − DB⁻¹D "
        "is positive definite … the eigenvectors of B and D perfectly coincide … (B − DB⁻¹D) 1_L = … (B − DB⁻¹D) v = … "
        "> 0 … (since C < L)",
        ("theorem2.schur", "theorem2.schur-positive"),
    ),
    Statement(
        PROOF_7,
        "In turn, we conclude that A is positive definite. In particular, we find that A has trivial null space, and "
        "hence A α_o = 0 implies that α_o = 0. This precisely means that the unique minimizer … is given by (W_V)*_oj "
        "= (y_J)_o",
        ("theorem2.positive-definite", "theorem2.minimiser"),
    ),
    Statement(
        PROOF_7,
        "if the Hessian … has minimum singular value m > 0, then … L̃(W_2) ≥ L̃(W_1) + Tr(∇L̃(W_1)(W_2 − W_1)) + "
        "(m/2)‖W_2 − W_1‖²",
        ("theorem2.strong-convexity",),
    ),
    Statement(
        PROOF_7,
        "where W_V is flattened as the vector [(W_V)_11, …, (W_V)_1d, (W_V)_21, …, (W_V)_2d] ∈ R^{4L}",
        ("theorem2.hessian-size",),
    ),
    Statement(
        PROOF_7,
        "(m/2)‖W_V(T) − W_V*‖² ≤ L̃(W_V(T)) − L̃(W_V*) ≤ ‖W_V(0) − W_V*‖²/(2ηT)",
        ("theorem2.bound-curvature", "theorem2.bound-loss"),
    ),
    Statement(
        PROOF_7,
        "‖W_V(T) − W_V*‖ ≤ ‖W_V(0) − W_V*‖/√(ηmT) which clearly goes to 0 as T → ∞",
        ("theorem2.bound-descent", "theorem2.bound-training"),
    ),
    Statement(
        PROOF_7,
        "∇²L̃ = (γ/C)(A, 0; 0, A) is positive definite … its eigenvalues are strictly positive",
        ("theorem2.hessian", "theorem2.positive-definite"),
    ),
    Statement(
        PROOF_7,
        "a block matrix (W, X; Xᵀ, Z) is positive definite if Z is positive definite and the Schur complement W − XZXᵀ "
        "is positive definite",
        ("theorem2.block-lemma",),
    ),
    Statement(
        PROOF_7,
        "consider column j of W_V … we may re-index the outer sum … over the R ≤ B input sequences in which x_J "
        "appears … From convex analysis, we have the following lemma … it suffices to show that A has full rank … we "
        "utilize a fact about strong convexity … Thus, to finish our proof, we show that ∇²L̃ is positive definite",
        reason="names, and the order of the argument; its steps are judged above",
    ),
)
