"""Each way in which a file is not a study has a message of its own."""

import sys
from importlib import import_module

import pytest
from small_studies import ZERO, item

from slotfree.study import Study, unjudged
from slotfree.study.load import StudyError, load_study, modules_of
from slotfree.study.study import together

PAPER = "slotfree.paper.text.s2_random"

GOOD = """
from slotfree.study import Experiment, Item, Study

def run(seed):
    return {"x": 1.0}

ITEM = Item(name="a", title="A", text="B.", alt="C.", experiments=(Experiment("e", run, 2),), draw=print, claims=print)
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)

    def write(text, name="own_study.py"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_study(path)

    yield write
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_a_study_and_its_module(load, tmp_path):
    study = load(GOOD + "STUDY = Study('Mine', (ITEM,))")
    (module,) = modules_of(study)
    assert (study.title, study.names, module.__name__) == ("Mine", ("a",), "own_study")
    assert sys.modules["own_study"] is module


def test_it_may_import_what_lies_beside_it(load, tmp_path):
    (tmp_path / "beside_own.py").write_text("TITLE = 'From beside'")
    study = load(GOOD + "from beside_own import TITLE\nSTUDY = Study(TITLE, (ITEM,))")
    assert study.title == "From beside"


@pytest.mark.parametrize("name", ["numpy", "wave", "statistics"])
def test_it_hides_no_other_module(load, name):
    """Also one that is imported later."""
    (module,) = modules_of(load(GOOD + "STUDY = Study('Mine', (ITEM,))", f"{name}.py"))
    assert module.__name__ == f"study_{name}"
    assert str(getattr(sys.modules.get(name), "__file__", "")) != module.__file__


def test_it_can_be_loaded_again_after_a_change(load):
    load(GOOD + "STUDY = Study('One', (ITEM,))")
    assert load(GOOD + "STUDY = Study('Another one', (ITEM,))").title == "Another one"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"own_study.py defines no STUDY; a study file says: STUDY = Study\(title=..., items=\(Item"),
        (GOOD, r"own_study.py defines no STUDY; it has the items ITEM: make them a study; a study file says"),
        ("STUDY = 3", r"STUDY in .*own_study.py must be a Study, not a int"),
        (GOOD + "STUDY = ITEM", r"STUDY in .* must be a Study, not a Item"),
        (GOOD + "STUDY = Study('x', ())", r"items of STUDY in .* must be a tuple of at least one Item"),
        (GOOD + "STUDY = Study('x', [ITEM])", r"items of STUDY in .* must be a tuple of at least one Item"),
        (GOOD + "STUDY = Study('x', (3,))", r"items of STUDY in .* must be Items, not a int"),
        (GOOD + "STUDY = Study('x', (ITEM, ITEM))", r"must have different names, but two are called 'a'"),
        (
            GOOD.replace('("e", run', '("e", {1}.union') + "STUDY = Study('x', (ITEM,))",
            r"experiment 'e' in .* cannot be run: what a run does must be a function at the top of a file",
        ),
        (
            GOOD + "STUDY = Study('x', (ITEM,), text=(3,))",
            r"text of STUDY .* must be sentences, such as says\(...\), not 3",
        ),
        (GOOD + "STUDY = Study('', (ITEM,))", r"title of STUDY in .* must be a few words, not ''"),
        ("x = 1\ny = x / 0", r"own_study.py cannot be run: own_study.py, line 2: ZeroDivisionError: division by zero"),
        ("x = 1\nif x\n", r"own_study.py cannot be run: own_study.py, line 2: SyntaxError: expected ':'"),
        ("import no_such_module", r"line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("import sys\nsys.exit('bye')", r"own_study.py, line 2: SystemExit: bye"),
        (b"x = '\xff'", r"own_study.py cannot be run: .*SyntaxError"),
        ("from slotfree.study import Nothing", r"line 1: ImportError: cannot import name 'Nothing'"),
        (
            GOOD.replace('title="A"', 'title=""'),
            r"line 7: ValueError: title of the item 'a' must be a sentence",
        ),
        (GOOD.replace("claims=print", "claims=3"), r"claims of the item 'a' must be a tuple of such as more"),
        (GOOD.replace(", 2),)", ", 2))"), r"experiments of the item 'a' must be a tuple of Experiment, not E"),
        (GOOD.replace('name="a"', 'name="a b"'), r"name must be a string of letters, .* not 'a b'"),
    ],
)
def test_what_is_not_a_study_is_told(load, text, message):
    with pytest.raises(StudyError, match=message):
        load(text)
    assert "own_study" not in sys.modules or hasattr(sys.modules["own_study"], "__file__")


def test_what_is_not_a_file_is_told(tmp_path, load):
    with pytest.raises(StudyError, match="is a directory; name the Python file in it"):
        load_study(tmp_path)
    with pytest.raises(StudyError, match=r"there is no file .*nowhere.py"):
        load_study(tmp_path / "nowhere.py")
    with pytest.raises(StudyError, match=r"a study is a Python file, such as my_study.py, not .*study.toml"):
        load("x = 1", "study.toml")


def test_a_study_chooses_items_in_its_own_order():
    first, second = item("first", ZERO), item("second", ZERO)
    both = Study("Both", (first, second))
    assert both.chosen(["second", "first"]) == both.chosen() == [first, second]
    assert both.item("second") is second
    with pytest.raises(ValueError, match="item must be one of first, second, not 'third'"):
        both.chosen(["first", "third"])


TEXT = """
from slotfree.study import defines, more, says, unjudged
JUDGE = more("a.x", lambda r: [1, 2], 0, "x")
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("says('It rains.', own.trace)", "NameError: name 'own' is not defined"),
        ("says('It rains.', sys.trace)", "AttributeError: module 'sys' has no attribute 'trace'"),
        ("says('It rains.', JUDGE), says('It pours.', more('a.x', print, 0, 'y'))", "is also the name of another"),
        ("says('It rains.', more('b.x', print, 0, 'y')),", "'b.x' names no item of the study"),
        ("defines('Rain is water.', 'tests/test_x.py::test_y'),", "held_by must be a test"),
    ],
)
def test_a_sentence_that_nothing_can_judge_is_refused_with_file_and_line(load, text, message):
    whole = GOOD + TEXT + f"import sys\nSTUDY = Study('x', (ITEM,), text=({text}))"
    number = whole.splitlines().index(f"STUDY = Study('x', (ITEM,), text=({text}))") + 1
    with pytest.raises(StudyError, match=rf"own_study\.py, line {number}: .*{message}"):
        load(whole)


def test_sentences_are_those_given_and_those_of_modules_and_studies_together_have_all():
    own = unjudged("It rains.", "a wish")
    first, second = Study("A", (item("a", ZERO),), text=(own,)), Study("B", (), text=(PAPER,))
    assert first.sentences() == [own]
    assert together("Both", first, second).sentences() == [own, *import_module(PAPER).SENTENCES]
