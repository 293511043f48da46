"""Figure 4: retrieval accuracy and sensitivity by age, K-winner against 1-winner MHN, random patterns."""

from collections.abc import Callable, Iterator

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BARS, EVERY_AGE
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.paper.memories import K_WINNER, ONE_WINNER, Model, on_random
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, Limits, Printed, above, below, within
from slotfree.study.curves import OLDER
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.retention import Retention

K, ONE = on_random(K_WINNER), on_random(ONE_WINNER)
MODELS = ((K_WINNER, K), (ONE_WINNER, ONE))
# Every age is tested, also those of the burn-in, in fewer runs.
OLD = {
    model: Experiment(f"{model.name}-old", Retention(model.settings, cues=(1.0,), n_tested=4000), 20)
    for model in (K_WINNER, ONE_WINNER)
}
TESTED = 1000
PRINTED_FROM = {1.0: 16, 0.5: 10}
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
    r: Results, pair: tuple[tuple[Model, Experiment], ...], measures: tuple[str, ...], height: float
) -> Picture:
    """Draw measures of two memories by age, each in a row, for both cues."""
    picture = Picture(len(measures), len(CUES), height=height, sharey="row")
    for (row, column), axis in np.ndenumerate(picture.axes):
        cue, measure = CUES[column], measures[row]
        measured, scaled = MEASURES[measure]
        found = [(model, measured(r[experiment], cue)) for model, experiment in pair]
        panel = ages.accuracies if measure == "accuracy" else ages.compared
        panel(picture, axis, found, row={"measure": measure, "model": "", "cue": f"{cue:g}", "kind": ""})
        scaled(axis, column == 0)
    ages.columns_by_cue(picture, CUES, r[pair[0][1]].sizes["age"])
    picture.legend_below(picture.axes[0, 0], 4, f"{EVERY_AGE}; {BARS}")
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What the main text says of the figure."""
    for cue in CUES:
        yield from claims_at_first(r, cue)
        yield from claims_by_age(r, cue)
    yield from claims_old(r)
    newest = r[K]["accuracy"].sel(kind="real", age=1)
    yield Claim(
        "initial-notably",
        "The K-winner's initial accuracy falls below the 1-winner's notably with 50% cues: how much lower than with "
        "100% cues.",
        source="paper",
        paper="notably",
        estimate=estimate.difference(newest.sel(cue=1.0).values, newest.sel(cue=0.5).values),
        limits=above(0),
    )


def claims_at_first(r: Results, cue: float) -> Iterator[Claim]:
    """What is said of the newest pattern, and of patterns never stored."""
    level = f"{cue:.0%}"
    newest = {e.name: r[e]["accuracy"].sel(cue=cue, kind="real", age=1).values for e in (K, ONE)}
    unseen = {e.name: r[e]["accuracy"].sel(cue=cue, kind="pseudo").mean("age").values for e in (K, ONE)}
    yield Claim(
        f"perfect-{level}",
        f"The 1-winner MHN perfectly retrieves the most recent pattern ({level} cues): lowest accuracy of any run.",
        source="paper",
        paper=1.0,
        estimate=estimate.exact(newest[ONE.name].min()),
        limits=within(1, 1),
    )
    yield Claim(
        f"initial-{level}",
        f"At age 1 the K-winner's accuracy is slightly worse ({level} cues): by how much, above 0 and below 0.3.",
        source="paper",
        paper="slightly worse",
        estimate=estimate.mean(1 - newest[K.name]),
        limits=Limits(0, 0.3, is_open=True),
    )
    yield Claim(
        f"baseline-{level}",
        f"The K-winner's baseline is higher than the 1-winner's ({level} cues): difference in accuracy.",
        source="paper",
        paper="higher",
        estimate=estimate.difference(unseen[K.name], unseen[ONE.name]),
        limits=above(0),
    )
    yield Claim(
        f"above-chance-{level}",
        f"The 1-winner's baseline is above 0.1, the overlap of random patterns ({level} cues): by how much.",
        source="paper",
        paper="above",
        estimate=estimate.mean(unseen[ONE.name] - 0.1),
        limits=above(0),
    )


def claims_by_age(r: Results, cue: float) -> Iterator[Claim]:
    """What is said of sensitivity."""
    level = f"{cue:.0%}"
    k, one = (curves.d_prime(r[e], cue) for e in (K, ONE))
    yield Claim(
        f"reliable-from-{level}",
        f"The K-winner's d' advantage is reliable from this age ({level} cues).",
        source="paper",
        paper=PRINTED_FROM[cue],
        estimate=curves.first_lead(r[K], r[ONE], cue, seed=r.seed),
        limits=Printed(PRINTED_FROM[cue], rounding=0.5),
    )
    yield Claim(
        f"older-{level}",
        f"The K-winner retains older memories better ({level} cues): lead in d', mean over ages {OLDER[0]} to "
        f"{OLDER[1]}.",
        source="paper",
        paper="higher d'",
        estimate=curves.lead(k, one, OLDER),
        limits=above(0),
    )
    yield Claim(
        f"newest-{level}",
        f"The 1-winner's d' is higher for the newest memories ({level} cues): lead in d', mean over ages 1 to 5.",
        source="paper",
        paper="higher d'",
        estimate=curves.lead(one, k, (1, 5)),
        limits=above(0),
    )


def claims_old(r: Results) -> Iterator[Claim]:
    """What is said of the burn-in patterns: nothing is left of them."""
    for model, experiment in OLD.items():
        first, last = r.scale.limit("n_tested", TESTED) + 1, r[experiment].sizes["age"]
        delta = metrics.differences(r[experiment]).sel(cue=1.0, age=slice(first, None))
        yield Claim(
            f"no-trace-{model.name}",
            f"No detectable trace of the first {last - first + 1} of {last} patterns ({model.label}): mean R.D. over "
            f"ages {first} to {last}, below 0.002.",
            source="paper",
            paper="none",
            estimate=estimate.mean(delta.mean("age").values),
            limits=below(0.002),
        )


ITEM = Item(
    name="fig4",
    number="Figure 4",
    title="How two memories fade",
    text="Both memories have 100,000 weights: the 1-winner MHN, in effect a store with 100 slots, recalls the newest "
    "patterns without error and soon loses them, while the K-winner MHN starts lower, above a higher baseline, and "
    "fades more slowly. Measured against patterns never stored (d'), spreading each memory over many units is the "
    "better choice for all but the newest ten to twenty memories.",
    alt="Two rows of two panels, for 100% and for 50% cues, against memory age on a logarithmic axis. Upper row: "
    "accuracy of the K-winner and the 1-winner MHN for stored patterns and, dotted, for patterns never stored. Lower "
    "row: sensitivity d' of both, with bars at the ages where one of them reliably leads.",
    experiments=(K, ONE, *OLD.values()),
    draw=draw,
    claims=claims,
)
