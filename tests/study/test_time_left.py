from slotfree.study.time_left import TimeLeft


def test_nothing_is_known_before_anything_is_finished():
    assert TimeLeft({"a": 3}).seconds is None


def test_time_left_follows_from_what_is_finished():
    left = TimeLeft({"a": 3, "b": 2})
    left.finished("a", 2.0)
    assert left.seconds == 2 * 2.0 + 2 * 2.0, "b counts as the average of the others"
    left.finished("b", 10.0)
    assert left.seconds == 2 * 2.0 + 1 * 10.0
    left.finished("a", 4.0)
    assert left.seconds == 1 * 3.0 + 1 * 10.0


def test_what_was_finished_before_tells_how_long_the_rest_takes():
    left = TimeLeft({"a": 2})
    left.finished("a", 5.0, was_missing=False)
    assert left.seconds == 10.0


def test_what_fails_is_not_waited_for():
    left = TimeLeft({"a": 2})
    left.finished("a", 5.0)
    left.dropped("a")
    assert left.seconds == 0
