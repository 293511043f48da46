import numpy as np
import pytest
from madeup_memories import BASELINE, decay, results, simulated, verdicts

from slotfree.beyond import theoryK1
from slotfree.beyond.shared.memories import BinnedRetention
from slotfree.forgetting.merit import bin_means

C, HALF_LIFE = 0.5, 80


@pytest.fixture
def theory(monkeypatch):
    """A theory by which all memories forget alike."""

    def curve(settings, cues, last):
        return np.array([bin_means(decay(C, HALF_LIFE, last), last)] * len(cues)), np.full(len(cues), BASELINE)

    monkeypatch.setattr(theoryK1, "_predicted", curve)


def made_up(strength, life, noise=0.0):
    def curve(settings, cue):
        return C * strength, HALF_LIFE * life, 0.1

    return results(
        {
            experiment: simulated(BinnedRetention(members, 500), 6, curve, noise=noise)
            for experiment, members in (
                (theoryK1.ON_GRID, theoryK1.GRID[-3:]),
                (theoryK1.ON_HELD_OUT, theoryK1.HELD_OUT[:2]),
            )
        }
    )


@pytest.mark.parametrize(
    ("made", "expected"),
    [((1.02, 0.98), "confirmed"), ((1.5, 1.5), "contradicted"), ((1.0, 1.0, 0.5), "inconclusive")],
    ids=["right theory", "wrong theory", "noisy simulation"],
)
def test_verdicts_on_errors(theory, made, expected):
    assert set(verdicts(theoryK1.ITEM, made_up(*made)).values()) == {expected}


def test_the_grid_is_as_large_and_as_wide_as_it_should_be():
    assert len(set(theoryK1.GRID)) == len(theoryK1.GRID) == 78
    assert {one.n_synapses for one in theoryK1.GRID} == {theoryK1.WEIGHTS}
    for name, low, high in (("learning_rate", 0.1, 1), ("fan_in", 0.02, 1), ("k_hidden", 1, 200)):
        values = [getattr(one, name) for one in theoryK1.GRID]
        assert (min(values), max(values)) == (low, high)
    assert not set(theoryK1.HELD_OUT) & set(theoryK1.GRID)
