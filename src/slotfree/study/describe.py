"""What a run is, as JSON can write it: what it computes must be told apart from what another one computes.

A frozen dataclass is described by its fields, a function by its name. Code of slotfree has a version; the code of
others is part of the description, with everything of theirs that it uses, so that a changed study is run again.
"""

import ast
import hashlib
import inspect
import sys
import sysconfig
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from slotfree import checks

OURS = Path(__file__).parents[1]
INSTALLED = tuple(Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def described(value: Any) -> Any:
    """Return what a value is made of, as JSON can write it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return {"array": hashlib.sha256(np.ascontiguousarray(value).data).hexdigest(), "shape": list(value.shape)}
    if isinstance(value, tuple | list):
        return [described(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): described(part) for key, part in value.items()}
    if isinstance(value, partial):
        return {"partial": described(value.func), "args": described(value.args), "keywords": described(value.keywords)}
    if isinstance(value, FunctionType | BuiltinFunctionType | type):
        return _code(value)
    if hasattr(value, "py_func"):  # compiled by Numba
        return described(value.py_func)
    if isinstance(value, MethodType):
        return {"method": value.__name__, "of": described(value.__self__)}
    if is_dataclass(value):
        parts = {field.name: described(getattr(value, field.name)) for field in fields(value)}
        return {**_code(type(value)), **parts}
    raise TypeError(
        f"what a run does must be a function at the top of a file or a frozen dataclass, made of numbers, words, "
        f"arrays and such; {checks.shown(value)} is a {type(value).__name__}"
    )


def _code(thing: Any) -> dict[str, Any]:
    """The name of a function or class, and its code if it is neither ours nor installed."""
    found: dict[str, Any] = {"is": thing.__qualname__}
    if _is_of_others(thing):
        texts = dict(_reached(thing, {}))
        found["code"] = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()
    if isinstance(thing, FunctionType) and thing.__closure__:
        found["closure"] = [described(cell.cell_contents) for cell in thing.__closure__]
    return found


def _is_of_others(thing: Any) -> bool:
    module = thing if isinstance(thing, ModuleType) else sys.modules.get(thing.__module__)
    file = getattr(module, "__file__", None)
    if file is None:  # a notebook, or built in
        return getattr(module, "__name__", "__main__") == "__main__"
    path = Path(file)
    return OURS not in path.parents and not any(place in path.parents for place in INSTALLED)


def _reached(thing: Any, seen: dict[int, Any]) -> Iterator[tuple[str, str]]:
    """Yield names and codes of a function or class, and of everything of others that its code names."""
    if id(thing) in seen:
        return
    seen[id(thing)] = thing
    if isinstance(thing, ModuleType):
        yield thing.__name__, Path(str(thing.__file__)).read_text(encoding="utf-8")
        return
    tree = _tree(thing)
    label = f"{thing.__module__}.{thing.__qualname__}"
    yield label, ast.dump(tree)
    around = vars(sys.modules[thing.__module__])
    for name in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & set(around)):
        used = around[name]
        if isinstance(used, FunctionType | type | ModuleType):
            if _is_of_others(used):
                yield from _reached(used, seen)
        elif id(used) not in seen:
            seen[id(used)] = used
            yield f"{label}: {name}", _value(used)


def _tree(thing: Any) -> ast.AST:
    """The syntax of a function or class, without comments and layout."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, SyntaxError):  # typed at a prompt, or part of an expression
        code = getattr(thing, "__code__", None)
        return ast.Constant("" if code is None else repr((code.co_code, code.co_consts, code.co_names)))


def _value(used: Any) -> str:
    """A value that code refers to, or its type if it cannot be described."""
    try:
        return repr(described(used))
    except (TypeError, RecursionError):
        return type(used).__qualname__
