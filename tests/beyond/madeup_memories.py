"""Made-up results of memories that forget exponentially, in theory and in simulation."""

import numpy as np

from slotfree.forgetting.merit import bin_means
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import merit_names
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

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


def results(data):
    """Results at full scale, by experiment."""
    return Results({experiment.name: found for experiment, found in data.items()}, SCALES["paper"], 0)


def verdicts(item, made):
    """The verdicts of all claims of an item, by name."""
    claims = (judge.claim(made) for judge in item.claims)
    return {claim.name: claim.verdict for claim in claims}
