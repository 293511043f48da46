"""What the generated pages show, read back from them; and made-up runs."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from slotfree.files.json_text import finite
from slotfree.paper.pages.run import Run
from slotfree.study import numbers
from slotfree.study.claim import Limits

PAGES = Path(__file__).parents[2] / "docs" / "paper"


def claim(name, verdict="confirmed", measured=0.25, interval=(0.2, 0.3), source="paper", **others):
    found = {"measured": measured, "interval": list(interval), "limits": [0, None], "verdict": verdict}
    item = name.partition(".")[0]
    return {"id": name, "item": item, "claim": "It is so.", "source": source, "paper": "so", **found, **others}


def made(name, claims=(), **others):
    item = {"item": name, "number": f"Figure {name}", "title": "A title", "text": "A caption.", "alt": "A picture."}
    return {**item, "runs": 1200, "core_seconds": 90.0, "claims": list(claims), "explained": {}, **others}


def run_of(*claims, explained=None):
    return Run((made("fig4", claims, explained=explained or {}),))


class Tables(HTMLParser):
    """Rows of the tables on a page: id, and cells as text, a line for each paragraph."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.ids, self.targets = [], set(), []
        self._cell = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if tag == "a":
            self.targets.append(attributes["href"])
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self._cell = []
        elif tag == "p" and self._cell:
            self._cell.append("\n")

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append("".join(self._cell))
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)


@cache
def written_claims():
    """What the paper says and what is needed, as the pages have it, by the id of the claim."""
    rows = [row for page in ("memory", "attention") for row in Tables((PAGES / f"{page}.md").read_text()).rows]
    return {row[0].split()[-1]: (row[1], row[3]) for row in rows if len(row) == 5}


def check_claims(item, claims):
    """Assert that claims have the printed numbers and the limits that the pages of the paper's scale show.

    Limits that follow from the data of a run are left out: those of printed numbers, and those that are not round.
    """
    found = 0
    for one in claims:
        if f"{item}.{one.name}" in written_claims():
            paper, needed = written_claims()[f"{item}.{one.name}"]
            assert re.sub("_", "", numbers.value(one.paper)) == paper.replace("_", ""), one.name
            ends = finite((one.limits.low, one.limits.high)) if isinstance(one.limits, Limits) else ()
            if ends and all(end is None or round(end, 3) == end for end in ends):
                assert numbers.limits(ends) == needed, one.name
            found += 1
    assert found
