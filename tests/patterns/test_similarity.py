import numpy as np

from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity, paired_similarity, similarity


def test_mean_similarity_is_the_mean_of_the_matrix():
    patterns = random_patterns(30, n_visible=40, k_visible=8, seed=0)
    matrix = similarity(patterns)
    expected = (matrix.sum(dtype=float) - 30) / (30 * 29)
    np.testing.assert_allclose(mean_similarity(patterns), expected, rtol=1e-6)


def test_paired_similarity_is_the_diagonal_of_the_matrix():
    x, y = (random_patterns(30, n_visible=40, k_visible=8, seed=seed) for seed in (0, 1))
    np.testing.assert_allclose(paired_similarity(x, y), np.diag(similarity(x, y)), rtol=1e-6)
    assert paired_similarity(np.zeros((1, 40), np.uint8), y[:1]) == [0]
