"""What is recorded of studies and figures, so that a test notices what a mistake in a setting or a drawing changes.

A record is a JSON file beside the tests, an entry a line. After a change that is meant, the same tests write it anew
if RECORD=1 is set; ``check`` says how. Read the difference before it is committed.
"""

import hashlib
import inspect
import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.figure import FigureBase
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Annotation, Text
from matplotlib.ticker import FixedLocator

from slotfree.study.plan import distinct
from slotfree.study.scale import SCALES
from slotfree.study.sentence import judges_of

LONG = 12  # entries; of a longer list there are the first, the last and a hash
COMPUTED = re.compile(r"\d\.\d{3,}|(?<=half at )\d+|(?<=mean )\d\.\d+|(?<=similarity )\d\.\d+|(?<=up to )\d\.\d+")
COLOURS = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
LOOKS = (  # of a line, a mark or a word, besides its colours
    *("alpha", "hatch", "linestyle", "linewidth", "drawstyle", "marker", "markersize", "markeredgewidth", "sizes"),
    *("visible", "zorder", "clip_on", "fontsize", "fontweight", "rotation", "ha", "va"),
)


def check(path, found, mine=lambda key: True, tolerance=0.0):
    """Compare entries with those of a file, or write them there; of a part of the file, with those that are mine.

    Numbers may differ by a relative tolerance: another machine may round otherwise.
    """
    path, found = Path(path), json.loads(json.dumps(found))
    recorded = json.loads(path.read_text()) if path.exists() else {}
    if os.environ.get("RECORD"):
        every = {key: entry for key, entry in recorded.items() if not mine(key)} | found
        lines = [f"{json.dumps(key)}: {json.dumps(every[key], ensure_ascii=False)}" for key in sorted(every)]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return
    told = [*differences({key: recorded[key] for key in recorded if mine(key)}, found, tolerance)]
    test = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0]
    how = f"if it is meant, run RECORD=1 .venv/bin/python -m pytest -n 0 '{test}'"
    assert not told, "\n".join([f"{len(told)} differences from {path.name}; {how}", *told[:20]])


def differences(recorded, found, tolerance, place=""):
    """Where two descriptions differ, as lines."""
    numbers = [x for x in (recorded, found) if isinstance(x, int | float) and not isinstance(x, bool)]
    if isinstance(recorded, dict) and isinstance(found, dict):
        for key in dict.fromkeys([*recorded, *found]):
            yield from differences(recorded.get(key), found.get(key), tolerance, f"{place}/{key}")
    elif isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
        for i, pair in enumerate(zip(recorded, found, strict=True)):
            yield from differences(*pair, tolerance, f"{place}[{i}]")
    elif len(numbers) == 2 and math.isclose(*numbers, rel_tol=tolerance, abs_tol=tolerance / 10):
        return
    elif recorded != found and not (len(numbers) == 2 and all(map(math.isnan, numbers))):
        yield f"{place}: {json.dumps(recorded, ensure_ascii=False)} became {json.dumps(found, ensure_ascii=False)}"


def described(study):
    """The items of a study with their experiments, what these do, and the rules of all judges; nothing is run."""
    items = study.chosen()
    found = {item.name: [e.name for e in item.experiments] for item in items}
    for e in distinct((e for item in items for e in item.experiments), seed=0):
        entry = {"runs": [e.runs, e.few], "key": e.key, "first": e.first, "does": plain(e.run)}
        hashes = {"last seed": digest(e.seed(0, e.runs - 1).generate_state(4).tolist())}
        found[f"experiment {e.name}"] = entry | hashes | {"quick": digest(plain(e.at(SCALES["quick"])))}
    judges = [judge for judge, _ in judges_of(study.sentences(), study.names).values()]
    judges += [judge for item in items if not callable(item.claims) for judge in item.claims]
    return found | {j.name: [plain(j.words), plain(j.decide), plain(j.limits), plain(j.paper)] for j in judges}


