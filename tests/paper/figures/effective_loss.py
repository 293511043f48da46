"""The effective loss of theorem 7, as its proof has it, for tests: gradient, value, curvature."""

import numpy as np

import slotfree as sf
from slotfree.paper.figures.theorem2_theory import appearance, matrix_A


def effective_gradient(W, C):
    """(γ/C) ((W_oj − y_oj)/C + (1 − 1/C) (Σ_{l ≠ j, j'} W_ol / (2L − 2) − 1/2)), j' the other case of letter j."""
    L = W.shape[1] // 2
    both_cases = np.tile(W[:, :L] + W[:, L:], 2)
    others = (W.sum(axis=1, keepdims=True) - both_cases) / (2 * L - 2)
    code = sf.CaseSequenceTask(L, C).case_code
    return appearance(L, C) / C * ((W - code) / C + (1 - 1 / C) * (others - 1 / 2))


def excess_loss(W, C):
    """The effective loss above its minimum, (γ/2C) Σ_o α_oᵀ A α_o with α = W_V − W*."""
    L = W.shape[1] // 2
    alpha = W - sf.CaseSequenceTask(L, C).case_code
    return float(appearance(L, C) / (2 * C) * np.einsum("oi,ij,oj", alpha, matrix_A(L, C), alpha))


def eigenvalues(L, C):
    """The 2L eigenvalues of A in closed form, in rising order."""
    return np.sort([1.0, *[(L - C) / (C * (L - 1))] * (L - 1), *[1 / C] * L])


def curvature(L, C):
    """m and M, the least and the largest eigenvalue of the Hessian (γ/C) A."""
    return eigenvalues(L, C)[[0, -1]] * appearance(L, C) / C
