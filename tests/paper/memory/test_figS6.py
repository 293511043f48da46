import numpy as np
import xarray as xr
from study.madeup import Fading, check_table, results, verdicts

from slotfree.paper.memory.figS6 import (
    CASES,
    EVERY,
    ITEM,
    claims_on_growth,
    claims_on_leads,
    claims_on_spans,
    d_prime,
    experiments,
)
from slotfree.paper.shared.memories import K_WINNER, TREE_FLIPS


def curves(*levels, spread=0.05, newest=None):
    """d' of ten samples for each case, the same at all ages; at ages 1 to 5 something else if asked for."""
    found, rng = {}, np.random.default_rng(0)
    for b, level in zip(CASES, levels, strict=True):
        noise = rng.permutation(np.linspace(-spread, spread, 10))[:, None]
        values = level + noise + np.zeros(EVERY[1])
        if newest is not None:
            values[:, :5] = newest[b] + noise
        found[b] = xr.DataArray(values, {"age": np.arange(1, EVERY[1] + 1)}, ("sample", "age"))
    return found


# Spreads of the other sign, as samples of two memories are subtracted in pairs.
ONE = curves(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, spread=-0.05)
SCENARIOS = {
    "as printed": (curves(0.1, 0.42, 1.1, 2.0, 3.1, 3.6), ONE),
    "the other way": (curves(0.9, 0.8, 0.3, 0.25, 0.25, 0.2), curves(0.1, 0.1, 0.5, 0.5, 3.0, 0.6, spread=-0.01)),
    "between": (curves(0.51, 0.52, 0.49, 0.51, 0.5, 0.5, spread=0.2), curves(*[0.5] * 6, spread=-0.2)),
    # The 1-winner is affected most where memories are new.
    "at first": (
        curves(0.1, 0.42, 1.1, 2.0, 3.1, 3.6),
        curves(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, newest=dict(zip(CASES, (1, 2, 4, 8, 16, 32), strict=True))),
    ),
}


def test_claims():
    found = [
        verdicts((*claims_on_leads(*pair), *claims_on_growth(*pair), *claims_on_spans(*pair)))
        for pair in SCENARIOS.values()
    ]
    check_table(
        found,
        {
            "lead-5": "cxi.",
            "no-advantage-5": "cxc.",
            "lead-10": "cxi.",
            "lead-15*": "cxi.",
            "grows*": "cxi.",
            "insensitive": "cxix",
            "insensitive-later": "cxic",
        },
        only={"no-advantage-5": "cx"},
    )


def test_the_newest_memories_count_where_no_ages_are_named():
    """At ages 1 to 5 the 1-winner is far ahead, the more so the less alike patterns are."""
    newest = dict(zip(CASES, (200, 400, 800, 1600, 3200, 6400), strict=True))
    one = curves(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, spread=-0.05, newest=newest)
    found = verdicts(claims_on_growth(SCENARIOS["as printed"][0], one))
    assert found == {"lead-15": "x", "grows": "x", "lead-15-later": "c", "grows-later": "c"}


def test_curves_are_those_of_each_experiment():
    """d' is C / (noise √2): it grows with b for the K-winner, and is 1 for the 1-winner."""

    def made_up(name, cue):
        d_prime = {"5": 0.5, "10": 1.0, "15": 1.5, "20": 2.0, "30": 2.5, "random": 3.0}[name.rpartition("-")[2]]
        if name.startswith("onewinner"):
            d_prime = 1.0
        return Fading(C=0.1 * d_prime * 2**0.5, beta=0, noise=0.1)

    found = {claim.name: claim.estimate.value for claim in ITEM.claims(results(ITEM, made_up))}
    for name, value in {"lead-5": -0.5, "lead-15": 0.5, "lead-10": 0.5, "grows": 0.5, "insensitive-later": 2.0}.items():
        # d' of 20 runs is about 4 % too large.
        np.testing.assert_allclose(found[name], value, atol=0.03 + 0.1 * abs(value), err_msg=name)


def test_samples_are_those_of_all_runs_with_trees():
    """100 runs tested in every way and 100 more with whole cues alone make ten samples of 20, each of its own runs."""
    r = results(ITEM, lambda name, cue: Fading(C=0.5 if "more" in name else 0.1, beta=0, noise=0.1), n_ages=5)
    for experiment in ITEM.experiments:
        cues = [1.0] if "more" in experiment.name else [1.0, 0.5]
        r.data[experiment.name] = r[experiment].isel(run=slice(100)).sel(cue=cues)
    samples = d_prime(r, K_WINNER, 5).mean("age").values
    assert len(samples) == 10
    assert samples[:5].max() < samples[5:].min()
    every = [experiment for b in TREE_FLIPS for experiment in experiments(K_WINNER, b)]
    assert sum(experiment.runs for experiment in every) == 5 * 200
    assert {experiment.run.cues for experiment in every[1::2]} == {(1.0,)}
