"""Verdicts that are not "confirmed", as they came out at full scale with seed 0, and what explains them."""

from slotfree.study.record import Recorded, inconclusive

RECORDED: dict[str, Recorded] = {
    "billion.1e9-age-1000": inconclusive(
        "There is one memory of this size, and its eight patterns are too few to be sure: {measured}, {low} to {high}."
    ),
}
