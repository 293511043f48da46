import numpy as np
import pytest
from study.madeup import Fading, check_table, results, verdicts

from slotfree.forgetting.theory import one_winner
from slotfree.paper.memory import theorem1
from slotfree.paper.memory.theorem1 import ITEM, Compared, Point

STANDARD = np.linspace(-1, 1, 40) / np.linspace(-1, 1, 40).std(ddof=1) * 40**0.5  # mean 0, standard error 1


def simulated(mean, error):
    """Made-up runs with a given mean and standard error of the mean."""
    return mean + error * STANDARD


def grid(exact, asymptotic, error):
    """Simulations that are off by given distances from theory at the last of three points."""
    return {
        Point(n_h, 0.1, 1.0, quantity): Compared(
            simulated(0.5, error), 0.5 - exact * (n_h == 300), 0.5 - asymptotic * (n_h == 300)
        )
        for n_h in (30, 100, 300)
        for quantity in ("baseline", "raw difference")
    }


def test_claims_on_the_grid():
    scenarios = [grid(0.001, -0.02, 0.0003), grid(-0.02, 0.08, 0.0003), grid(0.003, 0.05, 0.0003)]
    check_table(
        [verdicts((*theorem1.claims_on_exact(g), *theorem1.claims_on_asymptotic(g))) for g in scenarios],
        {
            "grid-exact-baseline": "cxi",
            "grid-exact-raw-difference": "cxx",  # 3, 67 and 10 standard errors
            "grid-asymptotic-baseline": "cxi",
            "grid-asymptotic-raw-difference": "cxi",
        },
        only={"grid-exact-raw-difference": "cx"},
    )


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_claims_on_the_baseline(cue):
    exact, asymptotic = one_winner.exact_baseline(cue), one_winner.baseline(cue)
    means = [exact, exact + 0.1, exact + 0.001, asymptotic + 0.02]
    check_table(
        [verdicts(theorem1.claims_on_baseline(simulated(mean, 0.0002), cue)) for mean in means],
        {"exact-baseline-*": "cxi.", "asymptotic-baseline-*": "cx.i"},
    )


def test_claims_on_constants(monkeypatch):
    found = [verdicts((*theorem1.claims_on_constants(), *theorem1.claims_on_stored(0.0)))]
    for name in ("least_cue", "theta"):
        monkeypatch.setattr(one_winner, name, lambda *arguments, **size: 0.3)
    monkeypatch.setattr(theorem1, "N_VISIBLE", 100)
    found.append(verdicts((*theorem1.claims_on_constants(), *theorem1.claims_on_stored(0.1))))
    names = ("least-cue", "theta", "regime", "stored")
    check_table(found, dict.fromkeys(names, "cx"), only=dict.fromkeys(names, "cx"))


def test_points_of_the_grid_hold_their_simulations_and_theories():
    r = results(ITEM, lambda name, cue: Fading(C=0.5, beta=0, base=cue / 4, noise=0.01))
    found = theorem1.compare(r)
    assert len(found) == 3 * 3 * 3 * 2
    for point, compared in found.items():
        expected = point.cue / 4 if point.quantity == "baseline" else 0.5
        np.testing.assert_allclose(compared.simulated.value, expected, atol=0.002)
    main = found[Point(100, 0.1, 0.5, "baseline")]
    assert main.exact == one_winner.exact_baseline(0.5)
    assert main.asymptotic == one_winner.baseline(0.5)


def test_every_claim_of_the_item_is_tested_here():
    assert len(list(ITEM.claims(results(ITEM, lambda name, cue: Fading())))) == 3 + 1 + 2 * 2 + 2 + 2
