"""What the theory covers: it is right there, and refuses the rest with a reason and the nearest that is covered.

``theory_map.csv`` holds simulations of memories drawn over the whole family (``benchmarks/theory_map``).
"""

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import slotfree as sf
from slotfree.forgetting.theory import limits
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.forgetting.theory.limits import TheoryLimitError, check_covered, check_curve
from slotfree.forgetting.theory.winner_correlation import Correlation

NAMES = ("n_visible", "k_visible", "n_hidden", "k_hidden", "fan_in", "learning_rate")
with Path(__file__).with_name("theory_map.csv").open() as file:
    ROWS = list(csv.DictReader(file))
WINDOWS = [name for name in ROWS[0] if name.startswith("ages")]  # such as "ages 1 to 3"
AGES = [np.arange(int(first), int(last) + 1) for _, first, _, last in map(str.split, WINDOWS)]
CUTS = np.cumsum([len(ages) for ages in AGES])[:-1]
REASONS = (
    "k_visible must be",
    "cues must leave",
    "fan_in must give",
    "n_visible must give",
    "n_hidden must be",
    "k_hidden must",
    "learning_rate must be",
    "memory_settings must be ones on which the theory's steps agree",
)


def check_reason(refused):
    assert str(refused).startswith(REASONS)


def simulated():
    """Settings, and for each cue the accuracy in each window of ages and of patterns never stored, and its error."""
    found = defaultdict(dict)
    for row in ROWS:
        settings = tuple((name, float(row[name]) if "." in row[name] else int(row[name])) for name in NAMES)
        values = np.array([float(row[name]) for name in (*WINDOWS, "unseen")])
        found[settings][float(row["cue"])] = (values, float(row["error"]))
    return found


def compared(settings, by_cue):
    """For each cue that is covered: |predicted − simulated| in each window and of patterns never stored."""
    memory = sf.KWinnerSettings(**dict(settings))
    for cue, (values, error) in sorted(by_cue.items(), reverse=True):
        try:
            accuracy, baseline, expected, *_ = predicted_curves(memory, (cue,), np.concatenate(AGES))
        except TheoryLimitError as refused:
            check_reason(refused)
            return  # and so are lower cues
        means = [part.mean() for part in np.split(accuracy[0], CUTS)]
        yield cue, np.abs([*means, baseline[0]] - values), error, float(expected[0])


@pytest.fixture(scope="module")
def errors():
    return {settings: list(compared(settings, by_cue)) for settings, by_cue in simulated().items()}


def test_what_is_covered_is_right(errors):
    """Within 0.02 on average over windows of ages, and 0.04 in each, up to two standard errors of the simulation."""
    covered = 0
    for settings, cases in errors.items():
        for cue, off, error, _ in cases:
            covered += 1
            assert off[:-1].mean() < 0.02 + 2 * error, (settings, cue)
            assert off.max() < 0.04 + 2 * error, (settings, cue)
    assert covered > 250


def test_the_expected_error_is_that_of_its_region(errors):
    """It is the root mean square over the cases of each region, rounded upwards."""
    regions = defaultdict(list)
    for cases in errors.values():
        for _, off, _, expected in cases:
            regions[expected].append(off[:-1].mean())
    regions.pop(0.0)  # the 1-winner MHN, whose theory is exact
    for expected, found in regions.items():
        assert np.sqrt(np.mean(np.square(found))) == pytest.approx(expected, abs=0.002)
    assert set(regions) == {error for row in limits.ERRORS for error in row}


@pytest.mark.parametrize(
    ("settings", "cue", "message"),
    [
        ({"k_visible": 20, "fan_in": 0.02}, 0.3, r"cues must leave ≥ 20 active bits, not 6 \(cue=0\.3\); .*cue=1"),
        ({}, 0.2, r"fan_in must give .* ≥ 2 active inputs, f·c·k_v, .* not 1 and 5 \(cue=0\.2\); .* fan_in=0\.1;"),
        ({"k_visible": 40}, 0.5, r"fan_in must give .* not 1 and 2 \(cue=0\.5\); the nearest .* fan_in=0\.1;"),
        ({"k_visible": 5}, 1.0, r"k_visible must be ≥ 20 active bits, not 5; the nearest .* k_visible=20"),
        ({"learning_rate": 0.01}, 1.0, r"learning_rate must be ≥ 0\.1 .* not 0\.01; .* learning_rate=0\.1;"),
        ({"n_hidden": 100, "k_hidden": 50, "fan_in": 1}, 1.0, r"k_hidden must be smaller: the likeness .* k_hidden=3;"),
        ({"n_visible": 120, "fan_in": 0.2}, 1.0, r"n_visible must give .* ≥ 8 inactive inputs, .* not 4;"),
        ({"n_hidden": 9000}, 1.0, r"n_hidden must be ≤ 5·n_v = 5000, not 9000; .* n_hidden=5000;"),
        (
            {"n_visible": 5000, "k_visible": 1000, "n_hidden": 3000, "k_hidden": 2, "fan_in": 0.02},
            1.0,
            r"k_hidden must give ≥ 3·k_v = 3000 connections, k_h·f·n_v, not 200; .* k_hidden=30;",
        ),
    ],
)
def test_a_refusal_names_the_limit_the_value_and_what_is_covered(settings, cue, message):
    with pytest.raises(TheoryLimitError, match=message):
        sf.predict_retention(settings, cue)


