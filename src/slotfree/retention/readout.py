"""The visible layer: from the winners of a cue to the k_v visible units that they drive most.

Visible units are of three kinds: in the cue; missing, that is of the pattern but not in the cue; and off.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree.kernels.characteristics import connected_sums
from slotfree.kernels.tilts import tilt_each_to_means, tilt_to_means
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.retention.drives import (
    N_DRIVES,
    N_WEIGHTS,
    WEIGHTS,
    Floats,
    Lattice,
    from_transforms,
    mean_and_variance,
    tails,
)
from slotfree.retention.pairs import Pairs
from slotfree.retention.steady_state import SteadyState

CUE, MISSING, OFF = range(3)
OLD, OTHER = range(2)
N_POPULARITIES = 5


@dataclass(frozen=True)
class Winners:
    """Who wins with a cue, by the age of the pattern (first dimension).

    Attributes
    ----------
    returning : the share of old winners, which stored the pattern, among the winners.
    old, other : densities of the weights to a visible unit of each kind (age, kind, w), of a winner that is old or
        not; the sum over w is the probability of a connection.
    """

    returning: Floats
    old: Floats
    other: Floats


class Readout:
    """The accuracy of what winners recall.

    Parameters
    ----------
    settings, state, pairs : the network.
    sizes : how many visible units there are of each kind.
    widest : densities (case, kind, w) that give the largest drives, all winners alike.
    """

    def __init__(
        self, settings: KWinnerSettings, state: SteadyState, pairs: Pairs, sizes: NDArray[np.int64], widest: Floats
    ) -> None:
        self.k_v, self.k_h, self.sizes = settings.k_visible, settings.k_hidden, sizes
        self._find_popularities(state, pairs.winners)
        mean, square = widest @ WEIGHTS, widest @ WEIGHTS**2
        width = np.sqrt(self.k_h * square + pairs.winners * self.k_h**2 * square * widest.sum(axis=2))
        high = float((self.k_h * mean + 10 * width).max())
        self.lattice = Lattice(-10 * high / N_DRIVES, high)

    def accuracies(self, *winners: Winners) -> Floats:
        """Expected share of the pattern among the k_v visible units with the largest drive, for all winners given.

        The drive of a visible unit is a sum over K_old + K_other = k_h winners, with the characteristic function

            E e^{ivt} = (1 + Σ_w D_old(w)(e^{iwt} − 1))^{K_old} (1 + Σ_w D_other(w)(e^{iwt} − 1))^{K_other},

        averaged over the popularity of visible units. K_old varies, as the sum of k_h chances to return.
        """
        lattice = self.lattice
        returning, weights = beta_points(np.concatenate([case.returning for case in winners]), 1 / self.k_h, 2)
        both = [np.stack([case.old, case.other], axis=1) for case in winners]
        densities = self._by_popularity(np.concatenate(both))
        sums = np.empty((*returning.shape, len(self.sizes), len(lattice.t)), np.complex128)
        shape = (*densities.shape[:-1], len(lattice.t))
        re, im = ((densities.reshape(-1, N_WEIGHTS) @ wave).reshape(shape) for wave in lattice.waves)
        on_lattice = (lattice.t, lattice.blur, lattice.low)
        connected_sums(self.sizes, 1 + re, im, self.shares, returning, float(self.k_h), *on_lattice, sums)
        accuracies: Floats = (weights * _overlap(from_transforms(sums), self.sizes, self.k_v)).sum(axis=1)
        return accuracies

    def _find_popularities(self, state: SteadyState, rho: float) -> None:
        """How visible units differ, from unpopular to popular, and their shares.

        Winners that have stored the same patterns agree on which visible units they favour. The mean weight to a
        visible unit differs by a beta distribution, whose variance is the covariance of two winners' weights. Popular
        units that are active have more connections from winners, too, since P(x = 1 | w, win) rises with w.
        """
        phi = state.wins @ state.density
        mu, variance = (float(x) for x in mean_and_variance(phi, WEIGHTS))
        means, self.shares = beta_points(np.array(mu), rho * variance / (mu * (1 - mu)), N_POPULARITIES)
        popular = np.empty((N_POPULARITIES, N_WEIGHTS))
        tilt_to_means(phi, WEIGHTS, _inside(means, mu), popular)
        self.distance = (means - mu) / np.sqrt(max(variance, 1e-12))
        self.factor = popular / np.maximum(phi, 1e-300)
        self.connections = self.factor @ (state.wins @ (state.density * state.active))
        self.connections /= self.shares @ self.connections

    def _by_popularity(self, densities: Floats) -> Floats:
        """Densities (age, old or other, kind, w) for visible units of each popularity, in a new second dimension."""
        size = densities.sum(axis=-1, keepdims=True)
        shape = densities / np.maximum(size, 1e-300)
        mean, spread = (x[..., None] for x in mean_and_variance(shape, WEIGHTS))
        by_popularity = np.repeat(shape[..., None, :], N_POPULARITIES, axis=-2)
        wide = spread[..., 0] > 1e-9
        tilted = np.empty((wide.sum(), N_POPULARITIES, N_WEIGHTS))
        tilt_each_to_means(shape[wide], WEIGHTS, _inside(mean + np.sqrt(spread) * self.distance, mean)[wide], tilted)
        by_popularity[wide] = tilted
        nodes = np.moveaxis(by_popularity * size[..., None, :], -2, 1)
        none = np.maximum(1 - size, 0.0)[:, None]
        for kind in (CUE, MISSING):
            nodes[:, :, OLD, kind] = _by_odds(nodes[:, :, OLD, kind] * self.connections[:, None], none[:, :, OLD, kind])
        nodes[:, :, OTHER, CUE] = _by_odds(densities[:, None, OTHER, CUE] * self.factor, none[:, :, OTHER, CUE])
        return np.ascontiguousarray(nodes)


def beta_points(mean: Floats, rho: float, n: int) -> tuple[Floats, Floats]:
    """Gauss quadrature: n points and weights for each beta distribution with a mean and variance ρ · mean · (1 − mean).

    With two points and ρ = 1 these are 0 and 1.
    """
    mean, rho = np.clip(mean, 1e-9, 1 - 1e-9)[..., None], min(max(rho, 1e-9), 1 - 1e-9)
    a, b = mean * (1 / rho - 1), (1 - mean) * (1 / rho - 1)
    k = np.arange(1.0, n)
    size = 2 * k + a + b
    diagonal = np.concatenate([mean, (2 * k * (k + a + b - 1) + a * (a + b - 2)) / ((size - 2) * size)], axis=-1)
    rest = np.concatenate([np.ones_like(mean), (k + a + b - 2)[..., 1:] / (size - 3)[..., 1:]], axis=-1)
    beside = k * (k + a - 1) * (k + b - 1) * rest / ((size - 1) * (size - 2) ** 2)
    matrix = np.zeros((*mean.shape[:-1], n, n))
    i = np.arange(n)
    matrix[..., i, i] = diagonal
    matrix[..., i[1:], i[:-1]] = np.sqrt(beside)  # the lower triangle is what counts
    points, vectors = np.linalg.eigh(matrix)
    return np.clip(points, 0.0, 1.0), vectors[..., 0, :] ** 2


def _by_odds(densities: Floats, none: Floats) -> Floats:
    """Densities of connections, from what is only in proportion to them and to the probability of no connection."""
    total: Floats = densities.sum(axis=-1, keepdims=True) + none + 1e-300
    return densities / total


def _inside(means: Floats, mean: ArrayLike) -> Floats:
    """Keep means of weights within the range of weights."""
    inside: Floats = np.clip(means, 0.02 * np.asarray(mean), 1 - 0.02 * (1 - np.asarray(mean)))
    return inside


def _overlap(drives: Floats, sizes: NDArray[np.int64], k_v: int) -> Floats:
    """Share of the pattern above the threshold that lets k_v visible units through; drives (…, kind, v)."""
    total, pattern = tails(sizes @ drives), tails(sizes[:OFF] @ drives[..., :OFF, :])
    i = np.clip((total > k_v).sum(axis=-1, keepdims=True), 1, N_DRIVES - 1)
    before, after = (np.take_along_axis(total, at, axis=-1) for at in (i - 1, i))
    part = np.clip((before - k_v) / np.maximum(before - after, 1e-300), 0.0, 1.0)
    before, after = (np.take_along_axis(pattern, at, axis=-1) for at in (i - 1, i))
    overlap: Floats = (before + part * (after - before))[..., 0] / k_v
    return overlap
