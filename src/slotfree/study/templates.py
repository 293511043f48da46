"""Pages from templates: what is put into them is escaped, and what is missing is an error."""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from slotfree.study import number_format as numbers
from slotfree.study.subscripts import formula


def environment(package: str, **filters: Callable[..., Any]) -> Environment:
    """Return what renders the templates of a package; they write numbers as the report does, or with more filters."""
    made = Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        number=numbers.number,
        value=numbers.value,
        interval=numbers.interval,
        limits=numbers.limits,
        duration=numbers.duration,
        formula=formula,
        **filters,
    )
    return made
