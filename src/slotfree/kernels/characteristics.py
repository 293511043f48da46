"""Characteristic functions of sums of weights."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel
from slotfree.kernels.elementary import angle_of, cos_sin, exp_of, log_of

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

LEAST = -25.0  # logarithm of a value that is as good as 0
N_ANGLES = 1024  # of tables over the circle; a power of 2
STRIDE = 8  # of weights: those first looked at are spread over all of them


@kernel
def random_sums(
    s: float, w: Floats, numbers: Floats, mean: float, t: Floats, blur: float, low: float, out: Complexes
) -> None:
    """out[i, q] = E e^{−i(h − low)t_q}, for sums h of weights that count with probability s, with Gaussian noise.

        log E e^{iht} = i mean t + Σ_j numbers[j, i] log(1 − s + s e^{i w_j t})

    The logarithm is continuous in t for any s. It comes from a table over the circle, with cubic interpolation. w and t
    must be finite; whatever they are, the place in the table is within it, since it goes around the circle. No weight
    makes the absolute value larger: once it is as good as 0 for all i, which some of the weights often show, the others
    are left out.
    """
    size, angle = np.empty(N_ANGLES + 3), np.empty(N_ANGLES + 3)
    turn = s > 0.5  # then e^{ia} is taken out of the logarithm, which so stays on its main branch
    part, sign = (1 - s, -1) if turn else (s, 1)
    for p in range(N_ANGLES + 3):
        cos, sin = cos_sin(((p - 1) & (N_ANGLES - 1)) * (2 * np.pi / N_ANGLES))
        x, y = 1 - part + part * cos, sign * part * sin
        size[p], angle[p] = 0.5 * log_of(x * x + y * y + 1e-300), angle_of(y, x)
    re, im = np.empty(numbers.shape[1]), np.empty(numbers.shape[1])
    for q in range(t.size):
        for i in range(re.size):
            re[i], im[i] = -0.5 * (blur * t[q]) ** 2, mean * t[q]
        largest = 0.0
        for first in range(STRIDE):
            for j in range(first, w.size, STRIDE):
                value = on_circle(size, w[j] * t[q])
                for i in range(re.size):
                    re[i] += numbers[j, i] * value
            largest = re.max()
            if largest <= LEAST:
                break
        if largest > LEAST:
            for j in range(w.size):
                value = on_circle(angle, w[j] * t[q]) + (w[j] * t[q] if turn else 0.0)
                for i in range(re.size):
                    im[i] += numbers[j, i] * value
        for i in range(re.size):
            cos, sin = cos_sin(low * t[q] - im[i])
            absolute = exp_of(re[i]) if re[i] > LEAST else 0.0
            out[i, q] = complex(absolute * cos, absolute * sin)


@kernel
def on_circle(table: Floats, angle: float) -> float:
    """The value of a table over the circle at an angle: the cubic polynomial through the four nearest."""
    place = angle * (N_ANGLES / (2 * np.pi))
    below = np.floor(place)
    p, x = int(below) & (N_ANGLES - 1), place - below  # once around the circle
    a, b, c, d = table[p], table[p + 1], table[p + 2], table[p + 3]
    outer = x * (1 - x) / 6
    value: float = b + x * (c - b) - outer * ((2 - x) * (a - 2 * b + c) + (1 + x) * (b - 2 * c + d))
    return value


@kernel
def waves(step: float, cos: Floats, sin: Floats) -> None:
    """cos + i sin = e^{ijq step} − 1, in [j, q]."""
    for j in range(cos.shape[0]):
        for q in range(cos.shape[1]):
            c, s = cos_sin(step * (j * q))
            cos[j, q], sin[j, q] = c - 1, s


@kernel
def connected_sums(
    re: Floats,
    im: Floats,
    popular: Floats,
    returning: Floats,
    k: float,
    t: Floats,
    blur: float,
    low: float,
    out: Complexes,
) -> None:
    """out[g, n, d] = E e^{−i(v − low)t}, for the drive v from k winners, with Gaussian noise.

        E e^{ivt} = Σ_p popular_p Z_0^{k share} Z_1^{k (1 − share)}

    re, im : Z of one winner, for case g, popularity p, kind of winner (0 old, 1 other), kind d of visible unit, and t.
    returning : the share of old winners, for case g and number n.
    """
    n_numbers, n_t = out.shape[1], t.size
    size, angle = np.empty((2, n_t)), np.empty((2, n_t))
    x, y = np.empty((n_numbers, n_t)), np.empty((n_numbers, n_t))
    for g, d in np.ndindex(out.shape[0], out.shape[2]):
        for n in range(n_numbers):
            for q in range(n_t):
                x[n, q] = y[n, q] = 0.0
        for p in range(popular.size):
            for whose in range(2):
                a, b = re[g, p, whose, d], im[g, p, whose, d]
                for q in range(n_t):
                    size[whose, q] = 0.5 * k * log_of(a[q] * a[q] + b[q] * b[q] + 1e-300)
                    angle[whose, q] = k * angle_of(b[q], a[q])
            for n in range(n_numbers):
                share = returning[g, n]
                for q in range(n_t):
                    total = share * size[0, q] + (1 - share) * size[1, q] - 0.5 * (blur * t[q]) ** 2
                    cos, sin = cos_sin(low * t[q] - share * angle[0, q] - (1 - share) * angle[1, q])
                    absolute = popular[p] * exp_of(total) if total > LEAST else 0.0
                    x[n, q] += absolute * cos
                    y[n, q] += absolute * sin
        for n in range(n_numbers):
            for q in range(n_t):
                out[g, n, d, q] = complex(x[n, q], y[n, q])
