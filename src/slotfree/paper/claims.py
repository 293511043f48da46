"""Claims: sentences and numbers of the paper as computations that can fail."""

from dataclasses import asdict, dataclass

Value = float | str | bool | None


@dataclass(frozen=True)
class Claim:
    """One thing the paper says, what was measured, and whether it holds.

    Attributes
    ----------
    id : unique, beginning with the item's name.
    item : the figure, table or theorem it belongs to.
    claim : what is said.
    paper : the printed number, or the words that state it.
    measured : the same, measured here.
    interval : what the measured number may be for the claim to hold, or its own uncertainty; the claim says which.
    holds : the verdict.
    """

    id: str
    item: str
    claim: str
    paper: Value
    measured: Value
    interval: tuple[float, float] | None
    holds: bool

    def row(self) -> dict[str, object]:
        """Return the claim as it is written to claims.json."""
        return asdict(self)


class Claims:
    """The claims of one item, collected."""

    def __init__(self, item: str, note: str = "") -> None:
        self.item = item
        self.note = note
        self.all: list[Claim] = []

    def add(
        self,
        name: str,
        claim: str,
        *,
        paper: Value,
        measured: Value,
        holds: bool,
        interval: tuple[float, float] | None = None,
    ) -> None:
        """Add a claim with its verdict."""
        if interval is not None:
            interval = (float(interval[0]), float(interval[1]))
        if isinstance(measured, float | int) and not isinstance(measured, bool):
            measured = float(measured)
        full = f"{claim} {self.note}".strip()
        self.all.append(Claim(f"{self.item}.{name}", self.item, full, paper, measured, interval, bool(holds)))

    def positive(self, name: str, claim: str, *, paper: Value, measured: float, interval: tuple[float, float]) -> None:
        """Add a claim that something is positive, and reliably so: its interval lies above 0."""
        self.add(name, claim, paper=paper, measured=measured, interval=interval, holds=interval[0] > 0)

    def within(self, name: str, claim: str, *, paper: Value, measured: float, low: float, high: float) -> None:
        """Add a claim that something lies between two limits."""
        self.add(name, claim, paper=paper, measured=measured, interval=(low, high), holds=low <= measured <= high)

    def agrees(self, name: str, claim: str, *, paper: float, measured: float, spread: float, rounding: float) -> None:
        """Add a claim that a printed number agrees with the measured one.

        Both are estimates from as many runs, so their difference has √2 times the standard deviation of one (spread).
        The interval holds printed numbers within 99 % of that, and half a unit of the last printed digit.
        """
        reach = 2.576 * 2**0.5 * spread + rounding
        claim = f"{claim} Interval: where a number printed by others is expected, 99%."
        interval = (measured - reach, measured + reach)
        holds = interval[0] <= paper <= interval[1]
        self.add(name, claim, paper=paper, measured=measured, holds=holds, interval=interval)
