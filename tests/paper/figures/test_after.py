import numpy as np
import pytest
from study.madeup import PAPER, Fading, check_table, faded, verdicts

from slotfree.paper.figures import after
from slotfree.paper.figures.after import ITEM, by_tying
from slotfree.study.results import Results


def made_up(scenario, runs=100, n_ages=300):
    """Memories that fade as a scenario says, with exact means."""
    size = {"runs": runs, "n_ages": n_ages, "mirrored": True}
    return Results({e.name: faded(e, scenario, **size, seed=i) for i, e in enumerate(ITEM.experiments)}, PAPER, 0)


def test_judges():
    """Of a memory that fades slowly, one that is noisy and fades fast, and of two that are alike."""
    slow, fast = Fading(C=0.3, beta=0.002, noise=0.05), Fading(C=0.3, beta=0.02, noise=0.15)
    alike = Fading(C=0.2, beta=0.002, noise=0.1)

    def scenario(k, one, rise):
        def fading(name, cue):
            if "tree" in name:
                return Fading(base=0.5, noise=0.01, uniform=0.3 + rise * ("tied" in name))
            return k if name.startswith("kwinner") else one

        return fading

    scenarios = [
        made_up(scenario(slow, fast, 0.1)),
        made_up(scenario(fast, slow, -0.1)),
        made_up(scenario(alike, alike, 0.0)),
    ]
    check_table(
        [verdicts(judge.claim(r) for judge in ITEM.claims) for r in scenarios],
        {"auc-*": "cxi", "tied-uniform-*": "cxi"},
    )


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_tying_is_compared_in_pairs_of_runs(cue):
    """What a tied memory adds to each kind of patterns, next to the memory of the same seed."""
    r = made_up(lambda name, cue: Fading(base=0.5 + 0.02 * ("tied" in name), noise=0.01), runs=20, n_ages=50)
    for patterns, kind in after.ROWS:
        np.testing.assert_allclose(by_tying(patterns, cue, kind)(r).value, 0.02, atol=1e-9)


def test_tied_memories_have_the_seeds_of_those_with_two_matrices():
    for name, tied in after.TIED.items():
        assert tied.seed(0, 3).spawn_key == after.TWO[name].seed(0, 3).spawn_key
        assert tied.seed(0, 3).entropy == after.TWO[name].seed(0, 3).entropy
