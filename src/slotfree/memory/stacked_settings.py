"""What describes a stack of code layers under a K-winner MHN, apart from its seed."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from slotfree import checks
from slotfree.memory.code_layer import RULES, CodeLayerSettings, check_rule
from slotfree.memory.settings import KWinnerSettings


@dataclass(frozen=True)
class StackedSettings:
    """The size and the rules of a ``StackedKWinner``; the defaults have as many learned weights as the K-winner MHN.

    Parameters
    ----------
    n_visible, k_visible : units of the visible layer, and the ones of every recalled pattern.
    layers : the code layers from below, ``CodeLayerSettings`` or mappings of their arguments; none is a K-winner MHN.
    n_hidden, k_hidden, fan_in, learning_rate : of the K-winner MHN on top, whose visible layer is the last code.
    slow_rate : learning rate of the code layers during storing; 0 leaves them fixed.
    slow_rule : how they learn, "reconstruction" or "contrastive" (see ``CodeLayer.learn``).
    """

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
        def keep(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        keep("n_visible", checks.whole("n_visible", self.n_visible, 1, checks.MANY))
        keep("k_visible", checks.whole("k_visible", self.k_visible, 1, self.n_visible, "n_visible"))
        keep("layers", tuple(_layer(i, layer) for i, layer in enumerate(_several(self.layers))))
        keep("slow_rate", checks.fraction("slow_rate", self.slow_rate, zero_allowed=True))
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
        for name in ("n_hidden", "k_hidden", "fan_in", "learning_rate"):
            keep(name, getattr(memory, name))

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

    @property
    def n_touched(self) -> float:
        """Connections that a pattern touches, on its way up and down."""
        ones = [k / n for n, k in self.sizes]
        layers = zip(self.layers, self.sizes, ones, ones[1:], strict=False)
        return self.memory.n_touched + sum(
            layer.n_units * layer.n_connections(n) * (below + above) for layer, (n, _), below, above in layers
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
