import pytest
from small_studies import FULL, HIGH, ZERO

from slotfree.study.experiment import stacked
from slotfree.study.results import Results


def test_results_are_found_by_their_experiment():
    data = stacked([ZERO.run(ZERO.seed(0, 0))])
    r = Results({ZERO.name: data}, FULL, 0)
    assert r[ZERO] is data
    with pytest.raises(KeyError, match=r"the item must name the experiment 'noise\+9' among its experiments"):
        r[HIGH]
