"""Finished runs are done again when code changes that their numbers follow from, and only then."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import slotfree
from slotfree.cli.catalogue import EVERYTHING
from slotfree.study import describe
from slotfree.study.describe import APART, FOLLOWED, SEEDS, computing_code, syntax
from slotfree.study.scale import SCALES

PACKAGE = Path(slotfree.__file__).parent
QUICK = SCALES["quick"]


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of a part of the package, which a test may change and must restore."""
    path = tmp_path_factory.mktemp("copy") / "slotfree"
    for room in ("drawing", "kernels/arithmetic", "paper/figures", "report", "runs", "study"):
        shutil.copytree(PACKAGE / room, path / room, ignore=shutil.ignore_patterns("*.nb?", "__pycache__"))
    return path


@pytest.fixture
def computing(copied, monkeypatch):
    """A function that tells the hash of computing code after a change to one file of the copy."""
    monkeypatch.setattr(describe, "PACKAGE", copied)

    def hashed(file="", old="", new=""):
        if not file:
            return computing_code.__wrapped__()
        path = copied / file
        text = path.read_text() if path.exists() else ""
        assert old in text
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(old, new, 1) if old else new)
        try:
            return computing_code.__wrapped__()
        finally:
            path.write_text(text) if text else path.unlink()

    return hashed


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("kernels/arithmetic/winners.py", "MAX_BUCKETS = 1024", "MAX_BUCKETS = 512"),
        ("runs/seeds.py", "range(0, 16, 4)", "range(0, 8, 4)"),
        ("study/experiment.py", "or (self.name,)", "or (self.name, 1)"),
        ("rates/new_room.py", "", "RATE = 0.1"),
    ],
)
def test_a_change_of_what_computes_is_noticed(computing, file, old, new):
    assert computing(file, old, new) != computing()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("kernels/arithmetic/winners.py", "MAX_BUCKETS = 1024", "MAX_BUCKETS = 1024  # at most"),
        ("runs/seeds.py", "Return the seed sequence", "The seed sequence"),
        ("drawing/style.py", "import", "INK = 1\nimport"),
        ("report/page.py", "import", "INK = 1\nimport"),
        ("runs/store.py", "import", "INK = 1\nimport"),
        ("paper/figures/fig4.py", "import", "INK = 1\nimport"),
    ],
)
def test_comments_docstrings_drawing_and_reports_are_not(computing, file, old, new):
    assert computing(file, old, new) == computing()


NO_NUMBERS = (  # words about a run, whether it fits the machine, its progress, and in how many threads
    *("files/attributes.py", "files/saved_arrays.py", "available_memory.py"),
    *("display/progress.py", "runs/executor.py"),
)


def test_identities_are_the_same_in_every_process():
    names = ("fallback", "stackS4")
    script = (
        "import json, sys\nfrom slotfree.cli.catalogue import EVERYTHING\n"
        "for name in sys.argv[1:]:\n"
        "    print(json.dumps([e.identity(0) for e in EVERYTHING.item(name).experiments]))"
    )
    command = [sys.executable, "-c", script, *reversed(names)]
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    lines = subprocess.check_output(command, env=environment, text=True).splitlines()
    here = [json.dumps([e.identity(0) for e in EVERYTHING.item(name).experiments]) for name in reversed(names)]
    assert lines == here
    assert all("code" in each["run_does"] for line in here for each in json.loads(line)), "of our own studies"


def every_kind_of_run():
    """An experiment for each class of what runs do."""
    kinds = {}
    for item in EVERYTHING.chosen(()):
        for experiment in item.experiments:
            kinds.setdefault(type(experiment.run), experiment.at(QUICK))
    return kinds.values()


def called(work):
    """Our functions that are called: file in the package, and name."""
    found = set()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            found.add((Path(frame.f_code.co_filename).relative_to(PACKAGE), frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.long
def test_no_code_that_a_run_uses_goes_unnoticed(monkeypatch):
    """Every function of a study that is called while it runs belongs to something its identity is made of."""
    read, followed = describe._read, set()

    def noted(thing):
        followed.add(describe._label(thing))
        return read(thing)

    monkeypatch.setattr(describe, "_read", noted)
    for experiment in every_kind_of_run():
        followed.clear()
        experiment.identity(0)
        for file, name in called(lambda e=experiment: e.run(e.seed(0, 0))):
            if file.as_posix() in (*SEEDS, *NO_NUMBERS) or file.parts[0] not in (*FOLLOWED, *APART):
                continue
            assert file.parts[0] in FOLLOWED, f"{experiment.name} uses {file}, which is said to change no number"
            module = ".".join(("slotfree", *file.with_suffix("").parts)).removesuffix(".__init__")
            assert any(f"{module}.{name}.".startswith(f"{each}.") for each in followed), (experiment.name, file, name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f(a, b)", "f(a, *b)"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x[1:]", "x[:1]"),
        ("x[:1:]", "x[::1]"),
        ("def f(a, /, b): pass", "def f(a, b, /): pass"),
        ("def f(a, *, b): pass", "def f(a, b): pass"),
        ("{**a}", "{None: a}"),
        ("if a:\n  b\n  c", "if a:\n  b\nc"),
        ("for a in b:\n  c\nelse:\n  d", "for a in b:\n  c\n  d"),
        ("return_ = 'a'", "return_ = 'b'"),
        ("a < b < c", "(a < b) < c"),
        ("from . import a", "from .. import a"),
        ("from a import b as c", "from a import c as b"),
    ],
)
def test_syntax_tells_code_apart(one, other):
    assert syntax(ast.parse(one)) != syntax(ast.parse(other))


def test_syntax_leaves_out_layout_comments_and_docstrings():
    one = 'def f(a):\n  """Say it."""\n  x = [1,\n   2] # two\n  return x'
    assert syntax(ast.parse(one)) == syntax(ast.parse("def f(a):\n    x = [1, 2]\n    return x"))
