"""Associative recall: the value that was shown with the queried key."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.attention.associative_recall import Pairs, draw_pairs
from slotfree.tasks import token_names as words
from slotfree.tasks.sequences import NO_ANSWER, Sequences


@dataclass(frozen=True)
class AssociativeRecall:
    """Pairs of a key and a value are shown, then queries that name keys: the answer is the value of the key.

    Tokens: keys 0..L−1, values L..L+V−1, queries for keys L+V..2L+V−1. An item is two-hot, the sum of the one-hot
    vectors of its key and its value. The target is the number of the value, from 0 to V−1.

    Values are drawn uniformly. The queries of a sequence name different keys of its context, as long as there are any:
    where keys come back, a context may have fewer keys than queries, and one is asked for again only when all have
    been. The same holds for the absent keys.

    Parameters
    ----------
    n_keys : L.
    n_values : V.
    n_pairs : C, the items of a context; at most L, unless keys come back.
    n_queries : A ≤ C, queries after each context.
    repeats : False: the keys of a context are different. True: they are drawn with replacement, and the latest value of
        a key counts.
    absent : the probability with which a query names a key that is not in the context. If it is not 0, there is one
        more output, the last, which is right for such queries: "none". This needs C < L.

    Examples
    --------
    >>> import slotfree as sf
    >>> drawn = sf.AssociativeRecall(n_keys=4, n_values=3, n_pairs=2).batch(1, seed=0)
    >>> drawn.items[0].tolist(), drawn.query[0].tolist(), drawn.target[0].tolist()   # key 3 has the value 5 − 4
    ([[3, 5], [2, 4]], [10], [1])
    """

    n_keys: int
    n_values: int
    n_pairs: int
    n_queries: int = 1
    repeats: bool = False
    absent: float = 0.0

    def __post_init__(self) -> None:
        def fix(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        fix("n_keys", checks.integer("n_keys", self.n_keys, 1, checks.MANY // 3))
        fix("n_values", checks.integer("n_values", self.n_values, 1, checks.MANY // 3))
        fix("repeats", checks.yes_or_no("repeats", self.repeats))
        most, why = (checks.MANY, "") if self.repeats else (self.n_keys, "n_keys")
        fix("n_pairs", checks.integer("n_pairs", self.n_pairs, 1, most, why))
        fix("n_queries", checks.integer("n_queries", self.n_queries, 1, self.n_pairs, "n_pairs"))
        fix("absent", checks.fraction("absent", self.absent, zero_allowed=True))
        if self.absent and self.n_pairs >= self.n_keys:
            raise ValueError(
                f"absent must be 0 if n_pairs = {self.n_pairs} is not below n_keys = {self.n_keys}, not {self.absent}: "
                "no key might be left that is not in the context"
            )

    @property
    def context_length(self) -> int:
        """C."""
        return self.n_pairs

    @property
    def n_item_tokens(self) -> int:
        """L + V: keys and values. The others only ask."""
        return self.n_keys + self.n_values

    @property
    def n_tokens(self) -> int:
        """D = 2L + V."""
        return self.n_item_tokens + self.n_keys

    @property
    def item_size(self) -> int:
        """2: an item is a key and a value."""
        return 2

    @property
    def item_parts(self) -> dict[str, range]:
        """The tokens that are keys, and those that are values."""
        return {"keys": range(self.n_keys), "values": range(self.n_keys, self.n_item_tokens)}

    @property
    def n_outputs(self) -> int:
        """V; one more if keys may be absent."""
        return self.n_values + bool(self.absent)

    @property
    def query_of(self) -> NDArray[np.int64]:
        """The query that asks for each token of an item, (L + V,): for a key its own, for a value none."""
        keys = self.n_item_tokens + np.arange(self.n_keys)
        return np.concatenate([keys, np.full(self.n_values, -1)])

    @property
    def output_names(self) -> tuple[str, ...]:
        """The values, 1, 2, …, and "none" if keys may be absent."""
        return (*(str(value + 1) for value in range(self.n_values)), *(["none"] if self.absent else []))

    @property
    def token_names(self) -> tuple[str, ...]:
        """Keys a, b, … (if they are more than 26, x1, x2, …), values 1, 2, …, and queries a?, b?, … ."""
        return (*words.letters(self.n_keys), *self.output_names[: self.n_values], *words.queries(self.n_keys))

    def batch(self, size: int, *, seed: checks.Seed) -> Sequences:
        """Draw sequences; a Generator as the seed advances."""
        size = checks.integer("size", size, 1, checks.MANY)
        context = np.empty((size, self.n_pairs, 2), np.int64)
        query, target = np.empty((size, self.n_queries), np.int64), np.empty((size, self.n_queries), np.int64)
        pairs = Pairs(self.n_keys, self.n_values, self.repeats, self.absent)
        draw_pairs(checks.generator(seed, "sequences"), pairs, context, query, target)
        return Sequences(context, query, target)

    def sequence(
        self, context: str | Iterable[Iterable[str | int]], query: str | int | Sequence[str | int]
    ) -> Sequences:
        """Return one sequence, by names ("a3c1" or ["a3", "c1"], and "c" or "c?") or by token numbers.

        Names that are longer are given in pairs: [("x12", "3"), ("x7", "10")]. Numbers are those of tokens: the item
        "a3" is (0, L + 2). The query may be a list of several. A key may come more than once: the latest value counts.
        For a key that is not in the context, the target is "none" if the task has this output, else ``NO_ANSWER``.
        """
        L, both = self.n_keys, self.n_item_tokens
        items = [words.parts_of(item, 2) for item in words.apart(context, 2)]
        if len(items) != self.n_pairs or not all(items):
            example = (self.token_names[0], self.token_names[both - 1])
            raise ValueError(
                f"context must hold n_pairs = {self.n_pairs} pairs of a key and a value, such as {example}, "
                f"not {checks.shown(context)}"
            )
        keys = words.tokens_of("the keys of context", (key for key, _ in items), words.letters(L))
        values = words.tokens_of("the values of context", (value for _, value in items), self.token_names[L:both], L)
        asked = words.query_tokens(query, words.queries(L), both)
        latest = np.full(L, self.n_values if self.absent else NO_ANSWER)
        for key, value in zip(keys, values, strict=True):
            latest[key] = value - L
        return Sequences(np.stack([keys, values], axis=1)[None], asked[None], latest[asked - both][None])
