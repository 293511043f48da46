"""The accuracy of retrieval: which visible units the winners drive most, and how many of them belong to the pattern."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree.forgetting.theory.cases import Cases
from slotfree.forgetting.theory.drive_distribution import (
    N_DRIVES,
    N_WEIGHTS,
    WEIGHTS,
    Floats,
    Lattice,
    from_transforms,
    mean_and_variance,
)
from slotfree.forgetting.theory.steady_state import SteadyState
from slotfree.forgetting.theory.winner_correlation import Correlation
from slotfree.forgetting.theory.winners_at_test import CUE, MISSING, Winners
from slotfree.kernels.theory.characteristic_functions import connected_sums
from slotfree.kernels.theory.exponential_tilts import tilt_to_means
from slotfree.kernels.theory.threshold import overlaps
from slotfree.memory.kwinner import KWinnerSettings

OLD, OTHER = range(2)
N_POPULARITIES = 5


@dataclass(frozen=True)
class Visible(Cases):
    """The visible layer, by case and by K_old, the number of old winners, of which there are two.

    Attributes
    ----------
    shares, weights : K_old/k_h, and how likely it is.
    drives : probabilities on the lattice, (case, K_old, kind, v), for the kinds of visible units that there are.
    accuracy : share of the pattern among the units with the largest drive, (case, K_old).
    """

    shares: Floats
    weights: Floats
    drives: Floats
    accuracy: Floats

    @property
    def expected(self) -> Floats:
        """The expected accuracy, by case."""
        expected: Floats = (self.weights * self.accuracy).sum(axis=1)
        return expected


class Readout:
    """The visible layer, which the winners drive.

    Parameters
    ----------
    settings, state, correlation : the network, and how alike its winners are.
    sizes : the number of visible units of each kind: in the cue, missing, off.
    strongest : densities (case, kind, w) of the winners that give the largest drives.
    """

    def __init__(
        self,
        settings: KWinnerSettings,
        state: SteadyState,
        correlation: Correlation,
        sizes: NDArray[np.int64],
        strongest: Floats,
    ) -> None:
        self.k_v, self.k_h, self.sizes = settings.k_visible, settings.k_hidden, sizes
        self.kinds = np.flatnonzero(sizes)
        if self.k_h > 1:
            self._find_popularities(state, correlation.winners)
        mean, square = strongest @ WEIGHTS, strongest @ WEIGHTS**2
        width = np.sqrt(self.k_h * square + correlation.winners * self.k_h**2 * square * strongest.sum(axis=2))
        high = float((self.k_h * mean + 10 * width).max())
        self.lattice = Lattice(-10 * high / N_DRIVES, high)

    def visible(self, winners: Winners) -> "Visible":
        """Return the drives of the visible units, and the expected share of the pattern among the k_v largest.

        The drive of a visible unit is a sum over K_old + K_other = k_h winners, with the characteristic function

            E e^{ivt} = (1 + Σ_w D_old(w)(e^{iwt} − 1))^{K_old} (1 + Σ_w D_other(w)(e^{iwt} − 1))^{K_other},

        averaged over the popularity of visible units and over K_old, which varies as the sum of k_h chances to return.
        With one winner it is linear in the densities: K_old is 0 or 1, and popularities do not matter.
        """
        lattice, t, kinds = self.lattice, self.lattice.t, self.kinds
        returning, densities = winners.returning, np.stack([winners.old, winners.other], axis=1)
        if self.k_h == 1:
            shares = np.tile([1.0, 0.0], (len(returning), 1))
            weights = np.stack([returning, 1 - returning], axis=1)
            re, im = self._transforms(densities[:, :, kinds])
            sums = (re - 1j * im) * np.exp(-0.5 * (lattice.blur * t) ** 2 + 1j * lattice.low * t)
        else:
            shares, weights = beta_points(returning, 1 / self.k_h, 2)
            re, im = self._transforms(self._by_popularity(densities)[:, :, :, kinds])
            sums = np.empty((*shares.shape, len(kinds), len(t)), np.complex128)
            room = np.empty((4 + 2 * shares.shape[1], len(t)))
            connected_sums(re, im, self.shares, shares, float(self.k_h), t, lattice.blur, lattice.low, room, sums)
        drives, rho = from_transforms(sums), np.empty(weights.size)
        overlaps(drives.reshape(-1, len(kinds), N_DRIVES), self.sizes[kinds], float(self.k_v), rho)
        return Visible(shares, weights, drives, rho.reshape(weights.shape))

    def _transforms(self, densities: Floats) -> tuple[Floats, Floats]:
        """Return the real and the imaginary part of 1 + Σ_w D(w)(e^{iwt} − 1), with t in place of w."""
        rows, shape = densities.reshape(-1, N_WEIGHTS), (*densities.shape[:-1], len(self.lattice.t))
        re, im = ((rows @ wave).reshape(shape) for wave in self.lattice.waves)
        re += 1
        return re, im

    def _find_popularities(self, state: SteadyState, rho: float) -> None:
        """Find how visible units differ, from unpopular to popular, and their shares.

        Winners that have stored the same patterns favour the same visible units. The mean weight to a visible unit has
        a beta distribution, whose variance is the covariance of two winners' weights. Popular units that are active
        also have more connections from winners, since P(x = 1 | w, win) rises with w.
        """
        phi = state.wins @ state.density
        mu, variance = (float(x) for x in mean_and_variance(phi, WEIGHTS))
        means, self.shares = beta_points(np.array(mu), rho * variance / (mu * (1 - mu)), N_POPULARITIES)
        popular = np.empty((N_POPULARITIES, N_WEIGHTS))
        tilt_to_means(phi[None], WEIGHTS, _inside(means, mu)[None], popular[None])
        self.distance = (means - mu) / np.sqrt(max(variance, 1e-12))
        self.factor = popular / np.maximum(phi, 1e-300)
        self.connections = self.factor @ (state.wins @ (state.density * state.active))
        self.connections /= self.shares @ self.connections

    def _by_popularity(self, densities: Floats) -> Floats:
        """Return densities (age, old or other, kind, w) for each popularity, in a new second dimension."""
        size = densities.sum(axis=-1, keepdims=True)
        shape = densities / np.maximum(size, 1e-300)
        mean, spread = (x[..., None] for x in mean_and_variance(shape, WEIGHTS))
        by_popularity = np.repeat(shape[..., None, :], N_POPULARITIES, axis=-2)
        wide = spread[..., 0] > 1e-9
        tilted = np.empty((wide.sum(), N_POPULARITIES, N_WEIGHTS))
        tilt_to_means(shape[wide], WEIGHTS, _inside(mean + np.sqrt(spread) * self.distance, mean)[wide], tilted)
        by_popularity[wide] = tilted
        nodes: Floats = np.moveaxis(by_popularity * size[..., None, :], -2, 1)
        none = np.maximum(1 - size, 0.0)[:, None]
        for kind in (CUE, MISSING):
            nodes[:, :, OLD, kind] = _by_odds(nodes[:, :, OLD, kind] * self.connections[:, None], none[:, :, OLD, kind])
        nodes[:, :, OTHER, CUE] = _by_odds(densities[:, None, OTHER, CUE] * self.factor, none[:, :, OTHER, CUE])
        return nodes


def beta_points(mean: Floats, rho: float, n: int) -> tuple[Floats, Floats]:
    """Return n points and weights of Gauss quadrature for beta distributions of variance ρ · mean · (1 − mean).

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
    """Return densities of connections, from what is proportional to them and to the probability of no connection."""
    total: Floats = densities.sum(axis=-1, keepdims=True) + none + 1e-300
    return densities / total


def _inside(means: Floats, mean: ArrayLike) -> Floats:
    """Return means of weights, kept within the range of weights."""
    inside: Floats = np.clip(means, 0.02 * np.asarray(mean), 1 - 0.02 * (1 - np.asarray(mean)))
    return inside
