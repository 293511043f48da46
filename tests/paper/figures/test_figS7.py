import numpy as np
import xarray as xr
from paper.judged import verdicts_of
from study.madeup import Fading, check_table, results

from slotfree.paper.figures.figS7 import ITEM, PAIR, PROBED, Probed
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, TREE_FLIPS, on_trees
from slotfree.paper.text import s2_structured, si_a3_trees
from slotfree.study import Item, Results


def made_up(gain, nearer):
    """Unseen patterns of the tree come back better than unstructured ones, by a function of b."""
    faded = Item(**{**vars(ITEM), "experiments": tuple(e for e in ITEM.experiments if e not in PROBED.values())})

    def scenario(name, cue):
        b = int(name.rpartition("-")[2])
        return Fading(C=0, base=0.6, uniform=0.6 - gain(b))

    r = results(faded, scenario, n_ages=50, mirrored=True)
    noise = np.linspace(-0.01, 0.01, 6)
    probed = xr.Dataset({"probed": ("run", 0.5 + nearer + noise), "stored": ("run", np.full(6, 0.5))})
    return Results({**r.data, **{e.name: probed for e in PROBED.values()}}, r.scale, r.seed)


def test_judges():
    scenarios = [made_up(lambda b: 2 / b, 0.1), made_up(lambda b: -2 / b, -0.1), made_up(lambda b: 0.0, 0.0)]
    check_table(
        [verdicts_of(ITEM, r, s2_structured, si_a3_trees) for r in scenarios],
        {"retrieves-*": "cxi", "generalises-*": "cxi", "similarity-*": "cxi", "nearer-*": "cxi"},
    )


def test_curves_are_those_of_the_caption():
    every = [on_trees(model, b) for model in PAIR for b in TREE_FLIPS]
    assert {(e.runs, e.run.cues, e.run.kinds) for e in every} == {(100, (1.0, 0.5), ("real", "pseudo", "uniform"))}


def test_similarities_of_what_is_retrieved():
    """A 1-winner MHN that has room for all patterns retrieves one of them: its best match."""
    for model, b in ((ONE_WINNER, 5), (K_WINNER, 30)):
        found = Probed(model.settings, b, n_stored=60, n_tested=20)(np.random.SeedSequence(0))
        assert 0.1 < found["stored"] < found["probed"] < 1
