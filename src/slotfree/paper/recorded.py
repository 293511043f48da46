"""Verdicts that are not "confirmed", as they came out at the paper's scale with seed 0, and what explains them."""

from slotfree.study.record import Recorded, inconclusive

FEW_R2 = "r² is 0.964, above 0.96, but 200 runs leave it uncertain by 0.015."
ALL_RUNS = "All 20 runs are perfect; 20 runs cannot exclude a share below the limit."

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
    "theorem2.built-contrast": inconclusive(
        "The mean, 0.880, is that of theory, 0.884, but it is the mean of two runs."
    ),
}
