import csv
import io

import numpy as np
import pytest
import xarray as xr
from small_sweeps import MEMORY, run

from slotfree.files.dataset import read_dataset
from slotfree.forgetting import fits, merit, metrics
from slotfree.forgetting.protocol import labelled
from slotfree.sweep.memory_table import fit_ages, memory_measures
from slotfree.sweep.transformer import transformer_measures


def read(path):
    return list(csv.DictReader(io.StringIO((path / "sweep.csv").read_text())))


def fading(C, half_life, *, runs=20, ages=1000, noise=0.05, seed=0):
    """Accuracies of a memory of which R.D. = C 2^(−(age − 1) / half_life), with noise, for one cue."""
    rng = np.random.default_rng(seed)
    signal = C * 2.0 ** (-np.arange(ages) / half_life)
    accuracy = 0.3 + rng.normal(0, noise / np.sqrt(2), (runs, 1, 2, ages))
    accuracy[:, 0, 0] += signal
    return labelled({"accuracy": accuracy}, (1.0,), ("real", "pseudo"))


def test_the_table_of_a_memory_sweep(tmp_path):
    run(tmp_path, MEMORY | {"runs": 8, "n_stored": 60, "n_tested": 40, "source": "tree:1"})
    rows, data = read(tmp_path), read_dataset(tmp_path / "sweep.safetensors")
    measured = ["initial_accuracy", "baseline", "initial_raw_difference", "area", "C", "beta", "half_life"]
    parameters = ["n_visible", "n_hidden", "k_visible", "k_hidden", "fan_in", "learning_rate", "source"]
    d_primes = [name for age in (1, 10, 100) for name in (f"d_prime_{age}", f"d_prime_{age}_se")]
    expected = [*parameters, "cue", "n_stored", "n_tested", "runs"]
    expected += [name for measure in measured for name in (measure, f"{measure}_se")] + ["fit_ages", *d_primes]
    assert list(rows[0]) == expected
    assert [(row["k_hidden"], row["learning_rate"], row["cue"]) for row in rows] == [
        (k, rate, cue) for k in ("3", "6") for rate in ("0.3", "1.0") for cue in ("1.0", "0.5")
    ]
    for i, row in enumerate(rows):
        one, cue = data.isel(point=i // 2), float(row["cue"])
        curve = metrics.accuracy_curve(one).sel(cue=cue)
        close = {
            "initial_accuracy": curve["mean"].sel(kind="real", age=1),
            "initial_accuracy_se": curve["error"].sel(kind="real", age=1),
            "baseline": curve["mean"].sel(kind="pseudo").mean("age"),
            "initial_raw_difference": merit.merits(one)["initial_raw_difference"].sel(cue=cue),
            "area": metrics.raw_difference(one, 1).sel(cue=cue).sum("age")[0],
            "d_prime_1": metrics.d_prime(one, 1).sel(cue=cue, age=1)[0],
            "d_prime_10": metrics.d_prime(one, 1).sel(cue=cue, age=10)[0],
        }
        parts = float(row["initial_accuracy"]) - float(row["baseline"])
        assert float(row["initial_raw_difference"]) == pytest.approx(parts, abs=1.5e-6), "six digits are printed"
        ages = int(row["fit_ages"])
        if row["beta"]:
            fit = fits.exponential_fit(one, cue, ages=ages, resamples=0)
            close |= {"C": fit.C, "beta": fit.beta}
        if np.isfinite(float(row["half_life"] or "nan")):
            close["half_life"] = merit.half_life(one).sel(cue=cue)
        for name, value in close.items():
            assert float(row[name]) == pytest.approx(float(value), rel=1e-5, abs=1e-9), name
        assert row["d_prime_100"] == "", "no such age was tested"
    assert sum(bool(row["beta"]) for row in rows) >= 4, "most have been fitted"
    assert sum(np.isfinite(float(row["half_life"] or "nan")) for row in rows) >= 4, "most have halved"


def test_the_table_of_a_transformer_sweep(tmp_path):
    entries = {"model": "baseline,slot-free", "learning_rate": "0.01", "iterations": 400, "runs": 3, "batch_size": 64}
    run(tmp_path, {"kind": "transformer", "key_dim": 20, **entries})
    baseline, slot_free = read(tmp_path)
    data = read_dataset(tmp_path / "sweep.safetensors").isel(point=1)
    assert list(baseline)[:3] == ["model", "key_rule", "input_projections"]
    assert (baseline["key_rule"], baseline["n_hidden"], baseline["gradients"]) == ("", "", "exact")
    assert (slot_free["key_rule"], slot_free["n_hidden"], slot_free["gradients"]) == ("query-key", "16", "")
    assert (slot_free["learning_rate"], slot_free["learning_rate_k"]) == ("0.01", "0.01")
    ends = data["accuracy"].values[:, -80:].mean(axis=1)
    for word, of in (("median", np.median), ("min", min), ("max", max)):
        assert float(slot_free[f"ending_accuracy_{word}"]) == pytest.approx(of(ends), rel=1e-5)
    losses = data["loss"].values[:, -80:].mean(axis=1)
    assert float(slot_free["ending_loss_median"]) == pytest.approx(np.median(losses), rel=1e-5)


def test_learning_is_timed():
    accuracy = np.full((3, 100), 0.5)
    accuracy[0, 50:] = 1
    accuracy[1, 25:] = 1
    data = xr.Dataset({"accuracy": (("run", "iteration"), accuracy), "loss": (("run", "iteration"), 1 - accuracy)})
    (row,) = transformer_measures(data)
    assert (row["learnt"], row["learnt_at_median"], row["diverged"]) == (2, 50, 0)
    assert (row["ending_accuracy_min"], row["ending_accuracy_median"], row["ending_loss_max"]) == (0.5, 1, 0.5)
    data["accuracy"][0] = np.nan
    (row,) = transformer_measures(data)
    assert (row["learnt"], row["learnt_at_median"], row["diverged"]) == (1, np.inf, 1)
    (row,) = transformer_measures(data.isel(run=[1, 2], iteration=slice(4)))
    assert row["ending_accuracy_median"] == 0.5
    assert np.isnan(row["learnt_at_median"]), "four iterations are too few to tell"
    (row,) = transformer_measures(data.isel(run=[0]))
    assert np.isnan(row["ending_accuracy_median"])


@pytest.mark.parametrize("half_life", [5, 20, 100, 800])
def test_half_lives_are_found_whether_short_or_long(half_life):
    """Within four of their standard errors and a tenth: the first crossing of a noisy curve is not quite unbiased."""
    (row,) = memory_measures(fading(0.4, half_life))
    assert abs(row["half_life"] - half_life) < 4 * row["half_life_se"] + 0.1 * half_life
    assert row["half_life_se"] < 0.2 * half_life
    assert row["C"] == pytest.approx(0.4, rel=0.1)
    assert row["initial_raw_difference"] == pytest.approx(0.4, abs=4 * row["initial_raw_difference_se"])
    area = 0.4 * (1 - 2 ** (-1000 / half_life)) / (1 - 2 ** (-1 / half_life))
    assert row["area"] == pytest.approx(area, abs=4 * row["area_se"])


def test_a_fit_to_all_ages_would_take_noise_for_memory():
    """Why the fit ends early: over 200 ages, a half-life of 5 would seem to be several times as long."""
    data = fading(0.4, 5)
    assert np.log(2) / fits.exponential_fit(data, 1.0, resamples=0).beta > 15
    delta = metrics.differences(data).isel(cue=0).values
    assert 8 <= fit_ages(delta) <= 15


def test_a_fit_ends_at_a_quarter_or_where_nothing_can_be_seen():
    """R.D. falls by 0.001 with each age from 0.2; the mean of five ages is that of the third."""
    falling = 0.2 - 0.001 * np.arange(180)
    assert fit_ages(np.array([falling, falling])) == 149, "0.049 is the first below 0.198 / 4"
    noisy = np.array([falling - 0.0501, falling + 0.0501])  # standard error 0.0501
    assert fit_ages(noisy) == 98, "0.1 is the first below two standard errors"


def test_memories_that_do_not_decay_or_are_not_there():
    (row,) = memory_measures(fading(0.4, -5000))
    assert row["half_life"] == np.inf
    assert row["beta"] < 0
    (row,) = memory_measures(fading(0, 10))
    assert row["fit_ages"] < 2
    assert np.isnan(row["half_life"]) or row["half_life_se"] == np.inf
    assert np.isnan(row["C"])
    (row,) = memory_measures(fading(0.4, 10, ages=1))
    assert (row["half_life"], row["half_life_se"]) == (np.inf, np.inf)
    assert np.isnan(row["C"])


def test_the_half_life_is_not_that_of_a_fit():
    """R.D. that drops to a third at once and then stays is halved at once, though an exponential would need longer."""
    data = fading(0.6, 1e9, ages=100, noise=0.001)
    data["accuracy"][:, :, 0, 1:] -= 0.4
    (row,) = memory_measures(data)
    assert row["half_life"] == pytest.approx(0.75, abs=0.01)
    assert not np.log(2) / row["beta"] < 1


def test_one_run_has_no_errors():
    (row,) = memory_measures(fading(0.4, 20, runs=1, noise=0.001))
    assert row["half_life"] == pytest.approx(20, rel=0.05)
    assert all(np.isnan(value) for name, value in row.items() if name.endswith("_se"))
    assert np.isnan(row["d_prime_1"])


def test_errors_are_standard_errors():
    """Over 100 repetitions, the measures scatter as their errors say, to a third (20 runs each, 200 ages)."""
    rows = [next(memory_measures(fading(0.4, 30, ages=200, seed=seed))) for seed in range(100)]
    for name in ("initial_accuracy", "initial_raw_difference", "area", "beta", "half_life", "d_prime_1"):
        values, errors = (np.array([row[key] for row in rows]) for key in (name, f"{name}_se"))
        assert values.std() / errors.mean() == pytest.approx(1, abs=1 / 3), name
