import pytest
import xarray as xr

from slotfree.forgetting.family import family, labels_of, matched, matched_n_hidden, settings_in
from slotfree.memory.kwinner import KWinnerSettings


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


@pytest.mark.parametrize("options", [{}, {"tied": True}, {"storing": "random"}])
def test_settings_are_read_back_from_a_table(options):
    members = [KWinnerSettings(), KWinnerSettings(100, 40, 10, 4, 0.3, 0.5, **options)]
    table = xr.Dataset(coords=labels_of(members))
    assert [settings_in(table, i) for i in range(2)] == members
    assert {"tied", "storing"} & set(table.coords) == set(options)
