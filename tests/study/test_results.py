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


def test_what_is_drawn_and_judged_is_computed_once():
    asked = []

    def measure(results, factor):
        asked.append(factor)
        return factor * results.seed

    r, other = Results({}, FULL, 3), Results({}, FULL, 4)
    assert [r.once(measure, 2), r.once(measure, 2), r.once(measure, 5), other.once(measure, 2)] == [6, 6, 15, 8]
    assert asked == [2, 5, 2]
    assert r == Results({}, FULL, 3), "what was computed is no part of the results"
