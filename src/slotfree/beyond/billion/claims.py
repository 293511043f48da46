"""That the theory holds at every size, and that time and memory grow no faster than the number of synapses."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from slotfree.beyond.billion.compared import Compared, compare
from slotfree.beyond.billion.experiments import AGES, NEIGHBOURS
from slotfree.forgetting.protocol import CUES
from slotfree.study import estimate
from slotfree.study.claim import Claim, at_most
from slotfree.study.estimate import Estimate, exact
from slotfree.study.results import Results

LIMIT = 0.02  # of the difference in accuracy
FLAT = 4  # times as long for a synapse, at most
MOST_BYTES = 10  # per synapse
FEW = "There is one memory of this size, and its eight patterns are few: {measured}, {low} to {high}."
POWERS = dict(zip(range(10), "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))


def claims(r: Results) -> Iterator[Claim]:
    """Accuracy at every size and age, time, and memory."""
    sizes = compare(r)
    for one in sizes:
        for age in (*AGES, None):
            yield accuracy_claim(one, age)
    yield time_claim(sizes)
    yield Claim(
        "bytes",
        f"A synapse with both of its weights takes at most {MOST_BYTES} bytes, connections included: the most at any "
        "size.",
        estimate=exact(max(one.bytes_per_synapse for one in sizes)),
        limits=at_most(MOST_BYTES),
    )


def accuracy_claim(one: Compared, age: int | None) -> Claim:
    """That theory and simulation agree at one size and age, for both cues."""
    tested = "patterns never stored" if age is None else f"ages {age} to {age + NEIGHBOURS - 1}"
    sampled = f"{one.memories} memories" if one.memories > 1 else "one memory, whose patterns give the interval"
    return Claim(
        f"1e{one.exponent}-{'baseline' if age is None else f'age-{age}'}",
        f"With 10{POWERS[one.exponent]} synapses the theory is right, {tested}: |simulated − predicted| accuracy, the "
        f"larger of both cues, at most {LIMIT} ({sampled}).",
        note=FEW if one.memories == 1 and age is not None else "",
        estimate=estimate.largest_of(abs(one.difference(cue, age)) for cue in CUES),
        limits=at_most(LIMIT),
    )


def time_claim(sizes: Sequence[Compared]) -> Claim:
    """That the time per touched synapse hardly depends on the size."""
    return Claim(
        "time",
        f"On this machine a store takes about as long per touched synapse at all sizes, on one thread: the longest "
        f"over the shortest median time, at most {FLAT}.",
        estimate=longest_over_shortest(sizes),
        limits=at_most(FLAT),
    )


def longest_over_shortest(sizes: Sequence[Compared]) -> Estimate:
    """The largest median of nanoseconds per touched synapse over the smallest (bootstrap over batches)."""

    def ratio(*medians: Any) -> Any:
        return np.max(medians, axis=0) / np.min(medians, axis=0)

    return estimate.bootstrap(ratio, *(one.nanoseconds for one in sizes), of=estimate.medians)
