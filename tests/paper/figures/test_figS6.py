import numpy as np
import xarray as xr
from paper.judged import verdicts_of
from study.madeup import PAPER, Fading, check_table, results

from slotfree.paper.figures import figS6
from slotfree.paper.figures.figS6 import CASES, EVERY, ITEM, PAIR, d_prime, experiments
from slotfree.paper.shared.memories import K_WINNER, TREE_FLIPS, on_trees
from slotfree.paper.text import s2_structured, si_a3_trees
from slotfree.patterns.tree import TreePatterns
from slotfree.study.results import Results


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


def judged(k, one):
    """The verdicts for made-up curves of both memories."""
    r = Results({}, PAPER, 0)
    for model, found in zip(PAIR, (k, one), strict=True):
        r._found.update({(d_prime.__wrapped__, (model, b)): found[b] for b in CASES})
    return verdicts_of(ITEM, r, s2_structured, si_a3_trees)


AS_PRINTED = curves(0.1, 0.42, 1.1, 2.0, 3.1, 3.6)
# Spreads of the other sign, as samples of two memories are subtracted in pairs.
ONE = curves(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, spread=-0.05)
SCENARIOS = {
    "as printed": (AS_PRINTED, ONE),
    "the other way": (curves(0.9, 0.8, 0.3, 0.25, 0.25, 0.2), curves(0.1, 0.1, 0.5, 0.5, 3.0, 0.6, spread=-0.01)),
    "between": (curves(0.51, 0.52, 0.49, 0.51, 0.5, 0.5, spread=0.2), curves(*[0.5] * 6, spread=-0.2)),
}


def test_judges():
    check_table(
        [judged(*pair) for pair in SCENARIOS.values()],
        {
            "lead-5": "cxi",
            "no-advantage-5": "cxc",
            "lead-10": "cxi",
            "lead-15*": "cxi",
            "grows": "cxi",
            "insensitive": "cxi",
        },
        only={"no-advantage-5": "cx"},
    )


def test_the_newest_memories_count_where_no_ages_are_named():
    """At ages 1 to 5 the 1-winner is far ahead, the more so the less alike patterns are; at most ages it is not."""
    newest = dict(zip(CASES, (200, 400, 800, 1600, 3200, 6400), strict=True))
    found = judged(AS_PRINTED, curves(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, spread=-0.05, newest=newest))
    assert [found[name] for name in ("lead-15", "grows", "lead-15-later", "insensitive")] == ["x", "x", "c", "c"]


def test_share_of_ages_is_that_of_their_blocks():
    newest = dict(zip(CASES, (1, 2, 4, 8, 16, 32), strict=True))
    r = Results({}, PAPER, 0)
    one = curves(0.4, 0.4, 0.5, 0.5, 0.5, 0.6, newest=newest)
    for model, found in zip(PAIR, (AS_PRINTED, one), strict=True):
        r._found.update({(d_prime.__wrapped__, (model, b)): found[b] for b in CASES})
    share = figS6.share_more_affected()(r)
    assert (share.value, share.low, share.high) == (0.994, 0.994, 0.994)  # not at ages 1 to 6: blocks end at 4 and 6
    assert round(figS6.span(r, K_WINNER, (1, 1)), 6) == 3.0


def test_curves_are_those_of_each_experiment():
    """d' is C / (noise √2): it grows with b for the K-winner, and is 1 for the 1-winner."""

    def made_up(name, cue):
        level = {"5": 0.5, "10": 1.0, "15": 1.5, "20": 2.0, "30": 2.5, "random": 3.0}[name.rpartition("-")[2]]
        if name.startswith("onewinner"):
            level = 1.0
        return Fading(C=0.1 * level * 2**0.5, beta=0, noise=0.1)

    r = results(ITEM, made_up)
    found = {b: figS6.lead(b, EVERY)(r).value for b in CASES}
    for b, value in {5: -0.5, 15: 0.5, 20: 1.0, 30: 1.5, None: 2.0}.items():
        # d' of 20 runs is about 4 % too large.
        np.testing.assert_allclose(found[b], value, atol=0.03 + 0.1 * abs(value), err_msg=str(b))


def test_samples_are_those_of_all_runs_with_trees():
    """100 runs tested in every way and 100 more with whole cues alone make ten samples of 20, each of its own runs."""
    r = results(ITEM, lambda name, cue: Fading(C=0.5 if "more" in name else 0.1, beta=0, noise=0.1), n_ages=5)
    for experiment in ITEM.experiments:
        cues = [1.0] if "more" in experiment.name else [1.0, 0.5]
        r.data[experiment.name] = r[experiment].isel(run=slice(100)).sel(cue=cues)
    samples = d_prime(K_WINNER, 5)(r).mean("age").values
    assert len(samples) == 10
    assert samples[:5].max() < samples[5:].min()
    every = [experiment for b in TREE_FLIPS for experiment in experiments(K_WINNER, b)]
    assert sum(experiment.runs for experiment in every) == 5 * 200
    assert {experiment.run.cues for experiment in every[1::2]} == {(1.0,)}


def test_settings_are_the_printed_ones():
    """Five b, trees of 14,000 nodes; 3000 leaves, then 1000 that are tested, and 1000 pseudo-memories of the tree."""
    assert TREE_FLIPS == (5, 10, 15, 20, 30)
    for b in TREE_FLIPS:
        run = on_trees(K_WINNER, b).run
        assert run.source == TreePatterns(b, n_nodes=14_000, n_visible=1000, k_visible=100)
        assert (run.n_stored - run.n_tested, run.n_tested) == (3000, 1000)
        assert run.kinds[:2] == ("real", "pseudo")
