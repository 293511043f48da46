import matplotlib as mpl
import numpy as np
import pytest
import xarray as xr
from legibility import touching_words
from matplotlib.colors import to_hex

import slotfree as sf
from slotfree import drawing
from slotfree.drawing.style import PALETTE
from slotfree.forgetting import metrics

SETTINGS = {"n_visible": 100, "k_visible": 10, "n_hidden": 60, "k_hidden": 4, "fan_in": 0.3}


def curves(runs=6, cues=(1.0, 0.5), **options):
    return sf.retention(SETTINGS, runs=runs, cues=cues, n_stored=80, n_tested=40, seed=0, **options)


@pytest.fixture(scope="module")
def data():
    return curves(metrics=("accuracy", "overlap"))


def lines(axis, colour=PALETTE[0]):
    return [line for line in axis.lines if to_hex(line.get_color()) == colour.lower()]


@pytest.mark.parametrize("metric", ["accuracy", "overlap"])
def test_means_and_standard_errors_of_runs_are_drawn_and_recorded(data, metric):
    picture = drawing.show_retention(data, metric)
    assert [axis.get_title() for axis in picture.axes[0]] == ["100% cues", "50% cues"]
    for column, cue in enumerate((1.0, 0.5)):
        stored, never = lines(picture.axes[0, column])
        assert (stored.get_linestyle(), never.get_linestyle()) == ("-", ":")
        for line, kind in ((stored, "real"), (never, "pseudo")):
            runs = data[metric].sel(cue=cue, kind=kind).values
            assert line.get_ydata()[0] == pytest.approx(runs[:, 0].mean()), "age 1 stands alone"
            rows = [row for row in picture.tables[""] if (row["cue"], row["kind"]) == (cue, kind)]
            assert [row["age"] for row in rows] == list(range(1, 41))
            np.testing.assert_allclose([row["mean"] for row in rows], runs.mean(axis=0), atol=1e-6)
            errors = runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
            np.testing.assert_allclose([row["standard_error"] for row in rows], errors, atol=1e-6)
    band = picture.axes[0, 0].collections[0].get_paths()[0].vertices
    first = data[metric].sel(cue=1.0, kind="real", age=1).values
    reach = first.std(ddof=1) / np.sqrt(len(first))
    at_first = band[np.isclose(band[:, 0], 1), 1]
    np.testing.assert_allclose([at_first.min(), at_first.max()], [first.mean() - reach, first.mean() + reach])


def test_raw_difference_is_that_of_runs(data):
    picture = drawing.show_retention(data, "raw_difference")
    delta = metrics.differences(data).sel(cue=0.5)
    means = [row["mean"] for row in picture.tables[""] if row["cue"] == 0.5]
    np.testing.assert_allclose(means, delta.mean("run"), atol=1e-6)
    assert len(lines(picture.axes[0, 0])) == 1


def test_d_prime_is_that_of_samples_of_runs():
    data = curves(runs=20, cues=0.5)
    picture = drawing.show_retention(data, "d_prime")
    expected = metrics.curve(metrics.d_prime(data, 2))["mean"].sel(cue=0.5)
    np.testing.assert_allclose([row["mean"] for row in picture.tables[""]], expected, atol=1e-6)
    assert picture.axes[0, 0].get_ylabel() == "sensitivity d' (paper's)\nlinear to 1, then logarithmic"
    assert "2 samples of 10 runs" in picture.figure.legends[0].get_title().get_text()


@pytest.mark.parametrize(("runs", "samples"), [(2, 1), (10, 1), (20, 2), (30, 3), (97, 1), (200, 10), (1000, 10)])
def test_samples_of_d_prime_are_as_large_as_each_other_and_not_small(runs, samples):
    assert metrics.samples_of(runs) == samples
    assert runs % samples == 0


