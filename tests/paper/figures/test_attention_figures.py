"""Figures and tables of the attention items, from few and short made-up runs: what is drawn is recorded."""

import matplotlib as mpl
import numpy as np
import pytest
from legibility import letters_as_read, touching_words
from paper.judged import verdicts_of
from trained import DESCRIBED, results

from slotfree.attention.measures import smoothed
from slotfree.drawing.style import STYLE
from slotfree.paper import STUDY
from slotfree.paper.figures import fig7
from slotfree.paper.shared.transformers import ALL
from slotfree.paper.text import s1_introduction, s3_attention, s3_results, si_b5_dynamics, si_b_training
from slotfree.study.train_runs import weights_at

SMALL = results(ALL, DESCRIBED, runs=3, iterations=400)
ENTRIES = ["matrix", "row", "column", "value"]
QUARTILES = ["first_quartile", "third_quartile"]
CURVES = ["panel", "model", "iteration", "median", *QUARTILES]
LEARNING = {
    "": ["structure", "iteration", "median_share", *QUARTILES],
    "-run": ["quantity", "iteration", "mean"],
    "-weights": ["iteration", *ENTRIES],
}
PRINTED = {"": ["model", "statistic", "range", "printed", "measured", "low_99", "high_99"]}
COLUMNS = {
    "fig7": {
        "": ["model", "run", "ending_accuracy", "iteration_of_0.995"],
        "-curves": CURVES,
        "-overwritten": ["model", "run", "items_overwritten"],
    },
    "figS9": {"": ["model", *ENTRIES], "-accuracy": ["model", "iteration", "mean"]},
    "figS10": {"": ["model", *ENTRIES], "-accuracy": ["model", "iteration", "mean"]},
    "figS11": {"": ["model", "run", "ending_loss"], "-curves": CURVES},
    "figS12": LEARNING,
    "figS13": LEARNING,
    "tableS1": PRINTED,
    "tableS2": PRINTED,
    "tableS3": PRINTED,
}


@pytest.fixture(scope="module")
def pictures():
    return {name: STUDY.item(name).draw(SMALL) for name in COLUMNS}


def test_tables_have_their_columns(pictures):
    for name, picture in pictures.items():
        assert {table: list(rows[0]) for table, rows in picture.tables.items()} == COLUMNS[name]


def test_few_and_short_runs_are_judged_without_a_warning():
    texts = (s1_introduction, s3_attention, s3_results, si_b_training, si_b5_dynamics)
    for name in COLUMNS:
        assert verdicts_of(STUDY.item(name), SMALL, *texts)


def test_every_run_and_every_curve_is_recorded(pictures):
    tables = pictures["fig7"].tables
    assert len(tables[""]) == 3 * len(ALL)
    assert {row["iteration_of_0.995"] for row in tables[""]} == {"never"}
    for axis, (letter, models) in zip(pictures["fig7"].axes[1], fig7.NAMES.items(), strict=False):
        lines = {line.get_label(): line for line in axis.get_lines()}
        words = {text.get_text(): text.get_color() for text in axis.texts}
        for model in models:
            rows = [row for row in tables["-curves"] if (row["panel"], row["model"]) == (letter, model.name)]
            np.testing.assert_allclose(lines[model.label].get_ydata(), [row["median"] for row in rows], atol=1e-6)
            assert words[model.label] == lines[model.label].get_color()


@pytest.mark.parametrize("model", ["baseline-published", "baseline"])
def test_heat_maps_are_recorded(pictures, model):
    weights = weights_at(SMALL.data[model])[0]
    rows = [row for row in pictures["figS9"].tables[""] if row["model"] == model]
    values = {(row["row"], row["column"]): row["value"] for row in rows if row["matrix"] == "W_V"}
    assert values["A", "upper"] == pytest.approx(weights.W_V[1, 4], abs=1e-6)
    assert values["d", "lower"] == pytest.approx(weights.W_V[0, 3], abs=1e-6)
    queried = {(row["row"], row["column"]): row["value"] for row in rows if row["matrix"] == "W_Q^T W_K"}
    assert queried["C", "b?"] == pytest.approx(weights.query_key[9, 6], abs=1e-6)
    assert [len([r for r in rows if r["matrix"] == m]) for m in ("W_V", "W_Q^T W_K", "W_K^T W_K")] == [16, 32, 64]


def test_the_first_run_is_drawn(pictures):
    data = SMALL.data["baseline-published"]
    rows = [row["mean"] for row in pictures["figS12"].tables["-run"] if row["quantity"] == "loss"]
    np.testing.assert_allclose(rows, smoothed(data["loss"]).values[0], atol=1e-6)
    moments = {row["iteration"] for row in pictures["figS12"].tables["-weights"]}
    assert moments == {200}  # the other moments lie beyond the end


@pytest.mark.parametrize("name", ["fig7", "figS9", "figS11", "figS12", "figS13", "tableS1"])
def test_panels_are_read_in_the_order_of_their_letters(pictures, name):
    figure = pictures[name].figure
    figure.canvas.draw()
    assert letters_as_read(figure) == "ABCDEFGH"[: {"figS9": 8, "figS11": 2}.get(name, 4)]


@pytest.mark.parametrize("name", ["fig7", "figS9", "figS10", "figS11"])
def test_words_are_apart_from_each_other(name):
    with mpl.rc_context(STYLE):
        assert touching_words(STUDY.item(name).draw(SMALL).figure) == []
