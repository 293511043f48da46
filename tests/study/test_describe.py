"""The identity of a run: a change of what is computed changes it, anything else does not."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from numpy import exp

from slotfree.memory.kwinner import KWinnerSettings
from slotfree.patterns.random import random_patterns
from slotfree.study import Retention
from slotfree.study.describe import described

FILE = """
from dataclasses import dataclass
from functools import cache, partial
from numba import njit
from numpy import mean as average
import numpy as np

RATE = 0.5
SIZES = (3, 4)
TABLE = {}

def helper(x):
    return RATE * x

@njit
def kernel(x):
    return x + 1.0

@cache
def remembered(x):
    return x + 2

class Base:
    offset = 1

class Memory(Base):
    def store(self, patterns):
        self.kept = helper(patterns)  # keep them

@dataclass(frozen=True)
class Run:
    n: int = 3

    def __call__(self, seed):
        memory = Memory()
        memory.store(np.ones(SIZES))
        return {"x": average(memory.kept) + kernel(1.0) + remembered(1) + len(TABLE)}

def again(seed):
    return TABLE["again"](seed) if seed else Run()(seed)

TABLE["again"] = again

def draw(r):
    return "a figure"

def keeps(n):
    def run(seed):
        return {"x": np.full(n, RATE)}
    return run
"""


@pytest.fixture(autouse=True)
def no_modules_left():
    yield
    for name in ("own_study", "beside"):
        sys.modules.pop(name, None)


def module_of(tmp_path, text, name="own_study"):
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def identity(tmp_path):
    """A function that tells what a run of the file is, after a change to it."""
    count = iter(range(100))

    def make(old="", new="", run="Run()"):
        assert old in FILE
        folder = tmp_path / str(next(count))  # Python remembers the lines of a file
        folder.mkdir()
        module = module_of(folder, FILE.replace(old, new) if old else FILE)
        return json.dumps(described(eval(run, vars(module))), sort_keys=True)

    return make


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n: int = 3", "n: int = 4"),
        ("memory = Memory()", "memory = Memory(); memory.kept = 0"),
        ("RATE * x", "RATE * x + 1"),
        ("RATE = 0.5", "RATE = 0.6"),
        ("SIZES = (3, 4)", "SIZES = (4, 3)"),
        ("offset = 1", "offset = 2"),
        ("x + 1.0", "x + 1.5"),
        ("x + 2", "x + 3"),
        ("from numpy import mean as average", "from numpy import median as average"),
        ('TABLE["again"] = again', 'TABLE["other"] = again'),
    ],
)
def test_a_change_of_what_it_computes_changes_it(identity, old, new):
    assert identity(old, new) != identity()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # keep them", ""),
        ("RATE = 0.5", "RATE   =   0.5  # slow"),
        ('return "a figure"', 'return "another figure"'),
        ("\nSIZES", "\n\n\nSIZES"),
        ("def draw", "UNUSED = 3\n\ndef draw"),
        ("TABLE = {}", "TABLE = dict()"),
    ],
)
def test_comments_layout_drawing_and_what_is_not_used_do_not(identity, old, new):
    assert identity(old, new) == identity()


@pytest.mark.parametrize("run", ["again", "keeps(3)", "partial(keeps(2), 0)", "Run().__call__", "kernel", "remembered"])
def test_functions_methods_and_closures_are_described(identity, run):
    """Also one that reaches itself through a table."""
    assert identity(run=run) == identity(run=run)
    assert identity(run=run) != identity("RATE = 0.5", "RATE = 0.6", run) or run in ("kernel", "remembered")


def test_what_a_closure_keeps_matters(identity):
    assert identity(run="keeps(3)") != identity(run="keeps(4)")


@pytest.mark.parametrize(
    "text", ["import beside\ndef run(seed):\n    return beside.twice(seed)", "from beside import twice as run"]
)
def test_the_code_of_a_module_beside_it_matters(tmp_path, text):
    found = []
    for number, factor in enumerate((2, 2, 3)):
        folder = tmp_path / str(number)
        folder.mkdir()
        module_of(folder, f"# {number}\ndef twice(x):\n    return {factor} * x\n", "beside")
        found.append(json.dumps(described(module_of(folder, text).run)))
    assert found[0] == found[1] != found[2]


def test_what_studies_build_on_is_described_by_name():
    """A hash of all of it is part of a run's identity: see test_code."""
    found = described(Retention(KWinnerSettings(), partial(random_patterns, n_visible=1000, k_visible=100)))
    assert found["is"] == "Retention"
    assert found["memory"]["is"] == "KWinnerSettings"
    assert found["source"]["partial"] == {"is": "random_patterns"}
    assert "code" not in json.dumps([found["memory"], found["source"]])


def test_it_is_the_same_in_every_process(tmp_path):
    """Also for a lambda within an expression, whose code is only known compiled."""
    text = "RUNS = [\n lambda seed: {'x': [n for n in range(3)]}, lambda seed: (lambda x: x)(seed)]\n"
    (tmp_path / "own_lambdas.py").write_text(text)
    code = "import json, own_lambdas; from slotfree.study.describe import described; "
    code += "print(json.dumps(described(own_lambdas.RUNS)))"
    told = {subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path) for _ in range(2)}
    assert len(told) == 1
    first, second = json.loads(told.pop())
    assert first["code"] != second["code"]


def test_arrays_are_described_by_their_numbers():
    x = np.arange(6.0).reshape(2, 3)
    others = [x.reshape(3, 2), x + 1, x.astype(np.float32), x.view(np.int64)]
    assert described(x) == described(x.copy(order="F"))
    assert all(described(other) != described(x) for other in others)
    assert described(np.float64(2.0)) == 2.0


@dataclass(frozen=True)
class Holder:
    what: object


@pytest.mark.parametrize("what", [object(), {1, 2}, np.array([object()]), exp])
def test_what_cannot_be_described_is_refused(what):
    with pytest.raises(
        TypeError, match="what a run does must be a function at the top of a file or a frozen dataclass"
    ):
        described(Holder(what))
