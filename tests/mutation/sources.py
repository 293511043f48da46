"""The modules of the package, how they import each other, and which kernels they call."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Module:
    """A module of the package.

    Attributes
    ----------
    name : with dots, without the package's own name.
    path : of its file, from the package's directory.
    source : its text.
    """

    name: str
    path: Path
    source: str

    @property
    def room(self) -> str:
        """The directory it is in; modules that are in none have one of their own."""
        return self.path.parts[0] if len(self.path.parts) > 1 else "slotfree"

    @property
    def n_lines(self) -> int:
        """Lines that are not empty."""
        return sum(bool(line.strip()) for line in self.source.splitlines())

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.source)

    @cached_property
    def imported(self) -> set[str]:
        """Names of the modules of the package that it imports, also late."""
        return imported_by(self.tree)

    @property
    def is_compiled(self) -> bool:
        """Whether it holds kernels."""
        return self.room == "kernels" or any(name.startswith("kernels.compile") for name in self.imported)

    @cached_property
    def calls(self) -> dict[str, set[str]]:
        """The functions of kernels ("module:name") that each function mentions, and under "" those of the module."""
        known = kernels_by_name(self.tree)
        if self.room == "kernels":
            known |= {node.name: f"{self.name}:{node.name}" for node in self.tree.body if _is_function(node)}
        found: dict[str, set[str]] = {"": set()}

        def walk(node: ast.AST, scope: str, function: str) -> None:
            found.setdefault(function, set()).update(mentioned(node, known))
            for child in ast.iter_child_nodes(node):
                inside = f"{scope}.{child.name}".lstrip(".") if _is_scope(child) else scope
                walk(child, inside, inside if _is_function(child) else function)

        walk(self.tree, "", "")
        return found


def modules(package: Path) -> dict[str, Module]:
    """Return all modules of the package, by name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        name = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
        found[name] = Module(name, inside, path.read_text())
    return found


def imported_by(tree: ast.Module) -> set[str]:
    """Return the names of what a module imports from the package: modules, and what is in them."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    wanted = {f"{node.module}.{alias.name}" for node in froms for alias in node.names}
    wanted |= {node.module for node in froms if node.module}
    return {name.removeprefix("slotfree.") for name in wanted if name.startswith("slotfree.")}


def reached_from(start: set[str], neighbours: dict[str, set[str]]) -> set[str]:
    """Return all that can be reached from a start, with the start."""
    seen, waiting = set(), list(start)
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += neighbours.get(one, ())
    return seen


def importers(changed: Module, found: dict[str, Module]) -> set[str]:
    """Return the names of the kernels' modules that hold code of a changed one once they are compiled.

    These are those that import it, also through others, and the one whose arguments are kernels chosen elsewhere.
    """
    kernels = {name: module for name, module in found.items() if module.is_compiled}
    callers = {"kernels.attention.training"} & kernels.keys()
    return reached_from({changed.name} | callers, users_of(kernels)) if changed.is_compiled else set()


def users_of(found: dict[str, Module]) -> dict[str, set[str]]:
    """Return which modules import each module, by name."""
    users: dict[str, set[str]] = {}
    for module in found.values():
        for name in module.imported:
            users.setdefault(name, set()).add(module.name)
    return users


def kernels_by_name(tree: ast.Module) -> dict[str, str]:
    """Return what the names that a module imports from kernels stand for: functions ("module:name"), or modules."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("slotfree.kernels"):
            home = node.module.removeprefix("slotfree.")
            is_room = home.count(".") < 2 and home != "kernels.compile"
            for alias in node.names:
                found[alias.asname or alias.name] = f"{home}{'.' if is_room else ':'}{alias.name}"
    return found


def mentioned(node: ast.AST, known: dict[str, str]) -> set[str]:
    """Return the kernels that a node itself stands for, by the names that are known."""
    if isinstance(node, ast.Name) and node.id in known:
        return {known[node.id]}
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
        return {f"{known[node.value.id]}:{node.attr}"}
    return set()


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef)


def _is_scope(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef)
