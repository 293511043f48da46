"""What theorem 1, its propositions and its proof claim, and what we found about them."""

from collections.abc import Iterator, Mapping, Sequence
from math import log

import numpy as np
from scipy import integrate, stats

from slotfree.forgetting.fits import exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.paper.memory.fig4 import ONE
from slotfree.paper.memory.theorem1 import large
from slotfree.paper.memory.theorem1.experiments import PAPERS_SIZE, SLOTS
from slotfree.paper.memory.theorem1.measures import (
    Compared,
    Point,
    SmallCues,
    compare,
    permitted_loss,
    small_cues,
    still_stored,
    worst_score,
)
from slotfree.paper.memory.theorem1.steps import Step, steps, superpattern_ratio
from slotfree.paper.shared.numeric import exactly
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, Source, above, at_least, at_most, below, equal_to, of_paper, within
from slotfree.study.estimate import Estimate, Values
from slotfree.study.results import Results

ROUNDING = 1e-12
DELTA = 1e-3  # remark 6
BLOCKS = 6  # of ages, in which shares of stored patterns are compared
FAR, FARTHER = 100, 300  # powers of ten between which something bounded must not rise
FROM_TO = f"n_h = 10^{FARTHER}, as a multiple of that at 10^{FAR}"


def claims(r: Results) -> Iterator[Claim]:
    """All that is said, in the order of the section."""
    yield from claims_of_bound()
    for step in steps():
        yield claim_of_step(step)
    yield from claims_of_order(scaled_rise("edge", FAR, FARTHER), scaled_rise("cubic", 10, 30))
    yield from claims_of_extremes(1.0, "", "paper")
    yield from claims_of_extremes(0.5, "-half", "ours")
    yield from claims_of_mean_maximum()
    yield from claims_of_overlap()
    for cue in CUES:
        yield from claims_of_baseline(r[ONE]["accuracy"].sel(cue=cue, kind="pseudo").mean("age").values, cue)
        yield from claims_of_decay(curves.constants(exponential_fit(r[ONE], cue, seed=r.seed))["beta"], cue)
    yield from claims_of_grid(compare(r))
    yield from claims_of_small_cues(small_cues(r))
    yield from claims_of_slots(*still_stored(r))
    slots = [r[e] for e in SLOTS.values()]
    yield claim_of_failures(
        int(sum(data["failed"].values.sum() for data in slots)), int(sum(data["alone"].values.sum() for data in slots))
    )
    yield from claims_of_replaced(
        *([(data[name] - data["unseen"]).values for data in slots] for name in ("replaced", "earlier"))
    )


def claims_of_bound() -> Iterator[Claim]:
    """The least cue, and the regime."""
    yield exactly(
        "least-cue",
        "Remark 6: with δ = 0.001, n_h = 100, k_v = 100, s_v = 0.1 “applying the inequality yields the constraint c > "
        "0.05”: the bound.",
        one_winner.least_cue(DELTA),
        within(0.045, 0.055),
        0.05,
    )
    yield exactly(
        "theta",
        "Theorem 1: “θ ≪ 1 for any ε ∈ (0, 1)”: the largest θ at the paper's size, ε from 0.001 to 0.999, below 1.",
        max(one_winner.theta(epsilon) for epsilon in (0.001, 0.25, 0.5, 0.75, 0.999)),
        below(1),
        "≪ 1",
    )
    yield exactly(
        "regime",
        "Theorem 1 assumes n_h ≤ exp(c₀ n_v) with “c₀ ≪ s_v log(1/s_v)”: the c₀ that the paper's n_h = 100, n_v = 1000 "
        "needs, divided by s_v ln(1/s_v); below 1.",
        large.C_0 / (large.S_V * log(1 / large.S_V)),
        below(1),
        "≪ 1",
    )
    ends = (large.theta(0.5, decade * log(10) / large.C_0, decade * log(10)) for decade in (2, FAR))
    first, last = ends
    yield exactly(
        "theta-vanishes",
        "Proof of theorem 1: the bound of θ “= o(1)” for n_v large and n_h ≤ exp(c₀ n_v), c₀ a constant: θ at n_h = "
        f"exp(c₀ n_v) = 10^{FAR} as a multiple of θ at the paper's size, {first:.3f} (ε = 0.5); o(1) falls.",
        last / first,
        below(1),
        "o(1)",
    )
    losses = [one_log10_loss(cue, 2) for cue in CUES]
    yield exactly(
        "stored",
        "Remark 6: with 50% and 100% cues “we may effectively assume” an accuracy of 1 while the pattern is stored: "
        f"expected loss, divided by δ = 0.001 (the loss is 10^{max(losses):.0f} or less).",
        10 ** max(losses) / DELTA,
        below(1),
        "0",
    )
    falls = [one_log10_loss(cue, FAR) + 1.999 * FAR - (one_log10_loss(cue, 2) + 1.999 * 2) for cue in CUES]
    yield exactly(
        "stored-order",
        "Proof of theorem 1: accuracy while stored is “1 + o(1/n_h^(1+ε))” for any ε in (0, 1): by how many powers of "
        f"ten the expected loss times n_h^(1+ε) changes from n_h = 100 to 10^{FAR}, n_h = exp(c₀ n_v), ε = 0.999; it "
        "falls at both cue levels.",
        max(falls),
        below(0),
        "o(1/n_h^(1+ε))",
    )


