import matplotlib as mpl
import numpy as np
import pytest
import xarray as xr
from legibility import touching_words

from slotfree.drawing.style import STYLE
from slotfree.sweep.plots import colours_of, draw_memories, draw_transformers, some_of, values_in

CHOSEN = [{"learning_rate": rate, "k_hidden": k} for rate in (1.0, 0.1) for k in (10, 50)]


def rows_for(chosen, cues, half_lives):
    return [
        {"cue": cue, "initial_raw_difference": 0.1 * (i + 1), "initial_raw_difference_se": 0.01,
         "half_life": half_life, "half_life_se": 2.0, "n_tested": 300}
        for i, half_life in zip(range(len(chosen)), half_lives, strict=True) for cue in cues
    ]  # fmt: skip


def drawn(chosen, cues, half_lives):
    return draw_memories(chosen, rows_for(chosen, cues, half_lives), xr.Dataset(coords={"cue": list(cues)})).figure


def trained(ends):
    values = np.repeat(np.array(ends, float)[:, :, None], 10, axis=2)
    return xr.Dataset({"accuracy": (("point", "run", "iteration"), values)})


def test_each_memory_is_drawn_where_it_belongs():
    figure = drawn(CHOSEN, (1.0, 0.5), [400, 100, 50, 25])
    assert [axis.get_title() for axis in figure.axes] == ["100% cues", "50% cues"]
    for axis in figure.axes:
        places = [tuple(float(x[0]) for x in bar.lines[0].get_data()) for bar in axis.containers]
        assert np.allclose(places, [(0.1, 400), (0.2, 100), (0.3, 50), (0.4, 25)])
        colours = [bar.lines[0].get_color() for bar in axis.containers]
        markers = [bar.lines[0].get_marker() for bar in axis.containers]
        assert colours[0] == colours[1] != colours[2] == colours[3]
        assert markers[0] == markers[2] != markers[1] == markers[3]
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["learning_rate", "0.1", "1", "k_hidden", "10", "50"]


def test_points_that_differ_in_a_first_number_are_joined_in_its_order():
    (axis,) = drawn(CHOSEN, (1.0,), [400, 100, 50, 25]).axes
    joined = [line.get_xydata().tolist() for line in axis.lines if line.get_color() == "#BBBBBB"]
    assert np.allclose(joined, [[(0.3, 50), (0.1, 400)], [(0.4, 25), (0.2, 100)]])
    for chosen, half_lives in (([{"storing": "best"}, {"storing": "all"}], (4, 9)), (CHOSEN[::2], (np.nan, np.inf))):
        (axis,) = drawn(chosen, (1.0,), half_lives).axes
        assert "#BBBBBB" not in [line.get_color() for line in axis.lines], "words, and what is not known, are not"


def test_half_lives_that_are_not_known_are_counted():
    figure = drawn(CHOSEN, (1.0,), [np.inf, np.nan, 1, 25])
    (axis,) = figure.axes
    assert len(axis.containers) == 1, "infinite, NaN, and 1 ± 2 are left out"
    assert axis.texts[0].get_text().startswith("3 points have no known half-life")


@pytest.mark.parametrize("half_lives", [(400, 380, 420, 460), (400, 100, 50, 25), (2, 30, 900, 4000)])
def test_half_lives_are_written_out_and_apart(half_lives):
    with mpl.rc_context(STYLE):
        figure = drawn(CHOSEN, (1.0, 0.5), half_lives)
        figure.canvas.draw()
        numbers = [label.get_text() for label in figure.axes[0].yaxis.get_ticklabels(which="both") if label.get_text()]
        assert len(numbers) >= 3
        assert all(float(number) > 0 for number in numbers), "not 4 × 10²"
        assert touching_words(figure) == []


@pytest.mark.parametrize("n_swept", range(6))
def test_any_number_of_parameters_and_cues_can_be_drawn(n_swept):
    chosen = [{f"p{i}": value for i in range(n_swept)} for value in (1, 2, 3)]
    cues = tuple(0.2 * (i + 1) for i in range(max(1, n_swept)))
    figure = drawn(chosen, cues, [30, 20, 10])
    figure.canvas.draw()
    assert sum(axis.get_visible() for axis in figure.axes) == len(cues)
    words = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert ("not distinguished: p3" in words) == (n_swept == 4)


def test_every_run_of_a_transformer_is_drawn():
    ends = [[0.5, 0.7], [0.8, np.nan], [0.9, 1.0], [np.nan, np.nan]]
    figure = draw_transformers(CHOSEN, [], trained(ends)).figure
    (axis,) = figure.axes
    assert axis.get_xlabel() == "learning_rate"
    dots = sorted(
        (x, y) for line in axis.lines if line.get_marker() == "o" for x, y in zip(*line.get_data(), strict=True)
    )
    assert np.allclose(dots, [(0.1, 0.9), (0.1, 1.0), (1.0, 0.5), (1.0, 0.7), (1.0, 0.8)])
    lines = {line.get_label(): line.get_xydata().tolist() for line in axis.lines if line.get_marker() != "o"}
    assert lines["k_hidden 10"] == [[0.1, pytest.approx(0.95)], [1.0, pytest.approx(0.6)]]
    assert lines["k_hidden 50"] == [[1.0, pytest.approx(0.8)]]


def test_words_are_drawn_one_after_another_and_numbers_are_preferred():
    chosen = [{"key_rule": rule} for rule in ("mhn", "fixed", None)]
    figure = draw_transformers(chosen, [], trained([[0.5], [0.6], [0.7]])).figure
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["mhn", "fixed", "–"]
    both = [{"key_rule": rule, "n_hidden": n} for rule in ("mhn", "fixed") for n in (8, 16)]
    figure = draw_transformers(both, [], trained([[0.5]] * 4)).figure
    assert figure.axes[0].get_xlabel() == "n_hidden"
    figure = draw_transformers([{}], [], trained([[0.5, 0.6]])).figure
    assert sum(len(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "o") == 2


def test_wide_ranges_have_a_logarithmic_axis():
    for values, scale in (((0.001, 0.1), "log"), ((10, 50), "linear")):
        figure = draw_transformers([{"x": value} for value in values], [], trained([[0.5], [0.6]])).figure
        assert figure.axes[0].get_xscale() == scale


def test_values_their_colours_and_those_that_are_named():
    assert values_in([{"a": 3}, {"a": None}, {"a": 1}, {"a": 3}], "a") == [1, 3, None]
    assert values_in([{"a": "z"}, {"a": "b"}], "a") == ["z", "b"]
    assert len(set(colours_of(range(40)).values())) == 40
    assert len(set(colours_of([f"w{i}" for i in range(20)]).values())) == 20
    assert some_of([1, 2]) == [1, 2]
    chosen = some_of(range(100))
    assert (len(chosen), chosen[0], chosen[-1]) == (8, 0, 99)
