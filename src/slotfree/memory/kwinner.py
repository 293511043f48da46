"""The K-winner modern Hopfield network (paper, section 2.1)."""

from dataclasses import dataclass
from typing import Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.display.counts import counted_words
from slotfree.display.glance import of_weights
from slotfree.display.html import Html
from slotfree.files.options import option
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Saved
from slotfree.kernels.memory.synapses import Indices
from slotfree.memory.base import BinaryMemory, check_fractions, keep
from slotfree.memory.computed import TYPES, Computed, fixed_rate
from slotfree.memory.diluted import HiddenLayerSettings
from slotfree.memory.stored import MAX_SYNAPSES, Stored, too_many_inputs

STORING = ("best", "random")
WEIGHTS = ("float32", *TYPES)
WIRINGS: dict[str, type[Stored] | type[Computed]] = {"stored": Stored, "computed": Computed}

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class KWinnerSettings(HiddenLayerSettings):
    """The arguments of ``KWinnerMHN``, except its seed; the defaults are the main text's K-winner.

    Examples
    --------
    >>> KWinnerSettings(n_hidden=1000, fan_in=0.1).n_weights
    100000
    """

    n_hidden: int = 2000
    k_hidden: int = 50
    fan_in: float = 0.05
    learning_rate: float = 0.3
    tied: bool = option(False)
    storing: str = option("best")
    weights: str = option("float32")
    connections: str = option("stored")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fractions(self, "learning_rate")
        keep(self, tied=checks.yes_or_no("tied", self.tied))
        checks.one_of("storing", self.storing, STORING)
        checks.one_of("weights", self.weights, WEIGHTS)
        checks.one_of("connections", self.connections, tuple(WIRINGS))
        self._check_wiring()
        self._check_size()

    def _check_wiring(self) -> None:
        """Raise an error if weights and connections do not go together, or the learning rate is none for them."""
        computed = self.connections == "computed"
        if computed != (self.weights in TYPES):
            if computed:
                raise ValueError(f"connections='computed' requires weights={' or '.join(map(repr, TYPES))}")
            raise ValueError(f"weights={self.weights!r} requires connections='computed'")
        if computed and self.tied:
            raise ValueError("tied=True requires connections='stored': computed ones have a weight for each way")
        if (fixed_rate(self.learning_rate) if computed else np.float32(self.learning_rate)) == 0:
            raise ValueError(f"learning_rate must be large enough for {self.weights} weights, not {self.learning_rate}")

    def _check_size(self) -> None:
        """Raise an error if no machine could hold the network."""
        if self.n_synapses > MAX_SYNAPSES and self.connections == "stored":
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
    def n_synapses(self) -> int:
        """Connections in all; each has a forward and a return weight."""
        return self.n_hidden * self.n_connections

    @property
    def n_weights(self) -> int:
        """Learned weights: W_ij and W'_ji count as one, as they learn the same."""
        return self.n_synapses

    @property
    def n_bits(self) -> int:
        """Bits of state: of the weights both ways."""
        bits = {"float32": 32, "uint16": 16, "uint8": 8}[self.weights]
        return self.n_synapses * bits * (1 if self.tied else 2)

    @property
    def n_touched(self) -> int:
        """Learned weights that change when a pattern is stored: those of the winners."""
        return self.k_hidden * self.n_connections


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
    fan_in : f, the fraction of visible units each hidden unit is connected to. f n_v is rounded to an integer of
        connections, halves upwards.
    learning_rate : ε, in (0, 1].
    tied : whether one matrix serves both ways, W' = Wᵀ from the start; then it is saved once. The paper has two. They
        differ in units that have not won yet, and where patterns are alike, some units never win.
    storing : which hidden units store a pattern: the "best" matching ones, z, or as many at "random", whatever the
        pattern is. Retrieval has the best ones in any case.
    weights : "float32", or integers of 16 or 8 bits, "uint16" and "uint8", which stand for fractions of their
        largest. A step of learning is rounded to the next lower or higher one at random, so that its expectation is
        exact, and small steps add up.
    connections : "stored", or "computed" whenever they are needed, which goes with integers: 4 bytes per synapse,
        or 2, instead of 16 to 20, and so a billion synapses on a laptop. Each hidden unit then has one input in every
        f n_v-th part of the visible layer, which is as good as any (``slotfree.kernels.memory.computed_connections``).
    seed : decides connections, initial weights and winners at random; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.KWinnerMHN(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=1, seed=0)
    >>> patterns = sf.random_patterns(3, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    _wiring: Stored | Computed

    def _begin(self, rng: np.random.Generator) -> None:
        self._wiring = WIRINGS[self.settings.connections].begin(self.settings, rng)

    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[False] = False, threads: int = 1) -> None: ...
    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[True], threads: int = 1) -> NDArray[np.uint32]: ...
    def store(
        self, patterns: ArrayLike, *, return_winners: bool = False, threads: int = 1
    ) -> NDArray[np.uint32] | None:
        """Store one pattern, or many in their order, which is the same as one by one.

        Parameters
        ----------
        patterns : (n_visible,) or (T, n_visible) of zeros and ones. They usually have k_visible ones each;
            others are stored by the same rule.
        return_winners : whether to return which hidden units won.
        threads : the number of threads that share the work of each pattern, where connections are computed; where
            they are stored, one does it all. What is stored is the same for any number.

        Returns
        -------
        None, or the ascending indices of the winners, uint32 (k_hidden,) or (T, k_hidden).
        """
        threads = checks.integer("threads", threads, 1)
        rows = checks.binary_rows("patterns", patterns, self.settings.n_visible)
        winners = self._wiring.store(rows, self.n_stored, return_winners=return_winners, threads=threads)
        self.n_stored += len(rows)
        return winners.reshape((*np.shape(patterns)[:-1], self.settings.k_hidden)) if return_winners else None

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        self._wiring.store(patterns, self.n_stored, return_winners=False, threads=1)

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        out[:] = self._retrieve_all(cues, 1)

    def _retrieve_all(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        return self._wiring.retrieve(cues, threads)

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
        rows = checks.binary_rows("cues", cues, self.settings.n_visible)
        codes = self._wiring.code(rows, checks.integer("threads", threads, 1))
        return codes.reshape((*np.shape(cues)[:-1], self.settings.n_hidden))

    def asymmetry(self) -> float:
        """Return how far the two weight matrices are apart: mean |W_ij − W'_ji| over the connections.

        It is about 1/3 in a new memory, and 0 in a tied one. Each win of a unit multiplies the differences of its
        weights by 1 − ε; a unit that never wins keeps them.
        """
        return self._wiring.asymmetry()

    @property
    def mask(self) -> NDArray[np.bool]:
        """F, the connections: a dense, read-only copy, (n_hidden, n_visible)."""
        return self._dense(np.ones((self.settings.n_hidden, self.settings.n_connections), np.bool))

    @property
    def weights(self) -> NDArray[np.float32]:
        """W, from the visible to the hidden layer: a dense, read-only copy, (n_hidden, n_visible)."""
        return self._dense(self._wiring.forward())

    @property
    def return_weights(self) -> NDArray[np.float32]:
        """W', from the hidden to the visible layer: a dense, read-only copy, (n_visible, n_hidden)."""
        return self._dense(self._wiring.back()).T

    @property
    def connections(self) -> Indices:
        """The visible units each hidden unit is connected to, ascending: (n_hidden, f n_visible), read-only."""
        return self._wiring.inputs

    @property
    def nbytes(self) -> int:
        """Bytes that connections and weights take.

        Stored, they are 16 to 20 per synapse, and 8 per visible unit; computed, 4 per synapse, or 2 of 8 bits.
        """
        return self._wiring.nbytes

    @classmethod
    def saved(cls, settings: KWinnerSettings, n_stored: int) -> list[Saved]:
        """What its wiring saves."""
        return WIRINGS[settings.connections].saved(settings)

    @classmethod
    def peak_bytes(cls, settings: KWinnerSettings, n_stored: int, *, loading: bool = False) -> int:
        """What its wiring takes."""
        return WIRINGS[settings.connections].peak_bytes(settings, loading=loading)

    def arrays(self) -> Arrays:
        """Return what its wiring saves."""
        return self._wiring.arrays()

    def _restore(self, arrays: Arrays) -> None:
        self._wiring = WIRINGS[self.settings.connections].restored(self.settings, arrays)

    def _glance(self) -> Html:
        return of_weights(self._wiring.some())

    def _summary(self) -> str:
        stored = f"{counted_words(self.n_stored, 'patterns')} stored"
        return f"{self.settings.n_synapses:,} synapses, {self.nbytes / 1e6:.3g} MB, {stored}"

    def _dense(self, values: NDArray[T]) -> NDArray[T]:
        """Spread values in the order of ``connections`` over (n_hidden, n_visible)."""
        dense = np.zeros((self.settings.n_hidden, self.settings.n_visible), values.dtype)
        np.put_along_axis(dense, self.connections.astype(np.int64), values, axis=1)
        dense.flags.writeable = False
        return dense
