"""What a study is, as text that can be compared: settings, seeds and limits; labels and numbers of made-up results.

``described(study)`` runs nothing. It is kept as JSON beside the tests of a study and compared by one test, so that a
changed setting, limit or seed is noticed. After an intended change, write it anew and read the difference:

    .venv/bin/python tests/study/described_studies.py slotfree.beyond:STUDY tests/beyond/studies.json

``results_of(item, results)`` draws and judges made-up results, and says which labels and which numbers come out.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np

from slotfree.study.estimate import Estimate
from slotfree.study.judge import Judge
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

LONG = 12  # entries; of a longer list there are the first, the last and a hash


def described(study):
    """The experiments and the claims of all items of a study, by the name of the item."""
    return {name: of_item(study.item(name)) for name in study.names}


def of_item(item):
    """The experiments of an item, at full scale, and its claims."""
    found = {"experiments": {each.name: of_experiment(each) for each in item.experiments}}
    if not callable(item.claims):
        found["claims"] = {judge.name: of_judge(judge) for judge in item.claims}
    return found


def of_experiment(experiment):
    """The settings of an experiment, its runs, and hashes of its seeds and of what it is at a smaller scale."""
    run = experiment.run
    settings = {each.name: lines(getattr(run, each.name)) for each in fields(run)}
    runs = experiment.runs if experiment.few is None else f"{experiment.runs}, few {experiment.few}"
    seed, smaller = experiment.seed(0, experiment.runs - 1), experiment.at(SCALES["quick"])
    hashes = {"last seed": digest(seed.generate_state(4).tolist()), "quick": digest(text(smaller))}
    return {"is": type(run).__name__, **settings, "runs": runs, **hashes}


def of_judge(judge):
    """What a claim measures, and the limits within which it is confirmed."""
    limits = "of the results" if callable(judge.limits) else repr(judge.limits)
    return f"{limits}: {' and '.join(measures_of(judge))}"


def measures_of(judge: Judge):
    """The measures that a judge asks for, with their arguments."""
    asked = []

    class Asked(Results):
        def once(self, measure, *arguments, **named):
            given = [*map(brief, arguments), *(f"{name}={brief(value)}" for name, value in named.items())]
            asked.append(f"{measure.__name__}({', '.join(given)})")
            kind = str(measure.__annotations__["return"])
            return Estimate(0.0, 0.0, 0.0) if "Estimate" in kind else 0.0 if "float" in kind else np.zeros(2)

    try:
        judge.decide(Asked({}, SCALES["paper"], 0))
    except (TypeError, ValueError, KeyError, AttributeError) as error:  # a measure that computes before it asks
        asked.append(type(error).__name__)
    return asked


def brief(value):
    """An argument of a measure: experiments, models and such by their names."""
    return getattr(value, "name", None) or text(value)


def lines(value):
    """A setting as text; a long tuple as a list, a line for each entry."""
    if not isinstance(value, tuple) or len(text(value)) < 100:
        return text(value)
    parts = [text(part) for part in value]
    return parts if len(parts) <= LONG else [parts[0], parts[-1], f"{len(parts)} entries, {digest(parts)}"]


def text(value):
    """A value as text."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {each.name: getattr(value, each.name) for each in fields(value) if not is_default(value, each)}
        return f"{type(value).__name__}({', '.join(f'{name}={text(part)}' for name, part in parts.items())})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {text(part)}' for key, part in value.items())}}}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(text, value))})"
    if isinstance(value, partial):
        return f"{text(value.func)}({', '.join([*map(text, value.args), text(value.keywords)])})"
    if isinstance(value, np.ndarray):
        return f"array {value.shape} {digest(value.tolist())}"
    return getattr(value, "__qualname__", None) or repr(value)


def is_default(value, field):
    """Whether a setting that is documented elsewhere has its default; those of what a run does are always shown."""
    of_a_study = type(value).__module__.split(".")[1] in ("beyond", "paper", "study")
    is_empty = getattr(value, field.name) in (None, ()) if of_a_study else False
    return is_empty or (not of_a_study and field.default is not MISSING and getattr(value, field.name) == field.default)


def digest(value):
    """A short hash."""
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:12]


def results_of(item, r):
    """The words and the numbers that an item shows of made-up results, and what its claims estimate from them."""
    picture = item.draw(r)
    panels = []
    for axis in dict.fromkeys(picture.axes.ravel()):
        legend = axis.get_legend()
        words = (
            f"{axis.get_title(loc='left')} {axis.get_title()}",
            f"x: {axis.get_xlabel()} ({axis.get_xscale()})",
            f"y: {axis.get_ylabel()} ({axis.get_yscale()})",
            *([] if legend is None else [text.get_text() for text in legend.get_texts()]),
            f"{len(axis.lines)} lines, {len(axis.collections)} bands, {len(axis.texts)} texts",
        )
        panels.append(" | ".join(words))
    below = [each.get_text() for legend in picture.figure.legends for each in (legend.get_title(), *legend.get_texts())]
    tables = {name: sums(rows) for name, rows in picture.tables.items()}
    claims = item.claims(r) if callable(item.claims) else [judge.claim(r) for judge in item.claims]
    found = {claim.name: numbers(claim.estimate.value, claim.estimate.low, claim.estimate.high) for claim in claims}
    return {"panels": panels, "below": [picture.figure.get_supxlabel(), *below], "tables": tables, "claims": found}


def sums(rows):
    """The number of rows of a table, and the sums of its columns of numbers."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    are_numbers = {name: all(isinstance(x, float | int) for x in column) for name, column in columns.items()}
    found = [f"{name} {numbers(np.nansum(x))}" if are_numbers[name] else name for name, x in columns.items()]
    return f"{len(rows)} rows: {', '.join(found)}"


def numbers(*values):
    """Numbers with four digits; those that rounding leaves of 0 are 0."""
    return " ".join(f"{0 if abs(value) < 1e-9 else value:.4g}" for value in values)


def differences(kept, found, place=""):
    """Where two descriptions differ, as lines."""
    if isinstance(kept, dict) and isinstance(found, dict):
        for key in dict.fromkeys([*kept, *found]):
            yield from differences(kept.get(key, "(nothing)"), found.get(key, "(nothing)"), f"{place}/{key}")
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for i, pair in enumerate(zip(kept, found, strict=True)):
            yield from differences(*pair, f"{place}[{i}]")
    elif kept != found:
        yield f"{place}: {json.dumps(kept, ensure_ascii=False)} became {json.dumps(found, ensure_ascii=False)}"


def check(file, found):
    """Compare a description with the one that is kept in a file."""
    different = list(differences(json.loads(Path(file).read_text()), json.loads(json.dumps(found))))
    assert not different, "\n".join([f"{len(different)} changes against {Path(file).name}:", *different[:20]])


def write(file, found):
    """Keep a description."""
    Path(file).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    (module, name), place = sys.argv[1].split(":"), sys.argv[2]
    write(place, described(getattr(import_module(module), name)))
