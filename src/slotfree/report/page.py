"""The report as one HTML file: what was run, every claim with its verdict, every figure, findings about the paper."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from slotfree.paper.names import NAMES
from slotfree.paper.reproduce import read_items
from slotfree.report import numbers
from slotfree.report.findings import FINDINGS
from slotfree.report.pictures import Picture, read_picture
from slotfree.report.words import words_for
from slotfree.runs.directory import ResultsDirectory

SUBSCRIPT = re.compile(r"(?<![A-Za-z_])([^\W\d_])_([A-Za-z]{1,2})(?![A-Za-z_])")


def write_report(directory: ResultsDirectory) -> None:
    """Write report.html from what a directory holds; from the same results it is the same file."""
    items = read_items(directory.path)
    found = {item["item"]: read_picture(directory.path / "figures", item["item"]) for item in items}
    figures = {name: picture for name, picture in found.items() if picture is not None}
    page = render(directory.manifest, items, figures, core_seconds_of(items))
    directory.write("report.html", page.encode())


def core_seconds_of(items: Sequence[Mapping[str, Any]]) -> float | None:
    """How long the simulations took: items share experiments, and each counts once. None if items do not tell."""
    if not items or not all("experiments" in item for item in items):
        return None
    return float(sum({name: cost for item in items for name, cost in item["experiments"].items()}.values()))


def render(
    manifest: Mapping[str, Any],
    items: Sequence[Mapping[str, Any]],
    figures: Mapping[str, Picture],
    total_core_seconds: float | None = None,
) -> str:
    """Return the page.

    Parameters
    ----------
    manifest : of the directory: settings, and where and with what it was begun.
    items : what the items claim and cost, as in items/*.json.
    figures : by item.
    total_core_seconds : time on one core of all simulations.
    """
    settings = manifest["settings"]
    sections = [_section(item, figures.get(item["item"]), settings) for item in items]
    made = [item["item"] for item in items]
    missing = [name for name in NAMES if name not in made]
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            manifest=manifest,
            settings=settings,
            scale=settings["scale"],
            begun=_moment(manifest["begun"]),
            total_core_seconds=total_core_seconds,
            sections=sections,
            claims=sum(section["claims"] for section in sections),
            hold=sum(section["hold"] for section in sections),
            missing=[words_for(name).name for name in missing],
            missing_command=_command(missing, settings),
            made=made,
            findings=FINDINGS,
        )
    )


def _section(item: Mapping[str, Any], picture: Picture | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """One item as the template wants it."""
    note = f"[{settings['scale']['name']} scale]"
    rows = [{**claim, "claim": claim["claim"].removesuffix(note).rstrip()} for claim in item["claims"]]
    return {
        "item": item["item"],
        "words": words_for(item["item"], item["shows"]),
        "picture": picture,
        "rows": rows,
        "claims": len(rows),
        "hold": sum(row["holds"] for row in rows),
        "runs": item["runs"],
        "core_seconds": item["core_seconds"],
        "tables": item["tables"],
        "command": _command([item["item"]], settings, f" --out {item['item']}-again"),
    }


def _command(names: Sequence[str], settings: Mapping[str, Any], out: str = "") -> str:
    """What to type to reproduce items with these settings."""
    scale = "" if settings["scale"]["name"] == "paper" else f" --scale {settings['scale']['name']}"
    seed = f" --seed {settings['seed']}" if settings["seed"] else ""
    return f"slotfree reproduce {' '.join(names)}{scale}{seed}{out}"


def _moment(text: str) -> str:
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _formula(text: str) -> Markup:
    """Set the paper's letters with their subscripts, W_K or n_h, in a text that is escaped first."""
    return Markup(SUBSCRIPT.sub(r"<i>\1</i><sub>\2</sub>", str(escape(text))))


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("slotfree.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=numbers.number,
        shown=numbers.shown,
        interval=numbers.interval,
        duration=numbers.duration,
        formula=_formula,
    )
    return environment
