from importlib import import_module
from itertools import pairwise
from math import log

import numpy as np
import pytest
from scipy import stats
from study.madeup import Fading, check_table, faded, verdicts

from slotfree.forgetting.theory import one_winner
from slotfree.paper.memory.theorem1 import ITEM, large, measures, steps
from slotfree.paper.memory.theorem1.experiments import SLOTS, Slots, lifetimes_of, one_winner_settings
from slotfree.paper.memory.theorem1.measures import Compared, Point, SmallCues, permitted_loss
from slotfree.paper.memory.theorem1.steps import Step
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results
from slotfree.study.retention import Retention
from slotfree.study.scale import SCALES

STANDARD = np.linspace(-1, 1, 40) / np.linspace(-1, 1, 40).std(ddof=1) * 40**0.5  # mean 0, standard error 1
PAPER = SCALES["paper"]
claims = import_module("slotfree.paper.memory.theorem1.claims")  # the package has a function of this name


def simulated(mean, error):
    """Made-up runs with a given mean and standard error of the mean."""
    return mean + error * STANDARD


def grid(exact, printed, error):
    """Simulations that are off by given distances from theory at the last of three points."""
    return {
        Point(n_h, 0.1, 1.0, quantity): Compared(
            simulated(0.5, error), 0.5 - exact * (n_h == 300), 0.5 - printed * (n_h == 300)
        )
        for n_h in (30, 100, 300)
        for quantity in ("baseline", "raw difference")
    }


def results(n_ages=100):
    """Made-up results of all experiments."""
    data = {}
    for i, e in enumerate(ITEM.experiments):
        if isinstance(e.run, Retention):
            data[e.name] = faded(
                e, lambda name, cue: Fading(C=0.5, beta=0, base=cue / 4, noise=0.01), runs=20, n_ages=n_ages, seed=i
            )
        else:
            law = (1 - 1 / e.run.settings.n_hidden) ** np.arange(e.run.n_ages)
            made = {"stored": law, "loss": np.full(3, 1e-5), "failed": np.ones(3), "alone": np.zeros(3)}
            made |= {"replaced": np.array(0.2), "earlier": np.array(0.1), "unseen": np.array(0.15)}
            data[e.name] = e.label([made] * 4)
    return Results(data, PAPER, 0)


def test_claims_of_the_grid():
    check_table(
        [
            verdicts(claims.claims_of_grid(g))
            for g in (grid(0.0008, 0.02, 3e-4), grid(-0.02, 0.001, 3e-4), grid(0.003, 0.003, 3e-4))
        ],
        {"grid-exact-baseline": "cxi", "grid-exact-raw-difference": "cx.", "grid-printed": "cxi"},
        only={"grid-exact-raw-difference": "cx"},
    )


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_claims_of_the_baseline(cue):
    exact, printed = one_winner.exact_baseline(cue), one_winner.baseline(cue)
    means = [exact, exact + 0.1, exact + 0.001, printed]
    check_table(
        [verdicts(claims.claims_of_baseline(simulated(mean, 0.0002), cue)) for mean in means],
        {"exact-baseline-*": "cxi.", "overstates-*": "cx.i"},
    )


def test_how_much_the_formula_overstates():
    (over,) = [c for c in claims.claims_of_baseline(simulated(0.15, 0), 1.0) if c.name == "overstates-100%"]
    assert over.estimate.value == pytest.approx((one_winner.baseline(1.0) - 0.1) / 0.05 - 1)


def test_overlaps_are_hypergeometric(monkeypatch):
    """The printed mean is right, the printed standard deviation that of independent variables."""
    assert verdicts(claims.claims_of_overlap()) == {"overlap-mean": "c", "overlap-sd": "x"}
    monkeypatch.setattr(claims.stats, "hypergeom", lambda n, k, draws: stats.binom(draws, k / n))
    assert verdicts(claims.claims_of_overlap()) == {"overlap-mean": "c", "overlap-sd": "c"}


