"""How a wheel is built: it holds the explorer as one page, in place of the sources of that page."""

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ExplorerHook(BuildHookInterface):
    """Assembles the explorer. An editable installation needs no page: it assembles the sources when they are opened."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the page into a wheel that is about to be built."""
        self.folder = tempfile.TemporaryDirectory(prefix="slotfree-")
        if version == "editable":
            return
        page = Path(self.folder.name) / "explorer.html"
        page.write_text(_assembled(Path(self.root) / "src" / "slotfree" / "explorer"), "utf-8", newline="\n")
        build_data["force_include"][str(page)] = "slotfree/explorer/explorer.html"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what is now in the wheel."""
        self.folder.cleanup()


def _assembled(room: Path) -> str:
    """Return the page. The module is loaded by its path: the library's dependencies are not there while it is built."""
    spec = importlib.util.spec_from_file_location("assemble", room / "assemble.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.assemble(room)
