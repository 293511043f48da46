"""What is run for theorem 1: the protocol over a grid of sizes, and memories of which every slot is followed."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from slotfree.drawing.style import BLACK, BLUE, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import paired_similarity
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.retention import Retention
from slotfree.study.scale import Scale

N_VISIBLE = 1000
SIZES = (30, 100, 300)
SPARSITIES = {0.05: BLUE, 0.1: BLACK, 0.2: VERMILION}
LEVELS = (*CUES, 0.2)
AGES = 100


def one_winner_settings(n_h: int, s_v: float) -> KWinnerSettings:
    """A 1-winner MHN of another size, for patterns of another sparsity."""
    return KWinnerSettings(N_VISIBLE, n_h, round(s_v * N_VISIBLE), 1, 1.0, 1.0)


def on_grid(n_h: int, s_v: float) -> Experiment:
    """A memory which stores enough to be full."""
    run = Retention(one_winner_settings(n_h, s_v), cues=LEVELS, n_stored=4 * n_h + AGES, n_tested=AGES)
    return Experiment(f"theorem1-{n_h}-{s_v:g}", run, 40, few=3)


@dataclass(frozen=True)
class Slots:
    """Follow which slot each pattern of a stream is stored in, and recall patterns whose slot is known.

    Attributes
    ----------
    settings : of a 1-winner MHN.
    n_stored : patterns in the stream.
    n_ages : ages at which is asked whether a pattern is still stored.
    ones : numbers of ones of the small cues.
    """

    settings: KWinnerSettings
    n_stored: int
    n_ages: int
    ones: tuple[int, ...]

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return what became of the patterns of a stream.

        ``stored`` (age,), the share of patterns that are in memory at each age; ``loss`` (ones,), the accuracy that
        small cues of stored patterns lose on average; ``failed`` and ``alone`` (ones,), how many of them recall
        another pattern, and of these, how many that no other stored pattern contains; ``replaced``,
        ``earlier`` and ``unseen``, the mean accuracy for full cues of patterns whose replacement is still stored, of
        those whose replacement was replaced too, and of patterns never stored.
        """
        s = self.settings
        memory = KWinnerMHN.from_settings(s, seed_for(seed, "memory"))
        size = {"n_visible": s.n_visible, "k_visible": s.k_visible}
        patterns = random_patterns(self.n_stored, **size, seed=seed_for(seed, "patterns"))
        lifetimes = lifetimes_of(memory.store(patterns, return_winners=True)[:, 0])
        is_stored = lifetimes == np.inf
        gone = np.flatnonzero(~is_stored[-self.n_ages :]) + self.n_stored - self.n_ages
        is_followed = is_stored[gone + lifetimes[gone].astype(int)]
        unseen = random_patterns(self.n_ages, **size, seed=seed_for(seed, "unseen"))
        counted = lifetimes[min(3 * s.n_hidden, self.n_stored // 4) : self.n_stored - self.n_ages + 1]
        return {
            "stored": (counted[:, None] >= np.arange(1, self.n_ages + 1)).mean(axis=0),
            **self._small_cues(memory, patterns[is_stored], seed),
            "replaced": mean_accuracy(memory, patterns[gone[is_followed]]),
            "earlier": mean_accuracy(memory, patterns[gone[~is_followed]]),
            "unseen": mean_accuracy(memory, unseen),
        }

    def _small_cues(self, memory: KWinnerMHN, stored: NDArray[np.uint8], seed: np.random.SeedSequence) -> Arrays:
        loss, failed, alone = (np.empty(len(self.ones)) for _ in range(3))
        for i, ones in enumerate(self.ones):
            cues = partial_cues(stored, ones / self.settings.k_visible, seed=seed_for(seed, "cue", ones))
            accuracy = paired_similarity(stored, memory.retrieve(cues))
            contained = cues.astype(np.float32) @ stored.T.astype(np.float32) == ones
            loss[i], failed[i] = 1 - accuracy.mean(), (accuracy < 1).sum()
            alone[i] = ((accuracy < 1) & (contained.sum(axis=1) == 1)).sum()
        return {"loss": loss, "failed": failed, "alone": alone}

    def at(self, scale: Scale) -> "Slots":
        """The same with fewer patterns."""
        n_stored = scale.limit("n_stored", self.n_stored) // 2
        return replace(self, n_stored=n_stored, n_ages=min(self.n_ages, n_stored // 2))


def lifetimes_of(slots: NDArray[np.uint32]) -> NDArray[np.float64]:
    """After how many patterns each one is replaced, given the slot of each; infinite if it is still there."""
    following: dict[int, int] = {}
    lifetimes = np.full(len(slots), np.inf)
    for t in range(len(slots) - 1, -1, -1):
        slot = int(slots[t])
        if slot in following:
            lifetimes[t] = following[slot] - t
        following[slot] = t
    return lifetimes


def mean_accuracy(memory: KWinnerMHN, patterns: NDArray[np.uint8]) -> float:
    """Mean accuracy for full cues; NaN without patterns."""
    return float(paired_similarity(patterns, memory.retrieve(patterns)).mean()) if len(patterns) else np.nan


def followed(n_h: int, s_v: float, n_stored: int, runs: int) -> Experiment:
    """The slots of a memory; small ones need more runs, as they have fewer slots."""
    run = Slots(one_winner_settings(n_h, s_v), n_stored, 3 * n_h, SMALL_CUES)
    return Experiment(f"theorem1-slots-{n_h}-{s_v:g}", run, runs, few=2)


SMALL_CUES = (2, 3, 4)
GRID = {(n_h, s_v): on_grid(n_h, s_v) for n_h, s_v in product(SIZES, SPARSITIES)}
SLOTS = {
    (100, 0.1): followed(100, 0.1, 4000, 80),
    (30, 0.2): followed(30, 0.2, 600, 120),
    (300, 0.05): followed(300, 0.05, 3000, 100),
}
PAPERS_SIZE = (100, 0.1)
