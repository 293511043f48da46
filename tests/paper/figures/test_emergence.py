"""Periods of descent and what emerges when: told from noise, and judged both ways."""

import numpy as np
import pytest
import xarray as xr

from slotfree.paper.figures.figS12 import correlations
from slotfree.paper.shared.descents import descents
from slotfree.paper.shared.emergence import PAUSE, contrast, falls, present, share_of_end
from slotfree.paper.shared.transformers import PUBLISHED, QK_IP
from slotfree.paper.text import si_b5_dynamics
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

STEPS = np.arange(3000)
MEASURED = np.arange(0, 3001, 20)
RUNS = 20
ONE = ((0, 0.8), (1500, 0.1), (2999, 0.1))
TWO = ((0, 0.8), (300, 0.4), (800, 0.38), (1200, 0.1), (2999, 0.05))
THREE = ((0, 0.8), (200, 0.6), (400, 0.59), (700, 0.3), (900, 0.29), (1200, 0.05), (2999, 0.04))
RISING = ((0, 0.5), (2999, 0.9))


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


def trained(loss=TWO, structure=None, shifts=(0,) * RUNS):
    """Results in which both models are trained alike."""
    loss = curves(loss, shifts=shifts)
    structure = contrasts(150, 1200, 1200) if structure is None else structure
    data = xr.Dataset({"loss": loss, "accuracy": 1 - loss, "contrast": structure})
    return Results({PUBLISHED.name: data, QK_IP.name: data}, SCALES["paper"], 0)


def verdicts(r, *names):
    """The verdicts of some judges of section B.5.1, by what their names begin with."""
    judges = {judge for sentence in si_b5_dynamics.SENTENCES for judge in sentence.judges}
    return {judge.name: judge.claim(r).verdict for judge in judges if judge.name.startswith(names)}


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
    assert set(verdicts(trained(points), "figS12.two-descents", "figS13.two-descents").values()) == {verdict}


def test_a_climb_is_steady_unless_it_falls():
    for points, expected in ((((0, 0.5), (1000, 0.0), (2999, 0.0)), False), (((0, 0.5), (1000, 0), (1500, 0.1)), True)):
        assert set(falls(QK_IP)(trained(points))) == {expected}


@pytest.mark.parametrize(("half", "verdict"), [(150, "confirmed"), (1500, "contradicted")])
def test_values_before_and_after_the_first_descent(half, verdict):
    found = verdicts(trained(structure=contrasts(half, 2000, 2000)), "figS12.values-in-first", "figS13.values-in-first")
    assert len(found) == 2
    assert set(found.values()) == {verdict}


STAGNATION = ("figS12.values-grow", "figS12.nothing-else")


def test_what_happens_in_the_stagnation():
    found = verdicts(trained(structure=contrasts(400, 1500, 1500)), *STAGNATION)
    assert len(found) == 3
    assert set(found.values()) == {"confirmed"}
    opposite = contrasts(400, 400, 400)
    opposite.loc[{"structure": "values"}] *= -1
    opposite.loc[{"structure": ["query-key", "key-key"], "measured": slice(0, 880)}] *= 3
    assert set(verdicts(trained(structure=opposite), *STAGNATION).values()) == {"contradicted"}


@pytest.mark.parametrize(("sign", "verdict"), [(1, "confirmed"), (-1, "contradicted")])
def test_structure_that_comes_with_the_second_descent(sign, verdict):
    shifts = np.arange(RUNS) * 30
    r = trained(shifts=shifts, structure=contrasts(150, 1200, 1200, shifts=sign * shifts))
    assert verdicts(r, "figS12.structure-with") == {"figS12.structure-with-second-descent": verdict}


def test_correlations():
    rows = np.random.default_rng(0).normal(size=(3, 10, 2))
    np.testing.assert_allclose(correlations(rows), [np.corrcoef(group.T)[0, 1] for group in rows])


def test_what_can_be_seen_at_an_iteration():
    r = trained(structure=contrasts(100, 900, 900))
    both = ("query-key", "key-key")
    assert present(QK_IP, both, 900)(r).all()
    assert not present(QK_IP, both, 200)(r).any()
    np.testing.assert_allclose(contrast(QK_IP, "values", 100)(r), 0.5)
    np.testing.assert_allclose(share_of_end(QK_IP, "values", 100)(r), 0.5)


def test_runs_without_a_pause_are_left_out():
    """A loss that falls ever more slowly has no two periods."""
    loss = curves(TWO)
    loss[0] = np.exp(-STEPS / 500)
    data = xr.Dataset({"loss": loss, "contrast": contrasts(100, 900, 900)})
    r = Results({QK_IP.name: data}, SCALES["paper"], 0)
    assert len(share_of_end(QK_IP, "values", PAUSE)(r)) == len(contrast(QK_IP, "values", PAUSE)(r)) == RUNS - 1


def test_the_stages_of_qk():
    names = ("figS13.descent", "figS13.three", "figS13.present", "figS13.strong", "figS13.nothing")
    found = verdicts(trained(THREE, contrasts(100, 700, 1050)), *names)
    assert len(found) == 9
    assert set(found.values()) == {"confirmed"}
    falling = contrasts(100, 2900, 500)
    for structure in ("query-key", "key-key"):
        falling.loc[{"structure": structure, "measured": slice(800, None)}] = np.linspace(0.002, 0.001, 111)
    assert set(verdicts(trained(RISING, falling), *names).values()) == {"contradicted"}
