"""The report as one HTML file: how the verdicts came out, what was found, what is not confirmed and why, every item."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from slotfree.report.found import findings_of, sections_of, told_of, unconfirmed_of
from slotfree.report.pictures import Picture, read_picture
from slotfree.runs.directory import ResultsDirectory
from slotfree.study.record import differing
from slotfree.study.scale import Scale
from slotfree.study.study import Study
from slotfree.study.summary import read_items
from slotfree.study.tally import counted, tallies
from slotfree.study.templates import environment


def write_report(directory: ResultsDirectory, study: Study) -> None:
    """Write report.html from what a directory holds of a study; from the same results it is the same file."""
    items = read_items(directory.path, study.names)
    drawn = [*(item["item"] for item in items if item["alt"]), *(finding.picture for finding in study.found())]
    found = {name: read_picture(directory.path / "figures", name) for name in drawn}
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
    figures : by item, and by the name of a finding's picture.
    """
    settings = manifest["settings"]
    rows = {row["id"]: row for item in items for row in item["claims"]}
    findings = findings_of(study, rows, figures)
    sentences = study.sentences()
    told = told_of(sentences, rows)
    different, moved = differing(rows.values())
    made = [item["item"] for item in items]
    missing = [name for name in study.names if name not in made]
    return (
        environment("slotfree.report")
        .get_template("page.html.jinja")
        .render(
            study=study,
            manifest=manifest,
            settings=settings,
            scale=settings["scale"],
            is_full=Scale(**settings["scale"]).is_full,
            begun=_moment(manifest["begun"]),
            core_seconds=core_seconds_of(items),
            sections=[_section(item, figures.get(item["item"]), settings) for item in items],
            called={item["item"]: item["number"] for item in items},
            rows=rows,
            tallies=tallies(rows.values(), sentences),
            findings=findings,
            unshown=sum(finding.item in made for finding in study.found()) - len(findings),
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


def _section(item: Mapping[str, Any], picture: Picture | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """One item as the template wants it."""
    return {
        **item,
        "picture": picture,
        "rows": item["claims"],
        "counts": counted(item["claims"]),
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


def _moment(text: str) -> str:
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
