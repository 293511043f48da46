"""A stream in which letters come back in other cases: the latest case of a letter is the answer."""

from dataclasses import dataclass

import numpy as np

from slotfree import checks
from slotfree.kernels.attention.latest_case import draw_stream
from slotfree.tasks.letters import LetterTask
from slotfree.tasks.sequences import Sequences


@dataclass(frozen=True)
class LatestCase(LetterTask):
    """Letters come again and again, each time in a random case; a query names one: the answer is its latest case.

    Letters are drawn uniformly, with replacement. After every C of them, a query names one of those seen so far, each
    with the same probability. Tokens are numbered as in ``CaseSequenceTask``.

    The sequences that one call of ``batch`` draws are one stream, in their order: a query may name a letter that came
    in an earlier sequence, but none that came before the call. With ``reset``, each sequence stands alone.

    Softmax attention over slots sees a context as a set: without positions, it cannot know which of two equal letters
    is the later. A model whose context is in connection weights can: what is stored later overwrites.

    Parameters
    ----------
    n_letters : L, the alphabet.
    context_length : C, letters between two queries; it may be larger than L.
    reset : whether each sequence begins with nothing stored; False for a stream.

    Examples
    --------
    >>> import slotfree as sf
    >>> drawn = sf.LatestCase(n_letters=3, context_length=8).batch(10, seed=0)
    >>> drawn.items.shape   # more items than letters: they come back
    (10, 8, 1)
    """

    reset: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        length = checks.integer("context_length", self.context_length, 1, checks.MANY)
        object.__setattr__(self, "context_length", length)
        object.__setattr__(self, "reset", checks.yes_or_no("reset", self.reset))

    def batch(self, size: int, *, seed: checks.Seed) -> Sequences:
        """Draw sequences, one stream unless ``reset``; a Generator as the seed advances."""
        size = checks.integer("size", size, 1, checks.MANY)
        context = np.empty((size, self.context_length), np.int64)
        query, target = np.empty(size, np.int64), np.empty(size, np.int64)
        draw_stream(checks.generator(seed, "sequences"), self.n_letters, self.reset, context, query, target)
        return Sequences(context, query, target)
