"""The explorer as a text, and as a file that a browser can open."""

import os
from pathlib import Path

from slotfree.explorer.assemble import ROOM, assemble
from slotfree.files.atomic import write_atomically

BUILT = ROOM / "explorer.html"  # in an installed package, where its sources are not


def page() -> str:
    """Return the page: as it was built into the package or, in a checkout, assembled from its sources."""
    return BUILT.read_text("utf-8") if BUILT.is_file() else assemble()


def write_page(path: Path) -> None:
    """Write the page to a file."""
    content = page().encode("utf-8")
    write_atomically(path, lambda file: file.write(content))


def page_file() -> Path:
    """Return a file that holds the page: that of the package or, in a checkout, one that is written anew each time."""
    if BUILT.is_file():
        return BUILT
    cached = cache_folder() / "explorer.html"
    cached.parent.mkdir(parents=True, exist_ok=True)
    write_page(cached)
    return cached


def cache_folder() -> Path:
    """Return the user's own folder for what can be made again; nobody else can put a link there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "slotfree"