def test_claims_of_the_decay():
    beta = one_winner.decay_rate(100)
    found = [Estimate(x, x - 1e-4, x + 1e-4) for x in (beta, -beta, 3 * beta)]
    check_table(
        [verdicts(claims.claims_of_decay(b, 1.0)) for b in found],
        {"decay-100%": "xcx", "decay-minus-100%": "cxx"},
        only={"decay-100%": "cx", "decay-minus-100%": "cx"},
    )


def test_claims_of_the_order_of_the_error():
    names = ("order-baseline", "order-raw-difference", "order-cubic")
    check_table(
        [verdicts(claims.claims_of_order(*rises)) for rises in ((0.8, 0.8), (3.0, 3.0))],
        {**dict.fromkeys(names, "cx"), "order-constant": "cc", "order-at-100": "cc"},
        only={**dict.fromkeys(names, "cx"), "order-constant": "c", "order-at-100": "c"},
    )


def test_claims_of_steps():
    for ratio, strict, verdict in ((1.0, False, "c"), (1.0, True, "x"), (0.9, False, "x"), (1.1, True, "c")):
        claim = claims.claim_of_step(Step("some", "a ≤ b", ratio, strict))
        assert verdicts([claim]) == {"step-some": verdict}


def test_claims_of_the_extremes_need_the_factor():
    assert set(verdicts(claims.claims_of_extremes(1.0, "", "paper")).values()) == {"x"}
    assert set(verdicts(claims.claims_of_extremes(0.5, "-half", "ours")).values()) == {"c"}
    assert set(verdicts(claims.claims_of_extremes(0.0, "", "paper")).values()) == {"x"}


def test_claims_of_small_cues():
    def cue(loss, error):
        return [SmallCues(100, 0.1, 3, simulated(loss, error), 0.1)]

    scenarios = [verdicts(claims.claims_of_small_cues(cue(*x))) for x in ((0.05, 1e-3), (0.2, 1e-3), (0.1, 1e-2))]
    assert [s["near-bound-memory"] for s in scenarios] == ["c", "x", "i"]
    assert {name: v for name, v in scenarios[0].items() if name != "near-bound-memory"} == {
        "near-bound": "c",
        "refined": "c",
        "superpattern": "c",
    }


def test_claims_of_slots():
    law = 0.99 ** np.arange(60)
    noise = STANDARD[:, None] * 1e-3
    check_table(
        [verdicts(claims.claims_of_slots(law + shift + noise, law)) for shift in (0, 0.01)],
        {"in-memory": "cx"},
        only={"in-memory": "cx"},
    )
    assert [verdicts([claims.claim_of_failures(10, n)])["only-superpatterns"] for n in (0, 1)] == ["c", "x"]
    gaps = [[simulated(x, 1e-3)] * 3 for x in (0.01, -0.01, 0)]
    check_table(
        [verdicts(claims.claims_of_replaced(*pair)) for pair in zip(gaps, (gaps[1], gaps[0], gaps[2]), strict=True)],
        {"replaced": "cxi", "replaced-earlier": "cxi"},
    )


def test_the_worst_of_several_differences():
    score, limit = measures.worst_score([simulated(1, 1), simulated(-5, 1), np.zeros(10)])
    assert score == pytest.approx(5)
    assert 3 < limit < 4


def test_points_of_the_grid_hold_their_simulations_and_theories():
    found = measures.compare(results())
    assert len(found) == 3 * 3 * 3 * 2
    for point, compared in found.items():
        expected = point.cue / 4 if point.quantity == "baseline" else 0.5
        np.testing.assert_allclose(compared.simulated.value, expected, atol=0.003)
    main = found[Point(100, 0.1, 0.5, "baseline")]
    assert main.exact == one_winner.exact_baseline(0.5)
    assert main.asymptotic == one_winner.baseline(0.5)


def test_all_claims_have_a_name_of_their_own():
    found = list(ITEM.claims(results(n_ages=200)))
    assert len({claim.name for claim in found}) == len(found) > 40