def test_several_memories_have_colours_and_labels(data):
    picture = drawing.show_retention({"one": data, "two": data})
    words = [text.get_text() for text in picture.figure.legends[0].get_texts()]
    assert words == ["one", "two", "stored", "never stored"]
    assert {row["label"] for row in picture.tables[""]} == {"one", "two"}
    for colour in PALETTE[:2]:
        assert len(lines(picture.axes[0, 0], colour)) == 2
    assert "one, 100% cues" in picture.alt
    again = drawing.show_retention([data, data], labels=["one", "two"])
    assert again.tables == picture.tables
    named = drawing.show_retention(data, labels="mine")
    assert {row["label"] for row in named.tables[""]} == {"mine"}


def test_theory_is_dashed_and_in_the_colour_of_its_memory(data):
    theory = sf.predict_retention({}, ages=[1, 10, 40])
    for given in ({"two": theory}, {"one": theory, "two": theory}):
        picture = drawing.show_retention({"one": data, "two": data}, theory=given)
        for label, colour in zip(("one", "two"), PALETTE, strict=False):
            dashed = [line for line in lines(picture.axes[0, 0], colour) if line.get_linestyle() == "--"]
            curve = [line for line in dashed if len(line.get_xdata()) == 3]
            assert len(curve) == (label in given)
            if curve:
                np.testing.assert_allclose(curve[0].get_ydata(), theory["accuracy"].sel(cue=1.0))
    difference = drawing.show_retention(data, "raw_difference", theory=theory)
    predicted = [row["predicted"] for row in difference.tables["-theory"] if row["cue"] == 0.5]
    np.testing.assert_allclose(predicted, theory["raw_difference"].sel(cue=0.5), atol=1e-6)
    assert "theory" in difference.alt
    d_prime = drawing.show_retention(curves(runs=3), "d_prime", theory=theory)
    predicted = [row["predicted"] for row in d_prime.tables["-theory"] if row["cue"] == 0.5]
    np.testing.assert_allclose(predicted, theory["d_prime"].sel(cue=0.5), atol=1e-6)
    one_for_all = drawing.show_retention({"one": data, "two": data}, theory=theory)
    assert {row["label"] for row in one_for_all.tables["-theory"]} == {"theory"}


def test_a_cue_that_only_some_have_is_drawn_for_those(data):
    picture = drawing.show_retention({"one": data, "two": curves(runs=2, cues=0.5)})
    assert lines(picture.axes[0, 0], PALETTE[1]) == []
    assert len(lines(picture.axes[0, 1], PALETTE[1])) == 2


@pytest.mark.parametrize("n_tested", [1, 2, 3, 7])
def test_few_ages_and_a_single_run_are_drawn(n_tested):
    data = sf.retention(SETTINGS, runs=1, n_stored=10, n_tested=n_tested, seed=0)
    picture = drawing.show_retention(data)
    assert "one run" in picture.figure.legends[0].get_title().get_text()
    assert all(len(line.get_xdata()) for line in picture.axes[0, 0].lines)
    picture._repr_html_()


def test_the_words_say_how_curves_begin_and_end(data):
    picture = drawing.show_retention(data)
    mean = data["accuracy"].mean("run").sel(cue=1.0, kind="real")
    assert f"{mean[0]:.2f} at age 1 to {mean[-1]:.2f} at age 40" in picture.alt
    assert picture.alt.startswith("Accuracy by memory age, 1 being the newest.")


def test_the_words_leave_out_what_was_not_measured(data):
    picture = drawing.show_retention(data.sel(kind=["pseudo"]))
    assert picture.alt == "Accuracy by memory age, 1 being the newest."


def test_theory_that_shares_a_cue_is_drawn_there(data):
    theory = sf.predict_retention({}, ages=[1, 2], cues=[0.5, 0.7])
    picture = drawing.show_retention(data, theory=theory)
    assert {row["cue"] for row in picture.tables["-theory"]} == {0.5}


