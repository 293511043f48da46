"""The quick scale is quick: all of the paper in a minute on two cores, of which drawing takes the larger part.

On one core, storing and testing a pattern takes less than 0.09 ms, and a step of training about 0.2 ms.
"""

from slotfree.paper import STUDY
from slotfree.study.plan import distinct
from slotfree.study.scale import SCALES


def amounts(quantity):
    """How much of something all runs of the paper have, at the quick scale."""
    quick = SCALES["quick"]
    experiments = distinct((e.at(quick) for item in STUDY.chosen() for e in item.experiments), seed=0)
    return {e.name: e.runs * getattr(e.run, quantity, 0) for e in experiments}


def test_patterns_stored_take_12_s_of_one_core():
    assert 0 < sum(amounts("n_stored").values()) <= 130_000


def test_steps_of_training_take_13_s_of_one_core():
    assert 0 < sum(amounts("iterations").values()) <= 65_000


def test_no_experiment_takes_much_of_it():
    assert max(amounts("n_stored").values()) <= 5_000
    assert max(amounts("iterations").values()) <= 5_000
