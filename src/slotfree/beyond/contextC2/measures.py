"""What a context of C items in n_h units can hold, and what trained weights do with the units.

With ideal slow weights one winner that replaces what it holds (ε = 1) answers for the newest of the items that met in
it. Item by item the winner is drawn at random, so the item a steps back is right with

    ½ + ½ (1 − 1/n_h)ᵃ,    on average    ½ + n_h/(2C) · P(n ≥ 1),    n ~ Bin(C, 1/n_h).

With ε → 0 it holds the mean of these items, and answers by vote: with n items of cases ±1 of sum S_n, (n + |S_n|)/2 of
them are answered rightly, whatever their age:

    ½ + n_h/(2C) · E|S_n|.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.weights import Weights, off_diagonal


def newest(n_units: int, length: int) -> NDArray[np.float64]:
    """Accuracy by lag, (C,), if each unit answers for the newest item that it stored."""
    return np.asarray(0.5 + 0.5 * (1 - 1 / n_units) ** np.arange(length), np.float64)


def voted(n_units: int, length: int) -> float:
    """Accuracy, at every lag, if each unit answers by a vote of the items that it stored."""
    n = np.arange(length + 1)
    distance = np.array([stats.binom.expect(lambda ups, m=m: abs(2 * ups - m), (m, 0.5)) if m else 0.0 for m in n])
    return float(0.5 + n_units / (2 * length) * (stats.binom.pmf(n, length, 1 / n_units) * distance).sum())


def ideal(n_letters: int, key_dim: int, length: float, rng: np.random.Generator) -> Weights:
    """Slow weights by which letters are told apart, and nothing else: one key for both cases, which queries have too.

    Keys are random directions with |k|² = ``length``. Values are the case.
    """
    keys = rng.normal(size=(key_dim, n_letters))
    keys *= np.sqrt(length / (keys**2).sum(axis=0))
    none, case = np.zeros_like(keys), np.ones(n_letters)
    W_V = np.array([np.concatenate([case, 0 * case, 0 * case]), np.concatenate([0 * case, case, 0 * case])])
    wiring = np.asarray(rng.integers(0, 2**63))
    return Weights(np.hstack([none, none, keys]), np.hstack([keys, keys, none]), W_V, wiring)


def case_component(weights: Weights) -> float:
    """The share of |k|² by which keys tell the case in a direction that letters share.

    It is half of how much more alike keys of the same case are than keys of other cases, of different letters: for
    keys u_l ± e with u_l·u_m = 0, it is |e|²/|k|². 0 if there is no such direction; 1 if keys tell nothing else.
    """
    overlaps = weights.key_key
    L = overlaps.shape[-1] // 3
    lower, upper = slice(0, L), slice(L, 2 * L)
    same = (off_diagonal(overlaps[lower, lower]).mean() + off_diagonal(overlaps[upper, upper]).mean()) / 2
    other = off_diagonal(overlaps[lower, upper]).mean()
    return float((same - other) / (2 * np.diagonal(overlaps)[: 2 * L].mean()))


def other_case(weights: Weights) -> float:
    """Share of the letters' tokens whose value, their column of W_V, says the other case."""
    lower_minus_upper = weights.W_V[0] - weights.W_V[1]
    L = len(lower_minus_upper) // 3
    return float(np.concatenate([lower_minus_upper[:L] < 0, lower_minus_upper[L : 2 * L] > 0]).mean())


def agreement(weights: Weights, projected: NDArray[np.int64]) -> float:
    """How far the tokens that drive the same unit have values of the same sign, beyond what their cases have in common.

    The mean over units of |mean sign|, of W_V less of the case itself. Units that one letter drives are left out: both
    of its cases must differ there.

    Parameters
    ----------
    projected : the units that each of the letters' tokens drives, (2L, k).
    """
    L = len(projected) // 2
    signs, cases = np.sign(weights.W_V[0] - weights.W_V[1])[: 2 * L], np.repeat([1, -1], L)
    found = []
    for unit in np.unique(projected):
        tokens = np.flatnonzero((projected == unit).any(axis=1))
        if len(np.unique(tokens % L)) > 1:
            found.append(abs(signs[tokens].mean()) - abs(cases[tokens].mean()))
    return float(np.mean(found)) if found else np.nan


def one_key_for_both(weights: Weights) -> Weights:
    """The same weights, but that both cases of a letter have the mean of their keys: keys cannot tell the case."""
    W_K = weights.W_K.copy()
    L = W_K.shape[1] // 3
    W_K[:, :L] = W_K[:, L : 2 * L] = (W_K[:, :L] + W_K[:, L : 2 * L]) / 2
    return Weights(weights.W_Q, W_K, weights.W_V, weights.wiring)


def rewired(weights: Weights) -> Weights:
    """The same slow weights, but that projections and connections of units are drawn anew."""
    return Weights(weights.W_Q, weights.W_K, weights.W_V, np.asarray((weights.drawn_by + 1) % 2**63))
