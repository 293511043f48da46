"""Figure S2: the K-winner MHN with twice the fan-in (f = 0.1, n_h = 1000)."""

from collections.abc import Iterator

from slotfree.drawing.picture import Picture
from slotfree.forgetting.fits import exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.paper.memories import ONE_WINNER, WIDE, on_random
from slotfree.paper.memory.fig4 import ONE, K, draw_by_cue
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, at_least, at_most, within
from slotfree.study.item import Item
from slotfree.study.results import Results

W = on_random(WIDE)
FIRST, MIDDLE, OLD = (1, 10), (20, 250), (300, 600)
COMPARED = (1, 300)


def draw(r: Results) -> Picture:
    """Draw accuracy (A), R.D. (B) and d' (C) for both cues."""
    pair = ((WIDE, W), (ONE_WINNER, ONE))
    return draw_by_cue(r, pair, ("accuracy", "raw_difference", "d_prime"), height=2.6)


def claims(r: Results) -> Iterator[Claim]:
    """What text and SI say of the wider fan-in."""
    for cue in CUES:
        yield from claims_on_accuracy(r, cue)
        yield from claims_on_difference(r, cue)
        yield from claims_on_sensitivity(r, cue)


def claims_on_accuracy(r: Results, cue: float) -> Iterator[Claim]:
    """Accuracy at first, and for patterns never stored."""
    level = f"{cue:.0%}"
    accuracy = {e.name: r[e]["accuracy"].sel(cue=cue) for e in (W, K)}
    newest = {name: runs.sel(kind="real", age=1).values for name, runs in accuracy.items()}
    unseen = {name: runs.sel(kind="pseudo").mean("age").values for name, runs in accuracy.items()}
    yield Claim(
        f"initial-{level}",
        f"Raising f to 0.1 raises the accuracy at age 1 ({level} cues): by how much.",
        source="paper",
        paper="higher",
        estimate=estimate.difference(newest[W.name], newest[K.name]),
        limits=above(0),
    )
    yield Claim(
        f"near-perfect-{level}",
        f"Initial accuracy is near-perfect ({level} cues), which means about 0.9, not 1: within 0.05 of it.",
        source="paper",
        paper="near-perfect",
        estimate=estimate.mean(newest[W.name]),
        limits=within(0.85, 0.95),
    )
    yield Claim(
        f"baseline-{level}",
        f"Raising f to 0.1 lowers the baseline ({level} cues): by how much.",
        source="paper",
        paper="lower",
        estimate=estimate.difference(unseen[K.name], unseen[W.name]),
        limits=above(0),
    )


def claims_on_difference(r: Results, cue: float) -> Iterator[Claim]:
    """R.D. at first, next to the 1-winner's, and its decay."""
    level = f"{cue:.0%}"
    wide, one, narrow = (curves.raw_difference(r[e], cue) for e in (W, ONE, K))
    yield Claim(
        f"initial-rd-{level}",
        f"The initial R.D. is larger than with f = 0.05 ({level} cues): lead over ages {FIRST[0]} to {FIRST[1]}.",
        source="paper",
        paper="larger",
        estimate=curves.lead(wide, narrow, FIRST),
        limits=above(0),
    )
    yield Claim(
        f"below-one-winner-{level}",
        f"The R.D. curve consistently remains below that of the 1-winner MHN ({level} cues): share of ages "
        f"{COMPARED[0]} to {COMPARED[1]} at which it is above, at most 0.05.",
        source="paper",
        paper=0.0,
        estimate=curves.share_above(wide, one, COMPARED),
        limits=within(0, 0.05),
    )
    fits = [exponential_fit(r[e], cue, seed=r.seed) for e in (W, K)]
    yield Claim(
        f"faster-{level}",
        f"Raising f makes R.D. decay faster ({level} cues): β less that of f = 0.05.",
        source="paper",
        paper="positive",
        estimate=curves.faster(*fits),
        limits=above(0),
    )


def claims_on_sensitivity(r: Results, cue: float) -> Iterator[Claim]:
    """Where the wider fan-in leads in d'."""
    level = f"{cue:.0%}"
    wide, one, narrow = (curves.d_prime(r[e], cue) for e in (W, ONE, K))
    yield Claim(
        f"middle-{level}",
        f"f = 0.1 leads in d' at ages {MIDDLE[0]} to {MIDDLE[1]} ({level} cues): share of ages with a reliable lead, "
        "at least 0.8.",
        source="paper",
        paper="advantage",
        estimate=curves.share_of_lead(wide, one, MIDDLE),
        limits=at_least(0.8),
    )
    yield Claim(
        f"old-{level}",
        f"f = 0.1 no longer leads in d' at ages {OLD[0]} to {OLD[1]} ({level} cues): share of ages with a reliable "
        "lead, at most 0.1.",
        source="paper",
        paper="no advantage",
        estimate=curves.share_of_lead(wide, one, OLD),
        limits=at_most(0.1),
    )
    yield Claim(
        f"trade-off-{level}",
        f"What f = 0.1 gains at first it loses later ({level} cues): lead of f = 0.05 in d', ages {OLD[0]} to "
        f"{OLD[1]}.",
        source="paper",
        paper="trade-off",
        estimate=curves.lead(narrow, wide, OLD),
        limits=above(0),
    )


ITEM = Item(
    name="figS2",
    number="Figure S2",
    title="A K-winner memory with a wider fan-in",
    text="Here each hidden unit sees a tenth of the input instead of a twentieth, and there are half as many units: "
    "new memories are recalled better, but they fade faster. The lead in d' over the 1-winner MHN is confined to ages "
    "from about 20 to 250, so fan-in trades the quality of new memories against the life of old ones.",
    alt="Three rows of two panels, for 100% and for 50% cues, against memory age: accuracy, raw difference, and "
    "sensitivity d' of the K-winner MHN with fan-in 0.1 and of the 1-winner MHN.",
    experiments=(W, ONE, K),
    draw=draw,
    claims=claims,
)
