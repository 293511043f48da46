"""Characteristic functions of sums of weights."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

LEAST = -25.0  # logarithm of a value that is as good as 0
N_ANGLES = 1024  # of tables over the circle; a power of 2
COS: Floats = np.cos(2 * np.pi * np.arange(N_ANGLES) / N_ANGLES)
SIN: Floats = np.sin(2 * np.pi * np.arange(N_ANGLES) / N_ANGLES)


@kernel
def log_chosen(s: float, w: Floats, t: Floats, re: Floats, im: Floats) -> None:
    """re + i im = log(1 − s + s e^{i w_j t_q}) in [j, q]: a weight that counts with probability s.

    Continuous in t for any s. The logarithm comes from a table over the circle, with cubic interpolation. w and t must
    be finite; whatever they are, the place in the table is within it, since it goes around the circle.
    """
    size, angle = np.empty(N_ANGLES + 3), np.empty(N_ANGLES + 3)
    turn = s > 0.5  # then e^{ia} is taken out of the logarithm, which so stays on its main branch
    part, sign = (1 - s, -1) if turn else (s, 1)
    for p in range(N_ANGLES + 3):
        a = (p - 1) & (N_ANGLES - 1)
        x, y = 1 - part + part * COS[a], sign * part * SIN[a]
        size[p], angle[p] = 0.5 * np.log(x * x + y * y + 1e-300), np.arctan2(y, x)
    for j in range(w.size):
        for q in range(t.size):
            full = w[j] * t[q]
            place = full * (N_ANGLES / (2 * np.pi))
            below = np.floor(place)
            p = int(below) & (N_ANGLES - 1)  # once around the circle
            re[j, q] = cubic(size, p, place - below)
            im[j, q] = cubic(angle, p, place - below) + (full if turn else 0.0)


@kernel
def cubic(y: Floats, p: int, x: float) -> float:
    """The cubic polynomial through y[p], …, y[p + 3], at x from 0 to 1 between the two in the middle."""
    a, b, c, d = y[p], y[p + 1], y[p + 2], y[p + 3]
    outer = x * (1 - x) / 6
    value: float = b + x * (c - b) - outer * ((2 - x) * (a - 2 * b + c) + (1 + x) * (b - 2 * c + d))
    return value


@kernel
def transforms(re: Floats, im: Floats, t: Floats, blur: float, low: float, out: Complexes) -> None:
    """out = E e^{−i(h − low)t} from re + i im = log E e^{iht}, with Gaussian noise of standard deviation blur added."""
    for i in range(re.shape[0]):
        for q in range(t.size):
            size = re[i, q] - 0.5 * (blur * t[q]) ** 2
            out[i, q] = turned(np.exp(size), low * t[q] - im[i, q]) if size > LEAST else 0.0


@kernel
def connected_sums(
    sizes: NDArray[np.int64],
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

    sizes : how many visible units there are of each kind d; where there are none, out is 0.
    re, im : Z of one winner, for case g, popularity p, kind of winner (0 old, 1 other), kind d of visible unit, and t.
    returning : the share of old winners, for case g and number n.
    """
    out[:] = 0
    noise = 0.5 * (blur * t) ** 2
    least = np.exp(2 / k * (LEAST + noise))  # of |Z|²
    for g, p, d in np.ndindex(re.shape[0], popular.size, re.shape[3]):
        if sizes[d] == 0:
            continue
        re_0, im_0, re_1, im_1 = re[g, p, 0, d], im[g, p, 0, d], re[g, p, 1, d], im[g, p, 1, d]
        for q in range(t.size):
            square_0, square_1 = re_0[q] * re_0[q] + im_0[q] * im_0[q], re_1[q] * re_1[q] + im_1[q] * im_1[q]
            if max(square_0, square_1) < least[q]:
                continue
            size_0, size_1 = 0.5 * k * np.log(square_0 + 1e-300), 0.5 * k * np.log(square_1 + 1e-300)
            angle_0, angle_1 = k * np.arctan2(im_0[q], re_0[q]), k * np.arctan2(im_1[q], re_1[q])
            for n in range(returning.shape[1]):
                share = returning[g, n]
                size = share * size_0 + (1 - share) * size_1 - noise[q]
                if size > LEAST:
                    angle = low * t[q] - share * angle_0 - (1 - share) * angle_1
                    out[g, n, d, q] += turned(popular[p] * np.exp(size), angle)


@kernel
def turned(size: float, angle: float) -> complex:
    """The complex number with this absolute value and argument; from a table, with an error below 10⁻¹¹."""
    place = angle * (N_ANGLES / (2 * np.pi))
    near = np.floor(place + 0.5)
    p, x = int(near) & (N_ANGLES - 1), (place - near) * (2 * np.pi / N_ANGLES)
    cos, sin = size * (1 - x * x / 2), size * (x - x * x * x / 6)
    return complex(COS[p] * cos - SIN[p] * sin, SIN[p] * cos + COS[p] * sin)
