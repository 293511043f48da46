import numpy as np
import pytest
import xarray as xr

import slotfree as sf
from slotfree import drawing
from slotfree.attention.measures import SMOOTHED, smoothed
from slotfree.drawing.picture import Picture
from slotfree.drawing.training import CURVES, along_training, block_means, smoothing

TASK = sf.CaseSequenceTask(n_letters=3, context_length=2)
MODEL = sf.SlotFreeTransformer(n_hidden=8)


@pytest.fixture(scope="module")
def result():
    return sf.train(MODEL, TASK, runs=3, iterations=260, batch_size=8, seed=0)


def test_the_median_and_the_quartiles_of_runs_are_drawn_and_recorded(result):
    picture = drawing.show_training(result)
    blocks = result.accuracy[:, :250].reshape(3, 10, 25).mean(axis=2)
    rows = picture.tables[""]
    np.testing.assert_allclose([row["median"] for row in rows], np.median(blocks, axis=0), atol=1e-6)
    for name, share in (("first_quartile", 0.25), ("third_quartile", 0.75)):
        np.testing.assert_allclose([row[name] for row in rows], np.quantile(blocks, share, axis=0), atol=1e-6)
    (line,) = picture.axes[0, 0].lines
    np.testing.assert_allclose(line.get_ydata(), np.median(blocks, axis=0))
    first = picture.tables[""][0]["iteration"]
    np.testing.assert_allclose(line.get_xdata(), first + 25 * np.arange(10) + 12.5, err_msg="the middle of each block")
    assert f"from {np.median(blocks[:, 0]):.2f} to {np.median(blocks[:, -1]):.2f} in 260 iterations" in picture.alt


def test_the_loss_is_drawn_if_asked_for(result):
    picture = drawing.show_training(result, "loss")
    assert picture.axes[0, 0].get_ylabel() == "loss"
    first = np.median(result.loss[:, :25].mean(axis=1))
    assert picture.tables[""][0]["median"] == pytest.approx(first, abs=1e-6)


def test_several_trainings_have_labels(result):
    picture = drawing.show_training({"one": result, "two": result})
    assert [text.get_text() for text in picture.figure.legends[0].get_texts()] == ["one", "two"]
    assert "one: from" in picture.alt
    assert "two: from" in picture.alt


@pytest.mark.parametrize("iterations", [1, 3, 24, 30])
def test_short_trainings_are_drawn(iterations):
    result = sf.train(MODEL, TASK, runs=1, iterations=iterations, batch_size=4, seed=0)
    picture = drawing.show_training(result)
    assert len(picture.axes[0, 0].lines[0].get_xdata()) >= min(iterations, 10)
    picture._repr_html_()


def test_long_trainings_are_averaged_over_25_iterations_and_short_ones_over_less():
    assert [smoothing(n) for n in (1, 9, 10, 100, 250, 5000)] == [1, 1, 1, 10, 25, 25]


def test_what_is_no_training_is_refused(result):
    with pytest.raises(TypeError, match="results must be a TrainingResult, or several by label, not 1"):
        drawing.show_training(1)
    with pytest.raises(ValueError, match="metric must be 'accuracy' or 'loss', not 'reward'"):
        drawing.show_training(result, "reward")


@pytest.mark.parametrize("iterations", [50, 130, 260])
def test_the_words_of_panels_are_true_of_short_trainings_too(iterations):
    """Panels of the paper say that means are over 25 iterations, and so they are, whatever the scale."""
    accuracy = np.random.default_rng(0).random((3, iterations))
    runs = xr.DataArray(accuracy, {"iteration": np.arange(iterations)}, ("run", "iteration"))
    picture = Picture()
    along_training(picture, picture.axes[0, 0], runs, "#000000", "", row={})
    assert f"means over {SMOOTHED} iterations" in CURVES
    blocks = accuracy[:, : iterations // 25 * 25].reshape(3, -1, 25).mean(axis=2)
    np.testing.assert_allclose([row["median"] for row in picture.tables[""]], np.median(blocks, axis=0), atol=1e-6)
    xr.testing.assert_identical(block_means(runs, SMOOTHED), smoothed(runs))
