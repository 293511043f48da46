"""Characteristic functions of sums of weights."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.elementary import angle_of, cos_sin, exp_of, log_of
from slotfree.kernels.compile import kernel, leaf

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

LEAST = -25.0  # logarithm of a value that is as good as 0
N_ANGLES = 1024  # of tables over the circle; a power of 2
STRIDE = 8  # of the weights that are looked at first


@kernel
def random_sums(
    s: float, w: Floats, numbers: Floats, mean: float, t: Floats, blur: float, low: float, out: Complexes
) -> None:
    """out[i, q] = E e^{−i(h − low)t_q}, for sums h of weights that count with probability s, with Gaussian noise.

        log E e^{iht} = i mean t + Σ_j numbers[i, j] log(1 − s + s e^{i w_j t})

    The logarithm is continuous in t for any s. It comes from a table over the circle, with cubic interpolation. w and t
    must be finite; whatever they are, the place in the table is within it, since it goes around the circle. No weight
    makes the absolute value larger: where some of the weights show that it is as good as 0 for all i, the others are
    left out.
    """
    turn = s > 0.5  # then e^{ia} is taken out of the logarithm, which so stays on its main branch
    size, angle = log_chosen(1 - s, -1.0) if turn else log_chosen(s, 1.0)
    n, places = numbers.shape[0], possible(size, w, numbers, t, blur)
    some = t[places]
    re, im = np.empty((w.size, some.size)), np.empty((w.size, some.size))
    look_up(size, angle, w, some, re, im)
    re, im = np.dot(numbers, re), np.dot(numbers, im)
    for i in range(n):
        for q in range(t.size):
            out[i, q] = 0.0
        whole = np.dot(numbers[i], w) if turn else 0.0
        for a in range(some.size):
            log_size = re[i, a] - 0.5 * (blur * some[a]) * (blur * some[a])
            if log_size > LEAST:
                absolute = exp_of(log_size)
                cos, sin = cos_sin((low - mean - whole) * some[a] - im[i, a])
                out[i, places[a]] = complex(absolute * cos, absolute * sin)


@kernel
def possible(size: Floats, w: Floats, numbers: Floats, t: Floats, blur: float) -> NDArray[np.int64]:
    """The places of all t at which some of the weights leave it possible that a sum is not as good as 0."""
    n = numbers.shape[0]
    bound = np.empty((n, t.size))
    row = np.empty(t.size)
    for i in range(n):
        for q in range(t.size):
            bound[i, q] = -0.5 * (blur * t[q]) * (blur * t[q])
    for j in range(0, w.size, STRIDE):
        for q in range(t.size):
            p, x = on_circle(w[j] * t[q])
            row[q] = cubic(size, p, x)
        for i in range(n):
            add_times(numbers[i, j], row, bound[i])
    places, found = np.empty(t.size, np.int64), 0
    for q in range(t.size):
        places[found] = q
        for i in range(n):
            if bound[i, q] > LEAST:
                found += 1
                break
    return places[:found]


@kernel
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


@kernel
def log_chosen(s: float, sign: float) -> tuple[Floats, Floats]:
    """Tables of the real and the imaginary part of log(1 − s + s e^{±ia}), for angles a around the circle."""
    x, y = np.empty(N_ANGLES + 3), np.empty(N_ANGLES + 3)
    for p in range(N_ANGLES + 3):
        cos, sin = cos_sin((p - 1) * (2 * np.pi / N_ANGLES))
        x[p], y[p] = 1 - s + s * cos, sign * s * sin
    size, angle = np.empty(N_ANGLES + 3), np.empty(N_ANGLES + 3)
    logarithms(x, y, 1.0, size, angle)
    return size, angle


@leaf
def cubic(y: Floats, p: int, x: float) -> float:
    """The cubic polynomial through y[p], …, y[p + 3], at x from 0 to 1 between the two in the middle."""
    a, b, c, d = y[p], y[p + 1], y[p + 2], y[p + 3]
    outer = x * (1 - x) / 6
    value: float = b + x * (c - b) - outer * ((2 - x) * (a - 2 * b + c) + (1 + x) * (b - 2 * c + d))
    return value


@kernel
def add_times(factor: float, x: Floats, out: Floats) -> None:
    """Add factor · x to out."""
    for q in range(x.size):
        out[q] += factor * x[q]


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
    log_size, angle = np.empty((2, n_t)), np.empty((2, n_t))
    x, y = np.empty((n_numbers, n_t)), np.empty((n_numbers, n_t))
    for g, d in np.ndindex(out.shape[0], out.shape[2]):
        x[:] = 0.0
        y[:] = 0.0
        for p in range(popular.size):
            for whose in range(2):
                logarithms(re[g, p, whose, d], im[g, p, whose, d], k, log_size[whose], angle[whose])
            for n in range(n_numbers):
                add_power(returning[g, n], log_size, angle, popular[p], t, blur, low, x[n], y[n])
        for n in range(n_numbers):
            for q in range(n_t):
                out[g, n, d, q] = complex(x[n, q], y[n, q])


@kernel
def logarithms(re: Floats, im: Floats, k: float, size: Floats, angle: Floats) -> None:
    """size + i angle = k log(re + i im)."""
    for q in range(re.size):
        size[q] = 0.5 * k * log_of(re[q] * re[q] + im[q] * im[q] + 1e-300)
    for q in range(re.size):
        angle[q] = k * angle_of(im[q], re[q])


@kernel
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
