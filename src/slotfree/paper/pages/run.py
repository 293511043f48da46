"""A finished run that pages are written from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from slotfree.paper import STUDY
from slotfree.runs.manifest import read_manifest
from slotfree.study.record import SEED
from slotfree.study.scale import SCALES
from slotfree.study.summary import read_items

Row = Mapping[str, Any]  # a claim as in claims.json


@dataclass(frozen=True)
class Run:
    """What a run at the paper's scale left behind.

    Attributes
    ----------
    items : what the items of the paper show, claim and cost, as in items/NAME.json, in the paper's order.
    folder : where its figures are.
    """

    items: tuple[Mapping[str, Any], ...]
    folder: Path = Path()

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The claims of all items."""
        return tuple(row for item in self.items for row in item["claims"])

    @cached_property
    def by_id(self) -> dict[str, Row]:
        """The claims of all items by their ids."""
        return {row["id"]: row for row in self.rows}

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why claims are not confirmed, by their ids; numbers are not filled in."""
        return {claim: text for item in self.items for claim, text in item["explained"].items()}

    def picture(self, item: str) -> bytes:
        """The figure of an item, a PNG."""
        return (self.folder / f"{item}.png").read_bytes()


def read_run(results: Path) -> Run:
    """Read a finished run at the paper's scale with the recorded seed; leave the program if it is none."""
    manifest = read_manifest(results)
    if manifest is None:
        raise SystemExit(f"{results} holds no results; run: slotfree reproduce paper")
    settings = manifest["settings"]
    if settings.get("seed") != SEED or settings.get("scale") != asdict(SCALES["paper"]):
        raise SystemExit(f"pages are of the paper's scale with seed {SEED}; {results} holds results of another run")
    items = read_items(results, STUDY.names)
    missing = [name for name in STUDY.names if name not in [item["item"] for item in items]]
    if missing:
        raise SystemExit(f"{results} has no {', '.join(missing)}; run: slotfree reproduce {' '.join(missing)}")
    return Run(tuple(items), results / "figures")
