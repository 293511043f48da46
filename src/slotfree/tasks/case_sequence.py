"""The Case Sequence Task: in which case did the queried letter appear? (paper, section 3.1; SI B.1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations, product
from math import perm
from string import ascii_lowercase

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.kernels.case_sequence import draw_sequences
from slotfree.tasks.sequences import Sequences

MOST_LISTED = 1_000_000


@dataclass(frozen=True)
class CaseSequenceTask:
    """Sequences of different letters in random cases, then a query that names one: the answer is its case.

    Tokens are numbered as in the paper: lowercase letters 0..L−1, uppercase L..2L−1, queries 2L..3L−1. A model sees
    them as one-hot vectors of size D = 3L. The target is [1, 0] for lowercase, [0, 1] for uppercase.

    Parameters
    ----------
    n_letters : L, the alphabet.
    context_length : C ≤ L, letters of a context; all are different.
    """

    n_letters: int = 4
    context_length: int = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_letters", checks.whole("n_letters", self.n_letters, 1, checks.MANY // 3))
        length = checks.whole("context_length", self.context_length, 1, self.n_letters, "n_letters")
        object.__setattr__(self, "context_length", length)

    @property
    def n_tokens(self) -> int:
        """D = 3L."""
        return 3 * self.n_letters

    @property
    def n_item_tokens(self) -> int:
        """2L: letters in either case. The others only ask."""
        return 2 * self.n_letters

    @property
    def n_outputs(self) -> int:
        """2: lowercase, uppercase."""
        return 2

    @property
    def output_names(self) -> tuple[str, str]:
        """The outputs as figures name them."""
        return "lowercase", "uppercase"

    @property
    def token_names(self) -> tuple[str, ...]:
        """The tokens as figures name them: a, b, …, A, B, …, a?, b?, … ; beyond z, letters are numbered."""
        if self.n_letters <= len(ascii_lowercase):
            letters = list(ascii_lowercase[: self.n_letters])
        else:
            letters = [f"x{i + 1}" for i in range(self.n_letters)]
        return (*letters, *(letter.upper() for letter in letters), *(f"{letter}?" for letter in letters))

    @property
    def case_code(self) -> NDArray[np.float64]:
        """The values that solve the task, (2, 2L): [1, 0] for lowercase letters, [0, 1] for uppercase ones."""
        return np.repeat(np.eye(2), self.n_letters, axis=1)

    @property
    def n_sequences(self) -> int:
        """How many valid sequences there are: L!/(L−C)! · 2^C · C."""
        return perm(self.n_letters, self.context_length) * self.context_length << self.context_length

    def batch(self, size: int, *, seed: checks.Seed) -> Sequences:
        """Draw sequences uniformly at random, with replacement; a Generator as the seed advances."""
        size = checks.whole("size", size, 1, checks.MANY)
        context = np.empty((size, self.context_length), np.int64)
        query, target = np.empty(size, np.int64), np.empty(size, np.int64)
        draw_sequences(checks.generator(seed, "sequences"), self.n_letters, context, query, target)
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

    def sequence(self, context: str | Iterable[str | int], query: str | int) -> Sequences:
        """Return one sequence, by names ("bADc" and "d" or "d?") or by token numbers."""
        names = self.token_names
        words = list(context) if isinstance(context, str | Iterable) else [context]
        tokens = [self._token("context", word, names[: 2 * self.n_letters]) for word in words]
        letters = [token % self.n_letters for token in tokens]
        if len(tokens) != self.context_length or len(set(letters)) < len(letters):
            raise ValueError(
                f"context must hold context_length = {self.context_length} different letters, in either case, "
                f"not {checks.shown(context)}"
            )
        if isinstance(query, str):
            queries = names[2 * self.n_letters :]
            name = f"{query.lower().removesuffix('?')}?"
            if name not in queries:
                raise ValueError(f"query must be one of {', '.join(queries)}, not {checks.shown(query)}")
            asked = queries.index(name)
        else:
            asked = checks.whole("query", query, 2 * self.n_letters, self.n_tokens - 1) % self.n_letters
        if asked not in letters:
            raise ValueError(f"query must name a letter of the context, not {checks.shown(query)}")
        target = tokens[letters.index(asked)] // self.n_letters
        return Sequences(np.array([tokens]), np.array([asked + 2 * self.n_letters]), np.array([target]))

    @staticmethod
    def _token(argument: str, word: object, names: tuple[str, ...]) -> int:
        if not isinstance(word, str):
            return checks.whole(f"a token of {argument}", word, 0, len(names) - 1)
        if word not in names:
            raise ValueError(f"{argument} must hold tokens out of {', '.join(names)}, not {checks.shown(word)}")
        return names.index(word)

    def one_hot(self, tokens: ArrayLike) -> NDArray[np.float64]:
        """Return tokens as the vectors that the equations see, (…, D)."""
        numbers = np.asarray(tokens)
        if numbers.dtype.kind not in "iu" or (numbers.size and not 0 <= numbers.min() <= numbers.max() < self.n_tokens):
            raise ValueError(f"tokens must be whole numbers from 0 to {self.n_tokens - 1}, not {checks.shown(tokens)}")
        vectors: NDArray[np.float64] = np.eye(self.n_tokens)[numbers]
        return vectors
