import numpy as np
import pytest

import slotfree as sf
from slotfree.patterns.encoding import decode, encode, kept_similarity


def pairs(rho, n, d, seed):
    """Pairs of unit vectors with a cosine."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, n, d))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y -= (x * y).sum(axis=1, keepdims=True) * x
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    return x, rho * x + np.sqrt(1 - rho**2) * y


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.3, 0.6, 0.9, 1.0])
def test_codes_keep_the_angle_between_items(rho):
    """The mean over 300 pairs, whose spread is below 0.05 (100 ones), of two projections."""
    x, y = pairs(rho, 300, 60, seed=1)
    shared = np.mean([(encode(x, 1000, 100, seed=s) & encode(y, 1000, 100, seed=s)).sum(axis=1) for s in (0, 1)])
    assert abs(shared / 100 - kept_similarity(rho, 1000, 100)) < 0.01


def test_the_law_of_similarity_is_that_of_two_normal_numbers():
    rng = np.random.default_rng(0)
    first, other = rng.standard_normal((2, 400_000))
    second = 0.7 * first + np.sqrt(1 - 0.49) * other
    t = np.quantile(first, 0.9)
    both = ((first > t) & (second > t)).mean() / 0.1
    assert abs(both - kept_similarity(0.7, 1000, 100)) < 4 * np.sqrt(both * (1 - both) / 40_000)
    np.testing.assert_allclose(kept_similarity([-1, 0, 1], 50, 5), [0, 0.1, 1], atol=1e-12)


def test_what_is_decoded_points_where_the_item_does():
    """At 1000 units of which 100 win, items of 64 numbers come back with a cosine of about 0.91."""
    x, _ = pairs(0, 200, 64, seed=2)
    back = decode(encode(5 * x, 1000, 100, seed=3), 64, seed=3)
    expected = 1 / np.sqrt(1 + 100 * 63 / (1000 * 0.17550) ** 2)
    cosine = (back * x).sum(axis=1) / np.linalg.norm(back, axis=1)
    assert abs(cosine.mean() - expected) < 0.01
    assert abs((back * x).sum(axis=1).mean() - 1) < 0.02, "its expectation is the item's direction"


def test_a_code_depends_on_its_item_alone():
    x = np.random.default_rng(0).standard_normal((7, 3, 5))
    codes = encode(x, 200, 20, seed=4)
    assert codes.shape == (7, 200)
    assert codes.dtype == np.uint8
    np.testing.assert_array_equal(codes.sum(axis=1), 20)
    np.testing.assert_array_equal(encode(x[3].ravel(), 200, 20, seed=4), codes[3])
    np.testing.assert_array_equal(encode(100 * x[::-1], 200, 20, seed=4), codes[::-1])
    assert (encode(x, 200, 20, seed=5) != codes).any()


def test_ranks_are_the_largest_numbers_and_ties_favour_no_unit():
    x = np.random.default_rng(0).random((4, 30))
    codes = encode(x, 30, 6, method="rank", seed=0)
    for row, code in zip(x, codes, strict=True):
        assert set(np.flatnonzero(code)) == set(np.argsort(row)[-6:])
    np.testing.assert_array_equal(decode(codes, 30, method="rank", seed=0), codes)
    flat = sf.random_patterns(4000, n_visible=30, k_visible=3, seed=1)  # 4060 there are; 3 places go to units that tie
    often = encode(flat, 30, 6, method="rank", seed=0).mean(axis=0)
    assert abs(often - 0.2).max() < 5 * np.sqrt(0.16 / 4000)


def test_codes_can_be_stored():
    x = np.random.default_rng(0).standard_normal((50, 20))
    memory = sf.KWinnerMHN(n_hidden=400, k_hidden=20, fan_in=0.1, seed=0)
    memory.store(encode(x, 1000, 100, seed=0))
    back = decode(memory.retrieve(encode(x[-5:], 1000, 100, seed=0)), 20, seed=0)
    cosine = (back * x[-5:]).sum(axis=1) / np.linalg.norm(back, axis=1) / np.linalg.norm(x[-5:], axis=1)
    assert cosine.mean() > 0.8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3.0, 10, 2), r"array must be one item \(features,\) or many .* not of the shape \(\) and type float64"),
        ((["a"], 10, 2), "array must be one item .* type <U1"),
        (([[1, np.nan]], 10, 2), "array must hold finite numbers, unlike item 0"),
        (([[1, 2], [0, 0]], 10, 2), "array must hold items that are not all 0, unlike item 1"),
        (([[1, 2]], 10, 11), "k_visible must be an integer from 1 to n_visible = 10, not 11"),
        (([[1, 2]], 10, 2, "ranks"), "method must be 'projection' or 'rank', not 'ranks'"),
        (([[1, 2]], 10, 2, "rank"), "n_visible must be the numbers of an item, 2, to rank, not 10"),
    ],
)
def test_what_cannot_be_encoded(arguments, message):
    array, n, k, *method = arguments
    with pytest.raises(ValueError, match=message):
        sf.encode(array, n, k, seed=0, **dict(zip(["method"], method, strict=False)))


def test_what_cannot_be_decoded():
    with pytest.raises(TypeError, match="seed must be the integer or SeedSequence that encode had"):
        decode([[0, 1]], 3, seed=np.random.default_rng(0))
    with pytest.raises(ValueError, match="n_features must be the bits of a code, 2, for ranks, not 3"):
        decode([[0, 1]], 3, method="rank", seed=0)
    with pytest.raises(ValueError, match=r"cosine must be in \[-1, 1\], not 2"):
        kept_similarity(2, 10, 1)


@pytest.mark.parametrize("scale", [1e200, 1e-200, 2.0**-1060])
def test_lengths_of_any_size_are_lost(scale):
    items = np.random.default_rng(0).integers(-8, 9, (5, 20))
    np.testing.assert_array_equal(encode(items * scale, 200, 20, seed=0), encode(items, 200, 20, seed=0))
