"""Studies: items that belong together. Nothing heavy is imported here, as the command line needs names at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slotfree.study.finding import Finding
    from slotfree.study.item import Item
    from slotfree.study.record import Verdict
    from slotfree.study.sentence import Sentence


@dataclass(frozen=True)
class Study:
    """Items in their order, with what they are about.

    Attributes
    ----------
    title : of the report.
    items : each an ``Item``, or the name of a module that defines it as ``ITEM`` and bears its name. Modules are
        imported when they are needed.
    recorded : the verdicts that came out at full scale with seed 0, by the id of the claim (``record.recorded_in``);
        None if nothing is recorded.
    findings : what was found, at the top of the report; each a ``Finding``, or the name of a module that defines
        several as ``FINDINGS``.
    about : what the study is about, in a sentence or two under the title of the report.
    text : the sentences that the study judges; each a ``Sentence``, or the name of a module that defines several as
        ``SENTENCES``. The head of the report counts them.

    Examples
    --------
    >>> from slotfree.study import Item
    >>> Study("Weather", items=(Item(name="week", title="A week", text="It was warm.", experiments=()),)).names
    ('week',)
    """

    title: str
    items: "tuple[Item | str, ...]"
    recorded: "Mapping[str, Verdict] | None" = None
    findings: "tuple[Finding | str, ...]" = ()
    about: str = ""
    text: "tuple[Sentence | str, ...]" = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the items."""
        return tuple(item.rpartition(".")[2] if isinstance(item, str) else item.name for item in self.items)

    def item(self, name: str) -> "Item":
        """Return an item by name."""
        self._check(name)
        found = self.items[self.names.index(name)]
        if isinstance(found, str):
            loaded: Item = import_module(found).ITEM
            return loaded
        return found

    def sentences(self) -> "list[Sentence]":
        """Return all sentences, in their order."""
        found: list[Sentence] = []
        for part in self.text:
            found += import_module(part).SENTENCES if isinstance(part, str) else (part,)
        return found

    def found(self) -> "list[Finding]":
        """Return all findings, in their order."""
        every: list[Finding] = []
        for part in self.findings:
            every += import_module(part).FINDINGS if isinstance(part, str) else (part,)
        return every

    def chosen(self, names: Iterable[str] = ()) -> "list[Item]":
        """Return items by name, in the order of the study; all if none is named."""
        wanted = set(names) or set(self.names)
        for name in sorted(wanted):
            self._check(name)
        return [self.item(name) for name in self.names if name in wanted]

    def _check(self, name: str) -> None:
        if name not in self.names:
            raise ValueError(f"item must be one of {', '.join(self.names)}, not {name!r}")


def together(title: str, *studies: Study, about: str = "") -> Study:
    """Several studies as one."""
    return Study(
        title,
        tuple(item for study in studies for item in study.items),
        {claim: verdict for study in studies for claim, verdict in (study.recorded or {}).items()},
        tuple(finding for study in studies for finding in study.findings),
        about,
        tuple(part for study in studies for part in study.text),
    )
