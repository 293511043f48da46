"""figures.md and the two pages below it: each item of the paper with its figure, its verdicts and all its claims."""

from collections.abc import Mapping
from typing import Any

from slotfree.paper.pages.run import Run
from slotfree.paper.pages.templates import page_of, rendered
from slotfree.study.record import by_reason
from slotfree.study.tally import counted, tallies

TITLES = {
    "memory": "Figures on memory",
    "attention": "Figures on attention",
}


def figure_pages(run: Run) -> dict[str, str]:
    """The pages by their names: a list of all items, then those on memory and those on attention."""
    shown = [_shown(item, run) for item in run.items]
    pages = {"figures.md": rendered("figures", items=shown, titles=TITLES)}
    for page, title in TITLES.items():
        own = [item for item in shown if page_of(item["item"]) == page]
        pages[f"{page}.md"] = rendered("items", items=own, title=title)
    return pages


def _shown(item: Mapping[str, Any], run: Run) -> dict[str, Any]:
    """An item as its page shows it."""
    unconfirmed = [row for row in item["claims"] if row["verdict"] != "confirmed"]
    return {
        **item,
        "counts": counted(item["claims"]),
        "tallies": tallies(item["claims"]),
        "unconfirmed": by_reason(unconfirmed, run.reasons, run.by_id),
        "heading": f"{item['number']}: {item['title']}",
    }
