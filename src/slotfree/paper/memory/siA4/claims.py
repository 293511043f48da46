"""What the section on preprocessing says."""

from collections.abc import Iterator
from itertools import combinations
from math import comb, log

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting.protocol import CUES
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.paper.memory.siA4.codes import ALIKE, CODES, N_VISIBLE, PAIRWISE, layer_name
from slotfree.paper.memory.siA4.example import ALL, EXAMPLE, PAIRS, SHARED_CODES, N, pair_layer
from slotfree.paper.memory.siA4.experiments import FLIPS, LARGE, PLAIN, RECOVERY, STACKED
from slotfree.paper.memory.siA4.measures import discrimination
from slotfree.paper.shared.numeric import exactly
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, below, of_paper, within
from slotfree.study.estimate import Values
from slotfree.study.results import Results

ORDER, CONNECTIONS = 5, 20  # n and f of the codons


def claims(r: Results) -> Iterator[Claim]:
    """All that the section says."""
    yield from claims_of_example(pair_layer(), EXAMPLE)
    yield from claims_of_conjunctions()
    yield from claims_of_pairs(r[PAIRWISE]["of_pairs"].sel(code=list(ALIKE)).transpose("run", "code", "shared"))
    layer = layer_name(LARGE)
    for b in FLIPS:
        leaves = r[RECOVERY].sel(source=f"tree-{b}", layer=layer)
        yield from claims_of_leaves(b, leaves["before"].values, leaves["after"].values, leaves["recovered"].values)
        for cue in CUES:
            runs = (discrimination(r[e[b]], cue) for e in (PLAIN, STACKED))
            yield claim_of_memory(b, *runs) if cue == 1 else claim_of_half_cues(b, *runs)


def claims_of_example(layer: CodeLayer, example: NDArray[np.uint8]) -> Iterator[Claim]:
    """The worked example, and whether all patterns of its size are like it."""
    codes = layer.encode(example)
    for name, sentence, printed, value in (
        (
            "patterns",
            "The two patterns of length 6 have “2/3 active elements in common”: ones in common, of 3.",
            2,
            (example[0] & example[1]).sum(),
        ),
        (
            "length",
            "The two patterns of length 6 “can be mapped to [a] new vector of length 15”: conjunctions of two of six "
            "units.",
            15,
            layer.settings.n_units,
        ),
        (
            "codes",
            "In a representation by conjunctions “the patterns will only share 1 of 3 active elements”: ones in "
            "common.",
            1,
            (codes[0] & codes[1]).sum(),
        ),
        (
            "code-ones",
            "Codes of the two patterns of length 6 share “1 of 3 active elements”: active elements of each code.",
            3,
            codes.sum() / 2,
        ),
    ):
        yield exactly(name, sentence, value, within(printed, printed), printed)
    every = layer.encode(ALL)
    pairs = list(combinations(range(len(ALL)), 2))
    as_said = sum(int((every[a] & every[b]).sum()) == SHARED_CODES[(ALL[a] & ALL[b]).sum()] for a, b in pairs)
    yield exactly(
        "all",
        "Every two of the 20 patterns of length 6 with 3 ones that share 0, 1, 2 ones have codes that share 0, 0, 1: "
        f"pairs of patterns of which this is true, of {len(pairs)}.",
        as_said,
        within(len(pairs), len(pairs)),
        "one example of them",
        "ours",
    )
    yield exactly(
        "restored",
        "The return connections restore every one of the 20 patterns from its code: patterns restored.",
        (layer.decode(every) == ALL).all(axis=1).sum(),
        within(len(ALL), len(ALL)),
        "recovered",
        "ours",
    )


def growth(n: int, order: int) -> float:
    """ln of the factor by which one more element multiplies the number of conjunctions of an order."""
    return log(comb(n + 1, order) / comb(n, order))


def claims_of_conjunctions() -> Iterator[Claim]:
    """How many conjunctions there are, and how many a codon responds to."""
    yield exactly(
        "grows",
        "“The number of n-wise conjuncts grows exponentially with the number of input elements”: what one more element "
        "adds to its logarithm at 1000 elements, divided by what it adds at 100, n = 2; 1 for an exponential.",
        growth(1000, 2) / growth(100, 2),
        at_least(1),
        "exponentially",
    )
    yield exactly(
        "grows-power",
        "The number of conjunctions of n elements grows as the n-th power of the number of elements: ln of the factor "
        "by which ten times as many elements multiply it, from 1000 to 10,000, n = 2, divided by ln 10.",
        log(comb(10_000, 2) / comb(1000, 2)) / log(10),
        within(1.99, 2.01),
        "exponentially",
        "ours",
    )
    yield exactly(
        "codon-many",
        "Each codon “responds to many different conjunctions of order n”: pairs of six inputs to which a codon of four "
        "connections responds that needs two; more than 1.",
        conjunctions_of_a_codon(4, 2),
        above(1),
        "many",
    )
    units = CODES[ALIKE[1]][0].n_units
    yield exactly(
        "ameliorates",
        "“This ameliorates the combinatorial explosion”: units of a layer of codons that reduces overlap (see "
        f"`reduces-codons`), divided by the number of conjunctions of {ORDER} of {N_VISIBLE} inputs; below 1.",
        units / comb(N_VISIBLE, ORDER),
        below(1),
        "ameliorates",
    )


