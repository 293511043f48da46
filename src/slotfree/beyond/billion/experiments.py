"""The same memory at five sizes: n_v = n_h, f = 0.1, k_v = n_v/10, k_h = n_h/100, ε = 0.3, weights of 16 bits.

In its steady state a unit has won so often that nothing is left of its first weights. A unit wins with every n_h/k_h-th
pattern, here every hundredth, on average. The oldest pattern that is tested is stored after 2000 others, 20 n_h/k_h;
the memory is tested after 3007 patterns, 30 n_h/k_h.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.agreement import agreement
from slotfree.forgetting.family import labels_of
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.labelled import Labelled
from slotfree.study.scale import Scale

AGES = (1, 10, 100, 300, 1000)
NEIGHBOURS = 8  # ages of which each of these is the first: the mean over them is taken
UNSEEN = 12  # patterns never stored that are tested
SETTLE = 2000  # patterns that are stored before the oldest that is tested
BATCH = 50  # patterns that are drawn and stored together: all of them would take hundreds of megabytes
TIMED = 10  # batches at the end whose time is kept
RUNS = {10**5: 100, 10**6: 40, 10**7: 12, 10**8: 6, 10**9: 1}
SMALL = (10**4, 10**5)  # synapses of the smallest and the largest at a smaller scale


def memory_of(synapses: float) -> KWinnerSettings:
    """Return the memory with about so many synapses, n_h f n_v."""
    n = round((10 * synapses) ** 0.5)
    return KWinnerSettings(
        *(n, n, round(n / 10), round(n / 100)),
        fan_in=0.1,
        learning_rate=0.3,
        weights="uint16",
        connections="computed",
    )


def touched(settings: KWinnerSettings) -> float:
    """Return how many synapses a store touches: k_v f n_h of the active inputs, and k_h f n_v of the winners."""
    s = settings
    return s.k_visible * s.n_synapses / s.n_visible + s.k_hidden * s.n_connections


@dataclass(frozen=True)
class SteadyState(Labelled):
    """Store random patterns until the memory is in its steady state; test some of them, and some never stored.

    Attributes
    ----------
    settle : how many patterns are stored before the oldest that is tested.
    """

    settings: KWinnerSettings
    settle: int = SETTLE
    dims: ClassVar = {
        "accuracy": ("cue", "age", "neighbour"),
        "baseline": ("cue", "unseen"),
        "store_seconds": ("batch",),
    }

    @property
    def tested(self) -> NDArray[np.int64]:
        """The ages that are tested, (age, neighbour)."""
        return np.add.outer(AGES, np.arange(NEIGHBOURS))

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``accuracy`` (cue, age, neighbour), ``baseline`` (cue, unseen), ``nbytes``; and times.

        ``build_seconds`` and ``store_seconds``, (batch,), per pattern, are those of one thread, and of this machine.
        """
        begin = time.thread_time()
        memory = KWinnerMHN.from_settings(self.settings, seed_for(seed, "memory"))
        build_seconds = time.thread_time() - begin
        stored, store_seconds = self.store(memory, seed)
        unseen = self.drawn(UNSEEN, seed_for(seed, "unseen"))
        return {
            "accuracy": self.accuracy(memory, stored, seed_for(seed, "cues")).reshape(-1, *self.tested.shape),
            "baseline": self.accuracy(memory, unseen, seed_for(seed, "unseen cues")),
            "nbytes": np.asarray(memory.nbytes),
            "build_seconds": np.asarray(build_seconds),
            "store_seconds": np.array(store_seconds[-TIMED:]),
        }

    def store(self, memory: KWinnerMHN, seed: np.random.SeedSequence) -> tuple[NDArray[np.uint8], list[float]]:
        """Store all patterns; return those that are tested, in the order of their ages, and seconds by batch."""
        n_stored = self.settle + int(self.tested.max())
        place = n_stored - self.tested.ravel()
        kept = np.empty((len(place), self.settings.n_visible), np.uint8)
        seconds = []
        for start in range(0, n_stored, BATCH):
            patterns = self.drawn(min(BATCH, n_stored - start), seed_for(seed, "patterns", start))
            begin = time.thread_time()
            memory.store(patterns)
            seconds.append((time.thread_time() - begin) / len(patterns))
            here = (place >= start) & (place < start + len(patterns))
            kept[here] = patterns[place[here] - start]
        return kept, seconds

    def drawn(self, n_patterns: int, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        """Return random patterns."""
        s = self.settings
        return random_patterns(n_patterns, n_visible=s.n_visible, k_visible=s.k_visible, seed=seed)

    def accuracy(
        self, memory: KWinnerMHN, patterns: NDArray[np.uint8], seed: np.random.SeedSequence
    ) -> NDArray[np.float64]:
        """Return the accuracy of what is retrieved, (cue, pattern)."""
        cues = [partial_cues(patterns, cue, seed=seed_for(seed, cue)) for cue in CUES]
        return np.array([agreement(memory.retrieve(each), patterns, ["accuracy"])["accuracy"] for each in cues])

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Cues and ages; the coordinates (setting), one of them, say which memory it is."""
        tested = (("age", "neighbour"), self.tested)
        return {"cue": list(CUES), "age": list(AGES), "tested_age": tested, **labels_of([self.settings])}

    def at(self, scale: Scale) -> "SteadyState":
        """The same for a small memory that has stored fewer patterns; the order of the sizes stays."""
        smallest, largest = min(RUNS), max(RUNS)
        share = np.log(self.settings.n_synapses / smallest) / np.log(largest / smallest)
        small = memory_of(SMALL[0] * (SMALL[1] / SMALL[0]) ** share)
        return replace(self, settings=small, settle=scale.limit("n_stored", self.settle))


SIZES = {
    size: Experiment(
        f"billion-1e{len(str(size)) - 1}",
        SteadyState(memory_of(size)),
        runs,
        few=2,
    )
    for size, runs in RUNS.items()
}
