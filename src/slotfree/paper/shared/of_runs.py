"""What an experiment measured, as a measure for judges."""

import numpy as np

from slotfree.study import Experiment, Results, measure
from slotfree.study.estimate import Values


@measure
def of_runs(r: Results, /, e: Experiment, name: str, **at: object) -> Values:
    """A quantity of an experiment at a place, such as ``of_runs(RECALL, "one_step", beta=0.1)``, in each run."""
    return np.asarray(r[e][name].sel(at).values)
