import numpy as np
import pytest
import xarray as xr
from study.madeup import Fading, around, check_table, faded, verdicts

import slotfree as sf
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.memory import after
from slotfree.paper.memory.after import ITEM, LEARNING, Learning
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study.results import Results
from slotfree.study.retention import Retention
from slotfree.study.scale import SCALES, Scale

PAPER = SCALES["paper"]


def made_up(scenario, runs=20, n_ages=100):
    """Memories that fade as a scenario says, with exact means."""
    fading = [e for e in ITEM.experiments if isinstance(e.run, Retention)]
    size = {"runs": runs, "n_ages": n_ages, "mirrored": True}
    return Results({e.name: faded(e, scenario, **size, seed=i) for i, e in enumerate(fading)}, PAPER, 0)


def judged(group, *arguments, scenarios, **size):
    """The verdicts of a group of claims in each scenario."""
    return [verdicts(group(made_up(scenario, **size), *arguments)) for scenario in scenarios]


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_auc(cue):
    """Of a memory that fades slowly, one that is noisy and fades fast, and of two that are alike."""
    slow, fast = Fading(C=0.3, beta=0.002, noise=0.05), Fading(C=0.3, beta=0.02, noise=0.15)
    alike = Fading(C=0.2, beta=0.002, noise=0.1)
    scenarios = [
        lambda name, cue: slow if name.startswith("kwinner") else fast,
        lambda name, cue: fast if name.startswith("kwinner") else slow,
        lambda name, cue: alike,
    ]
    found = judged(after.claims_on_auc, cue, scenarios=scenarios, runs=100, n_ages=300)
    check_table(found, {"auc-older-*": "cxi", "auc-newest-*": "cxi"})


@pytest.mark.parametrize("model", [K_WINNER, ONE_WINNER])
def test_categories(model):
    """Other categories are far below the same ones, equal, half as far as stored patterns are above, or better."""
    scenarios = [
        lambda name, cue, C=C, other=other: Fading(C, 0, base=0.6, uniform=other if "clusters" in name else None)
        for C, other in ((0.1, 0.2), (0.1, 0.6), (0.1, 0.5), (-0.1, 0.9), (0.0, 0.2))
    ]
    check_table(
        judged(after.claims_on_categories, model, scenarios=scenarios),
        {"other-categories-*": "ci.x.", "mostly-category-*": "cxi..", "same-category-*": "c..xi"},
    )


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_winners_at_random(cue):
    """Areas under R.D. over 100 ages: less or more by 10 with random winners, by 2, or the same."""
    scenarios = [
        lambda name, cue, lost=lost: Fading(C=0.5 - lost / 100 * name.endswith("at-random"), beta=0)
        for lost in (10, -10, 2, 0)
    ]
    found = judged(after.claims_at_random, cue, scenarios=scenarios)
    check_table(found, {"random-winners-kwinner-*": "cx.i", "random-winners-onewinner-*": "xxic"})
    (claim, _) = after.claims_at_random(made_up(scenarios[0]), cue)
    assert "keep 80% of the area" in claim.claim


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_tying(cue):
    """Tied memories are the same, or change all accuracies, or the uniform baseline alone."""

    def scenario(all_kinds, uniform):
        def fading(name, cue):
            tied = "tied" in name
            base = 0.5 + all_kinds * tied
            return Fading(base=base, noise=0.01, uniform=base - 0.2 + uniform * tied if "tree" in name else None)

        return fading

    changes = ((0, 0.1), (0.02, -0.1), (-0.005, 0.005), (-0.02, 0))
    found = judged(after.claims_on_tying, cue, scenarios=[scenario(*change) for change in changes])
    expected = {"tied-random-*": "cxix", "tied-tree-*": "cxix", "tied-uniform-*": "cxix"}
    check_table(found, expected)


def learned(start, end, tree, never):
    """Made-up results of learning: asymmetry at first, and at last for random patterns and trees, and units left."""
    number = {"number": [0, 4000]}

    def dataset(last, width, share, share_width):
        asymmetry = np.stack([around(start, 1e-3), around(last, width)], axis=1)
        never_won = np.stack([np.ones(10), around(share, share_width)], axis=1)
        arrays = {"asymmetry": (("run", "number"), asymmetry), "never_won": (("run", "number"), never_won)}
        return xr.Dataset(arrays, number)

    found = {"random": dataset(end, 1e-7, 0, 0), "tree": dataset(tree, 1e-7, never, 0.01)}
    return Results({LEARNING[name].name: data for name, data in found.items()}, PAPER, 0)


def test_asymmetry():
    scenarios = [(1 / 3, 0, 0.1, 0.2), (0.4, 0.1, 0, -0.1), (1 / 3, 1e-6, 1e-6, 0)]
    check_table(
        [verdicts(after.claims_on_asymmetry(learned(*scenario))) for scenario in scenarios],
        {"asymmetry-start": "cx.", "asymmetry-random": "cxi", "asymmetry-tree": "xci", "never-won": "cxi"},
        only={"asymmetry-start": "cx"},
    )


def test_learning_is_what_a_memory_does():
    settings = KWinnerSettings(40, 30, 6, 3, 0.5, 0.3)
    source = TreePatterns(1, None, 40, 6)
    run = Learning(settings, source, (0, 3, 20))
    found = run(np.random.SeedSequence(5))
    memory = sf.KWinnerMHN.from_settings(settings, seed_for(np.random.SeedSequence(5), "memory"))
    patterns = source(20, seed=seed_for(np.random.SeedSequence(5), "patterns"))
    assert found["asymmetry"][0] == memory.asymmetry()
    assert found["never_won"][0] == 1
    won = set()
    for i, part in enumerate((patterns[:3], patterns[3:]), 1):
        won |= set(memory.store(part, return_winners=True).ravel().tolist())
        assert found["asymmetry"][i] == memory.asymmetry()
        assert found["never_won"][i] == pytest.approx(1 - len(won) / 30)
    assert run.label([found, found])["never_won"].sizes == {"run": 2, "number": 3}
    smaller = run.at(Scale("small", n_stored=10))
    assert smaller.numbers == (0, 3)


def test_tied_memories_have_the_seeds_of_those_with_two_matrices():
    for name, tied in after.TIED.items():
        assert tied.seed(0, 3).spawn_key == after.TWO[name].seed(0, 3).spawn_key
        assert tied.seed(0, 3).entropy == after.TWO[name].seed(0, 3).entropy
