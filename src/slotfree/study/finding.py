"""Findings: what a reader should know, beyond the verdicts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing to know.

    Attributes
    ----------
    items : where it shows.
    table : a header and rows, if numbers say it best.
    """

    title: str
    text: str
    items: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
