"""What slot-free training does not see: which items were overwritten, and the gradient that keys would need."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel
from slotfree.kernels.fast_weights import Array, FastWeights, begin
from slotfree.kernels.rules import slot_key_rule
from slotfree.kernels.sequences import SequenceArrays
from slotfree.kernels.transformer import FIXED, Room, Slow, Storage, answer, learn, present
from slotfree.kernels.uniform import stream


@kernel
def diagnose(
    slow: Slow,
    fast: FastWeights,
    room: Room,
    sequences: SequenceArrays,
    storage: Storage,
    scratch: Slow,
    gradient: Array,
    lost: NDArray[np.bool_],
) -> None:
    """Add the exact gradient of the loss |ŷ − y|² for W_K over a batch, and note which items were overwritten.

    Keys act on the output through the rows of W_HK that hold them, ∂L/∂W_K = Σ_t c_m q x_tᵀ, with the unit m that
    stored item t; an item that was overwritten has no part in it. This is the transformer's rule: it needs the context.

    Parameters
    ----------
    scratch : gradients that are not wanted.
    gradient : of W_K, (D, N).
    lost : (n, C), whether each item was overwritten by a later one.
    """
    context, query = sequences.context, sequences.query
    C = context.shape[1]
    winners = np.empty(C, np.int64)
    for b in range(query.size):
        begin(fast, stream(storage.key, b), storage.high)
        for t in range(C):
            winners[t] = present(slow, fast, room, context[b, t], t, storage.allocation)
        answer(slow, fast, room, query[b])
        learn(slow, fast, room, query[b], sequences.target[b], FIXED, scratch)
        for t in range(C):
            lost[b, t] = False
            for later in range(t + 1, C):
                lost[b, t] |= winners[later] == winners[t]
            if not lost[b, t]:
                slot_key_rule(room.c[winners[t] :], slow.Q, query[b], context[b, t : t + 1], gradient)