def conjunctions_of_a_codon(connections: int, order: int) -> int:
    """How many conjunctions of an order make a codon of the example's size active."""
    inputs = np.arange(connections, dtype=np.uint16)[None]
    settings = CodeLayerSettings(1, 1, connections / N, threshold=order)
    codon = CodeLayer.from_weights(N, 3, settings, inputs, np.ones((1, connections), np.float32))
    conjunctions = np.array([[i in chosen for i in range(N)] for chosen in PAIRS], np.uint8)
    return int(codon.encode(conjunctions).sum())


def claims_of_pairs(similar: xr.DataArray) -> Iterator[Claim]:
    """Codes of two patterns: their similarity, (run, code, shared), for k winners and codons of equal activity."""
    between = similar.sel(shared=slice(0.05, 0.95))
    less = -(between - between["shared"])
    for name, code in zip(("winners", "codons"), ALIKE, strict=True):
        yield of_paper(
            f"reduces-{name}",
            f"“Pre-processing … could reduce their overlap by using a conjunctive coding scheme” ({code}): by how much "
            "less codes share than patterns, at 10% to 90% shared ones; the smallest.",
            paper="reduce their overlap",
            estimate=estimate.smallest_of(estimate.means(less.sel(code=code).values)),
            limits=above(0),
        )
    gap = np.abs(between.sel(code=ALIKE[0]).values - between.sel(code=ALIKE[1]).values)
    least = less.min("code").values
    largest = np.abs(np.diff(between.mean("run").values, axis=0)).max()
    yield of_paper(
        "alike",
        "A K-winner layer with sparse connectivity “performed similarly to a layer of Marr's codon units” of the same "
        f"expected activity: their codes differ in similarity by up to {largest:.3f}, less than either reduces it; how "
        "much more it is reduced than they differ, the smallest at 10% to 90% shared ones.",
        paper="similarly",
        estimate=estimate.smallest_of(estimate.means(least - gap)),
        limits=above(0),
    )


def claims_of_leaves(b: int, before: Values, after: Values, recovered: Values) -> Iterator[Claim]:
    """Codes of leaves of trees: mean similarity before and after, and the share of ones recovered, by run."""
    size = f"{LARGE.n_units:,} units, a tenth of them active, leaves of trees with b = {b}"
    yield of_paper(
        f"differentiated-{b}",
        "A K-winner layer with fixed binary weights allows “input patterns with a high degree of similarity to be "
        f"further differentiated”: mean similarity of patterns, {before.mean():.2f}, minus that of codes, "
        f"{after.mean():.2f}; {size}.",
        paper="further differentiated",
        estimate=estimate.mean(before - after),
        limits=above(0),
    )
    yield of_paper(
        f"recovered-{b}",
        "“The fixed return connections … would then allow the original highly overlapping patterns to be recovered”: "
        f"share of their ones that codes restore, 99.5% or more; {size}.",
        paper="recovered",
        estimate=estimate.mean(recovered),
        limits=at_least(0.995),
    )


def claim_of_memory(b: int, plain: Values, stacked: Values) -> Claim:
    """How well memories tell stored leaves from others with full cues, by run."""
    return of_paper(
        f"less-interference-{b}-100%",
        "A code layer before the memory allows “more patterns to be stored in the memory with less interference”: the "
        "chance that a stored leaf of age 1 to 300 is recalled better than one never stored (AUC), "
        f"{stacked.mean():.3f}, minus that of the K-winner MHN alone, {plain.mean():.3f}, b = {b}, 100% cues.",
        paper="less interference",
        estimate=estimate.mean(stacked - plain),
        limits=above(0),
    )


def claim_of_half_cues(b: int, plain: Values, stacked: Values) -> Claim:
    """How well memories tell stored leaves from others with half cues, by run."""
    return Claim(
        f"half-cues-{b}",
        "With half cues a code layer before the memory harms, as half of a pattern has another code: the chance that "
        f"a stored leaf of age 1 to 300 is recalled better than one never stored (AUC), {stacked.mean():.3f}, minus "
        f"that of the K-winner MHN alone, {plain.mean():.3f}, b = {b}, 50% cues.",
        paper="names no cues",
        estimate=estimate.mean(stacked - plain),
        limits=below(0),
    )
