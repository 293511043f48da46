"""The code that numbers follow from: a change of it makes finished runs be done again; any other change does not.

Whether another process has the same slotfree, to the letter, is asked of ``runs.package_hash``.
"""

import ast
import hashlib
from functools import cache

from slotfree.runs.package_hash import PACKAGE

FOLLOWED = ("beyond", "paper", "scale", "study", "sweep")  # rooms of which a run uses a little: see ``describe``
APART = ("cli", "display", "drawing", "files", "report", "runs")  # rooms that change no number
SEEDS = ("runs/seeds.py", "study/experiment.py")  # where seeds and arrays of runs come from


@cache
def computing_code() -> str:
    """A hash of the code that runs of all studies have in common: kernels, memories, models, tasks, theory, seeds.

    A file in a new room belongs to it unless the room is named above, so that nothing is forgotten.
    """
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE)
        if name.parts[0] not in (*FOLLOWED, *APART) or name.as_posix() in SEEDS:
            digest.update(f"{name.as_posix()}: {syntax(ast.parse(path.read_bytes()))}\n".encode())
    return digest.hexdigest()


def syntax(tree: ast.AST) -> str:
    """Code as text, without layout, comments and docstrings; the same in every version of Python."""
    words: list[str] = []
    _write(tree, words)
    return " ".join(words)


def _write(node: ast.AST, words: list[str]) -> None:
    """Add the words of a node: its kind, and its fields that are not empty."""
    words.append(f"{type(node).__name__}(")
    for name, value in ast.iter_fields(node):
        if value is None or value == [] or name == "ctx":  # whether a name is read or set shows where it stands
            continue
        words.append(name)
        for part in value if isinstance(value, list) else (value,):
            if not isinstance(part, ast.AST):
                words.append(repr(part))
            elif not _is_text(part):
                _write(part, words)
    words.append(")")


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is only a string: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
