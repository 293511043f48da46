"""Distributions of drives: sums of many weights, from their characteristic functions; and who wins with them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

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
        """Real and imaginary part of e^{iwt} for all weights w (rows) and t (columns)."""
        angle = np.outer(WEIGHTS, self.t)
        return np.cos(angle), np.sin(angle)

    @cached_property
    def _window(self) -> Complexes:
        return -0.5 * (BLUR * self.step * self.t) ** 2 - 1j * self.t * self.low

    def probabilities(self, log_characteristic: Complexes) -> Floats:
        """Probabilities of the drives, from log E e^{iht} along the last axis."""
        return _probabilities(np.exp(np.conj(log_characteristic + self._window)))

    def moved(self, probabilities: Floats, drives: Floats, variance: float) -> Floats:
        """Probabilities of other drives, given with theirs, after the addition of Gaussian noise."""
        place = np.clip((drives - self.low) / self.step, 0, N_DRIVES - 1.001)
        below = place.astype(np.int64)
        above = place - below
        on_lattice = np.bincount(below, probabilities * (1 - above), N_DRIVES)
        on_lattice += np.bincount(below + 1, probabilities * above, N_DRIVES)
        return _probabilities(fft.rfft(on_lattice) * np.exp(-0.5 * variance * self.t**2))


def _probabilities(transform: Complexes) -> Floats:
    p = np.maximum(fft.irfft(transform, N_DRIVES, axis=-1), 0.0)
    normalised: Floats = p / p.sum(axis=-1, keepdims=True)
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
    many = n - k + 1 > 1e-9
    return np.where(many, special.betainc(np.where(many, n - k + 1, 1.0), k, 1 - u), 1.0)


def mean_and_variance(probabilities: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Mean and variance along the last axis."""
    mean = probabilities @ values
    return mean, np.maximum(probabilities @ values**2 - mean**2, 0.0)
