import matplotlib as mpl
import pytest
from legibility import touching_words, words_on_curves
from study.madeup import Fading, check_table, results, verdicts

from slotfree.drawing.style import STYLE
from slotfree.forgetting.theory import one_winner
from slotfree.paper.memory.figS1 import ITEM, PRINTED, claims_on_theory


def as_printed(name, cue):
    model = name.split("-")[0]
    return Fading(**PRINTED[model, cue], noise=0.02 if model == "kwinner" else 0.05)


def swapped(name, cue):
    model = {"kwinner": "onewinner", "onewinner": "kwinner"}[name.split("-")[0]]
    return Fading(**PRINTED[model, cue], noise=0.05)


def equal(name, cue):
    """Both are alike, as theory has it, and noisy."""
    return Fading(C=one_winner.initial_difference(cue), beta=one_winner.decay_rate(100), noise=0.22)


def exact(name, cue):
    """The 1-winner is as the exact theory has it."""
    return Fading(C=1 - one_winner.exact_baseline(cue), beta=one_winner.decay_rate(100), noise=0.01)


def scattered(name, cue):
    """So noisy that no exponential fits."""
    return Fading(C=0.2, beta=0.005, noise=0.5)


def test_claims():
    check_table(
        [
            verdicts(ITEM.claims(results(ITEM, scenario, n_ages=200)))
            for scenario in (as_printed, swapped, equal, scattered, exact)
        ],
        {
            "C-*": "cx...",
            "beta-*": "cx...",
            "r2-*": "c..xc",
            "theory-C-*": "ccccc",
            "theory-beta-*": "ccccc",
            "theory-matches-*": "xxc.x",
            "exact-matches-*": ".x..c",
            "young-*": "cxi..",
            "slower-*": "cxi..",
        },
        only={
            "C-*": "cx",
            "beta-*": "cx",
            "r2-*": "cx",
            "theory-C-*": "c",
            "theory-beta-*": "c",
            "theory-matches-*": "cx",
            "exact-matches-*": "cx",
        },
    )


def test_r_squared_may_be_below_the_printed_one_by_what_both_are_uncertain():
    """The limits do not move with our value: 0.955 minus √2 times the reach of its interval."""
    for scenario in (as_printed, equal, scattered):
        for claim in ITEM.claims(results(ITEM, scenario, n_ages=200)):
            if claim.name.startswith("r2-"):
                limits = claim.limits.of(claim.estimate)
                assert limits.low == pytest.approx(0.955 - 2**0.5 * claim.estimate.reach)
                assert limits.high > 1


@pytest.mark.parametrize(("name", "function"), [("C", "initial_difference"), ("beta", "decay_rate")])
def test_another_theory_would_contradict_the_printed_constants(monkeypatch, name, function):
    monkeypatch.setattr(one_winner, function, lambda *arguments, **size: 0.5)
    found = verdicts(claims_on_theory(results(ITEM, as_printed, n_ages=200), 1.0))
    assert found[f"theory-{name}-100%"] == "x"


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
