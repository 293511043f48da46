import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import slotfree as sf
from slotfree.forgetting.theory.steady_state import steady_state
from slotfree.forgetting.theory.winner_correlation import winner_correlation, won_together


@pytest.mark.parametrize(("n_hidden", "k_hidden", "expected"), [(20, 1, 0.0), (6, 6, 1.0)])
def test_one_winner_is_alone_and_if_all_win_they_learn_the_same(n_hidden, k_hidden, expected):
    settings = sf.KWinnerSettings(100, n_hidden, 10, k_hidden, 0.5, 0.3)
    found = winner_correlation(settings, steady_state(settings))
    assert found.any_two == found.winners == expected


@pytest.mark.parametrize("settings", [(100, 20, 10, 4, 0.5, 0.3), (1000, 40, 100, 20, 0.1, 0.9)])
def test_what_is_won_together_follows_from_small_steps_of_age(settings):
    """The equation of the docstring, in forty steps for each pattern."""
    settings = sf.KWinnerSettings(*settings)
    found = winner_correlation(settings, steady_state(settings))
    p, eps, (zeta, left) = settings.k_hidden / settings.n_hidden, settings.learning_rate, found.drive

    def moments(rho):
        return found.of_drives * rho * zeta, np.sqrt(1 - (found.of_drives * rho) ** 2 * (1 - left))

    usual, width = moments(found.any_two)
    theta, kept = usual - ndtri(p) * width, (1 - eps) ** 2
    rho, total, expected = kept * found.winners + 1 - kept, 0.0, []
    for since in range(1, 11):
        for _ in range(40):
            mean, width = moments(rho)
            Q = ndtr((mean - theta) / width)
            total += max(Q - p, 0.0) / (1 - p) / 40
            rho += (p * Q * (kept * rho + 1 - kept - rho) - 2 * p * (1 - Q) * eps * rho) / 40
        expected.append(total / since)
    np.testing.assert_allclose(won_together(settings, found, np.arange(2, 12.0)), expected, rtol=0.03)
