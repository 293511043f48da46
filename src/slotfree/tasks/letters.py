"""What tasks have in common that show letters in two cases, and ask for the case of one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.tasks import token_names as words
from slotfree.tasks.sequences import NO_ANSWER, Sequences


@dataclass(frozen=True)
class LetterTask:
    """Letters in either case, then a query that names a letter: the answer is its case.

    Tokens are numbered as in the paper: lowercase letters 0..L−1, uppercase L..2L−1, queries 2L..3L−1. A model sees
    them as one-hot vectors of size D = 3L. The target is [1, 0] for lowercase, [0, 1] for uppercase.

    Parameters
    ----------
    n_letters : L, the alphabet.
    context_length : C, letters of a context.
    """

    n_letters: int = 4
    context_length: int = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_letters", checks.integer("n_letters", self.n_letters, 1, checks.MANY // 3))

    @property
    def n_tokens(self) -> int:
        """D = 3L."""
        return 3 * self.n_letters

    @property
    def n_item_tokens(self) -> int:
        """2L: letters in either case. The others only ask."""
        return 2 * self.n_letters

    @property
    def item_size(self) -> int:
        """1: an item is a letter."""
        return 1

    @property
    def n_outputs(self) -> int:
        """2: lowercase, uppercase."""
        return 2

    @property
    def query_of(self) -> NDArray[np.int64]:
        """The query that asks for each token of an item, (2L,): that of its letter, in either case."""
        return 2 * self.n_letters + np.arange(2 * self.n_letters) % self.n_letters

    @property
    def output_names(self) -> tuple[str, str]:
        """The outputs as figures name them."""
        return "lowercase", "uppercase"

    @property
    def token_names(self) -> tuple[str, ...]:
        """The tokens as figures name them: a, b, …, A, B, …, a?, b?, … ; beyond z, letters are numbered."""
        letters = words.letters(self.n_letters)
        return (*letters, *(letter.upper() for letter in letters), *words.queries(self.n_letters))

    @property
    def case_code(self) -> NDArray[np.float64]:
        """The values that solve the task, (2, 2L): [1, 0] for lowercase letters, [0, 1] for uppercase ones."""
        return np.repeat(np.eye(2), self.n_letters, axis=1)

    def sequence(self, context: str | Iterable[str | int], query: str | int | Sequence[str | int]) -> Sequences:
        """Return one sequence, by names ("bADc" and "d" or "d?") or by token numbers.

        The query may be a list of several. A letter may come more than once: the latest counts. A letter that is not in
        the context may be asked for: the target is then ``NO_ANSWER``.
        """
        L, shown = self.n_letters, list(context) if isinstance(context, Iterable) else [context]
        tokens = words.tokens_of("context", shown, self.token_names[: 2 * L])
        if len(tokens) != self.context_length:
            raise ValueError(
                f"context must hold context_length = {self.context_length} letters, in either case, "
                f"not {checks.shown(context)}"
            )
        asked = words.query_tokens(query, words.queries(L), 2 * L)
        cases = np.full(L, NO_ANSWER)
        for token in tokens:
            cases[token % L] = token // L
        return Sequences(np.array([tokens]), asked[None], cases[asked - 2 * L][None])

    def one_hot(self, tokens: ArrayLike) -> NDArray[np.float64]:
        """Return tokens as the vectors that the equations see, (…, D)."""
        numbers = np.asarray(tokens)
        if numbers.dtype.kind not in "iu" or (numbers.size and not 0 <= numbers.min() <= numbers.max() < self.n_tokens):
            raise ValueError(f"tokens must be integers from 0 to {self.n_tokens - 1}, not {checks.shown(tokens)}")
        vectors: NDArray[np.float64] = np.eye(self.n_tokens)[numbers]
        return vectors
