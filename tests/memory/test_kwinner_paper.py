"""The numbers of the paper at its own size, random patterns, within 0.01."""

import numpy as np
import pytest

import slotfree as sf

K_WINNER = {"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3}
ONE_WINNER = {"n_hidden": 100, "k_hidden": 1, "fan_in": 1, "learning_rate": 1}


def accuracy(recalled, patterns):
    return ((recalled & patterns).sum(axis=1) / patterns.sum(axis=1)).mean()


@pytest.mark.parametrize(
    ("model", "cue", "newest", "pseudo"),
    [
        (K_WINNER, 1.0, 0.85, 0.52),
        (K_WINNER, 0.5, 0.74, 0.385),
        (ONE_WINNER, 1.0, 1.0, 0.176),
        (ONE_WINNER, 0.5, 1.0, 0.154),
    ],
)
def test_accuracy_at_age_one_and_of_pseudo_memories(model, cue, newest, pseudo):
    """After 3000 patterns, each of 600 more is tested as soon as it is stored, then 3000 that never were.

    One test spreads by about 0.04, so the means have standard errors below 0.002.
    """
    memory = sf.KWinnerMHN(**model, seed=0)
    patterns = sf.random_patterns(6600, seed=1)
    cues = sf.partial_cues(patterns, cue, seed=2)
    memory.store(patterns[:3000])
    recalled = []
    for t in range(3000, 3600):
        memory.store(patterns[t])
        recalled.append(memory.retrieve(cues[t]))
    assert abs(accuracy(np.array(recalled), patterns[3000:3600]) - newest) < 0.01
    assert abs(accuracy(memory.retrieve(cues[3600:]), patterns[3600:]) - pseudo) < 0.01
