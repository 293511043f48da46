from itertools import pairwise
from math import log

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats
from study.madeup import Fading, around, faded

from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.paper.figures import theorem1, theorem1_large
from slotfree.paper.figures.theorem1 import ITEM, ONE, PAPERS_SIZE, SLOTS, SMALL_CUES, Point, Slots, permitted_loss
from slotfree.paper.figures.theorem1_large import C_0, S_V, log_choose
from slotfree.paper.text.si_a2_theory import ORDER
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.study import Results, Retention
from slotfree.study.scale import SCALES

PAPER = SCALES["paper"]
ROUNDING = 1e-12
# n_h from 4 on, as (n_h − 2)/(n_h − 1) > ½ is assumed, and ε in (0, 1).
N_H, EPSILON = np.meshgrid(
    np.unique(np.geomspace(4, 1e6, 200).round()), (0.001, *np.arange(0.05, 1, 0.05), 0.999), indexing="ij"
)


def slots(stored=0.0, loss=0.5, replaced=0.01, width=1e-4):
    """Made-up slots: more stored than the law says, a loss as a share of the permitted one, better recall."""
    data = {}
    for (n_h, s_v), e in SLOTS.items():
        permitted = np.array([permitted_loss(ones, n_h, s_v) for ones in SMALL_CUES])
        law = (1 - 1 / n_h) ** np.arange(e.run.n_ages)
        means = {"stored": law + stored, "loss": permitted * loss, "replaced": 0.15 + replaced}
        made = {name: around(mean, width) for name, mean in means.items()}
        made |= {name: np.full((10, *np.shape(value)), value) for name, value in (("earlier", 0.1), ("unseen", 0.15))}
        made |= {name: np.zeros((10, 3)) for name in ("failed", "alone")}
        data[e.name] = e.label([{name: runs[i] for name, runs in made.items()} for i in range(10)])
    return Results(data, PAPER, 0)


def retained(n_ages=100, **fading):
    """Made-up curves of all other experiments."""
    made = {
        e.name: faded(
            e, lambda name, cue: Fading(**{"beta": 0, "noise": 0.01, **fading}), runs=20, n_ages=n_ages, seed=i
        )
        for i, e in enumerate(ITEM.experiments)
        if isinstance(e.run, Retention)
    }
    return Results(made, PAPER, 0)


def test_points_of_the_grid_hold_their_simulations_and_theories():
    found = theorem1.grid()(retained(base=0.2, C=0.5))
    assert len(found) == 3 * 3 * 3 * 2
    for point, compared in found.items():
        assert compared.runs.mean() == pytest.approx(0.2 if point.quantity == "baseline" else 0.5, abs=0.003)
    main = found[Point(100, 0.1, 0.5, "baseline")]
    assert (main.exact, main.asymptotic) == (one_winner.exact_baseline(0.5), one_winner.baseline(0.5))


def test_the_largest_deviation_of_a_baseline(monkeypatch):
    points = {
        Point(n_h, 0.1, 1.0, quantity): theorem1.Compared(around(0.2 + off, 1e-3), 0.2, 0)
        for n_h, quantity, off in ((30, "baseline", 0), (100, "baseline", -0.02), (100, "raw difference", 0.1))
    }
    monkeypatch.setattr(theorem1, "grid", lambda: lambda r: points)
    assert theorem1.baseline_off()(Results({}, PAPER, 0)).value == pytest.approx(0.02)


@pytest.mark.parametrize("cue", CUES)
def test_how_much_the_formula_overstates(cue):
    data = faded(ONE, lambda name, cue: Fading(base=0.15, noise=1e-6), runs=10, n_ages=20)
    found = theorem1.overstated(cue)(Results({ONE.name: data}, PAPER, 0))
    assert found.value == pytest.approx((one_winner.baseline(cue) - 0.1) / 0.05 - 1, rel=1e-3)
    assert found.low < found.value < found.high


def test_measures_of_slots():
    r = slots(stored=0.01, loss=0.5, replaced=-0.02)
    assert theorem1.stored_more()(r).value == pytest.approx(0.01, rel=0.01)
    assert theorem1.lost_of_permitted()(r).value == pytest.approx(0.5, rel=0.01)
    assert theorem1.replaced_recalled_more()(r).value == pytest.approx(-0.02)
    as_stated = theorem1.stored_more()(slots(width=1e-3))
    assert as_stated.low < 0 < as_stated.high


