"""What an item works with: the results of its experiments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

import xarray as xr

from slotfree.display.html import listing
from slotfree.study.experiment import Experiment
from slotfree.study.scale import Scale

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Results:
    """The labelled results of experiments: ``r[K]`` is the dataset of the experiment K.

    Attributes
    ----------
    data : by the name of the experiment.
    scale : at which they were run.
    seed : the root seed; for what an item draws at random itself.

    Examples
    --------
    >>> Results({}, Scale("paper"), seed=0).once(lambda r: r.seed + 1)
    1
    """

    data: Mapping[str, xr.Dataset]
    scale: Scale
    seed: int
    _found: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __getitem__(self, experiment: Experiment) -> xr.Dataset:
        try:
            return self.data[experiment.name]
        except KeyError:
            raise KeyError(
                f"the item must name the experiment {experiment.name!r} among its experiments; it names "
                f"{', '.join(self.data) or 'none'}"
            ) from None

    def _repr_html_(self) -> str:
        """Return what was run and what each experiment measured, as a notebook shows them."""
        rows = [
            (name, ", ".join(map(str, data.data_vars)), ", ".join(f"{of} {size:,}" for of, size in data.sizes.items()))
            for name, data in self.data.items()
        ]
        title = f"Results of {len(rows)} {'experiment' if len(rows) == 1 else 'experiments'}"
        note = f"scale {self.scale.name}, seed {self.seed}; r[experiment] is its dataset"
        return listing(title, ("experiment", "measured", "size"), rows, note=note)

    def once(self, measure: Callable[Concatenate["Results", P], T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return ``measure(results, *arguments)``, which is computed once: for what is both drawn and judged."""
        key = (measure, arguments, *named.items())
        if key not in self._found:
            self._found[key] = measure(self, *arguments, **named)
        found: T = self._found[key]
        return found
