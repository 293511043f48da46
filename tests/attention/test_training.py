"""Training: the same bits everywhere, weights that learn and weights that do not, and what is learned."""

from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from plain import random_weights, triple
from scipy import stats

import slotfree as sf
from slotfree.attention import training
from slotfree.attention.rates import rates_for
from slotfree.attention.training import initial_weights
from slotfree.attention.weights import Weights

TASK = sf.CaseSequenceTask(4, 3)
SLOT_FREE = sf.SlotFreeTransformer(key_dim=6, n_hidden=9)
FIXED = sf.SlotFreeTransformer("fixed", key_dim=6)
BASELINE = sf.BaselineTransformer(6)
SMALL = {"runs": 3, "iterations": 30, "batch_size": 8, "seed": 0}
BOTH = pytest.mark.parametrize("model", [SLOT_FREE, BASELINE], ids=["slot-free", "baseline"])


class AtOnce(Executor):
    """Runs the last unit first, where it is."""

    def __init__(self):
        self.waiting = []

    def submit(self, work):
        self.waiting.append((Future(), work))
        if len(self.waiting) == SMALL["runs"]:
            for future, unit in reversed(self.waiting):
                future.set_result(unit())
        return self.waiting[-1][0]


def assert_same(a, b, runs=slice(None)):
    np.testing.assert_array_equal(a.accuracy[runs], b.accuracy[runs])
    np.testing.assert_array_equal(a.loss[runs], b.loss[runs])
    assert_same_weights(a.weights[runs], b.weights[runs])


def assert_same_weights(a, b):
    for one, other in zip(triple(a), triple(b), strict=True):
        np.testing.assert_array_equal(one, other)


def change(training):
    """Whether W_Q, W_K and W_V are others than at the start, in every run."""
    pairs = zip(triple(training.snapshots[0]), triple(training.weights), strict=True)
    return [(before != after).any(axis=(1, 2)).tolist() for before, after in pairs]


@BOTH
def test_any_worker_gives_the_same_bits(model):
    expected = sf.train(model, TASK, jobs=1, **SMALL)
    assert_same(sf.train(model, TASK, jobs=2, **SMALL), expected)
    assert_same(sf.train(model, TASK, **SMALL), expected)
    with ThreadPoolExecutor(3) as pool:
        assert_same(sf.train(model, TASK, executor=pool, **SMALL), expected)
    assert_same(sf.train(model, TASK, executor=AtOnce(), **SMALL), expected)


def test_other_processes_give_the_same_bits():
    expected = sf.train(SLOT_FREE, TASK, **SMALL)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert_same(sf.train(SLOT_FREE, TASK, executor=pool, **SMALL), expected)


@BOTH
def test_runs_are_independent_and_more_of_them_change_none(model):
    few, many = (sf.train(model, TASK, **SMALL | {"runs": runs}) for runs in (2, 5))
    assert_same(few, many, slice(2))
    assert len({loss.tobytes() for loss in many.loss}) == 5
    assert len({W.tobytes() for W in many.W_V}) == 5


@BOTH
def test_the_seed_decides_everything(model):
    expected = sf.train(model, TASK, **SMALL)
    assert_same(sf.train(model, TASK, **SMALL), expected)
    assert_same(sf.train(model, TASK, **SMALL | {"seed": np.random.SeedSequence(0)}), expected)
    assert (sf.train(model, TASK, **SMALL | {"seed": 1}).loss != expected.loss).all()


@BOTH
def test_averaged_gradients_are_summed_ones_with_rates_divided_by_the_batch_size(model):
    averaged = sf.train(model, TASK, reduction="mean", learning_rates=0.4, **SMALL)
    assert_same(averaged, sf.train(model, TASK, learning_rates=0.4 / 8, **SMALL))
    assert_same(sf.train(model, TASK, reduction="sum", **SMALL), sf.train(model, TASK, **SMALL))
    assert '"reduction": "mean"' in averaged.attrs["settings"]


def test_a_longer_training_begins_as_a_shorter_one():
    """Over more batches than are drawn at a time."""
    short, long = (sf.train(SLOT_FREE, TASK, **SMALL | {"iterations": n, "batch_size": 2}) for n in (230, 430))
    np.testing.assert_array_equal(short.loss, long.loss[:, :230])


@BOTH
def test_snapshots_change_nothing(model):
    arguments = SMALL | {"iterations": 250, "batch_size": 2}
    expected = sf.train(model, TASK, **arguments)
    kept = sf.train(model, TASK, snapshots=(250, 7, 0, 200, 7), **arguments)
    assert_same(kept, expected)
    assert not expected.snapshots
    assert list(kept.snapshots) == [0, 7, 200, 250]
    assert_same_weights(kept.snapshots[250], kept.weights)
    for steps in (7, 200):
        assert_same_weights(kept.snapshots[steps], sf.train(model, TASK, **arguments | {"iterations": steps}).weights)
    again = sf.train(model, TASK, start=kept.snapshots[0], **arguments)
    assert_same(again, expected)


