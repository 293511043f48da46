"""How distributions are built: what a wheel holds besides the package, and what a package index says about it.

While the package is built there are hatchling and the standard library, and none of the library's dependencies.
"""

import importlib.util
import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CODE = r"^(?P<fence>```+).*?^(?P=fence)$|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"
PICTURE = r"(?:^!\[[^\]]*\]\((?!\w+:)[^)]*\)\n+|!\[[^\]]*\]\((?!\w+:)[^)]*\))"  # alone, or in a table
LINK = r"\[(?P<words>[^\[\]]*)\]\((?!\w+:)[^)]*\)"
PARTS = re.compile(f"{CODE}|{PICTURE}|{LINK}", re.MULTILINE | re.DOTALL)


class WheelHook(BuildHookInterface):
    """Adds the explorer, as one page in place of its sources, and the examples.

    Examples are added as texts, not as modules: an installed package then has the same code, to the letter, as a
    checkout. An editable installation needs none of this: it reads the sources.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put them into a wheel that is about to be built."""
        self.folder = tempfile.TemporaryDirectory(prefix="slotfree-")
        if version == "editable":
            return
        root, included = Path(self.root), build_data["force_include"]
        page = Path(self.folder.name) / "explorer.html"
        page.write_text(_assembled(root / "src" / "slotfree" / "explorer"), "utf-8", newline="\n")
        included[str(page)] = "slotfree/explorer/explorer.html"
        for example in sorted([*(root / "examples").glob("*.py"), *(root / "examples").glob("*.toml")]):
            included[str(example)] = f"slotfree/examples/{example.name}.txt"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what is now in the wheel."""
        self.folder.cleanup()


class DescriptionHook(MetadataHookInterface):
    """Makes the long description for a package index from README.md."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add it to what a distribution says about itself."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": described(text)}


def described(readme: str) -> str:
    """Return a README as it can be read away from its repository.

    Pictures of the repository are left out, links to its files become their words, and code stays as it is.
    """
    return PARTS.sub(lambda part: part[0] if part["fence"] or part["ticks"] else part["words"] or "", readme)


def _assembled(room: Path) -> str:
    """Return the page of the explorer. The module that assembles it is loaded by its path."""
    spec = importlib.util.spec_from_file_location("assemble", room / "assemble.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.assemble(room)
