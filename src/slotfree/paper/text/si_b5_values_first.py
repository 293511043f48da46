"""SI B.5.2: why values are learnt first. Theorem 7, lemma 8, lemma 9 and their proofs."""

from slotfree.paper.figures import theorem2
from slotfree.paper.figures.theorem2 import MAIN
from slotfree.paper.figures.theorem2_experiments import (
    BATCHES,
    BUILT,
    EQUAL,
    KEY_DIMS,
    LIMIT,
    SIZES,
    SMALL,
    STEPS,
    TRANSFORMER,
    UNUSED,
    UNUSED_PRINTED,
    UNUSED_SMALL,
)
from slotfree.study import defines, follows, less, more, same, says, section, share_of_runs, slip, unjudged

THEORY = "tests/attention/test_value_theory.py::"
PROOF = "tests/paper/figures/test_theorem2_proof.py::"
PRODUCTS = f"{PROOF}test_products_of_keys_queries_and_unused_rows"
SEQUENCES = f"{PROOF}test_what_sequences_with_a_letter_hold"
BLOCKS = f"{PROOF}test_blocks_of_A_and_their_schur_complement"
MINIMUM = f"{THEORY}test_gradient_loss_and_A_belong_together"
DESCENT = f"{THEORY}test_descent_follows_the_gradient_and_keeps_the_bounds"
ROUNDED_DOWN = f"{PROOF}test_steps_rounded_down_are_enough"

EXTRAPOLATED = "squared distance from the case code for N, B → ∞, from N = 25, B = 64 and N = 100, B = 256"
RATIO = "divided by that for the next smaller one, the largest such ratio"

CASE = tuple(
    more(f"theorem2.case-{name}", theorem2.least_contrast(e, model), 0, f"right minus wrong output, worst column, {of}")
    for name, e, model, of in (
        ("transformer", MAIN, TRANSFORMER, "transformer, L = 7, C = 3"),
        ("2L", UNUSED, BUILT, "slot-free model, n_h = 2L, L = 7, C = 3"),
        ("C-is-L", EQUAL, TRANSFORMER, "transformer, C = L = 4 as in the experiments"),
    )
)
CONTRAST = same(
    "theorem2.contrast-2L",
    theorem2.mean_contrast(UNUSED, BUILT),
    1,
    "right minus wrong output, mean over columns, slot-free model with n_h = 2L, N = 100; the case code has 1",
)
STEPS_2L = share_of_runs(
    "theorem2.steps-2L",
    theorem2.ends_nearer(BUILT, UNUSED_PRINTED),
    "training at 0.9 of the printed limit ends nearer to the case code than it began, n_h = 2L",
)
SAME_OUTPUT = same(
    "theorem2.same-output",
    theorem2.output_gap(),
    0,
    f"root mean square difference of the models' outputs, by that of the transformer's, n_h = 2L, N = {KEY_DIMS[-1]:,}",
)
LARGE_B = less(
    "theorem2.large-B",
    theorem2.falls_with_batches(),
    1,
    f"distance of W_V from descent on the fixed objective, B = {', '.join(map(str, BATCHES))}, {RATIO}",
)

VALUES_FIRST_PROOF = says(
    "Presently, we illustrate how both models first robustly learn representations of case … Our central result is "
    "that W_V can successfully learn to exhibit case structure, even in the absence of any learning for W_K and W_Q",
    *CASE,
    note="Theorem 7 freezes W_Q and W_K: it shows that values can be learnt alone, not that they are learnt first. It "
    "needs C < L; the experiments have C = L = 4, where A is singular and the mean of a letter's two columns is not "
    "determined. Values learn the case there too.",
)
EITHER_MODEL = says(
    "in either model … each column of W_V … to converge to [1, 0] [or] to [0, 1] with high probability [the MHN-based "
    "transformer, n_h = C]",
    CONTRAST,
    same(
        "theorem2.case-code-2L",
        theorem2.left_for_large(UNUSED_SMALL, UNUSED, BUILT),
        0,
        f"{EXTRAPOLATED}, slot-free model with n_h = 2L",
    ),
    STEPS_2L,
    SAME_OUTPUT,
    note="W_HI as defined needs n_h ≥ 2L. With n_h = C < L some letters share a unit whatever W_HI is: for L = 7, C = "
    "3 at least 65.7 % of the contexts hold two that do, and the W_V of least loss is at a distance of 1.37 from the "
    "case code. We train the model with n_h = 2L. There the n_h − C units without an item are attended to as well and "
    "reinstate their initial weights, however large N and B are: values learn the case of each letter, but right minus "
    "wrong output goes to n_h/(C + (n_h − C)L/6) = 0.88 and is {theorem2.contrast-2L} after training, not 1, and "
    "descent needs a step below 0.59 of the printed limit.",
)
UNIFORM = says(
    "fixing the matrices W_K and W_Q causes the attention to become uniform over all items in the context window, "
    "yielding noisy gradient updates for W_V",
    less(
        "theorem2.attention-uniform",
        theorem2.falls_with_stored_keys("attention", "all"),
        1,
        f"root mean square of C times attention less 1, N from {KEY_DIMS[0]} to {KEY_DIMS[-1]:,}, {RATIO}",
    ),
)

