import numpy as np
import pytest
import xarray as xr
from scipy import stats

from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import labelled


def dataset(real, pseudo):
    """A dataset of one cue from two arrays (run, age)."""
    both = np.stack([np.asarray(real, float), np.asarray(pseudo, float)], axis=1)
    return labelled({"accuracy": both[:, None]}, (1.0,), ("real", "pseudo"))


def samples(values):
    return xr.DataArray(np.asarray(values, float), {"age": np.arange(1, np.shape(values)[1] + 1)}, ("sample", "age"))


def test_raw_difference_and_d_prime_by_hand():
    # Two samples of two runs, one age: δ = 0.3, 0.5 and 0.0, 0.4.
    data = dataset([[0.8], [0.9], [0.5], [0.6]], [[0.5], [0.4], [0.5], [0.2]])
    np.testing.assert_allclose(metrics.differences(data).values[:, 0, 0], [0.3, 0.5, 0.0, 0.4])
    np.testing.assert_allclose(metrics.raw_difference(data, 2).values[:, 0, 0], [0.4, 0.2])
    found = metrics.d_prime(data, 2, corrected=False)
    np.testing.assert_allclose(found.values[:, 0, 0], [0.4 / 0.1, 0.2 / 0.2])
    assert found.attrs == {"definition": "paper", "correction": "none", "samples": 2, "runs_per_sample": 2}
    # The variances are 0.05² for both kinds, then 0.05² and 0.15².
    found = metrics.d_prime(data, 2, definition="detection", corrected=False)
    np.testing.assert_allclose(found.values[:, 0, 0], [0.4 / 0.05, 0.2 / np.sqrt(0.0125)])


def test_zero_variance_is_infinite_and_counted():
    # One age each: runs agree on +0.3, on -0.3, on 0; 0.1 + 0.2 is not 0.3, and must not pass for spread.
    data = dataset([[0.3, 0.2, 0.5]] * 7, [[0.0, 0.5, 0.5]] * 7)
    assert metrics.d_prime(data, 1).values[0, 0].tolist() == [np.inf, -np.inf, 0.0]
    summary = metrics.curve(samples([[np.inf, 1.0], [3.0, 2.0], [5.0, 3.0]]))
    assert summary["n_infinite"].values.tolist() == [1, 0]
    np.testing.assert_allclose(summary["mean"], [4.0, 2.0])
    np.testing.assert_allclose(summary["error"], [np.sqrt(2) / np.sqrt(2), 1 / np.sqrt(3)])


def test_all_infinite_or_a_single_sample_have_no_error():
    assert np.isnan(metrics.curve(samples([[np.inf], [np.inf]]))["mean"].item())
    assert np.isnan(metrics.curve(samples([[2.0]]))["error"].item())


def test_d_prime_of_known_gaussians():
    rng = np.random.default_rng(0)
    data = dataset(rng.normal(1.5, 1, (20_000, 3)), rng.normal(0, 1, (20_000, 3)))
    # δ has mean 1.5 and variance 2; the estimate's standard error is about 0.009.
    np.testing.assert_allclose(metrics.d_prime(data, 1).values[0, 0], 1.5 / np.sqrt(2), atol=0.04)
    # AUC-d' is that of the two distributions themselves.
    np.testing.assert_allclose(metrics.auc_d_prime(data).values[0], 1.5, atol=0.05)
    np.testing.assert_allclose(metrics.auc(data).values[0], stats.norm.cdf(1.5 / np.sqrt(2)), atol=0.01)


def gaussians(runs, ages):
    """Accuracies of which d' is 3.5 in the paper's definition, and √2 times that in detection's."""
    rng = np.random.default_rng(0)
    return dataset(rng.normal(3.5 * np.sqrt(2), 1, (runs, ages)), rng.normal(0, 1, (runs, ages)))


@pytest.mark.parametrize("runs", [5, 10, 20])
@pytest.mark.parametrize(("definition", "true"), [("paper", 3.5), ("detection", 3.5 * np.sqrt(2))])
def test_d_prime_of_few_runs_is_unbiased(runs, definition, true):
    found = metrics.d_prime(gaussians(runs, 10_000), 1, definition=definition)
    error = 1.5 * true / np.sqrt(runs) / 100  # of the mean over ages, at most, beyond three runs
    assert abs(found.mean() - true) < 4 * error
    assert metrics.d_prime(gaussians(runs, 10_000), 1, definition=definition, corrected=False).mean() > true + 8 * error


