"""A layer that makes patterns less similar: more units, a sparser code, fixed binary connections (SI)."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.files.saved_arrays import Connections, Numbers, Saved, copied
from slotfree.kernels.arithmetic.winners import Room, room_for
from slotfree.kernels.memory.code_layer import decode_patterns, encode_patterns, learn_slowly
from slotfree.kernels.memory.synapses import Indices, Synapses, forward_from_hidden
from slotfree.memory.base import check_fractions, check_layers, keep, per_row
from slotfree.memory.stored import (
    FEW_INPUTS,
    MAX_INPUTS_PER_SYNAPSE,
    MAX_SYNAPSES,
    draw_connections,
    laid_out,
    read_only,
    synapse_bytes,
    too_many_inputs,
)

RULES = ("reconstruction", "contrastive")
LARGEST = 1e9  # weight: far beyond what learning can reach


@dataclass(frozen=True)
class CodeLayerSettings:
    """The size and the rule of a code layer.

    Parameters
    ----------
    n_units : units of the layer; usually more than it has inputs (expansion).
    k_units : ones of a code: the winners, or, with a threshold, how many ones a recalled code is given.
    fan_in : the fraction of the inputs that each unit is connected to; rounded to whole connections, halves upwards.
    threshold : None for k winners; or n of Marr's codons: a unit is active if n or more of its inputs are.
    """

    n_units: int = 5000
    k_units: int = 500
    fan_in: float = 0.02
    threshold: int | None = None

    def __post_init__(self) -> None:
        check_layers(self, "units")
        check_fractions(self, "fan_in")
        if self.threshold is not None:
            keep(self, threshold=checks.integer("threshold", self.threshold, 1))

    def n_connections(self, n_inputs: int) -> int:
        """Connections of each unit to a layer of n_inputs units; at least one is needed."""
        count = int(self.fan_in * n_inputs + 0.5)
        if count == 0:
            least = 0.5 / n_inputs
            raise ValueError(
                f"fan_in={self.fan_in:g} leaves units no connections ({n_inputs} inputs); use ≥ {least:.2g}"
            )
        if self.threshold is not None and self.threshold > count:
            raise ValueError(
                f"threshold must be at most the {count} connections of a unit (fan_in = {self.fan_in} of {n_inputs} "
                f"inputs), not {self.threshold}"
            )
        if self.n_units * count > MAX_SYNAPSES:
            raise ValueError(
                f"n_units = {self.n_units} units of {count} connections make {self.n_units * count} connections; "
                f"at most {MAX_SYNAPSES} are possible"
            )
        if too_many_inputs(n_inputs, self.n_units * count):
            raise ValueError(
                f"a code layer of {self.n_units * count} connections can have at most {FEW_INPUTS} inputs, or "
                f"{MAX_INPUTS_PER_SYNAPSE} for each connection, not {n_inputs}; raise n_units or fan_in"
            )
        return count


def check_rule(name: str, rule: str, layer: CodeLayerSettings) -> None:
    """Raise an error if a layer cannot learn by a rule."""
    checks.one_of(name, rule, RULES)
    if rule == "contrastive" and layer.threshold is not None:
        raise ValueError(f"{name} must be 'reconstruction' for a code layer with a threshold, not 'contrastive'")


def _sizes(n_inputs: int, k_inputs: int, settings: CodeLayerSettings) -> tuple[int, int, tuple[int, int]]:
    """Check the arguments of a layer; return n_inputs, k_inputs, and the shape of its connections."""
    if not isinstance(settings, CodeLayerSettings):
        raise TypeError(f"settings must be CodeLayerSettings, not {checks.shown(settings)}")
    n_inputs = checks.integer("n_inputs", n_inputs, 1, checks.MANY)
    k_inputs = checks.integer("k_inputs", k_inputs, 1, n_inputs, "n_inputs")
    return n_inputs, k_inputs, (settings.n_units, settings.n_connections(n_inputs))


class CodeLayer:
    """A layer with symmetric connections that encodes patterns, and decodes codes.

    With binary connections F, of which each unit has ``fan_in`` times n_in, and σ the k-winner-take-all of a layer:

        z = σ_k(F x)    or, with a threshold n,    z_i = 1 if (F x)_i ≥ n        (encode)
        x = σ_v(Fᵀ z)                                                             (decode)

    Two patterns that share a fraction of their ones share a smaller fraction of the ones of their codes: a unit is
    active for a conjunction of ones. Ties are broken as in ``KWinnerMHN``. A threshold that a pattern does not reach
    anywhere gives it an empty code.

    ``learn`` lets the connections learn slowly to restore patterns from their codes; it starts from 1 everywhere.

    Parameters
    ----------
    n_inputs, k_inputs : units of the layer below, and how many ones decoding gives it.
    settings : the layer itself.
    seed : decides the connections.

    Examples
    --------
    >>> layer = CodeLayer(1000, 100, CodeLayerSettings(n_units=3000, k_units=300), seed=0)
    >>> int(layer.encode([1] * 100 + [0] * 900).sum())
    300
    """

    def __init__(self, n_inputs: int, k_inputs: int, settings: CodeLayerSettings, *, seed: checks.Seed) -> None:
        n_inputs, k_inputs, shape = _sizes(n_inputs, k_inputs, settings)
        rng = checks.generator(seed, "code")
        check_fits("a code layer of these settings", synapse_bytes(*shape, n_inputs))
        inputs = draw_connections(rng, *shape, n_inputs)
        self._take(n_inputs, k_inputs, settings, inputs, np.ones(shape, np.float32))

    @classmethod
    def from_weights(
        cls, n_inputs: int, k_inputs: int, settings: CodeLayerSettings, inputs: Indices, weights: NDArray[np.float32]
    ) -> Self:
        """Return a layer with copies of given connections and weights, each (n_units, connections).

        Parameters
        ----------
        n_inputs, k_inputs, settings : as of a new layer.
        inputs : the inputs that each unit is connected from, ascending; uint16, or uint32 if n_inputs is above 65,536.
        weights : float32, from 0 to 10⁹.
        """
        n_inputs, k_inputs, shape = _sizes(n_inputs, k_inputs, settings)
        described: list[Saved] = [
            Connections("inputs", shape, n_inputs),
            Numbers("weights", shape, 0, LARGEST, np.float32),
        ]
        arrays = copied(described, {"inputs": inputs, "weights": weights})
        return cls._made(n_inputs, k_inputs, settings, arrays["inputs"], arrays["weights"])

    @classmethod
    def _made(
        cls, n_inputs: int, k_inputs: int, settings: CodeLayerSettings, inputs: Indices, weights: NDArray[np.float32]
    ) -> Self:
        """Return a layer with given connections and weights, which have been checked and become its own."""
        layer = cls.__new__(cls)
        layer._take(n_inputs, k_inputs, settings, inputs, weights)
        return layer

    def _take(
        self, n_inputs: int, k_inputs: int, settings: CodeLayerSettings, inputs: Indices, weights: NDArray[np.float32]
    ) -> None:
        self._n_inputs, self._k_inputs, self._settings = n_inputs, k_inputs, settings
        self._synapses: Synapses = laid_out(inputs, weights, n_inputs)
        forward_from_hidden(self._synapses, weights)

    @property
    def n_inputs(self) -> int:
        """Units of the layer below."""
        return self._n_inputs

    @property
    def k_inputs(self) -> int:
        """How many ones decoding gives the layer below."""
        return self._k_inputs

    @property
    def settings(self) -> CodeLayerSettings:
        """The size and the rule of the layer."""
        return self._settings

    @property
    def connections(self) -> Indices:
        """The inputs of each unit, ascending: (n_units, connections), read-only."""
        return read_only(self._synapses.inputs)

    @property
    def weights(self) -> NDArray[np.float32]:
        """The weights of these connections, the same in both directions, read-only: 1 unless learned."""
        return read_only(self._synapses.back)

    def encode(self, patterns: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the code of each pattern, (n_inputs,) or (T, n_inputs) → (n_units,) or (T, n_units)."""
        s = self.settings

        def run(rows: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            encode_patterns(self._synapses, s.k_units, s.threshold or 0, rows, out, self._room())

        rows = checks.binary_rows("patterns", patterns, self.n_inputs)
        return per_row(run, rows, s.n_units, threads).reshape((*np.shape(patterns)[:-1], s.n_units))

    def decode(self, codes: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the pattern that each code restores, with k_inputs ones each."""

        def run(rows: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            decode_patterns(self._synapses, self.k_inputs, rows, out, self._room())

        rows = checks.binary_rows("codes", codes, self.settings.n_units)
        return per_row(run, rows, self.n_inputs, threads).reshape((*np.shape(codes)[:-1], self.n_inputs))

    def learn(self, patterns: ArrayLike, *, rate: float = 0.03, rule: str = "reconstruction") -> None:
        """Learn slowly from patterns, one pass in their order.

        A pattern x has the code z, which restores x′, which has the code z′ (one turn of recirculation). Weights change
        equally in both directions, over existing connections, and never fall below 0:

            reconstruction:  ΔW_ij = η z_i (x_j − x′_j)
            contrastive:     ΔW_ij = η (z_i x_j − z′_i x′_j)

        The first is recirculation's rule for return connections. For forward connections it has η (z_i − z′_i) x′_j;
        where both are one weight the two add up, and the sum is the second, contrastive Hebbian learning. With a
        threshold it is refused: weights only fall until no unit reaches it.
        """
        check_rule("rule", rule, self.settings)
        rows = checks.binary_rows("patterns", patterns, self.n_inputs)
        s, eta = self.settings, np.float32(checks.fraction("rate", rate))
        learn_slowly(
            self._synapses,
            s.k_units,
            s.threshold or 0,
            self.k_inputs,
            eta,
            rule == "contrastive",
            rows,
            np.empty(self.n_inputs, np.uint8),
            np.empty(s.n_units, np.uint32),
            self._room(),
        )

    def _room(self) -> Room:
        return room_for(max(self.n_inputs, self.settings.n_units))
