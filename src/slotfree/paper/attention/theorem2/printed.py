"""Equations of the proof of theorem 7 as they are printed."""

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.tasks.case_sequence import CaseSequenceTask

Matrix = NDArray[np.float64]


def weight_of_others(L: int, C: int) -> float:
    """(1 − 1/C)/(2L − 2), which occurs everywhere."""
    return (1 - 1 / C) / (2 * L - 2)


def loss(W: Matrix, C: int) -> float:
    """The effective loss L̃ in its first form, from W_V (2, 2L)."""
    y, others, L = _parts(W)
    inner = (W - y) ** 2 / (2 * C) + weight_of_others(L, C) / 2 * others * W - (1 - 1 / C) / 2 * W
    return float(theory.appearance(L, C) / C * inner.sum())


def second_form(W: Matrix, C: int) -> float:
    """The effective loss L̃ in its second form, which is to be equal."""
    y, _, L = _parts(W)
    share = weight_of_others(L, C)
    each = -W * y / C + y**2 + (1 / (2 * C) - share) * W**2 - (1 - 1 / C) / 2 * W
    each += share / 4 * (W - _other_case(W)) ** 2
    return float(theory.appearance(L, C) / C * (share / 2 * (W.sum(axis=1) ** 2).sum() + each.sum()))


def eigenvalues_of_B(L: int, C: int) -> Matrix:
    """½(1 + 1/C) once, 1/C − (1 − 1/C)/(2L − 2) L − 1 times, in rising order."""
    return np.sort([(1 + 1 / C) / 2, *[1 / C - weight_of_others(L, C)] * (L - 1)])


def eigenvalues_of_D(L: int, C: int) -> Matrix:
    """½(1 − 1/C) once, −(1 − 1/C)/(2L − 2) L − 1 times, in rising order."""
    return np.sort([(1 - 1 / C) / 2, *[-weight_of_others(L, C)] * (L - 1)])


def eigenvalues_of_schur(L: int, C: int) -> Matrix:
    """Those of B − DB⁻¹D, in rising order."""
    first = (C + 1) / (2 * C) - (C - 1) ** 2 / (2 * C * (C + 1))
    rest = ((2 * L - C - 1) ** 2 - (C - 1) ** 2) / (C * (2 * L - 2) * (2 * L - C - 1))
    return np.sort([first, *[rest] * (L - 1)])


def condition_for_a_minimum(L: int, C: int) -> Matrix:
    """The matrix of the condition for a minimum, where it is first written with α: a sum over l ≠ j, by 2L − 1."""
    n = 2 * L
    return np.eye(n) / C + (1 - np.eye(n)) * (1 - 1 / C) / (n - 1)


def _parts(W: Matrix) -> tuple[Matrix, Matrix, int]:
    """The case code, Σ_{l ≠ j, j'} W_ol for each entry, and L."""
    L = W.shape[1] // 2
    return CaseSequenceTask(L, 1).case_code, W.sum(axis=1, keepdims=True) - W - _other_case(W), L


def _other_case(W: Matrix) -> Matrix:
    return np.roll(W, W.shape[1] // 2, axis=1)
