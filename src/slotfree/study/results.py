"""What an item works with: the results of its experiments."""

from collections.abc import Mapping
from dataclasses import dataclass

import xarray as xr

from slotfree.study.experiment import Experiment
from slotfree.study.scale import Scale


@dataclass(frozen=True)
class Results:
    """The labelled results of experiments: ``r[K]`` is the dataset of the experiment K.

    Attributes
    ----------
    data : by the name of the experiment.
    scale : at which they were run.
    seed : the root seed; for what an item draws at random itself.
    """

    data: Mapping[str, xr.Dataset]
    scale: Scale
    seed: int

    def __getitem__(self, experiment: Experiment) -> xr.Dataset:
        try:
            return self.data[experiment.name]
        except KeyError:
            raise KeyError(
                f"the item must name the experiment {experiment.name!r} among its experiments; it names "
                f"{', '.join(self.data) or 'none'}"
            ) from None
