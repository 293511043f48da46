"""The modules of the package, how they import each other, and which kernels they call."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from slotfree import rooms

CALLERS = {"kernels.attention.training"}  # modules whose kernels take others as arguments


@dataclass(frozen=True)
class Module:
    """A module of the package: its name without the package's own, its file from the package's directory, its text."""

    name: str
    path: Path
    source: str

    @property
    def room(self) -> str:
        """The directory it is in; modules that are in none have one of their own."""
        return self.path.parts[0] if len(self.path.parts) > 1 else "slotfree"

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.source)


class Package:
    """All modules of the package, by name."""

    def __init__(self, directory: Path) -> None:
        self.modules: dict[str, Module] = {}
        for path in sorted(directory.rglob("*.py")):
            inside = path.relative_to(directory)
            if inside.parts[0] == "torch" and not rooms.is_installed("torch"):
                continue  # no test would notice
            name = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
            self.modules[name] = Module(name, inside, path.read_text())

    def names(self, tree: ast.Module) -> dict[str, str]:
        """Return what the names that a file imports from the package stand for: modules, or "module:function"."""
        found = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("slotfree."):
                home = node.module.removeprefix("slotfree.")
                for alias in node.names:
                    inside = f"{home}.{alias.name}"
                    found[alias.asname or alias.name] = inside if inside in self.modules else f"{home}:{alias.name}"
        return found

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """Which modules import each module."""
        users: dict[str, set[str]] = {}
        for module in self.modules.values():
            for target in self.names(module.tree).values():
                users.setdefault(target.split(":")[0], set()).add(module.name)
        return users

    @cached_property
    def compiled(self) -> set[str]:
        """The modules that hold kernels."""
        kernels = {name for name in self.modules if name.startswith("kernels.")}
        return kernels | self.users.get("kernels.compile", set())

    def holders(self, changed: str) -> set[str]:
        """Return the modules that hold code of a changed one once they are compiled.

        These are those that import it, also through others, and those whose kernels take it as an argument.
        """
        if changed not in self.compiled:
            return set()
        users = {name: users & self.compiled for name, users in self.users.items()}
        return reached_from({changed} | CALLERS, users)

    @cached_property
    def mentions(self) -> dict[str, set[str]]:
        """The kernels ("module:function") that each function of the package mentions, and each module ("module:")."""
        found: dict[str, set[str]] = {}

        def walk(module: Module, known: Mapping[str, str], node: ast.AST, scope: str, function: str) -> None:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                scope = f"{scope}.{node.name}".lstrip(".")
                function = scope if isinstance(node, ast.FunctionDef) else function
            found.setdefault(f"{module.name}:{function}", set()).update(self.kernels(mentioned(node, known)))
            for child in ast.iter_child_nodes(node):
                walk(module, known, child, scope, function)

        for module in self.modules.values():
            own = {node.name: f"{module.name}:{node.name}" for node in module.tree.body if hasattr(node, "name")}
            walk(module, own | self.names(module.tree), module.tree, "", "")
        return found

    def kernels(self, functions: Iterable[str]) -> set[str]:
        """Return those functions that are in modules with kernels."""
        return {name for name in functions if name.split(":")[0] in self.compiled}


def mentioned(node: ast.AST, known: Mapping[str, str]) -> set[str]:
    """Return the functions that a node itself stands for, by the names that are known."""
    match node:
        case ast.Name(id=name) if name in known:
            return {known[name]}
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in known:
            return {f"{known[name]}:{attribute}"}
    return set()


def reached_from(start: Iterable[str], neighbours: Mapping[str, set[str]]) -> set[str]:
    """Return all that can be reached from a start, with the start."""
    seen, waiting = set(), list(start)
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += neighbours.get(one, ())
    return seen
