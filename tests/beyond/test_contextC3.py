import numpy as np
import pytest

import slotfree as sf
from slotfree.beyond.contextC3 import (
    BEFORE,
    Streams,
    Use,
    accuracy,
    by_octave,
    case_before,
)
from slotfree.beyond.shared.train_side_by_side import Condition
from slotfree.study.scale import SCALES
from slotfree.tasks.latest_case import LatestCase
from slotfree.tasks.sequences import Sequences

SEED = np.random.SeedSequence(0)


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
