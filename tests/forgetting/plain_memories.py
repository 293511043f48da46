"""Memories so plain that what any experiment with them gives is known beforehand."""

import numpy as np


class Slots:
    """The newest patterns as they are; a cue recalls the newest pattern that holds all of it, or nothing."""

    n_slots = 20

    def __init__(self, seed):
        self.kept = []

    def store(self, patterns):
        self.kept = [*self.kept, *np.array(patterns)][-self.n_slots :]

    def retrieve(self, cues):
        out = np.zeros_like(cues)
        for cue, recalled in zip(cues, out, strict=True):
            recalled[:] = next((x for x in reversed(self.kept) if (cue <= x).all()), 0)
        return out


class Diary(Slots):
    """Knows when each pattern came: familiarity is 1000 · (last − first) + how many came since."""

    n_slots = 10_000

    def familiarity(self, cues):
        every = np.array(self.kept)
        places = [np.flatnonzero((every == cue).all(axis=1)) for cue in cues]
        return [1000 * (p[-1] - p[0]) + len(every) - 1 - p[-1] if len(p) else -1 for p in places]


class Tally(Slots):
    """Counts how often each pattern came."""

    n_slots = 10_000

    def familiarity(self, cues):
        return [sum(np.array_equal(x, cue) for x in self.kept) for cue in cues]
