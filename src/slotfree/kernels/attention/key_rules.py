"""The rules for W_K of slot-free models: one kernel each, all with the same arguments.

A kernel adds the rule's gradient for W_K after one query. It sees what is there at that moment: the slow weights, the
fast weights, and the activity; nothing of the context but what the fast weights hold.

    rule(slow, fast, activity, q, target, gradient)

``slow`` : W_Q, W_K transposed and W_V, as ``Q`` (D, N), ``K`` (D, N) and ``V`` (n_outputs, D).
``fast`` : ``HK`` (n_h, N), ``VH`` (n_outputs, n_h) and ``IH`` (D, n_h).
``activity`` : ``s`` (n_h,) attention, ``x`` (D,) reinstated input x̃, ``y_hat`` trained and ``y_val`` reported output
    (n_outputs,). A rule may write to ``h``, ``s``, ``c``, ``k``, ``delta``, ``error`` and ``y_hat``, not to the others.
``q`` : the query, (N,).
``target`` : the number of the right output.
``gradient`` : of W_K transposed, (D, N), summed over the batch; to be added to.
"""

from slotfree.kernels.attention.fast_weights import Array, FastWeights, backward, drive, forward, softmax, through_keys
from slotfree.kernels.attention.learning_rules import credit, outer
from slotfree.kernels.attention.transformer import Activity, SlowWeights, against
from slotfree.kernels.compile import leaf


@leaf
def fixed(slow: SlowWeights, fast: FastWeights, activity: Activity, q: Array, target: int, gradient: Array) -> None:
    """Keys do not learn."""


@leaf
def mhn(slow: SlowWeights, fast: FastWeights, activity: Activity, q: Array, target: int, gradient: Array) -> None:
    """∂L_K/∂W_K = δ_K x̃ᵀ, δ_K = Σ_m c_m (W_HK)_m, with the credit c of ŷ_K = W_VH softmax(W_HK W_K x̃); x̃ is held."""
    backward(slow.K, activity.x, activity.k)  # W_K x̃
    drive(fast, activity.k, activity.h)
    softmax(activity.h, 1.0, activity.s)
    forward(fast.VH, activity.s, activity.y_hat)  # ŷ_K
    against(target, activity.y_hat, activity.error)
    backward(fast.VH, activity.error, activity.c)
    credit(activity.s, activity.y_hat, activity.error, 1.0, activity.c)
    through_keys(fast, activity.c, activity.delta)
    outer(activity.x, activity.delta, gradient)


@leaf
def mhn_as_printed(
    slow: SlowWeights, fast: FastWeights, activity: Activity, q: Array, target: int, gradient: Array
) -> None:
    """The same with ŷ_K = W_VH softmax(W_HK W_Q x̃), as SI B.4 prints it; the attention s_K has W_K there too."""
    backward(slow.Q, activity.x, activity.k)  # W_Q x̃
    drive(fast, activity.k, activity.h)
    softmax(activity.h, 1.0, activity.s)
    forward(fast.VH, activity.s, activity.y_hat)  # ŷ_K
    against(target, activity.y_hat, activity.error)
    backward(slow.K, activity.x, activity.k)  # W_K x̃
    drive(fast, activity.k, activity.h)
    softmax(activity.h, 1.0, activity.s)  # s_K
    backward(fast.VH, activity.error, activity.c)
    credit(activity.s, activity.y_hat, activity.error, 1.0, activity.c)
    through_keys(fast, activity.c, activity.delta)
    outer(activity.x, activity.delta, gradient)


@leaf
def query_key(slow: SlowWeights, fast: FastWeights, activity: Activity, q: Array, target: int, gradient: Array) -> None:
    """∂L_K/∂W_K = 2 (W_K x̃ − q) x̃ᵀ: the delta rule towards the query, which is held."""
    backward(slow.K, activity.x, activity.k)  # W_K x̃
    for j in range(q.size):
        activity.delta[j] = 2.0 * (activity.k[j] - q[j])
    outer(activity.x, activity.delta, gradient)
