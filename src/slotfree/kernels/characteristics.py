"""Logarithms of characteristic functions of sums of weights."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@kernel
def log_chosen(s: float, w: Floats, t: Floats, out: Complexes) -> None:
    """out[j, q] = log(1 − s + s e^{i w_j t_q}): a weight that counts with probability s. Continuous in t for any s."""
    for j in range(w.size):
        for q in range(t.size):
            a = w[j] * t[q]
            cos, sin = np.cos(a), np.sin(a)
            if s <= 0.5:
                re, im, turn = 1 - s + s * cos, s * sin, 0.0
            else:  # the same, turned so that the logarithm stays on its main branch
                re, im, turn = s + (1 - s) * cos, -(1 - s) * sin, a
            out[j, q] = complex(0.5 * np.log(re * re + im * im + 1e-300), np.arctan2(im, re) + turn)


@kernel
def weighted_sums(weights: Floats, terms: Complexes, out: Complexes) -> None:
    """out[i] = Σ_j weights[i, j] terms[j]."""
    re, im = np.ascontiguousarray(terms.real), np.ascontiguousarray(terms.imag)
    for i in range(weights.shape[0]):
        out[i] = sum_of(weights[i], re) + 1j * sum_of(weights[i], im)


@kernel
def log_connected(density: Floats, cos: Floats, sin: Floats, out: Complexes) -> None:
    """out[i] = log(1 + Σ_j D_ij (e^{i w_j t} − 1)): a connection exists with probability Σ_j D_ij, D the density.

    cos and sin are those of w_j t, in rows of j.
    """
    for i in range(density.shape[0]):
        re = sum_of(density[i], cos) + (1 - density[i].sum())
        im = sum_of(density[i], sin)
        for q in range(re.size):
            out[i, q] = complex(0.5 * np.log(re[q] * re[q] + im[q] * im[q] + 1e-300), np.arctan2(im[q], re[q]))


@kernel
def sum_of(weights: Floats, rows: Floats) -> Floats:
    """Σ_j weights[j] rows[j], real numbers only, so that the loop is vectorised."""
    out = np.zeros(rows.shape[1])
    for j in range(weights.size):
        a = weights[j]
        if a != 0.0:
            for q in range(out.size):
                out[q] += a * rows[j, q]
    return out
