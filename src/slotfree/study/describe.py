"""What a run computes, as JSON can write it: if that or the code behind it changes, finished runs are done again.

A frozen dataclass is described by its fields, a function by its name. The code of a study, ours or of others, is part
of the description, with everything of studies that it uses. What studies build on, memories and models and such, is
only named: ``computing_code`` is a hash of all of it.
"""

import ast
import hashlib
import inspect
import sys
import sysconfig
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from slotfree import checks
from slotfree.runs.package_hash import PACKAGE

FOLLOWED = ("beyond", "paper", "study", "sweep")  # rooms of which a run uses a little
APART = ("cli", "display", "drawing", "files", "report", "runs", "torch")  # rooms that change no number
SEEDS = ("runs/seeds.py", "study/experiment.py")  # where seeds and arrays of runs come from
INSTALLED = tuple(Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))

Seen = set[int]  # identities of functions, classes and modules whose code is described already


def described(value: Any, seen: Seen | None = None) -> Any:
    """Return what a value is made of, as JSON can write it."""
    seen = set() if seen is None else seen
    value = inspect.unwrap(value) if callable(value) else value  # compiled and cached functions
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        content = hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()
        return {"array": content, "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, tuple | list):
        return [described(part, seen) for part in value]
    if isinstance(value, Mapping):
        return {str(key): described(part, seen) for key, part in value.items()}
    if isinstance(value, partial):
        parts = {"partial": value.func, "args": value.args, "keywords": value.keywords}
        return {name: described(part, seen) for name, part in parts.items()}
    if isinstance(value, FunctionType | type) or _is_builtin(value):
        return _code(value, seen)
    if isinstance(value, MethodType):
        return {"method": value.__name__, "of": described(value.__self__, seen)}
    if is_dataclass(value):
        parts = {field.name: described(getattr(value, field.name), seen) for field in fields(value)}
        return {**_code(type(value), seen), **parts}
    raise TypeError(
        f"what a run does must be a function at the top of a file or a frozen dataclass, made of numbers, words, "
        f"arrays and such; {checks.shown(value)} is a {type(value).__name__}"
    )


def _code(thing: Any, seen: Seen) -> dict[str, Any]:
    """The name of a function or class, and its code if it belongs to a study."""
    found: dict[str, Any] = {"is": thing.__qualname__}
    if _is_of_a_study(thing):
        texts = list(_reached(thing, seen))
        found["code"] = hashlib.sha256(repr(texts).encode()).hexdigest()
    if isinstance(thing, FunctionType) and thing.__closure__:
        found["closure"] = [described(cell.cell_contents, seen) for cell in thing.__closure__]
    return found


def _is_builtin(value: Any) -> bool:
    """Whether a value is a function of a compiled module; not a method, which depends on what it belongs to."""
    return isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType | None)


def _is_of_a_study(thing: Any) -> bool:
    """Whether a function, class or module belongs to a study, ours or of others."""
    name = thing.__name__ if isinstance(thing, ModuleType) else str(thing.__module__)
    return name.startswith(tuple(f"slotfree.{room}." for room in FOLLOWED)) or is_of_others(thing)


def is_of_others(thing: Any) -> bool:
    """Whether a function, class or module is neither ours nor installed."""
    if isinstance(thing, BuiltinFunctionType):
        return False
    module = thing if isinstance(thing, ModuleType) else sys.modules.get(thing.__module__)
    file = getattr(module, "__file__", None)
    if file is None:  # a notebook, or built in
        return getattr(module, "__name__", "__main__") == "__main__"
    path = Path(file)
    return PACKAGE not in path.parents and not any(place in path.parents for place in INSTALLED)


def _reached(thing: Any, seen: Seen) -> Iterator[tuple[str, str]]:
    """Yield the code of a function, class or module, and of everything of studies that it names."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    (text, names), label = _read(thing), _label(thing)
    yield label, text
    module = thing if isinstance(thing, ModuleType) else sys.modules.get(thing.__module__)
    around = {} if module is None else vars(module)
    for name in sorted(names & around.keys()):
        used = inspect.unwrap(around[name]) if callable(around[name]) else around[name]
        if not isinstance(used, FunctionType | BuiltinFunctionType | type | ModuleType):
            yield f"{label}: {name}", _value(used, seen)
        elif _is_of_a_study(used):
            yield from _reached(used, seen)
        else:
            yield f"{label}: {name}", _label(used)


def _label(thing: Any) -> str:
    return thing.__name__ if isinstance(thing, ModuleType) else f"{thing.__module__}.{thing.__qualname__}"


@cache
def _read(thing: Any) -> tuple[str, frozenset[str]]:
    """The code of a function, class or module, without comments and layout, and the names in it."""
    tree = _tree(thing)
    return syntax(tree), frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _tree(thing: Any) -> ast.AST:
    """The syntax of a function, class or module, as far as its source is known."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, SyntaxError):  # typed at a prompt, or part of an expression
        return ast.Constant(repr(_compiled(getattr(thing, "__code__", None))))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    is_one = getattr(thing, "__name__", "") == "<lambda>" and len(functions) == 1
    return functions[0] if is_one else tree


def _compiled(code: CodeType | None) -> tuple[Any, ...]:
    """Compiled code as it is the same in every process."""
    if code is None:
        return ()
    constants = tuple(_compiled(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    return code.co_code, constants, code.co_names


def _value(used: Any, seen: Seen) -> str:
    """A value that code refers to, or its type and name if it cannot be described."""
    try:
        return repr(described(used, seen))
    except TypeError:
        return f"{type(used).__qualname__} {getattr(used, '__name__', '')}"


@cache
def computing_code() -> str:
    """A hash of the code that runs of all studies have in common: kernels, memories, models, tasks, theory, seeds.

    A file in a new room belongs to it unless the room is named above.
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
