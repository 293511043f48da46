"""The distribution of a drive, a sum of many weights, from its characteristic function E e^{iht}; and who wins."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from slotfree.kernels.theory.characteristic_functions import circle

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

N_WEIGHTS = 65
WEIGHTS: Floats = np.linspace(0, 1, N_WEIGHTS)
N_DRIVES = 512
PLACES: Floats = np.arange(N_DRIVES, dtype=np.float64)
BLUR = 1.3  # standard deviation, in lattice steps, of the noise that breaks ties and keeps the transform smooth


@dataclass(frozen=True)
class Lattice:
    """Equally spaced drives from low to high, on which distributions of drives are given.

    The probabilities of a drive h are a Fourier transform of its characteristic function E e^{iht}.
    """

    low: float
    high: float

    @property
    def step(self) -> float:
        """Distance of neighbouring drives."""
        return (self.high - self.low) / N_DRIVES

    @cached_property
    def drives(self) -> Floats:
        """The drives h."""
        return self.low + self.step * PLACES

    @cached_property
    def t(self) -> Floats:
        """The t at which characteristic functions are computed."""
        return 2 * np.pi / (N_DRIVES * self.step) * PLACES[: N_DRIVES // 2 + 1]

    @cached_property
    def waves(self) -> tuple[Floats, Floats]:
        """Real and imaginary part of e^{iwt} − 1 for all weights w (rows) and t (columns)."""
        step = 2 * np.pi / (N_DRIVES * self.step) / (N_WEIGHTS - 1)
        angles = step * (PLACES[:N_WEIGHTS, None] * PLACES[: len(self.t)])
        cos, sin = cosines_and_sines(angles)
        return cos - 1, sin

    @property
    def blur(self) -> float:
        """Standard deviation of the noise that breaks ties."""
        return BLUR * self.step

    def with_noise(self, probabilities: Floats, variance: Floats) -> Floats:
        """Return the probabilities after Gaussian noise is added, in rows, each with its own variance."""
        return from_transforms(fft.rfft(probabilities) * np.exp(-0.5 * np.outer(variance, self.t**2)))


def cosines_and_sines(angles: Floats) -> tuple[Floats, Floats]:
    """Return cos and sin of angles."""
    cos, sin = np.empty((2, angles.size))
    circle(angles.ravel(), cos, sin)
    return cos.reshape(angles.shape), sin.reshape(angles.shape)


def from_transforms(transform: Complexes) -> Floats:
    """Return probabilities on a lattice from E e^{−i(h − low)t}, along the last axis."""
    p: Floats = fft.irfft(transform, N_DRIVES, axis=-1)
    np.maximum(p, 0.0, out=p)
    p /= np.maximum(p.sum(axis=-1, keepdims=True), 1e-300)
    return p


def tails(probabilities: Floats) -> Floats:
    """Return P(drive > h) + ½ P(drive = h) for every h of the lattice."""
    return np.cumsum(probabilities[..., ::-1], axis=-1)[..., ::-1] - probabilities / 2


def mean_and_variance(probabilities: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the variance of values, along the last axis of their probabilities."""
    mean = probabilities @ values
    return mean, np.maximum(probabilities @ values**2 - mean**2, 0.0)


def win_probability(mean: Floats, variance: Floats, k: float) -> Floats:
    """Return P(N < k): fewer than k competitors have a larger drive.

    N, the number of competitors with a larger drive, is taken as binomial(n, u) with this mean and variance. P(N < k)
    is then the incomplete beta function I_{1−u}(n − k + 1, k), which is defined for all real n; for k = 1 it is
    (1 − u)^n.

    Parameters
    ----------
    mean, variance : of N.
    k : the number of winners.
    """
    u = np.clip(1 - variance / np.maximum(mean, 1e-300), 1e-13, 1 - 1e-13)
    n = mean / u
    few = (mean < k) | (n - k + 1 <= 1e-9)
    chance = np.where(few, 1.0, 0.0)
    bound = (mean - k) ** 2 / (2 * np.where(few, (2 * mean + k) / 3, mean))  # Bernstein: |chance − P| < e^{−bound}
    between = (bound < 25) & (n - k + 1 > 1e-9)
    n, u = n[between], u[between]
    chance[between] = np.exp(n * np.log1p(-u)) if k == 1 else special.betainc(n - k + 1, k, 1 - u)
    return chance
