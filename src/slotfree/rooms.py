"""What a package shows: its modules and public names, imported when they are first used.

``import slotfree`` is quick, and ``sf.forgetting.merit`` works without another import. A package ends with

    __getattr__, __dir__ = rooms.lazy(__name__, homes)
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

HELPERS = ("TYPE_CHECKING", "rooms")  # names in a package that are of no use to others
EXTRAS = ("torch",)  # rooms that need an installed package of the same name; ``help`` imports all that are shown


def lazy(
    package: str, homes: Mapping[str, str] | None = None, found: Callable[[], Mapping[str, object]] = dict
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : its name; all of its modules are shown.
    homes : public names, and the modules that define them, relative to the package.
    found : returns more public objects by name, where these are not known beforehand.
    """
    homes = homes or {}

    def attribute(name: str) -> object:
        if name == "__all__" and (public := {*homes, *found()}):  # ``help`` and ``import *`` ask for it
            return sorted(public)
        if name in homes:
            value = getattr(import_module(f".{homes[name]}", package), name)
            setattr(sys.modules[package], name, value)
            return value
        if not name.startswith("_"):
            if name in modules_of(package):
                return import_module(f"{package}.{name}")
            if name in (more := found()):
                return more[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def shown() -> list[str]:
        own = set(vars(sys.modules[package])) - set(HELPERS)
        usable = {name for name in modules_of(package) if name not in EXTRAS or is_installed(name)}
        return sorted(own | set(homes) | usable | set(found()))

    return attribute, shown


def is_installed(name: str) -> bool:
    """Return whether there is a package of this name, and not a folder alone."""
    from importlib.util import find_spec

    return name in sys.modules or getattr(find_spec(name), "origin", None) is not None


def modules_of(package: str) -> list[str]:
    """Return the names of the modules and packages within a package, but for private ones."""
    from pkgutil import iter_modules  # not needed by those who import public names

    within = iter_modules(sys.modules[package].__path__)
    return [module.name for module in within if not module.name.startswith("_")]
