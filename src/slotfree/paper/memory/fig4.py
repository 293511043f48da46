"""Figure 4: retrieval accuracy and sensitivity by age, K-winner against 1-winner MHN, random patterns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BARS, EVERY_AGE
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, Model, on_random
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, Limits, Printed, above, equal_to, of_paper, within
from slotfree.study.estimate import Estimate
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.retention import Retention
from slotfree.study.scale import Scale

K, ONE = on_random(K_WINNER), on_random(ONE_WINNER)
MODELS = ((K_WINNER, K), (ONE_WINNER, ONE))
# Every age is tested, also those of the burn-in, in fewer runs.
OLD = {
    model: Experiment(f"{model.name}-old", Retention(model.settings, n_tested=4000), runs)
    for model, runs in ((K_WINNER, 60), (ONE_WINNER, 20))
}
TESTED = 1000
BLOCK = 250  # ages among which a trace of old memories is looked for
LATELY = 100
PRINTED_FROM = {1.0: 16, 0.5: 10}


@dataclass(frozen=True)
class Slots:
    """Store patterns in a 1-winner MHN; see which of the newest still have their unit, and which come back whole."""

    n_stored: int = 1000
    n_tested: int = 500

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``kept`` and ``whole``, for each pattern, the oldest first."""
        memory = KWinnerMHN.from_settings(ONE_WINNER.settings, seed=seed_for(seed, "memory"))
        patterns = random_patterns(self.n_stored, seed=seed_for(seed, "patterns"))
        units = memory.store(patterns, return_winners=True)[-self.n_tested :, 0]
        kept = np.array([unit not in units[i + 1 :] for i, unit in enumerate(units)])
        tested = patterns[-self.n_tested :]
        return {"kept": kept, "whole": (memory.retrieve(tested) == tested).all(axis=1)}

    def at(self, scale: Scale) -> "Slots":
        """The same with fewer patterns."""
        return Slots(scale.limit("n_stored", self.n_stored), scale.limit("n_tested", self.n_tested))


SLOTS = Experiment("onewinner-slots", Slots(), 10)
# Weights are moved the whole way; what is older than a few patterns is of no interest.
WHOLE = Experiment(
    "kwinner-whole", Retention(replace(K_WINNER.settings, learning_rate=1.0), n_stored=1000, n_tested=10), 40
)
# What is measured of a memory at a cue level, and its axis.
MEASURES: dict[str, tuple[Callable[[xr.Dataset, float], xr.DataArray], Callable[[Axes, bool], None]]] = {
    "accuracy": (curves.accuracy, ages.accuracy_axis),
    "raw_difference": (curves.raw_difference, ages.raw_difference_axis),
    "d_prime": (curves.d_prime, ages.d_prime_axis),
}


def draw(r: Results) -> Picture:
    """Draw accuracy (A) and d' (B) for both cues."""
    return draw_by_cue(r, MODELS, ("accuracy", "d_prime"), height=3.0)


