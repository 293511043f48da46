"""A file that a command is to write."""

from pathlib import Path
from typing import Any

import click


class NewFile(click.Path):
    """A file to be written, in a directory that exists; its suffix says what it is."""

    def __init__(self, *suffixes: str) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)
        self.suffixes = suffixes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a file that cannot be written, before anything is computed."""
        path = Path(value)
        if path.suffix.lower() not in self.suffixes:
            self.fail(f"the name must end in {' or '.join(self.suffixes)}, not {str(path)!r}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"the directory must exist, and {str(path.parent)!r} does not", param, ctx)
        return super().convert(value, param, ctx)
