import numpy as np
import xarray as xr
from study.madeup import Fading, check_table, results, verdicts

from slotfree.paper.memory.figS7 import ITEM, PROBED, Probed
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER
from slotfree.study.item import Item
from slotfree.study.results import Results


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


def test_claims():
    scenarios = [made_up(lambda b: 2 / b, 0.1), made_up(lambda b: -2 / b, -0.1), made_up(lambda b: 0.0, 0.0)]
    check_table(
        [verdicts(ITEM.claims(r)) for r in scenarios],
        {"retrieves-*": "cxi", "generalises-*": "cxi", "similarity-*": "cxi", "nearer-*": "cxi"},
    )


def test_similarities_of_what_is_retrieved():
    """A 1-winner MHN that has room for all patterns retrieves one of them: its best match."""
    for model, b in ((ONE_WINNER, 5), (K_WINNER, 30)):
        found = Probed(model.settings, b, n_stored=60, n_tested=20)(np.random.SeedSequence(0))
        assert 0.1 < found["stored"] < found["probed"] < 1
