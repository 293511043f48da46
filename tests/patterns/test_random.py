import numpy as np
import pytest

import slotfree as sf


def test_exact_number_of_ones_and_uniform_bits():
    patterns = sf.random_patterns(4000, n_visible=1000, k_visible=100, seed=1)
    assert patterns.shape == (4000, 1000)
    assert patterns.dtype == np.uint8
    assert (patterns.sum(axis=1) == 100).all()
    # Each bit is on in a Binomial(4000, 0.1) number of patterns: five standard deviations are 95.
    assert abs(patterns.sum(axis=0) - 400.0).max() < 95
    # Two random patterns share 10 ones in the mean, with a standard deviation of 2.85.
    shared = (patterns[:2000] & patterns[2000:]).sum(axis=1)
    assert abs(shared.mean() - 10) < 4 * 2.85 / np.sqrt(2000)


def test_seeds_reproduce():
    draw = lambda seed: sf.random_patterns(5, n_visible=50, k_visible=5, seed=seed)  # noqa: E731
    np.testing.assert_array_equal(draw(3), draw(3))
    np.testing.assert_array_equal(draw(3), draw(np.random.SeedSequence(3)))
    np.testing.assert_array_equal(draw(np.random.default_rng(3)), draw(np.random.default_rng(3)))
    assert (draw(3) != draw(4)).any()


def test_the_same_seed_for_different_things_means_unrelated_streams():
    """Else the connections of a memory and the patterns it stores would be the same subsets."""
    patterns = sf.random_patterns(2000, seed=0)
    connected = sf.KWinnerMHN(seed=0).mask
    shared = connected.astype(int) @ patterns.T
    # 50 connections meet 100 of 1000 ones: hypergeometric with mean 5; 22 or more has a chance below 1e-8 per pair.
    assert shared.max() < 22
    tree = sf.PatternTree.grow(n_nodes=1, seed=0)
    clusters = sf.PatternClusters.draw(0, seed=0)
    for first in (tree.patterns[0], clusters.prototypes[0]):
        assert (first & patterns[0]).sum() < 35


def test_no_patterns():
    assert sf.random_patterns(0, n_visible=8, k_visible=2, seed=0).shape == (0, 8)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_patterns": -1}, ValueError, "n_patterns must be an integer from 0 to 2147483647, not -1"),
        ({"n_visible": 0}, ValueError, "n_visible must be an integer from 1 to 2147483647, not 0"),
        ({"n_visible": 10.0}, TypeError, "n_visible must be an integer from 1 to 2147483647, not 10.0"),
        ({"k_visible": 11}, ValueError, "k_visible must be an integer from 1 to n_visible = 10, not 11"),
        ({"k_visible": True}, TypeError, "k_visible must be an integer from 1 to n_visible = 10, not True"),
        ({"n_patterns": 10**30}, ValueError, "n_patterns must be an integer from 0 to 2147483647, not 1000"),
        ({"seed": -1}, ValueError, "seed must be an integer ≥ 0, not -1"),
        ({"seed": 1.5}, TypeError, "seed must be an integer, a numpy.random.SeedSequence or a"),
        ({"seed": None}, TypeError, "seed must be an integer, a numpy.random.SeedSequence or a"),
    ],
)
def test_wrong_arguments(wrong, error, message):
    arguments = {"n_patterns": 3, "n_visible": 10, "k_visible": 2, "seed": 0} | wrong
    with pytest.raises(error, match=message):
        sf.random_patterns(**arguments)
