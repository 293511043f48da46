import pytest

from slotfree.forgetting.family import family, matched, matched_n_hidden


@pytest.mark.parametrize("weights", [300, 5000, 100_000])
def test_members_have_the_weights(weights):
    members = family(weights, n_visible=1000, k_visible=100)
    assert len(members) > 10
    for one in members:
        assert abs(one.n_synapses - weights) <= one.n_connections / 2
        assert one.k_hidden <= one.n_hidden / 2


def test_the_papers_memories_are_matched():
    for f, n_hidden in ((0.05, 2000), (0.1, 1000), (1.0, 100)):
        assert matched(100_000, f, 1, 0.3).n_hidden == n_hidden


def test_halves_are_rounded_upwards():
    assert matched_n_hidden(250, n_visible=1000, fan_in=0.1) == 3
    assert matched(250, 0.1, 1, 0.3).n_hidden == 3
    assert matched_n_hidden(1, n_visible=1000, fan_in=0.1) == 1
