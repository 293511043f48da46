"""Slow weights, and the structure that is looked for in them."""

import numpy as np
import pytest
from plain import random_weights, triple

import slotfree as sf
from slotfree.attention.weights import Weights, contrasts, diagonal, from_slow, letter_blocks, off_diagonal, to_slow

TASK = sf.CaseSequenceTask(3, 2)
MODEL = sf.BaselineTransformer(5)
ONE = random_weights(MODEL, TASK, 0)


def test_blocks_are_dot_products_of_keys_and_queries():
    blocks = letter_blocks(ONE)
    for i in range(3):
        for j in range(3):
            lower, upper = ONE.W_K[:, j], ONE.W_K[:, 3 + j]
            query = ONE.W_Q[:, 6 + i]
            assert blocks["key-key"][i, j] == pytest.approx(ONE.W_K[:, 3 + i] @ lower)
            assert blocks["query-lower"][i, j] == pytest.approx(query @ lower)
            assert blocks["query-upper"][i, j] == pytest.approx(query @ upper)


def test_diagonals_are_equal_letters_and_the_rest_are_different_ones():
    block = np.arange(18).reshape(2, 3, 3)
    assert diagonal(block).tolist() == [[0, 4, 8], [9, 13, 17]]
    assert off_diagonal(block).tolist() == [[1, 2, 3, 5, 6, 7], [10, 11, 12, 14, 15, 16]]


def test_contrasts_of_weights_that_solve_the_task():
    """Keys and queries that are the letter, values that are its case."""
    letters = np.tile(np.eye(3), 3)
    W_V = np.hstack([TASK.case_code, np.zeros((2, 3))])
    assert contrasts(Weights(2 * letters, 3 * letters, W_V)) == {"values": 1, "query-key": 6, "key-key": 9}
    swapped = contrasts(Weights(letters, letters, W_V[::-1]))
    assert swapped == {"values": -1, "query-key": 1, "key-key": 1}


def test_more_axes_in_front():
    weights = [random_weights(MODEL, TASK, seed) for seed in range(4)]
    many = Weights(
        *(np.stack(parts).reshape(2, 2, *parts[0].shape) for parts in zip(*map(triple, weights), strict=True))
    )
    for name, values in contrasts(many).items():
        np.testing.assert_allclose(values.ravel(), [contrasts(one)[name] for one in weights], rtol=1e-12)
    np.testing.assert_array_equal(many[1, 0].W_Q, weights[2].W_Q)
    np.testing.assert_array_equal(many[1].W_V[1], weights[3].W_V)


def test_kernels_work_on_a_copy():
    slow = to_slow(ONE)
    back = from_slow(slow)
    for before, after in zip(triple(ONE), triple(back), strict=True):
        np.testing.assert_array_equal(before, after)
    for part in slow:
        part[...] = 0
    assert all(W.all() for W in (*triple(ONE), *triple(back)))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"W_Q": np.zeros((4, 9))}, r"W_Q and W_K must have the shape .* not \(4, 9\), \(5, 9\), \(2, 9\)"),
        ({"W_V": np.zeros((2, 8))}, r"and W_V \(…, n_outputs, D\), not \(5, 9\), \(5, 9\), \(2, 8\)"),
        ({"W_V": np.zeros((7, 2, 9))}, r"and W_V \(…, n_outputs, D\), not \(5, 9\), \(5, 9\), \(7, 2, 9\)"),
        ({"W_Q": np.zeros(9), "W_K": np.zeros(9)}, r"W_Q and W_K must have the shape .* not \(9,\), \(9,\), \(2, 9\)"),
        ({"W_K": np.full((5, 9), np.nan)}, "W_K must hold finite numbers"),
        ({"W_V": np.full((2, 9), np.inf)}, "W_V must hold finite numbers"),
    ],
)
def test_wrong_weights(wrong, message):
    with pytest.raises(ValueError, match=message):
        Weights(**dict(zip(("W_Q", "W_K", "W_V"), triple(ONE), strict=True)) | wrong)
