from pathlib import Path

import pytest

from mutation.operators import mutations
from mutation.record import DEFAULTS, RecordedTest, chosen_tests, items_of
from mutation.sample import KNOWN, key_of, sample, shares
from mutation.sources import Module, Package
from mutation.trial import Mutant, copy_package, verdict

SOURCE = Path(__file__).parents[2] / "src" / "slotfree"


@pytest.fixture(scope="module")
def package():
    return Package(SOURCE)


def test_a_total_is_shared_in_proportion():
    assert shares({"a": 50, "b": 30, "c": 20}, 10) == {"a": 5, "b": 3, "c": 2}
    assert shares({"a": 1, "b": 1, "c": 1}, 100) == {"a": 34, "b": 33, "c": 33}


def test_a_sample_follows_from_its_seed_and_has_every_room(package):
    some = [module for module in package.modules.values() if module.room in ("runs", "report", "patterns")]
    one, same, other = (sample(some, 20, seed) for seed in (0, 0, 1))
    assert one == same != other
    assert len(set(one)) == 20
    assert {mutant.module.room for mutant in one} == {"runs", "report", "patterns"}


def test_what_is_compiled_from_a_changed_kernel_is_forgotten(package, tmp_path):
    """Numba would not notice that a kernel changed which another one calls."""
    holders = package.holders("kernels.arithmetic.winners")
    assert {"kernels.arithmetic.winners", "kernels.memory.kwinner", "kernels.memory.code_layer"} <= holders
    assert "kernels.theory.exponential_tilts" not in holders
    assert "kernels.attention.training" in package.holders("kernels.attention.key_rules"), "rules are chosen elsewhere"
    assert package.holders("memory.base") == set()
    kept = tmp_path / "package" / "kernels" / "arithmetic" / "__pycache__"
    kept.mkdir(parents=True)
    for name in ("winners.turn-1.py311.nbi", "tilts.newton-1.py311.1.nbc", "winners.cpython-311.pyc"):
        (kept / name).touch()
    copy_package(tmp_path / "package", tmp_path / "copy", {"kernels.arithmetic.winners"})
    left = {path.name for path in (tmp_path / "copy" / "kernels" / "arithmetic" / "__pycache__").iterdir()}
    assert left == {"tilts.newton-1.py311.1.nbc", "winners.cpython-311.pyc"}


def test_tests_that_call_the_function_are_run_the_quickest_file_first(package):
    source = "x = 1\n\ndef f():\n    return 2\n\ndef g():\n    return 3\n"
    module = Module("room.part", Path("room/part.py"), source)

    def test(name, seconds, *functions):
        return RecordedTest(name, seconds, frozenset(functions))

    slow = test("tests/a.py::slow", 2.0, "room.part:f")
    quick = test("tests/b.py::quick", 1.0, "room.part:f")
    other = test("tests/b.py::other", 0.1, "room.part:g")
    own = test("tests/room/test_part.py::own", 3.0, "room.part:f")
    endless = test("tests/a.py::endless", 1e6, "room.part:f")
    tests = [slow, quick, other, own, endless]
    in_f = next(one for one in mutations(source) if one.function == "f")
    of_defaults, *others = chosen_tests(module, in_f, tests, package)
    assert (of_defaults.name, others) == (DEFAULTS, [own, quick, slow]), "a constant may be a default"
    assert {own, quick, slow, other} < set(chosen_tests(module, mutations(source)[0], tests, package))
    user = test("tests/c.py::user", 1.0, "memory.kwinner:f")
    base = package.modules["memory.base"]
    assert user in chosen_tests(base, in_f, [user], package)


def test_items_meet_mutants_of_what_they_use(package):
    def of(module, function):
        return [test.name for test in items_of(package.modules[module], function, package)]

    settings, figure, numbers = of("paper.figures.fig4", "draw")[:3]
    assert settings.endswith("test_experiments_and_judges_are_as_recorded")
    assert (figure[-6:], numbers[-6:]) == ("[fig4]", "[fig4]")
    assert of("beyond.theoryK2", "")[0].startswith("tests/beyond/test_studies.py")
    assert of("drawing.picture", "Picture.across")[0].endswith("[baselines]"), "others do not call it"
    assert of("paper.figures.small", "near_perfect")[1].endswith("[figS2]"), "its finding is drawn with this item"
    assert of("cli.main", "main") == []


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, "", (False, "survived")),
        (1, "FAILED tests/a.py::test_b[of words] - assert 1 - 1\n", (True, "tests/a.py::test_b[of words]")),
        (2, "ERROR tests/a.py\n", (True, "tests/a.py")),
        (4, "ImportError while loading conftest '/a/tests/b/conftest.py'.\n", (True, "tests/b/conftest.py")),
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


def test_the_known_equivalents_are_there(package):
    """A line that has changed since takes its equivalents with it."""
    modules = {package.modules[name] for name, _, _ in KNOWN}
    there = {key_of(Mutant(module, one)) for module in modules for one in mutations(module.source)}
    assert there >= KNOWN
