"""What a directory of a sweep holds, and what is missing."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slotfree.runs.directory import DirectoryError
from slotfree.sweep.grid import points_of, sweep_from
from slotfree.sweep.run import plan_of


def status_of(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings, and the points of the latest grid with their finished and missing units."""
    try:
        sweep = sweep_from(json.loads((path / "sweep.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        raise DirectoryError(f"{path / 'sweep.json'} does not tell the grid; run the sweep once more") from None
    points, _ = points_of(sweep)
    rows = plan_of(sweep, points, path)[:-1]
    found = [
        {"experiment": row["experiment"], "done": row["units"] - row["missing"], "missing": row["missing"]}
        for row in rows
    ]
    return {"settings": manifest["settings"], "begun": manifest.get("begun"), "experiments": found, "items": []}
