import pytest

import slotfree as sf
from slotfree.forgetting.theory.steady_state import steady_state
from slotfree.forgetting.theory.winner_correlation import winner_correlation


@pytest.mark.parametrize(("n_hidden", "k_hidden", "expected"), [(20, 1, 0.0), (6, 6, 1.0)])
def test_one_winner_is_alone_and_if_all_win_they_learn_the_same(n_hidden, k_hidden, expected):
    settings = sf.KWinnerSettings(100, n_hidden, 10, k_hidden, 0.5, 0.3)
    found = winner_correlation(settings, steady_state(settings))
    assert found.any_two == found.winners == expected