def one_log10_loss(cue: float, decade: int) -> float:
    """Power of ten of the loss of a stored pattern's accuracy at n_h = 10^decade = exp(c₀ n_v); −∞ for full cues."""
    L = decade * log(10)
    k_v = round(large.S_V * L / large.C_0)
    m = min(round(cue * k_v), k_v - 1)  # a full cue is never lost; one without a single one is as near as can be
    return large.log_loss(m, round(k_v / large.S_V), k_v, L) / log(10)


def claim_of_step(step: Step) -> Claim:
    """A step of the proof."""
    return exactly(
        f"step-{step.name}",
        f"Proof of theorem 1: “{step.words}”: smallest ratio of the larger side to the smaller one, "
        f"{'above 1' if step.strict else '1 or more, to rounding'}; n_h from 4 to 10⁶, ε from 0.001 to 0.999.",
        step.ratio,
        above(1) if step.strict else at_least(1 - ROUNDING),
        "true",
    )


def scaled_rise(growth: str, first: int, last: int) -> float:
    """By what factor the scaled deviation of the baseline rises between two powers of ten; the larger of both cues."""
    return max(large.scaled_deviation(cue, growth, last) / large.scaled_deviation(cue, growth, first) for cue in CUES)


def claims_of_order(edge: float, cubic: float) -> Iterator[Claim]:
    """The order of the error; both arguments are factors by which it rises relative to the stated one."""
    limit = large.limit_deviation(1.0)
    for name, words in (
        ("baseline", "Proposition 2: the baseline is the printed formula “+ O(ln ln n_h / ln n_h)”"),
        ("raw-difference", "Theorem 1: R.D.(a) is the printed formula “+ O(ln ln n_h / ln n_h)”, here at a = 1"),
    ):
        yield exactly(
            f"order-{name}",
            f"{words}, for n_h ≤ exp(c₀ n_v): deviation from the exact expectation, divided by this order, at "
            f"{FROM_TO}, with n_h = exp(c₀ n_v) and the paper's c₀; at most 1 if it is bounded. (At full cues the "
            f"deviation tends to {limit:.4f}, not to 0.)",
            edge,
            at_most(1),
            "O(ln ln n_h / ln n_h)",
        )
    yield exactly(
        "order-cubic",
        "The error of the printed baseline is of the order ln ln n_h / ln n_h where the visible layer grows as (ln "
        "n_h)³: error divided by this order at n_h = 10^30, as a multiple of that at 10^10.",
        cubic,
        at_most(1),
        source="ours",
    )
    yield exactly(
        "order-constant",
        "With n_v = 1000 the printed baseline overstates the exact one for small memories and understates it for large "
        "ones: deviation at n_h = 10^10, full cues.",
        large.deviation(1.0, "constant", 10),
        below(0),
        source="ours",
    )
    yield exactly(
        "order-at-100",
        "At the paper's size the order says nothing: ln ln n_h / ln n_h divided by the printed baseline, full cues.",
        large.rate(log(100)) / one_winner.baseline(1.0),
        above(1),
        source="ours",
    )


