import numpy as np
import pytest
from of_items import letters
from study.madeup import PAPER, around, check_table

import slotfree as sf
from slotfree.beyond import contextC3
from slotfree.beyond.contextC3 import (
    BARE_IN_STREAM,
    BEFORE,
    CROWDED,
    GAINS,
    PARTS,
    STREAMS,
    TOKEN,
    Streams,
    Use,
    accuracy,
    by_octave,
    case_before,
    in_stream,
    used_name,
)
from slotfree.beyond.shared.train_side_by_side import Condition
from slotfree.study.results import Results
from slotfree.study.scale import SCALES
from slotfree.tasks.latest_case import LatestCase
from slotfree.tasks.sequences import Sequences

SEED = np.random.SeedSequence(0)


def counts(experiment, accuracies, width, fades=0.0, drift=0.0, overlap=3.0):
    """Made-up results: an accuracy for each use (a number, or one each for same and changed), that falls with lag."""
    run = experiment.run
    asked = np.zeros((experiment.runs, len(run.uses), len(BEFORE), run.longest + 1))
    asked[:, :, 1:, :200] = 1000.0
    means = np.array([[0.5, *np.broadcast_to(accuracies(use.name), 2)] for use in run.uses])
    values = around(means, width, runs=experiment.runs)[..., None] - fades * np.log2(np.arange(run.longest + 1) + 1)
    fifths = np.full((len(run.uses), PARTS), 0.9) + drift * np.arange(PARTS)
    early = around(fifths, width, runs=experiment.runs, seed=2)
    own = around(np.full(len(run.uses), overlap), 2 * width, runs=experiment.runs, seed=3)
    arrays = {"right": values * asked, "asked": asked, "early": early, "own": own, "other": own * 0}
    return run.label([{name: array[i] for name, array in arrays.items()} for i in range(experiment.runs)])


def made_up(streams, crowded, width, fades, **changes):
    of_crowds = counts(CROWDED, crowded, width, fades)
    return Results({STREAMS.name: counts(STREAMS, streams, width, **changes), CROWDED.name: of_crowds}, PAPER, 0)


def hoped(name):
    """Changed letters are lost where projections by token are strong, and in models trained in the stream."""
    if name in (in_stream(TOKEN, 3.0).name, BARE_IN_STREAM.name):
        return 0.7
    if name in [used_name(TOKEN, g) for g in GAINS if g > 3]:
        return 0.7, 0.55
    return 0.999


def feared(name):
    """The other way about; changed letters are lost with weak projections too."""
    if name in (in_stream(TOKEN, 3.0).name, BARE_IN_STREAM.name):
        return 0.95
    if name == used_name(TOKEN, GAINS[0]):
        return 0.95
    return (0.8, 0.85) if name.startswith("windows, by token") else 0.9


def unsure(name):
    """Everything at its limit."""
    if name in (in_stream(TOKEN, 3.0).name, BARE_IN_STREAM.name):
        return 0.85
    return 0.75 if name == used_name(TOKEN, GAINS[-1]) else 0.99


BETTER = {"one winner": 1.05, "k = 3": 0.999, "k = 10": 0.9, "one winner, ε = 0.3": 0.9}


def test_claims():
    scenarios = (
        made_up(hoped, lambda name: BETTER.get(name, 0.8), 0.0002, 0.001),
        made_up(feared, lambda name: 1.3 - BETTER.get(name, 0.8), 0.0002, -0.001, drift=0.01, overlap=-3.0),
        made_up(unsure, lambda name: 0.99, 0.1, 0.0, drift=0.0025, overlap=0.0),
    )
    found = [letters(contextC3.ITEM, r) for r in scenarios]
    table = dict.fromkeys(found[0], "cxi") | {"crowded-old": "cx."}
    check_table(found, table, only={"crowded-old": "cx"})


def test_the_case_in_which_a_letter_came_before():
    stream = LatestCase(2, 2)  # tokens a b A B, queries 4 and 5
    sequences = Sequences([[0, 1], [0, 3], [2, 2], [0, 1]], [4, 5, 4, 4], [0, 1, 1, 0])
    assert [BEFORE[place] for place in case_before(stream, sequences)] == ["first", "changed", "same", "changed"]


def test_a_small_stream():
    """Counts add up; one training, used with two gains."""
    windows, stream = sf.CaseSequenceTask(4, 4), LatestCase(4, 4)
    storage = sf.Winners(k=3, fan_in=0.2)
    trained = Condition("windows", sf.SlotFreeTransformer(n_hidden=40, storage=storage), windows)
    weak, strong = (
        sf.SlotFreeTransformer(n_hidden=40, storage=sf.Winners(k=3, fan_in=0.2, projection_gain=g))
        for g in (1.0, 100.0)
    )
    run = Streams((Use("weak", trained, stream, weak), Use("strong", trained, stream, strong)), 1000, 500, 31)
    data = run.label([run(SEED)])
    assert (data["asked"].sum(("before", "lag")) == 500).all()
    assert (data["right"] <= data["asked"]).all()
    updated, kept_apart = accuracy(data, "changed").values[0]
    assert updated > 0.9
    assert kept_apart < 0.8
    assert data["early"].sel(use="weak").mean() == pytest.approx(float(accuracy(data).sel(use="weak")[0]))
    curve = by_octave(data)
    assert curve.dims == ("run", "use", "lag")
    assert curve["lag"].values[0] == 0
    assert run.at(SCALES["quick"]).iterations == 1000


def test_a_training_that_diverges_leaves_gaps():
    wild = Condition(
        "wild", sf.SlotFreeTransformer(n_hidden=16), sf.CaseSequenceTask(8, 4), learning_rates={"W_V": 5.0}
    )
    found = Streams((Use("wild", wild, LatestCase(8, 4)),), 50, 20)(SEED)
    assert not found["asked"].any()
    assert np.isnan(found["early"]).all()