def drawn(number):
    """Settings and a cue, far beyond what is covered, the ends of each range among them."""
    rng = np.random.default_rng([13, number])

    def between(low, high):
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    n_visible, n_hidden = round(between(2, 2000)), round(between(1, 1e7))
    k_visible = round(between(1, n_visible))
    settings = {
        "n_visible": n_visible,
        "n_hidden": n_hidden,
        "k_visible": k_visible,
        "k_hidden": round(between(1, n_hidden)),
        "fan_in": 1.0 if rng.random() < 0.2 else between(0.501 / n_visible, 1),
        "learning_rate": 1.0 if rng.random() < 0.15 else between(1e-4, 1),
    }
    return settings, 1.0 if rng.random() < 0.5 else between(min(0.501 / k_visible, 1), 1)


def test_every_prediction_is_sound_or_refused_with_a_reason():
    for number in range(80):
        settings, cue = drawn(number)
        try:
            curve = sf.predict_retention(settings, cue, [1, 10, 1000, 10**9])
        except TheoryLimitError as refused:
            check_reason(refused)
            continue
        assert ((curve["accuracy"] >= 0) & (curve["accuracy"] <= 1)).all(), settings  # NaN is neither
        assert (curve["raw_difference"] >= 0).all()


def test_steps_that_do_not_agree_are_refused():
    check_curve(np.array([0.5, -limits.TOLERANCE]))
    for raw, message in (([0.5, -0.021], r"it gives an R\.D\. of -0\.021"), ([np.nan], "it gives no finite numbers")):
        with pytest.raises(TheoryLimitError, match=f"memory_settings must .* steps agree, but {message}"):
            check_curve(np.array(raw))
    with pytest.raises(TheoryLimitError, match=r"gives 0\.4 times as many winners as there are"):
        limits.check_winners(0.4)


def test_a_pattern_that_is_not_followed_until_it_is_forgotten_is_refused():
    """Full learning by few winners: some units win thousands of times before others have won a few times."""
    size = {"n_visible": 10_000, "k_visible": 4000, "n_hidden": 20_000, "k_hidden": 5, "fan_in": 0.25}
    with pytest.raises(TheoryLimitError, match=r"steps agree, but it ends at age 75225, when 0\.025 of its winners"):
        sf.predict_retention({**size, "learning_rate": 1}, 1.0, [1])


def alike_by(winners, likeness):
    return Correlation(0.0, winners, likeness, 0.0, (0.0, 1.0))


def test_likeness_is_computed_only_if_all_else_is_covered():
    def never(settings):
        raise AssertionError(settings)

    def very(settings):
        return alike_by(0.5, 9.9 if settings.k_hidden > 1 else 0.0)

    with pytest.raises(TheoryLimitError, match=r"learning_rate must .* learning_rate=0\.1; sf\.retention simulates"):
        check_covered(sf.KWinnerSettings(learning_rate=0.01, k_hidden=6), 1.0, lambda _: alike_by(0.0, 0.0))
    with pytest.raises(
        TheoryLimitError, match=r"ρ·k_h·f, must be ≤ 5 here, not 9\.9 \(k_hidden=50\); sf\.retention simulates"
    ):
        check_covered(sf.KWinnerSettings(), 1.0, very)
    with pytest.raises(TheoryLimitError, match=r"the same units win together, ρ·n_h/k_h must be ≤ 5 here, not 10"):
        check_covered(sf.KWinnerSettings(fan_in=0.5), 1.0, lambda one: alike_by(10 * one.k_hidden / 2000, 0.1))
    with pytest.raises(AssertionError):
        check_covered(sf.KWinnerSettings(), 1.0, never)
