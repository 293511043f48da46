"""Verdicts that are not "confirmed", as they came out at the paper's scale with seed 0, and what explains them."""

from slotfree.study.record import Recorded, contradicted, inconclusive

FEW_R2 = "r² is 0.964, above 0.96, but 200 runs leave it uncertain by 0.015."
ALL_RUNS = "All 20 runs are perfect; 20 runs cannot exclude a share below the limit."

ORDER = (
    "Where n_h = exp(c₀ n_v) the best overlap lies beyond the reach of the central limit theorem, and patterns of "
    "exactly k_v ones vary less than Bernoulli variables: the formula's error tends to a constant. It is of the stated "
    "order if n_v grows as (ln n_h)³."
)
NOT_ALL = (
    "The winners are connected to {measured} of a pattern's ones: more than random units would be, but not to all."
)
HALF = "The second term of a_N lacks a factor ½, so that (S − a_N)/b_N grows without bound. With it the theorem holds."
MINUS = "A minus sign is missing: R.D. falls by e^(−β(a−1)), with the printed β."

RECORDED: dict[str, Recorded] = {
    "figS1.r2-onewinner-100%": inconclusive(FEW_R2),
    "figS1.r2-onewinner-50%": inconclusive(FEW_R2),
    "fig7.fixed-ip-largely-perfect": inconclusive(ALL_RUNS),
    "fig7.qk-ip-perfect": inconclusive(ALL_RUNS),
    "fig7.fixed-best-without": inconclusive(
        "Without projections no key rule leads reliably: the chance is 0.34 to 0.76."
    ),
    "fig7.mhn-rises": inconclusive("The largest median is 0.98; single batches of 64 leave it uncertain by 0.02."),
    "fig7.mhn-settles": inconclusive(
        "After its fall the model recovers slowly and ends at 0.93, between 0.90 and 0.96."
    ),
    "figS11.best-three": inconclusive("The losses of Fixed and of MHN, both with projections, cannot be told apart."),
    "figS12.two-descents": inconclusive("The loss stagnates, at 0.11 to 0.27 of its fall before and after."),
    "siA2.fan-in": contradicted(
        "A slip: a hidden unit is connected to f n_v = {measured} of the n_v = 1000 inputs; f n_h is the number of "
        "hidden units that an input is connected to."
    ),
    "siA2.covered-kwinner": contradicted(NOT_ALL),
    "siA2.covered-slow": contradicted(NOT_ALL),
    "siA4.less-interference-5-50%": inconclusive(
        "With half cues and very similar leaves the layer makes no difference that these runs could show: {low} to "
        "{high}."
    ),
    "siA4.less-interference-10-50%": contradicted(
        "Half of a pattern has another code, which shares less than half with that of the whole: with half cues the "
        "layer harms."
    ),
    "siA4.grows": contradicted(
        "The number of conjunctions of n elements is a binomial coefficient, which grows as the n-th power of their "
        "number. Conjunctions of all orders together would grow exponentially."
    ),
    "theorem1.theta-vanishes": contradicted(
        "With n_h = exp(c₀ n_v), which the condition allows, θ tends to (2 + ε)c₀/(s_v ln(1/s_v)): small, as c₀ is, "
        "but not to 0."
    ),
    "theorem1.order-baseline": contradicted(ORDER),
    "theorem1.order-raw-difference": contradicted(ORDER),
    "theorem1.gumbel": contradicted(HALF),
    "theorem1.gumbel-mean": contradicted(HALF),
    "theorem1.decay-100%": contradicted(MINUS),
    "theorem1.decay-50%": contradicted(MINUS),
    "theorem2.built-contrast": inconclusive(
        "The mean, 0.880, is that of theory, 0.884, but it is the mean of two runs."
    ),
}
