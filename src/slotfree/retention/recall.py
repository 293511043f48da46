"""What a cue recalls: which hidden units win, and which visible units they drive most.

Hidden units are of two kinds: the k_h old winners, which stored the pattern, and all others. Visible units are of three:
in the cue, of the pattern but not in the cue (missing), and off.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special
from scipy.linalg import eigh_tridiagonal

from slotfree.kernels.characteristics import log_connected
from slotfree.kernels.tilts import stretch, tilt_connections, tilt_to_means
from slotfree.memory.settings import KWinnerSettings
from slotfree.retention.drives import (
    N_DRIVES,
    N_WEIGHTS,
    WEIGHTS,
    Floats,
    Lattice,
    mean_and_variance,
    tails,
    win_probability,
)
from slotfree.retention.pairs import Pairs
from slotfree.retention.steady_state import SteadyState, fresh_drives, winners_active
from slotfree.retention.traces import Traces

CUE, MISSING, OFF = range(3)
KINDS_OF_UNITS = 3
N_POPULARITIES = 5


@dataclass(frozen=True)
class Winners:
    """Who wins with a cue.

    Attributes
    ----------
    returning : the share of old winners among the winners.
    old, other : densities of the weights to a visible unit of each kind (kind, w), of a winner that is old or not; the
        sum over w is the probability of a connection.
    """

    returning: float
    old: Floats
    other: Floats


class Recall:
    """Retrieval with cues of one level c, in the steady state."""

    def __init__(self, settings: KWinnerSettings, state: SteadyState, trace: Traces, pairs: Pairs, cue: float) -> None:
        self.settings, self.state, self.trace, self.pairs = settings, state, trace, pairs
        k_v, n_v = settings.k_visible, settings.n_visible
        self.ones = max(int(cue * k_v + 0.5), 1)
        self.sizes = np.array([self.ones, k_v - self.ones, n_v - k_v])
        self._old_drives()
        self._others_at_storing()
        unseen = self.unseen()
        self._visible = self._visible_lattice(unseen)

    def unseen(self) -> Winners:
        """Winners for a pattern that is not stored."""
        n_h, k_h = self.settings.n_hidden, self.settings.k_hidden
        above = tails(self.state.units @ self.other_drive)
        chance = win_probability((n_h - 1) * above, (n_h - 1) * above * (1 - above), k_h)
        other = self._others(self.other_drive * chance)
        return Winners(0.0, np.zeros_like(other), other)

    def stored(
        self, old_wins: Floats, all_wins: Floats, inputs: Floats, inputs_variance: Floats, strength: Floats
    ) -> Winners:
        """Winners for a stored pattern.

        Its winners and all units have won 0, 1, … times since, with these shares; b, the ones of the pattern among the
        inputs of its winners, has this mean and variance, and their weights have this sum, by r.
        """
        n_h, k_h = self.settings.n_hidden, self.settings.k_hidden
        not_old = all_wins @ self.not_old
        drive = self.other_drive * not_old
        drive /= (self.state.units @ drive).sum()
        old_drive = self._survivors(inputs, inputs_variance)
        u, u_old = tails(self.state.units @ drive), old_wins @ tails(old_drive)
        others = n_h - k_h
        chance_old = win_probability(
            (k_h - 1) * u_old + others * u, (k_h - 1) * u_old * (1 - u_old) + others * u * (1 - u), k_h
        )
        returns = old_drive @ chance_old
        returning = min(float(old_wins @ returns), 1.0)
        drives = old_drive @ (chance_old * self.lattice.drives) / np.maximum(returns, 1e-300)
        old = self._old(old_wins * returns, drives, inputs, strength)
        if others == 0:
            return Winners(1.0, old, np.zeros_like(old))
        n = max(others - 1, 0)
        chance = win_probability(k_h * u_old + n * u, k_h * u_old * (1 - u_old) + n * u * (1 - u), k_h)
        lacking = (all_wins @ (self.not_old * self.lacking)) / np.maximum(not_old, 1e-300)
        won = self.state.units @ drive * chance
        other = self._others(drive * chance, float(won @ lacking / max(won.sum(), 1e-300)))
        return Winners(returning, old, other)

    def forgotten(self) -> Winners:
        """Winners for a pattern stored so long ago that nothing is left of it."""
        last = np.zeros(len(self.trace.kept))
        last[-1] = 1.0
        average = np.ones(len(last))
        strength = float(self.state.wins @ self.state.strength)
        return self.stored(
            last, last, self.trace.inputs * average, self.trace.inputs_variance * average, strength * average
        )

    def accuracy(self, winners: Winners) -> float:
        """Expected share of the pattern among the k_v visible units with the largest drive."""
        k_h, k_v = self.settings.k_hidden, self.settings.k_visible
        lattice, sizes = self._visible, self.sizes
        densities = np.stack([winners.old, winners.other])
        shares, weights = beta_points(winners.returning, 1 / k_h, 2)
        nodes, node_weights = self._popularities(densities)
        logs = np.empty((*nodes.shape[:-1], len(lattice.t)), np.complex128)  # (node, old or other, kind, t)
        log_connected(nodes.reshape(-1, N_WEIGHTS), *lattice.waves, logs.reshape(-1, len(lattice.t)))
        accuracy = 0.0
        for share, weight in zip(shares, weights, strict=True):
            log_characteristic = k_h * (share * logs[:, 0] + (1 - share) * logs[:, 1])
            p = (node_weights[:, None, None] * lattice.probabilities(log_characteristic)).sum(axis=0)
            accuracy += weight * _overlap(tails(p), sizes, k_v)
        return accuracy

    def _old_drives(self) -> None:
        """Drives of old winners by r: the cue takes a part c of the pattern, and so, with chance, of the drive.

        h_c = cH + noise,    Var = c(1 − c) k_v/(k_v − 1) (b E w² − H²/k_v)
        """
        trace, k_v = self.trace, self.settings.k_visible
        c = self.ones / k_v
        parts = trace.inputs * (trace.on @ WEIGHTS**2) - trace.drive_mean**2 / k_v
        split = c * (1 - c) * k_v / max(k_v - 1, 1) * np.maximum(parts, 0.0)
        variance = c * c * trace.drive_variance + split
        high = float((c * trace.drive_mean + 6 * np.sqrt(variance)).max())
        self.lattice, self.other_drive = fresh_drives(
            self.settings, self.ones, self.state.density, self.state.units, high
        )
        distance = trace.stored - trace.chance @ trace.stored
        self.old_drive = np.array(
            [
                self.lattice.moved(trace.chance, c * (mean + slope * distance), c * c * noise + extra)
                for mean, slope, noise, extra in zip(
                    trace.drive_mean, trace.drive_slope, trace.drive_noise, split, strict=True
                )
            ]
        )
        self.back_to_whole = c * trace.drive_variance / np.maximum(variance, 1e-12)

    def _survivors(self, inputs: Floats, inputs_variance: Floats) -> Floats:
        """Drives of old winners by r, when b has another mean and variance than at storing."""
        trace, lattice = self.trace, self.lattice
        c = self.ones / self.settings.k_visible
        mean, variance = mean_and_variance(self.old_drive, lattice.drives)
        missing = (c * trace.drive_by_inputs) ** 2 * (trace.inputs_variance - inputs_variance)
        scale = np.sqrt(np.clip(1 - missing / np.maximum(variance, 1e-12), 0.05, 1.0))
        middle = (mean - lattice.low) / lattice.step
        to = middle + c * trace.drive_by_inputs * (inputs - trace.inputs) / lattice.step
        drive = np.empty_like(self.old_drive)
        stretch(self.old_drive, middle, to, scale, drive)
        return drive

    def _others_at_storing(self) -> None:
        """What is known of the others: the whole pattern did not make them win when it was stored.

        With r wins since, a unit that now has the drive h from the cue had about μ_c + γ^r (h − μ_c) from it then, and an
        independent drive from the missing part. It was no winner if both together were below the threshold; the less the
        missing part gave it, the likelier.
        """
        n_v, k_v, m = self.settings.n_visible, self.settings.k_visible, self.settings.n_connections
        w_mean, w_variance = mean_and_variance(self.state.units @ self.state.density, WEIGHTS)
        s = (k_v - self.ones) / n_v
        missing = m * s * w_mean
        missing_variance = m * s * (1 - s) * (w_variance + (1 - m / n_v) * w_mean**2)
        h = self.lattice.drives
        h_mean, h_variance = mean_and_variance(self.state.units @ self.other_drive, h)
        rise = np.diff(self.state.chance, prepend=0.0)
        rise = np.maximum(rise, 0.0) / max(np.maximum(rise, 0.0).sum(), 1e-300)
        threshold, threshold_variance = mean_and_variance(rise, self.state.lattice.drives)
        kept = self.trace.kept[:, None]
        width = np.sqrt(missing_variance + (1 - kept**2) * h_variance + threshold_variance + 1e-12)
        z = (threshold - missing - h_mean - kept * (h - h_mean)) / width
        self.not_old = special.ndtr(z)
        hazard = np.exp(-0.5 * z * z - special.log_ndtr(z)) / np.sqrt(2 * np.pi)
        self.lacking = -kept * missing_variance / width * hazard

    def _others(self, won: Floats, lacking: float = 0.0) -> Floats:
        """Weights of other winners to visible units; won has the probabilities (class, drive) of having won."""
        n_v, m = self.settings.n_visible, self.settings.n_connections
        total = np.maximum(won.sum(axis=1), 1e-300)
        classes = self.state.units * total
        classes /= classes.sum()
        density = self.state.density
        active, _ = winners_active(self.settings, self.ones, density, won @ self.lattice.drives / total)
        cue = m * (classes @ (density * active)) / self.ones
        rest = m * (classes @ (density * (1 - active))) / max(n_v - self.ones, 1)
        missing = np.empty((1, N_WEIGHTS))
        if lacking and self.sizes[MISSING]:
            drive = max(rest @ WEIGHTS + lacking / self.sizes[MISSING], 1e-3 * rest @ WEIGHTS)
            tilt_connections(rest[None], WEIGHTS, np.array([drive]), missing)
        else:
            missing[0] = rest
        return np.stack([cue, missing[0], rest])

    def _old(self, mass: Floats, h: Floats, inputs: Floats, strength: Floats) -> Floats:
        """Weights to visible units of returning old winners, by r: mass, mean drive, mean b and mean strength."""
        trace, m = self.trace, self.settings.n_connections
        c = self.ones / self.settings.k_visible
        mean = trace.drive_mean + trace.drive_by_inputs * (inputs - trace.inputs)
        whole = mean + self.back_to_whole * (h - c * mean)
        used = mass > 1e-7 * mass.sum() if mass.sum() > 0 else np.arange(len(mass)) == 0
        share = np.where(used, mass, 0.0) + 1e-300
        share = share[used] / share[used].sum()
        before = trace.on[used] * np.minimum(inputs[used, None] / self.settings.k_visible, 1.0)
        cue, missing = np.zeros_like(before), np.zeros_like(before)
        tilt_connections(before, WEIGHTS, h[used] / self.sizes[CUE], cue)
        if self.sizes[MISSING]:
            tilt_connections(before, WEIGHTS, np.maximum(whole - h, 1e-9)[used] / self.sizes[MISSING], missing)
        ones = self.sizes[CUE] * cue.sum(axis=1) + self.sizes[MISSING] * missing.sum(axis=1)
        off = np.maximum(m - ones, 0.0)[:, None] * trace.off[used] / max(self.sizes[OFF], 1)
        drive = (strength - mean + trace.off_by_drive * (whole - mean))[used] / max(self.sizes[OFF], 1)
        tilt_connections(off.copy(), WEIGHTS, np.clip(drive, 0.1 * off @ WEIGHTS, 3 * off @ WEIGHTS), off)
        return np.stack([share @ cue, share @ missing, share @ off])

    def _popularities(self, densities: Floats) -> tuple[Floats, Floats]:
        """Versions of the densities for visible units from unpopular to popular, and how many there are of each.

        Winners that have stored the same patterns agree on which visible units they favour. The mean weight to a visible
        unit differs by a beta distribution whose variance is the covariance of two winners' weights. Those to which
        strong connections lead have, if they are active, also more connections from winners: P(x = 1 | w, win) rises.
        """
        rho, state = self.pairs.winners, self.state
        phi = state.wins @ state.density
        mu, variance = mean_and_variance(phi, WEIGHTS)
        means, weights = beta_points(float(mu), float(rho * variance / (mu * (1 - mu))), N_POPULARITIES)
        x = (means - mu) / np.sqrt(max(rho * variance, 1e-12))
        popular = np.empty((N_POPULARITIES, N_WEIGHTS))
        tilt_to_means(phi, WEIGHTS, _inside(means, float(mu)), popular)
        factor = popular / np.maximum(phi, 1e-300)
        chosen = factor @ (state.wins @ (state.density * state.active))
        chosen /= weights @ chosen

        size = densities.sum(axis=2, keepdims=True)
        shape = densities / np.maximum(size, 1e-300)
        mean, variances = mean_and_variance(shape, WEIGHTS)
        nodes = np.empty((N_POPULARITIES, *densities.shape))
        for old in (0, 1):
            for kind in range(KINDS_OF_UNITS):
                if variances[old, kind] < 1e-9:
                    nodes[:, old, kind] = shape[old, kind]
                    continue
                to = mean[old, kind] + np.sqrt(rho * variances[old, kind]) * x
                tilt_to_means(shape[old, kind], WEIGHTS, _inside(to, mean[old, kind]), nodes[:, old, kind])
        nodes *= size
        for kind in (CUE, MISSING):
            nodes[:, 0, kind] = _by_odds(nodes[:, 0, kind] * chosen[:, None], 1 - size[0, kind, 0])
        nodes[:, 1, CUE] = _by_odds(densities[1, CUE] * factor, 1 - size[1, CUE, 0])
        return nodes, weights

    def _visible_lattice(self, unseen: Winners) -> Lattice:
        """Visible drives: from 0 to far above those of a pattern just stored, and of a new one."""
        r = np.arange(len(self.trace.kept))
        drives = self.trace.drive_mean * self.ones / self.settings.k_visible
        average = np.ones(len(r))
        strength = (self.state.wins @ self.state.strength) * average
        best = self._old(1.0 * (r == 0), drives, self.trace.inputs * average, strength)
        densities = np.stack([best, unseen.other])
        mean, square = densities @ WEIGHTS, densities @ WEIGHTS**2
        k_h, rho = self.settings.k_hidden, self.pairs.winners
        width = np.sqrt(k_h * square + rho * k_h**2 * square * densities.sum(axis=2))
        high = float((k_h * mean + 10 * width).max())
        return Lattice(-10 * high / N_DRIVES, high)


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
    return densities / (densities.sum(axis=1, keepdims=True) + max(none, 0.0) + 1e-300)


def _inside(means: Floats, mean: float) -> Floats:
    """Keep means of weights within the range of weights."""
    return np.clip(means, 0.02 * mean, 1 - 0.02 * (1 - mean))


def _overlap(above: Floats, sizes: Floats, k_v: int) -> float:
    """Share of the pattern above the threshold that lets k_v visible units through."""
    total = sizes @ above
    i = int(np.clip(np.searchsorted(-total, -k_v), 1, N_DRIVES - 1))
    part = np.clip((total[i - 1] - k_v) / max(total[i - 1] - total[i], 1e-300), 0.0, 1.0)
    at = above[:, i - 1] + part * (above[:, i] - above[:, i - 1])
    return float(sizes[:OFF] @ at[:OFF] / k_v)
