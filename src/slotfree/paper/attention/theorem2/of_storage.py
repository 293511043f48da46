"""What lemma 8 says: a slot-free model stores a context without collisions, and then is the transformer."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.paper.attention.theorem2.experiments import PERFECT, SIZES, TASK, TRANSFORMER
from slotfree.paper.attention.theorem2.judged import equal, exponent, falling, means_of_rows
from slotfree.paper.attention.theorem2.measures import learned
from slotfree.paper.attention.theorem2.storage import KEY_DIMS, STORAGE, VANISHING
from slotfree.paper.shared.numeric import exactly
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_most, within
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results


def claims_of_storage(r: Results) -> Iterator[Claim]:
    """Products of keys, collisions, and outputs."""
    yield from claims_of_products(r)
    yield from claims_of_attention(r)
    yield from claims_of_collisions(r)
    yield from claims_of_equality(r)


def stored(r: Results, name: str, a: str | None = None) -> NDArray[np.float64]:
    """A measure of all runs for each N, (run, N), for one a; or for all of them, (run, a, N)."""
    data = r[STORAGE][name]
    return np.asarray((data if a is None else data.sel(a=a)).values, np.float64)


def claims_of_products(r: Results) -> Iterator[Claim]:
    """Means and variances of products of random vectors."""
    sizes = f"{KEY_DIMS[0]} ≤ N ≤ {KEY_DIMS[-1]:,}"
    means = [stored(r, f"{name}_mean").mean(axis=(1, 2)) for name in ("keys", "queries", "fresh")]
    yield equal(
        "products-mean",
        f"E[k·k'], E[k·l] and the mean entry of W_QᵀW_K are 0: mean of all, each divided by 1/√N, or by a for k·l, "
        f"{sizes}.",
        estimate.mean(np.mean(means, axis=0)),
        0.0,
        0,
    )
    squares: dict[str, Estimate] = {
        name: estimate.mean(stored(r, f"{name}_square").mean(axis=(1, 2))) for name in ("keys", "queries", "fresh")
    }
    yield equal(
        "variance-keys", f"Var[k·k'] = 1/N of keys in the model: N times it, {sizes}.", squares["keys"], 1.0, "1/N"
    )
    yield equal(
        "variance-queries",
        f"The variance of entries of W_QᵀW_K is 1/N: N times it, {sizes}.",
        squares["queries"],
        1.0,
        "1/N",
    )
    yield exactly(
        "uniform-square",
        "“E[l²] = ∫ t²/a dt = a²/12” for l ~ U[0, a]: the integral divided by a². (a²/12 is the variance.)",
        1 / 3,
        within(1 / 12, 1 / 12),
        "1/12",
    )
    yield equal(
        "variance-fresh",
        "Var[k·l] = a²/12 of a key and an unused row of W_HK, and so of the drive of an item's own unit: the variance "
        f"divided by a², {sizes}.",
        squares["fresh"],
        1 / 12,
        "1/12",
    )
    yield equal(
        "variance-fresh-ours",
        f"Var[k·l] = a²/3, for every N: the variance divided by a², {sizes}.",
        squares["fresh"],
        1 / 3,
        "1/12",
        "ours",
    )


def claims_of_attention(r: Results) -> Iterator[Claim]:
    """Attention becomes uniform."""
    squares = stored(r, "attention").mean(axis=1)
    yield falling(
        "attention-uniform",
        "“In the large-N limit … the attention mechanism becomes uniform”: root mean square of C·s − 1 for each N "
        f"divided by that for the next smaller one, the largest; {', '.join(f'{N:,}' for N in KEY_DIMS)}. It is "
        f"{squares[:, 0].mean() ** 0.5:.2g} for the smallest N, {squares[:, -1].mean() ** 0.5:.2g} for the largest.",
        list(squares.T),
        "0 for N → ∞",
        r.seed,
    )
    yield equal(
        "attention-rate",
        "Attention becomes uniform as N^x: x. (Entries of W_QᵀW_K are of the size 1/√N.)",
        exponent(KEY_DIMS[2:], squares.T[2:]),
        -0.5,
        "0 for N → ∞",
        "ours",
    )


def claims_of_collisions(r: Results) -> Iterator[Claim]:
    """Which unit stores an item."""
    L, C, largest = TASK.n_letters, TASK.context_length, f"N = {KEY_DIMS[-1]:,}"
    size = f"L = {L}, C = {C}"
    least = theory.least_collisions(L, C)
    yield exactly(
        "storage-C",
        "“Because r ranges from 1 to n_h = C …, the 1-winner MHN will be loaded with all the pairs”, as W_HI x_t is “a "
        "unique one-hot vector that is distinct” for each item: least share of sequences in which two items have the "
        f"same unit, of all W_HI with C rows, {size}.",
        least,
        within(0, 0),
        0,
    )
    yield exactly(
        "storage-C-always",
        "With C units items share one in some sequences for all 2 ≤ C < L ≤ 30, and not for C = L: the least share "
        "of such sequences for C < L minus the largest for C = L.",
        min(theory.least_collisions(L, C) for L in range(2, 31) for C in range(2, L))
        - max(theory.least_collisions(L, L) for L in range(2, 31)),
        above(0),
        source="ours",
    )
    built = f"n_h = 2L, {size}"
    sequences = int(r[STORAGE]["sequences"])
    for name, measure, words, what in (
        ("allocated", "misplaced", "“the rth hidden neuron … will be allocated” for each item", "use another unit"),
        ("storage-2L", "collided", "“all the key value pairs” are stored “without any overlap”", "lose an item"),
    ):
        shares = stored(r, measure, VANISHING)
        yield equal(
            name,
            f"“With high probability” {words}, for large N and a = 1/√N: share of sequences that {what}, {largest}, "
            f"{built}. For N = {KEY_DIMS[0]} it is {shares[:, 0].mean():.2g}.",
            shared(shares[:, -1], sequences),
            0.0,
            0,
        )
    yield equal(
        "storage-small-a",
        "For storage without overlap a small a is enough, a need not vanish: share of sequences that lose an item "
        f"for a = 0.1, {largest}.",
        shared(stored(r, "collided", "0.1")[:, -1], sequences),
        0.0,
        "a = o_N(1)",
        "ours",
    )
    yield Claim(
        "storage-large-a",
        "Storage without overlap needs a small a: with a = 1 the share of sequences that lose an item does not "
        f"vanish for large N: {largest}; above 0.",
        paper="a ≪ 1",
        estimate=estimate.mean(stored(r, "collided", "1")[:, -1]),
        limits=above(0),
    )
    for name, whose, target in (("own", "that drive minus 1", "1"), ("others", "the largest such drive", "0")):
        yield falling(
            f"drive-{name}",
            f"“Since a = o_N(1)”, the drive of {'its own unit' if name == 'own' else 'any other unit'} “concentrates "
            f"to {target}”: root mean square of {whose}, for each N divided by that for the next smaller one, the "
            f"largest; a = 1/√N, {built}.",
            list(stored(r, name, VANISHING).T),
            "0 for N → ∞",
            r.seed,
        )


def shared(by_run: NDArray[np.float64], sequences: int) -> Estimate:
    """Share of sequences from its values in runs of so many."""
    return estimate.share(round(float(by_run.sum()) * sequences), len(by_run) * sequences)


def claims_of_equality(r: Results) -> Iterator[Claim]:
    """Whether the slot-free model then is the transformer."""
    largest = f"N = {KEY_DIMS[-1]:,}, n_h = 2L, a = 1/√N"
    for name, what in (
        ("output", "The models “compute the same function”"),
        ("gradient", "“The gradients obtained for W_V will coincide”"),
    ):
        gap, size = (stored(r, part, VANISHING)[:, -1] for part in (f"{name}_gap", name))
        found = estimate.bootstrap(lambda a, b: np.sqrt(a / b), gap, size, of=means_of_rows, seed=r.seed)
        yield equal(
            f"same-{name}",
            f"{what} for large N: root mean square difference of the {name}, divided by that of the transformer's "
            f"{name}, "
            f"{largest}, initial W_V.",
            found,
            0.0,
            "equal",
        )
    used = TASK.context_length / (2 * TASK.n_letters)
    yield equal(
        "unused-attention",
        "The models' outputs differ as the n_h − C units without an item, which W_HI needs, are attended to as well: "
        f"attention that these get, {largest}; in theory 1 − C/n_h = {1 - used:.3f}.",
        estimate.mean(stored(r, "unused", VANISHING)[:, -1]),
        1 - used,
        0,
        "ours",
    )
    pairs = [(learned(r, e, TRANSFORMER), learned(r, e, PERFECT)) for e in SIZES.values()]
    yield exactly(
        "same",
        "Lemma 8 holds where item t is stored in unit t of n_h = C, whatever the drives: largest difference of W_V "
        "from the transformer's, all runs, iterations and N, same sequences and start.",
        max(np.abs(a.letters - b.letters).max() for a, b in pairs),
        at_most(1e-9),
        "equal",
        "ours",
    )
