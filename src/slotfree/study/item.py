"""Items: figures, tables and theorems, each with its experiments, its claims and, in general, its picture."""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from slotfree import checks
from slotfree.study.claim import Claim
from slotfree.study.experiment import Experiment, check_name
from slotfree.study.judge import Judge
from slotfree.study.results import Results

if TYPE_CHECKING:
    from slotfree.drawing.picture import Picture


@dataclass(frozen=True)
class Item:
    """One figure with what it needs and what it shows, or claims alone; all of it stands in one file.

    Attributes
    ----------
    name : of its files, and on the command line.
    title : its subject.
    text : what one sees, and what it means, as it comes out at full scale.
    experiments : what must be run for it.
    draw : draws the figure from the results; None for an item of claims alone.
    alt : the figure in words, for readers who do not see it; needed if there is one.
    claims : what the results decide: judges, or a function of the results that yields claims. Sentences of the study
        (``Study.text``) have judges of their own.
    number : what the paper calls it, such as "Figure 4"; defaults to the name.

    Examples
    --------
    >>> item = Item(name="weather", title="A week", text="It was warm.", experiments=())
    """

    name: str
    title: str
    text: str
    _: KW_ONLY
    experiments: tuple[Experiment, ...]
    draw: Callable[[Results], "Picture"] | None = None
    alt: str = ""
    claims: Callable[[Results], Iterable[Claim]] | tuple[Judge, ...] = ()
    number: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
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
        if is_drawn and not callable(self.draw):
            raise TypeError(
                f"draw of the item {self.name!r} must be a function of results, not {checks.shown(self.draw)}"
            )
        if not callable(self.claims):
            self._check_judges(self.claims)

    def _check_judges(self, claims: object) -> None:
        if not isinstance(claims, tuple) or not all(isinstance(judge, Judge) for judge in claims):
            raise TypeError(
                f"claims of the item {self.name!r} must be a tuple of such as more(...), or a function of results, not "
                f"{checks.shown(claims)}"
            )
        other = next((judge for judge in claims if judge.item != self.name), None)
        if other is not None:
            raise ValueError(f"{other.place}: a claim of the item {self.name!r} must be named so, not {other.name!r}")
