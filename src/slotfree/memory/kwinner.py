"""The K-winner modern Hopfield network (paper, section 2.1)."""

import os
from collections.abc import Callable
from typing import Literal, Self, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.kernels.kwinner import code_patterns, retrieve_patterns, store_patterns
from slotfree.kernels.synapses import Indices, Synapses, forward_by_hidden, forward_from_hidden
from slotfree.memory.connections import draw_connections, laid_out, per_row, read_only
from slotfree.memory.kwinner_file import Parts, read_memory, write_memory
from slotfree.memory.settings import KWinnerSettings

T = TypeVar("T", bound=np.generic)


class KWinnerMHN:
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
    k_visible, k_hidden : k_v and k_h, winners in each layer.
    fan_in : f, the fraction of visible units each hidden unit is connected to.
    learning_rate : ε, above 0 and up to 1.
    seed : decides connections and initial weights; a whole number, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.KWinnerMHN(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=1, seed=0)
    >>> patterns = sf.random_patterns(3, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    settings: KWinnerSettings
    n_stored: int
    _synapses: Synapses

    def __init__(
        self,
        n_visible: int = 1000,
        n_hidden: int = 2000,
        k_visible: int = 100,
        k_hidden: int = 50,
        fan_in: float = 0.05,
        learning_rate: float = 0.3,
        *,
        seed: checks.Seed,
    ) -> None:
        settings = KWinnerSettings(n_visible, n_hidden, k_visible, k_hidden, fan_in, learning_rate)
        rng = checks.generator(seed, "memory")
        inputs = draw_connections(rng, settings.n_hidden, settings.n_connections, settings.n_visible)
        self._take(settings, inputs, rng.random(inputs.shape, np.float32), n_stored=0)
        rng.random(dtype=np.float32, out=self._synapses.forward)

    def _take(self, settings: KWinnerSettings, inputs: Indices, back: NDArray[np.float32], n_stored: int) -> None:
        """Lay out the connections; the forward weights are left to be filled."""
        self.settings = settings
        self.n_stored = n_stored
        self._synapses = laid_out(inputs, back, settings.n_visible)

    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[False] = False) -> None: ...
    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[True]) -> NDArray[np.uint32]: ...
    def store(self, patterns: ArrayLike, *, return_winners: bool = False) -> NDArray[np.uint32] | None:
        """Store one pattern, or many in their order; all at once is the same as one by one.

        Parameters
        ----------
        patterns : (n_visible,) or (T, n_visible) of zeros and ones. They usually have k_visible ones each;
            others are stored by the same rule.
        return_winners : whether to return which hidden units won.

        Returns
        -------
        None, or the ascending indices of the winners, uint32 (k_hidden,) or (T, k_hidden).
        """
        rows = self._rows("patterns", patterns)
        k_h = self.settings.k_hidden
        winners = np.empty((len(rows) if return_winners else 0, k_h), np.uint32)
        store_patterns(self._synapses, k_h, np.float32(self.settings.learning_rate), rows, winners)
        self.n_stored += len(rows)
        return winners.reshape((*np.shape(patterns)[:-1], k_h)) if return_winners else None

    def retrieve(self, cues: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return what each cue recalls; the memory stays as it is.

        Parameters
        ----------
        cues : (n_visible,) or (T, n_visible) of zeros and ones, any number of ones.
        threads : over how many threads to spread the cues; the result is the same for any number.

        Returns
        -------
        uint8 array of the same shape, with exactly k_visible ones per pattern.
        """
        k_h, k_v = self.settings.k_hidden, self.settings.k_visible

        def recall(rows: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            retrieve_patterns(self._synapses, k_h, k_v, rows, out)

        return self._per_cue(recall, cues, self.settings.n_visible, threads)

    def hidden(self, cues: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the hidden code z = σ_h(Wx) of each cue; the memory stays as it is.

        Parameters
        ----------
        cues : (n_visible,) or (T, n_visible) of zeros and ones, any number of ones.
        threads : over how many threads to spread the cues; the result is the same for any number.

        Returns
        -------
        uint8 array (n_hidden,) or (T, n_hidden), with exactly k_hidden ones per cue.
        """

        def code(rows: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            code_patterns(self._synapses, self.settings.k_hidden, rows, out)

        return self._per_cue(code, cues, self.settings.n_hidden, threads)

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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a safetensors file, atomically: a crash leaves the old file or the new one."""
        write_memory(path, self.settings, self.n_stored, self.parts())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a memory that ``save`` wrote; it goes on exactly as the saved one would have.

        Nothing in the file is executed, and everything in it is checked.

        Raises
        ------
        FormatError : if the file is not a whole and valid memory.
        """
        return cls.from_parts(*read_memory(path))

    def parts(self) -> Parts:
        """Return connections, weights and return weights, each (n_hidden, connections)."""
        return self.connections, self._forward(), self._synapses.back

    @classmethod
    def from_parts(cls, settings: KWinnerSettings, n_stored: int, parts: Parts) -> Self:
        """Return the memory that such parts make; the arrays become its own."""
        inputs, weights, return_weights = parts
        memory = cls.__new__(cls)
        memory._take(settings, inputs, return_weights, n_stored)
        forward_from_hidden(memory._synapses, weights)
        return memory

    def __repr__(self) -> str:
        s = self.settings
        return (
            f"KWinnerMHN(n_visible={s.n_visible}, n_hidden={s.n_hidden}, k_visible={s.k_visible}, "
            f"k_hidden={s.k_hidden}, fan_in={s.fan_in:g}, learning_rate={s.learning_rate:g}): "
            f"{s.n_synapses:,} synapses, {self.nbytes / 1e6:.3g} MB, {self.n_stored:,} patterns stored"
        )

    def _rows(self, name: str, patterns: ArrayLike) -> NDArray[np.uint8]:
        return checks.binary_rows(name, patterns, self.settings.n_visible)

    def _per_cue(
        self,
        kernel: Callable[[NDArray[np.uint8], NDArray[np.uint8]], None],
        cues: ArrayLike,
        width: int,
        threads: int,
    ) -> NDArray[np.uint8]:
        """Apply a kernel to the rows of cues, spread over threads."""
        out = per_row(kernel, self._rows("cues", cues), width, threads)
        return out.reshape((*np.shape(cues)[:-1], width))

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
