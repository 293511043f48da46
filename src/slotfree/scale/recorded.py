"""Verdicts that are not "confirmed", as they came out at full scale with seed 0, and what explains them."""

from slotfree.study.record import Recorded

RECORDED: dict[str, Recorded] = {}
