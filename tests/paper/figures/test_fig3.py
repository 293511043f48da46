"""What Figure 3 and Section 2.1 say of the memories by construction."""

from dataclasses import replace

import numpy as np

from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.figures import fig3
from slotfree.paper.shared import memories
from slotfree.patterns.random import random_patterns

FLOAT32 = 1e-5  # what may differ in the ratio of two differences of float32 weights
ONE = [fig3.kwinner_storing(fig3.ONE_WINNER, 0, number) for number in range(100)]
SOME = [fig3.kwinner_storing(fig3.K_WINNER, 0, number) for number in range(100)]


def moved(storing):
    """How far each weight of a winner, in or out, went towards the pattern, as a share of the whole way."""
    won, shares = storing.hidden == 1, []
    for old, new in ((storing.before, storing.after), (storing.return_before.T, storing.return_after.T)):
        way, gone = (storing.pattern - old)[won], (new - old)[won]
        far = np.abs(way) > 0.1  # others lose their digits by rounding
        shares.append(gone[far] / way[far])
    return np.concatenate(shares)


def memories_of_units(settings, n_stored=4000):
    """Store random patterns; return of how many each unit holds a trace that float32 can tell.

    A unit that wins moves its weights by ε towards the pattern; ε(1 − ε)ⁿ of it is left after n more wins of the unit.
    """
    memory = KWinnerMHN.from_settings(settings, 0)
    patterns = random_patterns(n_stored, n_visible=settings.n_visible, k_visible=settings.k_visible, seed=1)
    wins = np.bincount(memory.store(patterns, return_winners=True).ravel(), minlength=settings.n_hidden)
    left = settings.learning_rate * (1 - settings.learning_rate) ** np.arange(wins.max())
    return np.minimum(wins, (left > np.finfo(np.float32).eps).sum())


def test_kwinner_memories_learn_and_the_original_does_not():
    assert not fig3.original_retrieval(0).changed.any()
    assert all(storing.changed.any() for storing in (*ONE, *SOME))


def test_only_winners_learn():
    """What changes belongs to units whose drive is that of the last winner, or larger."""
    for storing in (*ONE, *SOME):
        drive = np.nan_to_num(storing.before) @ storing.pattern
        others = drive < drive[storing.hidden == 1].min() - FLOAT32
        assert not storing.changed[others].any()


def test_a_change_is_seen_on_the_way_in_and_on_the_way_out():
    back = SOME[0].return_before.copy()
    back[:, 0] += 0.1
    still = replace(SOME[0], after=SOME[0].before, return_after=SOME[0].return_before)
    assert not still.changed.any()
    exists = ~np.isnan(SOME[0].before[0])
    np.testing.assert_array_equal(replace(still, return_after=back).changed[0], exists)
    np.testing.assert_array_equal(replace(still, after=still.before + 0.1).changed[0], exists)


def test_a_one_winner_memory_is_replaced_completely():
    for storing in ONE:
        (unit,) = np.flatnonzero(storing.hidden)
        np.testing.assert_array_equal(storing.after[unit], storing.pattern)
        np.testing.assert_array_equal(storing.return_after[:, unit], storing.pattern)


def test_a_kwinner_memory_is_distributed_graded_and_sparse():
    for storing in SOME:
        assert storing.hidden.sum() == fig3.K_WINNER.k_hidden > 1
        np.testing.assert_allclose(moved(storing), fig3.K_WINNER.learning_rate, atol=FLOAT32)
        assert np.isnan(storing.before).mean() == 0.5


def test_units_hold_several_memories_unless_they_replace_them():
    assert set(memories_of_units(memories.ONE_WINNER.settings)) == {1}
    assert memories_of_units(memories.GRADED.settings).min() > 1
    assert memories_of_units(memories.K_WINNER.settings).min() > 1
    always = KWinnerSettings(8, 1, 4, 1, 1.0, 0.9)  # the eighth last has less than 2⁻²³ left
    assert [memories_of_units(always, n).tolist() for n in (4, 7, 8, 30)] == [[4], [7], [7], [7]]