@pytest.mark.parametrize("cue", [1.0, 0.5, 0.2])
@pytest.mark.parametrize("n_h", [2, 100, 10_000])
def test_the_large_theory_is_the_exact_one(cue, n_h):
    for k_v in (50, 200):
        expected = one_winner.exact_baseline(cue, k_visible=k_v, n_hidden=n_h)
        assert large.baseline(cue, 1000, k_v, log(n_h)) == pytest.approx(expected, abs=1e-10)
        loss = 1 - one_winner.exact_stored(3 / k_v, k_visible=k_v, n_hidden=n_h)
        assert np.exp(large.log_loss(3, 1000, k_v, log(n_h))) == pytest.approx(loss, rel=1e-8)
    assert large.theta(0.5, 1000, log(n_h)) == pytest.approx(one_winner.theta(0.5, n_hidden=n_h))


def test_very_small_losses():
    exact = 99 / 2 * np.exp(-large._log_choose(1000, 100)) * (1 - 99 / 100)  # all ones but one: 901 patterns have them
    assert np.exp(large.log_loss(99, 1000, 100, log(100))) == pytest.approx(901 * exact * (1 - 1 / 901), rel=1e-3)


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_the_deviation_tends_to_its_limit(cue):
    """What is left falls as ln ln n_h / ln n_h, by half or more from 10^100 to 10^300."""
    near, far = (abs(large.deviation(cue, "edge", d) - large.limit_deviation(cue)) for d in (300, 100))
    assert near < 0.5 * far < 0.0005


def test_the_mean_maximum_is_that_of_samples():
    rng = np.random.default_rng(0)
    maxima = rng.standard_normal((20_000, 10)).max(axis=1)
    assert large.mean_maximum(log(10)) == pytest.approx(maxima.mean(), abs=4 * maxima.std() / 20_000**0.5)
    assert large.mean_maximum(log(2)) == pytest.approx(1 / np.pi**0.5, abs=1e-6)
    assert (large.location(log(100), 1), large.location(log(100), 0.5)) == pytest.approx((1.70, 2.37), abs=0.005)


def test_distances_from_gumbel_fall_only_with_the_factor():
    right, printed = ([large.gumbel_distance(d * log(10), f) for d in (1, 3, 10, 100)] for f in (0.5, 1.0))
    assert all(a > b for a, b in pairwise(right))
    assert all(a < b for a, b in pairwise(printed))


def test_steps_that_fail_would_be_seen(monkeypatch):
    assert all(step.ratio >= 1 - 1e-12 for step in steps.steps())
    monkeypatch.setattr(steps, "EPSILONS", steps.EPSILONS + 1)  # δ below 1/n_h²
    assert {step.name for step in steps.steps() if step.ratio < 1 - 1e-12} >= {"delta-low", "theta"}


def test_the_permitted_loss_is_where_the_bound_is_met():
    for ones in (2, 3, 5):
        delta = permitted_loss(ones, 100, 0.1)
        assert one_winner.least_cue(delta) == pytest.approx(ones / 100)


def test_lifetimes():
    np.testing.assert_array_equal(lifetimes_of(np.array([3, 1, 3, 3, 2], np.uint32)), [2, np.inf, 1, np.inf, np.inf])


def test_slots_are_followed():
    run = Slots(one_winner_settings(20, 0.1), 400, 40, (1, 100))
    found = run(np.random.SeedSequence(0))
    assert found["stored"][0] == 1
    assert (np.diff(found["stored"]) <= 0).all()
    assert found["stored"][20] == pytest.approx(0.95**20, abs=0.08)
    assert found["loss"][0] > 0.3 > found["loss"][1] == 0
    assert found["failed"][0] > 0
    assert found["alone"].sum() == 0
    for name in ("replaced", "earlier", "unseen"):
        assert 0.1 < found[name] < 0.25
    assert set(SLOTS) == {(100, 0.1), (30, 0.2), (300, 0.05)}
