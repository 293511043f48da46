import numpy as np
from study.madeup import Fading, check_table, results, verdicts

from slotfree.paper.memory.figS6 import CASES, ITEM, claims_on_leads, claims_on_spans


def levels(*means, spread=0.05):
    """d' of older memories in ten samples, for each case."""
    return {b: mean + np.linspace(-spread, spread, 10) for b, mean in zip(CASES, means, strict=True)}


# Spreads of the other sign, as samples of two memories are subtracted in pairs.
ONE = levels(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, spread=-0.05)
SCENARIOS = {
    "as printed": (levels(0.1, 0.42, 1.1, 2.0, 3.1, 3.6), ONE),
    "the other way": (levels(0.9, 0.8, 0.3, 0.25, 0.25, 0.2), levels(0.1, 0.4, 0.5, 0.5, 0.5, 0.6, spread=-0.01)),
    "between": (levels(0.4, 0.534, 0.5, 0.5, 2.0, 3.0, spread=0.2), levels(0.4, 0.4, 0.5, 0.5, 0.8, 0.8, spread=-0.2)),
}


def test_claims():
    check_table(
        [verdicts((*claims_on_leads(k, one), *claims_on_spans(k, one))) for k, one in SCENARIOS.values()],
        {
            "lead-5": "cxi",
            "lead-15": "cxi",
            "lead-10": "cxi",
            "grows": "cxi",
            "insensitive": "cxi",
            "affected": "cxi",
        },
    )


def test_levels_are_those_of_older_memories_of_each_experiment():
    """d' is C / (noise √2): it grows with b for the K-winner, and is 1 for the 1-winner."""

    def made_up(name, cue):
        d_prime = {"5": 0.5, "10": 1.0, "15": 1.5, "20": 2.0, "30": 2.5, "random": 3.0}[name.rpartition("-")[2]]
        if name.startswith("onewinner"):
            d_prime = 1.0
        return Fading(C=0.1 * d_prime * 2**0.5, beta=0, noise=0.1)

    found = {claim.name: claim.estimate.value for claim in ITEM.claims(results(ITEM, made_up, n_ages=300))}
    expected = {"lead-5": -0.5, "lead-15": 0.5, "lead-10": 0.0, "grows": 0.5, "insensitive": 1.0, "affected": 5.0}
    for name, value in expected.items():
        # d' of 20 runs is about 4 % too large.
        np.testing.assert_allclose(found[name], value, atol=0.03 + 0.06 * abs(value), err_msg=name)
