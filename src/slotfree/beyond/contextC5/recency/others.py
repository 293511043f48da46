"""Step 3: what all units add that do not hold the item asked for."""

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.stats import binom

from slotfree.beyond.contextC5.recency.parts import TERMS, Overlap, Parts, signed_sums
from slotfree.beyond.contextC5.recency.wins import Floats

SHARED_NODES = 15
RARE = 1e-6  # shares that are left out


def others(parts: Parts) -> Floats:
    """E exp(iτ Σ X) over the other units, which is real, (lag, y)."""
    return by_item(parts) if parts.store.eps == 1 else by_unit(parts)


def by_unit(parts: Parts) -> Floats:
    """For ε < 1: n_h − k units, each with n wins by its share, taken as independent."""
    store, left, share = parts.store, 1 - parts.store.eps, parts.wins.at_end
    one = np.full(parts.size, share[0])
    for n in range(1, len(share)):
        if share[n] < RARE:
            continue
        wins = np.arange(n)
        longer = float(parts.wins.longer[n])
        d = signed_sums(left ** wins[:TERMS].astype(float))
        one += share[n] * parts.of(d, parts.over_A(lambda a: parts.overlap(a, wins, longer=longer))).real  # noqa: B023
    every = (one / share.sum()) ** (store.n - store.k)
    return np.broadcast_to(every, (store.C, parts.size))


def by_item(parts: Parts) -> Floats:
    """For ε = 1: each of the other items is still held by some of its k units, which have the same sign.

    Of the variance |k|⁴/m of their overlaps z, a fraction f is shared, as masks share a fraction f of their components.
    """
    store, kept = parts.store, np.clip(parts.wins.kept, 0, 1)
    deviation = store.b * store.length2 / np.sqrt(store.m)

    def private(a: float, node: float) -> Overlap:
        variance = deviation**2 * max(a / store.length2 - store.f, 0.0)
        return Overlap(float(np.sqrt(store.f) * deviation * node), variance, (store.N + 2) / 3)

    powers = np.zeros((store.k + 1, parts.size))  # by how many units hold the item
    nodes, weights = hermegauss(SHARED_NODES)
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        one = parts.of(np.ones(1), parts.over_A(lambda a: private(a, node)))  # noqa: B023
        for held in range(store.k + 1):
            powers[held] += weight * (one**held).real
    chances = binom.pmf(np.arange(store.k + 1), store.k, kept[:, None])  # (lag, held)
    items: Floats = chances @ powers
    found: Floats = np.empty_like(items)
    for lag in range(store.C):
        found[lag] = np.prod(np.delete(items, lag, axis=0), axis=0)
    return found
