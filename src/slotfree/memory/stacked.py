"""The stacked K-winner memory: fixed layers that separate patterns under a K-winner MHN that stores their codes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.display.counts import counted_words
from slotfree.display.html import Html
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Connections, Numbers, Saved
from slotfree.memory.base import BinaryMemory, check_layers, keep
from slotfree.memory.code_layer import LARGEST, RULES, CodeLayer, CodeLayerSettings, check_rule
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.memory.stored import synapse_bytes

MEMORY = "memory."  # what the names of the K-winner MHN's arrays begin with


@dataclass(frozen=True)
class StackedSettings:
    """The arguments of ``StackedKWinner``, except its seed."""

    n_visible: int = 1000
    k_visible: int = 100
    layers: tuple[CodeLayerSettings, ...] = (CodeLayerSettings(),)
    n_hidden: int = 2000
    k_hidden: int = 50
    fan_in: float = 0.01
    learning_rate: float = 0.3
    slow_rate: float = 0.0
    slow_rule: str = "reconstruction"

    def __post_init__(self) -> None:
        check_layers(self, "visible")
        keep(
            self,
            layers=tuple(_layer(i, layer) for i, layer in enumerate(_several(self.layers))),
            slow_rate=checks.fraction("slow_rate", self.slow_rate, zero_allowed=True),
        )
        if self.slow_rate > 0 and np.float32(self.slow_rate) == 0:
            raise ValueError(f"slow_rate must be 0 or large enough for float32 weights, not {self.slow_rate}")
        checks.one_of("slow_rule", self.slow_rule, RULES)
        for i, (layer, (n_inputs, _)) in enumerate(zip(self.layers, self.sizes, strict=False)):
            try:
                layer.n_connections(n_inputs)
                if self.slow_rate:
                    check_rule("slow_rule", self.slow_rule, layer)
            except ValueError as error:
                raise ValueError(f"layers[{i}]: {error}") from None
        try:
            memory = self.memory
        except ValueError as error:
            where = f" (n_visible is here the last code's {self.sizes[-1][0]} units)" if self.layers else ""
            raise ValueError(f"{error}{where}") from None
        keep(self, **{name: getattr(memory, name) for name in ("n_hidden", "k_hidden", "fan_in", "learning_rate")})

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Units and ones of each layer from the visible one to the last code."""
        return [(self.n_visible, self.k_visible), *((layer.n_units, layer.k_units) for layer in self.layers)]

    @property
    def memory(self) -> KWinnerSettings:
        """The settings of the K-winner MHN on top."""
        n_code, k_code = self.sizes[-1]
        return KWinnerSettings(n_code, self.n_hidden, k_code, self.k_hidden, self.fan_in, self.learning_rate)

    @property
    def n_weights(self) -> int:
        """Learned weights: those of the K-winner MHN, and those of the layers if they learn."""
        return self.memory.n_weights + (self.n_fixed if self.slow_rate else 0)

    @property
    def n_fixed(self) -> int:
        """Connections of the code layers."""
        return sum(
            layer.n_units * layer.n_connections(n) for layer, (n, _) in zip(self.layers, self.sizes, strict=False)
        )


def _several(layers: object) -> tuple[object, ...]:
    if isinstance(layers, Mapping | str | bytes) or not hasattr(layers, "__iter__"):
        raise TypeError(f"layers must be a sequence of code layers, not {checks.shown(layers)}")
    return tuple(layers)


def _layer(i: int, layer: object) -> CodeLayerSettings:
    if isinstance(layer, CodeLayerSettings):
        return layer
    names = [field.name for field in fields(CodeLayerSettings)]
    if not isinstance(layer, Mapping) or set(layer) - set(names):
        raise TypeError(
            f"layers[{i}] must be CodeLayerSettings or a mapping with keys out of {', '.join(names)}, "
            f"not {checks.shown(layer)}"
        )
    try:
        return CodeLayerSettings(**layer)
    except (TypeError, ValueError) as error:
        defaults = ", ".join(f"{name} = {getattr(CodeLayerSettings(), name)}" for name in names if name not in layer)
        given = f" (left at its default: {defaults})" if defaults else ""
        raise type(error)(f"layers[{i}]: {error}{given}") from None


