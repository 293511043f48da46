"""Step 1: who wins, in a context that begins empty.

Units differ in n, the number of their wins so far. A unit's drive, divided by f, is x + γ if the item projects to it (a
chance of k/n_h) and x if not, with x ~ N(0, S_n |k|²/m), as it sees m components of a random key. S_n = |w|²/f is the
squared length of its weights, which grows with each win:

    S_{n+1} = (1 − ε)² S_n + 2 ε (1 − ε) H_n + ε² |k|²,    H_n = E[x | a unit with n wins, wins]

It wins if fewer than k of the other units have a larger drive. Where γ is large, that is a chance of k/n_h for all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import binom

Floats = NDArray[np.float64]

MOST = 24  # wins that are told apart
WIDTH = 1e-3  # of the drives of units that hold nothing, so that ties are broken at random
STEPS = 240  # of the integral over drives, within 6 standard deviations


class Store(NamedTuple):
    """A store in the letters of the equations."""

    n: int  # n_h
    k: int
    m: int  # components of a key that a unit sees
    N: int
    C: int
    eps: float
    gamma: float
    b: float  # β f ε
    length2: float  # |k|²

    @property
    def f(self) -> float:
        """The fan-in."""
        return self.m / self.N


class Wins(NamedTuple):
    """How often units win.

    Attributes
    ----------
    at_end : share of units with n wins after the context, (n,).
    own : chance that a unit of an item had e wins before it and r after it, (lag, e, r).
    H : E[x | win], (n,): how much like its weights the key is by which a unit wins.
    longer : S_n, as a multiple of what it would be with H = 0, (n,).
    """

    at_end: Floats
    own: Floats
    H: Floats
    longer: Floats

    @property
    def kept(self) -> Floats:
        """Chance that a unit of an item has not won again, (lag,)."""
        chance: Floats = self.own[:, :, 0].sum(axis=1)
        return chance


def wins(store: Store) -> Wins:
    """Follow the shares of units with n wins, and the units of each item, through the context."""
    share = np.zeros(MOST + 1)
    share[0] = 1.0
    own = np.zeros((store.C, MOST + 1, MOST + 1))
    later = np.minimum(np.add.outer(np.arange(MOST + 1), np.arange(MOST + 1)) + 1, MOST)  # n = e + 1 + r
    won, met = np.zeros((2, MOST + 1))
    for t in range(store.C):
        H = met / np.maximum(won, 1e-12)
        rate, x = win_rates(store, share, lengths(store, H))
        moved = share * rate
        won, met = won + moved, met + moved * x
        again = own[:t] * rate[later]
        again[:, :, -1] = 0.0
        own[:t] -= again
        own[:t, :, 1:] += again[:, :, :-1]
        own[t, :, 0] = moved / moved.sum()
        moved[-1] = 0.0
        share = share - moved
        share[1:] += moved[:-1]
    H = met / np.maximum(won, 1e-12)
    longer = np.append(1.0, lengths(store, H)[1:] / lengths(store, 0 * H)[1:])
    return Wins(share, own[::-1], H, longer)


def lengths(store: Store, H: Floats) -> Floats:
    """S_n, (n,)."""
    S = np.zeros(len(H))
    for n in range(len(H) - 1):
        grown = 2 * store.eps * (1 - store.eps) * H[n] + store.eps**2 * store.length2
        S[n + 1] = (1 - store.eps) ** 2 * S[n] + grown
    return S


def win_rates(store: Store, share: Floats, S: Floats) -> tuple[Floats, Floats]:
    """Return the chance of a unit with n wins to win the next item, and E[x | win], both (n,).

    chance = (1 − k/n_h) ∫ B₀ dF_n + (k/n_h) ∫ B₁ dF_n(x − γ), with B the chance that fewer than k of the others exceed
    a drive: of units that the item does not project to, and of those that it does. Scaled so that k units win.
    """
    k, n, gamma, p = store.k, store.n, store.gamma, store.k / store.n
    sd = np.sqrt(np.maximum(S, 0) * store.length2 / store.m) + WIDTH
    near = np.concatenate([np.linspace(-6, 6, STEPS + 1) * sd.max(), np.linspace(-6, 6, STEPS // 4) * WIDTH])
    h = np.sort(np.concatenate([near, gamma + near]))
    middle = (h[1:] + h[:-1]) / 2
    above = [ndtr((mean - h) / sd[:, None]) for mean in (0.0, gamma)]  # (n, h)
    free, projected = (np.clip(share @ each / share.sum(), 0, 1) for each in above)
    chance, meant = np.zeros((2, len(share)))
    for part, exceeds, mean, n_free, n_projected in (
        (1 - p, above[0], 0.0, n - 1 - k, k),
        (p, above[1], gamma, n - k, k - 1),
    ):
        if n_free < 0:  # all units are projected to
            continue
        B = np.zeros(len(h))
        for j in range(min(n_projected, k - 1) + 1):
            B += binom.pmf(j, n_projected, projected) * binom.cdf(k - 1 - j, n_free, free)
        weight = -np.diff(exceeds, axis=1) * (B[1:] + B[:-1]) / 2
        chance += part * weight.sum(axis=1)
        meant += part * weight @ (middle - mean)
    total = float(share @ chance)
    return np.clip(chance * p / max(total, 1e-12), 0, 1), meant / np.maximum(chance, 1e-12)
