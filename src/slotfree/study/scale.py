"""How much is run: everything, as in the paper, or a quick look."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Upper limits to the sizes of all experiments; None is no limit. Claims are judged without limits only.

    Attributes
    ----------
    name : "paper", "quick", or another.
    runs : of an experiment.
    n_stored, n_tested : patterns that a memory stores and is tested with.
    iterations : steps of training.

    Examples
    --------
    >>> Scale("tiny", runs=2).limit("runs", 20)
    2
    """

    name: str
    runs: int | None = None
    n_stored: int | None = None
    n_tested: int | None = None
    iterations: int | None = None

    @property
    def is_full(self) -> bool:
        """Whether nothing is limited."""
        return self.runs is self.n_stored is self.n_tested is self.iterations is None

    def limit(self, quantity: str, size: int) -> int:
        """Return a size, or its upper limit."""
        most: int | None = getattr(self, quantity)
        return size if most is None else min(size, most)


SCALES = {
    "paper": Scale("paper"),
    "quick": Scale("quick", runs=6, n_stored=600, n_tested=200, iterations=1200),
}
