"""Distributions of drives: sums of many weights, from their characteristic functions; and who wins with them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from slotfree.kernels.characteristics import transforms

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

N_WEIGHTS = 65
WEIGHTS: Floats = np.linspace(0, 1, N_WEIGHTS)
N_DRIVES = 512
BLUR = 1.3  # standard deviation, in lattice steps, of the noise that breaks ties and keeps the transform smooth


@dataclass(frozen=True)
class Lattice:
    """Equally spaced drives from low to high.

    A drive h has the characteristic function E e^{iht}; its probabilities on the lattice are a Fourier transform of it.
    """

    low: float
    high: float

    @property
    def step(self) -> float:
        """Distance of two drives."""
        return (self.high - self.low) / N_DRIVES

    @cached_property
    def drives(self) -> Floats:
        """The drives h."""
        return self.low + self.step * np.arange(N_DRIVES, dtype=np.float64)

    @cached_property
    def t(self) -> Floats:
        """Where characteristic functions are to be given."""
        return 2 * np.pi / (N_DRIVES * self.step) * np.arange(N_DRIVES // 2 + 1, dtype=np.float64)

    @cached_property
    def waves(self) -> tuple[Floats, Floats]:
        """Real and imaginary part of e^{iwt} − 1 for all weights w (rows) and t (columns)."""
        angle = np.outer(WEIGHTS, self.t)
        return np.cos(angle) - 1, np.sin(angle)

    @property
    def blur(self) -> float:
        """Standard deviation of the noise."""
        return BLUR * self.step

    def probabilities(self, re: Floats, im: Floats) -> Floats:
        """Probabilities of the drives, from re + i im = log E e^{iht} in rows."""
        out = np.empty(re.shape, np.complex128)
        transforms(re, im, self.t, self.blur, self.low, out)
        return from_transforms(out)

    def with_noise(self, probabilities: Floats, variance: Floats) -> Floats:
        """Probabilities after the addition of Gaussian noise, in rows, with a variance for each."""
        return from_transforms(fft.rfft(probabilities) * np.exp(-0.5 * np.outer(variance, self.t**2)))


def from_transforms(transform: Complexes) -> Floats:
    """Probabilities on a lattice, from E e^{−i(h − low)t} along the last axis."""
    p = np.maximum(fft.irfft(transform, N_DRIVES, axis=-1), 0.0)
    normalised: Floats = p / np.maximum(p.sum(axis=-1, keepdims=True), 1e-300)
    return normalised


def tails(probabilities: Floats) -> Floats:
    """P(drive above h), where half of those equal to h count as above."""
    return np.cumsum(probabilities[..., ::-1], axis=-1)[..., ::-1] - probabilities / 2


def win_probability(mean: Floats, variance: Floats, k: float) -> Floats:
    """P(N < k): fewer than k competitors have a larger drive; N is binomial with this mean and variance.

    For a binomial(n, u) this is the incomplete beta function I_{1−u}(n − k + 1, k), which serves all real n.
    """
    u = np.clip(1 - variance / np.maximum(mean, 1e-300), 1e-13, 1 - 1e-13)
    n = mean / u
    few = (mean < k) | (n - k + 1 <= 1e-9)
    chance = np.where(few, 1.0, 0.0)
    bound = (mean - k) ** 2 / (2 * np.where(few, (2 * mean + k) / 3, mean))  # Bernstein: |chance − P| < e^{−bound}
    between = (bound < 25) & (n - k + 1 > 1e-9)
    chance[between] = special.betainc(n[between] - k + 1, k, 1 - u[between])
    return chance


def mean_and_variance(probabilities: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Mean and variance along the last axis."""
    mean = probabilities @ values
    return mean, np.maximum(probabilities @ values**2 - mean**2, 0.0)
