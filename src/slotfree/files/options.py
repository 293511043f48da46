"""Options of a memory: settings that files, seeds and texts only mention where they are not the default.

So an option can be added, and files written before are still read, those of memories without it are written as ever,
and sweeps over other settings keep their seeds.
"""

from dataclasses import field, fields
from typing import Any


def option(default: Any) -> Any:
    """Return a field of a settings dataclass that is an option."""
    return field(default=default, metadata={"option": True})


def defaults(settings: Any) -> set[str]:
    """Return the names of the options that have their default."""
    return {
        each.name
        for each in fields(settings)
        if each.metadata.get("option") and getattr(settings, each.name) == each.default
    }


def mentioned(settings: Any) -> dict[str, Any]:
    """Return the settings by name, without the options that have their default."""
    unmentioned = defaults(settings)
    return {each.name: getattr(settings, each.name) for each in fields(settings) if each.name not in unmentioned}


def told(settings: Any) -> dict[str, Any]:
    """Return the settings that say something to people: not options at their defaults, and not None."""
    return {name: value for name, value in mentioned(settings).items() if value is not None}
