import matplotlib as mpl
import numpy as np
import pytest
from legibility import touching_words, words_on_curves
from paper.judged import verdicts_of
from study.madeup import Fading, check_table, results, verdicts

from slotfree.drawing.style import STYLE
from slotfree.forgetting import fits
from slotfree.forgetting.theory import one_winner
from slotfree.paper.figures.figS1 import ITEM, ONE, K
from slotfree.paper.shared import fading
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.paper.text import si_a2_random
from slotfree.paper.text.si_a2_random import CONSTANTS, R2

MODELS = {model.name: model for model in (K_WINNER, ONE_WINNER)}


def as_printed(name, cue):
    model = MODELS[name.split("-")[0]]
    return Fading(*CONSTANTS[model, cue], noise=0.02 if model is K_WINNER else 0.05)


def swapped(name, cue):
    model = {"kwinner": ONE_WINNER, "onewinner": K_WINNER}[name.split("-")[0]]
    return Fading(*CONSTANTS[model, cue], noise=0.05)


def equal(name, cue):
    """Both are alike, as theory has it, and noisy."""
    return Fading(C=one_winner.initial_difference(cue), beta=one_winner.decay_rate(100), noise=0.22)


def exact(name, cue):
    """The 1-winner is as the exact theory has it."""
    return Fading(C=1 - one_winner.exact_baseline(cue), beta=one_winner.decay_rate(100), noise=0.01)


def scattered(name, cue):
    """So noisy that no exponential fits."""
    return Fading(C=0.2, beta=0.005, noise=0.5)


def test_verdicts():
    every = [results(ITEM, scenario, n_ages=200) for scenario in (as_printed, swapped, equal, scattered, exact)]
    found = [verdicts_of(ITEM, r, si_a2_random) | verdicts(judge.claim(r) for judge in ITEM.claims) for r in every]
    check_table(
        found,
        {
            "C-*": "cx...",
            "beta-*": "cx...",
            "r2-*": "c..xc",
            "factor-*": ".xc.c",
            "theory-matches-*": ".xi.c",
            "exact-matches-*": ".x..c",
            "young-*": "cxi..",
            "slower-*": "cxi..",
        },
        only={
            "C-*": "cx",
            "beta-*": "cx",
            "r2-*": "cx",
            "factor-*": "cx",
            "exact-matches-*": "cx",
        },
    )


def test_r_squared_may_be_below_the_printed_one_by_what_both_are_uncertain():
    """The limits do not move with our value: 0.955 minus √2 times the reach of its interval."""
    for scenario in (as_printed, equal, scattered):
        r = results(ITEM, scenario, n_ages=200)
        for judge in R2.values():
            claim = judge.claim(r)
            limits = claim.limits.of(claim.estimate)
            assert limits.low == pytest.approx(0.955 - 2**0.5 * claim.estimate.reach)
            assert limits.high > 1


def test_theorem_1_has_the_printed_constants():
    found = [(one_winner.initial_difference(cue), one_winner.decay_rate(100)) for cue in (0.5, 1.0)]
    np.testing.assert_allclose(found, [(0.836, 0.010), (0.809, 0.010)], rtol=0, atol=0.0005)


def test_fits_use_the_first_200_ages():
    """What is older does not matter."""
    r = results(ITEM, as_printed, n_ages=300)
    assert fits.FIT_AGES == fading.fit(K, 1.0)(r).n_ages == 200
    data = r[ONE].sel(age=slice(200))
    assert fits.exponential_fit(data, 1.0, resamples=0).C == fading.fit(ONE, 1.0)(r).C


def test_the_fits_are_named_where_no_points_are():
    with mpl.rc_context(STYLE):
        figure = ITEM.draw(results(ITEM, as_printed, n_ages=1000)).figure
        assert touching_words(figure) == []
        assert words_on_curves(figure) == []


def test_a_fit_is_drawn_from_its_constant_at_age_1():
    picture = ITEM.draw(results(ITEM, as_printed, n_ages=200))
    lines = [line for axis in picture.figure.axes for line in axis.lines if ", fit: " in str(line.get_label())]
    drawn = sorted((line.get_xdata()[0], line.get_ydata()[0]) for line in lines)
    assert drawn == [(1, pytest.approx(C, abs=1e-6)) for C in sorted(row["C"] for row in picture.tables["-fits"])]
