"""The K-winner modern Hopfield network (paper, section 2.1)."""

from dataclasses import dataclass
from typing import Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.files.safetensors import Arrays
from slotfree.kernels.kwinner import code_patterns, retrieve_patterns, store_at_random, store_patterns
from slotfree.kernels.synapses import Indices, Synapses, forward_by_hidden, forward_from_hidden
from slotfree.memory.base import BinaryMemory, keep, per_row
from slotfree.memory.connections import (
    MAX_SYNAPSES,
    draw_connections,
    laid_out,
    read_only,
    synapse_bytes,
    too_many_inputs,
)
from slotfree.memory.options import option
from slotfree.memory.saved import Connections, Numbers, Saved

STORING = ("best", "random")
LARGEST_KEY = 2**64 - 1

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class KWinnerSettings:
    """The arguments of ``KWinnerMHN``, except its seed; the defaults are the main text's K-winner."""

    n_visible: int = 1000
    n_hidden: int = 2000
    k_visible: int = 100
    k_hidden: int = 50
    fan_in: float = 0.05
    learning_rate: float = 0.3
    tied: bool = option(False)
    storing: str = option("best")

    def __post_init__(self) -> None:
        keep(
            self,
            n_visible=checks.whole("n_visible", self.n_visible, 1, checks.MANY),
            n_hidden=checks.whole("n_hidden", self.n_hidden, 1, checks.MANY),
            k_visible=checks.whole("k_visible", self.k_visible, 1, self.n_visible, "n_visible"),
            k_hidden=checks.whole("k_hidden", self.k_hidden, 1, self.n_hidden, "n_hidden"),
            fan_in=checks.fraction("fan_in", self.fan_in),
            learning_rate=checks.fraction("learning_rate", self.learning_rate),
            tied=checks.yes_or_no("tied", self.tied),
        )
        checks.one_of("storing", self.storing, STORING)
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
        if too_many_inputs(self.n_visible, self.n_synapses):
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
        """Learned weights: the two of a connection count as one, as they learn the same."""
        return self.n_synapses


@dataclass(frozen=True)
class AnySizeSettings(KWinnerSettings):
    """The same for a network that is never built, only predicted: it may have any number of synapses."""

    def _check_size(self) -> None:
        """Accept every size."""


