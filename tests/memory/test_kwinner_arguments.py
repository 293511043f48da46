"""Every wrong argument, and the message that tells what would be right."""

import numpy as np
import pytest

import slotfree as sf

SMALL = {"n_visible": 20, "n_hidden": 10, "k_visible": 4, "k_hidden": 2, "fan_in": 0.5, "learning_rate": 0.3}


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_visible": 0}, ValueError, "n_visible must be an integer from 1 to 2147483647, not 0"),
        ({"n_visible": "20"}, TypeError, "n_visible must be an integer from 1 to 2147483647, not '20'"),
        ({"n_hidden": -3}, ValueError, "n_hidden must be an integer from 1 to 2147483647, not -3"),
        ({"n_hidden": 10.5}, TypeError, "n_hidden must be an integer from 1 to 2147483647, not 10.5"),
        ({"k_visible": 21}, ValueError, "k_visible must be an integer from 1 to n_visible = 20, not 21"),
        ({"k_visible": 0}, ValueError, "k_visible must be an integer from 1 to n_visible = 20, not 0"),
        ({"k_hidden": 11}, ValueError, "k_hidden must be an integer from 1 to n_hidden = 10, not 11"),
        ({"k_hidden": 0.05}, TypeError, "k_hidden must be an integer from 1 to n_hidden = 10, not 0.05"),
        ({"fan_in": 0}, ValueError, r"fan_in must be a number in \(0, 1\], not 0"),
        ({"fan_in": 1.01}, ValueError, r"fan_in must be a number in \(0, 1\], not 1.01"),
        ({"fan_in": "all"}, TypeError, r"fan_in must be a number in \(0, 1\], not 'all'"),
        ({"fan_in": True}, TypeError, r"fan_in must be a number in \(0, 1\], not True"),
        ({"fan_in": 0.01}, ValueError, r"fan_in=0.01 leaves hidden units no connections \(n_visible=20\); use ≥ 0.025"),
        ({"learning_rate": 0}, ValueError, r"learning_rate must be a number in \(0, 1\], not 0"),
        ({"learning_rate": 2}, ValueError, r"learning_rate must be a number in \(0, 1\], not 2"),
        ({"learning_rate": float("nan")}, ValueError, r"learning_rate must be a number in \(0, 1\], not nan"),
        ({"learning_rate": 1e-50}, ValueError, "learning_rate must be large enough for float32 weights, not 1e-50"),
        ({"tied": 1}, TypeError, "tied must be True or False, not 1"),
        ({"tied": "yes"}, TypeError, "tied must be True or False, not 'yes'"),
        ({"storing": "worst"}, ValueError, "storing must be 'best' or 'random', not 'worst'"),
        ({"storing": None}, ValueError, "storing must be 'best' or 'random', not None"),
        (
            {"fan_in": 10**5000},
            ValueError,
            r"fan_in must be a number in \(0, 1\], not a int that cannot be shown",
        ),
        (
            {"n_visible": 2**31 - 1, "fan_in": 1e-9, "n_hidden": 2},
            ValueError,
            "n_visible = 2147483647 units are too many for 4 synapses, which could reach few of them; raise fan_in",
        ),
        ({"seed": -1}, ValueError, "seed must be an integer ≥ 0, not -1"),
        ({"seed": "zero"}, TypeError, "seed must be an integer, a numpy.random.SeedSequence or a numpy.random"),
        (
            {"n_visible": 10**6, "n_hidden": 10**4},
            ValueError,
            "n_hidden = 10000 units of 500000 connections make 5000000000 synapses; at most 4294967295",
        ),
    ],
)
def test_construction(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.KWinnerMHN(**(SMALL | {"seed": 0} | wrong))


def test_the_seed_must_be_given():
    with pytest.raises(TypeError, match=r"seed must be an integer, .*, not None: KWinnerMHN\(\.\.\., seed=0\)$"):
        sf.KWinnerMHN(**SMALL)


@pytest.mark.parametrize("method", ["store", "retrieve", "hidden"])
@pytest.mark.parametrize(
    ("patterns", "error", "message"),
    [
        (np.zeros(19), ValueError, r"must have the shape \(20,\) or \(T, 20\), not \(19,\)"),
        (np.zeros((20, 3)), ValueError, r"must have the shape \(20,\) or \(T, 20\), not \(20, 3\)"),
        (np.zeros((1, 2, 20)), ValueError, r"must have the shape \(20,\) or \(T, 20\), not \(1, 2, 20\)"),
        (1, ValueError, r"must have the shape \(20,\) or \(T, 20\), not \(\)"),
        (np.full(20, 2, np.uint8), ValueError, r"must hold only 0 and 1, not \w+\[0\] = 2"),
        (np.diag([1] * 19 + [0.5]), ValueError, r"must hold only 0 and 1, not \w+\[19, 19\] = 0.5"),
        (np.full(20, 2, np.uint8).view(bool), ValueError, r"must hold only 0 and 1, not \w+\[0\] = 2"),
        ([[0] * 20, [1]], ValueError, r"must have the shape \(20,\) or \(T, 20\), not rows of different lengths"),
        (np.full(20, np.nan), ValueError, r"must hold only 0 and 1, not \w+\[0\] = nan"),
        (np.full(20, -1), ValueError, r"must hold only 0 and 1, not \w+\[0\] = -1"),
        (np.zeros(20, complex), TypeError, "must hold numbers 0 and 1, not complex128"),
        (["0"] * 20, TypeError, "must hold numbers 0 and 1, not <U1"),
        ([None] * 20, TypeError, "must hold numbers 0 and 1, not object"),
    ],
)
def test_patterns_and_cues(method, patterns, error, message):
    memory = sf.KWinnerMHN(**SMALL, seed=0)
    before = memory.weights
    name = "patterns" if method == "store" else "cues"
    with pytest.raises(error, match=f"{name} {message}"):
        getattr(memory, method)(patterns)
    np.testing.assert_array_equal(memory.weights, before)
    assert memory.n_stored == 0


@pytest.mark.parametrize(("threads", "error"), [(0, ValueError), (1.5, TypeError), (None, TypeError)])
def test_threads(threads, error):
    memory = sf.KWinnerMHN(**SMALL, seed=0)
    for method in (memory.retrieve, memory.hidden):
        with pytest.raises(error, match=f"threads must be an integer ≥ 1, not {threads}"):
            method(np.zeros(20), threads=threads)


def test_fan_in_is_rounded_to_whole_connections():
    assert sf.KWinnerSettings(n_visible=37, k_visible=3, fan_in=0.3).n_connections == 11
    assert sf.KWinnerSettings(n_visible=10, k_visible=3, fan_in=0.25).n_connections == 3
    assert sf.KWinnerSettings().n_connections == 50
