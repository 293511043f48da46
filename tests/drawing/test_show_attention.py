import matplotlib as mpl
import numpy as np
import pytest
from legibility import touching_words

import slotfree as sf
from slotfree import drawing
from slotfree.attention.training import initial_weights

TASK = sf.CaseSequenceTask(n_letters=4, context_length=4)
MODELS = {
    "one winner": sf.SlotFreeTransformer("query-key", input_projections=True, n_hidden=16),
    "small": sf.SlotFreeTransformer("fixed", input_projections=False, n_hidden=3),
    "winners": sf.SlotFreeTransformer("query-key", input_projections=False, n_hidden=50, storage=sf.Winners(k=3)),
    "crowded": sf.SlotFreeTransformer("query-key", input_projections=False, n_hidden=5, storage=sf.Winners(k=2)),
    "slow": sf.SlotFreeTransformer("query-key", input_projections=False, n_hidden=5, storage=sf.Winners(k=2, rate=0.1)),
}


def weights_of(model, task=TASK, seed=0):
    return initial_weights(model, task, seed=seed)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_inside_a_slot_free_model_is_drawn(name):
    model = MODELS[name]
    weights = weights_of(model)
    picture = drawing.show_attention(model, weights, TASK, context="bADc", query="d", seed=1)
    inside = model.inspect(weights, TASK, "bADc", "d", seed=1)
    winners = inside.winners.reshape(4, -1)
    rows = picture.tables["-stored"]
    assert [row["unit"] for row in rows] == winners.ravel().tolist()
    assert [row["item"] for row in rows] == list(np.repeat([*"bADc"], winners.shape[1]))
    for row in rows:
        later = winners[row["position"] :].ravel().tolist()
        assert row["later"] == later.count(row["unit"])
        assert row["held"] == (name == "slow" or not row["later"])
    attention = {row["unit"]: row["attention"] for row in picture.tables["-attention"]}
    others = attention.pop("others", 0.0)
    for unit, value in attention.items():
        assert value == pytest.approx(inside.attention[int(unit)], abs=1e-6)
    assert sum(attention.values()) + others == pytest.approx(1, abs=1e-4)
    assert set(map(str, winners.ravel().tolist())) <= set(attention)
    np.testing.assert_allclose([row["value"] for row in picture.tables["-reinstated"]], inside.reinstated, atol=1e-6)
    np.testing.assert_allclose([row["value"] for row in picture.tables["-output"]], inside.stored_output, atol=1e-6)
    answer = TASK.output_names[inside.stored_output.argmax()]
    assert f"the answer is {answer}" in picture.alt
    assert (
        picture.axes[1, 1].get_title().startswith(f"output: {answer} ({'right' if answer == 'uppercase' else 'wrong'})")
    )


def test_items_that_were_overwritten_are_told():
    model = sf.SlotFreeTransformer("fixed", input_projections=False, n_hidden=1)
    picture = drawing.show_attention(model, weights_of(model), TASK, context="bADc", query="d")
    assert [row["held"] for row in picture.tables["-stored"]] == [False, False, False, True]
    assert "3 were overwritten" in picture.alt
    assert "crossed out" in picture.axes[0, 0].get_title()
    kept = drawing.show_attention(MODELS["one winner"], weights_of(MODELS["one winner"]), TASK, "bADc", "d")
    assert "none was overwritten" in kept.alt
    assert "crossed out" not in kept.axes[0, 0].get_title()


