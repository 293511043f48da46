"""How many numbers a training step has to read and write, and how long a simple loop takes to do so.

Counted are weights, fast weights and their gradients, each as often as the equations need it anew: once for each item
that is stored, for the query, and for each rule. Activity is not counted, nor are random numbers and exponentials,
which are arithmetic. The simple loop adds rows to a row: of every addition, two numbers are read and one is written.
"""

import numba
import numpy as np

import slotfree as sf
from slotfree.kernels.arithmetic.lanes import add_scaled

ROWS, LENGTH = 16, 50  # as fast weights have them, so that they lie in the processor's first cache


@numba.njit(nogil=True)
def add_rows(W, out, times):
    for _ in range(times):
        for row in W:
            add_scaled(row, 1e-9, out)


class SimpleLoop:
    """The loop, to be measured; ``touched`` is how many numbers a call reads and writes."""

    touched = 3 * ROWS * LENGTH * 2000

    def __init__(self):
        self.W, self.out = np.ones((ROWS, LENGTH)), np.zeros(LENGTH)
        add_rows(self.W, self.out, 1)  # compiled before it is timed

    def __call__(self):
        add_rows(self.W, self.out, 2000)


def numbers_touched(model, task, batch_size):
    """Numbers read and written in a step."""
    N, D, Y, C = model.key_dim, task.n_tokens, task.n_outputs, task.context_length
    slow = D * (2 * N + Y)
    sequence = _slots(N, Y, C) if isinstance(model, sf.BaselineTransformer) else _slot_free(model, N, D, Y, C)
    return batch_size * sequence + 4 * slow  # the descent reads and writes weights and gradients


def _slots(N, Y, C):
    query = N + C * (N + Y)
    learning = 2 * C * Y + (C * N + 2 * N) + (2 * C * N + N)  # of W_V, W_Q and W_K
    return query + learning


def _slot_free(model, N, D, Y, C):
    """With input projections, W_HK is 0 but for the rows of stored items."""
    n_h, projections = model.units, model.input_projections
    rows = [t if projections else n_h for t in range(C)]  # of W_HK before item t
    last = C if projections else n_h
    drawn = n_h * (D + Y + (0 if projections else N))
    stored = sum(rows) * N + C * (2 * N + D + 2 * Y)
    query = N + last * N + n_h * (D + Y) + Y * D
    learning = 3 * Y * D + n_h * D + last * N + 2 * N  # of W_V and W_Q
    keys = {"fixed": 0, "query-key": 3 * D * N, "mhn": 3 * D * N + 2 * (last * N + n_h * Y)}[model.key_rule]
    return drawn + stored + query + learning + keys