@pytest.mark.parametrize(("chosen", "first"), [(slice(11, 30), 11), (slice(40, None), 40), ([3, 20], 3)])
def test_some_of_the_ages_stand_where_they_belong(data, chosen, first):
    some = data.sel(age=chosen)
    (line, _) = lines(drawing.show_retention(some).axes[0, 0])
    assert line.get_xdata()[0] == pytest.approx(first, abs=1)
    assert line.get_xdata().min() >= some["age"].values.min()
    assert line.get_xdata().max() <= some["age"].values.max()


@pytest.mark.parametrize("n", [1, 3, 12])
def test_words_do_not_touch(data, n):
    many = {f"a memory with a long name, number {i}": data for i in range(n)}
    with mpl.rc_context():
        for metric in ("accuracy", "d_prime"):
            assert touching_words(drawing.show_retention(many, metric).figure) == []


def test_what_cannot_be_drawn_is_refused(data):
    theory = sf.predict_retention({}, ages=[1])
    cases = [
        ({"curves": 3}, "curves must be a Dataset, or several by label, not 3"),
        ({"curves": {}}, "curves must be a Dataset"),
        ({"curves": data, "metric": "recall"}, "metric must be 'accuracy', 'precision', "),
        ({"curves": data, "metric": "precision"}, "metric must be one that was measured, accuracy, overlap, not"),
        ({"curves": theory}, "curves must be what sf.retention returns, with run, cue, kind and age"),
        ({"curves": [data, data]}, "labels must be 2 different strings"),
        ({"curves": data, "labels": ["a", "b"]}, r"labels must be one string, not \['a', 'b'\]"),
        ({"curves": data, "labels": 3}, "labels must be a string, or several in a list, not 3"),
        ({"curves": data, "theory": [theory, theory]}, "theory must be one dataset, not 2"),
        (
            {"curves": {"a": data, "b": data}, "theory": [theory]},
            "theory must be 2 datasets, one for each of the curves, not 1",
        ),
        ({"curves": data, "theory": [3]}, r"theory must be a Dataset, or several by label, not \[3\]"),
        ({"curves": [data, data], "labels": ["a", "a"]}, "labels must be 2 different strings, one for each, not"),
        ({"curves": data.sel(kind=["real"]), "metric": "raw_difference"}, "data must hold the kind 'pseudo'"),
        (
            {"curves": data.isel(run=[0]), "metric": "d_prime"},
            "curves must have at least 3 runs for d_prime, not 1",
        ),
        ({"curves": data, "theory": theory, "metric": "overlap"}, "theory must be None for 'overlap'"),
        ({"curves": data, "theory": data}, "theory must be what sf.predict_retention returns"),
        ({"curves": {"a": data}, "theory": {"b": theory}}, "theory must have labels of curves, a, not 'b'"),
        (
            {"curves": data, "theory": theory.assign_coords(cue=[0.9, 0.3])},
            "theory must have a cue level of the curves, which are at 1, 0.5, not only 0.9, 0.3",
        ),
        ({"curves": data, "theory": theory.isel(cue=0)}, "theory must have the dimensions cue and age, .*, not age"),
        ({"curves": data, "theory": theory.isel(cue=[])}, "theory must have at least one cue, not a dataset with"),
        ({"curves": data, "theory": theory.isel(age=[])}, "theory must have at least one age"),
        *[
            ({"curves": data.isel({dim: []})}, f"curves must have at least one {dim}, not a dataset with {dim}: 0")
            for dim in ("run", "cue", "kind", "age")
        ],
        ({"curves": data.isel(run=[]), "metric": "d_prime"}, "curves must have at least one run"),
    ]
    for arguments, message in cases:
        with pytest.raises((TypeError, ValueError), match=message):
            drawing.show_retention(**arguments)


def test_the_dataset_stays_as_it_is(data):
    before = data.copy(deep=True)
    drawing.show_retention(data, "d_prime")
    xr.testing.assert_identical(data, before)
