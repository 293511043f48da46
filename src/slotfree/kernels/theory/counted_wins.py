"""The counting of wins over time, for units that change their class with each win."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import lean

Floats = NDArray[np.float64]


@lean
def count_wins(
    stay: Floats,
    once: Floats,
    twice: Floats,
    start: Floats,
    steps: NDArray[np.int64],
    least: float,
    mass: Floats,
    new: Floats,
    out: Floats,
) -> int:
    """Follow classes of units through time: out[s, r, a, i] is the mass of class i with r wins after steps[s] steps.

    It ends, and returns the number of s, when of start[0] less than the least mass has not yet reached the last r.

    It begins as start[a, i], with r = 0. In a step a unit of class i stays what it is with probability stay[i], or goes
    to class j with one win, once[i, j], or two, twice[i, j]. The last r stands for itself and all beyond.

    The masses of a class lie in a row, by r and then by a: a win moves them along the row by the number of starts. Two
    empty places before r = 0 and two after the last r take what would be moved beyond. mass and new are such rows,
    (classes, (last + 5) starts), and hold zeros.
    """
    last, n_starts, n = out.shape[1] - 1, start.shape[0], start.shape[1]
    first, end = 2 * n_starts, (last + 2) * n_starts  # of r = 0, and of the last
    for a in range(n_starts):
        for i in range(n):
            mass[i, first + a] = start[a, i]
    done = reached = 0
    for s in range(steps.size):
        for _ in range(done, steps[s]):
            reached = min(reached + 2, last + 2)
            upto = first + (reached + 1) * n_starts
            for j in range(n):
                to = new[j, first:upto]
                keep(stay[j], mass[j, first:upto], to)
                for i in range(n):
                    x_1, x_2 = mass[i, n_starts : upto - n_starts], mass[i, : upto - first]
                    add_moved(once[i, j], twice[i, j], x_1, x_2, to)
                for a in range(n_starts):
                    new[j, end + a] += new[j, end + n_starts + a] + new[j, end + 2 * n_starts + a]
                    new[j, end + n_starts + a] = new[j, end + 2 * n_starts + a] = 0.0
            mass, new = new, mass
        done = steps[s]
        left = 0.0
        for r in range(last + 1):
            for a in range(n_starts):
                for i in range(n):
                    out[s, r, a, i] = mass[i, first + r * n_starts + a]
                    if a == 0 and r < last:
                        left += out[s, r, a, i]
        if left < least:
            return s + 1
    return steps.size


@lean
def keep(factor: float, x: Floats, out: Floats) -> None:
    """out = factor · x."""
    for q in range(out.size):
        out[q] = factor * x[q]


@lean
def add_moved(once: float, twice: float, x_1: Floats, x_2: Floats, out: Floats) -> None:
    """Add to out what was one place before, and what was two before, with their probabilities to move here."""
    for q in range(out.size):
        out[q] += once * x_1[q] + twice * x_2[q]
