"""Figure S13: how the QK model with input projections learns."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import xarray as xr

from slotfree.attention.measures import smoothed
from slotfree.paper.attention import figS12
from slotfree.paper.shared.emergence import (
    STRUCTURES,
    claim_before,
    claim_grown,
    claim_periods,
    claim_present,
    claim_steady,
    claim_told_from_chance,
    claim_values_in_first_descent,
    share,
    shares_of_end,
)
from slotfree.paper.shared.transformers import QK_IP, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results


def claims(r: Results) -> Iterator[Claim]:
    """What the SI says of the QK model: what emerges when, and the stages of its loss."""
    data = r[training(QK_IP)]
    yield claim_steady(data["accuracy"])
    for name, words, order in (
        ("values-first", "“Representations of case are learned first”", ("values", "query-key")),
        (
            "keys-last",
            "Alignment between queries and keys “emerges before uppercase-lowercase alignment of keys”",
            ("query-key", "key-key"),
        ),
    ):
        yield claim_before(data, name, words, order, seed=r.seed)
    yield claim_values_in_first_descent(data)
    yield from claims_loss(data["loss"])
    yield from claims_moments(data)


def claims_loss(loss: xr.DataArray) -> Iterator[Claim]:
    """The periods in which the loss falls, which the SI describes for its run, in all of ours."""
    words = "The loss shows “multiple stages of descent in succession”"
    yield claim_periods(loss, "two-descents", words, 2)
    words = "There is “a second period of descent” (iterations ~300–600) and “a third” (~600–1000)"
    yield claim_periods(loss, "three-descents", words, 3)
    curve = smoothed(loss)
    for first, last in ((300, 600), (600, 1000)):
        ends = curve.sel(iteration=[first, last], method="nearest").values
        falls = ends[:, 0] - ends[:, 1]
        yield of_paper(
            f"descent-{first}-{last}",
            f"The loss descends over iterations “~{first}-{last}”: share of runs in which it does (by "
            f"{np.median(falls):.3f}, median).",
            paper="descends",
            estimate=share(falls > 0),
            limits=above(0.5),
        )


def claims_moments(data: xr.Dataset) -> Iterator[Claim]:
    """What the SI says of three iterations of its run, in all of ours."""
    words = "the model successfully learns to align queries with their respective keys"
    yield claim_present(data, 600, ("query-key",), words)
    query_key, key_key = (shares_of_end(data, structure, 600) for structure in ("query-key", "key-key"))
    yield of_paper(
        "nothing-else-at-600",
        "Queries align with keys “even before uppercase-lowercase key alignment occurs”, in a “period in which only "
        "structure in W_QᵀW_K emerges”: query–key contrast at iteration 600 "
        f"({np.median(query_key):.1%} of its end, median) minus key–key contrast ({np.median(key_key):.1%}), as "
        "shares of their ends, mean of all runs.",
        paper="only queries",
        estimate=estimate.mean(query_key - key_key),
        limits=above(0),
    )
    yield claim_told_from_chance(data, "told-from-chance-at-600", "key-key", 600, "at iteration 600")
    yield claim_present(data, 1000, ("key-key",), "the model then begins to learn representations of letter identity")
    words = "the requisite structure across all three matrices has grown strong"
    yield claim_present(data, 1600, tuple(STRUCTURES), words)
    yield claim_grown(data, (1000, 1600), ("query-key", "key-key"), words)


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
    experiments=(training(QK_IP),),
    draw=partial(figS12.draw, QK_IP),
    claims=claims,
)