def claims_of_extremes(factor: float, suffix: str, source: Source) -> Iterator[Claim]:
    """The extreme-value theorem, with a factor of the second term of a_N."""
    words = (
        "Theorem 4: “(S − a_N)/b_N converges in distribution to the Gumbel distribution” with a_N as printed"
        if source == "paper"
        else "With the factor ½ that is missing in a_N, theorem 4 holds"
    )
    hundred, L = log(100), FARTHER * log(10)
    yield exactly(
        f"gumbel{suffix}",
        f"{words}: largest difference of both distributions at N = 10^{FARTHER}, minus that at N = 100, "
        f"{large.gumbel_distance(hundred, factor):.2f}; below 0 if it converges. (N = 100: a_N = "
        f"{large.location(hundred, factor):.2f}, E[S] = {large.mean_maximum(hundred):.2f}.)",
        large.gumbel_distance(L, factor) - large.gumbel_distance(hundred, factor),
        below(0),
        "converges" if source == "paper" else "",
        source,
    )
    first, last = (mean_distance(L, factor) for L in (hundred, L))
    yield exactly(
        f"gumbel-mean{suffix}",
        "“(E[S] − a_N)/b_N → γ”"
        + (" with a_N as printed" if source == "paper" else " with the factor ½")
        + f": distance from γ at N = 10^{FARTHER} minus that at N = 100, {first:.2f}; below 0 if it converges.",
        last - first,
        below(0),
        "→ γ" if source == "paper" else "",
        source,
    )


def mean_distance(L: float, factor: float) -> float:
    """|(E[S] − a_N)/b_N − γ|."""
    a = large.location(L, factor)
    return abs((large.mean_maximum(L) - a) * a - np.euler_gamma)


def claims_of_mean_maximum() -> Iterator[Claim]:
    """What is said of the mean of the maximum, and of Gumbel's distribution."""
    yield exactly(
        "gumbel-gamma",
        "“The expectation of this variable is the Euler-Mascheroni constant”: the integral of z times the printed "
        "density e^(−z − e^(−z)), minus γ.",
        abs(integrate.quad(lambda z: z * np.exp(-z - np.exp(-z)), -10, 60, epsabs=1e-13)[0] - np.euler_gamma),
        at_most(ROUNDING),
        "γ",
    )
    first, last = (
        abs(large.mean_maximum(L) - np.sqrt(2 * L)) * np.sqrt(L) / log(L) for L in (FAR * log(10), FARTHER * log(10))
    )
    yield exactly(
        "maximum-order",
        "“E[S] = √(2 log N) + O(log log N / √(log N))”: deviation divided by this order at N = "
        f"10^{FARTHER} ({last:.2f}), as a multiple of that at 10^{FAR}; at most 1 if it is bounded.",
        last / first,
        at_most(1),
        "O(ln ln N / √ln N)",
    )


def claims_of_overlap() -> Iterator[Claim]:
    """The distribution of overlaps."""
    n_v, k_v = 1000, 100
    exact = [stats.hypergeom(n_v, k_v, round(cue * k_v)) for cue in CUES]
    yield exactly(
        "overlap-mean",
        "Overlaps of a cue with stored patterns have “N(c k_v²/n_v, …)” as their mean: largest difference of the exact "
        "mean, both cue levels.",
        max(abs(float(d.mean()) - cue * k_v**2 / n_v) for cue, d in zip(CUES, exact, strict=True)),
        at_most(ROUNDING),
        "equal",
    )
    yield exactly(
        "overlap-sd",
        "Overlaps of a cue with stored patterns have “N(…, √(c k_v s_v (1 − s_v)))”, this standard deviation: the "
        "exact one, for patterns of exactly k_v ones, divided by the printed one, 100% cues; 1 to rounding.",
        float(exact[0].std()) / np.sqrt(k_v * 0.1 * 0.9),
        within(1 - ROUNDING, 1 + ROUNDING),
        "equal",
    )


