"""The exponential function of what is not positive, as a softmax has it.

It is made of additions, multiplications and one division only: several are computed at a time, and bits are the same on
all machines, which those of a system's own ``exp`` are not. x = n ln 2 + r with a whole n, so that eˣ = 2ⁿ eʳ with
|r| ≤ ln 2/2; eʳ = 1 + 2 r P(r²)/(Q(r²) − r P(r²)), with the polynomials of the Cephes library (Moshier, 1989).
"""

import numpy as np

from slotfree.kernels.compile import leaf

PER_UNIT = 1.4426950408889634  # 1/ln 2
LN2, REST = 0.693145751953125, 1.42860682030941723212e-6  # ln 2 is their sum; n times the first is exact
ROUND = 1.5 * 2.0**52  # added to a number, the last bits of the sum are the nearest whole number
LEAST = -708.0  # eˣ of less is below 10⁻³⁰⁷, and 0 here


@leaf
def exponential(x: float) -> float:
    """eˣ for x ≤ 0, to within two units of the last place; 0 below −708."""
    shifted = x * PER_UNIT + ROUND
    n = shifted - ROUND
    r = (x - n * LN2) - n * REST
    z = r * r
    p = r * ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 9.99999999999999999910e-1)
    q = ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) * z + 2.0
    power = np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)  # 2ⁿ, by its exponent
    return 0.0 if x < LEAST else (1.0 + 2.0 * (p / (q - p))) * float(power)
