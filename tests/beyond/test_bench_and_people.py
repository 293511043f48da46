"""The memory bench and its signatures, on made-up results whose numbers are known."""

import numpy as np
import pytest
from madeup_memories import signed

from slotfree.beyond import people
from slotfree.beyond.shared.compared import signatures
from slotfree.beyond.shared.compared.images import POOL, ImageCodes
from slotfree.beyond.shared.compared.tuned import AROUND, GRIDS, MODELS, WEIGHTS, search

AGES = np.arange(1, 1001)


def test_the_time_span_of_known_curves():
    """An exponential goes from 58 % to 21 % in 2.9 times the time, a power of time in far more."""
    exponential = signed(0.5 * 0.99 ** (AGES - 1))
    expected = (1 + np.log(0.211) / np.log(0.99)) / (1 + np.log(0.582) / np.log(0.99))
    assert signatures.time_span(exponential) == pytest.approx(expected, rel=0.05)
    power = signed(0.5 * AGES**-0.4)
    assert signatures.time_span(power) == pytest.approx((0.582 / 0.211) ** 2.5, rel=0.2)
    assert signatures.time_span(signed(0.5 + 0 * AGES)) != signatures.time_span(signed(0.5 + 0 * AGES))  # NaN


def test_the_parts_of_known_curves():
    lags = AGES - 1.0
    three = signed(0.3 * np.exp(-lags / 2.3) + 0.2 * np.exp(-lags / 56) + 0.1)
    assert signatures.third_part(three) == pytest.approx(1 / 6, abs=0.03)
    assert signatures.third_part(signed(0.5 * np.exp(-lags / 28))) < 0.01


def test_slopes_pairs_and_spacing():
    data = signed(0.5 * 0.99**AGES, spread=1.4, left=0.4, gain=0.1)
    assert signatures.slope(data) == pytest.approx(1 / 1.4, abs=0.1)
    assert signatures.first_list_left(data) == pytest.approx(0.4, abs=0.01)
    np.testing.assert_allclose(signatures.pairs_left(data), [1, 0.4, 0.4, 0.4, 0.4], atol=0.01)
    assert abs(signatures.spacing_effect(data).value - 0.1) < 0.005
    for of in ("recall", "recognition"):
        found = signatures.strength_effect(signed(0.5 * 0.99**AGES, noise=0.002), of)
        assert found.low < found.value < found.high
    assert abs(signatures.strength_effect(data, "recall").value - (0.6 / 0.3) / (0.6 / 0.4)) < 0.05


def test_all_have_the_same_number_of_weights():
    for model in MODELS:
        assert abs(model.settings.n_weights - WEIGHTS) <= 0.06 * WEIGHTS, model.name
        assert model.settings.n_bits > 0 < model.settings.n_touched
    for name, around in AROUND.items():
        own = next(model.settings for model in MODELS if model.name == name)
        for one in (*GRIDS[name](), *around(own)):
            assert abs(one.n_weights - WEIGHTS) <= 0.02 * WEIGHTS, one


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("complex", {"n_variables": 5, "fan_in": 0.025, "k_hidden": 7, "learning_rate": 0.5, "coupling": 0.008}),
        ("complex", {"n_variables": 3, "fan_in": 1.0, "k_hidden": 1, "learning_rate": 0.04, "coupling": 0.4}),
        ("btsp", {"fan_in": 0.025, "plateau": 0.0002, "k_hidden": 4}),
        ("binary", {"potentiation": 0.06, "depression": 0.5}),
        ("sqhn", {"novelty": 0.05}),
        ("minerva", {"encoding": 0.3}),
    ],
)
def test_the_search_leaves_its_grid(name, best):
    """It climbs to a best setting that lies beyond an edge of the grid, in steps of √2, or of 1."""

    def merit(one):
        return 100 * np.exp(-sum(abs(np.log(getattr(one, key) / value)) for key, value in best.items()))

    found = search(name, merit)
    assert [value for value, _ in found] == sorted((value for value, _ in found), reverse=True)
    for key, value in best.items():
        assert abs(np.log(getattr(found[0][1], key) / value)) < np.log(2) / 2 + 1e-6, key


def test_a_search_among_bad_memories_ends():
    assert search("btsp", lambda _: -1.0)[0][0] == -1.0


def test_no_time_span_of_people_within_reach():
    """The largest that 1000 ages can show: 58 % are left of the newest alone, and more than 21 % up to age 999."""
    curve = np.where(AGES == 1, 0.9, 0.9 * 0.5) * (AGES < 1000)
    assert signatures.time_span(signed(curve)) == 500 < people.BY_NAME["time-span"].limits.low


def test_numbers_of_the_table():
    assert [people.shown(value) for value in (np.nan, np.inf, 1e-9, 0.5213)] == ["–", "∞", "0", "0.52"]


@pytest.mark.parametrize("kind", ["digits", "patches"])
def test_codes_of_images(kind):
    codes = ImageCodes(kind)(500, seed=np.random.SeedSequence(0))
    assert codes.shape == (500, 1000)
    assert (codes.sum(axis=1) == 100).all()
    assert len(np.unique(codes, axis=0)) == 500
    every = ImageCodes(kind)(POOL, seed=np.random.SeedSequence(1))
    assert len(every) == POOL
    alike = (every[:300] @ every[:300].T.astype(float))[np.triu_indices(300, 1)] / 100
    assert np.quantile(alike, 0.98) > 0.3, "some are much alike"
