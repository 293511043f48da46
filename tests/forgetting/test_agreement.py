"""Accuracy, precision and overlap: against sets, by their laws, and through the protocol."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotfree as sf
from slotfree.forgetting import fits, metrics
from slotfree.forgetting.agreement import METRICS, agreement
from slotfree.study.retention import Retention

SETTINGS = {"n_visible": 40, "n_hidden": 30, "k_visible": 6, "k_hidden": 3, "fan_in": 0.5, "learning_rate": 0.3}
SMALL = {"runs": 4, "n_stored": 30, "n_tested": 10, "seed": 0}
FEWER = partial(sf.random_patterns, n_visible=40, k_visible=4)


def twin(retrieved, pattern):
    """The metrics of one pattern, from sets."""
    R, P = ({i for i, x in enumerate(row) if x} for row in (retrieved, pattern))
    return {
        "accuracy": len(R & P) / len(P),
        "precision": len(R & P) / len(R) if R else 0,
        "overlap": len(R & P) / len(R | P),
    }


@st.composite
def pairs(draw):
    """What was retrieved, any number of ones, and the patterns, none empty."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = (draw(st.integers(1, 8)), draw(st.integers(1, 12)))
    retrieved, patterns = ((rng.random(shape) < draw(st.floats(0, 1))).astype(np.uint8) for _ in range(2))
    patterns[np.arange(shape[0]), rng.integers(0, shape[1], shape[0])] = 1
    return retrieved, patterns


@given(pairs())
def test_metrics_equal_those_of_sets_and_keep_their_laws(pair):
    found = agreement(*pair, METRICS)
    rows = [twin(*rows) for rows in zip(*pair, strict=True)]
    for metric in METRICS:
        np.testing.assert_array_equal(found[metric], [row[metric] for row in rows])
        assert ((found[metric] >= 0) & (found[metric] <= 1)).all()
    assert (found["overlap"] <= np.minimum(found["accuracy"], found["precision"])).all()
    as_many = pair[0].sum(axis=1) == pair[1].sum(axis=1)
    rho = found["accuracy"][as_many]
    np.testing.assert_array_equal(found["precision"][as_many], rho)
    np.testing.assert_allclose(found["overlap"][as_many], rho / (2 - rho))


def test_the_protocol_measures_them_pattern_by_pattern():
    """A memory that recalls everything has an accuracy of 1, stored or not; precision and overlap see through it."""
    all_on = SETTINGS | {"k_visible": 40}
    data = sf.retention(all_on, FEWER, metrics=METRICS, **SMALL)
    assert list(data) == list(METRICS)
    assert all(data[metric].dims == ("run", "cue", "kind", "age") for metric in METRICS)
    assert (data["accuracy"] == 1).all()
    assert (data["precision"] == 4 / 40).all()
    assert (data["overlap"] == 4 / 40).all()


def test_asking_for_more_changes_no_accuracy():
    expected = sf.retention(SETTINGS, **SMALL)
    assert list(expected) == ["accuracy"]
    data = sf.retention(SETTINGS, metrics=METRICS, **SMALL)
    np.testing.assert_array_equal(data["accuracy"], expected["accuracy"])
    np.testing.assert_array_equal(data["precision"], data["accuracy"])  # as many ones
    only = sf.retention(SETTINGS, metrics="overlap", **SMALL)
    assert list(only) == ["overlap"]
    np.testing.assert_array_equal(only["overlap"], data["overlap"])


@pytest.mark.parametrize("wrong", [(), ("recall",), ("overlap", "overlap"), "hits"])
def test_wrong_metrics(wrong):
    with pytest.raises(ValueError, match="metrics must be one or more of accuracy, precision, overlap, each once, not"):
        sf.retention(SETTINGS, metrics=wrong, **SMALL)


def test_functions_of_a_dataset_take_any_metric():
    mixed = np.random.default_rng(0).random((60, 40)) < 0.2
    data = sf.retention(SETTINGS, mixed, metrics=METRICS, **SMALL)
    renamed = data[["overlap"]].rename(overlap="accuracy")
    for of in (
        metrics.differences,
        partial(metrics.raw_difference, samples=2),
        partial(metrics.d_prime, samples=1),
        metrics.accuracy_curve,
        metrics.auc,
        metrics.auc_d_prime,
    ):
        assert of(data, metric="overlap").equals(of(renamed))
        assert not of(data, metric="overlap").equals(of(data))
    of_overlap = fits.exponential_fit(data, 1.0, metric="overlap", resamples=0)
    assert of_overlap.C == fits.exponential_fit(renamed, 1.0, resamples=0).C != fits.exponential_fit(data, 1.0).C
    with pytest.raises(ValueError, match=r"data must hold the metric 'precision': measure it, retention\(..., metrics"):
        metrics.differences(renamed, metric="precision")
    with pytest.raises(ValueError, match="metric must be 'accuracy', 'precision' or 'overlap', not 'hits'"):
        metrics.differences(data, metric="hits")


def test_a_study_measures_them_too():
    run = Retention(sf.KWinnerSettings(**SETTINGS), FEWER, n_stored=30, n_tested=10, metrics=("accuracy", "overlap"))
    data = run.label([run(np.random.SeedSequence(i)) for i in range(2)])
    assert list(data) == ["accuracy", "overlap"]
    assert (data["overlap"] < data["accuracy"]).any()
    assert list(Retention(run.memory, FEWER, n_stored=30, n_tested=10)(np.random.SeedSequence(0))) == ["accuracy"]


def warned(memory, source, **options):
    """The warnings of a measurement."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sf.retention(memory, source, **SMALL | options)
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def test_patterns_with_other_numbers_of_ones_than_recalled_are_warned_of_once():
    """With all units on, accuracy is 1 and means nothing."""
    (message,) = warned(SETTINGS | {"k_visible": 40}, FEWER)
    assert message.startswith(
        "patterns have 4 ones, but KWinnerMHN always recalls k_visible = 40: accuracy counts hits"
    )
    assert "metrics=('accuracy', 'precision', 'overlap')" in message
    mixed = np.tril(np.ones((40, 40), np.uint8))
    (message,) = warned(lambda seed: sf.KWinnerMHN(**SETTINGS, seed=seed), mixed, jobs=2)
    assert message.startswith("patterns have ")
    assert " to " in message.split(" ones")[0]


def test_nobody_is_warned_without_need():
    assert warned(SETTINGS, None) == []
    assert warned(SETTINGS, FEWER, metrics=("accuracy", "overlap")) == []
