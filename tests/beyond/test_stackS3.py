from of_items import letters
from study.madeup import Fading, check_table, results

from slotfree.beyond import stackS3

# R.D. of made-up memories that do not fade, by experiment and cue level.
LEVELS = {
    ("onewinner-tree-5", 1.0): 0.10,
    ("kwinner-tree-5", 1.0): 0.02,
    ("stacked-tree-5", 1.0): 0.05,
    ("stackedfew-tree-5", 1.0): 0.15,
    ("onewinner-tree-10", 1.0): 0.03,
    ("kwinner-tree-10", 1.0): 0.02,
    ("stacked-tree-10", 1.0): 0.06,
    ("few-tree-10", 1.0): 0.10,
    ("kwinner-tree-10", 0.5): 0.08,
    ("stacked-tree-10", 0.5): 0.03,
}


def as_found(name, cue):
    """Memories of which all is true."""
    return Fading(LEVELS.get((name, cue), 0.05), 0, 0.7 if name.startswith("kwinner") else 0.4, 0.05)


def the_other_way_round(name, cue):
    """The leads of all are the other way round, and so is the price."""
    return Fading(0.2 - as_found(name, cue).C, 0, 1 - as_found(name, cue).base, 0.05)


def alike(name, cue):
    return Fading(0.05, 0, 0.5, 0.05)


def test_claims():
    made = [results(stackS3.ITEM, how, n_ages=500) for how in (as_found, the_other_way_round, alike)]
    check_table([letters(stackS3.ITEM, r) for r in made], {"*-5": "cxi", "*-10": "cxi"})


def test_leads_are_over_the_ages_that_the_sentence_names():
    """The 1-winner MHN leads at first, and is behind for the oldest memories."""

    def late(name, cue):
        return Fading(1.0, 0.02, 0.5, 0.05) if name.startswith("onewinner") else Fading(0.05, 0, 0.5, 0.05)

    found = letters(stackS3.ITEM, results(stackS3.ITEM, late, n_ages=500))
    assert (found["oldest-5"], found["lost-5"]) == ("c", "c")
