import pytest

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture


def numbers(low, high):
    """What stands on a logarithmic axis, major and minor."""
    picture = Picture()
    axis = picture.axes[0, 0]
    log_scale(axis, "y")
    axis.set_ylim(low, high)
    picture.figure.canvas.draw()
    return [label.get_text() for label in axis.yaxis.get_ticklabels(which="both") if label.get_text()]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.9, 1100, ["1", "10", "100", "1000"]),
        (4, 600, ["5", "10", "20", "50", "100", "200", "500"]),
        (190, 620, ["200", "300", "400", "500", "600"]),
        (300, 410, ["300", "350", "400"]),
        (0.001, 1.5, ["0.001", "0.01", "0.1", "1"]),
        (5, 2e5, ["$10^{1}$", "$10^{2}$", "$10^{3}$", "$10^{4}$", "$10^{5}$"]),
        (3e5, 4e6, [r"$5\cdot10^{5}$", "$10^{6}$", r"$2\cdot10^{6}$"]),
    ],
)
def test_numbers_are_written_as_one_reads_them(low, high, expected):
    assert numbers(low, high) == expected


def test_an_axis_over_many_powers_has_a_few_of_them():
    assert len(numbers(1e-30, 1)) <= 9


def test_both_directions_and_shared_axes():
    picture = Picture(1, 2, sharey=True)
    for axis in picture.axes[0]:
        log_scale(axis, "xy")
        axis.set(xlim=(4, 60), ylim=(4, 60))
    picture.figure.canvas.draw()
    for axis in picture.axes[0]:
        assert [label.get_text() for label in axis.get_xticklabels()] == ["5", "10", "20", "50"]
    assert [label.get_text() for label in picture.axes[0, 0].get_yticklabels()] == ["5", "10", "20", "50"]