def test_the_order_is_judged_by_a_rise(monkeypatch):
    assert ORDER.claim(Results({}, PAPER, 0)).verdict == "contradicted"
    monkeypatch.setattr(theorem1_large, "scaled_deviation", lambda cue, growth, decade: 1 / decade)
    assert ORDER.claim(Results({}, PAPER, 0)).verdict == "confirmed"


# What the paper derives, held by computation.


def test_the_papers_size_is_within_the_theorem():
    assert C_0 / (S_V * log(1 / S_V)) == pytest.approx(0.02)
    thetas = [one_winner.theta(epsilon) for epsilon in (0.001, 0.25, 0.5, 0.75, 0.999)]
    assert max(thetas) < 0.06


def test_overlaps_of_bernoulli_patterns_have_the_printed_moments():
    """Patterns of exactly k_v ones have the same mean, and a smaller standard deviation."""
    n_v, k_v = 1000, 100
    for cue in CUES:
        m = round(cue * k_v)
        bernoulli, exact = stats.binom(m, S_V), stats.hypergeom(n_v, k_v, m)
        assert bernoulli.mean() == pytest.approx(cue * k_v**2 / n_v) == exact.mean()
        assert bernoulli.std() == pytest.approx(np.sqrt(cue * k_v * S_V * (1 - S_V)))
    assert stats.hypergeom(n_v, k_v, k_v).std() / 3 == pytest.approx(0.949, abs=5e-4)


def test_what_overlaps_most_is_retrieved():
    memory = KWinnerMHN(200, 10, 20, 1, 1.0, 1.0, seed=0)
    patterns = random_patterns(10, n_visible=200, k_visible=20, seed=1)
    assert len(set(memory.store(patterns, return_winners=True)[:, 0])) == 10
    cues = partial_cues(random_patterns(50, n_visible=200, k_visible=20, seed=2), 0.5, seed=3)
    overlaps = cues.astype(int) @ patterns.T.astype(int)
    for found, overlap in zip(memory.retrieve(cues), overlaps, strict=True):
        assert any((found == patterns[i]).all() for i in np.flatnonzero(overlap == overlap.max()))


def test_distances_from_gumbel_fall_only_with_the_factor():
    def distances(factor):
        return [theorem1_large.gumbel_distance(d * log(10), factor) for d in (2, 10, 100, 300)]

    right, printed = distances(0.5), distances(1.0)
    assert all(a > b for a, b in pairwise(right))
    assert all(a < b for a, b in pairwise(printed))
    assert (printed[0], printed[-1]) == pytest.approx((0.45, 0.94), abs=0.005)
    assert (right[0], right[-1]) == pytest.approx((0.08, 0.003), abs=0.005)
    locations = [theorem1_large.location(log(100), factor) for factor in (1, 0.5)]
    assert locations == pytest.approx([1.70, 2.37], abs=0.005)


def mean_maximum(L):
    """E[S], the mean of the largest of N = e^L standard Gaussian numbers: b − ∫ F up to a b that none reaches."""
    x = np.linspace(-12, 45, 60_001)
    return x[-1] - np.trapezoid(np.exp(np.exp(L) * special.log_ndtr(x)), x)


def test_the_mean_maximum_tends_to_gumbels():
    """(E[S] − a_N)/b_N → γ with the factor ½ in a_N alone, and E[S] = √(2 ln N) + O(ln ln N/√ln N)."""
    assert mean_maximum(log(2)) == pytest.approx(1 / np.pi**0.5, abs=1e-6)
    assert mean_maximum(log(100)) == pytest.approx(2.51, abs=0.005)
    sizes = [d * log(10) for d in (2, 100, 300)]

    def distances(factor):
        locations = [theorem1_large.location(L, factor) for L in sizes]
        return [abs((mean_maximum(L) - a) * a - np.euler_gamma) for L, a in zip(sizes, locations, strict=True)]

    assert all(a > b for a, b in pairwise(distances(0.5)))
    assert all(a < b for a, b in pairwise(distances(1.0)))
    scaled = [abs(mean_maximum(L) - np.sqrt(2 * L)) * np.sqrt(L) / log(L) for L in sizes[1:]]
    assert scaled[1] < scaled[0]


