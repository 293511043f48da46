"""Which hidden units win with a cue at the test, and which weights connect them to the visible units.

Hidden units are of two kinds: the k_h *old* winners, which stored the pattern, and all others. Visible units are of
three kinds: in the cue; *missing*, of the pattern but not in the cue; and *off*, not of the pattern.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from slotfree.forgetting.theory.cases import Cases
from slotfree.forgetting.theory.drive_distribution import (
    N_DRIVES,
    N_WEIGHTS,
    WEIGHTS,
    Complexes,
    Floats,
    from_transforms,
    mean_and_variance,
    tails,
    win_probability,
)
from slotfree.forgetting.theory.limits import ones_of_cue
from slotfree.forgetting.theory.random_cue import active_inputs_of_winners, random_cue_drives
from slotfree.forgetting.theory.steady_state import SteadyState
from slotfree.forgetting.theory.trace_decay import Trace
from slotfree.forgetting.theory.wins_by_age import WinsSince, just_stored
from slotfree.kernels.theory.exponential_tilts import Integers, means_of_stretched, stretch, tilt_connections
from slotfree.memory.kwinner import KWinnerSettings

CUE, MISSING, OFF = range(3)

Moved: TypeAlias = tuple[Floats, Integers, Floats, Floats, Floats, Integers]  # arguments of ``stretch``


@dataclass(frozen=True)
class Winners(Cases):
    """The winners for a cue, by the age of the pattern (first dimension).

    Attributes
    ----------
    returning : the share of old winners among the winners.
    old, other : densities of the weights to a visible unit of each kind (age, kind, w), of a winner that is old or
        not; the sum over w is the probability of a connection.
    totals : how much winners differ in what each gives to all visible units of a kind together, by how often they have
        won since or by their class: covariances (age, old or other, kind, kind).
    drives : variance of the drives of winners that are alike in this, (age, old or other).
    """

    returning: Floats
    old: Floats
    other: Floats
    totals: Floats
    drives: Floats


class Competition:
    """The competition of the hidden units for cues of one level c, in the steady state.

    Parameters
    ----------
    settings, state, trace : the network, and what is left of a stored pattern in its winners.
    cue : c; the cue has c k_v ones, at least one.
    """

    def __init__(self, settings: KWinnerSettings, state: SteadyState, trace: Trace, cue: float) -> None:
        self.settings, self.state, self.trace = settings, state, trace
        n_v, k_v = settings.n_visible, settings.k_visible
        self.ones = ones_of_cue(k_v, cue)
        self.c = self.ones / k_v
        self.sizes = np.array([self.ones, k_v - self.ones, n_v - k_v])
        self._find_old_drives()
        self._find_others_at_storing()

    def strongest(self) -> Floats:
        """Return the densities (case, kind, w) that give the largest drives: for a new pattern, and a random one."""
        drive, whole = self.c * self.trace.drive_mean[None], np.ones((1, len(self.trace.on)))
        newest, *_ = self._old(just_stored(self.trace), drive, drive**2, whole)
        return np.concatenate([newest, self.unseen.other])

    @cached_property
    def unseen(self) -> Winners:
        """The winners for a pattern that was never stored."""
        n_h, k_h = self.settings.n_hidden, self.settings.k_hidden
        above = tails(self.state.units @ self.other_drive)
        chance = win_probability((n_h - 1) * above, (n_h - 1) * above * (1 - above), k_h)
        other, totals, drives = self._others(chance[None], np.zeros(1))
        totals, drives = (np.stack([0 * x, x], axis=1) for x in (totals, drives))
        return Winners(np.zeros(1), 0 * other, other, totals, drives)

    def stored(self, since: WinsSince) -> Winners:
        """Return the winners for a stored pattern, at each age.

        An old winner wins if fewer than k_h of the k_h − 1 other old ones and of the n_h − k_h others have more drive;
        another unit, if fewer than k_h of the k_h old ones and the n_h − k_h − 1 others have.
        """
        n_h, k_h = self.settings.n_hidden, self.settings.k_hidden
        not_old = since.all_units @ self.not_old
        drive = not_old * (self.state.units @ self.other_drive)
        drive /= np.maximum(drive.sum(axis=1, keepdims=True), 1e-300)
        used = since.old > 1e-9
        moved = self._moved(since, used)
        age = moved[-1]
        old_drive = np.zeros_like(drive)
        stretch(*moved, since.old[used], old_drive)
        u, u_old = tails(drive), tails(old_drive)

        def chance(n_old: int, n_other: int) -> Floats:
            return win_probability(
                n_old * u_old + n_other * u, n_old * u_old * (1 - u_old) + n_other * u * (1 - u), k_h
            )

        chance_old = chance(k_h - 1, n_h - k_h)
        sums = np.empty((3, len(age)))
        means_of_stretched(*moved, chance_old, self.lattice.drives, sums)
        returns, drives, squares = np.zeros((3, *used.shape))
        returns[used], drives[used], squares[used] = sums
        returning_ones = np.maximum(returns, 1e-300)
        old, totals_old, drives_old = self._old(since, drives / returning_ones, squares / returning_ones, returns)
        returning = np.minimum((since.old * returns).sum(axis=1), 1.0)
        if n_h == k_h:
            totals, variances = (np.stack([x, 0 * x], axis=1) for x in (totals_old, drives_old))
            return Winners(np.ones_like(returning), old, 0 * old, totals, variances)
        chance_other = chance(k_h, n_h - k_h - 1)
        won = drive * chance_other
        lacking = since.all_units @ (self.not_old * self.lacking) / np.maximum(not_old, 1e-300)
        lack = (won * lacking).sum(axis=1) / np.maximum(won.sum(axis=1), 1e-300)
        other, totals, variances = self._others(not_old * chance_other, lack)
        totals, variances = np.stack([totals_old, totals], axis=1), np.stack([drives_old, variances], axis=1)
        return Winners(returning, old, other, totals, variances)

    def _find_old_drives(self) -> None:
        """Find the drives of old winners by r: a cue has a part c of the pattern, and gives about this part of H.

        h_c = cH + noise,    Var = c(1 − c) k_v/(k_v − 1) (b E w² − H²/k_v)
        """
        trace, k_v, c = self.trace, self.settings.k_visible, self.c
        parts = trace.inputs * (trace.on @ WEIGHTS**2) - trace.drive_mean**2 / k_v
        split = c * (1 - c) * k_v / max(k_v - 1, 1) * np.maximum(parts, 0.0)
        variance = c * c * trace.drive_variance + split
        high = float((c * trace.drive_mean + 6 * np.sqrt(variance)).max())
        state = self.state
        self.lattice, self.other_drive = random_cue_drives(self.settings, self.ones, state.density, state.units, high)
        n_r, at_storing, lattice = len(trace.on), state.lattice, self.lattice
        middle = (trace.chance @ at_storing.drives - at_storing.low) / at_storing.step
        to, scale = (c * trace.drive_mean - lattice.low) / lattice.step, c * trace.drive_slope * at_storing.step
        now, first, each = np.zeros((n_r, N_DRIVES)), np.zeros(n_r, np.int64), np.arange(n_r)
        stretch(trace.chance[None], first, np.full(n_r, middle), to, scale / lattice.step, each, np.ones(n_r), now)
        self.old_drive = self._thinned(lattice.with_noise(now, c * c * trace.drive_noise))
        self.back_to_whole = c * trace.drive_variance / np.maximum(variance, 1e-12)

    def _thinned(self, drive: Floats) -> Floats:
        """Return the drives (r) from cues that keep a part c of the pattern's ones, given c H: with noise added.

        Each of the k_v ones is kept with probability c, independently. That c k_v are kept in all is accounted for by
        counting weights from their mean, w̄ = H/k_v (w = 0 where there is no connection):

            noise = Σ_j (x_j − c)(w_j − w̄)
            E e^{−i noise t} = (E [(1 − c) e^{ic(w − w̄)t} + c e^{−i(1 − c)(w − w̄)t}])^{k_v}
        """
        c, trace, k_v, t = self.c, self.trace, self.settings.k_visible, self.lattice.t
        if c == 1:
            return drive
        connected = np.minimum(trace.inputs / k_v, 1.0)
        mean = trace.drive_mean[:, None] / k_v
        one: Complexes = np.zeros((len(trace.on), len(t)), np.complex128)
        for share, sign in ((1 - c, c), (c, c - 1)):
            of_w = connected * (trace.on @ np.exp(1j * sign * np.outer(WEIGHTS, t))) + 1 - connected
            one += share * of_w * np.exp(-1j * sign * mean * t)
        return from_transforms(fft.rfft(drive) * one**k_v)

    def _moved(self, since: WinsSince, used: NDArray[np.bool]) -> Moved:
        """Return how the drives of old winners move to the mean and variance that b has at each age (``stretch``).

        Parameters
        ----------
        used : the ages and r for which they are needed.
        """
        trace, lattice = self.trace, self.lattice
        by_inputs = self.c * trace.drive_by_inputs
        mean, variance = mean_and_variance(self.old_drive, lattice.drives)
        narrower = by_inputs**2 * (trace.inputs_variance - since.inputs_variance)
        scale = np.sqrt(np.clip(1 - narrower / np.maximum(variance, 1e-12), 0.05, 1.0))
        middle = (mean - lattice.low) / lattice.step
        to = middle + by_inputs * (since.inputs - trace.inputs) / lattice.step
        age, r = (np.ascontiguousarray(places) for places in np.nonzero(used))  # of the type kernels are compiled for
        return self.old_drive, r, middle[r], to[used], scale[used], age

    def _find_others_at_storing(self) -> None:
        """Find what is known of the others: the whole pattern did not make them win when it was stored.

        With r wins since, a unit that now has the drive h from the cue had about μ + κ_r (h − μ) from it then, and an
        independent drive from the missing part. It did not win if both together were below the threshold; the less the
        missing part gave it, the more likely that is.
        """
        n_v, k_v, m = self.settings.n_visible, self.settings.k_visible, self.settings.n_connections
        w_mean, w_variance = mean_and_variance(self.state.units @ self.state.density, WEIGHTS)
        s = (k_v - self.ones) / n_v
        missing = m * s * w_mean
        missing_variance = m * s * (1 - s) * (w_variance + (1 - m / n_v) * w_mean**2)
        h = self.lattice.drives
        mu, variance = mean_and_variance(self.state.units @ self.other_drive, h)
        rise = np.maximum(np.diff(self.state.chance, prepend=0.0), 0.0)
        threshold, threshold_variance = mean_and_variance(rise / max(rise.sum(), 1e-300), self.state.lattice.drives)
        kept = self.trace.kept[:, None]
        width = np.sqrt(missing_variance + (1 - kept**2) * variance + threshold_variance + 1e-12)
        z = (threshold - missing - mu - kept * (h - mu)) / width
        self.not_old = special.ndtr(z)
        hazard = np.sqrt(2 / np.pi) / special.erfcx(-z / np.sqrt(2))
        self.lacking = -kept * missing_variance / width * hazard

    @cached_property
    def drive_variance(self) -> float:
        """Variance of the drives of units that did not store the pattern."""
        return float(mean_and_variance(self.state.units @ self.other_drive, self.lattice.drives)[1])

    def _others(self, chance: Floats, lacking: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the weights of other winners to visible units, by kind, at each age; and how they differ.

        Parameters
        ----------
        chance : probability that a unit is not an old winner and wins, by its drive.
        lacking : how much less drive the missing part of the pattern gives them than it gives an average unit (< 0).
        """
        n_v, m, density = self.settings.n_visible, self.settings.n_connections, self.state.density
        total = np.maximum(chance @ self.other_drive.T, 1e-300)
        drive, square = (chance * self.lattice.drives**n @ self.other_drive.T / total for n in (1, 2))
        classes = self.state.units * total
        classes /= classes.sum(axis=1, keepdims=True)
        outside = (self.state.strength - drive) / max(n_v - self.ones, 1)
        differences = _differences(classes, [drive, *(n * outside for n in self.sizes[MISSING:])], square)
        rows = np.tile(density, (len(chance), 1))
        active, _ = active_inputs_of_winners(self.settings, self.ones, rows, drive.ravel())
        ones = (classes[:, None] @ (rows * active).reshape(len(chance), *density.shape))[:, 0]
        cue = m * ones / self.ones
        rest = m * np.maximum(classes @ density - ones, 0.0) / max(n_v - self.ones, 1)
        missing = rest.copy()
        if self.sizes[MISSING] and lacking.any():
            average = rest @ WEIGHTS
            less = np.maximum(average + lacking / self.sizes[MISSING], 1e-3 * average)
            tilt_connections(rest, WEIGHTS, less, missing)
        return np.stack([cue, missing, rest], axis=1), *differences

    def _old(self, since: WinsSince, h: Floats, square: Floats, returns: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the weights of returning old winners to visible units, by kind, at each age; and how they differ.

        Parameters
        ----------
        h, square, returns : means of drive and squared drive of those that return, and their share of the old winners,
            by age and r.
        """
        trace, m = self.trace, self.settings.n_connections
        mass = since.old * returns
        used = mass >= 1e-7 * mass.max(axis=1, keepdims=True)
        age, r = np.nonzero(used)
        mean = trace.drive_mean + trace.drive_by_inputs * (since.inputs - trace.inputs)
        more = self.back_to_whole * (h - self.c * mean)
        before = trace.on[r] * np.minimum(since.inputs[used] / self.settings.k_visible, 1.0)[:, None]

        def tilted(density: Floats, drive: Floats, kind: int) -> Floats:
            out = np.zeros((len(r), N_WEIGHTS))
            if self.sizes[kind]:
                tilt_connections(density, WEIGHTS, drive / self.sizes[kind], out)
            return out

        cue = tilted(before, h[used], CUE)
        missing = tilted(before, np.maximum(mean + more - h, 1e-9)[used], MISSING)
        ones = self.sizes[CUE] * cue.sum(axis=1) + self.sizes[MISSING] * missing.sum(axis=1)
        zeros = np.maximum(m - ones, 0.0)[:, None] * trace.off[r]
        drive = since.strength - mean + trace.off_by_drive * more
        average = zeros @ WEIGHTS
        off = tilted(zeros / max(self.sizes[OFF], 1), np.clip(drive[used], 0.1 * average, 3 * average), OFF)
        share = np.zeros((len(mass), len(r)))
        share[age, np.arange(len(r))] = np.maximum(mass[used], 1e-300)
        share /= share.sum(axis=1, keepdims=True)
        who = mass / np.maximum(mass.sum(axis=1, keepdims=True), 1e-300)
        differences = _differences(who, [h, np.maximum(mean + more - h, 0.0), drive], square)
        return np.stack([share @ cue, share @ missing, share @ off], axis=1), *differences


def _differences(share: Floats, totals: list[Floats], square: Floats) -> tuple[Floats, Floats]:
    """Return how winners of different classes differ in what they give to the units of each kind, and within a class.

    Parameters
    ----------
    share : how many winners are of each class, (age, class).
    totals : what those of a class give on average, (age, class) for each kind of visible unit.
    square : mean square of what they give to the units in the cue, their drive.

    Returns
    -------
    Covariances between classes (age, kind, kind), and the variance of the drive within them (age).
    """
    given = np.stack(totals, axis=1)
    mean = (given @ share[..., None])[..., 0]
    between: Floats = np.einsum("adi,aei,ai->ade", given, given, share) - mean[:, :, None] * mean[:, None]
    within: Floats = np.maximum((share * (square - totals[CUE] ** 2)).sum(axis=1), 0.0)
    return between, within
