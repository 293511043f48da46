"""At the quick scale items are drawn and estimated, and nothing is said that there are too few data for."""

from importlib import import_module

import pytest
from study.madeup import Fading, faded

from slotfree.files.json_text import finite
from slotfree.paper import STUDY
from slotfree.study.claim import Limits
from slotfree.study.experiment import arrays_of
from slotfree.study.record import rows_in
from slotfree.study.results import Results
from slotfree.study.retention import Retention
from slotfree.study.scale import SCALES, Scale
from slotfree.study.sentence import judges_of

JUDGES = judges_of(STUDY.sentences(), STUDY.names)
RECORDED = {row["id"]: row for row in rows_in("slotfree.paper")}

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
    "after": ["measure", "model", "age", "mean", "standard_error"],
    "after-tied": ["patterns", "kind", "cue", "difference", "low", "high"],
    "figS7": ["model", "n_flips", "cue", "kind", "age", "mean", "standard_error"],
    "theorem1": ["n_hidden", "s_v", "cue", "quantity", "simulated", "error", "exact", "asymptotic"],
    "theorem1-order": ["growth", "log10_n_hidden", "deviation", "scaled"],
    "theorem1-extreme": ["factor", "log10_N", "distance"],
    "theorem1-small-cues": ["n_hidden", "s_v", "ones", "loss", "low", "high", "permitted"],
    "theorem1-slots": ["age", "stored", "law"],
    "siA1": ["what", "at", "value"],
    "siA1-recall": ["beta", "steps", "stored", "share_not_recalled", "standard_error"],
    "siA2": ["what", "at", "value", "low", "high"],
    "siA4-pairs": ["code", "similarity_in", "similarity_out", "standard_error"],
    "siA4": ["memory", "n_flips", "cue", "auc", "low", "high"],
}


def made_up(experiment, seed):
    """Made-up retention; what is not retention takes no time and is run."""
    if isinstance(experiment.run, Retention):
        size = {"runs": experiment.runs, "n_ages": experiment.run.n_tested}
        return faded(experiment, lambda name, cue: Fading(), **size, seed=seed)
    return experiment.label([arrays_of(experiment.run, experiment.seed(0, run)) for run in range(experiment.runs)])


def judged(item, r):
    """All claims of an item, by id."""
    own = [(judge, quote) for judge, quote in JUDGES.values() if judge.item == item.name]
    return {judge.name: judge.claim(r, quote) for judge, quote in (*own, *((judge, "") for judge in item.claims))}


def check_against_record(claims):
    """Assert that printed numbers are the recorded ones, and limits, unless they follow from the data of a run."""
    for name, claim in claims.items():
        row = RECORDED[name]
        assert claim.paper == row["paper"], name
        ends = list(finite((claim.limits.low, claim.limits.high))) if isinstance(claim.limits, Limits) else []
        if all(end is None or round(end, 3) == end for end in ends) and ends:
            assert ends == row["limits"], name


SMALLER = [SCALES["quick"], *(Scale("few ages", 4, 2 * n_tested, n_tested) for n_tested in (60, 100))]


@pytest.mark.parametrize("quick", SMALLER, ids=["quick", "60 ages", "100 ages"])
@pytest.mark.parametrize("name", sorted({table.partition("-")[0] for table in COLUMNS}))
def test_items_are_drawn_and_estimated(name, quick):
    item = import_module(f"slotfree.paper.figures.{name}").ITEM
    r = Results({e.name: made_up(e.at(quick), i) for i, e in enumerate(item.experiments)}, quick, 0)
    picture = item.draw(r)
    tables = {f"{name}{suffix}": list(rows[0]) for suffix, rows in picture.tables.items()}
    assert tables == {table: columns for table, columns in COLUMNS.items() if table.partition("-")[0] == name}
    check_against_record(judged(item, r))
