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

from slotfree.forgetting.theory.drive_distribution import N_DRIVES, PLACES, Floats, tails
from slotfree.forgetting.theory.retrieval_accuracy import Readout, Visible
from slotfree.forgetting.theory.winners_at_test import CUE, Winners

NEAR = 3  # places of the lattice on either side of the threshold, over which its density is taken


class Spread(NamedTuple):
    """The mean and the variance of the accuracy, by case.

    Attributes
    ----------
    weights, accuracies, within : probability, accuracy and its variance for two numbers K_old, (case, K_old).
    """

    mean: Floats
    variance: Floats
    weights: Floats
    accuracies: Floats
    within: Floats


def spread(readout: Readout, shared_variance: float, winners: Winners, together: Floats | float = 0.0) -> Spread:
    """Return the variance of the accuracy, for all winners.

    With r the share of old winners that return, K_old would vary by k_h r(1 − r), were they independent. The threshold
    of the hidden layer follows them, which divides this by 1 + r. And they have won together since: what is due to
    the number of wins is multiplied by 1 + (K − 1) χ for K of them. With one winner K_old is 0 or 1.

    Parameters
    ----------
    shared_variance : of the drive that all hidden units have in common.
    together : χ, the correlation of how often two old winners have won since, by case.
    """
    visible, k_h = readout.visible(winners), readout.k_h
    chi = np.broadcast_to(together, winners.returning.shape)
    of_kinds = np.ix_(visible.kinds, visible.kinds)
    within = np.empty_like(visible.accuracy)
    for case, n in np.ndindex(*within.shape):
        share = np.array([visible.shares[case, n], 1 - visible.shares[case, n]])
        alike = [1 + max(k_h * share[0] - 1, 0.0) * chi[case], 1.0]
        given = k_h * np.tensordot(share * alike, winners.totals[case], 1)
        given[CUE, CUE] += k_h * share @ winners.drives[case] + k_h**2 * shared_variance
        within[case, n] = _within(readout, visible, visible.drives[case, n], given[of_kinds])
    mean = (visible.weights * visible.accuracy).sum(axis=1)
    between = (visible.weights * (visible.accuracy - mean[:, None]) ** 2).sum(axis=1)
    if k_h > 1:
        between *= (1 + (k_h - 1) * chi * winners.by_wins) / (1 + winners.returning)
    variance: Floats = (visible.weights * within).sum(axis=1) + between
    return Spread(mean, variance, visible.weights, visible.accuracy, within)


def recognised(one_winner: bool, stored: Spread, raw_difference: Floats, unseen: Spread) -> Floats:
    """Return the AUC, P(ρ > ρ̃) + ½ P(ρ = ρ̃), of normal accuracies ρ of a stored pattern and ρ̃ of one never stored.

    With one winner the accuracy of stored patterns has two modes: their winner returns, or another one wins.
    """
    if not one_winner:
        return _auc(raw_difference, stored.variance + unseen.variance[0])
    each = _auc(stored.accuracies - unseen.mean[0], stored.within + unseen.variance[0])
    auc: Floats = (stored.weights * each).sum(axis=1)
    return auc


def _auc(difference: Floats, variance: Floats) -> Floats:
    auc: Floats = special.ndtr(difference / np.sqrt(np.maximum(variance, 1e-12)))
    return auc


def _within(readout: Readout, visible: Visible, drives: Floats, given: Floats) -> float:
    """Return the variance of the accuracy for a number of old winners.

    As k_v units are above θ in all, N − E N = Σ_d a_d (A_d − E A_d) to first order, with a_d = g_off/(g_on + g_off) for
    units of the pattern and −g_on/(g_on + g_off) for the others. Given T_d, units are independent:

        Var N = Σ_d a_d² n_d (p_d (1 − p_d) − β_d² Var v) + Σ_de a_d β_d a_e β_e Cov(T_d, T_e)

    with β_d = Cov(1(v > θ), v)/Var v. Cov(T_d, T_e) is what winners give (k_h times the covariances of one), and, for
    units not in the cue, n_d Var v, as each has connections of its own.
    """
    sizes = readout.sizes[visible.kinds].astype(float)
    above = tails(sizes @ drives)
    at = min(max(int(np.argmax(above < readout.k_v)), 1), N_DRIVES - 1)
    part = np.clip((readout.k_v - above[at]) / max(above[at - 1] - above[at], 1e-300), 0.0, 1.0)
    mean = drives @ PLACES
    variance = np.maximum(drives @ PLACES**2 - mean**2, 1e-12)
    p, moment = (x[:, at] + part * (x[:, at - 1] - x[:, at]) for x in (tails(drives), tails(drives * PLACES)))
    beta = (moment - p * mean) / variance
    density = sizes * drives[:, max(at - NEAR, 0) : at + NEAR + 1].mean(axis=1) + 1e-300
    on = density[:-1].sum()
    a = np.append(np.full(len(sizes) - 1, density[-1]), -on) / (on + density[-1])
    alone = np.maximum(p * (1 - p) - beta**2 * variance, 0.0)
    covariance = given / readout.lattice.step**2
    connections = np.where(visible.kinds == CUE, 0.0, sizes * variance)
    covariance[np.diag_indices_from(covariance)] += connections
    moved = a * beta
    return float(a**2 * sizes @ alone + moved @ covariance @ moved) / readout.k_v**2
