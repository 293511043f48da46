"""Recorded settings and drawings: what a mistake in a number, a label or an axis would change.

    RECORD=1 .venv/bin/python -m pytest -n 0 tests/paper/test_recorded.py tests/test_everything.py -k recorded

writes them again after a change that is meant. Read the difference before it is committed.
"""

import inspect
import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.ticker import FixedLocator

HOW = "if it is meant, run RECORD=1 .venv/bin/python -m pytest -n 0 "
COMPUTED = re.compile(r"\d\.\d{3,}|(?<=half at )\d+|(?<=mean )\d\.\d+|(?<=similarity )\d\.\d+|(?<=up to )\d\.\d+")


def check(path, found, command, mine=lambda key: True):
    """Compare entries with those of a file, or write them there; of a part of the file, with those that are mine."""
    found = json.loads(json.dumps(found, ensure_ascii=False))
    recorded = json.loads(Path(path).read_text())
    if os.environ.get("RECORD"):
        every = {key: value for key, value in recorded.items() if not mine(key)} | found
        lines = [f"{json.dumps(key)}: {json.dumps(every[key], ensure_ascii=False)}" for key in sorted(every)]
        Path(path).write_text("{\n" + ",\n".join(lines) + "\n}\n")
        recorded = every
    recorded = {key: value for key, value in recorded.items() if mine(key)}
    keys = [key for key in {**recorded, **found} if recorded.get(key) != found.get(key)]
    told = [f"{key}\n  recorded: {recorded.get(key)}\n  now:      {found.get(key)}" for key in keys]
    assert not told, f"{len(told)} entries of {path} differ; {HOW}{command}\n" + "\n".join(told)


def plain(value):
    """What a value is made of: names and numbers, those that a function has closed over or is written with included."""
    value = inspect.unwrap(value) if callable(value) else value
    if value is None or isinstance(value, bool | int | float | str):
        return value if value == value and value not in (np.inf, -np.inf) else str(value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
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
    """What a figure shows, but for its data: by panel, the words, scales, ends, and how many marks of which look."""
    words = [_computed(text.get_text()) for text in figure.texts]  # the layout has places for them
    found = {"": {"size": _rounded(figure.get_size_inches()), "words": words, **_legends(figure)}}
    for number, axis in enumerate(figure.findobj(lambda artist: hasattr(artist, "get_xscale"))):
        found[f" panel {number}"] = _panel(axis)
    return found


def marks(figure):
    """Where the lines and marks of each panel are, in data coordinates: sums in which each place has another weight."""
    found = {}
    for number, axis in enumerate(figure.findobj(lambda artist: hasattr(artist, "get_xscale"))):
        places = [line.get_xydata() for line in axis.lines]
        places += [np.asarray(part.get_offsets()).reshape(-1, 2) for part in axis.collections]
        places += [
            segment for part in axis.collections if hasattr(part, "get_segments") for segment in part.get_segments()
        ]
        points = np.concatenate([np.empty((0, 2)), *(np.asarray(xy, float).reshape(-1, 2) for xy in places)])
        points = np.where(np.isfinite(points), points, 0.0)
        found[f"panel {number}"] = [len(points), *((1 + np.arange(len(points)) % 7) @ points)]
    return found


def _panel(axis):
    found = {"titles": [_computed(axis.get_title(loc)) for loc in ("left", "center")], "words": _words(axis.texts)}
    for name, one in (("x", axis.xaxis), ("y", axis.yaxis)):
        ends = getattr(axis, f"get_{name}lim")()
        is_free = getattr(axis, f"get_autoscale{name}_on")()
        is_fixed = isinstance(one.get_major_locator(), FixedLocator)
        found[name] = {"label": one.get_label_text(), "scale": one.get_scale()}
        found[name]["ends"] = "free" if is_free else _rounded(ends)
        if is_fixed:
            labels = [text.get_text() for text in one.get_majorticklabels()]
            found[name]["ticks"] = [_rounded(one.get_majorticklocs()), labels]
    lines = [
        (
            to_hex(x.get_color()),
            x.get_linestyle(),
            _rounded(x._unscaled_dash_pattern[1] or []),
            x.get_marker(),
            x.get_linewidth(),
        )
        for x in axis.lines
    ]
    found["lines"] = Counter(" ".join(map(str, look)) for look in lines)
    parts = (*axis.collections, *axis.patches)
    found["fills"] = Counter(_look(part) if axis.axison else type(part).__name__ for part in parts)
    found["images"] = [_rounded([*image.get_extent(), *image.get_array().shape]) for image in axis.images]
    if not axis.axison:  # a diagram: where its parts are, and their colours, by sums
        boxes = [patch.get_path().get_extents(patch.get_patch_transform()).extents for patch in axis.patches]
        boxes += [[*np.min(xy, axis=0), *np.max(xy, axis=0)] for line in axis.lines if len(xy := line.get_xydata())]
        boxes += [
            path.get_extents().extents + np.tile(offset, 2)
            for part in axis.collections
            for path, offset in zip_longest_of(part.get_paths(), np.atleast_2d(part.get_offsets()))
        ]
        found["places"] = _rounded(np.sum([box for box in boxes if np.isfinite(box).all()], axis=0))
        colours = [np.atleast_2d(part.get_facecolor()) for part in parts]
        found["colours"] = _rounded(np.sum([each.sum(axis=0) for each in colours if each.size] or [0.0], axis=0))
    return {name: what for name, what in found.items() if what} | _legends(axis)


def zip_longest_of(paths, offsets):
    """Pair paths with offsets; the shorter list is begun again."""
    n = max(len(paths), len(offsets)) if len(paths) and len(offsets) else 0
    return [(paths[i % len(paths)], offsets[i % len(offsets)]) for i in range(n)]


def _look(part):
    colours = [to_hex(c) for c in np.atleast_2d(part.get_facecolor())[:1]]
    return " ".join([type(part).__name__, *colours])


def _words(texts):
    shown = [text for text in texts if text.get_text()]
    return sorted(f"{_computed(text.get_text())} at {_rounded(text.get_position())}" for text in shown)


def _legends(holder):
    every = [holder.get_legend()] if hasattr(holder, "get_legend") else holder.legends
    told = [[_computed(text.get_text()) for text in (*one.get_texts(), one.get_title())] for one in every if one]
    return {"legend": told} if told else {}


def _computed(words):
    """Words, without the numbers that a run gives."""
    return COMPUTED.sub("#", words)


def _rounded(numbers):
    return [float(f"{float(number):.3g}") for number in np.ravel(numbers)]
