import numpy as np
import xarray as xr
from study.madeup import Fading, check_table, results, verdicts

from slotfree.forgetting.protocol import labelled
from slotfree.paper.memory.fig4 import (
    ITEM,
    SLOTS,
    Slots,
    claims_on_both_cues,
    claims_on_erasure,
    claims_on_start,
    traces,
)
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.scale import SCALES


def as_printed(name, cue):
    """d' of the K-winner is 8 exp(−0.005 a); the 1-winner's starts higher and falls below it near the printed age."""
    if name == "kwinner-whole":
        return Fading(newest=0.97)
    if name.endswith("old"):
        return Fading(C=0, noise=0.01)
    crossing = {1.0: 12, 0.5: 7}[cue]
    if name.startswith("kwinner"):
        return Fading(C=0.34 if cue == 1 else 0.3, beta=0.005, base=0.52, noise=0.03)
    d_prime = 8 * 2.718 ** (0.095 * crossing)
    return Fading(C=0.824, beta=0.1, base=0.176, noise=0.824 / d_prime / 2**0.5, newest=1.0)


def swapped(name, cue):
    """The K-winner is perfect at first, fades fast, has no baseline; the memories keep what is old."""
    if name == "kwinner-whole":
        return Fading(newest=1.05)
    if name.endswith("old"):
        return Fading(C=0.1, beta=0)
    if name.startswith("onewinner"):
        return Fading(C=0.34, beta=0.005, base=0.05, noise=0.03)
    return Fading(C=0.8 if cue == 1 else 0.9, beta=0.05, base=0.02, noise=0.04, newest=1.0 if cue == 1 else 1.1)


def whole_is_worse(name, cue):
    """A whole update makes the newest pattern worse."""
    return Fading(newest=0.5) if name == "kwinner-whole" else swapped(name, cue)


def equal(name, cue):
    """Both are alike."""
    if name == "kwinner-whole":
        return Fading(C=0.9, base=0.1)
    if name.endswith("old"):
        return Fading(C=0, noise=0.01)
    return Fading(C=0.6, beta=0.005, base=0.1, noise=0.05)


def late(name, cue):
    """The K-winner leads from an age that is far from the printed one, and only at few ages."""
    if name == "kwinner-whole":
        return Fading(C=0.51, base=0.19)
    noise = 0.04 if name.startswith("kwinner") else 0.0035
    return Fading(C=0.5, beta=0.005 if name.startswith("kwinner") else 0.05, noise=noise)


def made_up(scenario, wrong=0):
    """Results of a scenario; of 5,000 memories some are retrieved though their unit has another, or not."""
    faded = Item(**{**vars(ITEM), "experiments": tuple(e for e in ITEM.experiments if e is not SLOTS)})
    r = results(faded, scenario)
    kept = np.arange(5000) % 3 == 0
    slots = xr.Dataset({"kept": ("kept_0", kept), "whole": ("whole_0", kept ^ (np.arange(5000) < wrong))})
    return Results({**r.data, SLOTS.name: slots}, r.scale, r.seed)


def test_claims():
    scenarios = [made_up(scenario) for scenario in (as_printed, swapped, equal, late)]
    check_table(
        [verdicts(ITEM.claims(r)) for r in [*scenarios, made_up(whole_is_worse, wrong=1)]],
        {
            "same-weights": "ccccc",
            "perfect-*": "cxx..",
            "initial-100%": "cxi..",
            "initial-50%": "cxi..",
            "degrades-*": "cxi..",
            "baseline-*": "cxi..",
            "above-chance-*": "cxi..",
            "reliable-from-*": "ciix.",
            "older-*": "cxi..",
            "large-range-*": "cxx..",
            "newest-*": "cxi..",
            "no-trace-*": "cxc..",
            "initial-notably": "cxi..",
            "update": "cc.ix",
            "update-not-all": "cxi..",
            "erased": "ccccx",
            "reliable-alike": ".....",
            "replaced-by-kin": ".....",
        },
        only={
            "same-weights": "c",
            "perfect-*": "cx",
            "large-range-*": "cx",
            "no-trace-*": "cx",
            "erased": "cx",
            "reliable-alike": "",
            "replaced-by-kin": "",
        },
    )


def test_both_cues_are_shown_where_the_advantage_begins():
    full, half = (c for c in claims_on_start(made_up(as_printed)))
    for claim, level, other in ((full, "100%", half), (half, "50%", full)):
        assert claim.name == f"reliable-from-{level}"
        assert f"from {other.estimate.low:.0f} to {other.estimate.high:.0f})" in claim.claim


def test_ages_are_alike_if_the_cues_are():
    """The same accuracies with both cues; then a 1-winner MHN that keeps its lead longer with one of them."""

    def apart(name, cue):
        if name.startswith("kwinner"):
            return Fading(C=0.34, beta=0, noise=0.03)
        return Fading(C=0.8, beta=0.05, noise=0.8 / (8 * np.exp(0.05 * (60 if cue == 1 else 20))) / 2**0.5)

    data = {name: found.copy(deep=True) for name, found in made_up(as_printed).data.items()}
    for name in ("kwinner-random", "onewinner-random"):
        data[name]["accuracy"][:, 1] = data[name]["accuracy"][:, 0]
    r = made_up(apart)
    found = [verdicts(claims_on_both_cues(found)) for found in (Results(data, r.scale, 0), r)]
    assert [one["reliable-alike"] for one in found] == ["c", "x"]


def test_lost_memories_are_compared_with_what_was_never_stored():
    """Whole memories do not count; what is left of the lost ones does."""

    def left(excess):
        data = dict(made_up(as_printed).data)
        accuracy = np.full((20, 2, 2, 100), 0.2) + np.random.default_rng(0).normal(0, 0.01, (20, 2, 2, 100))
        accuracy[:, :, 0] += excess
        accuracy[:, :, 0, ::2] = 1.0
        data["onewinner-random"] = labelled({"accuracy": accuracy}, (1.0, 0.5), ("real", "pseudo"))
        return verdicts(claims_on_erasure(Results(data, SCALES["paper"], 0)))["replaced-by-kin"]

    assert [left(0.05), left(-0.05), left(0.0)] == ["c", "x", "i"]


def test_a_trace_is_looked_for_in_every_block_at_both_cues():
    accuracy = np.random.default_rng(0).normal(0.3, 0.02, (20, 2, 2, 1600))
    accuracy[:, 1, 0, 1250:1500] += 0.01  # ages 1251 to 1500, 50% cues
    found = traces(labelled({"accuracy": accuracy}, (1.0, 0.5), ("real", "pseudo")), 1001)
    assert [block for block, trace in found.items() if trace.low > 0] == ["ages 1251 to 1500, 50% cues"]
    assert list(found)[-1] == "ages 1501 to 1600, 50% cues"


def test_a_unit_that_stores_another_pattern_has_lost_the_first():
    found = Slots(n_stored=300, n_tested=200)(np.random.SeedSequence(0))
    assert found["kept"].sum() < 100
    assert found["kept"][-1]
    assert (found["kept"] == found["whole"]).all()
