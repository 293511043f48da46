"""Characteristic functions of sums of weights."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.elementary import angle_of, cos_sin, exp_of, log_of
from slotfree.kernels.compile import leaf, lean

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

LEAST = -25.0  # logarithm of a value that is as good as 0
N_ANGLES = 1024  # of tables over the circle; a power of 2


@lean
def look_up(size: Floats, angle: Floats, w: Floats, t: Floats, re: Floats, im: Floats) -> None:
    """re + i im = the values of two tables over the circle at w_j t_q, in [j, q]."""
    for j in range(w.size):
        for q in range(t.size):
            p, x = on_circle(w[j] * t[q])
            re[j, q], im[j, q] = cubic(size, p, x), cubic(angle, p, x)


@leaf
def on_circle(angle: float) -> tuple[int, float]:
    """The place of an angle in a table over the circle, and how far it is from there to the next."""
    place = angle * (N_ANGLES / (2 * np.pi))
    below = np.floor(place)
    return int(below) & (N_ANGLES - 1), place - below


@leaf
def cubic(y: Floats, p: int, x: float) -> float:
    """The cubic polynomial through y[p], …, y[p + 3], at x from 0 to 1 between the two in the middle."""
    a, b, c, d = y[p], y[p + 1], y[p + 2], y[p + 3]
    outer = x * (1 - x) / 6
    value: float = b + x * (c - b) - outer * ((2 - x) * (a - 2 * b + c) + (1 + x) * (b - 2 * c + d))
    return value


@lean
def circle(angles: Floats, cos: Floats, sin: Floats) -> None:
    """cos + i sin = e^{ia} for each angle a."""
    for n in range(angles.size):
        cos[n], sin[n] = cos_sin(angles[n])


@lean
def connected_sums(
    re: Floats,
    im: Floats,
    popular: Floats,
    returning: Floats,
    k: float,
    t: Floats,
    blur: float,
    low: float,
    room: Floats,
    out: Complexes,
) -> None:
    """out[g, n, d] = E e^{−i(v − low)t}, for the drive v from k winners, with Gaussian noise.

        E e^{ivt} = Σ_p popular_p Z_0^{k share} Z_1^{k (1 − share)}

    re, im : Z of one winner, for case g, popularity p, kind of winner (0 old, 1 other), kind d of visible unit, and t.
    returning : the share of old winners, for case g and number n.
    room : (4 + 2 numbers, t), working room.
    """
    n_numbers, n_t = out.shape[1], t.size
    log_size, angle, x, y = room[:2], room[2:4], room[4 : 4 + n_numbers], room[4 + n_numbers :]
    for g in range(out.shape[0]):
        for d in range(out.shape[2]):
            for n in range(n_numbers):
                for q in range(n_t):
                    x[n, q] = y[n, q] = 0.0
            for p in range(popular.size):
                for whose in range(2):
                    logarithms(re[g, p, whose, d], im[g, p, whose, d], k, log_size[whose], angle[whose])
                for n in range(n_numbers):
                    add_power(returning[g, n], log_size, angle, popular[p], t, blur, low, x[n], y[n])
            for n in range(n_numbers):
                for q in range(n_t):
                    out[g, n, d, q] = complex(x[n, q], y[n, q])


@lean
def logarithms(re: Floats, im: Floats, k: float, size: Floats, angle: Floats) -> None:
    """size + i angle = k log(re + i im)."""
    for q in range(re.size):
        size[q] = 0.5 * k * log_of(re[q] * re[q] + im[q] * im[q] + 1e-300)
    for q in range(re.size):
        angle[q] = k * angle_of(im[q], re[q])


@lean
def add_power(
    share: float,
    size: Floats,
    angle: Floats,
    popular: float,
    t: Floats,
    blur: float,
    low: float,
    x: Floats,
    y: Floats,
) -> None:
    """Add popular · e^{−i(v − low)t} to x + iy, with noise, for a share of old winners."""
    size_0, size_1, angle_0, angle_1 = size[0], size[1], angle[0], angle[1]
    for q in range(t.size):
        total = share * size_0[q] + (1 - share) * size_1[q] - 0.5 * (blur * t[q]) * (blur * t[q])
        cos, sin = cos_sin(low * t[q] - share * angle_0[q] - (1 - share) * angle_1[q])
        absolute = popular * exp_of(total) if total > LEAST else 0.0
        x[q] += absolute * cos
        y[q] += absolute * sin
