"""Figures for a talk or for a paper: drawn again from results, with large or small type, each with its caption."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

import matplotlib as mpl

from slotfree import checks
from slotfree.drawing.picture import LETTER, ROW, SAMPLE, Picture
from slotfree.drawing.style import STYLE
from slotfree.files.atomic import write_atomically
from slotfree.runs.at_work import at_work
from slotfree.runs.executor import default_jobs
from slotfree.study.item import Item
from slotfree.study.plan import distinct
from slotfree.study.reproduce import settings_of
from slotfree.study.results import Results
from slotfree.study.running import Work
from slotfree.study.scale import SCALES
from slotfree.study.study import Study

TYPE: Mapping[str, float] = {"talk": 1.3, "paper": 0.85}  # size of type, relative to that of the report
NOTE, LETTERS_PER_INCH = 7, 18  # points of a note below a figure, and how many of its letters stand in an inch
LETTER_OF_PANEL = 0.8  # inches that it takes, with what is around it; or numbers and a title above


def write_figures(
    study: Study,
    names: Iterable[str],
    kind: str,
    out: Path,
    *,
    results: Path,
    scale: str = "paper",
    seed: int = 0,
    jobs: int | None = None,
) -> Iterator[Path]:
    """Draw items from a directory of results, and yield each file that is written: .pdf, .png, and .txt, the caption.

    Runs that the directory lacks are done first, and kept in it.
    """
    checks.one_of("kind", kind, tuple(TYPE))
    items = study.chosen(names)
    experiments = distinct((e.at(SCALES[scale]) for item in items for e in item.experiments), seed)
    jobs = default_jobs() if jobs is None else jobs
    with at_work(results, settings_of(SCALES[scale], seed), jobs, None, (), progress=True) as (directory, _, progress):
        work = Work(experiments, seed, directory, progress)
        data = {done.experiment.name: done.data for done in work.run(jobs)}
    for error in (*(failed.error for failed in work.failures), *(failed.error for failed in work.unmade)):
        raise error
    out.mkdir(parents=True, exist_ok=True)
    for item in items:
        own = {each.name: data[each.name] for each in item.experiments}
        if item.draw is None:
            continue
        with mpl.rc_context(STYLE):
            picture = item.draw(Results(own, SCALES[scale], seed))
            if not SCALES[scale].is_full:
                picture.mark(f"{scale} scale: fewer and smaller runs")
            set_type(picture.figure, TYPE[kind])
        yield from _write(item, picture, out)


def _write(item: Item, picture: Picture, out: Path) -> Iterator[Path]:
    """Write the figure of an item and its caption."""
    for suffix in ("pdf", "png"):
        picture.save(out / f"{item.name}.{suffix}")
        yield out / f"{item.name}.{suffix}"
    caption = f"{item.number or item.name}: {item.title}\n\n{item.text}\n\nIn words: {item.alt}\n"
    write_atomically(out / f"{item.name}.txt", lambda file: file.write(caption.encode()))
    yield out / f"{item.name}.txt"


def set_type(figure: Any, size: float) -> None:
    """Make type larger or smaller by a factor: titles, axes, and what stands below the figure.

    Words within panels keep their type, as do diagrams: they stand where there is room for them as they are.
    """
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for label in axis.get_ticklabels()[:1]:
                axis.set_tick_params(which="both", labelsize=size * label.get_fontsize())
        legend = axes.get_legend()
        own = [
            axes.title,
            axes._left_title,
            axes.xaxis.label,
            axes.yaxis.label,
            *(legend.get_texts() if legend else ()),
        ]
        for word in own if axes.axison else ():
            factor = min(size, max(_most(axes, word), 1))
            word.set_fontsize(factor * word.get_fontsize())
    for legend in list(figure.legends):
        _set_below(figure, legend, size)


def _most(axes: Any, word: Any) -> float:
    """By how much the type of a title, or of the name of an upright axis, may grow until it reaches the next panel."""
    place, upright = axes.get_subplotspec(), word is axes.yaxis.label
    if not (word is axes.title or upright) or place is None or not word.get_text():
        return math.inf
    width, height = axes.figure.get_size_inches()
    rows, columns = place.get_gridspec().get_geometry()
    room = height * len(place.rowspan) / rows if upright else width * len(place.colspan) / columns
    longest = max(map(len, word.get_text().splitlines()))
    return float((room - LETTER_OF_PANEL) * LETTERS_PER_INCH * NOTE / (longest * word.get_fontsize()))


def _set_below(figure: Any, legend: Any, size: float) -> None:
    """Put a legend of the figure anew, in as many columns, and its note in as many lines, as there is room for."""
    words, note = [word.get_text() for word in legend.get_texts()], legend.get_title()
    width, height = figure.get_size_inches()
    columns = int(width // (size * (LETTER * max(map(len, words), default=1) + SAMPLE)))
    lines = wrap(note.get_text(), int(LETTERS_PER_INCH * width * NOTE / (size * note.get_fontsize())))
    columns = min(max(columns, 1), max(len(words), 1), legend._ncols)
    rows = -(-len(words) // columns) + len(lines) - -(-len(words) // legend._ncols) - bool(lines)
    figure.set_size_inches(width, height + size * ROW * rows)
    look = {"title": "\n".join(lines) or None, "title_fontsize": size * note.get_fontsize(), "frameon": False}
    legend.remove()
    type_size = size * (legend.get_texts()[0].get_fontsize() if words else NOTE)
    figure.legend(
        legend.legend_handles,
        words,
        loc="outside lower center",
        ncols=columns,
        fontsize=type_size,
        **look,
    )
