"""How well a memory tells stored patterns from others."""

import numpy as np
import xarray as xr

from slotfree.study.curves import OLDER
from slotfree.study.estimate import Values


def discrimination(data: xr.Dataset) -> Values:
    """Chance that a stored pattern of an older age is recalled better than one never stored (AUC), in each run."""
    accuracy = data["accuracy"].sel(cue=1.0).transpose("run", "kind", "age")
    real, unseen = accuracy.sel(kind="real", age=slice(OLDER[0], None)).values, accuracy.sel(kind="pseudo").values
    above = np.sign(real[:, :, None] - unseen[:, None, :])
    areas: Values = (above.mean(axis=(1, 2)) + 1) / 2
    return areas
