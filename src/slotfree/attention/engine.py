"""What computes batches of one task: room for activity and gradients, what holds the context, and kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.training import APART, STREAM, Asked, KeyRules, Scores, Shown, Steps, run
from slotfree.kernels.attention.transformer import Activity, Sizes, SlowWeights, State, empty_activity, empty_slow
from slotfree.kernels.compile import with_steps


class Engine:
    """A model, ready for batches of one task.

    Parameters
    ----------
    sizes : of the layers.
    steps, key_rules : kernels.
    rule : which of the key rules.
    fast : what holds the context.
    setup : what the steps need besides.
    """

    def __init__(self, sizes: Sizes, steps: Steps, key_rules: KeyRules, rule: int, fast: Any, setup: Any) -> None:
        self.steps, self.key_rules, self.rule, self.fast, self.setup = steps, key_rules, rule, fast, setup
        self.activity = empty_activity(sizes)
        self.gradient = empty_slow(sizes)

    def state(self, slow: SlowWeights, item_size: int = 1) -> State:
        """Everything that kernels read and change, for items with this number of tokens."""
        return State(slow, self.gradient, self.activity, self.fast)

    def train(self, slow: SlowWeights, block: SequenceArrays, rates: NDArray[np.float64], scores: Scores) -> int:
        """Take a step on each batch, or only add the gradients up if rates are 0.

        Return the steps before a loss was not finite.
        """
        batches, size, C, T = block.context.shape
        n, A = batches * size, block.query.shape[2]
        if block.first == 0 and not block.reset:
            self.steps.start(self.fast, self.setup, 0)
        begin = APART if block.reset else STREAM
        shown = Shown(block.context.reshape(n * C, T), block.first * C, C, begin)
        after = np.repeat(np.arange(C - 1, n * C, C), A)
        asked = Asked(block.query.reshape(n * A), after, block.target.reshape(n * A))
        done, _, _ = self._run(slow, shown, asked, size * A, rates, scores)
        return done

    def play(
        self, slow: SlowWeights, shown: Shown, queries: NDArray[np.int64], after: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Store items, and ask meanwhile; return the unit that stored each item, and the reported outputs."""
        nothing = np.empty(0)
        asked = Asked(queries, after, np.empty(0, np.int64))
        _, units, out = self._run(slow, shown, asked, 0, np.zeros(3), Scores(nothing, nothing))
        return units, out

    def _run(
        self, slow: SlowWeights, shown: Shown, asked: Asked, batch: int, rates: NDArray[np.float64], scores: Scores
    ) -> tuple[int, NDArray[np.int64], NDArray[np.float64]]:
        """Call the kernel; learn if there are batches."""
        learns, kernel = batch > 0, with_steps(run, *self.steps, *self.key_rules)
        units = np.empty(len(shown.items), np.int64)
        out = np.empty((0 if learns else len(asked.queries), len(slow.V)))
        state, chosen = self.state(slow, shown.items.shape[1]), (self.key_rules, self.rule)
        done = kernel(self.steps, *chosen, state, self.setup, shown, asked, learns, batch, rates, scores, units, out)
        return done, units, out

    def answer(self, slow: SlowWeights, query: int) -> Activity:
        """The query step; return the activity, which the next step will change."""
        self.steps.answer(slow, self.fast, self.activity, query)
        return self.activity
