"""What a directory of results holds, and what is missing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slotfree.paper.items import NAMES, load
from slotfree.paper.reproduce import experiments_of, missing_of, read_items
from slotfree.paper.scale import Scale
from slotfree.runs.store import Store


def status_of(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings, experiments with their finished and missing units, and items with their claims."""
    settings = manifest["settings"]
    scale, seed = Scale(**settings["scale"]), settings["seed"]
    store = Store(path / "units")
    made = {row["item"]: row for row in read_items(path)}
    experiments = []
    for experiment in experiments_of([load(name) for name in NAMES]):
        count, missing = experiment.count(scale), missing_of(experiment, scale, seed, store)
        experiments.append({"experiment": experiment.name, "done": count - missing, "missing": missing})
    items = []
    for name in NAMES:
        claims = made[name]["claims"] if name in made else []
        held = sum(claim["holds"] for claim in claims)
        items.append({"item": name, "made": name in made, "claims": len(claims), "hold": held})
    return {"settings": settings, "begun": manifest.get("begun"), "experiments": experiments, "items": items}
