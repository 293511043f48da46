import numpy as np
import pytest
from madeup_memories import predicted, results, simulated, verdicts

from slotfree.beyond import theoryK3
from slotfree.beyond.theoryK3 import CA3, MEASURED, MORE_UNITS, SIZES, WAYS


def half_life(way, settings):
    return 100 * (settings.n_synapses / 1e5) ** way.exponent


def made_up(faster=0.0, simulation=1.0, noise=0.0):
    """Half-lives and memories grow as they should, or faster; simulated half-lives are as in theory, or longer."""

    def growth(way):
        def merits(settings, cue):
            faster_by = (settings.n_synapses / 1e5) ** faster
            memories = 100 * bool(faster) if way is MORE_UNITS else half_life(way, settings) * faster_by
            return {"half_life": half_life(way, settings) * faster_by, "memories": memories}

        return merits

    def curve(settings, cue):
        way = next(way for way in MEASURED if any(way.at(size) == settings for size in SIZES))
        return 0.5, half_life(way, settings) * simulation, 0.1

    data = {way.predicted: predicted(way.predicted.run, growth(way)) for way in WAYS}
    return results({**data, theoryK3.SIMULATED: simulated(theoryK3.SIMULATED.run, 6, curve, noise=noise)})


def test_verdicts():
    found = verdicts(theoryK3.ITEM, made_up())
    assert set(found.values()) == {"confirmed"}


def test_verdicts_on_growth_that_is_too_fast():
    found = verdicts(theoryK3.ITEM, made_up(faster=0.3))
    assert set(found.values()) == {"contradicted"}


@pytest.mark.parametrize(
    ("made", "expected"), [({"simulation": 1.6}, "contradicted"), ({"noise": 0.6}, "inconclusive")]
)
def test_verdicts_on_simulations(made, expected):
    assert verdicts(theoryK3.ITEM, made_up(**made))["simulated"] == expected


def test_the_table_has_a_row_for_each_way_size_and_cue():
    table = theoryK3.draw(made_up()).tables[""]
    assert len(table) == len(WAYS) * len(SIZES) * 2
    simulations = [row for row in table if row["half_life_simulated"]]
    assert {row["weights"] for row in simulations} <= {n for n in (row["weights"] for row in table) if n < 5e5}
    np.testing.assert_allclose(
        [float(row["half_life_simulated"]) for row in simulations],
        [float(row["half_life"]) for row in simulations],
        rtol=0.03,
    )


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_growth_has_the_weights_it_says(way):
    for weights in (1e4, 1e6, CA3):
        assert abs(way.at(weights).n_synapses / weights - 1) < 0.05
