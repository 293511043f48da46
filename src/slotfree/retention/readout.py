"""The visible layer: from the winners of a cue to the k_v visible units that they drive most.

Visible units are of three kinds: in the cue; missing, that is of the pattern but not in the cue; and off.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh_tridiagonal

from slotfree.kernels.characteristics import log_connected
from slotfree.kernels.tilts import tilt_to_means
from slotfree.memory.settings import KWinnerSettings
from slotfree.retention.drives import N_DRIVES, N_WEIGHTS, WEIGHTS, Floats, Lattice, mean_and_variance, tails
from slotfree.retention.pairs import Pairs
from slotfree.retention.steady_state import SteadyState

CUE, MISSING, OFF = range(3)
OLD, OTHER = range(2)
N_POPULARITIES = 5


@dataclass(frozen=True)
class Winners:
    """Who wins with a cue.

    Attributes
    ----------
    returning : the share of old winners, which stored the pattern, among the winners.
    old, other : densities of the weights to a visible unit of each kind (kind, w), of a winner that is old or not; the
        sum over w is the probability of a connection.
    """

    returning: float
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

    def accuracy(self, winners: Winners) -> float:
        """Expected share of the pattern among the k_v visible units with the largest drive.

        The drive of a visible unit is a sum over K_old + K_other = k_h winners, with the characteristic function

            E e^{ivt} = (1 + Σ_w D_old(w)(e^{iwt} − 1))^{K_old} (1 + Σ_w D_other(w)(e^{iwt} − 1))^{K_other},

        averaged over the popularity of visible units. K_old varies, as the sum of k_h chances to return.
        """
        nodes = self._by_popularity(np.stack([winners.old, winners.other]))
        t = self.lattice.t
        logs = np.empty((*nodes.shape[:-1], len(t)), np.complex128)  # (popularity, old or other, kind, t)
        log_connected(nodes.reshape(-1, N_WEIGHTS), *self.lattice.waves, logs.reshape(-1, len(t)))
        accuracy = 0.0
        for share, weight in zip(*beta_points(winners.returning, 1 / self.k_h, 2), strict=True):
            log_characteristic = self.k_h * (share * logs[:, OLD] + (1 - share) * logs[:, OTHER])
            drives = (self.shares[:, None, None] * self.lattice.probabilities(log_characteristic)).sum(axis=0)
            accuracy += weight * _overlap(tails(drives), self.sizes, self.k_v)
        return accuracy

    def _find_popularities(self, state: SteadyState, rho: float) -> None:
        """How visible units differ, from unpopular to popular, and their shares.

        Winners that have stored the same patterns agree on which visible units they favour. The mean weight to a
        visible unit differs by a beta distribution, whose variance is the covariance of two winners' weights. Popular
        units that are active have more connections from winners, too, since P(x = 1 | w, win) rises with w.
        """
        phi = state.wins @ state.density
        mu, variance = (float(x) for x in mean_and_variance(phi, WEIGHTS))
        means, self.shares = beta_points(mu, rho * variance / (mu * (1 - mu)), N_POPULARITIES)
        popular = np.empty((N_POPULARITIES, N_WEIGHTS))
        tilt_to_means(phi, WEIGHTS, _inside(means, mu), popular)
        self.distance = (means - mu) / np.sqrt(max(variance, 1e-12))
        self.factor = popular / np.maximum(phi, 1e-300)
        self.connections = self.factor @ (state.wins @ (state.density * state.active))
        self.connections /= self.shares @ self.connections

    def _by_popularity(self, densities: Floats) -> Floats:
        """Densities (old or other, kind, w) for visible units of each popularity, in a new first dimension."""
        size = densities.sum(axis=2, keepdims=True)
        shape = densities / np.maximum(size, 1e-300)
        mean, spread = mean_and_variance(shape, WEIGHTS)
        nodes = np.empty((N_POPULARITIES, *densities.shape))
        for whose, kind in np.ndindex(mean.shape):
            if spread[whose, kind] < 1e-9:
                nodes[:, whose, kind] = shape[whose, kind]
            else:
                to = _inside(mean[whose, kind] + np.sqrt(spread[whose, kind]) * self.distance, float(mean[whose, kind]))
                tilt_to_means(shape[whose, kind], WEIGHTS, to, nodes[:, whose, kind])
        nodes *= size
        for kind in (CUE, MISSING):
            nodes[:, OLD, kind] = _by_odds(nodes[:, OLD, kind] * self.connections[:, None], 1 - size[OLD, kind, 0])
        nodes[:, OTHER, CUE] = _by_odds(densities[OTHER, CUE] * self.factor, 1 - size[OTHER, CUE, 0])
        return nodes


def beta_points(mean: float, rho: float, n: int) -> tuple[Floats, Floats]:
    """Gauss quadrature: n points and weights for a beta distribution with variance ρ · mean · (1 − mean).

    With two points and ρ = 1 these are 0 and 1.
    """
    mean, rho = min(max(mean, 1e-9), 1 - 1e-9), min(max(rho, 1e-9), 1 - 1e-9)
    a, b = mean * (1 / rho - 1), (1 - mean) * (1 / rho - 1)
    k = np.arange(1.0, n)
    size = 2 * k + a + b
    diagonal = np.append(mean, (2 * k * (k + a + b - 1) + a * (a + b - 2)) / ((size - 2) * size))
    rest = np.append(1.0, (k + a + b - 2)[1:] / (size - 3)[1:])
    beside = k * (k + a - 1) * (k + b - 1) * rest / ((size - 1) * (size - 2) ** 2)
    points, vectors = eigh_tridiagonal(diagonal, np.sqrt(beside))
    return np.clip(points, 0.0, 1.0), vectors[0] ** 2


def _by_odds(densities: Floats, none: float) -> Floats:
    """Densities of connections, from what is only in proportion to them and to the probability of no connection."""
    total: Floats = densities.sum(axis=1, keepdims=True) + max(none, 0.0) + 1e-300
    return densities / total


def _inside(means: Floats, mean: float) -> Floats:
    """Keep means of weights within the range of weights."""
    return np.clip(means, 0.02 * mean, 1 - 0.02 * (1 - mean))


def _overlap(above: Floats, sizes: NDArray[np.int64], k_v: int) -> float:
    """Share of the pattern above the threshold that lets k_v visible units through."""
    total = sizes @ above
    i = int(np.clip(np.searchsorted(-total, -k_v), 1, N_DRIVES - 1))
    part = np.clip((total[i - 1] - k_v) / max(total[i - 1] - total[i], 1e-300), 0.0, 1.0)
    at = above[:, i - 1] + part * (above[:, i] - above[:, i - 1])
    return float(sizes[:OFF] @ at[:OFF] / k_v)
