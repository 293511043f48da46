"""Figure S3: graded updates in the 1-winner MHN, and slower ones in the K-winner MHN."""

from collections.abc import Iterator

import numpy as np

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import EVERY_AGE, cue_title
from slotfree.forgetting.fits import exponential_fit
from slotfree.paper.memory.fig4 import ONE, K
from slotfree.paper.shared.memories import GRADED, K_WINNER, ONE_WINNER, SLOW, on_random
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, of_paper, within
from slotfree.study.item import Item
from slotfree.study.results import Results

CUE = 1.0
S, G = on_random(SLOW, cues=(CUE,)), on_random(GRADED, cues=(CUE,))
EVERY, LATER, ONWARDS = (1, 1000), (20, 1000), (450, 1000)  # “roughly 400” is 350 to 450
OLD = (400, 1000)


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
        yield of_paper(
            f"initial-{model.name}",
            f"“Decreasing ε reduces initial retrieval accuracy”, of {words}, {newest[0].mean():.3f} to "
            f"{newest[1].mean():.3f}: by how much.",
            paper="lower",
            estimate=estimate.difference(*newest),
            limits=above(0),
        )
        fits = [exponential_fit(r[e], CUE, seed=r.seed) for e in (faster, slower)]
        yield of_paper(
            f"slower-{model.name}",
            f"Decreasing ε is “slowing down retention decay”, of {words}: reduction of β.",
            paper="slower",
            estimate=curves.faster(*fits),
            limits=above(0),
        )
    yield from claims_on_sensitivity(r)


def claims_on_sensitivity(r: Results) -> Iterator[Claim]:
    """Who leads in d' when memories are old."""
    k, slow, graded, one = (curves.d_prime(r[e], CUE) for e in (K, S, G, ONE))
    yield of_paper(
        "overtakes",
        "The graded MHN has a higher d' than the ε = 0.3 K-winner MHN “from roughly age 400 onwards”: age at which it "
        "overtakes, between 350 and 450.",
        paper=400.0,
        estimate=curves.crossing(graded, k, 100, seed=r.seed),
        limits=within(350, 450),
    )
    yield of_paper(
        "stays-ahead",
        "The graded MHN maintains a higher d' than the ε = 0.3 K-winner MHN “from roughly age 400 onwards”: smallest "
        f"lead in d' of blocks of ages {ONWARDS[0]} to {ONWARDS[1]}.",
        paper="higher",
        estimate=estimate.smallest_of(curves.block_leads(graded, k, ONWARDS)),
        limits=above(0),
    )
    yield of_paper(
        "robust",
        "The graded MHN has a “robust d' sensitivity for older memories”: lead over the 1-winner MHN, ages "
        f"{ONWARDS[0]} to {ONWARDS[1]}, where it has {float(np.mean(curves.over_ages(graded, ONWARDS))):.2f}.",
        paper="robust",
        estimate=curves.lead(graded, one, ONWARDS),
        limits=above(0),
    )
    leads = curves.block_leads(slow, graded, EVERY)
    behind = [part for part, e in zip(curves.blocks(*EVERY), leads, strict=True) if e.high < 0]
    yield of_paper(
        "slow-above",
        "With ε = 0.2 the K-winner's d' values are “higher than those of the graded MHN”: smallest lead of blocks of "
        f"all ages, at a joint level of 1%{f'; it is behind up to age {behind[-1][1]}' if behind else ''}.",
        paper="higher",
        estimate=estimate.smallest_of(leads),
        limits=above(0),
    )
    yield of_paper(
        "slow-above-400",
        "With ε = 0.2 the K-winner's d' values are “higher than those of the graded MHN” where with ε = 0.3 they are "
        f"not, “from roughly age 400 onwards”: smallest lead of blocks of ages {OLD[0]} to {OLD[1]}.",
        paper="higher",
        estimate=estimate.smallest_of(curves.block_leads(slow, graded, OLD)),
        limits=above(0),
    )
    yield Claim(
        "slow-above-later",
        f"With ε = 0.2 the K-winner's d' is higher than the graded MHN's from age {LATER[0]} on: smallest lead of "
        f"blocks of ages {LATER[0]} to {LATER[1]}.",
        paper="higher",
        estimate=estimate.smallest_of(curves.block_leads(slow, graded, LATER)),
        limits=above(0),
    )


ITEM = Item(
    name="figS3",
    number="Figure S3",
    title="Graded and slower updates",
    text="A 1-winner MHN that moves its weights only 30% of the way to each pattern recalls new patterns worse and old "
    "ones better, and at ages of several hundred its d' passes that of the K-winner MHN. A K-winner MHN that is slowed "
    "down as well is ahead of it again for all but the newest memories, so it is not slow learning alone that makes "
    "memories last.",
    alt="Two panels against memory age, for 100% cues. A: accuracy of the 1-winner MHN with learning rates 1 and 0.3, "
    "for patterns stored and never stored. B: sensitivity d' of the K-winner MHN with learning rates 0.3 and 0.2, the "
    "graded MHN, and the 1-winner MHN.",
    experiments=(K, S, G, ONE),
    draw=draw,
    claims=claims,
)
