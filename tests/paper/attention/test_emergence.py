"""Periods of descent and what emerges when: told from noise, and judged both ways."""

import numpy as np
import pytest
import xarray as xr

from slotfree.paper.attention.figS12 import claim_second_descent, claims_stagnation, correlations
from slotfree.paper.attention.figS13 import claims_loss, claims_moments
from slotfree.paper.shared.descents import descents
from slotfree.paper.shared.emergence import (
    claim_grown,
    claim_periods,
    claim_present,
    claim_steady,
    claim_values_in_first_descent,
    contrast_at,
    is_discernible,
)

STEPS = np.arange(3000)
MEASURED = np.arange(0, 3001, 20)
RUNS = 20
ONE = ((0, 0.8), (1500, 0.1), (2999, 0.1))
TWO = ((0, 0.8), (300, 0.4), (800, 0.38), (1200, 0.1), (2999, 0.05))
THREE = ((0, 0.8), (200, 0.6), (400, 0.59), (700, 0.3), (900, 0.29), (1200, 0.05), (2999, 0.04))


def curves(points, noise=0.03, shifts=(0,) * RUNS):
    """Noisy curves through points, one for each run, each shifted by some iterations."""
    rng = np.random.default_rng(1)
    rows = [np.interp(STEPS - shift, *np.transpose(points)) + rng.normal(0, noise, STEPS.size) for shift in shifts]
    return xr.DataArray(np.array(rows), dims=("run", "iteration"), coords={"iteration": STEPS})


def contrasts(*halves, width=60, shifts=(0,) * RUNS):
    """Contrasts of values, query-key and key-key that reach half of their end at given iterations."""
    rng = np.random.default_rng(2)
    rows = [[1 / (1 + np.exp(-(MEASURED - half - s) / width)) for half in halves] for s in shifts]
    found = np.array(rows)
    found[..., 0] = rng.normal(0, 0.005, found.shape[:2])
    coords = {"structure": ["values", "query-key", "key-key"], "measured": MEASURED}
    return xr.DataArray(found, dims=("run", "structure", "measured"), coords=coords)


def verdicts(claims):
    return {claim.name: claim.verdict for claim in claims}


def judged(names, verdict, ours):
    """One verdict for what the paper says, another one for what can be told from chance."""
    return {name: ours if name.startswith("told-from-chance") else verdict for name in names}


def test_periods_are_where_the_loss_is_steepest():
    found = descents(curves(TWO), 2)
    assert found.are_separate.all()
    assert (found.steepest[:, 0] <= 300).all()
    assert ((found.slowest[:, 0] >= 300) & (found.slowest[:, 0] <= 900)).all()
    assert ((found.steepest[:, 1] >= 800) & (found.steepest[:, 1] <= 1300)).all()
    assert np.median(found.pause) == pytest.approx(0.02 / 5 / (0.28 / 4), abs=0.1)


@pytest.mark.parametrize(("points", "n"), [(ONE, 1), (TWO, 2), (THREE, 3)])
def test_noise_is_no_period(points, n):
    loss = curves(points)
    for more in (2, 3):
        share = descents(loss, more).are_separate.mean()
        assert share == 1 if more <= n else share <= 0.1


def test_a_curve_with_fewer_steep_places_has_no_such_periods():
    straight = xr.DataArray(np.linspace(1, 0, 400)[None], dims=("run", "iteration"))
    found = descents(straight, 3)
    assert np.isnan(found.steepest).all()
    assert not found.are_separate.any()


@pytest.mark.parametrize(("points", "verdict"), [(TWO, "confirmed"), (ONE, "contradicted")])
def test_two_periods_are_judged(points, verdict):
    assert claim_periods(curves(points), "two", "Two", 2).verdict == verdict


def test_a_climb_is_steady_unless_it_falls():
    assert claim_steady(curves(((0, 0.5), (1000, 1), (2999, 1)))).verdict == "confirmed"
    assert claim_steady(curves(((0, 0.5), (1000, 1), (1500, 0.9), (2999, 1)))).verdict == "contradicted"


def test_values_before_and_after_the_first_descent():
    for half, verdict in ((150, "confirmed"), (1500, "contradicted")):
        data = xr.Dataset({"loss": curves(TWO), "contrast": contrasts(half, 2000, 2000)})
        assert claim_values_in_first_descent(data).verdict == verdict


def test_what_happens_in_the_stagnation():
    as_said = xr.Dataset({"loss": curves(TWO), "contrast": contrasts(400, 1500, 1500)})
    found = verdicts(claims_stagnation(as_said))
    assert found == judged(found, "confirmed", "contradicted")
    opposite = xr.Dataset({"loss": curves(TWO), "contrast": contrasts(400, 400, 400)})
    opposite["contrast"].loc[{"structure": "values"}] *= -1
    opposite["contrast"].loc[{"structure": ["query-key", "key-key"], "measured": slice(0, 880)}] *= 3
    found = verdicts(claims_stagnation(opposite))
    assert found == judged(found, "contradicted", "confirmed")


def test_faint_structure_is_told_beside_what_comes_later():
    faint = xr.Dataset({"loss": curves(TWO), "contrast": contrasts(400, 1100, 1100, width=180)})
    found = verdicts(claims_stagnation(faint))
    assert found == dict.fromkeys(found, "confirmed")


@pytest.mark.parametrize(("sign", "verdict"), [(1, "confirmed"), (-1, "contradicted")])
def test_structure_that_comes_with_the_second_descent(sign, verdict):
    shifts = np.arange(RUNS) * 30
    structure = contrasts(150, 1200, 1200, shifts=sign * shifts)
    data = xr.Dataset({"loss": curves(TWO, shifts=shifts), "contrast": structure})
    assert claim_second_descent(data, 0).verdict == verdict


def test_correlations():
    rows = np.random.default_rng(0).normal(size=(3, 10, 2))
    np.testing.assert_allclose(correlations(rows), [np.corrcoef(group.T)[0, 1] for group in rows])


def test_what_can_be_seen_at_an_iteration():
    data = xr.Dataset({"contrast": contrasts(100, 900, 900)})
    both = ("query-key", "key-key")
    assert claim_present(data, 900, both, "it is").verdict == "confirmed"
    assert claim_present(data, 200, both, "it is").verdict == "contradicted"
    assert claim_grown(data, (900, 1200), both, "it has").verdict == "confirmed"
    assert claim_grown(-data, (900, 1200), both, "it has").verdict == "contradicted"
    np.testing.assert_allclose(contrast_at(data, "values", 100), 0.5)
    assert np.isnan(contrast_at(data, "values", np.full(RUNS, np.nan))).all()
    assert not is_discernible(data, "values", np.zeros(RUNS)).any()


def test_the_stages_of_qk():
    found = verdicts(claims_loss(curves(THREE)))
    assert found == dict.fromkeys(found, "confirmed")
    found = verdicts(claims_loss(curves(((0, 0.5), (2999, 0.9)))))
    assert found == dict.fromkeys(found, "contradicted")
    found = verdicts(claims_moments(xr.Dataset({"contrast": contrasts(100, 700, 1050)})))
    assert found == judged(found, "confirmed", "contradicted")
    falling = contrasts(100, 2900, 500)
    falling.loc[{"structure": "key-key", "measured": slice(800, None)}] = np.linspace(0.002, 0.001, 111)
    found = verdicts(claims_moments(xr.Dataset({"contrast": falling})))
    assert found == judged(found, "contradicted", "confirmed")
