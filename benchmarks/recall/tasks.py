"""Associative recall in its stacked form: an item is the embeddings of a key and of a value in one vector.

Embeddings are fixed, on a sphere. A context is shown item by item; then queries, which are keys alone, read the memory
as it is and are not stored. So one layer is enough, and what is measured is the memory.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch

N_KEYS, N_VALUES, SIZE = 1024, 64, 32  # of embeddings
WIDTH = 2 * SIZE
AGES = (1, 2, 4, 8, 16, 32, 64, 128, 256)  # lower ends of the bins in which accuracy is scored


class Batch(NamedTuple):
    """Items (B, T, WIDTH), queries (B, A, WIDTH), the values asked for and how many items ago they came, (B, A)."""

    items: torch.Tensor
    queries: torch.Tensor
    targets: torch.Tensor
    ages: torch.Tensor


@dataclass(frozen=True)
class Recall:
    """Pairs of keys and values.

    "pairs": each is shown length/n_pairs times, in random order. "reassigned": the same, but a key has another value
    each time, and the last counts. "stream": every key is shown once; n_pairs is not used, and queries ask at all ages.
    """

    kind: Literal["pairs", "reassigned", "stream"]
    n_pairs: int
    length: int
    n_queries: int = 128

    def batch(self, size, made):
        keys = torch.rand(size, N_KEYS, generator=made).argsort(dim=1)
        if self.kind == "stream":
            which = torch.arange(self.length).expand(size, -1)
            asked = torch.randint(self.length, (size, self.n_queries), generator=made)
        else:
            places = torch.rand(size, self.length, generator=made).argsort(dim=1)
            which = places % self.n_pairs
            asked = torch.randint(self.n_pairs, (size, self.n_queries), generator=made)
        values = torch.randint(N_VALUES, (size, self.length), generator=made)
        if self.kind == "pairs":
            values = values.gather(1, which)  # that of a pair, not of an item
        time = torch.arange(self.length).expand(size, -1)
        latest = torch.full((size, int(which.max()) + 1), -1).scatter_reduce(1, which, time, "amax")
        at = latest.gather(1, asked)
        targets = values.gather(1, at)
        key_of, value_of = embeddings()
        items = torch.cat([key_of[keys.gather(1, which)], value_of[values]], 2)
        queries = torch.cat([key_of[keys.gather(1, asked)], torch.zeros(size, self.n_queries, SIZE)], 2)
        return Batch(items, queries, targets, self.length - at)


def embeddings():
    """Of keys and values: the same in every run."""
    made = torch.Generator().manual_seed(2024)
    drawn = (torch.randn(n, SIZE, generator=made) for n in (N_KEYS, N_VALUES))
    return tuple(torch.nn.functional.normalize(each, dim=1) for each in drawn)


STREAM = "stream by age"  # is not trained on: memories that learnt 16 pairs are scored on it
TASKS = {
    "16 pairs": Recall("pairs", 16, 128),
    "32 pairs": Recall("pairs", 32, 128),
    "64 pairs": Recall("pairs", 64, 128),
    "16 pairs, 1024 items": Recall("pairs", 16, 1024),
    "64 pairs, 1024 items": Recall("pairs", 64, 1024),
    "16 pairs, reassigned": Recall("reassigned", 16, 32),
    STREAM: Recall("stream", 0, 128),
}
