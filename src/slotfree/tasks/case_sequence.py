"""The Case Sequence Task: in which case did the queried letter appear? (paper, section 3.1; SI B.1)."""

from dataclasses import dataclass
from itertools import permutations, product
from math import perm

import numpy as np

from slotfree import checks
from slotfree.kernels.attention.case_sequence import make_sequences
from slotfree.tasks.letters import LetterTask
from slotfree.tasks.sequences import Sequences

MOST_LISTED = 1_000_000
AT_A_TIME = 4096  # sequences: their draws stay in the processor's cache


@dataclass(frozen=True)
class CaseSequenceTask(LetterTask):
    """Sequences of different letters in random cases, then a query that names one: the answer is its case.

    Tokens are numbered as in the paper: lowercase letters 0..L−1, uppercase L..2L−1, queries 2L..3L−1. A model sees
    them as one-hot vectors of size D = 3L. The target is [1, 0] for lowercase, [0, 1] for uppercase.

    Drawn contexts hold each letter once at most, and the query names one of them. ``sequence`` also takes contexts in
    which letters come back (the latest counts), and queries for letters that are not there (no output is right).

    Parameters
    ----------
    n_letters : L, the alphabet.
    context_length : C ≤ L, letters of a context; all are different.

    Examples
    --------
    >>> import slotfree as sf
    >>> task = sf.CaseSequenceTask(n_letters=4, context_length=4)
    >>> drawn = task.batch(64, seed=0)
    >>> drawn.items.shape, task.n_tokens, task.n_outputs
    ((64, 4, 1), 12, 2)
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        length = checks.integer("context_length", self.context_length, 1, self.n_letters, "n_letters")
        object.__setattr__(self, "context_length", length)

    @property
    def n_sequences(self) -> int:
        """How many valid sequences there are: L!/(L−C)! · 2^C · C."""
        return perm(self.n_letters, self.context_length) * self.context_length << self.context_length

    def batch(self, size: int, *, seed: checks.Seed) -> Sequences:
        """Draw sequences uniformly at random, with replacement; a Generator as the seed advances."""
        size = checks.integer("size", size, 1, checks.MANY)
        context = np.empty((size, self.context_length), np.int64)
        query, target = np.empty(size, np.int64), np.empty(size, np.int64)
        rng = checks.generator(seed, "sequences")
        for first in range(0, size, AT_A_TIME):
            part = slice(first, first + AT_A_TIME)
            draws = rng.random((len(query[part]), 1 + 2 * self.context_length))
            make_sequences(draws, self.n_letters, context[part], query[part], target[part])
        return Sequences(context, query, target)

    def all_sequences(self) -> Sequences:
        """Return every valid sequence once."""
        if self.n_sequences > MOST_LISTED:
            raise ValueError(
                f"{self} has {self.n_sequences} sequences; at most {MOST_LISTED} can be listed: "
                "lower n_letters or context_length, or draw a batch"
            )
        L, C = self.n_letters, self.context_length
        letters = np.array(list(permutations(range(L), C)))
        cases = np.array(list(product((0, 1), repeat=C)))
        context = (letters[:, None, :] + L * cases[None, :, :]).reshape(-1, C)
        every = np.repeat(context, C, axis=0)
        asked = every[np.arange(len(every)), np.tile(np.arange(C), len(context))]
        return Sequences(every, asked % L + 2 * L, asked // L)
