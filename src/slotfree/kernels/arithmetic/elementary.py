"""Elementary functions in plain arithmetic, for loops over many numbers.

The compiler writes them into the loop that calls them and computes several numbers at a time, which it cannot do with
those of the system's library; and they have the same bits on all machines. Errors are a few units in the last place.
"""

import numpy as np

from slotfree.kernels.compile import leaf

LOG_2 = np.log(2.0)
LOG_2_SHORT, LOG_2_REST = 0.693145751953125, 1.42860682030941723212e-6  # log 2 is their sum; n times the first is exact
HALF_PI, HALF_PI_LOW = 1.57079632673412561417e00, 6.07710050650619224932e-11
QUARTER, TAN_EIGHTH = np.pi / 4, np.sqrt(2.0) - 1
ROOT_HALF = int(np.float64(np.sqrt(0.5)).view(np.int64))
TO_BITS = 1.5 * 2.0**52  # added to an integer, it leaves its bits at the end


@leaf
def log_of(x: float) -> float:
    """log x for a normal number x > 0: x = 2^e m with m from √½ to √2, log m = 2 artanh((m − 1)/(m + 1))."""
    bits = np.float64(x).view(np.int64)
    e = (bits - ROOT_HALF) >> 52
    m = np.int64(bits - (e << 52)).view(np.float64)
    s = (m - 1) / (m + 1)
    z = s * s
    p = 1 / 17 + z * (1 / 19)
    p = 1 / 13 + z * (1 / 15 + z * p)
    p = 1 / 9 + z * (1 / 11 + z * p)
    p = 1 / 5 + z * (1 / 7 + z * p)
    value: float = e * LOG_2 + 2 * (s + s * z * (1 / 3 + z * p))
    return value


@leaf
def exponential(x: float) -> float:
    """e^x for x up to 709, to within two units of the last place; 0 below −708.

    x = n log 2 + r with a whole n, so that e^x = 2^n e^r with |r| ≤ ½ log 2; e^r = 1 + 2 r P(r²)/(Q(r²) − r P(r²)),
    with the polynomials of the Cephes library (Moshier, 1989).
    """
    shifted = x * (1 / LOG_2) + TO_BITS
    n = shifted - TO_BITS
    r = (x - n * LOG_2_SHORT) - n * LOG_2_REST
    z = r * r
    p = r * ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 9.99999999999999999910e-1)
    q = ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) * z + 2.0
    power = np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)  # 2ⁿ, by its exponent
    return 0.0 if x < -708.0 else (1.0 + 2.0 * (p / (q - p))) * float(power)


@leaf
def exp_of(x: float) -> float:
    """e^x for x from −700 to 700, and e^{±700} beyond."""
    return exponential(min(max(x, -700.0), 700.0))


@leaf
def angle_of(y: float, x: float) -> float:
    """The argument of x + iy, from −π to π; 0 for 0. The polynomial is that of fdlibm's atan, for |t| ≤ tan(π/8)."""
    a, b = abs(x), abs(y)
    high, low = max(a, b), min(a, b)
    steep = low > TAN_EIGHTH * high
    t = (low - high if steep else low) / ((high + low if steep else high) + 1e-300)
    z = t * t
    p = 4.97687799461593236017e-02 + z * (-3.65315727442169155270e-02 + z * 1.62858201153657823623e-02)
    p = 6.66107313738753120669e-02 + z * (-5.83357013379057348645e-02 + z * p)
    p = 9.09088713343650656196e-02 + z * (-7.69187620504482999495e-02 + z * p)
    p = 1.42857142725034663711e-01 + z * (-1.11111104054623557880e-01 + z * p)
    p = 3.33333333333329318027e-01 + z * (-1.99999999998764832476e-01 + z * p)
    angle = t - t * z * p
    angle = angle + QUARTER if steep else angle
    angle = 2 * QUARTER - angle if b > a else angle
    angle = 4 * QUARTER - angle if x < 0 else angle
    return -angle if y < 0 else angle


@leaf
def cos_sin(x: float) -> tuple[float, float]:
    """cos x and sin x for |x| < 10⁶, by their series within an eighth of the circle around multiples of π/2."""
    n = np.floor(x * (1 / (2 * QUARTER)) + 0.5)
    r = x - n * HALF_PI - n * HALF_PI_LOW
    z = r * r
    c = 1 / 479001600 - z * (1 / 87178291200)
    c = 1 / 40320 - z * (1 / 3628800 - z * c)
    c = 1 / 24 - z * (1 / 720 - z * c)
    c = 1 - z * (1 / 2 - z * c)
    s = 1 / 39916800 - z * (1 / 6227020800 - z * (1 / 1307674368000))
    s = 1 / 5040 - z * (1 / 362880 - z * s)
    s = 1 / 6 - z * (1 / 120 - z * s)
    s = r - r * z * s
    quarter = n - 4 * np.floor(n * 0.25)  # 0, 1, 2 or 3
    odd = quarter == 1 or quarter == 3
    cos, sin = (s, c) if odd else (c, s)
    return (-cos if quarter == 1 or quarter == 2 else cos), (-sin if quarter >= 2 else sin)
