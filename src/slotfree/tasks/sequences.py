"""Sequences of any task, as numbers of tokens."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.attention.sequences import SequenceArrays

NO_ANSWER = -1  # a target: no output is right, as nothing was shown that the query asks for, or it is not known which


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences: a context of items, then a query or several, and the outputs that are right.

    Attributes
    ----------
    context : the token of each item, (n, C); or its T tokens, (n, C, T). An item is the sum of the one-hot vectors of
        its tokens. Items may come more than once.
    query : the token that asks, (n,); or A tokens that ask one after the other, (n, A).
    target : the number of the right output for each query, of the same shape; y is its one-hot vector. ``NO_ANSWER``
        where no output is right.
    """

    context: NDArray[np.int64]
    query: NDArray[np.int64]
    target: NDArray[np.int64]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = checks.unmasked(field.name, getattr(self, field.name))
            if value.dtype.kind not in "iu":
                raise TypeError(f"{field.name} must hold integers, not {value.dtype}")
            object.__setattr__(self, field.name, np.ascontiguousarray(checks.int64(field.name, value)))
        asked, shown = self.query.shape, self.context.shape
        if len(asked) not in (1, 2) or self.target.shape != asked or len(shown) not in (2, 3) or shown[:1] != asked[:1]:
            raise ValueError(
                "context, query and target must have the shapes (n, C) or (n, C, T), (n,) or (n, A), and that of query "
                f"again, not {shown}, {asked} and {self.target.shape}"
            )

    def __len__(self) -> int:
        return len(self.query)

    @property
    def items(self) -> NDArray[np.int64]:
        """The tokens of each item, (n, C, T), also if items have one token each."""
        return self.context if self.context.ndim == 3 else self.context[:, :, None]

    @property
    def queries(self) -> NDArray[np.int64]:
        """The tokens that ask, (n, A), also if there is one for each context."""
        return self.query if self.query.ndim == 2 else self.query[:, None]

    @property
    def targets(self) -> NDArray[np.int64]:
        """The right outputs, (n, A)."""
        return self.target if self.target.ndim == 2 else self.target[:, None]

    def batches(self, size: int) -> SequenceArrays:
        """Return them as kernels take them, in batches of equal size, numbered from 0 on."""
        items = self.items
        if len(self) % size:
            raise ValueError(f"size must divide the number of sequences, {len(self)}, not {checks.shown(size)}")
        context = items.reshape(-1, size, *items.shape[1:])
        query, target = (part.reshape(-1, size, part.shape[1]) for part in (self.queries, self.targets))
        return SequenceArrays(context, query, target, 0, True)
