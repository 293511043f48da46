"""Figure S3: graded updates in the 1-winner MHN, and slower ones in the K-winner MHN."""

from collections.abc import Iterator

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import EVERY_AGE, cue_title
from slotfree.forgetting.fits import exponential_fit
from slotfree.paper.memories import GRADED, K_WINNER, ONE_WINNER, SLOW, on_random
from slotfree.paper.memory.fig4 import ONE, K
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, at_least, within
from slotfree.study.item import Item
from slotfree.study.results import Results

CUE = 1.0
S, G = on_random(SLOW, cues=(CUE,)), on_random(GRADED, cues=(CUE,))
AFTER_NEWEST, OLDEST = (20, 600), (600, 1000)
ROBUST = (100, 1000)


def draw(r: Results) -> Picture:
    """Draw the accuracy of both 1-winner MHNs (A) and d' of four models (B), 100% cues."""
    picture = Picture(1, 2, height=3.4)
    left, right = picture.axes[0]
    pair = [(model, r[e]["accuracy"].sel(cue=CUE, drop=True)) for model, e in ((ONE_WINNER, ONE), (GRADED, G))]
    ages.accuracies(picture, left, pair, row={"measure": "accuracy", "model": "", "kind": ""})
    for model, experiment in ((K_WINNER, K), (SLOW, S), (GRADED, G), (ONE_WINNER, ONE)):
        label = f"{model.label}, ε = 0.3" if model is K_WINNER else model.label
        row = {"measure": "d_prime", "model": model.name, "kind": ""}
        ages.by_age(picture, right, curves.d_prime(r[experiment], CUE), model.colour, label, row=row)
    for axis, letter in ((left, "A"), (right, "B")):
        picture.panel(axis, letter, cue_title(CUE))
        ages.age_axis(axis, r[K].sizes["age"])
    ages.accuracy_axis(left)
    ages.d_prime_axis(right)
    picture.legend_below(right, 4, f"A, dotted: never stored; {EVERY_AGE}")
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What the SI says of learning rates below 1."""
    for model, slower, faster, words in (
        (GRADED, G, ONE, "the 1-winner MHN from 1 to 0.3"),
        (SLOW, S, K, "the K-winner MHN from 0.3 to 0.2"),
    ):
        newest = [r[e]["accuracy"].sel(cue=CUE, kind="real", age=1).values for e in (faster, slower)]
        yield Claim(
            f"initial-{model.name}",
            f"Reducing ε of {words} reduces the accuracy at age 1: by how much.",
            source="paper",
            paper="lower",
            estimate=estimate.difference(*newest),
            limits=above(0),
        )
        fits = [exponential_fit(r[e], CUE, seed=r.seed) for e in (faster, slower)]
        yield Claim(
            f"slower-{model.name}",
            f"Reducing ε of {words} slows the decay of R.D.: reduction of β.",
            source="paper",
            paper="slower",
            estimate=curves.faster(*fits),
            limits=above(0),
        )
    yield from claims_on_sensitivity(r)


def claims_on_sensitivity(r: Results) -> Iterator[Claim]:
    """Who leads in d' when memories are old."""
    k, slow, graded, one = (curves.d_prime(r[e], CUE) for e in (K, S, G, ONE))
    yield Claim(
        "overtakes",
        "The graded MHN's d' is higher than that of the ε = 0.3 K-winner MHN from roughly this age on: 400, within "
        "100.",
        source="paper",
        paper=400.0,
        estimate=curves.crossing(graded, k, 100, seed=r.seed),
        limits=within(300, 500),
    )
    yield Claim(
        "robust",
        f"The graded MHN has a robust d' for older memories: lead over the 1-winner MHN, ages {ROBUST[0]} to "
        f"{ROBUST[1]}.",
        source="paper",
        paper="higher",
        estimate=curves.lead(graded, one, ROBUST),
        limits=above(0),
    )
    yield Claim(
        "slow-above",
        f"With ε = 0.2 the K-winner MHN stays above the graded MHN: share of ages {AFTER_NEWEST[0]} to "
        f"{AFTER_NEWEST[1]} at which its mean d' is higher, at least 0.98.",
        source="paper",
        paper="higher",
        estimate=curves.share_above(slow, graded, AFTER_NEWEST),
        limits=at_least(0.98),
    )
    yield Claim(
        "slow-above-old",
        f"With ε = 0.2 the K-winner MHN stays above the graded MHN: lead in d' over ages {OLDEST[0]} to {OLDEST[1]}.",
        source="paper",
        paper="higher",
        estimate=curves.lead(slow, graded, OLDEST),
        limits=above(0),
    )


ITEM = Item(
    name="figS3",
    number="Figure S3",
    title="Graded and slower updates",
    text="A 1-winner MHN that moves its weights only 30% of the way to each pattern recalls new patterns worse and old "
    "ones better, and at ages of several hundred its d' passes that of the K-winner MHN. A K-winner MHN that is slowed "
    "down as well stays ahead, so it is not slow learning alone that makes memories last.",
    alt="Two panels against memory age, for 100% cues. A: accuracy of the 1-winner MHN with learning rates 1 and 0.3, "
    "for patterns stored and never stored. B: sensitivity d' of the K-winner MHN with learning rates 0.3 and 0.2, the "
    "graded MHN, and the 1-winner MHN.",
    experiments=(K, S, G, ONE),
    draw=draw,
    claims=claims,
)
