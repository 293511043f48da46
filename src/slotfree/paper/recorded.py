"""Verdicts that are not "confirmed", as they came out at the paper's scale with seed 0, and the findings that explain them."""

from slotfree.study.record import Recorded

RECORDED: dict[str, Recorded] = {}
