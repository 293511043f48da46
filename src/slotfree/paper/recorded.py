"""Verdicts that are not "confirmed", as they came out at the paper's scale with seed 0, and what explains them."""

from slotfree.study.record import Recorded, contradicted, inconclusive

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
    "theorem2.anti-aligned": contradicted(
        "Columns near [1, 0] and [0, 1] are orthogonal. They are anti-aligned once ½ is taken from all entries."
    ),
    "theorem2.case-code-C": contradicted(
        "Letters must share C units, so that items overwrite each other, and units that stay without one reinstate "
        "noise."
    ),
    "theorem2.case-code-2L": contradicted(
        "The n_h − C units without an item are attended to as well and reinstate noise, however large N and B are. "
        "Training goes where theory has it with these units: values learn the case of each letter, but not the case "
        "code."
    ),
    "theorem2.contrast-2L": contradicted(
        "Units without an item reinstate noise, which makes the best W_V smaller: the mean is {measured}."
    ),
    "theorem2.step-limit-2L": contradicted(
        "Noise from units without an item makes the loss steeper: descent needs η below {measured} of the printed "
        "limit."
    ),
    "theorem2.steps-2L": contradicted(
        "No run converges: with n_h = 2L the printed step size is too large for descent itself."
    ),
    "theorem2.uniform-square": contradicted("∫ t²/a dt from 0 to a is a²/3; a²/12 is the variance of l."),
    "theorem2.variance-fresh": contradicted(
        "It is a²/3, as E[l²] is. The conclusion, that it vanishes with a, is not touched."
    ),
    "theorem2.storage-C": contradicted(
        "With fewer units than letters two letters have the same unit, and some contexts hold both. W_HI as defined "
        "needs n_h ≥ 2L; with so many units items do not collide for large N and small a."
    ),
    "theorem2.same-output": contradicted(
        "Attention also goes to the n_h − C units without an item, which hold random weights. With C units and perfect "
        "storage, which no W_HI gives, both models are the same."
    ),
    "theorem2.same-gradient": contradicted(
        "As the outputs differ, so do the gradients: units without an item take part."
    ),
    "theorem2.sum-half": contradicted(
        "It is the mean of these elements that is driven towards ½; their sum goes to L − 1."
    ),
    "theorem2.loss-forms": contradicted(
        "The second form has (y_J)² where (y_J)²/(2C) is right. This is a constant, and the gradient is the same."
    ),
    "theorem2.minimum-condition": contradicted(
        "A slip: the sum is over l ≠ j, j' and by 2L − 2, as in the equation before and in A."
    ),
    "theorem2.hessian-size": contradicted(
        "With d = 3L columns W_V has 6L entries. The 2L of queries never learn; for the letters' 4L all is right."
    ),
    "theorem2.block-lemma": contradicted(
        "The Schur complement is W − XZ⁻¹Xᵀ. Where the lemma is used X is 0, and the conclusion holds."
    ),
}
