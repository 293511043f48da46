"""Step 2: what units add to the answer, X = d exp(β w·q), as characteristic functions E exp(iτX).

A unit whose wins were of items i = 0 (the newest), 1, … has, but for a factor ε that all units share,

    d = Σ_i (1 − ε)^i s_i,    β w·q = b Σ_i (1 − ε)^i z_i,    b = β f ε

with s = 1 for the item asked for and ±1 for others, and z the overlap of an item's key with the query within what the
unit sees, divided by f: A = |k|²/f · Beta(m/2, (N − m)/2) for the item asked for. For others it is a random number with
the variance |k|² A/m and, as keys are points of a sphere, lighter tails than a normal one (``Overlap``). Where units
are won by keys, others are like the unit's weights, and have a mean that is not 0 (``likeness``).

So ln|X| is ln|d| plus such a number, and E exp(iτX) a convolution over y = ln τ: of exp(± i e^y) with the distribution
of ln|X| where X is positive, and where it is negative.
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre
from scipy.stats import beta

from slotfree.beyond.contextC5.recency.wins import MOST, Floats, Store, Wins

Complex = NDArray[np.complex128]

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
