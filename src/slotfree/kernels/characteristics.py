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
    for i in range(weights.shape[0]):
        out[i] = 0
        for j in range(weights.shape[1]):
            a = weights[i, j]
            if a != 0.0:
                for q in range(terms.shape[1]):
                    out[i, q] += a * terms[j, q]


@kernel
def log_connected(density: Floats, waves: Complexes, out: Complexes) -> None:
    """out[i] = log(1 + Σ_j density[i, j] (waves[j] − 1)): a connection that exists with probability Σ_j density[i, j]."""
    for i in range(density.shape[0]):
        none = 1 - density[i].sum()
        out[i] = none
        for j in range(density.shape[1]):
            a = density[i, j]
            if a != 0.0:
                for q in range(waves.shape[1]):
                    out[i, q] += a * waves[j, q]
        for q in range(waves.shape[1]):
            re, im = out[i, q].real, out[i, q].imag
            out[i, q] = complex(0.5 * np.log(re * re + im * im + 1e-300), np.arctan2(im, re))
