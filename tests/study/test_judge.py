from functools import partial

import numpy as np
import pytest
import xarray as xr

from slotfree.study import Results, above, estimate
from slotfree.study.judge import Judge, between, judged, less, measure, more, never, printed, same, share_of_runs
from slotfree.study.scale import SCALES

R = Results({}, SCALES["paper"], 0)
RNG = np.random.default_rng(0)
LOW, HIGH = RNG.normal(0, 1, 50), RNG.normal(3, 1, 60)


def of(values):
    return lambda r: values


def verdict(judge):
    return judge.claim(R).verdict


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        (more("a.x", of(HIGH), of(LOW), "lead"), "confirmed"),
        (more("a.x", of(LOW + 0.9), of(LOW), "lead"), "confirmed"),
        (more("a.x", of(LOW), of(HIGH), "lead"), "contradicted"),
        (more("a.x", of(LOW), of(LOW[::-1]), "lead"), "inconclusive"),
        (less("a.x", of(LOW), of(HIGH), "lead"), "confirmed"),
        (less("a.x", of(HIGH), of(LOW), "lead"), "contradicted"),
        (same("a.x", of(LOW), of(RNG.normal(0, 1, 50)), "difference"), "confirmed"),
        (same("a.x", of(LOW), of(HIGH), "difference"), "contradicted"),
        (more("a.x", of(HIGH), 1, "value"), "confirmed"),
        (less("a.x", of(HIGH), 1, "value"), "contradicted"),
        (same("a.x", of(estimate.Estimate(0.5, 0.4, 0.6)), 0, "value"), "contradicted"),
        (same("a.x", of(estimate.Estimate(0.05, -0.1, 0.2)), 0, "value"), "confirmed"),
        (between("a.x", of(HIGH), 2, 4, "value"), "confirmed"),
        (between("a.x", of(HIGH), 3.9, 4, "value"), "contradicted"),
        (printed("a.x", of(HIGH), 3.0, "value", rounding=0.05), "confirmed"),
        (printed("a.x", of(HIGH), 5.0, "value", rounding=0.05), "contradicted"),
        (share_of_runs("a.x", of(HIGH > 1), "runs above 1"), "confirmed"),
        (share_of_runs("a.x", of(LOW > 3), "runs above 3"), "contradicted"),
        (share_of_runs("a.x", of(LOW > 3), "runs above 3", limits=above(0.99)), "contradicted"),
        (never("a.x", of(0), "errors"), "confirmed"),
        (never("a.x", of(2), "errors"), "contradicted"),
        (judged("a.x", of(HIGH), lambda r: above(r.seed), "value"), "confirmed"),
    ],
)
def test_words_mean_what_they_say(judge, expected):
    assert verdict(judge) == expected


def test_pairs_are_compared_run_by_run():
    noise = RNG.normal(0, 10, 40)
    a, b = of(noise + 1 + RNG.normal(0, 0.1, 40)), of(noise)
    assert verdict(more("a.x", a, b, "lead")) == "inconclusive"
    assert verdict(more("a.x", a, b, "lead", paired=True)) == "confirmed"


def test_a_claim_shows_both_values_and_says_whose_it_is():
    claim = more("fig4.lead", of(HIGH), of(LOW), "d' of both").claim(R, "It is higher.")
    assert (claim.name, claim.source, claim.paper) == ("lead", "paper", "It is higher.")
    assert claim.claim == f"d' of both: {HIGH.mean():.3g} against {LOW.mean():.3g}"
    assert claim.estimate == estimate.difference(HIGH, LOW)
    own = printed("fig4.C", of(HIGH), 3.0, lambda r: f"C with seed {r.seed}", rounding=0.1).claim(R)
    assert (own.source, own.paper, own.claim) == ("ours", 3.0, "C with seed 0")
    assert share_of_runs("a.x", of([True, False, True]), "right").claim(R).claim == "right: 2 of 3 runs"


def test_a_measure_is_computed_once_for_the_same_arguments():
    calls = []

    @measure
    def lost(r, name, cue):
        calls.append((name, cue))
        return r.data[name].mean().item() * cue

    r = Results({"e": xr.DataArray([1.0, 3.0])}, SCALES["paper"], 0)
    assert lost("e", 0.5)(r) == lost("e", 0.5)(r) == 1.0
    assert lost("e", cue=1.0)(r) == 2.0
    assert calls == [("e", 0.5), ("e", 1.0)]


@pytest.mark.parametrize("name", ["fig4", "fig4.", ".x", "fig4.a b", 3])
def test_a_judge_is_named_by_its_item_and_its_claim(name):
    with pytest.raises(ValueError, match="name must be"):
        more(name, of(HIGH), 0, "value")


def test_a_judge_says_what_is_measured_and_knows_its_place():
    with pytest.raises(ValueError, match=r"words of a\.x must say what is measured, not ''"):
        more("a.x", of(HIGH), 0, "")
    judge = more("a.x", of(HIGH), 0, "value")
    assert isinstance(judge, Judge)
    assert "test_judge.py, line " in judge.place


def test_without_words_a_judge_says_what_its_measure_says():
    @measure
    def warmest(r, place, cue=0.5):
        """A day's highest temperature, {place.name}, {cue:.0%} of them, x^{place} in {others}.

        More of it.
        """
        return HIGH

    expected = "a day's highest temperature, above, 50% of them, x^above in {others}"
    at = type("Place", (), {"name": "above", "__str__": lambda self: "above"})()
    for judge in (more("a.x", warmest(at), 0), share_of_runs("a.x", warmest(at, cue=0.5)), never("a.x", warmest(at))):
        assert judge.words == expected
    assert between("a.x", warmest(at), 0, 1, "said otherwise").words == "said otherwise"
    with pytest.raises(ValueError, match=r"words of a\.x must"):
        more("a.x", warmest(at), warmest(at))


def test_braces_that_no_argument_can_fill_stay():
    """A docstring is a user's own text, and may say nothing of arguments."""

    @measure
    def power(r, x):
        r"""Power of {r}, {x} in {x: x > 0}, {x.size}, {x[0]}, {}, {x!r} and \beta_{k}."""
        return HIGH

    assert more("a.x", power(2), 0).words == r"power of {r}, 2 in {x: x > 0}, {x.size}, {x[0]}, {}, {x!r} and \beta_{k}"


def test_only_a_function_says_what_it_measures():
    def rain(r, place):
        """Rain."""
        return HIGH

    with pytest.raises(ValueError, match=r"words of a\.x must say what is measured, not ''"):
        more("a.x", partial(rain, place="here"), 0)
    assert more("a.x", partial(rain, place="here"), 0, "rain here").words == "rain here"