@pytest.mark.parametrize("k", [1, 2])
def test_items_that_share_units_at_a_low_rate_are_weakened_and_not_overwritten(k):
    """W += ε (x − W) with ε = 0.1 leaves nine tenths of what was there."""
    storage = sf.Winners(k=k, rate=0.1)
    model = sf.SlotFreeTransformer("query-key", input_projections=False, n_hidden=k, storage=storage)
    picture = drawing.show_attention(model, weights_of(model), TASK, context="bADc", query="d")
    rows = picture.tables["-stored"]
    assert all(row["held"] for row in rows)
    assert [row["later"] for row in rows] == list(np.repeat([3, 2, 1, 0], k))
    axis = picture.axes[0, 0]
    assert "weakened by later items" in axis.get_title()
    assert len(axis.lines) == 0, "nothing is crossed out"
    assert len(axis.patches) == 4 * k + 3 * k, "a square for each, and half of one where later items followed"
    assert "overwritten" not in picture.alt
    assert "3 share units with later ones" in picture.alt
    assert "which stored b and A and D and c." in picture.alt
    assert "b, A, D, c" in [text.get_text() for text in picture.axes[1, 0].texts]
    own = sf.Winners(k=k, rate=0.1, address="own")
    apart = sf.SlotFreeTransformer("query-key", input_projections=True, n_hidden=500, storage=own)
    kept = drawing.show_attention(apart, weights_of(apart), TASK, "bADc", "d")
    assert "none shares a unit with a later one" in kept.alt
    assert "half full" not in kept.axes[0, 0].get_title()


def test_a_baseline_attends_to_slots():
    model = sf.BaselineTransformer()
    weights = weights_of(model)
    picture = drawing.show_attention(model, weights, TASK, context="bADc", query="d")
    inside = model.inspect(weights, TASK, "bADc", "d")
    np.testing.assert_allclose([row["attention"] for row in picture.tables["-attention"]], inside.attention, atol=1e-6)
    assert [row["item"] for row in picture.tables["-attention"]] == [*"bADc"]
    np.testing.assert_allclose([row["value"] for row in picture.tables["-output"]], inside.output, atol=1e-6)
    assert f"goes to {'bADc'[inside.attention.argmax()]}" in picture.alt


def many_pairs():
    task = sf.AssociativeRecall(n_keys=30, n_values=30, n_pairs=16)
    drawn = task.batch(1, seed=0)
    names = task.token_names
    return task, [tuple(names[token] for token in item) for item in drawn.context[0]], names[drawn.query[0, 0]]


@pytest.mark.parametrize(
    "model",
    [
        sf.SlotFreeTransformer("query-key", input_projections=False, n_hidden=160, storage=sf.Winners(k=3)),
        sf.BaselineTransformer(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_large_tasks_are_drawn_too(model):
    task, context, query = many_pairs()
    picture = drawing.show_attention(model, weights_of(model, task), task, context, query)
    assert len(picture.tables["-reinstated"]) == task.n_tokens
    with mpl.rc_context():
        assert touching_words(picture.figure) == []


@pytest.mark.parametrize("name", MODELS)
def test_words_do_not_touch(name):
    picture = drawing.show_attention(MODELS[name], weights_of(MODELS[name]), TASK, "bADc", "a")
    with mpl.rc_context():
        assert touching_words(picture.figure) == []


def test_a_task_without_names_is_drawn_by_numbers():
    class Numbers:
        n_tokens, n_outputs, context_length, n_item_tokens = 6, 2, 2, 4

        def batch(self, size, *, seed):
            raise NotImplementedError

    model = sf.SlotFreeTransformer("fixed", input_projections=False)
    picture = drawing.show_attention(model, weights_of(model, Numbers()), Numbers(), context=[0, 3], query=4)
    assert [row["item"] for row in picture.tables["-stored"]] == ["0", "3"]
    assert picture.axes[1, 1].get_title() in ("output: 0", "output: 1"), "nobody knows what is right"


def test_what_cannot_be_drawn_is_refused():
    model = MODELS["one winner"]
    with pytest.raises(TypeError, match="model must be a SlotFreeTransformer or a BaselineTransformer, not 1"):
        drawing.show_attention(1, weights_of(model), TASK, "bADc", "d")
    with pytest.raises(TypeError, match=r"weights must be those of one model, such as result.weights\[0\], not 'W'"):
        drawing.show_attention(model, "W", TASK, "bADc", "d")
    with pytest.raises(ValueError, match="context"):
        drawing.show_attention(model, weights_of(model), TASK, "bA", "d")
    several = sf.train(model, TASK, runs=2, iterations=1, seed=0).weights
    with pytest.raises(ValueError, match="one model"):
        drawing.show_attention(model, several, TASK, "bADc", "d")
