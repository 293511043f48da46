"""The probability that a unit with a given drive is among the k winners."""

import numpy as np
from scipy import special

from slotfree.forgetting.theory.drive_distribution import Floats


def win_probability(mean: Floats, variance: Floats, k: float) -> Floats:
    """Return P(N < k): fewer than k competitors have a larger drive.

    N, the number of competitors with a larger drive, is taken as binomial(n, u) with this mean and variance. P(N < k)
    is then the incomplete beta function I_{1−u}(n − k + 1, k), which is defined for all real n; for k = 1 it is
    (1 − u)^n.

    Parameters
    ----------
    mean, variance : of N.
    k : the number of winners.
    """
    u = np.clip(1 - variance / np.maximum(mean, 1e-300), 1e-13, 1 - 1e-13)
    n = mean / u
    few = (mean < k) | (n - k + 1 <= 1e-9)
    chance = np.where(few, 1.0, 0.0)
    bound = (mean - k) ** 2 / (2 * np.where(few, (2 * mean + k) / 3, mean))  # Bernstein: |chance − P| < e^{−bound}
    between = (bound < 25) & (n - k + 1 > 1e-9)
    n, u = n[between], u[between]
    chance[between] = np.exp(n * np.log1p(-u)) if k == 1 else special.betainc(n - k + 1, k, 1 - u)
    return chance
