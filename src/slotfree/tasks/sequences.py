"""Sequences of any task, as numbers of tokens."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.sequences import SequenceArrays


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences: a context of items, then a query, and the output that is right.

    Attributes
    ----------
    context : the token of each item, (n, C); or its T tokens, (n, C, T). An item is the sum of the one-hot vectors of
        its tokens. Items may come more than once.
    query : the token that asks, (n,).
    target : the number of the right output, (n,); y is its one-hot vector.
    """

    context: NDArray[np.int64]
    query: NDArray[np.int64]
    target: NDArray[np.int64]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = np.asarray(getattr(self, field.name))
            if value.dtype.kind not in "iu":
                raise TypeError(f"{field.name} must hold whole numbers, not {value.dtype}")
            object.__setattr__(self, field.name, np.ascontiguousarray(value, np.int64))
        n = self.query.shape
        if len(n) != 1 or self.target.shape != n or self.context.ndim not in (2, 3) or self.context.shape[:1] != n:
            raise ValueError(
                "context, query and target must have the shapes (n, C) or (n, C, T), (n,) and (n,), not "
                f"{self.context.shape}, {self.query.shape} and {self.target.shape}"
            )

    def __len__(self) -> int:
        return len(self.query)

    @property
    def items(self) -> NDArray[np.int64]:
        """The tokens of each item, (n, C, T), also if items have one token each."""
        return self.context.reshape(*self.context.shape[:2], -1)

    def batches(self, size: int, first: int = 0) -> SequenceArrays:
        """Return them as kernels take them, in batches of equal size.

        Sequences are numbered, from ``first`` on: the number chooses the initial fast weights of a sequence.
        """
        items = self.items
        if len(self) % size:
            raise ValueError(f"size must divide the number of sequences, {len(self)}, not {checks.shown(size)}")
        context = items.reshape(-1, size, *items.shape[1:])
        return SequenceArrays(context, self.query.reshape(-1, size), self.target.reshape(-1, size), first)