def test_samples_have_at_least_ten_runs_unless_asked_for():
    for runs, samples in ((10, 1), (20, 2), (200, 10)):
        found = metrics.d_prime(gaussians(runs, 200))
        how = {"samples": samples, "runs_per_sample": runs // samples}
        assert found.attrs == {"definition": "paper", "correction": "Hedges", **how}
        assert abs(metrics.curve(found)["mean"].mean() - 3.5) < 0.3, "ten samples of two runs have 13 or more"


def test_too_few_runs_have_no_d_prime():
    assert np.isnan(metrics.d_prime(gaussians(2, 3), 1)).all()
    assert np.isnan(metrics.d_prime(gaussians(2, 3), 2, corrected=False)).all()
    assert np.isfinite(metrics.d_prime(gaussians(3, 3), 1)).all()
    assert np.isnan(metrics.auc_d_prime(gaussians(1, 3))).all()
    assert np.isnan(metrics.auc_d_prime(gaussians(2, 3), samples=2)).all()


def test_a_run_of_nan_is_an_error():
    data = gaussians(4, 3)
    data["accuracy"][2, 0, 1, 1] = np.nan
    for measure in (metrics.differences, metrics.raw_difference, metrics.d_prime, metrics.auc, metrics.auc_d_prime):
        with pytest.raises(
            ValueError, match=r"data must hold the accuracy of every run, not NaN as in run 2 \('pseudo'\)"
        ):
            measure(data)


def test_auc_of_known_histograms():
    # Pairs: 3 > 1, 3 > 2, 3 = 3 (half), 2 > 1, 2 = 2 (half), 2 < 3, and 0 loses thrice: 4 of 9.
    data = dataset([[3.0], [2.0], [0.0]], [[1.0], [2.0], [3.0]])
    np.testing.assert_allclose(metrics.auc(data).item(), 4 / 9)


def test_auc_d_prime_is_clipped_openly():
    apart = dataset([[1.0], [1.0], [1.0], [1.0]], [[0.0], [0.0], [0.0], [0.0]])
    assert metrics.auc(apart).item() == 1
    np.testing.assert_allclose(metrics.auc_d_prime(apart).item(), np.sqrt(2) * stats.norm.ppf(1 - 0.5 / 4))


def test_auc_of_each_sample_is_that_of_its_runs():
    rng = np.random.default_rng(0)
    data = dataset(rng.integers(0, 5, (12, 3)) / 5, rng.integers(0, 4, (12, 3)) / 5)
    for measure in (metrics.auc, metrics.auc_d_prime):
        found = measure(data, samples=3)
        assert found.sizes == {"sample": 3, "cue": 1, "age": 3}
        for i in range(3):
            np.testing.assert_array_equal(found.isel(sample=i), measure(data.isel(run=slice(4 * i, 4 * i + 4))))
    assert metrics.auc_d_prime(data, samples=3).max() <= metrics.most_auc_d_prime(4)


def test_leads_are_those_of_scipys_t_test():
    rng = np.random.default_rng(0)
    a, b = samples(rng.normal(0.5, 1, (10, 300))), samples(rng.normal(0, 2, (12, 300)))
    for x, y in ((a, b), (b, a)):
        p = stats.ttest_ind(x.values, y.values, axis=0, alternative="greater").pvalue
        np.testing.assert_array_equal(metrics.leads(x, y), p < 0.01)
        np.testing.assert_array_equal(metrics.leads(x, y, level=0.2), p < 0.2)
    assert 0 < metrics.leads(a, b).sum() < 300


def test_no_lead_where_a_sample_is_infinite():
    a, b = samples([[np.inf, 5.0], [9.0, 6.0]]), samples([[1.0, 1.0], [1.0, 1.5]])
    assert metrics.leads(a, b, level=0.05).values.tolist() == [False, True]
    with pytest.raises(ValueError, match="at least three samples together, not 1 and 1"):
        metrics.leads(samples([[1.0]]), samples([[0.0]]))


def test_first_reliable_age():
    marks = np.zeros(100, bool)
    marks[[3, 4]] = True  # by chance
    marks[30:] = True
    marks[[33, 41]] = False
    array = xr.DataArray(marks[None], {"age": np.arange(1, 101), "cue": [1.0]}, ("cue", "age"))
    assert metrics.first_reliable_age(array).item() == 31
    assert metrics.first_reliable_age(array, window=20, share=1.0).item() == 43
    assert np.isnan(metrics.first_reliable_age(array & False).item())


def predicted(values):
    return xr.Dataset({"d_prime": (("cue", "age"), [values])}, {"cue": [1.0], "age": np.arange(1, len(values) + 1)})


@pytest.mark.parametrize(
    ("a", "b", "age"),
    [
        ([1, 2, 2, 0], [9, 2, 1, 0], 3),  # equal ages neither begin a lead nor end one
        ([3, 2, 2, 0], [1, 2, 1, 0], 1),
        ([3, 2, 1, 0.5], [1, 3, 0, 0.5], 3),
        ([3, 2, 1, 0], [1, 1, 0, 1], np.nan),
        ([1, 1], [1, 1], np.nan),
    ],
)
def test_the_age_from_which_one_leads(a, b, age):
    np.testing.assert_array_equal(metrics.lead_age(predicted(a), predicted(b)).values, [age])


def test_leads_of_what_cannot_be_compared_are_refused():
    with pytest.raises(ValueError, match="a and b must have the same ages"):
        metrics.lead_age(predicted([1, 2]), predicted([1, 2, 3]))
    with pytest.raises(ValueError, match=r"b must be what sf\.predict_retention returns, with auc"):
        metrics.lead_age(predicted([1]).assign(auc=predicted([1])["d_prime"]), predicted([1]), "auc")
    with pytest.raises(ValueError, match="a and b must have a cue in common"):
        metrics.lead_age(predicted([1]), predicted([1]).assign_coords(cue=[0.5]))


def test_d_prime_of_few_runs_is_too_large_by_the_excess():
    rng = np.random.default_rng(0)
    delta = rng.normal(2.0, 1.0, (20, 20_000))
    data = dataset(delta, np.zeros_like(delta))
    small = metrics.d_prime(data, 1, corrected=False)
    assert float(small.mean()) == pytest.approx(2.0 * metrics.excess(20), rel=0.01)
    assert np.isnan(metrics.excess(2))


def test_accuracy_curve():
    data = dataset([[1.0], [0.5], [0.0]], [[0.0], [0.0], [0.0]])
    summary = metrics.accuracy_curve(data, runs=2)
    assert summary["mean"].sel(kind="real").item() == 0.75
    np.testing.assert_allclose(summary["error"].sel(kind="real").item(), np.sqrt(0.125) / np.sqrt(2))


def test_a_single_cue_may_be_selected_first():
    data = dataset(np.random.default_rng(0).random((6, 3)), np.zeros((6, 3)))
    one = data.sel(cue=1.0)
    np.testing.assert_array_equal(metrics.d_prime(one, 2), metrics.d_prime(data, 2).sel(cue=1.0))
    np.testing.assert_array_equal(metrics.auc_d_prime(one), metrics.auc_d_prime(data).sel(cue=1.0))


def test_wrong_arguments():
    data = dataset(np.zeros((6, 2)), np.zeros((6, 2)))
    with pytest.raises(ValueError, match="samples must divide the number of runs, 6, not be 4"):
        metrics.d_prime(data, 4)
    with pytest.raises(ValueError, match="definition must be 'paper' or 'detection', not 'auc'"):
        metrics.d_prime(data, definition="auc")
    with pytest.raises(ValueError, match="samples must be an integer from 1 to the number of runs = 6, not 7"):
        metrics.raw_difference(data, 7)
    with pytest.raises(ValueError, match="data must hold the kind 'pseudo', not only"):
        metrics.differences(data.sel(kind=["real"]))
    with pytest.raises(ValueError, match="runs must be an integer from 1 to the number of runs = 6, not 99"):
        metrics.accuracy_curve(data, runs=99)
    with pytest.raises(ValueError, match=r"level must be a number in \(0, 1\], not 0"):
        metrics.leads(samples([[1.0]] * 3), samples([[1.0]] * 3), level=0)
