import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from slotfree.sweep.parameters import Parameter, SweepError, named
from slotfree.sweep.values import spread, values_of

WHOLE = Parameter("k_hidden", "whole", "")
NUMBER = Parameter("fan_in", "number", "")
NUMBERS = st.floats(-1e6, 1e6)
POSITIVE = st.floats(1e-9, 1e9)


@pytest.mark.parametrize(
    ("parameter", "text", "values"),
    [
        (NUMBER, "0.1,0.3,1", (0.1, 0.3, 1.0)),
        (NUMBER, " 0.3 , 0.1,0.3", (0.3, 0.1)),
        (NUMBER, "0.1:0.5:5", (0.1, 0.2, 0.3, 0.4, 0.5)),
        (NUMBER, "0.001:1:4log", (0.001, 0.01, 0.1, 1.0)),
        (NUMBER, "1:0:3,5e-1,7", (1.0, 0.5, 0.0, 7.0)),
        (NUMBER, [0.1, 1, "2:3:2"], (0.1, 1.0, 2.0, 3.0)),
        (WHOLE, "10:200:5", (10, 58, 105, 153, 200)),
        (WHOLE, "10:1000:3log", (10, 100, 1000)),
        (WHOLE, "1:3:9", (1, 2, 3)),
        (WHOLE, "1e3", (1000,)),
        (WHOLE, 50, (50,)),
        (WHOLE, [50.0, "60"], (50, 60)),
        (named("memory")["source"], "random,tree:010,clusters:5:50", ("random", "tree:10", "clusters:5:50")),
        (named("transformer")["key_rule"], "mhn,query-key", ("mhn", "query-key")),
        (named("transformer")["input_projections"], [True, False], ("yes", "no")),
        (named("transformer")["input_projections"], "no", ("no",)),
    ],
)
def test_values_as_people_write_them(parameter, text, values):
    found = values_of(parameter, text)
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


@given(low=NUMBERS, high=NUMBERS, count=st.integers(2, 60))
@example(low=0.1, high=0.1 + 1e-16, count=5)
def test_a_range_runs_from_end_to_end_in_equal_steps(low, high, count):
    numbers = spread(low, high, count)
    assert (numbers[0], numbers[-1], len(numbers)) == (low, high, count)
    assert numbers == sorted(numbers, reverse=high < low)
    step = (high - low) / (count - 1)
    for i, number in enumerate(numbers):
        assert math.isclose(number, low + i * step, rel_tol=1e-11, abs_tol=1e-11 * max(abs(low), abs(high), 1e-300))
    assert values_of(NUMBER, f"{low!r}:{high!r}:{count}") == tuple(dict.fromkeys(numbers))


@given(low=POSITIVE, high=POSITIVE, count=st.integers(2, 60))
def test_a_logarithmic_range_has_equal_ratios(low, high, count):
    numbers = spread(low, high, count, log=True)
    assert (numbers[0], numbers[-1], len(numbers)) == (low, high, count)
    for i, number in enumerate(numbers):
        assert math.isclose(number, low * (high / low) ** (i / (count - 1)), rel_tol=1e-10)


@given(low=st.integers(1, 1000), high=st.integers(1, 1000), count=st.integers(2, 40), log=st.booleans())
def test_ranges_of_whole_numbers_are_the_rounded_ones_each_once(low, high, count, log):
    found = values_of(WHOLE, f"{low}:{high}:{count}{'log' if log else ''}")
    assert all(type(value) is int for value in found)
    assert len(set(found)) == len(found)
    exact = spread(float(low), float(high), count, log)
    assert all(min(abs(value - number) for number in exact) <= 0.5 for value in found)
    assert all(min(abs(value - number) for value in found) <= 0.5 for number in exact)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("k_hidden", "ten", "k_hidden must be integers, such as 10,50,200 or .*, not 'ten'$"),
        ("k_hidden", "1.5", "k_hidden must be integers.* not '1.5'$"),
        ("k_hidden", True, "k_hidden must be integers.* not True$"),
        ("k_hidden", "", "k_hidden must be integers.* not ''$"),
        ("k_hidden", "1,,2", "k_hidden must be integers.* not '1,,2'$"),
        ("k_hidden", [], r"k_hidden must be integers.* not \[\]$"),
        ("k_hidden", {"a": 1}, "k_hidden must be integers.* not {'a': 1}$"),
        ("fan_in", "0.1:1", "fan_in must be numbers, such as 0.1,0.3,1 or .*, not '0.1:1'$"),
        ("fan_in", "0.1:1:1", "not '0.1:1:1': a range must have from 2 to 10,000 values"),
        ("fan_in", "0.1:1:99999", "a range must have from 2 to 10,000 values"),
        ("fan_in", "0:1:3log", "the ends of a logarithmic range must be above 0"),
        ("fan_in", "0.1:1:3ln", "not '0.1:1:3ln': the last part of a range says how many values it has"),
        ("fan_in", "0:1:1e8", "not '0:1:1e8': the last part of .* an integer from 2 to 10,000$"),
        ("fan_in", "0:1:10000,0:2:10000", "there may be at most 10,000 values$"),
        ("fan_in", "nan", "fan_in must be numbers.* not 'nan'$"),
        ("fan_in", "1e999", "fan_in must be numbers.* not '1e999'$"),
        ("fan_in", 10**400, "fan_in must be numbers.* not 1000"),
        ("source", "tree", "source must be random, tree:B or clusters:B:N with B flips .*, not 'tree'$"),
        ("source", "clusters:5:0", "source must be random, tree:B .* not 'clusters:5:0'$"),
        ("source", 3, "source must be random, tree:B .* not 3$"),
    ],
)
def test_wrong_values_are_refused(name, given, message):
    with pytest.raises(SweepError, match=message):
        values_of(named("memory")[name], given)


def test_any_word_is_taken_where_the_model_checks_it():
    slow_rule = named("memory")["slow_rule"]
    assert values_of(slow_rule, "contrastive,other") == ("contrastive", "other")
    with pytest.raises(SweepError, match="slow_rule must be words, separated by commas, not 'contrastive,'"):
        values_of(slow_rule, "contrastive,")


def test_wrong_words_are_refused():
    with pytest.raises(SweepError, match="key_rule must be fixed, mhn or query-key, not 'qk'"):
        values_of(named("transformer")["key_rule"], "qk")
