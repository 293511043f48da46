"""The stacked K-winner memory: fixed layers that separate patterns under a K-winner MHN that stores their codes."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.memory.stacked_file import read_stack, write_stack
from slotfree.memory.stacked_settings import StackedSettings


class StackedKWinner:
    """A K-winner MHN behind layers that make its inputs less similar (SI, "Preprocessing ...").

    A pattern goes up through code layers with fixed, symmetric, binary, sparse connections; the K-winner MHN stores the
    last code. What it recalls goes down through the same connections and becomes a pattern again:

        z = encode(x),    store: KWinnerMHN.store(z),    retrieve: x_out = decode(KWinnerMHN.retrieve(z))

    With ``slow_rate`` above 0 the layers learn slowly, before each pattern is stored, to restore it from its code.

    Parameters
    ----------
    n_visible, k_visible : units of the visible layer, and the ones of every recalled pattern.
    layers : the code layers from below, any number: ``CodeLayerSettings`` or mappings with ``n_units``, ``k_units``,
        ``fan_in`` and, for Marr's codons instead of k winners, ``threshold``.
    n_hidden, k_hidden, fan_in, learning_rate : of the K-winner MHN on top, whose visible layer is the last code.
    slow_rate, slow_rule : how fast and by which rule the code layers learn (see ``CodeLayer.learn``); 0: not at all.
    seed : decides all connections and initial weights; a whole number, a SeedSequence or a Generator.

    Attributes
    ----------
    layers : the ``CodeLayer`` objects, from below.
    memory : the ``KWinnerMHN`` on top.

    Examples
    --------
    >>> import slotfree as sf
    >>> stack = sf.StackedKWinner(layers=[{"n_units": 3000, "k_units": 300, "fan_in": 0.02}], seed=0)
    >>> patterns = sf.tree_patterns(200, n_nodes=500, n_flips=5, seed=1)
    >>> before, after = sf.similarity(patterns), sf.similarity(stack.encode(patterns))
    >>> bool(after.mean() < 0.7 * before.mean())
    True
    """

    settings: StackedSettings
    layers: tuple[CodeLayer, ...]
    memory: KWinnerMHN

    def __init__(
        self,
        n_visible: int = 1000,
        k_visible: int = 100,
        layers: Sequence[CodeLayerSettings | Mapping[str, Any]] = (CodeLayerSettings(),),
        n_hidden: int = 2000,
        k_hidden: int = 50,
        fan_in: float = 0.01,
        learning_rate: float = 0.3,
        slow_rate: float = 0.0,
        slow_rule: str = "reconstruction",
        *,
        seed: checks.Seed,
    ) -> None:
        s = StackedSettings(
            n_visible,
            k_visible,
            layers,  # type: ignore[arg-type]  # mappings become settings there
            n_hidden,
            k_hidden,
            fan_in,
            learning_rate,
            slow_rate,
            slow_rule,
        )
        rng = checks.generator(seed, "stack")
        self.settings = s
        self.layers = tuple(
            CodeLayer(n, k, layer, seed=rng) for layer, (n, k) in zip(s.layers, s.sizes[:-1], strict=True)
        )
        m = s.memory
        self.memory = KWinnerMHN(m.n_visible, m.n_hidden, m.k_visible, m.k_hidden, m.fan_in, m.learning_rate, seed=rng)

    @property
    def n_stored(self) -> int:
        """How many patterns have been stored."""
        return self.memory.n_stored

    def store(self, patterns: ArrayLike) -> None:
        """Store one pattern (n_visible,), or many (T, n_visible) in their order; all at once is as one by one."""
        rows = checks.binary_rows("patterns", patterns, self.settings.n_visible)
        if any(layer.threshold for layer in self.settings.layers):
            self._refuse_empty_codes(rows)
        if self.settings.slow_rate == 0:
            self.memory.store(self.encode(rows))
            return
        for x in rows:
            self.learn(x, rate=self.settings.slow_rate, rule=self.settings.slow_rule)
            self.memory.store(self.encode(x))

    def _refuse_empty_codes(self, rows: NDArray[np.uint8]) -> None:
        """Raise an error if a pattern has an empty code: all such would be stored as one."""
        empty = np.flatnonzero(~self.encode(rows).any(axis=1) & rows.any(axis=1))
        if empty.size:
            raise ValueError(
                f"patterns must reach the threshold of the code layers somewhere, but {empty.size} of {len(rows)} have "
                f"an empty code, first patterns[{empty[0]}]; nothing was stored: lower the threshold or raise fan_in"
            )

    def retrieve(self, cues: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return what each cue recalls, with exactly k_visible ones; the memory stays as it is.

        Parameters
        ----------
        cues : (n_visible,) or (T, n_visible) of zeros and ones, any number of ones.
        threads : over how many threads to spread the cues; the result is the same for any number.
        """
        rows = checks.binary_rows("cues", cues, self.settings.n_visible)
        recalled = self.memory.retrieve(self.encode(rows, threads=threads), threads=threads)
        return self.decode(recalled, threads=threads).reshape(np.shape(cues))

    def encode(self, patterns: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the last code of each pattern, what the K-winner MHN gets to see."""
        code = checks.binary_rows("patterns", patterns, self.settings.n_visible).reshape(np.shape(patterns))
        for layer in self.layers:
            code = layer.encode(code, threads=threads)
        return code

    def decode(self, codes: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the pattern that each last code restores, by the fixed return connections alone."""
        n_code = self.settings.sizes[-1][0]
        x = checks.binary_rows("codes", codes, n_code).reshape(np.shape(codes))
        for layer in reversed(self.layers):
            x = layer.decode(x, threads=threads)
        return x

    def learn(self, patterns: ArrayLike, *, rate: float = 0.03, rule: str = "reconstruction") -> None:
        """Let the code layers learn slowly from patterns, each layer from the codes of the one below."""
        x = checks.binary_rows("patterns", patterns, self.settings.n_visible)
        for layer in self.layers:
            layer.learn(x, rate=rate, rule=rule)
            x = layer.encode(x)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the stack to a safetensors file, atomically: a crash leaves the old file or the new one."""
        layers = [(layer.connections, layer.weights) for layer in self.layers]
        write_stack(path, self.settings, self.n_stored, layers, self.memory.parts())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a stack that ``save`` wrote; it goes on exactly as the saved one would have.

        Raises
        ------
        FormatError : if the file is not a whole and valid stack.
        """
        settings, n_stored, layers, memory = read_stack(path)
        stack = cls.__new__(cls)
        stack.settings = settings
        stack.layers = tuple(
            CodeLayer.from_weights(n, k, layer, *arrays)
            for layer, (n, k), arrays in zip(settings.layers, settings.sizes[:-1], layers, strict=True)
        )
        stack.memory = KWinnerMHN.from_parts(settings.memory, n_stored, memory)
        return stack

    def __repr__(self) -> str:
        s = self.settings
        layers = " → ".join(f"{n} ({k} active)" for n, k in s.sizes)
        return (
            f"StackedKWinner({layers} → {s.n_hidden} ({s.k_hidden} active), learning_rate={s.learning_rate:g}): "
            f"{s.n_weights:,} learned weights, {s.n_fixed:,} connections below, {self.n_stored:,} patterns stored"
        )
