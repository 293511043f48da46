import numpy as np
import pytest

import slotfree as sf
from slotfree.patterns.clusters import ClusterPatterns


def test_patterns_lie_b_flips_from_their_prototype():
    clusters = sf.PatternClusters.draw(500, n_clusters=7, n_visible=200, k_visible=20, n_flips=3, seed=0)
    centre = clusters.prototypes[clusters.cluster]
    assert ((clusters.patterns == 1) & (centre == 0)).sum(axis=1).tolist() == [3] * 500
    assert ((clusters.patterns == 0) & (centre == 1)).sum(axis=1).tolist() == [3] * 500
    counts = np.bincount(clusters.cluster, minlength=7)
    assert len(counts) == 7
    # Drawn, not dealt: the counts spread as in 500 throws of a die with 7 faces (chi-square, 6 degrees of freedom).
    assert 0.38 < ((counts - 500 / 7) ** 2 / (500 / 7)).sum() < 22.5
    assert repr(clusters) == "PatternClusters(500 patterns, 7 clusters; n_visible=200, k_visible=20, n_flips=3)"


def test_similarity_within_and_between_clusters():
    clusters = sf.PatternClusters.draw(400, n_clusters=4, n_flips=20, seed=1)
    similar = clusters.similarity()
    same = clusters.cluster[:, None] == clusters.cluster
    off = ~np.eye(400, dtype=bool)
    # Within: both keep a one with (1 - b/k)^2, or both switch the same zero on with (b / (n - k))^2.
    within = 0.8**2 + 900 * (20 / 900) ** 2 / 100
    assert abs(similar[same & off].mean() - within) < 0.005
    assert abs(similar[~same].mean() - 0.1) < 0.03


def test_similarity_of_two_sets_and_wrong_input():
    x, y = np.array([[1, 1, 0, 0]]), np.array([[1, 0, 0, 1], [0, 0, 1, 1]])
    np.testing.assert_array_equal(sf.similarity(x, y), [[0.5, 0]])
    np.testing.assert_array_equal(sf.similarity(np.array([[1, 1, 0, 0], [1, 1, 1, 1]])), [[1, 1], [0.5, 1]])
    with pytest.raises(ValueError, match=r"patterns must have at least one 1 each, but patterns\[1\] has none"):
        sf.similarity(np.array([[1, 0], [0, 0]]))
    with pytest.raises(ValueError, match=r"others must have the shape \(4,\) or \(T, 4\), not \(1, 3\)"):
        sf.similarity(x, np.ones((1, 3)))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_patterns": -1}, "n_patterns must be an integer from 0 to 2147483647, not -1"),
        ({"n_clusters": 0}, "n_clusters must be an integer from 1 to 2147483647, not 0"),
        ({"n_visible": 0}, "n_visible must be an integer from 1 to 2147483647, not 0"),
        ({"k_visible": 1001}, "k_visible must be an integer from 1 to n_visible = 1000, not 1001"),
        ({"seed": -2}, "seed must be an integer ≥ 0, not -2"),
        ({"n_flips": 101}, "n_flips must be an integer from 0 to the smaller of .* = 100, not 101"),
    ],
)
def test_wrong_arguments(wrong, message):
    with pytest.raises(ValueError, match=message):
        sf.PatternClusters.draw(**({"n_patterns": 3, "seed": 0} | wrong))


def test_clusters_as_a_source_are_the_clusters():
    source = ClusterPatterns(2, 3, 20, 5)
    drawn = sf.PatternClusters.draw(7, n_clusters=3, n_visible=20, k_visible=5, n_flips=2, seed=4)
    np.testing.assert_array_equal(source(7, seed=4), drawn.patterns)
