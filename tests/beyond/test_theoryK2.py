import numpy as np
import pytest
from madeup_memories import BASELINE, predicted, results, simulated, verdicts

from slotfree.beyond import theoryK2
from slotfree.beyond.theoryK2 import FRONT, K_WINNER, WIDE
from slotfree.study.results import Results

PAPER = (K_WINNER.settings, WIDE.settings)


def share(settings):
    return settings.learning_rate * settings.k_hidden / settings.n_hidden


def made_up(opposite=False, noise=0.0):
    """Memories as the claims say, or in everything the opposite."""

    def theory(settings, cue):
        half_life = 100 * (2 if settings in FRONT.values() else 1) if opposite else np.log(2) / share(settings)
        if settings in PAPER:
            accuracy, area = (1.0, 200) if opposite else (0.6, 50)
        else:
            accuracy, area = (0.9, 100) if opposite else (0.7, 100)
        return {
            "initial_accuracy": accuracy,
            "initial_raw_difference": accuracy - BASELINE,
            "half_life": half_life / (10 if settings.fan_in == 0.02 and opposite else 1),
            "area": area,
            "d_prime": 2.0,
        }

    def curve(settings, cue):
        if settings not in PAPER:
            return 0.3 if opposite else 0.6, np.log(2) / share(settings), 0.3
        if opposite:
            return 0.8, 60 if settings == PAPER[0] and cue == 1 else 400, 1.5
        return 0.3, 200 if settings == PAPER[0] and cue == 1 else 45, 0.05

    data = {part: predicted(part.run, theory) for part in theoryK2.FAMILY}
    return results({**data, theoryK2.SIMULATED: simulated(theoryK2.SIMULATED.run, 8, curve, noise=noise)})


def test_verdicts():
    found = verdicts(theoryK2.ITEM, made_up())
    assert set(found.values()) == {"confirmed"}
    assert set(verdicts(theoryK2.ITEM, made_up(opposite=True)).values()) == {"contradicted"}


def test_verdicts_on_noisy_runs():
    found = verdicts(theoryK2.ITEM, made_up(noise=1.0))
    noisy = {name: verdict for name, verdict in found.items() if name.startswith(("e-", "f-"))}
    assert len(noisy) == 6
    assert set(noisy.values()) == {"inconclusive"}


def test_memories_that_a_scale_leaves_out_are_not_judged():
    made = made_up()
    few = {part.name: made[part].isel(setting=slice(1)) for part in (*theoryK2.FAMILY, theoryK2.SIMULATED)}
    found = verdicts(theoryK2.ITEM, Results(few, made.scale, 0))
    assert {verdict for name, verdict in found.items() if name != "limit"} == {"inconclusive"}


@pytest.fixture(scope="module")
def table():
    return theoryK2.draw(made_up()).tables[""]


def test_the_table_has_simulations_where_there_are_some(table):
    e = next(row for row in table if row["name"] == "e")
    assert e["initial_accuracy_simulated"] == e["initial_accuracy"] == "0.7"
    assert next(row for row in table if not row["name"])["initial_accuracy_simulated"] == ""
