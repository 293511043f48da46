"""The diagrams of the paper: what they show is what the models do."""

import matplotlib as mpl
import numpy as np
import pytest
from legibility import letters_as_read, touching_words, words_on_curves
from paper.numeric import ROUNDING

from slotfree.attention.gradients import batch_gradients, gradients
from slotfree.attention.weights import to_slow
from slotfree.drawing.style import STYLE
from slotfree.paper import STUDY
from slotfree.paper.figures import fig5, fig6
from slotfree.paper.shared import transformers
from slotfree.paper.shared.diagrams import trained
from slotfree.paper.shared.query_step import FIXED, MHN, QUERY_KEY, TASK, query_step, sequence
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

NAMES = ("fig1", "fig2", "fig3", "fig5", "fig6", "figS8")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 3])
def test_diagrams_are_legible_with_any_seed(name, seed):
    item, r = STUDY.item(name), Results({}, SCALES["quick"], seed)
    with mpl.rc_context(STYLE):
        picture = item.draw(r)
        assert touching_words(picture.figure) == []
        assert words_on_curves(picture.figure) == []
    assert letters_as_read(picture.figure) == ("" if name == "fig3" else "AB")
    assert list(picture.tables[""][0]) == ["panel", "what", "place", "value"]


def test_small_models_learn_the_task():
    weights = trained(fig5.HEAD, fig5.TASK, fig5.STEPS, 0)
    every = fig5.TASK.all_sequences()
    outputs = [
        fig5.HEAD.inspect(weights, fig5.TASK, c, int(q)).output for c, q in zip(every.context, every.query, strict=True)
    ]
    assert (np.argmax(outputs, axis=1) == every.target).all()


def test_models_are_trained_as_printed():
    """L = C = 4; 5,000 steps of batches of 64, at least ten runs of each model."""
    assert (transformers.TASK.n_letters, transformers.TASK.context_length) == (4, 4)
    for transformer in transformers.ALL:
        experiment = transformers.training(transformer)
        run = experiment.run
        assert (run.task, run.iterations, run.batch_size, run.reduction) == (transformers.TASK, 5000, 64, "sum")
        assert experiment.runs >= transformers.SHOWN == 10


def test_attention_as_drawn_is_that_of_the_model():
    """Dot products, exponentials, normalised, and the linear combination of values: in all sequences."""
    weights, every = trained(fig5.HEAD, fig5.TASK, fig5.STEPS, 0), fig5.TASK.all_sequences()
    for context, query in zip(every.context, every.query, strict=True):
        trace = fig5.HEAD.inspect(weights, fig5.TASK, context, int(query))
        np.testing.assert_allclose(weights.W_K[:, context].T @ weights.W_Q[:, query], trace.keys @ trace.query)
        raised = np.exp(trace.keys @ trace.query / np.sqrt(fig5.HEAD.key_dim))
        np.testing.assert_allclose(raised / raised.sum(), trace.attention, atol=ROUNDING)
        np.testing.assert_allclose(weights.W_V[:, context] @ trace.attention, trace.output, atol=ROUNDING)


def test_slow_weights_stay_while_items_are_stored_and_fast_ones_at_the_query():
    """Bit for bit, in all sequences: also while gradients are computed."""
    weights, every = query_step(FIXED, 0).weights, TASK.all_sequences()
    slow, before = to_slow(weights), to_slow(weights)
    for context, query in zip(every.context, every.query, strict=True):
        one = TASK.sequence(context, int(query))
        engine, learning = FIXED.engine(TASK, 0), FIXED.engine(TASK, 0)
        engine.start(0)
        for step, token in enumerate(context):
            engine.present(slow, np.array([token]), step)
        stored = engine.copy()
        engine.answer(slow, int(query))
        batch_gradients(learning, weights, one)
        for parts in ((slow, before), (engine.copy(), stored), (learning.copy(), stored)):
            for now, then in zip(*parts, strict=True):
                np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize("model", [FIXED, MHN, QUERY_KEY], ids=lambda model: str(model.key_rule))
def test_gradients_as_drawn_are_those_that_train_the_model(model):
    step = query_step(model, 0)
    used, _, _ = gradients(model, step.weights, TASK, sequence(), seed=0)
    np.testing.assert_allclose(np.outer(step.query_delta, step.asked), used.W_Q, atol=ROUNDING)
    np.testing.assert_allclose(np.outer(step.value_delta, step.trace.reinstated), used.W_V, atol=ROUNDING)
    delta = {MHN: step.mhn_delta, QUERY_KEY: step.alignment_delta}.get(model, np.zeros(model.key_dim))
    np.testing.assert_allclose(np.outer(delta, step.trace.reinstated), used.W_K, atol=ROUNDING)


def test_the_winner_holds_the_item():
    trace = query_step(FIXED, 0).trace
    winner = trace.winners[fig6.STEP]
    item = TASK.one_hot(sequence().context[0, fig6.STEP])
    np.testing.assert_array_equal(trace.W_IH[fig6.STEP + 1][:, winner], item)
    others = np.delete(np.arange(FIXED.units), winner)
    np.testing.assert_array_equal(trace.W_HK[fig6.STEP + 1][others], trace.W_HK[fig6.STEP][others])


def test_untrained_models_with_projections_overwrite_nothing():
    r = Results({}, SCALES["quick"], 0)
    assert fig6.untrained_overwritten(False)(r).min() > 0
    assert fig6.untrained_overwritten(True)(r).max() == 0
