"""Recency in theory: how well an item is recalled from a context that ``Winners`` stores, by how many came after it.

Slow weights are ideal: a query is the key of its letter, both cases of a letter have the same key, and values are the
case code. Keys have random directions and one length |k|.

**1. How often units win** (``wins``), in a context that begins empty. Units differ in n, the number of their wins so
far. A unit's drive, divided by f, is x + γ if the item projects to it (a chance of k/n_h) and x if not, with
x ~ N(0, S_n |k|²/m), as it sees m components of a random key. S_n = |w|²/f is the squared length of its weights, which
grows with each win:

    S_{n+1} = (1 − ε)² S_n + 2 ε (1 − ε) H_n + ε² |k|²,    H_n = E[x | a unit with n wins, wins]

It wins if fewer than k of the other units have a larger drive. Where γ is large, that is a chance of k/n_h for all.

**2. What units add to the answer** (``Parts``), X = d exp(β w·q), as characteristic functions E exp(iτX). A unit whose
wins were of items i = 0 (the newest), 1, … has, but for a factor ε that all units share,

    d = Σ_i (1 − ε)^i s_i,    β w·q = b Σ_i (1 − ε)^i z_i,    b = β f ε

with s = 1 for the item asked for and ±1 for others, and z the overlap of an item's key with the query within what the
unit sees, divided by f: A = |k|²/f · Beta(m/2, (N − m)/2) for the item asked for. For others it is a random number with
the variance |k|² A/m and, as keys are points of a sphere, lighter tails than a normal one (``Overlap``). Where units
are won by keys, others are like the unit's weights, and have a mean that is not 0 (``likeness``).

So ln|X| is ln|d| plus such a number, and E exp(iτX) a convolution over y = ln τ: of exp(± i e^y) with the distribution
of ln|X| where X is positive, and where it is negative.

**3. All units that do not hold the item** add the same kind of number (``others``).

**4. The chance that the sum has the right sign** is the prediction (``predict_recency``).
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray
from scipy.special import ndtr, roots_legendre
from scipy.stats import beta, binom

from slotfree import checks
from slotfree.attention.storages.address import OF_TOKENS
from slotfree.attention.storages.winners import Winners, part_of

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

MOST = 24  # wins that are told apart
WIDTH = 1e-3  # of the drives of units that hold nothing, so that ties are broken at random
STEPS = 240  # of the integral over drives, within 6 standard deviations


class Store(NamedTuple):
    """A store in the letters of the equations."""

    n: int  # n_h
    k: int
    m: int  # components of a key that a unit sees
    N: int
    C: int
    eps: float
    gamma: float
    b: float  # β f ε
    length2: float  # |k|²

    @property
    def f(self) -> float:
        """The fan-in."""
        return self.m / self.N


class Wins(NamedTuple):
    """How often units win.

    Attributes
    ----------
    at_end : share of units with n wins after the context, (n,).
    own : chance that a unit of an item had e wins before it and r after it, (lag, e, r).
    H : E[x | win], (n,): how much like its weights the key is by which a unit wins.
    longer : S_n, as a multiple of what it would be with H = 0, (n,).
    """

    at_end: Floats
    own: Floats
    H: Floats
    longer: Floats

    @property
    def kept(self) -> Floats:
        """Chance that a unit of an item has not won again, (lag,)."""
        chance: Floats = self.own[:, :, 0].sum(axis=1)
        return chance


def wins(store: Store) -> Wins:
    """Follow the shares of units with n wins, and the units of each item, through the context."""
    share = np.zeros(MOST + 1)
    share[0] = 1.0
    own = np.zeros((store.C, MOST + 1, MOST + 1))
    later = np.minimum(np.add.outer(np.arange(MOST + 1), np.arange(MOST + 1)) + 1, MOST)  # n = e + 1 + r
    won, met = np.zeros((2, MOST + 1))
    for t in range(store.C):
        H = met / np.maximum(won, 1e-12)
        rate, x = win_rates(store, share, lengths(store, H))
        moved = share * rate
        won, met = won + moved, met + moved * x
        again = own[:t] * rate[later]
        again[:, :, -1] = 0.0
        own[:t] -= again
        own[:t, :, 1:] += again[:, :, :-1]
        own[t, :, 0] = moved / moved.sum()
        moved[-1] = 0.0
        share = share - moved
        share[1:] += moved[:-1]
    H = met / np.maximum(won, 1e-12)
    longer = np.append(1.0, lengths(store, H)[1:] / lengths(store, 0 * H)[1:])
    return Wins(share, own[::-1], H, longer)


def lengths(store: Store, H: Floats) -> Floats:
    """S_n, (n,)."""
    S = np.zeros(len(H))
    for n in range(len(H) - 1):
        grown = 2 * store.eps * (1 - store.eps) * H[n] + store.eps**2 * store.length2
        S[n + 1] = (1 - store.eps) ** 2 * S[n] + grown
    return S


def win_rates(store: Store, share: Floats, S: Floats) -> tuple[Floats, Floats]:
    """Return the chance of a unit with n wins to win the next item, and E[x | win], both (n,).

    chance = (1 − k/n_h) ∫ B₀ dF_n + (k/n_h) ∫ B₁ dF_n(x − γ), with B the chance that fewer than k of the others exceed
    a drive: of units that the item does not project to, and of those that it does. Scaled so that k units win.
    """
    k, n, gamma, p = store.k, store.n, store.gamma, store.k / store.n
    sd = np.sqrt(np.maximum(S, 0) * store.length2 / store.m) + WIDTH
    near = np.concatenate([np.linspace(-6, 6, STEPS + 1) * sd.max(), np.linspace(-6, 6, STEPS // 4) * WIDTH])
    h = np.sort(np.concatenate([near, gamma + near]))
    middle = (h[1:] + h[:-1]) / 2
    above = [ndtr((mean - h) / sd[:, None]) for mean in (0.0, gamma)]  # (n, h)
    free, projected = (np.clip(share @ each / share.sum(), 0, 1) for each in above)
    chance, meant = np.zeros((2, len(share)))
    for part, exceeds, mean, n_free, n_projected in (
        (1 - p, above[0], 0.0, n - 1 - k, k),
        (p, above[1], gamma, n - k, k - 1),
    ):
        if n_free < 0:  # all units are projected to
            continue
        B = np.zeros(len(h))
        for j in range(min(n_projected, k - 1) + 1):
            B += binom.pmf(j, n_projected, projected) * binom.cdf(k - 1 - j, n_free, free)
        weight = -np.diff(exceeds, axis=1) * (B[1:] + B[:-1]) / 2
        chance += part * weight.sum(axis=1)
        meant += part * weight @ (middle - mean)
    total = float(share @ chance)
    return np.clip(chance * p / max(total, 1e-12), 0, 1), meant / np.maximum(chance, 1e-12)


STEP = 0.02  # of y
SMOOTH = 0.05  # standard deviation added to ln|X|, so that exp(i e^y) ends
HIGH = 5.5  # of y
LEAST = np.exp(-8.0)  # smaller |d| counts as 0
TERMS = 14  # wins of a unit that count, the newest; the weight of the next is (1 − ε)^14
NODES = 12  # of the distribution of A


class Overlap(NamedTuple):
    """A random number with a mean, a variance, and a kurtosis of 3 − 2/p: cos(ω σ/√p)^p e^{iω mean}.

    A component of a random point of a sphere in N dimensions has p = (N + 2)/3; a normal number has p = ∞.
    """

    mean: float
    variance: float
    p: float

    def characteristic(self, omega: Floats) -> Complex:
        """E e^{iω g}, up to where the cosine is 0; there it is tiny."""
        angle = np.minimum(omega * np.sqrt(self.variance / self.p), np.pi / 2)
        size = np.exp(self.p * np.log(np.maximum(np.cos(angle), 1e-300)))
        return np.asarray(size * np.exp(1j * omega * self.mean))


Mixture = list[tuple[float, Overlap]]  # each with its weight


class Parts:
    """Characteristic functions of what units add, on a lattice of y = ln τ, ``size`` points."""

    def __init__(self, store: Store, wins: Wins) -> None:
        self.store, self.wins = store, wins
        self.A, self.weights = energies(store)
        spread = 7 * np.sqrt(self.overlap(float(self.A.max()), np.arange(MOST)).variance * max(wins.longer.max(), 1.0))
        reach = store.b * float(self.A.max()) + abs(self._most_likeness) + spread + 3
        self.size = int((reach + 8 + HIGH) / STEP)
        self.margin = int((reach + 8) / STEP)  # on each side: |ln X| is never more
        self.length = 1 << int(np.ceil(np.log2(self.size + 2 * self.margin)))
        self.omega = np.asarray(2 * np.pi * np.fft.rfftfreq(self.length, STEP), np.float64)
        y = HIGH + STEP * np.arange(-self.size - self.margin, self.length - self.size - self.margin)
        fine = np.linspace(-6, 6, 61) * SMOOTH
        normal = np.exp(-((fine / SMOOTH) ** 2) / 2)
        wave = np.zeros(self.length, complex)
        for shift, weight in zip(fine, normal / normal.sum(), strict=True):
            wave += weight * np.exp(1j * np.exp(np.minimum(y + shift, 8)))
        wave[y > HIGH - 0.3] = 0.0
        self.cosine, self.sine = np.fft.rfft(wave.real), np.fft.rfft(wave.imag)

    @cached_property
    def _most_likeness(self) -> float:
        shown = self.wins.own.max(axis=0) > 1e-6
        return max(abs(self.likeness(e, r)) for e, r in np.argwhere(shown).tolist())

    def of(self, d: Floats, exponents: Mixture) -> Complex:
        """E exp(iτ d e^g), (y,), of equally likely d and a mixture of g."""
        both, net = self._spectrum(d)
        g: Complex = np.zeros(len(self.omega), np.complex128)
        for weight, overlap in exponents:
            g += weight * overlap.characteristic(self.omega)
        real = np.fft.irfft(self.cosine * both * g, self.length)
        imaginary = np.fft.irfft(self.sine * net * g, self.length)
        found = (real + 1j * imaginary)[self.margin : self.margin + self.size]
        return np.asarray(found + np.mean(np.abs(d) < LEAST))

    def _spectrum(self, d: Floats) -> tuple[Complex, Complex]:
        """E e^{iω ln|d|} and E sign(d) e^{iω ln|d|} where d is not 0; ln|d| between two points counts for both."""
        total, d = len(d), d[np.abs(d) >= LEAST]
        place = np.log(np.abs(d)) / STEP
        low = np.floor(place).astype(int)
        rows = []
        for sign in (np.ones(len(d)), np.sign(d)):
            row = np.zeros(self.length)
            np.add.at(row, low % self.length, sign * (1 - (place - low)))
            np.add.at(row, (low + 1) % self.length, sign * (place - low))
            rows.append(np.conj(np.fft.rfft(row / total)))
        return rows[0], rows[1]

    def own(self, e: int, r: int) -> Complex:
        """A unit of the item asked for, with e wins before it and r after it."""
        store, left = self.store, 1 - self.store.eps
        if store.eps == 1 and r:  # it holds another item now, and is counted there
            return np.ones(self.size, complex)
        others = np.delete(np.arange(e + r + 1), r) if store.eps < 1 else np.arange(0)
        d = left**r + signed_sums(left ** others[:TERMS].astype(float))
        meets = self.likeness(e, r)
        return self.of(d, self.over_A(lambda a: self.overlap(a, others, store.b * left**r * a + meets)))

    def over_A(self, overlap: Callable[[float], Overlap]) -> Mixture:
        """The mixture over what a unit sees of the query."""
        return [(weight, overlap(a)) for a, weight in zip(self.A.tolist(), self.weights.tolist(), strict=True)]

    def overlap(self, a: float, wins: NDArray[np.int64], mean: float = 0.0, longer: float = 1.0) -> Overlap:
        """b Σ (1 − ε)^i z_i over other items in a unit, where |k|² A/m is the variance of z."""
        store = self.store
        terms = (1 - store.eps) ** (2.0 * wins)
        total = terms.sum()
        p = (store.N + 2) / 3 * (total**2 / (terms**2).sum() if len(terms) else 1.0)
        return Overlap(mean, float(store.b**2 * store.length2 * a / store.m * total * longer), float(p))

    def likeness(self, e: int, r: int) -> float:
        """Mean of b Σ (1 − ε)^i z_i over the other items in a unit of the item asked for.

        At a win of a unit with n wins, E x = H_n = ε Σ_{i<n} (1 − ε)^i E z_i, where E z_i is in proportion to the
        weight of item i: E z_i = (1 − ε)^i H_n / (ε Σ_{j<n} (1 − ε)^{2j}).
        """
        eps, left = self.store.eps, 1 - self.store.eps
        if eps == 1:
            return 0.0
        H = self.wins.H

        def each(n: int) -> float:
            return float(H[min(n, MOST)] / (eps * np.sum(left ** (2.0 * np.arange(n)))))

        after = sum(left ** (r - i) * left ** (i - 1) * each(e + i) for i in range(1, r + 1))
        before = sum(left ** (r + 1 + i) * left**i for i in range(e)) * each(e) if e else 0.0
        return float(self.store.b * (after + before))


def energies(store: Store) -> tuple[Floats, Floats]:
    """Values of A and their weights: |k|²/f times quantiles of a Beta(m/2, (N − m)/2)."""
    if store.m == store.N:
        return np.array([store.length2]), np.ones(1)
    x, weights = roots_legendre(NODES)
    quantiles = beta.ppf((x + 1) / 2, store.m / 2, (store.N - store.m) / 2)
    return store.length2 / store.f * np.asarray(quantiles), weights / 2


def signed_sums(terms: Floats) -> Floats:
    """All sums ± a ± b ± …, each as likely."""
    sums = np.zeros(1)
    for term in terms:
        sums = np.concatenate([sums + term, sums - term])
    return sums


SHARED_NODES = 15


def others(parts: Parts) -> Floats:
    """E exp(iτ Σ X) over the other units, which is real, (lag, y)."""
    return by_item(parts) if parts.store.eps == 1 else by_unit(parts)


def by_unit(parts: Parts) -> Floats:
    """For ε < 1: n_h − k units, each with n wins by its share, taken as independent."""
    store, left, share = parts.store, 1 - parts.store.eps, parts.wins.at_end
    one = np.full(parts.size, share[0])
    for n in range(1, len(share)):
        if share[n] < 1e-6:
            continue
        wins = np.arange(n)
        longer = float(parts.wins.longer[n])
        d = signed_sums(left ** wins[:TERMS].astype(float))
        one += share[n] * parts.of(d, parts.over_A(lambda a: parts.overlap(a, wins, longer=longer))).real  # noqa: B023
    every = (one / share.sum()) ** (store.n - store.k)
    return np.broadcast_to(every, (store.C, parts.size))


def by_item(parts: Parts) -> Floats:
    """For ε = 1: each of the other items is still held by some of its k units, which have the same sign.

    Of the variance |k|⁴/m of their overlaps z, a fraction f is shared, as masks share a fraction f of their components.
    """
    store, kept = parts.store, np.clip(parts.wins.kept, 0, 1)
    deviation = store.b * store.length2 / np.sqrt(store.m)

    def private(a: float, node: float) -> Overlap:
        variance = deviation**2 * max(a / store.length2 - store.f, 0.0)
        return Overlap(float(np.sqrt(store.f) * deviation * node), variance, (store.N + 2) / 3)

    powers = np.zeros((store.k + 1, parts.size))  # by how many units hold the item
    nodes, weights = hermegauss(SHARED_NODES)
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        one = parts.of(np.ones(1), parts.over_A(lambda a: private(a, node)))  # noqa: B023
        for held in range(store.k + 1):
            powers[held] += weight * (one**held).real
    chances = binom.pmf(np.arange(store.k + 1), store.k, kept[:, None])  # (lag, held)
    items: Floats = chances @ powers
    found: Floats = np.empty_like(items)
    for lag in range(store.C):
        found[lag] = np.prod(np.delete(items, lag, axis=0), axis=0)
    return found


MOST_WINS = 8.0  # C k/n_h
RARE = 1e-5
MOST_EXPONENT = 50.0  # beyond it attention is on one unit anyway, and sums take minutes and gigabytes


def predict_recency(
    n_hidden: int, key_dim: int, storage: Winners, context_length: int, *, key_length: float
) -> xr.DataArray:
    """Predict how often the value of an item is recalled, by how many items came after it.

    The answer is one of two values, each as likely, and is right if D > 0, with d_u by how much W_VH of unit u is
    larger for the right value than for the wrong one:

        D = Σ_u exp(β w_u·q) d_u,    P(D > 0) = 1/2 + (1/π) ∫ Im E exp(iτD) d ln τ

    E exp(iτD) is the product of those of the item's k units and of all others, taken as independent. Nothing is fitted.
    It holds where input projections choose the winners. Where keys do (a small projection gain) it is less exact, as it
    leaves out two things. Units that lose have smaller drives than the winners, so they disturb the newest items less;
    this matters where units see few components. And k > 1 units that see most of a key are won again together.

    Parameters
    ----------
    n_hidden, key_dim : n_h and N.
    storage : with input projections to random units, its units' own masks, and reading from all of them.
    context_length : C, items with different keys, stored one after the other in an empty context.
    key_length : |k|, of keys of random directions; a query is the key of its item.

    Returns
    -------
    Expected accuracy (lag), from 0, the newest, to C − 1.

    Examples
    --------
    >>> import slotfree as sf
    >>> curve = predict_recency(40, 50, sf.Winners(1, 1.0, projection_gain=60), 64, key_length=4.0)
    >>> bool(curve[0] > 0.99), round(float(curve.sel(lag=20)), 2)  # 1/2 + (1 − 1/40)^20 / 2
    (True, 0.8)
    """
    store = as_store(n_hidden, key_dim, storage, context_length, key_length)
    won = wins(store)
    parts = Parts(store, won)
    accuracy = 0.5 + (of_item(parts) * others(parts)).imag.sum(axis=1) * STEP / np.pi
    lags = np.arange(store.C)
    return xr.DataArray(np.clip(accuracy, 0.0, 1.0), {"lag": lags}, ("lag",), "accuracy")


def of_item(parts: Parts) -> Complex:
    """E exp(iτ Σ X) over the k units of the item asked for, (lag, y): a mixture over their wins, to the power of k."""
    own = parts.wins.own
    shown = np.argwhere(own.max(axis=0) > RARE).tolist()
    chances: Floats = np.array([own[:, e, r] for e, r in shown]).T
    each = np.array([parts.own(e, r) for e, r in shown])
    mixture = chances / chances.sum(axis=1, keepdims=True) @ each
    return np.asarray(mixture**parts.store.k)


def as_store(n_hidden: int, key_dim: int, storage: Winners, context_length: int, key_length: float) -> Store:
    """The letters of the equations, checked."""
    n = checks.integer("n_hidden", n_hidden, 1, checks.MANY)
    N = checks.integer("key_dim", key_dim, 1, checks.MANY)
    C = checks.integer("context_length", context_length, 1, checks.MANY)
    length = checks.positive("key_length", key_length)
    if not isinstance(storage, Winners):
        raise TypeError(f"storage must be Winners, not {checks.shown(storage)}")
    storage.check_units(n)
    for name, right in (("reading", "all"), ("masks", "own"), ("start", "zero")):
        if getattr(storage, name) != right:
            raise ValueError(f"storage.{name} must be {right!r} for this theory, not {getattr(storage, name)!r}")
    if storage.address not in (None, "token", "letter", "redrawn"):
        raise ValueError(f"storage.address must be to random units for this theory, not {storage.address!r}")
    if C * storage.k / n > MOST_WINS:
        raise ValueError(
            f"n_hidden must be at least {int(np.ceil(C * storage.k / MOST_WINS))} for this theory, so that units win "
            f"at most {MOST_WINS:g} times on average, C k/n_h, not {n}"
        )
    m = part_of(storage.fan_in, N)
    f = m / N
    beta = 1 / (f * storage.rate) if storage.beta is None else storage.beta
    b = beta * f * storage.rate
    if b * length**2 > MOST_EXPONENT:
        raise ValueError(
            f"key_length must be at most {(MOST_EXPONENT / b) ** 0.5:.3g} for this theory, so that a stored key meets "
            f"its query with an exponent β f ε |k|² of at most {MOST_EXPONENT:g}, not {length:g}"
        )
    gain = storage.projection_gain or OF_TOKENS * length**2
    return Store(n, storage.k, m, N, C, storage.rate, gain, b, length**2)
