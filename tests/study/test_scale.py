import pytest

from slotfree.study.scale import SCALES, Scale


def test_the_paper_s_scale_limits_nothing():
    paper, quick = SCALES["paper"], SCALES["quick"]
    assert paper.is_full
    assert not quick.is_full
    for quantity in ("runs", "n_stored", "n_tested", "iterations"):
        assert paper.limit(quantity, 10**9) == 10**9
        assert quick.limit(quantity, 10**9) == getattr(quick, quantity)
        assert quick.limit(quantity, 1) == 1, "a limit makes nothing larger"


@pytest.mark.parametrize("limited", ["runs", "n_stored", "n_tested", "iterations"])
def test_one_limit_is_enough_not_to_be_full(limited):
    assert not Scale("some", **{limited: 5}).is_full
