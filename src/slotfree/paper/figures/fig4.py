"""Figure 4: retrieval accuracy and sensitivity by age, K-winner against 1-winner MHN, random patterns."""

from dataclasses import replace
from itertools import product

import xarray as xr

from slotfree.drawing.picture import Picture
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.paper.shared.fading import ONE, TESTED, Ages, K, Runs, draw_by_cue, newest
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, KWinnerModel
from slotfree.study import Estimate, Experiment, Item, Results, Retention, curves, estimate, measure

# Every age is tested, also those of the burn-in, in fewer runs.
OLD = {
    model: Experiment(f"{model.name}-old", Retention(model.settings, n_tested=4000), runs)
    for model, runs in ((K_WINNER, 60), (ONE_WINNER, 20))
}
BLOCK = 250  # ages among which a trace of old memories is looked for
# Weights are moved the whole way; what is older than a few patterns is of no interest.
WHOLE = Experiment(
    "kwinner-whole", Retention(replace(K_WINNER.settings, learning_rate=1.0), n_stored=1000, n_tested=10), 40
)


def draw(r: Results) -> Picture:
    """Draw accuracy (A) and d' (B) for both cues."""
    return draw_by_cue(r, ((K_WINNER, K), (ONE_WINNER, ONE)), ("accuracy", "d_prime"), height=3.0)


@measure
def drop(r: Results, e: Experiment) -> Runs:
    """How much lower accuracy is at age 1 with half cues than with full ones, in each run."""
    return newest(e, 1.0)(r) - newest(e, 0.5)(r)


@measure
def detection_d_prime(r: Results, e: Experiment, cue: float, ages: Ages) -> Runs:
    """d' of signal detection theory, the difference of means over the mean spread, in each sample of runs."""
    data = r[e].sel(cue=cue, drop=True)
    samples = curves.n_samples(data.sizes["run"])
    return curves.over_ages(metrics.d_prime(data, samples, corrected=False, definition="detection"), ages)


@measure
def start_of_lead(r: Results, cue: float) -> Estimate:
    """First age that begins 20 of which 16 or more are marked: our rule, as the paper gives none (bootstrap)."""
    starts = curves.first_leads(r[K], r[ONE], cue, seed=r.seed)
    return estimate.resampled_estimate(starts[0], starts[1:])


@measure
def trace(r: Results, model: KWinnerModel) -> Estimate:
    """Clearest R.D. of blocks of 250 ages from 1001 on, {model.label}.

    With either cue, at a joint level of 1 %.
    """
    first = r.scale.limit("n_tested", TESTED) + 1
    return estimate.clearest_of(traces(r[OLD[model]], first).values())


def traces(data: xr.Dataset, first: int) -> dict[str, Estimate]:
    """R.D. of old memories in blocks of ages, for each cue; the baseline is the mean over all patterns never stored."""
    last = data.sizes["age"]
    starts = range(first, last + 1, BLOCK)
    found = {}
    for cue, start in product(CUES, starts):
        accuracy, end = data["accuracy"].sel(cue=cue), min(start + BLOCK - 1, last)
        old = accuracy.sel(kind="real", age=slice(start, end)).mean("age") - accuracy.sel(kind="pseudo").mean("age")
        among = len(CUES) * len(starts)
        found[f"ages {start} to {end}, {cue:.0%} cues"] = estimate.mean(old.values, among=among)
    return found


ITEM = Item(
    name="fig4",
    number="Figure 4",
    title="How two memories fade",
    text="Both memories have 100,000 weights: the 1-winner MHN, in effect a store with 100 slots, recalls the newest "
    "patterns without error and soon loses them, while the K-winner MHN starts lower, above a higher baseline, and "
    "fades more slowly. Measured against patterns never stored (d'), spreading each memory over many units is the "
    "better choice for all but the newest memories. That lead becomes reliable at nearly the same age with full and "
    "with half cues; 200 runs cannot tell the printed ages, 16 and 10, apart. Theory (dashed) is for very many runs: "
    "samples of 20 put the 1-winner MHN higher as long as few of them have lost a pattern.",
    alt="Two rows of two panels, for 100% and for 50% cues, against memory age on a logarithmic axis. Upper row: "
    "accuracy of the K-winner and the 1-winner MHN for stored patterns and, dotted, for patterns never stored. Lower "
    "row: sensitivity d' of both, with bars at the ages where one of them reliably leads, and, dashed, what theory "
    "predicts.",
    experiments=(K, ONE, *OLD.values(), WHOLE),
    draw=draw,
)