def claims_of_baseline(runs: Values, cue: float) -> Iterator[Claim]:
    """The baseline of the main text's network, simulated, exact and printed."""
    exact, printed = one_winner.exact_baseline(cue), one_winner.baseline(cue)
    yield Claim(
        f"exact-baseline-{cue:.0%}",
        f"The exact expectation of the maximum, {exact:.4f}, gives the simulated baseline, {cue:.0%} cues, within "
        "0.001 (stored patterns are not quite independent, which is worth 0.0001).",
        estimate=estimate.mean(runs),
        limits=within(exact - 0.001, exact + 0.001),
    )
    found = estimate.mean(runs)
    over = Estimate(*((printed - 0.1) / (end - 0.1) - 1 for end in (found.value, found.high, found.low)))
    yield Claim(
        f"overstates-{cue:.0%}",
        f"At the paper's size proposition 2's baseline, {printed:.3f}, overstates the excess over chance (0.1) of the "
        f"simulated one, {found.value:.3f}, {cue:.0%} cues: by this share of it.",
        paper="equal up to O(ln ln n_h / ln n_h)",
        estimate=over,
        limits=above(0),
    )


def claims_of_decay(beta: Estimate, cue: float) -> Iterator[Claim]:
    """The sign of the exponent."""
    expected = one_winner.decay_rate(100)
    yield of_paper(
        f"decay-{cue:.0%}",
        "“R.D.(a) = C e^(β(a − 1))” with “β = −log(1 − 1/n_h)”, a positive number: the exponent of the simulated R.D. "
        f"per age, {cue:.0%} cues.",
        paper=expected,
        estimate=-beta,
        limits=equal_to(expected),
    )
    yield Claim(
        f"decay-minus-{cue:.0%}",
        f"With the minus that is missing, R.D.(a) = C e^(−β(a − 1)) agrees: β of the simulated R.D., {cue:.0%} cues.",
        paper=expected,
        estimate=beta,
        limits=equal_to(expected),
    )


def claims_of_grid(found: Mapping[Point, Compared]) -> Iterator[Claim]:
    """Exact and printed theory on the grid as a whole."""
    baseline, raw = ([c for p, c in found.items() if p.quantity == name] for name in ("baseline", "raw difference"))
    yield Claim(
        "grid-exact-baseline",
        f"Exact theory gives the simulated baseline on all {len(baseline)} points of the grid: largest deviation, at "
        "most 0.003.",
        estimate=estimate.largest_of(abs(estimate.mean(c.runs - c.exact)) for c in baseline),
        limits=within(0, 0.003),
    )
    # A deviation in standard errors holds the sampling error already: the limit says what chance does.
    score, limit = worst_score([c.runs - c.exact for c in raw])
    yield exactly(
        "grid-exact-raw-difference",
        f"Exact theory gives the simulated R.D. on all {len(raw)} points of the grid: largest deviation in standard "
        "errors (limit: exceeded by chance at any point once in 100 times).",
        score,
        at_most(limit),
        source="ours",
    )
    yield Claim(
        "grid-printed",
        f"The printed baseline lies up to this far from the simulated one on the {len(baseline)} points of the grid, "
        "farther than exact theory does: largest deviation.",
        paper="equal up to O(ln ln n_h / ln n_h)",
        estimate=estimate.largest_of(abs(estimate.mean(c.runs - c.asymptotic)) for c in baseline),
        limits=above(0.003),
    )


