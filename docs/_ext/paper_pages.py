"""Pages about the paper, made with the site from its sentences, items and findings and from its recorded verdicts.

Pages in ``docs/paper`` are Markdown; what follows from data stands in them as directives:

    {paper-counts}        how the results came out, in a sentence
    {paper-kinds}         how many sentences there are of each kind
    {paper-finding-lines} what was found, a sentence each
    {paper-findings}      the same with pictures, and with what shows it
    {paper-sections}      the pages of the text, with their counts
    {paper-unconfirmed}   the results that are not confirmed
    {paper-text} NAME     the sentences of one module of ``slotfree.paper.text``, or of a part of it (CONTINUED)
    {paper-errata}        what is printed, what is meant, how we know
    {paper-construction} PART   what is true by construction, and the tests that hold it; of modules that begin so
    {paper-unjudged}      what is not judged, and why
    {paper-items}         the figures, tables and theorems
    {paper-item} NAME     one of them: its text, and its claims with their verdicts
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from docutils import nodes
from paper_nodes import Part, anchored, listed, paragraph, table, verdict, words
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

from slotfree.paper import STUDY
from slotfree.report.found import Told, told_of
from slotfree.study import number_format as numbers
from slotfree.study.finding import Finding
from slotfree.study.item import Item
from slotfree.study.quote import quote
from slotfree.study.record import VERDICTS, rows_in, verdicts_counted

logger = getLogger(__name__)
Row: TypeAlias = Mapping[str, Any]  # a claim as it is recorded
Link: TypeAlias = Callable[[str, str, Sequence[nodes.Node]], nodes.Node]  # page of docs/paper, place there, words
KINDS = {
    "result": "results, judged by data",
    "construction": "true by construction",
    "slip": "slips, listed as errata",
    "unjudged": "not judged",
}
# Where the sentences of a module go on on another page, so that no page is large: page and section, next page.
CONTINUED = {
    ("si_b_training", "Table S1"): "si_b_tables",
    ("si_b5_values_first", "SI B.5.2, proof of Theorem 7"): "si_b5_proof",
}
MOST_LISTED = 6  # confirmed claims of a sentence; the others are with their items
PAGES = Path(__file__).parents[1] / "paper"


@dataclass(frozen=True)
class Paper:
    """What the pages tell.

    Attributes
    ----------
    text : sentences with what came of them, by the page that has them.
    items, findings : of the study.
    rows : the recorded claims, by their ids.
    """

    text: Mapping[str, Sequence[Told]]
    items: Sequence[Item]
    findings: Sequence[Finding]
    rows: Mapping[str, Row]

    @property
    def told(self) -> list[Told]:
        """All sentences."""
        return [one for page in self.text.values() for one in page]

    def claims_of(self, item: str) -> list[Row]:
        """The claims of an item."""
        return [row for row in self.rows.values() if row["id"].partition(".")[0] == item]

    def judged_by(self, claim: str) -> list[tuple[str, str, Told]]:
        """The sentences that a claim judges, each with its page and its place there."""
        return [
            (page, place(number), one)
            for page, told in self.text.items()
            for number, one in enumerate(told)
            if any(judge.name == claim for judge in one.sentence.judges)
        ]


@cache
def paper() -> Paper:
    """The paper, as it is recorded."""
    rows = {row["id"]: row for row in rows_in("slotfree.paper")}
    missing = [judge.name for sentence in STUDY.sentences() for judge in sentence.judges if judge.name not in rows]
    if missing:
        logger.warning("verdicts.json has no claim %s: run make verdicts", missing[0])
    pages: dict[str, list[Told]] = {}
    for module in map(str, STUDY.text):
        page = module.rpartition(".")[2]
        for one in told_of(import_module(module).SENTENCES, rows):
            page = CONTINUED.get((page, one.sentence.section), page)
            pages.setdefault(page, []).append(one)
    return Paper(pages, STUDY.chosen(), STUDY.found(), rows)


def place(number: int) -> str:
    """The place of a sentence on its page."""
    return f"sentence-{number + 1}"


def verdict_of(told: Told) -> nodes.inline:
    """The verdict on a sentence in a word, or the kind of a sentence that has none."""
    if told.verdict is None:
        word = "follows" if told.sentence.other is not None else told.sentence.kind
        shown = {"construction": "by construction", "slip": "slip", "unjudged": "not judged"}.get(word, word)
        return nodes.inline("", shown, classes=["verdict", "not-judged"])
    in_part = " in part" if told.in_part and told.verdict == "contradicted" else ""
    return nodes.inline("", told.verdict + in_part, classes=["verdict", told.verdict])


def measured(row: Row) -> str:
    """What was measured, with its interval."""
    low, high = row["interval"]
    interval = f" ({numbers.interval([low, high])})" if low is None or low != high else ""
    return f"{numbers.value(row['measured'])}{interval}"


def counts(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """How the results came out, in a sentence."""
    results = verdicts_counted([one.verdict for one in paper.told])
    yield paragraph(
        f"Of {sum(results.values())} results of the paper, ",
        *listed([[f"{count} {'is' if count == 1 else 'are'} ", verdict(word)] for word, count in results.items()]),
        ".",
    )


def kinds(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """How many sentences there are of each kind."""
    following = sum(one.sentence.other is not None for one in paper.told)
    own = [one.sentence.kind for one in paper.told if one.sentence.other is None]
    rows = [[[name], [str(own.count(kind))]] for kind, name in KINDS.items()]
    rows.insert(1, [["results that follow from another one"], [str(following)]])
    yield table(("what the paper says", "sentences"), rows, "counts")


def finding_lines(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """The findings, a sentence each."""
    found = nodes.enumerated_list(enumtype="arabic")
    for finding in paper.findings:
        more = link("findings", nodes.make_id(finding.picture), [nodes.Text("more")])
        found += nodes.list_item("", paragraph(quote(finding.line, paper.rows), " (", more, ")"))
    yield found


def findings(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """The findings, each with its picture and what shows it."""
    for finding in paper.findings:
        box = nodes.container("", paragraph(quote(finding.line, paper.rows), kind="line"), classes=["finding"])
        if (PAGES / "figures" / f"{finding.picture}.png").exists():
            box += nodes.image(uri=f"/paper/figures/{finding.picture}.png", alt=finding.alt)
        box += paragraph(quote(finding.text, paper.rows))
        if finding.table:
            head, *rows = [[quote(cell, paper.rows) for cell in row] for row in finding.table]
            box += table(head, [[[cell] for cell in row] for row in rows], "numbers")
        shown = [claim_link(paper.rows[claim], link) for claim in finding.claims if claim in paper.rows]
        box += paragraph("Shown by ", *listed([[node] for node in shown]), ".", kind="why")
        yield anchored(box, nodes.make_id(finding.picture))


def claim_link(row: Row, link: Link) -> nodes.Node:
    """The id of a claim, leading to its row on the page of its item."""
    item = row["id"].partition(".")[0]
    return link(f"items/{item}", nodes.make_id(row["id"]), [nodes.Text(row["id"])])


def sections(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """The pages of the text, with how their results came out."""
    rows = []
    for name, told in paper.text.items():
        counted = verdicts_counted([one.verdict for one in told]).values()
        rows.append([[link(f"text/{name}", "", words(title_of(name)))], *([str(count or "–")] for count in counted)])
    total = verdicts_counted([one.verdict for one in paper.told]).values()
    yield table(("part", *VERDICTS), [*rows, [["all"], *([str(count)] for count in total)]], "counts")


def title_of(name: str) -> str:
    """The title of a page of the text."""
    with (PAGES / "text" / f"{name}.md").open(encoding="utf-8") as file:
        return file.readline().removeprefix("#").strip()


def unconfirmed(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """The results that are not confirmed, with the places where they are judged."""
    for word in ("contradicted", "inconclusive"):
        found = nodes.bullet_list(classes=["unconfirmed"])
        for page, told in paper.text.items():
            for number, one in enumerate(told):
                if one.verdict == word:
                    where = link(f"text/{page}", place(number), words(one.sentence.section))
                    line = paragraph(verdict_of(one), " “", *words(one.sentence.quote), "” ", where)
                    note = [paragraph(one.note, kind="why")] if one.note else []
                    found += nodes.list_item("", line, *note)
        if len(found):
            yield found


def text(paper: Paper, link: Link, name: str) -> Iterator[nodes.Node]:
    """The sentences of a part of the paper, section by section."""
    numbered = list(enumerate(paper.text[name]))
    for section, group in groupby(numbered, lambda pair: pair[1].sentence.section):
        own = list(group)
        shown = nodes.section("", nodes.title("", "", *words(section)), ids=[f"part-{own[0][0] + 1}"])
        shown += [anchored(sentence(one, link), place(number)) for number, one in own]
        yield shown


def sentence(told: Told, link: Link) -> nodes.container:
    """A sentence: its words, its verdict, what was measured, and why."""
    said = told.sentence
    box = nodes.container("", classes=["sentence", told.verdict or said.kind])
    box += paragraph("“", said.quote, "”", kind="said")
    claims = claim_lines(told.claims, link)
    if len(claims) == 1:
        box += paragraph(verdict_of(told), ": ", *claims[0])
    elif said.kind == "slip":
        box += paragraph(verdict_of(told), f"; meant is: {said.meant}")
    elif said.held_by:
        box += paragraph(verdict_of(told), ", held by ", test_name(said.held_by))
    else:
        box += paragraph(verdict_of(told))
    if len(claims) > 1:
        box += nodes.bullet_list("", *(nodes.list_item("", paragraph(*claim)) for claim in claims))
    if told.note:
        box += paragraph(told.note, kind="why")
    return box


def claim_lines(rows: Sequence[Row], link: Link) -> list[list[Part]]:
    """What was measured for claims, a line each; of many that are confirmed, the first."""
    confirmed = [row for row in rows if row["verdict"] == "confirmed"]
    left_out = confirmed[MOST_LISTED:]
    lines: list[list[Part]] = []
    for row in (row for row in rows if row not in left_out):
        lines.append([f"{row['claim']}; measured {measured(row)} ", claim_link(row, link)])
        if len(rows) > 1 and row["verdict"] != "confirmed":
            lines[-1][:0] = [verdict(row["verdict"]), ": "]
    if left_out:
        items = dict.fromkeys(row["id"].partition(".")[0] for row in left_out)
        where = listed([[link(f"items/{item}", "", [nodes.Text(item)])] for item in items])
        lines.append([f"{len(left_out)} more, confirmed: see ", *where])
    return lines


def errata(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """The slips: where, what is printed, what is meant, how we know."""
    rows = []
    for page, told in paper.text.items():
        for number, one in enumerate(told):
            if one.sentence.kind == "slip":
                where = link(f"text/{page}", place(number), words(one.sentence.section))
                rows.append([[where], [one.sentence.quote], [one.sentence.meant], [one.note]])
    yield table(("where", "printed", "meant", "how we know"), rows, "errata")


def construction(paper: Paper, link: Link, part: str) -> Iterator[nodes.Node]:
    """What is true by construction, with the test that holds it, on pages that begin with a part, such as si_a."""
    pages = [told for name, told in paper.text.items() if name.startswith(part)]
    found = [one for told in pages for one in told if one.sentence.kind == "construction"]
    rows = [[[one.sentence.section], [one.sentence.quote], [test_name(one.sentence.held_by)]] for one in found]
    yield table(("where", "sentence", "held by"), rows, "construction")


def test_name(held_by: str) -> nodes.inline:
    """A test as it is shown: its file without the folder of all tests, and its name."""
    return nodes.inline("", held_by.removeprefix("tests/"), classes=["test"])


def unjudged(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """What is not judged, and why."""
    found = [one for one in paper.told if one.sentence.kind == "unjudged"]
    rows = [[[one.sentence.section], [one.sentence.quote], [one.note]] for one in found]
    yield table(("where", "sentence", "why not"), rows, "construction")


def items(paper: Paper, link: Link) -> Iterator[nodes.Node]:
    """All items, with how their claims came out."""
    rows = []
    for one in paper.items:
        counted = verdicts_counted([row["verdict"] for row in paper.claims_of(one.name)])
        name = link(f"items/{one.name}", "", [nodes.literal("", one.name)])
        rows.append(
            [[name], [f"{one.number or one.name}: {one.title}"], *([str(count or "–")] for count in counted.values())]
        )
    yield table(("item", "what it shows", *VERDICTS), rows, "counts")


def item(paper: Paper, link: Link, name: str) -> Iterator[nodes.Node]:
    """The text of an item, and its claims with their verdicts."""
    yield paragraph(next(one.text for one in paper.items if one.name == name))
    yield paragraph("Run it again: ", nodes.literal("", f"slotfree reproduce {name} --out {name}"))
    rows = paper.claims_of(name)
    if not rows:
        yield paragraph("It has no claims: what it shows is true by construction.")
        return
    lines = []
    for row in rows:
        places = {one.sentence.section: (page, at) for page, at, one in reversed(paper.judged_by(row["id"]))}
        said = [[link(f"text/{page}", at, words(section))] for section, (page, at) in sorted(places.items())]
        judges = [*listed(said)] or ["ours"]
        lines.append(
            [[row["claim"]], judges, [measured(row)], [numbers.limits(row["limits"])], [verdict(row["verdict"])]]
        )
    made = table(("what is measured", "judges", "value (99 %)", "needed", "verdict"), lines, "claims")
    for row, line in zip(rows, next(made.findall(nodes.tbody)), strict=True):
        anchored(line, nodes.make_id(row["id"]))
    yield made


def directive(make: Callable[..., Iterator[nodes.Node]], arguments: int) -> type[SphinxDirective]:
    """A directive that puts what a function makes of the paper into a page."""

    class Made(SphinxDirective):
        required_arguments = arguments
        has_content = True  # for those who read the Markdown; the site shows the paper instead

        def run(self) -> list[nodes.Node]:
            return list(make(paper(), self.link, *self.arguments))

        def link(self, page: str, at: str, shown: Sequence[nodes.Node]) -> nodes.reference:
            address = self.env.app.builder.get_relative_uri(self.env.docname, f"paper/{page}")
            return nodes.reference("", "", *shown, refuri=f"{address}#{at}" if at else address, internal=True)

    return Made


DIRECTIVES: dict[str, Callable[..., Iterator[nodes.Node]]] = {
    "counts": counts,
    "kinds": kinds,
    "finding-lines": finding_lines,
    "findings": findings,
    "sections": sections,
    "unconfirmed": unconfirmed,
    "text": text,
    "errata": errata,
    "construction": construction,
    "unjudged": unjudged,
    "items": items,
    "item": item,
}
OF_ONE = ("text", "construction", "item")  # those that name what they show


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    for name, make in DIRECTIVES.items():
        app.add_directive(f"paper-{name}", directive(make, int(name in OF_ONE)))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
