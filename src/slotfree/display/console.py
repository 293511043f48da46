"""The console that tables and progress are printed to."""

from rich.console import Console

UNFOLDED = 10_000  # characters: wider than any table


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is: a path or a name such as "x[/red]" is no markup.

    On a terminal, tables fit its width. Without one, a program reads, and lines are as long as they need.
    """
    found = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not found.is_terminal:
        found.width = UNFOLDED
    return found