class StackedKWinner(BinaryMemory[StackedSettings]):
    """A K-winner MHN behind layers that make its inputs less similar (SI, "Preprocessing ...").

    A pattern goes up through code layers with fixed, symmetric, binary, sparse connections; the K-winner MHN stores the
    last code. What it recalls goes down through the same connections and becomes a pattern again:

        z = encode(x),    store: KWinnerMHN.store(z),    retrieve: x_out = decode(KWinnerMHN.retrieve(z))

    With ``slow_rate`` above 0 the layers learn slowly, before each pattern is stored, to restore it from its code. The
    defaults have the learned weights of the default ``KWinnerMHN``: 100,000.

    Parameters
    ----------
    n_visible, k_visible : units of the visible layer, and the ones of every recalled pattern.
    layers : the code layers from below, any number: ``CodeLayerSettings`` or mappings with ``n_units``, ``k_units``,
        ``fan_in`` and, for Marr's codons instead of k winners, ``threshold``.
    n_hidden, k_hidden, fan_in, learning_rate : of the K-winner MHN on top, whose visible layer is the last code.
    slow_rate, slow_rule : how fast and by which rule the code layers learn (see ``CodeLayer.learn``); 0: not at all.
    seed : decides all connections and initial weights; an integer, a SeedSequence or a Generator.

    Attributes
    ----------
    layers, memory : the ``CodeLayer`` objects, from below, and the ``KWinnerMHN`` on top; neither can be exchanged.

    Examples
    --------
    >>> import slotfree as sf
    >>> stack = sf.StackedKWinner(layers=[{"n_units": 3000, "k_units": 300, "fan_in": 0.02}], seed=0)
    >>> patterns = sf.tree_patterns(200, n_nodes=500, n_flips=5, seed=1)
    >>> before, after = sf.similarity(patterns), sf.similarity(stack.encode(patterns))
    >>> bool(after.mean() < 0.7 * before.mean())
    True
    """

    stream = "stack"
    _layers: tuple[CodeLayer, ...]
    _memory: KWinnerMHN

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        self._layers = tuple(
            CodeLayer(n, k, layer, seed=rng) for layer, (n, k) in zip(s.layers, s.sizes[:-1], strict=True)
        )
        self._memory = KWinnerMHN.from_settings(s.memory, rng)

    @property
    def layers(self) -> tuple[CodeLayer, ...]:
        """The code layers, from below."""
        return self._layers

    @property
    def memory(self) -> KWinnerMHN:
        """The K-winner MHN on top, which stores the last code."""
        return self._memory

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        s = self.settings
        if any(layer.threshold for layer in s.layers):
            self._refuse_empty_codes(patterns)
        if s.slow_rate == 0:
            self.memory.store(self.encode(patterns))
            return
        for x in patterns:
            self.learn(x, rate=s.slow_rate, rule=s.slow_rule)
            self.memory.store(self.encode(x))

    def _refuse_empty_codes(self, rows: NDArray[np.uint8]) -> None:
        """Raise an error if a pattern has an empty code in any layer: all such would be stored as one."""
        code, is_empty = rows, np.zeros(len(rows), bool)
        for layer in self.layers:
            code = layer.encode(code)
            is_empty |= ~code.any(axis=1)
        empty = np.flatnonzero(is_empty & rows.any(axis=1))
        if empty.size:
            raise ValueError(
                f"patterns must reach the threshold of the code layers somewhere, but {empty.size} of {len(rows)} have "
                f"an empty code, first patterns[{empty[0]}]; nothing was stored: lower the threshold or raise fan_in"
            )

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        out[:] = self.decode(self.memory.retrieve(self.encode(cues)))

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

    @classmethod
    def saved(cls, settings: StackedSettings, n_stored: int) -> list[Saved]:
        """Connections and weights of the code layers, counted from 1 upwards, and the arrays of the K-winner MHN."""
        arrays: list[Saved] = []
        for i, (layer, (n_inputs, _)) in enumerate(zip(settings.layers, settings.sizes[:-1], strict=True), 1):
            shape = layer.n_units, layer.n_connections(n_inputs)
            arrays.append(Connections(f"layer_{i}.connections", shape, n_inputs))
            arrays.append(Numbers(f"layer_{i}.weights", shape, 0, LARGEST, np.float32))
        top = KWinnerMHN.saved(settings.memory, n_stored)
        return [*arrays, *(replace(each, name=MEMORY + each.name) for each in top)]

    @classmethod
    def peak_bytes(cls, settings: StackedSettings, n_stored: int, *, loading: bool = False) -> int:
        """The synapses of the code layers and those of the K-winner MHN."""
        layers = zip(settings.layers, settings.sizes[:-1], strict=True)
        below = sum(synapse_bytes(layer.n_units, layer.n_connections(n), n) for layer, (n, _) in layers)
        return below + KWinnerMHN.peak_bytes(settings.memory, n_stored, loading=loading)

    def arrays(self) -> Arrays:
        """Return connections and weights of the layers, and the arrays of the K-winner MHN."""
        arrays: dict[str, NDArray[Any]] = {}
        for i, layer in enumerate(self.layers, 1):
            arrays |= {f"layer_{i}.connections": layer.connections, f"layer_{i}.weights": layer.weights}
        return arrays | {MEMORY + name: array for name, array in self.memory.arrays().items()}

    def _restore(self, arrays: Arrays) -> None:
        s = self.settings
        self._layers = tuple(
            CodeLayer._made(n, k, layer, arrays[f"layer_{i}.connections"], arrays[f"layer_{i}.weights"])
            for i, (layer, (n, k)) in enumerate(zip(s.layers, s.sizes[:-1], strict=True), 1)
        )
        top = {name.removeprefix(MEMORY): array for name, array in arrays.items() if name.startswith(MEMORY)}
        self._memory = KWinnerMHN._made(s.memory, self.n_stored, top)

    def _glance(self) -> Html:
        return self.memory._glance()

    def _summary(self) -> str:
        s, stored = self.settings, f"{counted_words(self.n_stored, 'patterns')} stored"
        return f"{s.n_weights:,} learned weights, {s.n_fixed:,} connections below, {stored}"

    def __repr__(self) -> str:
        s = self.settings
        layers = " → ".join(f"{n} ({k} active)" for n, k in s.sizes)
        top = f"{s.n_hidden} ({s.k_hidden} active), learning_rate={s.learning_rate:g}"
        return f"StackedKWinner({layers} → {top}): {self._summary()}"