def draw_by_cue(
    r: Results, pair: tuple[tuple[Model, Experiment], ...], measures: tuple[str, ...], height: float, names: int = 4
) -> Picture:
    """Draw measures of two memories by age, each in a row, for both cues; so many names side by side in the legend."""
    picture = Picture(len(measures), len(CUES), height=height, sharey="row")
    for (row, column), axis in np.ndenumerate(picture.axes):
        cue, measure = CUES[column], measures[row]
        measured, scaled = MEASURES[measure]
        found = [(model, measured(r[experiment], cue)) for model, experiment in pair]
        panel = ages.accuracies if measure == "accuracy" else ages.compared
        panel(picture, axis, found, row={"measure": measure, "model": "", "cue": f"{cue:g}", "kind": ""})
        scaled(axis, column == 0)
    ages.columns_by_cue(picture, CUES, r[pair[0][1]].sizes["age"])
    picture.legend_below(picture.axes[0, 0], names, f"{EVERY_AGE}; {BARS}")
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What the main text says of the figure."""
    yield of_paper(
        "same-weights",
        "The models are compared with “the total number of weights” equated: connections of the K-winner minus those "
        f"of the 1-winner MHN, which has {ONE_WINNER.settings.n_weights:,}.",
        paper=0.0,
        estimate=estimate.exact(K_WINNER.settings.n_weights - ONE_WINNER.settings.n_weights),
        limits=within(0, 0),
    )
    for cue in CUES:
        yield from claims_at_first(r, cue)
        yield from claims_by_age(r, cue)
    yield from claims_on_start(r)
    yield from claims_on_both_cues(r)
    yield from claims_on_update(r)
    yield from claims_on_erasure(r)
    yield from claims_old(r)


def claims_at_first(r: Results, cue: float) -> Iterator[Claim]:
    """What is said of accuracy: of the newest pattern, of patterns never stored, and of what is lost."""
    level = f"{cue:.0%}"
    real = {e.name: r[e]["accuracy"].sel(cue=cue, kind="real") for e in (K, ONE)}
    newest = {name: runs.sel(age=1).values for name, runs in real.items()}
    unseen = {e.name: r[e]["accuracy"].sel(cue=cue, kind="pseudo").mean("age").values for e in (K, ONE)}
    lost = {name: newest[name] - runs.sel(age=slice(2, None)).mean("age").values for name, runs in real.items()}
    yield Claim(
        f"perfect-{level}",
        f"The MHN “perfectly retrieves the most recent pattern” ({level} cues): lowest accuracy of any run.",
        source="paper" if cue == 1 else "ours",
        paper=1.0 if cue == 1 else "",
        estimate=estimate.exact(newest[ONE.name].min()),
        limits=within(1, 1),
    )
    yield of_paper(
        f"initial-{level}",
        f"At first the K-winner MHN is “slightly worse” ({level} cues), {newest[K.name].mean():.3f} against "
        f"{newest[ONE.name].mean():.3f}: by how much.",
        paper="slightly worse",
        estimate=estimate.difference(newest[ONE.name], newest[K.name]),
        limits=above(0),
    )
    yield of_paper(
        f"degrades-{level}",
        f"The K-winner's accuracy “degrades more slowly” ({level} cues): accuracy that the 1-winner MHN has lost since "
        "age 1 minus that which the K-winner has lost, mean over all older ages.",
        paper="more slowly",
        estimate=estimate.difference(lost[ONE.name], lost[K.name]),
        limits=above(0),
    )
    yield of_paper(
        f"baseline-{level}",
        f"The K-winner has a “higher baseline accuracy” ({level} cues), {unseen[K.name].mean():.3f} against "
        f"{unseen[ONE.name].mean():.3f}: by how much.",
        paper="higher",
        estimate=estimate.difference(unseen[K.name], unseen[ONE.name]),
        limits=above(0),
    )
    yield of_paper(
        f"above-chance-{level}",
        f"The 1-winner's baseline “is greater than 0.1”, the overlap of random patterns ({level} cues): by how much.",
        paper="greater",
        estimate=estimate.mean(unseen[ONE.name] - 0.1),
        limits=above(0),
    )


def claims_by_age(r: Results, cue: float) -> Iterator[Claim]:
    """What is said of sensitivity."""
    level, printed = f"{cue:.0%}", PRINTED_FROM[cue]
    k, one = (curves.d_prime(r[e], cue) for e in (K, ONE))
    older = (printed, TESTED)
    yield of_paper(
        f"older-{level}",
        f"The K-winner has “superior retention of older memories” ({level} cues): lead in d', mean over ages "
        f"{older[0]} to {older[1]}.",
        paper="superior",
        estimate=curves.lead(k, one, older),
        limits=above(0),
    )
    yield of_paper(
        f"large-range-{level}",
        f"The advantage is significant “for a large range of older memories” ({level} cues): share of ages {older[0]} "
        f"to {older[1]} that are marked; more than half of them.",
        paper="a large range",
        estimate=curves.share_of_lead(k, one, older),
        limits=above(0.5),
    )
    yield of_paper(
        f"newest-{level}",
        f"d' confirms that the K-winner is worse “at first” ({level} cues): lead of the 1-winner MHN at age 1.",
        paper="worse",
        estimate=curves.lead(one, k, (1, 1)),
        limits=above(0),
    )


def claims_on_start(r: Results) -> Iterator[Claim]:
    """From which age on the advantage is reliable; the claim of a cue level shows the other one, too."""
    starts = {cue: resampled(r.once(starts_of_lead, cue)) for cue in CUES}
    for cue, other in (CUES, CUES[::-1]):
        start, printed, limits = starts[cue], PRINTED_FROM[cue], Printed(PRINTED_FROM[cue], rounding=0.5)
        agrees = limits.of(start)
        weak = f", so that {PRINTED_FROM[other]} would, too" if agrees.low <= PRINTED_FROM[other] <= agrees.high else ""
        yield of_paper(
            f"reliable-from-{cue:.0%}",
            f"The K-winner's advantage “is reliable from age {printed}” ({cue:.0%} cues): first age that begins 20 of "
            "which 16 or more are marked, our rule, as the paper gives none. 200 runs leave it anywhere from "
            f"{start.low:.0f} to {start.high:.0f} (with {other:.0%} cues from {starts[other].low:.0f} to "
            f"{starts[other].high:.0f}), and any age from {max(agrees.low, 1):.0f} to {agrees.high:.0f} agrees with "
            f"the printed {printed}{weak} (see `reliable-alike`).",
            paper=printed,
            estimate=start,
            limits=limits,
        )


def starts_of_lead(r: Results, cue: float) -> NDArray[np.float64]:
    """The age from which the K-winner reliably leads, in our runs, and in resampled ones."""
    return curves.first_leads(r[K], r[ONE], cue, seed=r.seed)


def resampled(values: NDArray[np.float64]) -> Estimate:
    """A statistic of our runs, the first value, with its values in resampled ones (bootstrap)."""
    return estimate.resampled_estimate(values[0], values[1:])


def claims_on_both_cues(r: Results) -> Iterator[Claim]:
    """How the two cue levels compare; both are tested on the same memories."""
    drops, apart = [], PRINTED_FROM[1.0] - PRINTED_FROM[0.5]
    for e in (K, ONE):
        newest = r[e]["accuracy"].sel(kind="real", age=1)
        drops.append((newest.sel(cue=1.0) - newest.sel(cue=0.5)).values)
    yield of_paper(
        "initial-notably",
        "The K-winner's initial accuracy falls below the 1-winner's, “notably within the case of 50% cues”: how much "
        "farther than with 100% cues.",
        paper="notably",
        estimate=estimate.difference(*drops),
        limits=above(0),
    )
    yield Claim(
        "reliable-alike",
        "Tested on the same memories, the ages from which the advantage is reliable with 100% and with 50% cues differ "
        "by less than the printed 16 and 10 do, as it is the 1-winner's lost memories that decide: difference.",
        paper=float(apart),
        estimate=resampled(r.once(starts_of_lead, 1.0) - r.once(starts_of_lead, 0.5)),
        limits=Limits(-apart, apart, is_open=True),
    )


def claims_on_update(r: Results) -> Iterator[Claim]:
    """Why the K-winner is worse at first: it moves its weights only part of the way."""
    partly, wholly = (r[e]["accuracy"].sel(cue=1.0, kind="real", age=1).values for e in (K, WHOLE))
    yield of_paper(
        "update",
        "The K-winner is worse at first “because the distributed weight update is not large enough”: how much higher "
        f"its accuracy at age 1 is with ε = 1, {wholly.mean():.3f}, than with ε = 0.3, {partly.mean():.3f}.",
        paper="because",
        estimate=estimate.difference(wholly, partly),
        limits=above(0),
    )
    yield Claim(
        "update-not-all",
        "With ε = 1 the K-winner MHN still does not retrieve the newest pattern perfectly: part of it that is missing.",
        estimate=estimate.mean(1 - wholly),
        limits=above(0),
    )


def claims_on_erasure(r: Results) -> Iterator[Claim]:
    """What becomes of a memory of the 1-winner MHN whose unit stores another one."""
    slots, n_tested = r[SLOTS], r[ONE].sizes["age"]
    yield of_paper(
        "erased",
        "In the 1-winner MHN “a given memory is erased once its corresponding hidden neuron is assigned a new memory”: "
        f"memories, of {slots['kept'].size:,}, that are retrieved whole though their unit has another, or not although "
        "it has none.",
        paper=0.0,
        estimate=estimate.exact(int((slots["kept"].values != slots["whole"].values).sum())),
        limits=within(0, 0),
    )
    accuracy = r[ONE]["accuracy"].sel(cue=1.0, age=slice(2, min(LATELY, n_tested)))
    lost = accuracy.sel(kind="real").where(accuracy.sel(kind="real") < 1)
    yield Claim(
        "replaced-by-kin",
        "A memory that the 1-winner MHN has lost is replaced by one that resembles it, so that it is retrieved a "
        f"little better than a pattern never stored: by how much, ages 2 to {LATELY}, 100% cues.",
        paper="decay to the pseudo-memory baseline",
        estimate=estimate.mean((lost.mean("age") - r[ONE]["accuracy"].sel(cue=1.0, kind="pseudo").mean("age")).values),
        limits=above(0),
    )


def claims_old(r: Results) -> Iterator[Claim]:
    """What is said of the burn-in patterns: nothing is left of them."""
    for model, experiment in OLD.items():
        first, last = r.scale.limit("n_tested", TESTED) + 1, r[experiment].sizes["age"]
        found = traces(r[experiment], first)
        clearest = estimate.clearest_of(found.values())
        where = next((block for block, trace in found.items() if trace == clearest), "")
        yield of_paper(
            f"no-trace-{model.name}",
            f"“No detectable trace of the first {last - first + 1} patterns remained” ({model.label}): clearest R.D. "
            f"of {len(found)} blocks of ages {first} to {last} and both cues ({where}), at a joint level of 1%. In no "
            f"block is it above {max(trace.high for trace in found.values()):.4f}.",
            paper="none",
            estimate=clearest,
            limits=equal_to(0),
        )


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
    "better choice for all but the newest memories. On the same memories that lead becomes reliable at nearly the same "
    "age with full and with half cues; the printed ages, 16 and 10, are farther apart, but each is within what chance "
    "allows.",
    alt="Two rows of two panels, for 100% and for 50% cues, against memory age on a logarithmic axis. Upper row: "
    "accuracy of the K-winner and the 1-winner MHN for stored patterns and, dotted, for patterns never stored. Lower "
    "row: sensitivity d' of both, with bars at the ages where one of them reliably leads.",
    experiments=(K, ONE, *OLD.values(), SLOTS, WHOLE),
    draw=draw,
    claims=claims,
)
