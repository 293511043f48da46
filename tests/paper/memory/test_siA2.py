import numpy as np
import pytest
from study.madeup import around, check_table, verdicts

from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.memory import siA2
from slotfree.paper.memory.siA2 import FAN_INS, Encoding, Replacing, connected_winners, random_coverage
from slotfree.study.scale import SCALES

SEED = np.random.SeedSequence(0)
EXACT = one_winner.exact_baseline(1.0)


def runs(mean, width=0.001):
    return around(mean, width)


def test_claims_of_the_1_winner():
    scenarios = [
        verdicts(siA2.claims_of_one_winner(runs(EXACT), np.ones(5), runs(0.17))),
        verdicts(siA2.claims_of_one_winner(runs(0.12), np.array([1, 0.99]), runs(0.09))),
        verdicts(siA2.claims_of_one_winner(runs(EXACT), np.ones(5), runs(0.1))),
    ]
    check_table(
        scenarios,
        {"replaces-best": "cxc", "higher-than-average": "cxi", "maximum": "cxc"},
        only={"replaces-best": "cx", "maximum": "cx"},
    )


def test_a_baseline_is_nearest_to_the_maximum():
    """It is not if it is as printed in proposition 2, chance, or half-way between one of them and the maximum."""
    printed = one_winner.baseline(1.0)

    def judged(mean):
        return verdicts(siA2.claims_of_one_winner(runs(mean), np.ones(5), runs(0.17)))["maximum"]

    assert [judged(m) for m in (EXACT, printed, 0.1)] == ["c", "x", "x"]
    assert [judged((EXACT + other) / 2) for other in (printed, 0.1)] == ["i", "i"]


def test_claims_of_the_sample():
    check_table(
        [verdicts(siA2.claims_of_sample(n)) for n in (50, 100)],
        {"fan-in": "xc", "fan-in-visible": "cx", "larger-maximum": "cc"},
        only={"fan-in": "cx", "fan-in-visible": "cx", "larger-maximum": "c"},
    )


def test_claims_of_fan_in():
    def baselines(step, width=0.001):
        return [runs(0.5 - step * i, width) for i in range(len(FAN_INS))]

    scenarios = [
        verdicts(siA2.claims_of_fan_in(baselines(*many), [*baselines(0), runs(full, width)], "50%"))
        for many, full, width in (((0.05,), 0.6, 0.001), ((-0.05,), 0.4, 0.001), ((0.01, 0.1), 0.5, 0.1))
    ]
    check_table(scenarios, {"smaller-sample-50%": "cxi", "smaller-sample-alone-50%": "cxi"})


def test_claims_of_averaging():
    scenarios = [
        verdicts(siA2.claims_of_averaging({1: runs(0.2, w), 50: runs(b, w), 100: runs(0.5, w), 500: runs(c, w)}, "50%"))
        for b, c, w in ((0.5, 0.3, 0.001), (0.1, 0.6, 0.001), (0.2, 0.5, 0.1))
    ]
    check_table(scenarios, {"averaging-50%": "cxi", "averaging-too-many-50%": "cxi"})


def test_claims_of_coverage():
    scenarios = [
        verdicts(siA2.claims_of_coverage("some", KWinnerSettings(), runs(a, w), runs(b, w), 4.0))
        for a, b, w in ((0.98, 0.9, 1e-4), (1.01, 0.4, 1e-4), (1.0, 0.5, 0.01))
    ]
    check_table(scenarios, {"missed-some": "cxi", "several-copies-some": "cxi"})


def test_claims_of_winners():
    """Coverage that rises to 1, that is 1 with few winners and falls, and that is about as uncertain as it can be."""
    shares = (
        (0.1, 0.2, 0.4, 0.6, 0.8, 0.98, 0.999, 1.0, 1.0),
        (1.0, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92),
        (0.995,) * 9,
    )
    scenarios = [
        verdicts(siA2.claims_of_winners({k: runs(x, w) for k, x in zip(siA2.WINNERS, row, strict=True)}))
        for row, w in zip(shares, (1e-4, 1e-4, 0.01), strict=True)
    ]
    check_table(scenarios, {"needed": "cxi", "rises": "cxi", "enough": "cxi"})


def test_claim_of_a_wider_fan_in():
    pairs = ((0.99, 0.9, 0.001), (0.9, 0.99, 0.001), (0.95, 0.95, 0.1))
    found = [verdicts([siA2.claim_of_wider(runs(a, w), runs(b, w))])["fuller"] for a, b, w in pairs]
    assert found == ["c", "x", "i"]


def test_winners_and_their_inputs():
    memory = KWinnerMHN(40, 30, 4, 3, 0.25, 0.5, seed=0)
    winners = np.array([[0, 5, 7], [1, 2, 3]], np.uint32)
    found = connected_winners(memory, winners)
    assert found.shape == (2, 40)
    expected = np.bincount(memory.connections[[1, 2, 3]].ravel(), minlength=40)
    np.testing.assert_array_equal(found[1], expected)


def test_all_inputs_are_covered_with_full_connections():
    data = Encoding(KWinnerSettings(100, 20, 10, 2, 1.0, 1.0), 120, 10)(SEED)
    assert (data["covered"], data["several"], data["copies"]) == (1, 1, 2)
    assert data["unseen"].shape == (2,)


def test_winners_cover_more_than_random_units():
    data = Encoding(KWinnerSettings(k_hidden=20), 400, 20)(SEED)
    assert random_coverage(0.05, 20) + 0.05 < data["covered"] < 1
    assert random_coverage(0.05, 20) == pytest.approx(1 - 0.95**20)


def test_a_full_memory_replaces_the_best_match():
    data = Replacing(KWinnerSettings(200, 10, 20, 1, 1.0, 1.0), 200)(SEED)
    assert data["best"] == 1
    assert data["overlap"] > 0.13


def test_too_few_patterns_to_fill_a_memory():
    data = Replacing(KWinnerSettings(200, 10, 20, 1, 1.0, 1.0), 5)(SEED)
    assert np.isnan(data["best"])
    assert np.isnan(data["overlap"])


def test_a_smaller_scale_stores_less():
    quick = SCALES["quick"]
    assert siA2.REPLACING.at(quick).run.n_stored < 600
    assert all(e.at(quick).run.n_stored < 600 for e in siA2.EXPERIMENTS)
