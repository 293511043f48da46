"""Made-up results of memories: in theory and in simulation, and their signatures."""

import numpy as np

from slotfree.beyond.shared.compared.signatures import Signatures
from slotfree.forgetting.lists import LISTS
from slotfree.forgetting.merit import bin_means
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import merit_names
from slotfree.memory.kwinner import KWinnerSettings

BASELINE = 0.1


def decay(C, half_life, last):
    """Accuracy at ages 1..last."""
    return BASELINE + C * 0.5 ** (np.arange(last) / half_life)


def simulated(run, runs, curve, *, noise=0.0, seed=0):
    """The dataset of a ``BinnedRetention`` whose memories have C, half-life and spread = curve(settings, cue).

    With noise, C and half-life of each run are multiplied by random factors.
    """
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(runs):
        found = []
        for one in run.members:
            for cue in CUES:
                C, half_life, spread = curve(one, cue)
                f, g = np.exp(noise * rng.normal(size=2))
                accuracy = decay(C * f, half_life * g, run.n_tested)
                square = accuracy**2 + spread**2
                found.append([bin_means(accuracy, run.n_tested), bin_means(square, run.n_tested)])
        stored = np.array(found).reshape(len(run.members), len(CUES), 2, -1)
        baseline = np.full(stored.shape[:2], BASELINE)
        squares = {"square": stored[:, :, 1], "baseline_square": baseline**2}
        results.append({"accuracy": stored[:, :, 0], "baseline": baseline, **squares})
    return run.label(results)


def predicted(run, merits):
    """The dataset of a ``PredictedMerits`` whose memories have merits(settings, cue), a mapping; 0 if not named."""
    found = [[merits(one, cue) for cue in CUES] for one in run.members]
    values = [[[of_cue.get(name, 0.0) for of_cue in of_one] for of_one in found] for name in merit_names(run.age)]
    return run.label([{"merits": np.array(values)}])


def signed(curve, *, spread=1.0, left=0.5, gain=0.0, runs=4, weak=0.3, noise=0.02, seed=0):
    """What a memory with this R.D. by age gives: normal familiarities, a share left of A–B, a gain by spacing."""
    rng = np.random.default_rng(seed)
    run = Signatures(KWinnerSettings())
    results = []
    for _ in range(runs):
        pairs = np.array([[0.6] * 5, [0.1] * 5, [0.1] * 5]) + 1e-3 * rng.standard_normal((3, 5))
        pairs[0, 1:] = 0.1 + left * 0.5
        listed = np.full((3, 3, 20), np.nan)
        for i, strengths in enumerate(LISTS.values()):
            for j, strength in enumerate(("weak", "strong", "new")):
                if strength in (*strengths, "new"):
                    mean = {"weak": weak if i == 2 else 0.4, "strong": 0.6, "new": 0.0}[strength]
                    listed[i, j] = 0.2 + mean + noise * rng.standard_normal(20)
        results.append(
            {
                "accuracy": np.stack([0.2 + curve, np.full(1000, 0.2)]) + 1e-4 * rng.standard_normal((2, 1000)),
                "familiarity": np.stack([1.2 + spread * rng.standard_normal(1000), rng.standard_normal(1000)]),
                "pairs": pairs,
                "listed": listed,
                "felt": listed,
                "spaced": np.array([0.5, 0.5 + gain]) + 1e-3 * rng.standard_normal(2),
            }
        )
    return run.label(results)
