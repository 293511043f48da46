"""Findings: what a study found out, in a sentence each, with a small picture and the judges that show it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slotfree.study.experiment import check_name
from slotfree.study.judge import Judge, place_of_call
from slotfree.study.quote import check_quotes, quoted
from slotfree.study.results import Results

if TYPE_CHECKING:
    from slotfree.drawing.picture import Picture


@dataclass(frozen=True)
class Finding:
    """One thing that was found; its words name the numbers that they quote (study/quote.py).

    Attributes
    ----------
    name : of its picture.
    line : in a plain sentence or two, with a number.
    text : what more there is to say.
    judges : what shows it, besides the claims that its words quote; the first of all has the item that is drawn.
    draw : draws a small picture from the results of that item, if there is one.
    alt : the picture in words.
    table : a header and rows, if numbers say it best.
    place : the file and line where it is declared.

    Examples
    --------
    >>> from slotfree.study import more
    >>> warm = more("weather.warm", lambda r: [21, 22, 24], 20, "temperature in °C")
    >>> Finding("warm", "It was {weather.warm} °C.", "The 99 % interval begins at {weather.warm:low}.", (warm,)).claims
    ['weather.warm']
    """

    name: str
    line: str
    text: str
    judges: tuple[Judge, ...] = ()
    draw: "Callable[[Results], Picture] | None" = None
    alt: str = ""
    table: tuple[tuple[str, ...], ...] = ()
    place: str = field(default_factory=place_of_call, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.draw is not None and not self.alt:
            raise ValueError(f"{self.place}: the picture of the finding {self.name!r} needs words, alt")
        for words in self._words():
            check_quotes(words)
        if not self.claims:
            raise ValueError(f"{self.place}: a finding must name the judges that show it, or quote them: {self.line!r}")

    @property
    def item(self) -> str:
        """The item whose results are drawn."""
        return self.claims[0].partition(".")[0]

    @property
    def picture(self) -> str:
        """The name of its picture, without a suffix."""
        return f"finding-{self.name}"

    @property
    def claims(self) -> list[str]:
        """The ids of the claims that it names or quotes."""
        quotes = [claim for words in self._words() for claim in quoted(words)]
        return list(dict.fromkeys((*(judge.name for judge in self.judges), *quotes)))

    def is_shown_by(self, rows: Mapping[str, Mapping[str, Any]]) -> bool:
        """Return whether a run shows it: all that it rests on is judged, as recorded if there is a record.

        Parameters
        ----------
        rows : the claims of the run as in claims.json, by their ids.
        """
        found = [rows.get(claim) for claim in self.claims]
        return all(row and row["verdict"] and row["recorded"] in (None, row["verdict"]) for row in found)

    def _words(self) -> tuple[str, ...]:
        return (self.line, self.text, *(cell for row in self.table for cell in row))
