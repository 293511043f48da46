"""What a diagnosis says: which items were overwritten, and the gradient that goes through storage."""

import numpy as np
import pytest
from plain import PlainSlotFree, examples, random_weights, squared_error, triple

import slotfree as sf
from slotfree.attention.diagnosis import diagnose
from slotfree.attention.prediction import fast_key
from slotfree.attention.training import initial_weights
from slotfree.attention.weights import Weights, to_slow
from slotfree.checks import generator
from slotfree.kernels.attention.diagnosis import diagnose as diagnose_batch

TASK = sf.CaseSequenceTask(3, 3)


def measured(model, weights, sequences, key):
    engine = model.engine(TASK, key)
    exact, lost = np.zeros((TASK.n_tokens, model.key_dim)), np.ones(sequences.context.shape, bool)
    block = sequences.batches(len(sequences))
    diagnose_batch(engine.state(to_slow(weights)), block, engine.setup, exact, lost)
    return exact.T, lost


@pytest.mark.parametrize("projections", [False, True])
def test_exact_gradient_and_lost_items(projections):
    """Central differences of the loss, with keys moving also where they are stored, and every item in its unit."""
    model = sf.SlotFreeTransformer("mhn", projections, key_dim=4, n_hidden=7)
    weights = random_weights(model, TASK, 1)
    sequences = TASK.batch(6, seed=2)
    twin = PlainSlotFree(model, TASK, 5)
    slow = triple(weights)
    every = examples(TASK, sequences)
    winners = [twin.store(slow, twin.start(n), e.X)[1] for n, e in enumerate(every)]

    def loss(W_K):
        total = 0.0
        for n, (e, units) in enumerate(zip(every, winners, strict=True)):
            W_HK, W_VH, W_IH = (part.copy() for part in twin.start(n))
            for x, m in zip(e.X.T, units, strict=True):
                W_HK[m], W_IH[:, m] = W_K @ x, x
            total += squared_error(twin.answer((slow[0], W_K, slow[2]), (W_HK, W_VH, W_IH), e.x_q)[2], e.y)
        return total

    exact, lost = measured(model, weights, sequences, 5)
    slopes = np.zeros_like(slow[1])
    for index in np.ndindex(slopes.shape):
        step = np.zeros_like(slopes)
        step[index] = 1e-5
        slopes[index] = (loss(slow[1] + step) - loss(slow[1] - step)) / 2e-5
    np.testing.assert_allclose(exact, slopes, atol=1e-6)
    expected = [[m in units[t + 1 :] for t, m in enumerate(units)] for units in winners]
    np.testing.assert_array_equal(lost, expected)
    assert lost.any()


def test_perfect_storage_loses_nothing():
    model = sf.SlotFreeTransformer("mhn", key_dim=4, n_hidden=7, storage="perfect")
    found = diagnose(model, random_weights(model, TASK, 0), TASK, size=64)
    assert found.lost == found.asked_lost == 0


def test_overlaps_and_norms_by_hand():
    model = sf.SlotFreeTransformer("mhn", key_dim=2, n_hidden=6)
    W_K = np.zeros((2, 9))
    W_K[0, :3], W_K[1, 3:6] = 2.0, 3.0  # all lowercase keys alike, all uppercase keys alike, the cases at right angles
    weights = Weights(np.ones((2, 9)), W_K, np.zeros((2, 9)))
    found = diagnose(model, weights, TASK, size=256)
    assert (found.key_norm, found.same_case_overlap, found.other_case_overlap) == (2.5, 6.5, 0.0)
    # Overlaps of 4 and 9 beat a projection of 1: in each case only the newest letter survives.
    tokens = TASK.batch(256, seed=generator(0, "diagnosis")).context // TASK.n_letters
    survivors = [len(set(cases)) for cases in tokens.tolist()]
    assert found.lost == pytest.approx(1 - np.mean(survivors) / 3)


def test_before_training_nothing_is_lost_and_fixed_keys_have_no_rule():
    task = sf.CaseSequenceTask()
    model = sf.SlotFreeTransformer("fixed", key_dim=400)
    found = diagnose(model, initial_weights(model, task, seed=0), task)
    assert found.lost == 0
    assert np.isnan(found.cosine)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="model must be a SlotFreeTransformer"):
        diagnose(sf.BaselineTransformer(), random_weights(sf.BaselineTransformer(), TASK, 0), TASK)
    one = sf.CaseSequenceTask(1, 1)
    model = sf.SlotFreeTransformer(key_dim=2)
    with pytest.raises(ValueError, match="at least 2 letters"):
        diagnose(model, random_weights(model, one, 0), one)


def test_keys_of_fast_weights_are_drawn():
    assert fast_key(np.random.default_rng(0)) != fast_key(np.random.default_rng(1))