SENTENCES = section(
    "SI B.5.2",
    unjudged(
        "Section B.5.1 illustrates important differences in how the baseline transformer and an MHN-based variant … "
        "learn … To that end, we carry out a deeper theoretical analysis … In future work, we seek to illustrate how "
        "structure in the matrices W_KᵀW_K and W_QᵀW_K emerges …",
        "A summary of B.5.1, which is judged there, and plans.",
    ),
    VALUES_FIRST_PROOF,
    "SI B.5.2, Theorem 7",
    defines(
        "Fix the input dimension d = 3L … and a context window length C < L … define the MSE loss … Consider the "
        "following two models … W_K, W_Q are held fixed at initialization … β = 1 … the initial weights of W_V are "
        "bounded",
        held_by="tests/paper/figures/test_theorem2.py::test_the_conditions_of_the_theorem",
    ),
    slip(
        "each entry in W_HK is sampled iid from Unif([0, a]), where a is chosen to satisfy a ≪ 1",
        "a → 0 for large N, a = o_N(1), as the proof says",
        "The variance of an unused unit's drive, a²/3, does not depend on N: for the drive to vanish a must. For items "
        "to be stored apart a small a is enough.",
        held_by=PRODUCTS,
    ),
    says(
        "in the limit of large N and batch size B, training W_V with stochastic minibatch gradient descent … will "
        "cause each column of W_V … to converge to [1, 0] [or] to [0, 1] with high probability [the baseline "
        "transformer]",
        same(
            "theorem2.case-code-transformer",
            theorem2.left_for_large(SMALL, SIZES[100]),
            0,
            f"{EXTRAPOLATED}, transformer",
        ),
        less(
            "theorem2.large-N",
            theorem2.falls_with_keys(),
            1,
            f"distance of W_V from the case code, N = {', '.join(map(str, SIZES))}, {RATIO}",
        ),
    ),
    EITHER_MODEL,
    says(
        "with step size η = Θ(1) (and with η < C²/(2γd) …) [the baseline transformer]",
        share_of_runs(
            "theorem2.steps-transformer",
            theorem2.ends_nearer(
                TRANSFORMER, *(e for eta, e in STEPS.items() if eta <= LIMIT), *BATCHES.values(), SMALL, *SIZES.values()
            ),
            "training with steps up to the printed limit ends nearer to the case code than it began, transformer",
        ),
        note="The limit is sufficient, not necessary: it is C/3 = 1 here, and descent converges up to 4L = 28.",
    ),
    follows(
        "with step size η = Θ(1) (and with η < C²/(2γd) …) in either model [the MHN-based transformer]",
        EITHER_MODEL,
        "With n_h = 2L units without an item make the loss steeper: descent converges up to 0.59 of the printed limit, "
        "and no run does at 0.9 of it.",
    ),
    defines(
        "γ is the fraction of all input sequences in which any one given letter appears",
        held_by=f"{THEORY}test_share_of_sequences_with_a_token",
        note="Each of the 2L letters: γ = C/(2L).",
    ),
    says(
        "W_V will learn case-sensitive representations, in which columns corresponding to like … cases will be aligned",
        more("theorem2.aligned", theorem2.like_cosine(MAIN), 0, "least cosine of two columns of like case"),
    ),
    slip(
        "columns corresponding to … opposite cases will be … anti-aligned",
        "orthogonal; anti-aligned once ½ is subtracted from all entries",
        "The cosine of [1, 0] and [0, 1] is 0; measured, it is {measured}.",
        same(
            "theorem2.orthogonal",
            theorem2.opposite_cosine(BATCHES[1024]),
            0,
            "mean cosine of two columns of opposite case, N → ∞, B = 1024",
        ),
    ),
    "SI B.5.2, outline of the proof",
    follows(
        "both of the above models are essentially the same … with high probability the 1-winner MHN … is able to "
        "perfectly store all the key value pairs … so that the output of the slot free model becomes … precisely the "
        "output of the baseline transformer. Consequently, it suffices to prove the stated result for the baseline …",
        EITHER_MODEL,
        "With n_h = 2L all pairs are stored, but not in all units: the difference of the outputs is "
        "{theorem2.same-output} times the transformer's output. With n_h = C and item t stored by unit t the models "
        "are the same.",
    ),
    slip(
        "ŷ = W_V W_IH softmax(W_HK W_Q x_q) = W_V [x_1, v_2, …, x_C] softmax([k_1, k_2, …, k_C]ᵀ) q = Σ_{i=1}^C "
        "softmax(k_tᵀq) v_t",
        "[x_1, x_2, …, x_C] softmax([k_1, …, k_C]ᵀ q), and a sum over t",
        "The columns of W_IH are items, and softmax is taken of drives. Only so do the first and the last expression "
        "agree.",
        held_by="tests/attention/test_slot_free_laws.py::test_perfect_storage_is_softmax_attention",
    ),
    UNIFORM,
    says(
        "when the batch size B is sufficiently large, W_V is effectively being optimized via gradient descent on a "
        "fixed convex objective that attains its minimum at the matrix W_V* whose columns are [1, 0] and [0, 1]",
        LARGE_B,
    ),
    "SI B.5.2, Lemma 8",
    follows(
        "In the limit of large N, the MHN-based transformer … is computationally equivalent to the baseline "
        "transformer with high probability, in the sense that they compute the same function …",
        EITHER_MODEL,
        "With n_h = 2L the difference of the outputs is {theorem2.same-output} times the transformer's output; with "
        "n_h = C and item t stored by unit t they are the same.",
    ),
    "SI B.5.2, proof of Lemma 8",
    defines(
        "each k_t = W_K x_t ~ N(0, I/N) … The row of W_HK that will be used to store k_t precisely corresponds to the "
        "row that yields the largest dot product with k_t",
        held_by="tests/attention/test_slot_free_laws.py::"
        "test_the_winner_takes_key_value_and_item_and_the_others_keep_theirs",
        note="The model without W_HI, which is added below.",
    ),
    defines(
        "for any row … that stores some key k_t' … E[k_tᵀk_t'] = 0 and Var[k_tᵀk_t'] = 1/N, where we have used the "
        "fact that … k_t and k_t' are independent",
        held_by=PRODUCTS,
    ),
    defines("E[k_tᵀl] = … = 0 [l, a row that has not yet been allocated]", held_by=PRODUCTS),
    slip(
        "E[k_tᵀl] = Σ_{i=1}^N Σ_{i=1}^N E[(k_t)_i] E[l_i]",
        "one sum over i",
        "A dot product has one sum, as in the equations around it.",
    ),
    slip(
        "Var[k_tᵀl] = Σ 1/N · a²/12 = a²/12 … Var[(W_HK k_t + W_HI x_t)_r] = a²/12",
        "a²/3",
        "It is E[l_i²] for every N; measured, {measured} a². That it vanishes with a is not touched.",
        same("theorem2.variance-fresh-ours", theorem2.fresh_variance(), 1 / 3),
    ),
    slip(
        "E[l_i²] = ∫ t²/a dt = a²/12",
        "a²/3",
        "The integral from 0 to a is a²/3; a²/12 is the variance of l_i.",
        held_by=PRODUCTS,
    ),
    follows(
        "based on the initialization of W_HI defined in Section B.2.5, W_HI x_t ∈ R^C is a unique one-hot vector that "
        "is distinct from any of the one-hot vectors W_HI x_t' for any t' < t",
        EITHER_MODEL,
        "W_HI as defined in B.2.5 needs n_h ≥ 2L; there the vectors are distinct. R^C with C < L has fewer one-hot "
        "vectors than there are letters.",
    ),
    defines("E[(W_HK k_t + W_HI x_t)_r] = E[l_rᵀk_t + 1] = 1", held_by=PRODUCTS),
    says(
        "since a = o_N(1), (W_HK k_t + W_HI x_t)_r concentrates to 1 while for any r' … (W_HK k_t + W_HI x_t)_r' "
        "concentrates to 0 in the large N limit",
        *(
            less(
                f"theorem2.drive-{name}",
                theorem2.falls_with_stored_keys(name),
                1,
                f"root mean square of {whose}, a = 1/√N, n_h = 2L, N from {KEY_DIMS[0]} to {KEY_DIMS[-1]:,}, {RATIO}",
            )
            for name, whose in (
                ("own", "the drive of an item's own unit less 1"),
                ("others", "the largest other drive"),
            )
        ),
    ),
    says(
        "with high probability, the rth hidden neuron in the 1-winner MHN will be allocated to represent k_t and v_t",
        same(
            "theorem2.allocated",
            theorem2.misplaced(),
            0,
            f"share of sequences in which an item is stored by another unit, N = {KEY_DIMS[-1]:,}, a = 1/√N, n_h = 2L",
        ),
    ),
    follows(
        "Because r ranges from 1 to n_h = C over the time steps of the context window, the 1-winner MHN will be loaded "
        "with all the pairs (k_t, v_t) … because a distinct hidden neuron in the MHN is allocated at each time step, "
        "the matrix W_IH will also be loaded with each of x_1, …, x_C",
        EITHER_MODEL,
        "In n_h = C < L units some contexts lose an item, for L = 7, C = 3 at least 65.7 % of them; in n_h = 2L none "
        "do.",
    ),
    follows(
        "Thus, the MHN-based model's functionality perfectly coincides with that of the transformer",
        EITHER_MODEL,
    ),
    follows(
        "the gradients obtained for W_V will coincide with either model (with high probability)",
        EITHER_MODEL,
    ),
    "SI B.5.2",
    follows(
        "Having shown an equivalence between the two models …, it now suffices to prove the theorem for the baseline "
        "transformer",
        EITHER_MODEL,
    ),
    "SI B.5.2, proof of Theorem 7",
    defines(
        "∂L/∂W_V = (1/B) Σ (ŷ − y) x̃ᵀ where x̃ = Σ softmax(x_q W_QᵀW_K x_i) x_i … simply recovers the entry of the "
        "matrix W_QᵀW_K",
        held_by="tests/attention/test_gradients.py::test_exact_gradients_of_the_baseline_are_those_of_the_whole_loss",
    ),
    slip(
        "E[(W_QᵀW_K)_αβ] = Σ_{γ=1}^N E[(W_Q)_αγ] E[(W_K)_βγ] = 0",
        "(W_Q)_γα (W_K)_γβ",
        "W_Q and W_K have N rows and d columns.",
    ),
    defines("E[(W_QᵀW_K)_αβ] = … = 0", held_by=PRODUCTS),
    defines("Var[(W_QᵀW_K)_αβ] = N · 1/N · 1/N = 1/N", held_by=PRODUCTS),
    follows(
        "in the large-N limit, each entry in W_QᵀW_K concentrates about 0. Consequently, with high probability the "
        "attention mechanism becomes uniform, i.e. softmax(…) = 1/C … In turn, x̃ = (1/C) Σ x_i … Thus, the calculated "
        "gradient simplifies",
        UNIFORM,
    ),
    defines(
        "column j of W_V … is provided a nonzero update if and only if x_J appears in the context window",
        held_by=f"{PROOF}test_columns_of_the_context_and_no_others_are_updated",
    ),
    defines(
        "since we have indexed over input sequences that already contain x_J, none of these input sequences can "
        "contain x_J'",
        held_by=SEQUENCES,
    ),
    defines(
        "in the large-B limit, R also grows large because R/B converges to the fraction γ ∈ (0, 1) of all case "
        "sequences that contain x_J in the context window",
        held_by=f"{THEORY}test_share_of_sequences_with_a_token",
    ),
    defines(
        "(1/R) Σ y → E[y] by the law of large numbers … y = y_J with probability 1/C … E[y] = (1/C) y_J + (1 − 1/C)[½, "
        "½]",
        held_by=SEQUENCES,
    ),
    defines(
        "E[(1/C) Σ W_V x_i] = (1 − 1/C) W_V E[x] where x … is sampled from … one-hot encodings of letters excluding "
        "x_J and x_J'. This distribution is uniform over the remaining 2L − 2 letters … (W_V E[x])_o = 1/(2L−2) Σ "
        "(W_V)_ol",
        held_by=SEQUENCES,
    ),
    defines(
        "in the large-B limit, ∂L/∂(W_V)_oj concentrates to (γ/C)((1/C)((W_V)_oj − (y_J)_o) + (1 − 1/C)(…))",
        held_by=f"{THEORY}test_the_effective_gradient_is_the_mean_over_all_sequences",
    ),
    slip(
        "the gradient is a sum of two terms: one that drives (W_V)_oj towards (y_J)_o and another term that drives the "
        "sum of the elements corresponding to other letters in the same row of W_V towards ½",
        "their mean",
        "The term has 1/(2L − 2) before the sum; at the minimum the sum is L − 1.",
        held_by=f"{PROOF}test_half_of_the_other_letters_have_each_case",
    ),
    defines(
        "Intuitively, gradient descent should result in a matrix W_V* whose columns are near [1, 0] or [0, 1] … when "
        "the above gradient is zero, we expect (W_V)_oj ≈ (y_J)_o",
        held_by=MINIMUM,
    ),
    defines(
        "the above gradient precisely arises from the loss function L̃ [first form]",
        held_by=f"{PROOF}test_both_forms_of_the_loss_have_the_effective_gradient",
    ),
    slip(
        "[first form of L̃] = [second form of L̃, with (y_J)_o²]",
        "(y_J)_o²/(2C) in the second form",
        "With it both are equal. It is a constant: both have the same gradient.",
        held_by=f"{PROOF}test_both_forms_of_the_loss_have_the_effective_gradient",
    ),
    defines(
        "which is convex in W_V, where we have noted that 1/(2C) − (1 − 1/C) 1/(2L − 2) > 0 since C < L",
        held_by=f"{PROOF}test_the_constant_by_which_the_loss_is_convex",
    ),
    defines(
        "gradient descent with a suitably small step size will result in convergence to a global minimizer of the loss",
        held_by=f"{THEORY}test_limits_of_the_step_size",
    ),
    "SI B.5.2, Lemma 9",
    defines("f(x(T)) − f(x*) ≤ ‖x(0) − x*‖²/(2ηT)", held_by=DESCENT),
    defines(
        "for f(x(T)) to be within some fixed ε > 0 of the optimal value f(x*), it suffices to perform at most "
        "⌊‖x(0) − x*‖²/(2ηε)⌋ gradient descent steps",
        held_by=ROUNDED_DOWN,
        note="From the bound of the lemma it follows with ⌈ ⌉; with ⌊ ⌋ it holds by the sharp bound, "
        "‖x(0) − x*‖²/(η(4T + 2)).",
    ),
    "SI B.5.2, proof of Theorem 7",
    defines(
        "∇L̃ is Lipschitz-continuous … each entry … is linear in the entries of W_V … with Lipschitz constant at most "
        "2γd/C²",
        held_by=f"{PROOF}test_the_lipschitz_constant_is_at_most_the_printed_one",
        note="It is 1/(2L), less than a sixth of the bound, which is why far larger steps converge.",
    ),
    defines(
        "performing T_ε := ⌊‖W_V(0) − W_V*‖²/(2ηε)⌋ (which is O(1) and independent of N) gradient descent steps will "
        "cause L̃(W_V(T_ε)) to be within ε of the global minimum",
        held_by=ROUNDED_DOWN,
    ),
    defines(
        "there is a unique minimizer W_V* of L̃ and … lim W_V(t) → W_V* under gradient descent … any global minimizer "
        "is precisely characterized by the condition that ∂L/∂W_V = 0",
        held_by=f"{THEORY}test_limits_of_the_step_size",
    ),
    slip(
        "We then define α_oj := (W_V)_oj − (y_J)_o, so that … ⟹ (1/C) α_oj + (1 − 1/C)(1/(2L−1) Σ_{l≠j} α_ol) = …",
        "1/(2L − 2) Σ_{l≠j,j'} α_ol",
        "The equation before it and A have this sum.",
        held_by=f"{PROOF}test_the_condition_for_a_minimum_is_A",
    ),
    defines(
        "exactly half of the 2L−2 letters aside from x_J and x_J' are uppercase and half are lowercase; thus, "
        "Σ (y_L)_o = L − 1 … ½ − (L−1)/(2L−2) = 0",
        held_by=f"{PROOF}test_half_of_the_other_letters_have_each_case",
    ),
    defines(
        "We may succinctly write the above equation as A α_o = 0 where … A ∈ R^{2L×2L} is given in block-matrix form",
        held_by=f"{PROOF}test_the_condition_for_a_minimum_is_A",
    ),
    slip(
        "α_o := [α_{o,1}, …, α_{o,2L}]ᵀ ∈ R^L … any eigenvector v ∈ span(1_T)^⊥",
        "α_o ∈ R^{2L}, span(1_L)^⊥",
        "A has 2L columns, and its blocks L.",
    ),
    defines(
        "B is positive definite; in particular, it has one eigenvalue of ½(1 + 1/C) … and L−1 repeated eigenvalues of "
        "1/C − (1 − 1/C) 1/(2L−2)",
        held_by=BLOCKS,
    ),
    defines(
        "[D] has one eigenvalue of ½(1 − 1/C) … and L−1 repeated eigenvalues of −(1 − 1/C) 1/(2L−2)",
        held_by=BLOCKS,
    ),
    defines(
        "A is positive definite if and only if B is positive definite (which it is) and the Schur complement B − DB⁻¹D "
        "is positive definite … the eigenvectors of B and D perfectly coincide … (B − DB⁻¹D) 1_L = … (B − DB⁻¹D) v = … "
        "> 0 … (since C < L)",
        held_by=BLOCKS,
    ),
    defines(
        "In turn, we conclude that A is positive definite. In particular, we find that A has trivial null space, and "
        "hence A α_o = 0 implies that α_o = 0. This precisely means that the unique minimizer … is given by (W_V)*_oj "
        "= (y_J)_o",
        held_by=f"{THEORY}test_eigenvalues_in_closed_form",
        note="For C = L, as in the experiments, its least eigenvalue is 0.",
    ),
    slip(
        "if the Hessian … has minimum singular value m > 0, then … L̃(W_2) ≥ L̃(W_1) + Tr(∇L̃(W_1)(W_2 − W_1)) + "
        "(m/2)‖W_2 − W_1‖²",
        "Tr(∇L̃(W_1)ᵀ(W_2 − W_1))",
        "Both matrices are 2 × d. With ᵀ it holds.",
        held_by=f"{PROOF}test_strong_convexity",
    ),
    slip(
        "where W_V is flattened as the vector [(W_V)_11, …, (W_V)_1d, (W_V)_21, …, (W_V)_2d] ∈ R^{4L}",
        "the letters' columns, from 1 to 2L",
        "With d = 3L columns W_V has 6L entries. The queries' 2L never learn; for the letters' 4L all is right.",
        held_by=f"{THEORY}test_the_effective_gradient_is_the_mean_over_all_sequences",
    ),
    defines(
        "(m/2)‖W_V(T) − W_V*‖² ≤ L̃(W_V(T)) − L̃(W_V*) ≤ ‖W_V(0) − W_V*‖²/(2ηT)",
        held_by=f"{PROOF}test_strong_convexity",
    ),
    defines("‖W_V(T) − W_V*‖ ≤ ‖W_V(0) − W_V*‖/√(ηmT) which clearly goes to 0 as T → ∞", held_by=DESCENT),
    defines(
        "∇²L̃ = (γ/C)(A, 0; 0, A) is positive definite … its eigenvalues are strictly positive",
        held_by=f"{THEORY}test_the_hessian_is_the_second_moment_of_what_is_reinstated",
    ),
    slip(
        "a block matrix (W, X; Xᵀ, Z) is positive definite if Z is positive definite and the Schur complement W − XZXᵀ "
        "is positive definite",
        "W − XZ⁻¹Xᵀ",
        "With W = 1, X = 0.9, Z = 0.5 the matrix is not positive definite, though Z and W − XZXᵀ = 0.595 are. Where it "
        "is used, X is 0.",
        held_by=f"{PROOF}test_the_schur_complement_has_an_inverse",
    ),
    unjudged(
        "consider column j of W_V … we may re-index the outer sum … over the R ≤ B input sequences in which x_J "
        "appears … From convex analysis, we have the following lemma … it suffices to show that A has full rank … we "
        "utilize a fact about strong convexity … Thus, to finish our proof, we show that ∇²L̃ is positive definite",
        "Names, and the order of the argument; its steps are judged above.",
    ),
)
