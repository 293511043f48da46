"""Predictions of settings drawn far beyond what the theory is made for: each is sound, or refused with a reason.

``SLOTFREE_FUZZ=20000 pytest -n 0 tests/forgetting/theory/test_limits.py`` draws more (half an hour on one core).
"""

import os
import warnings

import numpy as np
import pytest

import slotfree as sf
from slotfree.forgetting.theory.limits import TOLERANCE, TheoryLimitError, check_curve, check_finite
from slotfree.memory.kwinner import KWinnerSettings

N_SETTINGS = int(os.environ.get("SLOTFREE_FUZZ", "120"))
REASONS = (
    "fan_in must give",
    "learning_rate must be",
    "k_visible must leave",
    "n_visible must allow",
    "k_hidden must be",
)


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def some_of(rng, n):
    """A number from 1 to n, small ones more often."""
    return int(rng.integers(1, n + 1)) if rng.random() < 0.5 else min(round(log_uniform(rng, 1, n)), n)


def drawn(number):
    """Settings, a cue and ages, the limits of each range among them."""
    rng = np.random.default_rng([13, number])
    n_visible, n_hidden = round(log_uniform(rng, 2, 2000)), round(log_uniform(rng, 1, 1e7))
    k_visible = some_of(rng, n_visible)
    settings = {
        "n_visible": n_visible,
        "n_hidden": n_hidden,
        "k_visible": k_visible,
        "k_hidden": 1 if rng.random() < 0.25 else some_of(rng, n_hidden),
        "fan_in": 1.0 if rng.random() < 0.2 else log_uniform(rng, 0.501 / n_visible, 1),
        "learning_rate": 1.0 if rng.random() < 0.15 else log_uniform(rng, 1e-4, 1),
    }
    cue = 1.0 if rng.random() < 0.3 else log_uniform(rng, min(0.501 / k_visible, 1), 1)
    ages = np.unique(np.geomspace(1, 10 ** rng.integers(0, 10), 6).round().astype(np.int64))
    return settings, cue, ages


def outcome(settings, cue, ages):
    """Check a prediction; return why there is none, or "predicted"."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "the steady state of .* did not settle")
            curve = sf.predict_retention(settings, cue, ages)
    except TheoryLimitError as error:
        return next(reason for reason in REASONS if str(error).startswith(reason))
    for name in ("accuracy", "baseline"):
        assert ((curve[name] >= 0) & (curve[name] <= 1)).all(), name  # NaN is neither
    assert (curve["raw_difference"] >= -TOLERANCE).all()
    return "predicted"


def test_every_prediction_is_sound_or_refused_with_a_reason():
    found = []
    for number in range(N_SETTINGS):
        settings, cue, ages = drawn(number)
        try:
            found.append(outcome(settings, cue, ages))
        except Exception as error:
            raise AssertionError(f"number {number}: {settings}, cue {cue}, ages {ages.tolist()}") from error
    counts = {reason: found.count(reason) for reason in ("predicted", *REASONS)}
    print(counts)
    assert counts["predicted"] > 0.9 * N_SETTINGS, counts


TINY = {"n_visible": 2, "k_visible": 1, "n_hidden": 1_000_000, "k_hidden": 1, "fan_in": 0.5}
RARE = {"n_visible": 20, "k_visible": 10, "n_hidden": 10_000_000, "k_hidden": 1, "fan_in": 0.5, "learning_rate": 0.1}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            TINY,
            r"fan_in must give a hidden unit about 2 active inputs or more, f c k_v, not 0\.5: .* many winners",
        ),
        (
            RARE,
            r"n_visible must allow for more different cues of 10 ones than n_h/k_h = 1e\+07, not 20: .* winners",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:the steady state of:RuntimeWarning")
def test_winners_that_the_lattice_does_not_resolve_are_refused(settings, message):
    with pytest.raises(TheoryLimitError, match=message):
        sf.predict_retention(settings, ages=[1, 1000])


def test_what_is_far_below_the_baseline_is_refused():
    slow = {"n_visible": 274, "k_visible": 20, "n_hidden": 17_932, "k_hidden": 13_848, "fan_in": 0.15}
    settings = KWinnerSettings(**slow, learning_rate=0.003)
    check_curve(settings, 20, np.array([0.5, -TOLERANCE]))
    with pytest.raises(
        TheoryLimitError, match=r"learning_rate must be about 0\.04 or more, not 0\.003: .* an R\.D\. of -0\.021"
    ):
        check_curve(settings, 20, np.array([0.5, -0.021]))
    dense = KWinnerSettings(100, 1000, 99, 10, 1.0, 1.0)
    with pytest.raises(
        TheoryLimitError, match=r"k_visible must leave .* 2 inactive inputs or more, .* not 1: .* R\.D\. of -1"
    ):
        check_curve(dense, 50, np.array([-1.0]))
    rare = KWinnerSettings(1000, 10**6, 100, 1, 0.1, 1.0)
    with pytest.raises(TheoryLimitError, match="k_hidden must be a larger share of n_hidden = 1000000, not 1: "):
        check_curve(rare, 50, np.array([-1.0]))
    with pytest.raises(TheoryLimitError, match=r"fan_in must .* not 1\.6: .* no finite numbers"):
        check_finite(settings, 11, np.array([0.5, np.nan]))


def test_no_winner_connected_to_what_is_off():
    """Weights to visible units outside the cue sum to nothing, or to -1e-17 by rounding: that made NaN."""
    few = {"n_visible": 58, "k_visible": 45, "n_hidden": 8598, "k_hidden": 3, "fan_in": 0.0187, "learning_rate": 0.0535}
    assert outcome(few, 1.0, [1, 100]) == "predicted"


def test_classes_that_never_win():
    """A unit of a class that never wins has no drive to win with: all inputs were certain, and 0/0 their spread."""
    many = {"n_visible": 1865, "k_visible": 1340, "n_hidden": 873_600, "k_hidden": 1, "fan_in": 1.0}
    curve = sf.predict_retention(many | {"learning_rate": 0.124}, 1.0, [1, 10**6])
    assert (curve["raw_difference"].sel(age=1) > 0.05).all()
