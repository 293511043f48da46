from pathlib import Path

import pytest

from mutation.equivalents import known_equivalents
from mutation.operators import mutations
from mutation.record import RecordedTest, chosen_tests
from mutation.sample import sample, shares
from mutation.sources import Module, importers, modules, reached_from
from mutation.trial import Mutant, copy_package, verdict

PACKAGE = Path(__file__).parents[2] / "src" / "slotfree"


@pytest.fixture(scope="module")
def found():
    return modules(PACKAGE)


def test_a_total_is_shared_in_proportion():
    assert shares({"a": 50, "b": 30, "c": 20}, 10) == {"a": 5, "b": 3, "c": 2}
    assert shares({"a": 1, "b": 1, "c": 1}, 100) == {"a": 34, "b": 33, "c": 33}
    assert shares({"a": 0, "b": 7}, 5) == {"a": 0, "b": 5}


@pytest.mark.long
def test_a_sample_follows_from_its_seed_and_has_every_room(found):
    one, same, other = (sample(found.values(), 200, seed) for seed in (0, 0, 1))
    assert one == same != other
    assert len(set(one)) == 200
    assert {mutant.module.room for mutant in one} == {module.room for module in found.values()}


def test_what_is_compiled_from_a_changed_kernel_is_forgotten(found, tmp_path):
    """Numba would not notice that a kernel changed which another one calls."""
    users = importers(found["kernels.arithmetic.winners"], found)
    assert {"kernels.arithmetic.winners", "kernels.memory.kwinner", "kernels.memory.code_layer"} <= users
    assert "kernels.theory.exponential_tilts" not in users
    assert "kernels.attention.training" in importers(
        found["kernels.attention.key_rules"], found
    )  # a template, which is told what to call
    assert importers(found["memory.base"], found) == set()
    kept = tmp_path / "package" / "kernels" / "arithmetic" / "__pycache__"
    kept.mkdir(parents=True)
    for name in ("winners.turn-1.py311.nbi", "tilts.newton-1.py311.1.nbc", "winners.cpython-311.pyc"):
        (kept / name).touch()
    copy_package(tmp_path / "package", tmp_path / "copy", {"kernels.arithmetic.winners"})
    left = {path.name for path in (tmp_path / "copy" / "kernels" / "arithmetic" / "__pycache__").iterdir()}
    assert left == {"tilts.newton-1.py311.1.nbc", "winners.cpython-311.pyc"}


def test_everything_that_can_be_reached():
    assert reached_from({"a"}, {"a": {"b"}, "b": {"a", "c"}, "d": {"a"}}) == {"a", "b", "c"}


SOURCE = "x = 1\n\ndef f():\n    return 2\n\ndef g():\n    return 3\n"
MODULE = Module("room.part", Path("room/part.py"), SOURCE)


def test_tests_that_call_the_function_are_run_the_quickest_file_first():
    def test(name, seconds, *functions):
        return RecordedTest(name, seconds, frozenset(functions))

    slow = test("tests/a.py::slow", 2.0, "room.part:f")
    quick = test("tests/b.py::quick", 1.0, "room.part:f")
    other = test("tests/b.py::other", 0.1, "room.part:g")
    own = test("tests/room/test_part.py::own", 3.0, "room.part:f")
    endless = test("tests/a.py::endless", 1e6, "room.part:f")
    tests = [slow, quick, other, own, endless]
    in_f = next(one for one in mutations(SOURCE) if one.function == "f")
    assert chosen_tests(MODULE, in_f, tests) == [own, quick, slow]
    assert set(chosen_tests(MODULE, mutations(SOURCE)[0], tests)) == {own, quick, slow, other}
    user = test("tests/c.py::user", 1.0, "other.part:f")
    assert chosen_tests(MODULE, in_f, [user], {"room.part": {"some.room"}, "some.room": {"other.part"}}) == [user]
    assert chosen_tests(MODULE, in_f, [user], {"room.part": {"some.room"}}) == []


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, "", (False, "survived")),
        (1, "...\nFAILED tests/a.py::test_b - assert\n", (True, "tests/a.py::test_b")),
        (1, "FAILED tests/a.py::test_b[of words] - assert 1 - 1\n", (True, "tests/a.py::test_b[of words]")),
        (2, "ERROR tests/a.py\n", (True, "tests/a.py")),
        (-11, "", (True, "signal SIGSEGV")),
        (-24, "", (True, "timeout")),
        (None, "", (True, "timeout")),
    ],
)
def test_what_kills_a_mutant(code, output, expected):
    assert verdict(code, output) == expected


def test_tests_that_could_not_run_kill_nothing():
    with pytest.raises(RuntimeError, match="pytest ended with 4"):
        verdict(4, "usage")


def test_the_known_equivalents_are_there(found):
    """A line that has changed since takes its equivalents with it."""
    for known in known_equivalents():
        module = found[known.module]
        assert any(known.is_it(Mutant(module, one)) for one in mutations(module.source)), known
        assert known.reason
