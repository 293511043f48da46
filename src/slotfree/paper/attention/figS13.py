"""Figure S13: how the QK model with input projections learns."""

from collections.abc import Iterator
from functools import partial

from slotfree.attention.measures import learnt_at, smoothed
from slotfree.paper.attention import figS12
from slotfree.paper.transformers import PUBLISHED, QK_IP, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least
from slotfree.study.item import Item
from slotfree.study.results import Results


def claims(r: Results) -> Iterator[Claim]:
    """What the SI says of the QK model: what emerges when, and that it is sooner than the baseline."""
    data = r[training(QK_IP)]
    for name, words, order in (
        ("values-first", "QK: case is learnt before queries align with keys", ("values", "query-key")),
        ("keys-last", "QK: queries align with keys before the keys of both cases align", ("query-key", "key-key")),
    ):
        yield figS12.claim_before(data, name, words, order, seed=r.seed)
    yield from claims_stages(r)
    yield Claim(
        "sooner",
        "QK achieves perfect accuracy sooner than the baseline (published gradients): iterations by which it reaches "
        "0.99 earlier, medians.",
        source="paper",
        paper="sooner",
        estimate=estimate.median_difference(
            learnt_at(r[training(PUBLISHED)]["accuracy"]), learnt_at(data["accuracy"]), seed=r.seed
        ),
        limits=above(0),
    )


def claims_stages(r: Results) -> Iterator[Claim]:
    """The stages that the SI describes for its run."""
    data = r[training(QK_IP)]
    at_600 = figS12.shares(data, 600, "query-key", "key-key")
    yield Claim(
        "only-queries-at-600",
        "QK: at iteration 600 query–key structure has emerged before uppercase and lowercase keys align: its share of "
        "the final contrast minus that of key–key, median of all runs.",
        source="paper",
        paper="before",
        estimate=estimate.median(at_600[:, 0] - at_600[:, 1], seed=r.seed),
        limits=above(0),
    )
    yield Claim(
        "strong-at-1600",
        "QK: by iteration 1600 all three structures are strong: smallest median share of the final contrast, at least "
        "0.5.",
        source="paper",
        paper="strong",
        estimate=estimate.bootstrap(
            lambda medians: medians.min(axis=-1),
            figS12.shares(data, 1600, *figS12.STRUCTURES),
            of=estimate.medians,
            seed=r.seed,
        ),
        limits=at_least(0.5),
    )
    curve = smoothed(data["loss"])
    for first, last in ((300, 600), (600, 1000)):
        ends = curve.sel(iteration=[first, last], method="nearest").values
        yield Claim(
            f"descent-{first}-{last}",
            f"QK: the loss descends further over iterations {first} to {last}: its fall, median of all runs.",
            source="paper",
            paper="descends",
            estimate=estimate.median(ends[:, 0] - ends[:, 1], seed=r.seed),
            limits=above(0),
        )


ITEM = Item(
    name="figS13",
    number="Figure S13",
    title="How the QK model learns",
    text="Values come first here too, but then queries align with keys well before the keys of both cases of a letter "
    "align with each other. The order follows from the rule: keys are drawn towards queries, and so become alike only "
    "once queries are right.",
    alt="Accuracy and loss of one run of the QK model with four marked iterations; heat maps of values, keys and "
    "queries at these iterations; and the strength of the three structures along training: values, then query and key, "
    "then key and key.",
    experiments=(training(QK_IP), training(PUBLISHED)),
    draw=partial(figS12.draw, QK_IP),
    claims=claims,
)
