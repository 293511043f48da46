"""The report as one HTML file: how the verdicts came out, what was found, what is not confirmed and why, every item."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from slotfree.report.found import sections_of, told_of, unconfirmed_of
from slotfree.report.pictures import Picture, read_picture
from slotfree.runs.directory import ResultsDirectory
from slotfree.study import number_format as numbers
from slotfree.study.quote import quote
from slotfree.study.record import differing, tallies, verdicts_counted
from slotfree.study.scale import Scale
from slotfree.study.study import Study
from slotfree.study.summary import read_items

SUBSCRIPT = re.compile(r"(?<![A-Za-z_])([^\W\d_])_([A-Za-z]{1,2})(?![A-Za-z_])")  # the paper's W_K and n_h


def write_report(directory: ResultsDirectory, study: Study) -> None:
    """Write report.html from what a directory holds of a study; from the same results it is the same file."""
    items = read_items(directory.path, study.names)
    page = render(study, directory.manifest, items, partial(read_picture, directory.path / "figures"))
    directory.write("report.html", page.encode())


def render(
    study: Study,
    manifest: Mapping[str, Any],
    items: Sequence[Mapping[str, Any]],
    picture: Callable[[str], Picture | None],
) -> str:
    """Return the page.

    Parameters
    ----------
    manifest : of the directory: settings, and where and with what it was begun.
    items : what the items show, claim and cost, as in items/*.json.
    picture : of an item, or of a finding, by name.
    """
    settings = manifest["settings"]
    rows = {row["id"]: row for item in items for row in item["claims"]}
    found, sentences = study.found(), study.sentences()
    shown = [finding for finding in found if finding.is_shown_by(rows)]
    findings = [(one, [rows[claim] for claim in one.claims], picture(one.picture)) for one in shown]
    told = told_of(sentences, rows)
    different, moved = differing(rows.values())
    made = [item["item"] for item in items]
    missing = [name for name in study.names if name not in made]
    main = _main_of(items, [finding.item for finding in found])
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            study=study,
            manifest=manifest,
            settings=settings,
            scale=settings["scale"],
            is_full=Scale(**settings["scale"]).is_full,
            begun=datetime.fromisoformat(manifest["begun"]).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            core_seconds=core_seconds_of(items),
            sections=[_section(item, picture(item["item"]) if item["alt"] else None, settings) for item in items],
            called={item["item"]: item["number"] for item in items},
            rows=rows,
            tallies=tallies(rows.values(), sentences),
            findings=findings,
            quote=partial(quote, rows=rows),
            main=main,
            main_picture=picture(main["item"]) if main else None,
            unshown=sum(finding.item in made for finding in found) - len(findings),
            results=sections_of(told),
            errata=[one for one in told if one.sentence.kind == "slip"],
            constructions=[one for one in told if one.sentence.kind == "construction"],
            unjudged=[one for one in told if one.sentence.kind == "unjudged"],
            unconfirmed=unconfirmed_of(items, rows),
            different=different,
            moved=moved,
            is_recorded=any(row["recorded"] is not None for row in rows.values()),
            missing=missing,
            missing_command=_command(missing, settings),
        )
    )


def core_seconds_of(items: Iterable[Mapping[str, Any]]) -> float:
    """How long the simulations took on one core: items share experiments, and each counts once."""
    return float(sum({name: cost for item in items for name, cost in item["experiments"].items()}.values()))


def _main_of(items: Sequence[Mapping[str, Any]], first: Sequence[str]) -> Mapping[str, Any] | None:
    """The item whose figure stands at the top: that of the first finding, or else the first with a figure."""
    drawn = {item["item"]: item for item in items if item["alt"]}
    return next((drawn[name] for name in (*first, *drawn) if name in drawn), None)


def _section(item: Mapping[str, Any], picture: Picture | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """One item as the template wants it."""
    return {
        **item,
        "picture": picture,
        "rows": item["claims"],
        "counts": verdicts_counted(row["verdict"] for row in item["claims"]),
        "command": _command([item["item"]], settings, f"{item['item']}-again"),
    }


def _command(names: Sequence[str], settings: Mapping[str, Any], out: str = "") -> str:
    """What to type to run items with these settings."""
    study, scale, seed = settings.get("study", ""), settings["scale"]["name"], settings["seed"]
    if study and not study.endswith(".py"):  # made in a notebook: no command knows it
        where = f", out={out!r}" if out else ""
        return f"slotfree.study.run(STUDY, items={list(names)}, scale={scale!r}, seed={seed}{where})"
    words = [f"slotfree run {study}" if study else "slotfree reproduce", *names]
    words += [f"--scale {scale}"] if scale != "paper" else []
    words += [f"--seed {seed}"] if seed else []
    return " ".join([*words, f"--out {out}"] if out else words)


def _environment() -> Environment:
    """What renders the page: what is put into it is escaped, and what is missing is an error."""
    made = Environment(
        loader=PackageLoader("slotfree.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        number=numbers.number,
        value=numbers.value,
        interval=numbers.interval,
        limits=numbers.limits,
        duration=numbers.duration,
        formula=_formula,
    )
    return made


def _formula(text: str) -> Markup:
    """Set the paper's letters with their subscripts in a text that is escaped first."""
    return Markup(SUBSCRIPT.sub(r"<i>\1</i><sub>\2</sub>", str(escape(text))))
