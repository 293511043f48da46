"""What describes a modern Hopfield network."""

from dataclasses import dataclass

import numpy as np

from slotfree import checks


@dataclass(frozen=True)
class ModernHopfieldSettings:
    """The size and the temperature of a modern Hopfield network; the default is auto-associative and grows.

    Parameters
    ----------
    n_visible : N, numbers in a pattern, and in a cue.
    beta : β, the inverse temperature of the softmax, above 0; ``inf`` is the hard maximum.
    capacity : slots; when all are taken, the oldest pattern is overwritten. None: as many as are stored.
    n_values : numbers in a value, if keys recall values; None: patterns recall themselves.
    k_visible : ones of every recalled pattern, if patterns are binary; None: patterns are real numbers.
    """

    n_visible: int = 1000
    beta: float = 1.0
    capacity: int | None = None
    n_values: int | None = None
    k_visible: int | None = None

    def __post_init__(self) -> None:
        def keep(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        keep("n_visible", checks.whole("n_visible", self.n_visible, 1, checks.MANY))
        keep(
            "beta",
            np.inf if isinstance(self.beta, float) and self.beta == np.inf else checks.positive("beta", self.beta),
        )
        for name in ("capacity", "n_values"):
            if getattr(self, name) is not None:
                keep(name, checks.whole(name, getattr(self, name), 1, checks.MANY))
        if self.k_visible is not None:
            units = "n_visible" if self.n_values is None else "n_values"
            keep("k_visible", checks.whole("k_visible", self.k_visible, 1, self.n_recalled, units))

    @property
    def n_recalled(self) -> int:
        """Numbers in what is recalled."""
        return self.n_visible if self.n_values is None else self.n_values

    @property
    def n_weights(self) -> int | None:
        """Numbers that all slots hold; None if their number grows."""
        return None if self.capacity is None else self.capacity * (self.n_visible + (self.n_values or 0))

    @property
    def n_touched(self) -> float:
        """Numbers that a retrieval reads one by one: matrix products read the slots twenty times as fast."""
        return ((self.n_weights or 0) + self.n_recalled * (self.capacity or 0)) / 20 + self.n_recalled
