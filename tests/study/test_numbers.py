import pytest

from slotfree.study import number_format as numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (float("nan"), "nan"),
        (-float("inf"), "−inf"),
        (1.0, "1"),
        (0.987654, "0.9877"),
        (-774.92, "−774.9"),
        (9999.4, "9999"),
        (14_000, "14,000"),
        (2.5e-4, "0.00025"),
        (6.556e-16, "6.56×10⁻¹⁶"),
        (-3e7, "−3×10⁷"),
        (1e-9, "10⁻⁹"),
        (-1e9, "−10⁹"),
        (1.1e-9, "1.1×10⁻⁹"),
    ],
)
def test_numbers(value, text):
    assert numbers.number(value) == text


def test_intervals_limits_and_times():
    ends = [[0.5, None], [None, -0.5], [0.25, 1.0], [2.0, 2.0], [None, None]]
    assert [numbers.limits(e) for e in ends] == ["from 0.5", "up to −0.5", "0.25 to 1", "2", "any"]
    assert [numbers.interval(e) for e in ends] == ["from 0.5", "up to −0.5", "0.25 to 1", "2", "not known"]
    times = [0.04, 54.1, 99.4, 150.0, 8000.0]
    assert [numbers.duration(t) for t in times] == ["0.0 s", "54 s", "99 s", "2.5 min", "2.2 h"]
    assert [numbers.value(v) for v in (None, "as printed", 16, "")] == ["no finite number", "as printed", "16", ""]
