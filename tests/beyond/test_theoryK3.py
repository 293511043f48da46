import pytest

from slotfree.beyond.theoryK3 import CA3, WAYS


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_growth_has_the_weights_it_says(way):
    for weights in (1e4, 1e6, CA3):
        assert abs(way.at(weights).n_synapses / weights - 1) < 0.05