@pytest.mark.parametrize(
    ("model", "learn", "expected"),
    [
        (SLOT_FREE, ("W_Q", "W_K", "W_V"), (True, True, True)),
        (BASELINE, ("W_Q", "W_K", "W_V"), (True, True, True)),
        (FIXED, ("W_Q", "W_K", "W_V"), (True, False, True)),
        (SLOT_FREE, ("W_V",), (False, False, True)),
        (SLOT_FREE, "W_V", (False, False, True)),
        (BASELINE, ["W_V"], (False, False, True)),
        (SLOT_FREE, {"W_Q", "W_K"}, (True, True, False)),
    ],
)
def test_only_what_is_to_learn_does(model, learn, expected):
    result = sf.train(model, TASK, learn=learn, snapshots=(0,), **SMALL)
    assert change(result) == [[learns] * 3 for learns in expected]


@BOTH
def test_what_does_not_learn_changes_no_gradient(model):
    """One step of W_V is the same whether the others learn too."""
    once = SMALL | {"iterations": 1}
    alone, together = sf.train(model, TASK, learn=("W_V",), **once), sf.train(model, TASK, **once)
    np.testing.assert_array_equal(alone.W_V, together.W_V)


@BOTH
def test_rates_by_name_and_for_all(model):
    once = SMALL | {"iterations": 1, "snapshots": (0,)}
    default = sf.train(model, TASK, **once)
    rates = rates_for(model, TASK)
    step = {name: getattr(default, name) - getattr(default.snapshots[0], name) for name in rates}
    named = sf.train(model, TASK, learning_rates={"W_Q": 3 * rates["W_Q"]}, **once)
    every = sf.train(model, TASK, learning_rates=0.25, **once)
    for name, rate in rates.items():
        before = default.snapshots[0]
        ratio = 3 if name == "W_Q" else 1
        computed = getattr(named, name) - getattr(before, name)
        np.testing.assert_allclose(computed, ratio * step[name], rtol=1e-8, atol=1e-14)
        computed = getattr(every, name) - getattr(before, name)
        np.testing.assert_allclose(computed, 0.25 / rate * step[name], rtol=1e-8, atol=1e-12)


@BOTH
def test_start(model):
    one = random_weights(model, TASK, 5, 0.3)
    given = [array.copy() for array in triple(one)]
    arguments = SMALL | {"snapshots": (0,)}
    same = sf.train(model, TASK, start=one, **arguments)
    many = Weights(*(np.stack([W, 2 * W, 3 * W]) for W in triple(one)))
    other = sf.train(model, TASK, start=many, **arguments)
    assert all(all(changed) for changed in change(other))
    assert_same_weights(other.snapshots[0], many)
    assert_same(same, other, slice(1))
    for run in range(3):
        assert_same_weights(same.snapshots[0][run], one)
    for now, before in zip(triple(one), given, strict=True):
        np.testing.assert_array_equal(now, before)


@pytest.mark.parametrize(("model_class", "spread"), [(sf.SlotFreeTransformer, 1), (sf.BaselineTransformer, 1 / 4)])
@pytest.mark.parametrize("key_dim", [10, 50])
def test_weights_before_training(model_class, spread, key_dim):
    """W_Q and W_K normal with standard deviation 1/√N, or 1/(4√N) for the baseline; W_V uniform in [0, 0.1)."""
    task, model = sf.CaseSequenceTask(), model_class(key_dim=key_dim)
    result = sf.train(model, task, runs=50, iterations=1, batch_size=1, snapshots=(0,), seed=3)
    W_Q, W_K, W_V = triple(result.snapshots[0])
    for W in (W_Q, W_K):
        assert stats.kstest(W.ravel(), stats.norm(0, spread / np.sqrt(key_dim)).cdf).pvalue > 0.001
    assert abs(np.corrcoef(W_Q.ravel(), W_K.ravel())[0, 1]) < 4 / np.sqrt(W_Q.size)
    assert (W_V >= 0).all()
    assert (W_V < 0.1).all()
    assert stats.kstest(W_V.ravel(), stats.uniform(0, 0.1).cdf).pvalue > 0.001
    assert_same_weights(initial_weights(model, task, seed=4), initial_weights(model, task, seed=4))
    assert (initial_weights(model, task, seed=4).W_V != initial_weights(model, task, seed=5).W_V).all()


