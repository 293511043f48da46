import ast
from pathlib import Path

import pytest

from mutation.operators import mutations

SOURCES = Path(__file__).parents[2] / "src" / "slotfree"


def changed(source):
    """What each mutation makes of a text."""
    return {mutation.applied(source) for mutation in mutations(source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a <= b < c", {"a < b < c", "a <= b <= c"}),
        ("(a) == (b)", {"a != b"}),
        ("a is not b", {"a is b"}),
        ("a not in b", {"a in b"}),
        ("a + b", {"a - b"}),
        ("ε * b", {"ε / b"}),
        ("a ** b", {"a * b"}),
        ("-a", {"a"}),
        ("x = 1", {"x = 0"}),
        ("x = 0.5", {"x = 1.5"}),
        ("x = -1", {"x = -0"}),
        ("x = 1e300", {"x = 2e+300"}),
        ("x = True", {"x = False"}),
        ("a and b or c", {"a or b or c", "(a and b) and c"}),
        ("not a", {"a"}),
        ("min(a, b)", {"pass", "max(a, b)"}),
        ("x = np.maximum(a, b)", {"x = np.minimum(a, b)"}),
        ("x = a[:n]", {"x = a[:n - 1]"}),
        ("x = a[i if b else j :]", {"x = a[(i if b else j) - 1 :]", "x = a[i if not b else j :]"}),
        ("x = range(a, n)", {"x = range(a, n - 1)"}),
        ("x = [a for a in b if c(a)]", {"x = [a for a in b if not c(a)]"}),
        ("a.b = c", {"pass"}),
        ("a[b] += c", {"pass", "a[b] -= c"}),
        ("raise ValueError(1 + 2)", {"pass"}),
        ("if a:\n    b", {"if not a:\n    b"}),
        ("if a == b:\n    c", {"if a != b:\n    c"}),
        ("while a:\n    break", {"while not a:\n    break", "while a:\n    continue"}),
        ("while True:\n    continue", {"while False:\n    continue", "while True:\n    break"}),
        ("def f(a=2):\n    return a", {"def f(a=3):\n    return a", "def f(a=2):\n    return None"}),
    ],
)
def test_what_is_changed(source, expected):
    assert changed(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring: 1 + 1."""',
        'x = f"{a + 1:2}"',
        "def f(a: Annotated[int, 1 + 1]) -> Annotated[int, 2]:\n    x: Literal[1] = y",
        "@cache(1)\ndef f():\n    return None",
        "__all__ = [a + b]",
        "if TYPE_CHECKING:\n    x = 1",
        "@overload\ndef f(a: int = 1) -> None: ...",
        "def __repr__(self):\n    return a + b",
        "x = zip(a, b, strict=True)",
        "x = plot(a, lw=2, alpha=a + b, **{'fontsize': 7})",
        "x = axis.text(0.5, y + 1, 'words')",
        "import a",
    ],
)
def test_what_is_left_alone(source):
    assert changed(source) == set()


def test_mutations_know_where_they_are():
    source = "class A:\n    def f(self):\n        def g():\n            return a + b\n        return c\nx = 1\n"
    found = [(mutation.line, mutation.function, mutation.old, mutation.new) for mutation in mutations(source)]
    assert found == [
        (4, "A.f.g", "a + b", "None"),
        (4, "A.f.g", "a + b", "a - b"),
        (5, "A.f", "c", "None"),
        (6, "", "1", "0"),
    ]


def test_every_mutant_of_a_room_is_python_and_differs():
    for path in (SOURCES / "patterns").glob("*.py"):
        source = path.read_text()
        tree = ast.dump(ast.parse(source))
        for mutation in mutations(source):
            assert ast.dump(ast.parse(mutation.applied(source))) != tree, mutation