def claims_of_small_cues(found: list[SmallCues]) -> Iterator[Claim]:
    """Proposition 5 at its bound."""
    sizes = [(n_h, s_v, m) for n_h in (10, 30, 100, 300, 1000) for s_v in (0.05, 0.1, 0.2, 0.5) for m in range(1, 11)]
    ratios = [
        (1 - one_winner.exact_stored(m / (1000 * s_v), k_visible=round(1000 * s_v), n_hidden=n_h))
        / permitted_loss(m, n_h, s_v)
        for n_h, s_v, m in sizes
    ]
    yield exactly(
        "near-bound",
        "Proposition 5: “provided that c > …, it follows that E > 1 − δ”: expected loss divided by δ, for δ at which c "
        f"lies exactly at the bound, the largest of {len(sizes)} sizes (n_h from 10 to 1000, s_v from 0.05 to 0.5, 1 "
        "to 10 ones in the cue); at most 1.",
        max(ratios),
        at_most(1),
        "< δ",
    )
    yield of_paper(
        "near-bound-memory",
        "Proposition 5: “provided that c > …, it follows that E > 1 − δ”: mean loss of stored patterns divided by δ, "
        "for δ at which c lies exactly at the bound, in simulated memories of three sizes, 2 to 4 ones in the cue; the "
        "largest, at most 1.",
        paper="< δ",
        estimate=estimate.largest_of(estimate.mean(each.loss / each.bound) for each in found),
        limits=at_most(1),
    )
    deltas = np.geomspace(1e-6, 0.5, 500)
    yield exactly(
        "refined",
        "Remark 6: “the lower bound constraint on c can be further refined”: share of 500 values of δ from 10⁻⁶ to 0.5 "
        "for which fewer ones than the bound asks for are enough, paper's size; above 0.",
        float(np.mean([ones_needed(float(delta)) < ones_at_bound(float(delta)) for delta in deltas])),
        above(0),
        "can be refined",
    )
    yield exactly(
        "superpattern",
        "Proof of proposition 5: the chance that a pattern contains the cue is at most “(k_v/n_v)^(c k_v)”: largest "
        "ratio of both, n_v = 100 and 1000, s_v from 0.05 to 0.5, all c.",
        superpattern_ratio(),
        at_most(1 + ROUNDING),
        "≤ 1",
    )


def ones_at_bound(delta: float) -> int:
    """Least number of ones of a cue that satisfies proposition 5's condition at the paper's size."""
    return int(np.floor(100 * one_winner.least_cue(delta))) + 1


def ones_needed(delta: float) -> int:
    """Least number of ones with which the expected accuracy is above 1 − δ at the paper's size."""
    return next(m for m in range(1, 101) if one_winner.exact_stored(m / 100) > 1 - delta)


def claims_of_slots(found: Values, law: Values) -> Iterator[Claim]:
    """How long patterns stay."""
    blocks = [part.mean(axis=1) for part in np.array_split(found - law, min(BLOCKS, len(law)), axis=1)]
    score, limit = worst_score(blocks)
    n_h = PAPERS_SIZE[0]
    yield exactly(
        "in-memory",
        f"“P(x_a in memory) = (1 − 1/n_h)^(a − 1)”, n_h = {n_h}: largest difference of the share of patterns still "
        f"stored, ages 1 to {len(law)} in {len(blocks)} blocks, in standard errors (limit: exceeded by chance once "
        f"in 100 times). Largest difference of a block: {max(abs(block.mean()) for block in blocks):.4f}.",
        score,
        at_most(limit),
        "equal",
    )


def claim_of_failures(failed: int, alone: int) -> Claim:
    """What makes a stored pattern's cue fail."""
    return exactly(
        "only-superpatterns",
        "Proof of proposition 5: “the only way” for a stored pattern not to be retrieved is another stored pattern "
        f"that contains the cue: of {failed} simulated failures with 2 to 4 ones in the cue, those without one.",
        alone,
        at_most(0),
        "0",
    )


def claims_of_replaced(replaced: Sequence[Values], earlier: Sequence[Values]) -> Iterator[Claim]:
    """Replaced patterns: by how much they are recalled better than patterns never stored, the runs of each size."""
    sizes = "smallest difference in accuracy of three sizes, 100% cues"
    yield Claim(
        "replaced",
        "A pattern whose replacement is still stored is recalled better than one never stored, as the replacement won "
        f"because it resembles it: {sizes}.",
        paper="equal up to O(ln ln n_h / ln n_h)",
        estimate=estimate.smallest_of(map(estimate.mean, replaced)),
        limits=above(0),
    )
    yield Claim(
        "replaced-earlier",
        f"A pattern whose replacement was replaced too is recalled worse than one never stored: {sizes}.",
        paper="equal up to O(ln ln n_h / ln n_h)",
        estimate=estimate.smallest_of(-estimate.mean(runs) for runs in earlier),
        limits=above(0),
    )
