"""The learning rules of the SI (B.4, gradient equations), each written once, for one sequence.

A rule adds its gradient to that of the batch. Gradients are laid out as the weights are: those of W_Q and W_K
transposed, (D, N), with a row for each token. Slot-free rules see the query step only: the fast weights, what they
return for the query, and the error. The rules for W_K of slot-free models are in ``key_rules``.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.lanes import add_scaled
from slotfree.kernels.attention.fast_weights import FastWeights, through_keys
from slotfree.kernels.compile import inner, lean

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@lean
def credit(s: Array, y_hat: Array, error: Array, beta: float, c: Array) -> None:
    """How the loss changes with the drive of each attended unit.

    c_m = 2 β s_m (ŷ − y)ᵀ (o_m − ŷ), with the attention s, the output o_m that unit m would give alone,
    ŷ = Σ_m s_m o_m, and the error ŷ − y. Before, c holds the error carried back to the units, (ŷ − y)ᵀ o_m.
    """
    agreement = 0.0
    for o in range(error.size):
        agreement += error[o] * y_hat[o]
    for m in range(s.size):
        c[m] = 2.0 * beta * s[m] * (c[m] - agreement)


@lean
def value_rule(error: Array, x: Array, gradient: Array) -> None:
    """∂L/∂W_V = 2 (ŷ − y) x̃ᵀ, with the reinstated input x̃."""
    for o in range(error.size):
        add_scaled(x, 2.0 * error[o], gradient[o])


@inner
def slot_value_rule(error: Array, s: Array, context: Integers, gradient: Array) -> None:
    """The same with x̃ = Σ_t s_t x_t: only tokens of the context have a part in it."""
    C, T = context.shape
    for o in range(error.size):
        weight = 2.0 * error[o]
        for t in range(C):
            for i in range(T):
                gradient[o, context[t, i]] += weight * s[t]


@inner
def query_rule(fast: FastWeights, c: Array, query: int, delta: Array, gradient: Array) -> None:
    """∂L/∂W_Q = δ_Q x_qᵀ, δ_Q = Σ_m c_m (W_HK)_m."""
    through_keys(fast, c, delta)
    add_scaled(delta, 1.0, gradient[query])


@inner
def slot_query_rule(K: Array, c: Array, context: Integers, query: int, gradient: Array) -> None:
    """∂L/∂W_Q = δ_Q x_qᵀ, δ_Q = Σ_t c_t k_t: the transformer's rule."""
    C, T = context.shape
    for t in range(C):
        for i in range(T):
            add_scaled(K[context[t, i]], c[t], gradient[query])


@inner
def slot_key_rule(c: Array, q: Array, context: Integers, gradient: Array) -> None:
    """∂L/∂W_K = Σ_t δ_{K,t} x_tᵀ, δ_{K,t} = c_t q: the transformer's rule, which needs every item of the context."""
    C, T = context.shape
    for t in range(C):
        for i in range(T):
            add_scaled(q, c[t], gradient[context[t, i]])


@lean
def outer(x: Array, delta: Array, gradient: Array) -> None:
    """Add δ x̃ᵀ, with a row for each token."""
    for d in range(x.size):
        add_scaled(delta, x[d], gradient[d])
