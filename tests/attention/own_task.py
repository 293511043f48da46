"""A task of one's own, in one file: nothing else has to know it."""

from dataclasses import dataclass

import numpy as np

from slotfree.tasks.sequences import Sequences


@dataclass(frozen=True)
class ColourOfShape:
    """Shapes are shown, each in a colour; the query names a shape, the answer is its colour.

    Tokens: shapes, then colours, then the queries for shapes. An item has two tokens, its shape and its colour.
    """

    n_shapes: int = 4
    n_outputs: int = 3  # colours
    context_length: int = 3

    @property
    def n_item_tokens(self) -> int:
        return self.n_shapes + self.n_outputs

    @property
    def n_tokens(self) -> int:
        return self.n_item_tokens + self.n_shapes

    def batch(self, size: int, *, seed: int | np.random.Generator) -> Sequences:
        rng = np.random.default_rng(seed)
        every = np.tile(np.arange(self.n_shapes), (size, 1))
        shapes = rng.permuted(every, axis=1)[:, : self.context_length]
        colours = rng.integers(0, self.n_outputs, shapes.shape)
        context = np.stack([shapes, self.n_shapes + colours], axis=2)
        rows, asked = np.arange(size), rng.integers(0, self.context_length, size)
        return Sequences(context, self.n_item_tokens + shapes[rows, asked], colours[rows, asked])
