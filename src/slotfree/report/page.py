"""The report as one HTML file: how the verdicts came out, what was run, every claim, every figure, and findings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from slotfree.report import numbers
from slotfree.report.pictures import Picture, read_picture
from slotfree.runs.directory import ResultsDirectory
from slotfree.study.claim import VERDICTS
from slotfree.study.record import differing
from slotfree.study.scale import Scale
from slotfree.study.study import Study
from slotfree.study.summary import read_items

SUBSCRIPT = re.compile(r"(?<![A-Za-z_])([^\W\d_])_([A-Za-z]{1,2})(?![A-Za-z_])")
SOURCES = {
    "paper": ("statement of the paper", "statements of the paper"),
    "ours": ("claim of our own", "claims of our own"),
}


def write_report(directory: ResultsDirectory, study: Study) -> None:
    """Write report.html from what a directory holds of a study; from the same results it is the same file."""
    items = read_items(directory.path, study.names)
    found = {item["item"]: read_picture(directory.path / "figures", item["item"]) for item in items}
    figures = {name: picture for name, picture in found.items() if picture is not None}
    directory.write("report.html", render(study, directory.manifest, items, figures).encode())


def render(
    study: Study, manifest: Mapping[str, Any], items: Sequence[Mapping[str, Any]], figures: Mapping[str, Picture]
) -> str:
    """Return the page.

    Parameters
    ----------
    manifest : of the directory: settings, and where and with what it was begun.
    items : what the items show, claim and cost, as in items/*.json.
    figures : by item.
    """
    settings = manifest["settings"]
    sections = [_section(item, figures.get(item["item"]), settings) for item in items]
    rows = [row for section in sections for row in section["rows"]]
    different, moved = differing(rows, settings["seed"])
    made = [item["item"] for item in items]
    missing = [name for name in study.names if name not in made]
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            study=study,
            manifest=manifest,
            settings=settings,
            scale=settings["scale"],
            is_full=Scale(**settings["scale"]).is_full,
            begun=_moment(manifest["begun"]),
            core_seconds=core_seconds_of(items),
            sections=sections,
            rows=rows,
            sources=_by_source(rows),
            unconfirmed=[row for row in rows if row["verdict"] in VERDICTS[1:]],
            different=different,
            moved=moved,
            is_recorded=any(row["recorded"] is not None for row in rows),
            missing=missing,
            missing_command=_command(missing, settings),
            made=made,
        )
    )


def core_seconds_of(items: Iterable[Mapping[str, Any]]) -> float:
    """How long the simulations took on one core: items share experiments, and each counts once."""
    return float(sum({name: cost for item in items for name, cost in item["experiments"].items()}.values()))


def _section(item: Mapping[str, Any], picture: Picture | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """One item as the template wants it."""
    rows = [{**row, "finding": item["explained"].get(row["id"], "")} for row in item["claims"]]
    return {
        **item,
        "picture": picture,
        "rows": rows,
        "counts": counted(rows),
        "command": _command([item["item"]], settings, f" --out {item['item']}-again"),
    }


def _by_source(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How many claims each source has, and how their verdicts came out."""
    found = []
    for source, (one, many) in SOURCES.items():
        own = [row for row in rows if row["source"] == source]
        if own:
            found.append({"claims": len(own), "words": one if len(own) == 1 else many, "counts": counted(own)})
    return found


def counted(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many claims there are of each verdict."""
    verdicts = [row["verdict"] for row in rows]
    return {verdict: verdicts.count(verdict) for verdict in VERDICTS}


def _command(names: Sequence[str], settings: Mapping[str, Any], out: str = "") -> str:
    """What to type to run items with these settings."""
    program = f"slotfree run {settings['study']}" if "study" in settings else "slotfree reproduce"
    scale = "" if settings["scale"]["name"] == "paper" else f" --scale {settings['scale']['name']}"
    seed = f" --seed {settings['seed']}" if settings["seed"] else ""
    return f"{program} {' '.join(names)}{scale}{seed}{out}"


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
        value=numbers.value,
        interval=numbers.interval,
        limits=numbers.limits,
        duration=numbers.duration,
        formula=_formula,
    )
    return environment
