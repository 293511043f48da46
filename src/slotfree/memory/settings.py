"""What describes a K-winner MHN, apart from its seed."""

from dataclasses import dataclass

import numpy as np

from slotfree import checks

MAX_SYNAPSES = 2**32 - 1
FEW_VISIBLE, MAX_VISIBLE_PER_SYNAPSE = 2**20, 4


@dataclass(frozen=True)
class KWinnerSettings:
    """The size and the rule of a K-winner MHN; the defaults are the main text's K-winner.

    Parameters
    ----------
    n_visible : n_v, units of the visible layer.
    n_hidden : n_h, units of the hidden layer.
    k_visible : k_v = s_v n_v, visible winners: the ones of every recalled pattern.
    k_hidden : k_h = s_h n_h, hidden winners.
    fan_in : f, the fraction of the visible units that each hidden unit is connected to. f n_v is rounded to
        a whole number, ``n_connections``, halves upwards.
    learning_rate : ε, above 0 and up to 1.
    """

    n_visible: int = 1000
    n_hidden: int = 2000
    k_visible: int = 100
    k_hidden: int = 50
    fan_in: float = 0.05
    learning_rate: float = 0.3

    def __post_init__(self) -> None:
        def keep(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        keep("n_visible", checks.whole("n_visible", self.n_visible, 1, checks.MANY))
        keep("n_hidden", checks.whole("n_hidden", self.n_hidden, 1, checks.MANY))
        keep("k_visible", checks.whole("k_visible", self.k_visible, 1, self.n_visible, "n_visible"))
        keep("k_hidden", checks.whole("k_hidden", self.k_hidden, 1, self.n_hidden, "n_hidden"))
        keep("fan_in", checks.fraction("fan_in", self.fan_in))
        keep("learning_rate", checks.fraction("learning_rate", self.learning_rate))
        if np.float32(self.learning_rate) == 0:
            raise ValueError(f"learning_rate must be large enough for float32 weights, not {self.learning_rate}")
        if self.n_connections == 0:
            raise ValueError(
                f"fan_in must give each hidden unit a connection: at least {0.5 / self.n_visible:.2g} "
                f"for n_visible = {self.n_visible}, not {self.fan_in}"
            )
        self._check_size()

    def _check_size(self) -> None:
        """Raise an error if no machine could hold the network."""
        if self.n_synapses > MAX_SYNAPSES:
            raise ValueError(
                f"n_hidden = {self.n_hidden} units of {self.n_connections} connections make "
                f"{self.n_synapses} synapses; at most {MAX_SYNAPSES} are possible"
            )
        if self.n_visible > max(FEW_VISIBLE, MAX_VISIBLE_PER_SYNAPSE * self.n_synapses):
            raise ValueError(
                f"n_visible = {self.n_visible} units are too many for {self.n_synapses} synapses, which could reach "
                "few of them; raise fan_in or n_hidden"
            )

    @property
    def n_connections(self) -> int:
        """Connections of each hidden unit, f n_v."""
        return int(self.fan_in * self.n_visible + 0.5)

    @property
    def n_synapses(self) -> int:
        """Connections in all; each has a forward and a return weight."""
        return self.n_hidden * self.n_connections

    @property
    def n_weights(self) -> int:
        """Learned weights: forward and return weight of a connection count as one, as they learn the same."""
        return self.n_synapses

    @property
    def n_touched(self) -> float:
        """Connections that a pattern touches: those of its ones, and those of the winners."""
        return self.k_visible / self.n_visible * self.n_synapses + self.k_hidden * self.n_connections


@dataclass(frozen=True)
class AnySizeSettings(KWinnerSettings):
    """The same for a network that is never built, only predicted: it may have any number of synapses."""

    def _check_size(self) -> None:
        """Accept every size."""
