"""What slot-free training does not see: which items were overwritten, and the gradient that keys would need."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.learning_rules import slot_key_rule
from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.slot_free import Placement, answer, learn, present, start
from slotfree.kernels.attention.transformer import Array, State
from slotfree.kernels.compile import kernel


@kernel
def diagnose(
    state: State, sequences: SequenceArrays, placement: Placement, exact: Array, lost: NDArray[np.bool_]
) -> None:
    """Add the exact gradient of the loss |ŷ − y|² for W_K over one batch, and note which items were overwritten.

    Keys act on the output through the rows of W_HK that hold them, ∂L/∂W_K = Σ_t c_m q x_tᵀ, with the unit m that
    stored item t; an item that was overwritten has no part in it. This is the transformer's rule: it needs the context.

    Parameters
    ----------
    exact : the gradient of W_K, (D, N).
    lost : (B, C), whether each item was overwritten by a later one.
    """
    slow, fast, activity = state.slow, state.fast, state.activity
    context, queries = sequences.context[0], sequences.query[0, :, 0]
    C = context.shape[1]
    winners = np.empty(C, np.int64)
    for b, query in enumerate(queries):
        start(fast, placement, sequences.first + b)
        for t in range(C):
            winners[t] = present(slow, fast, activity, context[b, t], t, placement)
        answer(slow, fast, activity, query)
        learn(slow, fast, activity, query, sequences.target[0, b, 0], state.gradient)
        for t in range(C):
            lost[b, t] = False
            for later in range(t + 1, C):
                lost[b, t] |= winners[later] == winners[t]
            if not lost[b, t]:
                slot_key_rule(activity.c[winners[t] :], slow.Q[query], context[b, t : t + 1], exact)
