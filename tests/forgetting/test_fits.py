import numpy as np
import pytest

from slotfree.forgetting.fits import exponential_fit
from slotfree.forgetting.protocol import labelled


def decaying(C, beta, runs=50, noise=0.0, ages=200, seed=0):
    curve = C * np.exp(-beta * np.arange(ages))
    real = 0.2 + curve + np.random.default_rng(seed).normal(0, noise, (runs, ages))
    both = np.stack([real, np.full((runs, ages), 0.2)], axis=1)
    return labelled({"accuracy": both[:, None]}, (1.0,), ("real", "pseudo"))


def test_an_exact_exponential_is_found_exactly():
    fit = exponential_fit(decaying(0.4, 0.01), 1.0)
    np.testing.assert_allclose([fit.C, fit.beta, fit.r_squared], [0.4, 0.01, 1.0], rtol=1e-9)
    np.testing.assert_allclose(fit.interval("C"), [0.4, 0.4], rtol=1e-9)
    assert fit.n_ages == 200


def test_the_bootstrap_interval_has_its_level():
    """The 90% interval of β holds the true β in about 90 of 100 noisy datasets: 4 standard deviations are 12."""
    held = 0
    for seed in range(100):
        low, high = exponential_fit(decaying(0.4, 0.01, noise=0.02, seed=seed), 1.0, resamples=200).interval(
            "beta", 0.9
        )
        held += low <= 0.01 <= high
    assert 78 <= held <= 100


def test_ages_without_a_logarithm_are_left_out_openly():
    data = decaying(0.4, 0.05)
    data["accuracy"][:, :, 0, 10] = 0.0
    fit = exponential_fit(data, 1.0, ages=50, resamples=0)
    assert fit.n_ages == 49
    np.testing.assert_allclose([fit.C, fit.beta], [0.4, 0.05])


@pytest.mark.parametrize("ages", [2, 60, 200, 300])
def test_it_uses_the_ages_there_are(ages):
    noisy = decaying(0.4, 0.01, noise=0.02, ages=ages)
    fit = exponential_fit(noisy, 1.0)
    assert fit.n_ages == min(ages, 200)
    same = exponential_fit(noisy.isel(age=slice(200)), 1.0, ages=min(ages, 200))
    assert (fit.C, fit.beta, fit.interval("beta")) == (same.C, same.beta, same.interval("beta"))


def test_ages_are_those_of_the_labels():
    """A part of the ages, in any order, lies on the same line."""
    part = decaying(0.4, 0.01).sel(age=[90, 30, 50])
    fit = exponential_fit(part, 1.0, resamples=0)
    np.testing.assert_allclose([fit.C, fit.beta, fit.n_ages], [0.4, 0.01, 3])


def test_wrong_arguments():
    with pytest.raises(ValueError, match="ages must be an integer ≥ 2, not 1"):
        exponential_fit(decaying(0.4, 0.01), 1.0, ages=1)
    with pytest.raises(ValueError, match="data must hold at least 2 ages from 1 to 200 for an exponential, not 1"):
        exponential_fit(decaying(0.4, 0.01, ages=1), 1.0)
    with pytest.raises(ValueError, match=r"cue must be one of \[1.0\], not 0.7"):
        exponential_fit(decaying(0.4, 0.01), 0.7)
    fit = exponential_fit(decaying(0.4, 0.01), 1.0, resamples=0)
    with pytest.raises(ValueError, match="an interval needs resamples ≥ 1, not 0"):
        fit.interval("C")
    with pytest.raises(ValueError, match="name must be 'C' or 'beta', not 'c'"):
        fit.interval("c")
    for level in (-1, 0, 1.5):
        with pytest.raises(ValueError, match=rf"level must be a number in \(0, 1\], not {level}"):
            exponential_fit(decaying(0.4, 0.01), 1.0, resamples=9).interval("C", level)
    with pytest.raises(ValueError, match=r"an exponential needs at least two ages with a positive R.D."):
        exponential_fit(decaying(-0.4, 0.01), 1.0)


@pytest.mark.parametrize("resamples", [-1, 1.5, True])
def test_resamples_are_counted(resamples):
    with pytest.raises((TypeError, ValueError), match="resamples must be an integer ≥ 0"):
        exponential_fit(decaying(0.4, 0.01), 1.0, resamples=resamples)
