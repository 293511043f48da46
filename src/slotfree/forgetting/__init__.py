"""How memories forget, measured and predicted.

``protocol`` stores a stream of patterns and tests them by age; ``metrics`` and ``fits`` turn what it returns into
curves and constants; ``merit`` has the single numbers that say how good a memory is; ``theory`` predicts the curves
without running a memory; ``family``, ``neighbours`` and ``search`` look for the best memory with a given number of
weights.

The modules are imported when they are first used.
"""

from importlib import import_module
from types import ModuleType

_MODULES = ("binned", "family", "fits", "merit", "metrics", "neighbours", "protocol", "search", "theory")


def __getattr__(name: str) -> ModuleType:
    if name not in _MODULES:
        raise AttributeError(f"module 'slotfree.forgetting' has no attribute {name!r}")
    return import_module(f"slotfree.forgetting.{name}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
