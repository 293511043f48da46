"""At the quick scale items are drawn and estimated, and nothing is said that there are too few data for."""

from importlib import import_module

import pytest
from paper.written_pages import check_claims
from study.madeup import Fading, faded

from slotfree.paper import MEMORY
from slotfree.study.experiment import arrays_of
from slotfree.study.results import Results
from slotfree.study.retention import Retention
from slotfree.study.scale import SCALES, Scale

COLUMNS = {
    "fig3": ["panel", "what", "place", "value"],
    "fig4": ["measure", "model", "cue", "kind", "age", "mean", "standard_error"],
    "figS1": ["model", "cue", "age", "mean", "standard_error"],
    "figS1-fits": ["model", "cue", "C", "C_low", "C_high", "beta", "beta_low", "beta_high", "r_squared"],
    "figS2": ["measure", "model", "cue", "kind", "age", "mean", "standard_error"],
    "figS3": ["measure", "model", "kind", "age", "mean", "standard_error"],
    "figS4": ["node", "parent", "leaf", "bits"],
    "figS5": ["n_flips", "tree", "mean_similarity"],
    "figS6": ["model", "n_flips", "age", "mean", "standard_error"],
    "after": ["measure", "model", "kind", "age", "mean", "standard_error"],
    "after-learning": ["patterns", "units", "stored", "mean", "standard_error"],
    "after-tied": ["patterns", "kind", "cue", "difference", "low", "high"],
    "figS7": ["model", "n_flips", "cue", "kind", "age", "mean", "standard_error"],
    "theorem1": ["n_hidden", "s_v", "cue", "quantity", "simulated", "error", "exact", "asymptotic"],
    "theorem1-order": ["growth", "log10_n_hidden", "deviation", "scaled"],
    "theorem1-extreme": ["factor", "log10_N", "distance"],
    "theorem1-small-cues": ["n_hidden", "s_v", "ones", "loss", "low", "high", "permitted"],
    "theorem1-slots": ["age", "stored", "law"],
    "siA1": ["what", "at", "value"],
    "siA2": ["what", "at", "value", "low", "high"],
    "siA4": ["kind", "which", "unit", "active"],
    "siA4-pairs": ["code", "similarity_in", "similarity_out", "standard_error"],
    "siA4-memories": ["memory", "n_flips", "cue", "auc", "low", "high"],
}


def made_up(experiment, seed):
    """Made-up retention; what is not retention takes no time and is run."""
    if isinstance(experiment.run, Retention):
        size = {"runs": experiment.runs, "n_ages": experiment.run.n_tested}
        return faded(experiment, lambda name, cue: Fading(), **size, seed=seed)
    return experiment.label([arrays_of(experiment.run, experiment.seed(0, run)) for run in range(experiment.runs)])


SMALLER = [SCALES["quick"], *(Scale("few ages", 4, 2 * n_tested, n_tested) for n_tested in (60, 100))]


@pytest.mark.parametrize("quick", SMALLER, ids=["quick", "60 ages", "100 ages"])
@pytest.mark.parametrize("name", MEMORY)
def test_items_are_drawn_and_estimated(name, quick):
    item = import_module(f"slotfree.paper.memory.{name}").ITEM
    r = Results({e.name: made_up(e.at(quick), i) for i, e in enumerate(item.experiments)}, quick, 0)
    picture = item.draw(r)
    tables = {f"{name}{suffix}": list(rows[0]) for suffix, rows in picture.tables.items()}
    assert tables == {table: columns for table, columns in COLUMNS.items() if table.partition("-")[0] == name}
    claims = list(item.claims(r))
    assert len({claim.name for claim in claims}) == len(claims) > 0
    check_claims(name, claims)