def test_the_mean_of_gumbels_distribution():
    mean, _ = integrate.quad(lambda z: z * np.exp(-z - np.exp(-z)), -10, 60, epsabs=1e-13)
    assert mean == pytest.approx(np.euler_gamma, abs=ROUNDING)


def steps(epsilon):
    """The inequalities of the proof from δ to the bound of θ: the larger side by the smaller one, where it is least."""
    n, delta = N_H, N_H ** -(1 + epsilon)
    p = 1 / (n - 1)
    left = -np.expm1(p * np.log1p(-delta))
    series, term = np.zeros_like(n), np.ones_like(n)
    for i in range(60):
        term = -term * (p - i) / (i + 1) * delta
        series -= term
    first = p * delta - p / 2 * delta**2 / (1 - delta)
    second = p / n**2 - p / 2 / (n * (n - 1))
    third = (n - 2) / (2 * n**2 * (n - 1) ** 2)
    L = np.log(n)[..., None]
    n_v = L / C_0 * np.array([1, 1.5, 10, 1000])  # n_h ≤ exp(c₀ n_v)
    ratios = {
        "1/n² ≤ δ": delta * n**2,
        "δ ≤ 1/n": 1 / (delta * n),
        "series": np.minimum(left / series, series / left),
        "first": left / first,
        "second": first / second,
        "third": np.minimum(second / third, third / second),
        "last": third * 4 * n**3 / (1 + ROUNDING),  # the one strict inequality
        "θ": np.log(4 * n**3) / -np.log(left),
        "condition": (log(4) / n_v + 3 * C_0) / ((log(4) + 3 * L) / n_v),
        "root": np.sqrt(S_V * n_v / (S_V / C_0 * L)),
    }
    return {name: float(ratio.min()) for name, ratio in ratios.items()}


def test_the_steps_of_the_proof():
    assert min(steps(EPSILON).values()) >= 1 - ROUNDING
    failed = {name for name, ratio in steps(EPSILON + 1).items() if ratio < 1 - ROUNDING}  # δ below 1/n_h²
    assert failed >= {"1/n² ≤ δ", "θ"}


def log_loss(m, n_v, k_v, L):
    """Logarithm of what a stored pattern's cue of m ones loses, as ``1 − one_winner.exact_stored``, for any n_h.

    Where no two others contain the cue: (n_h − 1) q/2 times what the wrong one lacks.
    """
    log_q = log_choose(n_v - m, k_v - m) - log_choose(n_v, k_v)
    lacks = np.log1p(-(m + (k_v - m) * (k_v - m) / (n_v - m)) / k_v)
    if L + log_q < -20:
        return L + np.log1p(-np.exp(-L)) + log_q - log(2) + lacks
    n_h, q = np.exp(L), np.exp(log_q)
    return np.log1p(np.expm1(n_h * np.log1p(-q)) / (n_h * q)) + lacks


@pytest.mark.parametrize("cue", [1.0, 0.5, 0.2])
@pytest.mark.parametrize("n_h", [2, 100, 10_000])
def test_the_large_theory_is_the_exact_one(cue, n_h):
    for k_v in (50, 200):
        expected = one_winner.exact_baseline(cue, k_visible=k_v, n_hidden=n_h)
        assert theorem1_large.baseline(cue, 1000, k_v, log(n_h)) == pytest.approx(expected, abs=1e-10)
        loss = 1 - one_winner.exact_stored(3 / k_v, k_visible=k_v, n_hidden=n_h)
        assert np.exp(log_loss(3, 1000, k_v, log(n_h))) == pytest.approx(loss, rel=1e-8)


def test_stored_patterns_are_as_good_as_never_missed():
    """The loss is 10⁻⁵⁵ with half cues at the paper's size, and n_h^(1+ε) times it vanishes for ε → 1."""

    def log10_loss(cue, decade):
        L = decade * log(10)
        k_v = round(S_V * L / C_0)
        m = min(round(cue * k_v), k_v - 1)  # a full cue is never lost; one without a single one is as near as can be
        return log_loss(m, round(k_v / S_V), k_v, L) / log(10)

    assert round(log10_loss(0.5, 2)) == -55
    for cue in CUES:
        assert one_winner.exact_stored(cue) == 1
        assert log10_loss(cue, 100) + 1.999 * 100 < log10_loss(cue, 2) + 1.999 * 2


