"""The file of a training result: its curves, weights and snapshots, the model and the task, and how it was made."""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.file import read_all, read_parts, refuse_others, weight_shapes
from slotfree.attention.models import Model
from slotfree.attention.weights import NAMES
from slotfree.checks import shown
from slotfree.files.safetensors import ArrayFile, without_duplicates
from slotfree.tasks.base import Task

FORMAT = "slotfree.TrainingResult"


def read_result(
    path: str | os.PathLike[str], model: Model | None, task: Task | None
) -> tuple[Model, Task, dict[str, NDArray[Any]], dict[str, str]]:
    """Return what ``TrainingResult.save`` wrote; FormatError if a file is not a whole and valid result.

    The arrays are accuracy and loss, (runs, iterations), W_Q, W_K, W_V and, if connections are drawn, wiring, with the
    runs in front; steps, (snapshots,), and snapshots.W_Q and so on, with snapshots and runs in front.
    """
    with ArrayFile(path) as file:
        made, told = read_parts(file, FORMAT, {"attrs"}, model, task)
        _refuse_shapes(file, made, told)
        attrs = _attrs(file)
        arrays = read_all(file)
        _refuse_numbers(file, arrays)
        return made, told, arrays, attrs


def _refuse_shapes(file: ArrayFile, model: Model, task: Task) -> None:
    curves, steps = file.shapes.get("accuracy", ()), file.shapes.get("steps", ())
    if len(curves) != 2 or 0 in curves or len(steps) != 1:
        file.refuse(f"accuracy and steps have the shapes {curves} and {steps}, not (runs, iterations) and (snapshots,)")
    of_weights = weight_shapes(file, model, task, curves[0])
    kept = {f"snapshots.{name}": (*steps, *of_weights[name]) for name in NAMES}
    refuse_others(file, {"accuracy": curves, "loss": curves, "steps": steps, **of_weights, **kept})
    try:
        model.check(task)
    except (TypeError, ValueError) as error:
        file.refuse(f"its model is not one for its task: {shown(str(error))}")


def _refuse_numbers(file: ArrayFile, arrays: Mapping[str, NDArray[Any]]) -> None:
    for name, array in arrays.items():
        kind = np.int64 if name in ("steps", "wiring") else np.float64
        if array.dtype != kind or not np.isfinite(array).all():
            file.refuse(f"{name} does not hold numbers of its type that are finite")
    accuracy, steps = arrays["accuracy"], arrays["steps"]
    if "wiring" in arrays and arrays["wiring"].min() < 0:
        file.refuse("wiring must be at least 0")
    if accuracy.min() < 0 or accuracy.max() > 1 or arrays["loss"].min() < 0:
        file.refuse("accuracy must be from 0 to 1, and loss at least 0")
    if (np.diff(steps) <= 0).any() or (steps.size and not 0 <= steps[0] <= steps[-1] <= accuracy.shape[1]):
        file.refuse(f"the steps of its snapshots are {shown(steps.tolist())}")


def _attrs(file: ArrayFile) -> dict[str, str]:
    try:
        attrs = json.loads(file.metadata["attrs"], object_pairs_hook=without_duplicates)
    except (ValueError, RecursionError) as error:
        file.refuse(f"its attrs are wrong: {shown(str(error))}")
    if not isinstance(attrs, dict) or not all(isinstance(word, str) for word in attrs.values()):
        file.refuse("its attrs do not map words to words")
    return attrs
