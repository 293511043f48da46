"""Items: figures, tables and theorems, each with its experiments, its claims and, in general, its picture."""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from slotfree import checks
from slotfree.study.claim import Claim
from slotfree.study.experiment import Experiment
from slotfree.study.names import check_name
from slotfree.study.results import Results

if TYPE_CHECKING:
    from slotfree.drawing.picture import Picture


@dataclass(frozen=True)
class Item:
    """One figure with what it needs and what it says, or claims alone; everything about it stands in its own file.

    Attributes
    ----------
    name : of its files, and on the command line.
    title : its subject.
    text : what one sees, and what it means, as it comes out at full scale.
    experiments : what must be run for it.
    draw : draws the figure from the results; None for an item of claims alone.
    alt : the figure in words, for readers who do not see it; needed if there is one.
    claims : the claims that the results decide.
    number : what the paper calls it, such as "Figure 4"; by default the name.
    """

    name: str
    title: str
    text: str
    _: KW_ONLY
    experiments: tuple[Experiment, ...]
    draw: Callable[[Results], "Picture"] | None = None
    alt: str = ""
    claims: Callable[[Results], Iterable[Claim]]
    number: str = ""

    def __post_init__(self) -> None:
        check_name("name", self.name)
        is_drawn = self.draw is not None
        for argument in ("title", "text", *(["alt"] if is_drawn else [])):
            if not isinstance(getattr(self, argument), str) or not getattr(self, argument):
                raise ValueError(
                    f"{argument} of the item {self.name!r} must be a sentence, not "
                    f"{checks.shown(getattr(self, argument))}"
                )
        if not isinstance(self.experiments, tuple) or not all(isinstance(e, Experiment) for e in self.experiments):
            raise TypeError(
                f"experiments of the item {self.name!r} must be a tuple of Experiment, not "
                f"{checks.shown(self.experiments)}"
            )
        for argument in ("claims", *(["draw"] if is_drawn else [])):
            if not callable(getattr(self, argument)):
                raise TypeError(
                    f"{argument} of the item {self.name!r} must be a function of results, not "
                    f"{checks.shown(getattr(self, argument))}"
                )
