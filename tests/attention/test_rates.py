"""Learning rates by the size of a task."""

import numpy as np
import pytest

import slotfree as sf
from slotfree.attention.key_rules import KEY_RULES, MHN_AS_PRINTED
from slotfree.attention.rates import kinds_of_tokens, rates_for
from slotfree.attention.storages.perfect import Perfect
from slotfree.attention.training import plan_training
from slotfree.attention.weights import NAMES

EVERY = [
    sf.BaselineTransformer(),
    *(sf.SlotFreeTransformer(rule) for rule in KEY_RULES),
    *(sf.SlotFreeTransformer(rule, storage=sf.Winners()) for rule in KEY_RULES),
    sf.SlotFreeTransformer(storage=Perfect(), n_hidden=4),
]


@pytest.mark.parametrize("model", EVERY, ids=str)
def test_the_papers_task_has_the_papers_rates_to_the_bit(model):
    assert rates_for(model, sf.CaseSequenceTask(4, 4)) == model.rates


@pytest.mark.parametrize("model", EVERY, ids=str)
@pytest.mark.parametrize(("batch_size", "factor"), [(1, 1), (64, 1), (128, 1 / 2), (512, 1 / 8)])
def test_larger_batches_take_steps_as_long(model, batch_size, factor):
    """Gradients are sums: with the rates of 64 sequences, training on 512 diverges. Means are not, and keep theirs."""
    task = sf.CaseSequenceTask(4, 4)
    expected = {name: factor * rate for name, rate in model.rates.items()}
    assert rates_for(model, task, batch_size) == expected
    for reduction, rates in (("sum", expected), ("mean", model.rates)):
        plan = plan_training(model, task, batch_size=batch_size, reduction=reduction)
        assert plan.rates == tuple(rates[name] if name in model.learned else 0.0 for name in NAMES)


def test_a_large_batch_learns_as_a_small_one_does():
    model = sf.SlotFreeTransformer(n_hidden=50, storage=sf.Winners(k=3, fan_in=0.1))
    large = sf.train(model, sf.CaseSequenceTask(), runs=1, iterations=300, batch_size=512, seed=0)
    assert large.accuracy[:, -50:].mean() > 0.98


def test_the_rule_for_contexts_that_hold_only_items():
    model = sf.SlotFreeTransformer(storage=sf.Winners(k=1, fan_in=1.0))
    assert rates_for(model, sf.CaseSequenceTask(8, 4)) == pytest.approx({"W_Q": 1e-2, "W_K": 2e-4, "W_V": 1e-2})
    assert rates_for(model, sf.CaseSequenceTask(8, 8)) == pytest.approx({"W_Q": 2e-2, "W_K": 4e-4, "W_V": 2e-2})
    stream = sf.LatestCase(8, 4)
    assert rates_for(model, stream) == rates_for(model, sf.CaseSequenceTask(8, 8)), "a stream holds every letter"
    pairs = sf.AssociativeRecall(8, 8, 4)  # λ = 1/8 + 1/8
    assert rates_for(model, pairs) == pytest.approx({"W_Q": 1e-2, "W_K": 5e-5, "W_V": 2.5e-3})
    mhn = sf.SlotFreeTransformer("mhn", storage=sf.Winners(k=1, fan_in=1.0))
    assert rates_for(mhn, sf.CaseSequenceTask(8, 8))["W_K"] == 5e-3


@pytest.mark.parametrize("fan_in", [1.0, 0.25, 0.04])
@pytest.mark.parametrize("task", [sf.CaseSequenceTask(10_000, 50), sf.AssociativeRecall(10_000, 5000, 50)])
def test_no_step_is_larger_than_one_sequence_allows(fan_in, task):
    model = sf.SlotFreeTransformer(storage=sf.Winners(fan_in=fan_in))
    rates = rates_for(model, task)
    assert rates["W_V"] == pytest.approx(model.fan_in**0.5 / (4 * len(kinds_of_tokens(task))))
    assert model.fan_in == pytest.approx(fan_in, abs=0.011), "an integer of 50 components"


def test_the_rule_for_random_initial_weights():
    model = sf.SlotFreeTransformer(n_hidden=40)
    assert rates_for(model, sf.CaseSequenceTask(8, 4)) == pytest.approx({"W_Q": 2e-2, "W_K": 5e-5, "W_V": 2.5e-3})


def test_a_task_that_says_nothing_of_its_tokens():
    class Own:
        n_tokens, n_outputs, context_length = 12, 2, 4

    assert kinds_of_tokens(Own()) == [12]
    Own.query_of = [*range(6), *[-1] * 6]  # items and queries are the same tokens
    assert kinds_of_tokens(Own()) == [6, 6]
    del Own.query_of
    assert rates_for(sf.BaselineTransformer(), Own())["W_Q"] == pytest.approx(3e-3)


def ends_at(model, task, iterations):
    result = sf.train(model, task, runs=2, iterations=iterations, seed=3)
    return result.accuracy[:, -100:].mean(axis=1).min()


@pytest.mark.parametrize("L", [4, 16, 64, 256])
@pytest.mark.parametrize("rule", ["query-key", "mhn"])
def test_alphabets_of_any_size_are_learnt(L, rule):
    """Of ten other runs of each, the worst ended at 0.998."""
    storage = sf.Winners(k=1, fan_in=1.0, address="own")
    model = sf.SlotFreeTransformer(rule, n_hidden=2 * L, storage=storage)
    assert ends_at(model, sf.CaseSequenceTask(L, 4), 700) > 0.99


@pytest.mark.parametrize("L", [4, 64, 256])
def test_alphabets_of_any_size_are_learnt_with_slots(L):
    assert ends_at(sf.BaselineTransformer(beta=1.0), sf.CaseSequenceTask(L, 4), 2000) > 0.98


@pytest.mark.parametrize("L", [8, 26])
def test_the_papers_storage_no_longer_diverges(L):
    result = sf.train(
        sf.SlotFreeTransformer(n_hidden=2 * L), sf.CaseSequenceTask(L, 4), runs=2, iterations=3000, seed=3
    )
    assert result.accuracy[:, -200:].mean(axis=1).min() > 0.9  # of ten other runs of each, the worst ended at 0.947
    assert np.isfinite(result.loss).all()


@pytest.mark.parametrize(
    ("rule", "rates"),
    [
        ("fixed", (1e-3, 1e-3, 1e-3)),
        ("mhn", (5e-3, 5e-3, 5e-3)),
        ("query-key", (5e-3, 1e-4, 5e-3)),
        (MHN_AS_PRINTED, (5e-3, 5e-3, 5e-3)),
    ],
)
def test_the_papers_rates_of_each_rule(rule, rates):
    """SI table S1; a rule as it is misprinted has the rates of the rule."""
    found = rates_for(sf.SlotFreeTransformer(rule, False), sf.CaseSequenceTask(4, 4))
    assert tuple(found.values()) == rates
