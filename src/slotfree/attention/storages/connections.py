"""The connections of fast weights that were drawn at random, for those who look at a trained model or rebuild it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.distributed_context import Context


@dataclass(frozen=True, eq=False)
class Connections:
    """Which connections there are; they follow from ``weights.wiring``.

    Attributes
    ----------
    keys : (n_h, N) whether a unit sees a component of keys: the mask of W_HK.
    tokens : (n_h, D) whether a unit is connected to a token: the mask of W_IH.
    projected : (D, k) the units that a token drives directly, P; −1 for none. If they are drawn anew for each
        sequence, those of the last.
    """

    keys: NDArray[np.bool_]
    tokens: NDArray[np.bool_]
    projected: NDArray[np.int64]


def connections_of(fast: Context) -> Connections:
    """The connections of a distributed context, copied."""
    keys = np.zeros((len(fast.g), fast.key_dim), np.bool_)
    np.put_along_axis(keys, fast.inputs, True, axis=1)
    return Connections(keys, fast.reaches > 0, fast.projected.copy())