def plain(value):
    """What a value is made of: names and numbers, those that a function has closed over or is written with included."""
    value = inspect.unwrap(value) if callable(value) else value
    if value is None or isinstance(value, bool | int | float | str):
        return value if value == value and value not in (np.inf, -np.inf) else str(value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        parts = [plain(part) for part in value]
        return parts if len(parts) <= LONG else [parts[0], parts[-1], f"{len(parts)} entries, {digest(parts)}"]
    if isinstance(value, partial):
        return {value.func.__name__: [plain(value.args), plain(value.keywords)]}
    if is_dataclass(value) and not isinstance(value, type):
        if isinstance(getattr(value, "name", None), str):
            return f"{type(value).__name__} {value.name}"
        return {type(value).__name__: {field.name: plain(getattr(value, field.name)) for field in fields(value)}}
    if inspect.isfunction(value):
        return _function(value)
    return getattr(value, "__qualname__", None) or str(value)


def _function(function):
    name = function.__qualname__
    if name.startswith("measure.<locals>"):  # what it measures, and of what
        seen = inspect.getclosurevars(function).nonlocals
        return {seen["function"].__qualname__: [plain(seen["arguments"]), plain(seen["named"])]}
    found = {key: plain(part) for key, part in inspect.getclosurevars(function).nonlocals.items()}
    if "<lambda>" in name and not function.__module__.startswith("slotfree.study"):
        code = function.__code__
        found |= {"names": list(code.co_names), "numbers": [c for c in code.co_consts if isinstance(c, int | float)]}
    return {name: found} if found else name


def drawn(figure):
    """What a figure shows: words, and for each panel its scales and limits, and of each look how many, and where.

    How things look is hashed; where they are is a mean of places, and one of squares, in which each has another weight.
    Nothing is told that depends on how large letters come out: a panel is placed in its grid.
    """
    every = [part for one in figure.findobj(FigureBase) for part in (*one.texts, *one.legends)]
    found = {"": {"size": rounded(figure.get_size_inches()), "words": [_told(part) for part in every]}}
    return found | {f" panel {number}": _panel(axis) for number, axis in enumerate(figure.findobj(Axes))}


def _panel(axis):
    titles = [axis.title, axis._left_title, axis._right_title]
    state = [axis.axison, axis.get_aspect(), axis.margins(), _place(axis), look(axis.patch)]
    state += [spine.get_visible() and look(spine) for spine in axis.spines.values()]
    found = {"titles": [_told(title) for title in titles if title.get_text()], "state": digest(repr(state))}
    groups = {}
    for artist in (*axis.lines, *axis.collections, *axis.patches, *axis.images, *axis.texts, *axis.artists):
        if not isinstance(artist, Text) or artist.get_text():
            groups.setdefault(f"{_name(artist)} {digest(look(artist))}", []).append(places(artist))
    found["shown"] = {name: [len(each), *_mean(np.concatenate(each))] for name, each in groups.items()}
    legend = {} if axis.get_legend() is None else {"legend": _told(axis.get_legend())}
    return found | legend | {name: _scale(axis, name) for name in "xy"}


def _place(axis):
    """The place of a panel in its grid; others are placed when they are drawn."""
    spec = axis.get_subplotspec()
    if spec is None:
        return None
    return [spec.get_geometry(), spec.get_gridspec().get_width_ratios(), spec.get_gridspec().get_height_ratios()]


def _scale(axis, name):
    one, found = getattr(axis, f"{name}axis"), {}
    labels = [one.get_major_formatter(), one.get_minor_locator(), one.get_minor_formatter(), one.get_major_locator()]
    state = [look(one.label), *(type(each).__name__ for each in labels)]
    state += [one.get_label_position(), one.get_tick_params("major"), one.get_tick_params("minor")]
    if isinstance(one.get_major_locator(), FixedLocator):
        found["ticks"] = [rounded(one.get_majorticklocs()), [_words(text) for text in one.get_majorticklabels()]]
    ends = {"ends": rounded(getattr(axis, f"get_{name}lim")())}
    return {"label": one.get_label_text(), "scale": one.get_scale(), **ends, **found, "state": digest(repr(state))}


def _told(part):
    """Words, or those of a legend, and how they look."""
    if isinstance(part, Text):
        return [_words(part), digest(look(part))]
    words = [part.get_title(), *part.get_texts()]
    state = [part._loc, part._ncols, part.get_frame_on(), part.get_frame().get_linewidth()]
    state += [look(each) for each in (*words, *part.legend_handles)]
    return [*(_words(each) for each in words), digest(repr(state))]


def _name(artist):
    """What a reader would call a part of a figure: its kind and its words, or its colour."""
    if isinstance(artist, Text):
        return f"{type(artist).__name__} {_words(artist)}"
    colours = getattr(artist, "get_facecolor", getattr(artist, "get_color", lambda: ()))()
    shown = colours if isinstance(colours, str) or np.ndim(colours) < 2 else colours[:1]
    return f"{type(artist).__name__} {to_hex(np.ravel(shown)) if len(shown) and not isinstance(shown, str) else shown}"


def look(artist):
    """How a line, a mark or a word is drawn, as text; colours that show numbers are left to these."""
    is_mapped = getattr(artist, "get_array", lambda: None)() is not None
    found = {name: getattr(artist, f"get_{name}", str)() for name in (*LOOKS, *(() if is_mapped else COLOURS))}
    found["dashes"] = getattr(artist, "_unscaled_dash_pattern", None)
    found["map"] = artist.get_cmap().name if is_mapped else None
    found["label"] = COMPUTED.sub("#", str(artist.get_label()).partition("_child")[0])
    found["arrow"] = look(artist.arrow_patch) if getattr(artist, "arrow_patch", None) else None
    if artist.axes is not None:
        found["in data"] = artist.get_transform().contains_branch_seperately(artist.axes.transData)
    return [type(artist).__name__, *(f"{name} {_simple(value)}" for name, value in found.items())]


def _simple(value):
    try:
        return rounded(value)
    except (TypeError, ValueError):
        return str(value)


def places(artist):
    """Where an artist is, as points (n, 2), and the mean and the limits of what its colours show."""
    match artist:
        case Line2D():
            points = [artist.get_xydata()]
        case Annotation():
            points = [artist.xy, artist.get_position()]
        case Text():
            points = [artist.get_position()]
        case AxesImage():
            points = [artist.get_extent()]
        case FancyArrowPatch():
            points = artist._posA_posB
        case Collection():
            points = [artist.get_offsets(), *(path.vertices for path in artist.get_paths())]
        case _:
            points = [artist.get_patch_transform().transform(artist.get_path().vertices)]
    values = getattr(artist, "get_array", lambda: None)()
    if values is not None:
        points += [_mean(np.repeat(np.ravel(values)[:, None].astype(float), 2, 1))[1:], artist.get_clim()]
    return np.concatenate([np.asarray(each, float).reshape(-1, 2) for each in points])


def _mean(points):
    """The number of points, and the weighted means of them and of their squares."""
    points = np.where(np.isfinite(points), points, 0.0)
    weights = (1 + np.arange(len(points)) % 7) / max(len(points), 1)
    return [len(points), *rounded(weights @ points), *rounded(weights @ points**2)]


def _words(text):
    """Words, without the numbers that a run gives."""
    return COMPUTED.sub("#", text.get_text())


def rounded(numbers):
    """Numbers with four digits."""
    return [float(f"{float(number):.4g}") for number in np.ravel(numbers)]


def digest(value):
    """A short hash."""
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:8]
