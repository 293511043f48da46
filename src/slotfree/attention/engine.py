"""What computes batches of one task: room for activity and gradients, what holds the context, and kernels."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.training import Scores, Steps, play, respond, train
from slotfree.kernels.attention.transformer import Activity, Sizes, SlowWeights, State, empty_activity, empty_slow
from slotfree.kernels.compile import with_steps


class Engine:
    """A model, ready for batches of one task.

    Parameters
    ----------
    sizes : of the layers.
    steps, key_rule : kernels.
    fast : what holds the context.
    setup : what the steps need besides.
    """

    def __init__(self, sizes: Sizes, steps: Steps, key_rule: Callable[..., None], fast: Any, setup: Any) -> None:
        self.steps, self.key_rule, self.fast, self.setup = steps, key_rule, fast, setup
        self.activity = empty_activity(sizes)
        self.gradient = empty_slow(sizes)

    def state(self, slow: SlowWeights, item_size: int = 1) -> State:
        """Everything that kernels read and change, for items with this number of tokens."""
        return State(slow, self.gradient, self.activity, self.fast)

    def train(
        self, slow: SlowWeights, block: SequenceArrays, rates: NDArray[np.float64], scores: Scores, *, descends: bool
    ) -> int:
        """Take a step on each batch, or only add the gradients up; return the steps before a loss was not finite."""
        kernel = with_steps(train, *self.steps, self.key_rule)
        state = self.state(slow, block.context.shape[3])
        return kernel(self.steps, self.key_rule, state, block, self.setup, rates, scores, descends)

    def respond(self, slow: SlowWeights, block: SequenceArrays, out: NDArray[np.float64], *, alike: bool) -> None:
        """Write the reported output for each query to out."""
        state = self.state(slow, block.context.shape[3])
        with_steps(respond, *self.steps)(self.steps, state, block, self.setup, alike, out)

    def play(self, slow: SlowWeights, items: NDArray[np.int64], first: int, *rest: NDArray[Any]) -> None:
        """Store items of a stream, and ask meanwhile."""
        with_steps(play, *self.steps)(self.steps, self.state(slow), items, first, self.setup, *rest)

    def answer(self, slow: SlowWeights, query: int) -> Activity:
        """The query step; return the activity, which the next step will change."""
        self.steps.answer(slow, self.fast, self.activity, query)
        return self.activity