def test_dataset():
    result = sf.train(SLOT_FREE, TASK, snapshots=(0, 10), **SMALL)
    data = result.dataset()
    assert dict(data.sizes) == {"run": 3, "iteration": 30, "snapshot": 3, "key": 6, "token": 12, "output": 2}
    assert data["accuracy"].dims == data["loss"].dims == ("run", "iteration")
    assert data["W_Q"].dims == data["W_K"].dims == ("run", "snapshot", "key", "token")
    assert data["W_V"].dims == ("run", "snapshot", "output", "token")
    assert data["snapshot"].values.tolist() == [0, 10, 30]
    assert data["iteration"].values.tolist() == list(range(30))
    assert data["run"].values.tolist() == [0, 1, 2]
    assert data["output"].values.tolist() == ["lowercase", "uppercase"]
    assert data["token"].values.tolist() == list(TASK.token_names)
    np.testing.assert_array_equal(data["accuracy"], result.accuracy)
    np.testing.assert_array_equal(data["loss"], result.loss)
    for name in ("W_Q", "W_K", "W_V"):
        for steps, weights in ((0, result.snapshots[0]), (10, result.snapshots[10]), (30, result.weights)):
            np.testing.assert_array_equal(data[name].sel(snapshot=steps), getattr(weights, name))
    value = data["W_V"].sel(run=1, snapshot=10, token="C", output="uppercase")
    assert value == result.snapshots[10].W_V[1, 1, 4 + 2]
    assert data.identical(sf.train(SLOT_FREE, TASK, snapshots=(0, 10, 30), **SMALL).dataset())


@BOTH
def test_divergence_is_an_error_that_says_where(model):
    message = (
        r"training diverged at iteration \d+ of run [012]: the loss is (nan|inf|.*e\+\d+) with the learning rates "
        r"1e\+200 for W_Q, 1e\+200 for W_K, 1e\+200 for W_V, and gradients summed over 8 sequences; lower learning"
    )
    with pytest.raises(FloatingPointError, match=message):
        sf.train(model, TASK, learning_rates=1e200, **SMALL)


def test_divergence_names_the_run_and_the_iteration():
    """Two runs that would learn, and one that starts with values so large that the first loss is not finite."""
    good = random_weights(FIXED, TASK, 0, 0.1)
    start = Weights(*(np.stack([W, W, W]) for W in triple(good)))
    start.W_V[1] = 1e200
    with pytest.raises(FloatingPointError, match=r"at iteration 0 of run 1: .* 0\.001 for W_Q, 0 for W_K, 0\.001"):
        sf.train(FIXED, TASK, start=start, **SMALL)
    assert np.isfinite(sf.train(FIXED, TASK, start=start[::2], **SMALL | {"runs": 2}).loss).all()


BLOWN_UP = [
    (sf.BaselineTransformer(), {"W_V": 0.3}),
    (sf.SlotFreeTransformer("fixed", key_dim=20, n_hidden=16), {"W_V": 0.1}),
    (sf.SlotFreeTransformer("mhn", key_dim=20, n_hidden=16), {"W_V": 0.05}),
    (sf.SlotFreeTransformer("query-key", key_dim=20, n_hidden=16), {"W_V": 0.1}),
]


@pytest.mark.parametrize(("model", "rates"), BLOWN_UP, ids=["baseline", "fixed", "mhn", "query-key"])
def test_a_loss_that_blows_up_without_overflow_is_divergence(model, rates, monkeypatch):
    """Ten steps end with a huge loss, a finite one; it was returned without a word."""
    few = {"runs": 1, "iterations": 10, "learning_rates": rates, "seed": 0}
    with pytest.raises(FloatingPointError) as raised:
        sf.train(model, TASK, **few)
    monkeypatch.setattr(training, "DIVERGED", np.inf)
    loss = sf.train(model, TASK, **few).loss[0]
    assert np.isfinite(loss).all()
    first = int((loss > 1e6).argmax())
    assert f"at iteration {first} of run 0: the loss is {loss[first]:.3g} with the learning rates" in str(raised.value)
    assert str(raised.value).endswith(
        f"{rates['W_V']:g} for W_V, and gradients summed over 64 sequences; lower learning_rates"
    )


def test_a_large_loss_at_first_is_no_divergence():
    """What counts is how much it rises: weights to start from may be large."""
    start = random_weights(FIXED, TASK, 0, 0.1)
    start.W_V[:] = 1e5
    result = sf.train(FIXED, TASK, start=start, learning_rates=1e-12, **SMALL)
    assert (result.loss > 1e6).all()


def test_weights_that_overflow_in_the_last_step_are_not_returned():
    """The loss before the step is finite; what the step leaves is not."""
    with pytest.raises(FloatingPointError, match="training diverged at iteration"):
        sf.train(BASELINE, TASK, learning_rates=1.7e308, **SMALL | {"iterations": 1, "batch_size": 64})


@pytest.mark.parametrize(
    "model", [sf.SlotFreeTransformer(), sf.BaselineTransformer(beta=1.0)], ids=["slot-free", "baseline"]
)
def test_learns_the_task(model):
    """Of 80 other runs of each model none was below 0.97 at 1600 steps; at 1200, one in six of the slot-free was."""
    result = sf.train(model, sf.CaseSequenceTask(), runs=2, iterations=1600, seed=0)
    assert (result.accuracy[:, :10].mean(axis=1) < 0.75).all()
    assert (result.accuracy[:, -100:].mean(axis=1) > 0.97).all()
    assert (result.loss[:, -100:].mean(axis=1) < 0.5 * result.loss[:, :10].mean(axis=1)).all()
    right = result.W_V[:, :, :8].argmax(axis=1)
    assert right.tolist() == [[0] * 4 + [1] * 4] * 2, "values encode case"
