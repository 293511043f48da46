from slotfree.study.running import TimeLeft


def test_nothing_is_known_before_each_group_has_two_times():
    left = TimeLeft({"a": 3, "b": 3})
    assert left.seconds is None
    for _ in range(2):
        left.finished("a", 2.0)
    left.finished("b", 30.0)
    assert left.seconds is None
    left.finished("b", 5.0)
    assert left.seconds == 1 * 2.0 + 1 * 5.0, "the longest time of b, a compilation perhaps, is left out"


def test_a_single_run_counts_as_the_average_of_the_others():
    left = TimeLeft({"a": 3, "b": 1})
    for seconds in (4.0, 2.0):
        left.finished("a", seconds)
    assert left.seconds == 1 * 2.0 + 1 * 2.0


def test_what_was_finished_before_tells_how_long_the_rest_takes():
    left = TimeLeft({"a": 2})
    for _ in range(2):
        left.finished("a", 5.0, was_missing=False)
    assert left.seconds == 10.0


def test_what_fails_is_not_waited_for():
    left = TimeLeft({"a": 2})
    left.finished("a", 5.0)
    left.dropped("a")
    assert left.seconds == 0