class KWinnerMHN(BinaryMemory[KWinnerSettings]):
    """A sparse distributed memory of fixed capacity that keeps patterns in connection weights.

    Retrieval (eq. 1) and storing (eq. 2), with z = σ_h(Wx) and σ_l the k_l-winner-take-all of a layer:

        x_out = σ_v(W' σ_h(W x))
        W_ij ← W_ij + ε (x_j − W_ij) z_i F_ij,    and the same for W'_ji

    W = M ⊙ F and W' = M' ⊙ Fᵀ share the connections F but start from independent weights, uniform in
    [0, 1). Each hidden unit has f n_v connections. There are always exactly k_v ones in x_out.

    Ties: of units that tie for the last places, those win for which a hash of the unit and of the layer's active
    inputs is largest. Winners are therefore a function of weights and cue alone, and no unit is favoured.

    The defaults are the K-winner MHN of the main text. The others of the paper are settings:

    ========================= ======== ======== ====== =============
    model                     n_hidden k_hidden fan_in learning_rate
    ========================= ======== ======== ====== =============
    K-winner (main text)      2000     50       0.05   0.3
    1-winner MHN              100      1        1      1
    K-winner, wider fan-in    1000     50       0.1    0.3
    graded MHN                100      1        1      0.3
    K-winner, slower          2000     50       0.05   0.2
    ========================= ======== ======== ====== =============

    Parameters
    ----------
    n_visible, n_hidden : n_v and n_h, units of the two layers.
    k_visible, k_hidden : k_v and k_h, winners in each layer; k_v are the ones of every recalled pattern.
    fan_in : f, the fraction of visible units each hidden unit is connected to. f n_v is rounded to a whole number of
        connections, halves upwards.
    learning_rate : ε, above 0 and up to 1.
    tied : whether one matrix serves both ways, W' = Wᵀ from the start; then it is saved once. The paper has two. They
        differ in units that have not won yet, and where patterns are alike, some units never win.
    storing : which hidden units store a pattern: the "best" matching ones, z, or as many at "random", whatever the
        pattern is. Retrieval has the best ones in any case.
    seed : decides connections, initial weights and winners at random; a whole number, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.KWinnerMHN(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=1, seed=0)
    >>> patterns = sf.random_patterns(3, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    _synapses: Synapses
    _key: NDArray[np.uint64]  # what winners at random follow from, and how many patterns are stored: (1,), or none

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        inputs = draw_connections(rng, s.n_hidden, s.n_connections, s.n_visible)
        self._synapses = laid_out(inputs, rng.random(inputs.shape, np.float32), s.n_visible)
        if s.tied:
            forward_from_hidden(self._synapses, self._synapses.back)
        else:
            rng.random(dtype=np.float32, out=self._synapses.forward)
        n_keys = 1 if s.storing == "random" else 0
        self._key = rng.integers(0, LARGEST_KEY, n_keys, np.uint64, endpoint=True)

    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[False] = False) -> None: ...
    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[True]) -> NDArray[np.uint32]: ...
    def store(self, patterns: ArrayLike, *, return_winners: bool = False) -> NDArray[np.uint32] | None:
        """Store one pattern, or many in their order, which is the same as one by one.

        Parameters
        ----------
        patterns : (n_visible,) or (T, n_visible) of zeros and ones. They usually have k_visible ones each;
            others are stored by the same rule.
        return_winners : whether to return which hidden units won.

        Returns
        -------
        None, or the ascending indices of the winners, uint32 (k_hidden,) or (T, k_hidden).
        """
        if not return_winners:
            super().store(patterns)
            return None
        rows = checks.binary_rows("patterns", patterns, self.settings.n_visible)
        winners = np.empty((len(rows), self.settings.k_hidden), np.uint32)
        self._store(rows, winners)
        self.n_stored += len(rows)
        return winners.reshape((*np.shape(patterns)[:-1], self.settings.k_hidden))

    def _store(self, patterns: NDArray[np.uint8], winners: NDArray[np.uint32] | None = None) -> None:
        s = self.settings
        kept = np.empty((0, s.k_hidden), np.uint32) if winners is None else winners
        eps = np.float32(s.learning_rate)
        if s.storing == "random":
            store_at_random(self._synapses, s.k_hidden, eps, self._key[0], self.n_stored, patterns, kept)
        else:
            store_patterns(self._synapses, s.k_hidden, eps, patterns, kept)

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        retrieve_patterns(self._synapses, self.settings.k_hidden, self.settings.k_visible, cues, out)

    def hidden(self, cues: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the hidden code z = σ_h(Wx) of each cue; the memory stays as it is.

        Parameters
        ----------
        cues : (n_visible,) or (T, n_visible) of zeros and ones, any number of ones.
        threads : the number of threads that share the cues; the result is the same for any number.

        Returns
        -------
        uint8 array (n_hidden,) or (T, n_hidden), with exactly k_hidden ones per cue.
        """
        s = self.settings

        def code(rows: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            code_patterns(self._synapses, s.k_hidden, rows, out)

        rows = checks.binary_rows("cues", cues, s.n_visible)
        return per_row(code, rows, s.n_hidden, threads).reshape((*np.shape(cues)[:-1], s.n_hidden))

    def asymmetry(self) -> float:
        """Return how far the two weight matrices are apart: mean |W_ij − W'_ji| over the connections.

        It is about 1/3 in a new memory, and 0 in a tied one. Each win of a unit multiplies the differences of its
        weights by 1 − ε; a unit that never wins keeps them.
        """
        return float(np.abs(self._forward() - self._synapses.back).mean(dtype=np.float64))

    @property
    def mask(self) -> NDArray[np.bool]:
        """F, the connections: a dense, read-only copy, (n_hidden, n_visible)."""
        return self._dense(np.ones(self._synapses.inputs.shape, np.bool))

    @property
    def weights(self) -> NDArray[np.float32]:
        """W, from the visible to the hidden layer: a dense, read-only copy, (n_hidden, n_visible)."""
        return self._dense(self._forward())

    @property
    def return_weights(self) -> NDArray[np.float32]:
        """W', from the hidden to the visible layer: a dense, read-only copy, (n_visible, n_hidden)."""
        return self._dense(self._synapses.back).T

    @property
    def connections(self) -> Indices:
        """The visible units each hidden unit is connected to, ascending: (n_hidden, f n_visible), read-only."""
        return read_only(self._synapses.inputs)

    @property
    def nbytes(self) -> int:
        """Bytes that connections and weights take: 16 to 20 per synapse, and 8 per visible unit."""
        return sum(array.nbytes for array in self._synapses)

    @classmethod
    def saved(cls, settings: KWinnerSettings, n_stored: int) -> list[Saved]:
        """Connections and both weights of each, which are one if tied; row i belongs to hidden unit i.

        With winners at random, the key that they follow from is added. The layout in memory is built anew on loading:
        what is not in the file cannot be wrong in it.
        """
        shape = settings.n_hidden, settings.n_connections
        names = ("weights",) if settings.tied else ("weights", "return_weights")
        key = [Numbers("key", (1,), 0, LARGEST_KEY, np.uint64)] if settings.storing == "random" else []
        weights = [Numbers(name, shape, 0, 1, np.float32) for name in names]
        return [Connections("connections", shape, settings.n_visible), *weights, *key]

    @classmethod
    def peak_bytes(cls, settings: KWinnerSettings, n_stored: int, *, loading: bool = False) -> int:
        """Its synapses; while it is loaded, also its forward weights as they are in the file, unless it is tied."""
        s = settings
        twice = loading and not s.tied
        return synapse_bytes(s.n_hidden, s.n_connections, s.n_visible) + (4 * s.n_synapses if twice else 0)

    def arrays(self) -> Arrays:
        """Return connections and weights, and return weights unless tied, each (n_hidden, f n_visible); and the key."""
        back = self._synapses.back
        weights = {"weights": back} if self.settings.tied else {"weights": self._forward(), "return_weights": back}
        key = {"key": self._key} if self._key.size else {}
        return {"connections": self.connections, **weights, **key}

    def _restore(self, arrays: Arrays) -> None:
        back = arrays["weights" if self.settings.tied else "return_weights"]
        self._synapses = laid_out(arrays["connections"], back, self.settings.n_visible)
        forward_from_hidden(self._synapses, arrays["weights"])
        self._key = arrays["key"] if "key" in arrays else np.empty(0, np.uint64)

    def _summary(self) -> str:
        return f"{self.settings.n_synapses:,} synapses, {self.nbytes / 1e6:.3g} MB, {self.n_stored:,} patterns stored"

    def _forward(self) -> NDArray[np.float32]:
        """W in the order of ``connections``."""
        weights = np.empty(self._synapses.back.shape, np.float32)
        forward_by_hidden(self._synapses, weights)
        return weights

    def _dense(self, values: NDArray[T]) -> NDArray[T]:
        """Spread values in the order of ``connections`` over (n_hidden, n_visible)."""
        dense = np.zeros((self.settings.n_hidden, self.settings.n_visible), values.dtype)
        np.put_along_axis(dense, self._synapses.inputs.astype(np.int64), values, axis=1)
        dense.flags.writeable = False
        return dense
