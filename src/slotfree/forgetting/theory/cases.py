"""Arrays that all have one dimension in common, the first: cases, such as ages, that are computed together."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Cases:
    """What is known of some cases; fields are arrays (case, …)."""

    def at(self, places: NDArray[np.int64]) -> Self:
        """Return some of the cases."""
        return type(self)(*(getattr(self, field.name)[places] for field in fields(self)))

    def followed_by(self, *others: Self) -> Self:
        """Return these cases and those of others."""
        each = (self, *others)
        return type(self)(*(np.concatenate([getattr(one, field.name) for one in each]) for field in fields(self)))
