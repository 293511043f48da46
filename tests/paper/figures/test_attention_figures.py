"""Figures and tables of the attention items, from few and short made-up runs: what is drawn is recorded."""

import numpy as np
import pytest
from trained import DESCRIBED, results

from slotfree.attention.measures import smoothed
from slotfree.paper import STUDY
from slotfree.paper.figures import fig7
from slotfree.paper.shared.transformers import ALL
from slotfree.study.train_runs import weights_at

SMALL = results(ALL, DESCRIBED, runs=3, iterations=400)


@pytest.fixture(scope="module")
def pictures():
    return {name: STUDY.item(name).draw(SMALL) for name in ("fig7", "figS9", "figS12")}


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