def test_theta_stays_small_and_does_not_vanish():
    """Where n_h = exp(c₀ n_v), θ is the same at n_h = 100 and 10^100."""

    def theta(decade, epsilon=0.5):
        L = decade * log(10)
        missed = -np.expm1(np.log1p(-np.exp(-(1 + epsilon) * L)) / (np.exp(L) - 1))
        return np.log(missed) / (S_V * L / C_0 * log(S_V))

    assert theta(2) == pytest.approx(one_winner.theta(0.5))
    assert [theta(2), theta(100)] == pytest.approx([0.050, 0.050], abs=5e-4)


def test_the_permitted_loss_is_where_the_bound_is_met():
    for ones in (2, 3, 5):
        assert one_winner.least_cue(permitted_loss(ones, 100, 0.1)) == pytest.approx(ones / 100)


def test_the_loss_of_small_cues_is_below_the_bound():
    """A pattern contains a cue with a chance of at most s_v^m, so that stored patterns lose less than is permitted."""
    for n_v, share in ((100, 0.05), (100, 0.5), (1000, 0.1), (1000, 0.2)):
        k_v = round(share * n_v)
        i = np.arange(k_v)
        assert (np.cumsum(np.log((k_v - i) / (n_v - i)) - log(share)) <= ROUNDING).all()
    for n_h in (10, 100, 1000):
        for s_v in (0.05, 0.1, 0.5):
            k_v = round(1000 * s_v)
            for m in range(1, 11):
                loss = 1 - one_winner.exact_stored(m / k_v, k_visible=k_v, n_hidden=n_h)
                assert loss <= permitted_loss(m, n_h, s_v)


def test_fewer_ones_than_the_bound_asks_for_can_be_enough():
    delta = permitted_loss(3, 100, 0.1) * 0.6
    assert one_winner.least_cue(delta) > 3 / 100
    assert one_winner.exact_stored(3 / 100) > 1 - delta


def limit_deviation(cue):
    """To what the deviation tends for n_h = exp(c₀ n_v) → ∞: the best overlap is a fraction y of the cue's ones.

    Of n_h patterns one has it if its probability is exp(−c₀ n_v): Stirling's formula for the hypergeometric terms.
    """
    c, s, entropy = cue, S_V, lambda p: float(stats.bernoulli.entropy(p)) if 0 < p < 1 else 0.0

    def exponent(y):
        return s * entropy(y * c) + (1 - s) * entropy((1 - y) * c * s / (1 - s)) - entropy(c * s) + C_0

    y = optimize.brentq(exponent, s, 1 - 1e-12)
    return s + np.sqrt(2 * c * (1 - s) * C_0) - (y * c + (1 - y * c) * s * (1 - c) / (1 - c * s))


@pytest.mark.parametrize("cue", CUES)
def test_the_deviation_tends_to_a_constant(cue):
    """What is left falls as ln ln n_h / ln n_h, by half or more from 10^100 to 10^300; it vanishes for larger n_v."""
    limit = limit_deviation(cue)
    near, far = (abs(theorem1_large.deviation(cue, "edge", d) - limit) for d in (300, 100))
    assert near < 0.5 * far < 0.0005 < abs(limit)
    assert theorem1_large.scaled_rise("cubic", 10, 30) < 1


def test_lifetimes():
    found = theorem1.lifetimes_of(np.array([3, 1, 3, 3, 2], np.uint32))
    np.testing.assert_array_equal(found, [2, np.inf, 1, np.inf, np.inf])


def test_slots_are_followed():
    run = Slots(theorem1.one_winner_settings(20, 0.1), 400, 40, (1, 100))
    found = run(np.random.SeedSequence(0))
    assert found["stored"][0] == 1
    assert (np.diff(found["stored"]) <= 0).all()
    assert found["stored"][20] == pytest.approx(0.95**20, abs=0.08)
    assert found["loss"][0] > 0.3 > found["loss"][1] == 0
    assert found["failed"][0] > 0
    assert found["alone"].sum() == 0
    for name in ("replaced", "earlier", "unseen"):
        assert 0.1 < found[name] < 0.25
    assert PAPERS_SIZE in SLOTS
