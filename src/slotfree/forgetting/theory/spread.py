"""The spread of the accuracy, over memories and patterns, of patterns of the same age.

The number N of units that are right is a sum of indicators 1(v_j > θ), one for each visible unit. They are not
independent, for two reasons. The threshold θ moves with the drives, so that k_v units are above it. And what a winner
gives to the units in the cue, all together, is its own drive, which was enough to win and hardly varies.

Symbols: d a kind of visible unit, n_d of them; v a drive; p_d = P(v > θ); g_d the density of drives of all n_d units
at θ; A_d the number of units above θ; T_d the sum of their drives.
"""

from typing import NamedTuple

import numpy as np
from scipy import special
from scipy.interpolate import PchipInterpolator

from slotfree.forgetting.theory.drive_distribution import N_DRIVES, PLACES, Floats, tails
from slotfree.forgetting.theory.retrieval_accuracy import Readout, Visible
from slotfree.forgetting.theory.winners_at_test import CUE, Winners

NEAR = 3  # places of the lattice on either side of the threshold, over which its density is taken


class Spread(NamedTuple):
    """The distribution of the accuracy as a mixture of normal parts, by case.

    Attributes
    ----------
    weights, means, variances : of the parts, (case, part).
    """

    weights: Floats
    means: Floats
    variances: Floats

    @property
    def mean(self) -> Floats:
        """The mean accuracy, by case."""
        mean: Floats = (self.weights * self.means).sum(axis=1)
        return mean

    @property
    def variance(self) -> Floats:
        """The variance of the accuracy, by case."""
        between = (self.means - self.mean[:, None]) ** 2
        variance: Floats = (self.weights * (self.variances + between)).sum(axis=1)
        return variance

    def auc(self, difference: Floats, unseen: "Spread") -> Floats:
        """Return P(ρ > ρ̃) + ½ P(ρ = ρ̃) of accuracies ρ of stored patterns and ρ̃ of one never stored.

        ρ is moved to give the difference of their means; ρ̃ is taken to be normal.
        """
        parts = self.means - self.mean[:, None] + difference[:, None]
        spread = np.sqrt(np.maximum(self.variances + unseen.variance[0], 1e-12))
        found: Floats = (self.weights * special.ndtr(parts / spread)).sum(axis=1)
        return found


class SpreadByWins:
    """The spread of the accuracy by r, how often all winners of a pattern have won since: for some r, and between.

    Parameters
    ----------
    some : the spread, (case).
    held : what a winner holds of the pattern, by case: it falls.
    """

    def __init__(self, some: Spread, held: Floats) -> None:
        order = np.argsort(held)
        self._at = PchipInterpolator(held[order], np.stack(some, axis=1)[order])

    def over(self, shares: Floats, held: Floats, narrower: Floats) -> Spread:
        """Return the mixture over r, at each age.

        All winners of a pattern are taken to hold equally much of it, as much as they do on average. The distribution
        of this is that of what one winner holds, narrowed about its mean.

        Parameters
        ----------
        shares, held : of each r, (age, r), and what a winner holds of the pattern then, (r).
        narrower : standard deviation of what all winners hold on average relative to that of one, by age.
        """
        middle = (shares @ held)[:, None]
        places = middle + narrower[:, None] * (held - middle)
        parts = self._at(np.clip(places, held.min(), held.max()))  # (age, r, field, K_old)
        weights, means, variances = np.moveaxis(parts, 2, 0)
        return Spread(*(x.reshape(len(shares), -1) for x in (weights * shares[:, :, None], means, variances)))


def narrowing(k_h: int, together: Floats) -> Floats:
    """Return the standard deviation of what k_h winners hold of a pattern on average relative to one's, by age.

    Parameters
    ----------
    together : χ, the correlation of how often two old winners have won since.
    """
    found: Floats = np.sqrt((1 + (k_h - 1) * together) / k_h)
    return found


def spread(readout: Readout, shared_variance: float, winners: Winners, visible: Visible) -> Spread:
    """Return the mean and variance of the accuracy, for old winners that have won equally often.

    With r the share of old winners that return, K_old would vary by k_h r(1 − r), were they independent. The threshold
    of the hidden layer follows them, which divides this by 1 + r. With one winner K_old is 0 or 1.

    Parameters
    ----------
    shared_variance : of the drive that all hidden units have in common.
    visible : the visible layer, driven by these winners.
    """
    k_h = readout.k_h
    shares = np.stack([visible.shares, 1 - visible.shares], axis=-1)
    given = k_h * np.einsum("cnw,cwde->cnde", shares, winners.totals)
    given[..., CUE, CUE] += k_h * np.einsum("cnw,cw->cn", shares, winners.drives) + k_h**2 * shared_variance
    within = _within(readout, visible, given[..., readout.kinds[:, None], readout.kinds])
    mean = visible.expected[:, None]
    closer = 1 / np.sqrt(1 + winners.returning)[:, None] if k_h > 1 else 1.0
    return Spread(visible.weights, mean + closer * (visible.accuracy - mean), within)


def _within(readout: Readout, visible: Visible, given: Floats) -> Floats:
    """Return the variance of the accuracy for each number of old winners, (case, K_old).

    As k_v units are above θ in all, N − E N = Σ_d a_d (A_d − E A_d) to first order, with a_d = g_off/(g_on + g_off) for
    units of the pattern and −g_on/(g_on + g_off) for the others. Given T_d, units are independent:

        Var N = Σ_d a_d² n_d (p_d (1 − p_d) − β_d² Var v) + Σ_de a_d β_d a_e β_e Cov(T_d, T_e)

    with β_d = Cov(1(v > θ), v)/Var v. Cov(T_d, T_e) is what winners give (k_h times the covariances of one), and, for
    units not in the cue, n_d Var v, as each has connections of its own.
    """
    sizes, drives = readout.sizes[readout.kinds].astype(float), visible.drives
    above = tails(np.einsum("d,cndv->cnv", sizes, drives))
    at = np.clip(np.argmax(above < readout.k_v, axis=-1), 1, N_DRIVES - 1)[..., None]
    low, high = np.take_along_axis(above, at, -1), np.take_along_axis(above, at - 1, -1)
    part = np.clip((readout.k_v - low) / np.maximum(high - low, 1e-300), 0.0, 1.0)

    def at_threshold(values: Floats) -> Floats:
        below, beyond = (np.take_along_axis(values, place[:, :, None], -1)[..., 0] for place in (at - 1, at))
        found: Floats = beyond + part * (below - beyond)
        return found

    mean, square = drives @ PLACES, drives @ PLACES**2
    variance = np.maximum(square - mean**2, 1e-12)
    p = at_threshold(tails(drives))
    beta = (at_threshold(tails(drives * PLACES)) - p * mean) / variance
    near = np.clip(at + np.arange(-NEAR, NEAR + 1), 0, N_DRIVES - 1)
    density = sizes * np.take_along_axis(drives, near[:, :, None], -1).mean(axis=-1) + 1e-300
    on, off = density[..., :-1].sum(axis=-1, keepdims=True), density[..., -1:]
    a = np.where(np.arange(len(sizes)) == len(sizes) - 1, -on, off) / (on + off)
    alone = np.maximum(p * (1 - p) - beta**2 * variance, 0.0)
    own = np.where(readout.kinds == CUE, 0.0, sizes * variance)  # of connections to units not in the cue
    moved = a * beta
    shared = np.einsum("cnd,cnde,cne->cn", moved, given, moved) / readout.lattice.step**2
    found: Floats = ((a**2 * sizes * alone).sum(-1) + (moved**2 * own).sum(-1) + shared) / readout.k_v**2
    return found
