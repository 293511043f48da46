import numpy as np

from slotfree.kernels.memory.decay import TINY, fade


def test_fading_scales_and_drops_what_is_too_small_to_matter():
    """Differences of what is left can be divided by: k_winners asks for it."""
    values = np.array([0.0, 1.0, 3.0, 4 * TINY, 2 * TINY, 1.9 * TINY, 5e-324])
    fade(values, 0.5)
    np.testing.assert_array_equal(values, [0.0, 0.5, 1.5, 2 * TINY, TINY, 0.0, 0.0])


def test_what_is_never_refreshed_vanishes():
    values = np.array([1.0, 1.0])
    for _ in range(20):
        fade(values, 2.0**-100)
        values[0] += 1
    assert values[1] == 0
    assert values[0] == 1
