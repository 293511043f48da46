"""How well a memory tells stored patterns from others."""

import numpy as np
import xarray as xr

from slotfree.study.estimate import Values


def discrimination(data: xr.Dataset, cue: float) -> Values:
    """Chance that a stored pattern is recalled better than one never stored (AUC), over all ages, in each run."""
    accuracy = data["accuracy"].sel(cue=cue).transpose("run", "kind", "age")
    real, unseen = (accuracy.sel(kind=kind).values for kind in ("real", "pseudo"))
    above = np.sign(real[:, :, None] - unseen[:, None, :])
    areas: Values = (above.mean(axis=(1, 2)) + 1) / 2
    return areas
