"""Words of users are drawn as they are: a dollar sign begins no formula."""

import io

import numpy as np
import pytest
import xarray as xr
from matplotlib.cbook import is_math_text
from matplotlib.text import Text
from sweep.test_sweep_plots import rows_for, trained

import slotfree as sf
from slotfree import drawing
from slotfree.attention.training import initial_weights
from slotfree.drawing import attention
from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.training import matrix
from slotfree.sweep.plots import draw_memories, draw_transformers

DOLLARS = "$x_{$"  # as a formula, it cannot be read
TASK = sf.CaseSequenceTask(n_letters=3, context_length=3)
SIZE = {"n_visible": 20, "k_visible": 3, "n_hidden": 10, "k_hidden": 2, "fan_in": 0.5}


def curves():
    data = sf.retention(SIZE, runs=2, n_stored=6, n_tested=4, kinds=("real", "pseudo"), seed=0)
    return drawing.show_retention({DOLLARS: data.assign_coords(kind=["real", f"kind {DOLLARS}"])})


def training():
    return drawing.show_training(
        {DOLLARS: sf.train(sf.SlotFreeTransformer(n_hidden=8), TASK, runs=1, iterations=3, seed=0)}
    )


def inside(model):
    return drawing.show_attention(model, initial_weights(model, TASK, seed=0), TASK, context="aBc", query="a")


def weights():
    picture = Picture()
    matrix(picture, picture.axes[0, 0], np.eye(2), [DOLLARS, "b"], ["a", f"b {DOLLARS}"], row={})
    return picture


def memories():
    chosen = [{"memory": DOLLARS}, {"memory": "other"}]
    return draw_memories(chosen, rows_for(chosen, (1.0,), [40, 20]), xr.Dataset(coords={"cue": [1.0]}))


def transformers():
    chosen = [{"rule": rule, "storage": DOLLARS} for rule in (f"rule {DOLLARS}", "other")]
    return draw_transformers(chosen, [], trained([[0.5], [0.6]]))


@pytest.mark.parametrize(
    ("draw", "where"),
    [
        (curves, 2),
        (training, 1),
        (lambda: inside(sf.SlotFreeTransformer(n_hidden=8)), 12),
        (lambda: inside(sf.BaselineTransformer()), 12),
        (weights, 2),
        (memories, 1),
        (transformers, 2),
    ],
    ids=["retention", "training", "units", "slots", "matrix", "sweep of memories", "sweep of transformers"],
)
def test_dollar_signs_are_drawn(draw, where, monkeypatch):
    for names in ("token_names", "output_names"):
        original = getattr(attention, names)
        monkeypatch.setattr(attention, names, lambda task, of=original: [f"{name} {DOLLARS}" for name in of(task)])
    figure = draw().figure
    figure.savefig(io.BytesIO())
    told = {text.get_text() for text in figure.findobj(Text) if "$" in text.get_text()}
    assert sum(DOLLARS in text.replace(r"\$", "$") for text in told) >= where, told
    assert not any(is_math_text(text) for text in told)


def test_words_without_dollars_stay_and_backslashes_are_kept():
    assert literal("K-winner_2^x") == "K-winner_2^x"
    assert literal(r"a\$b").replace(r"\$", "$") == r"a\$b"
